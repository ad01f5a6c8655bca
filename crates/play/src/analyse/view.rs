//! An engine's view of a position.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use yomikiri_base::StopToken;
use yomikiri_engine::speculative::{self, Mode, ProofBudget, Speculation};
use yomikiri_shogi::record::Record;
use yomikiri_shogi::{Color, Position};
use yomikiri_usi::client::{Client, ClientError};
use yomikiri_usi::{Go, Info, Setup, Start, UsiValue};

/// A mate in the scale of centipawns, as viewers expect it.
pub const MATE: i32 = 30_000;

/// From this many centipawns on a position is worth asking whether it is lost.
const WORTH_A_PROOF: i32 = 1_500;

/// Nodes to prove that every move of a position loses.
pub const PROOF_NODES: u64 = 200_000;

/// A position without a time limit that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// An engine's view of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct View {
    /// Centipawns, good for black if positive; a mate is ±30000.
    pub score: i32,
    /// Plies to the mate, if it is one of known length.
    pub mate: Option<u32>,
    /// The best line as USI.
    pub line: Vec<String>,
    /// The nodes it says it searched.
    pub nodes: Option<u64>,
    /// The depth it reached.
    pub depth: Option<u32>,
    /// Where every move is proven to lose: the one that is hardest to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hardest: Option<Hardest>,
}

/// What speculative play would do in a lost position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hardest {
    /// The move as USI.
    pub played: String,
    /// Why.
    pub reason: String,
}

impl View {
    /// From what an engine said about a position; its line must be legal, and ends where it is
    /// not.
    pub fn of(position: &Position, info: Option<&Info>) -> View {
        let (score, mate) = match info.and_then(|info| info.score).map(|score| score.value) {
            Some(UsiValue::Centipawns(score)) => (score.clamp(1 - MATE, MATE - 1), None),
            Some(UsiValue::Mate(mate)) => (if mate.winning { MATE } else { -MATE }, mate.plies),
            None => (0, None),
        };
        let mut after = position.clone();
        let mut line = Vec::new();
        for &mv in info.map(|info| info.pv.as_slice()).unwrap_or_default() {
            if !after.is_legal(mv) {
                break;
            }
            after.play(mv);
            line.push(mv.to_string());
        }
        View {
            score: if position.side_to_move() == Color::Black { score } else { -score },
            mate,
            line,
            nodes: info.and_then(|info| info.nodes),
            depth: info.and_then(|info| info.depth),
            hardest: None,
        }
    }

    /// The same, with the move that is hardest to answer where the side to move has all but lost,
    /// has a choice, and this many nodes suffice to prove it.
    #[must_use]
    pub fn with_hardest(self, position: &Position, nodes: u64) -> View {
        let sign = if position.side_to_move() == Color::Black { 1 } else { -1 };
        if sign * self.score > -WORTH_A_PROOF || position.legal_moves().len() < 2 {
            return self;
        }
        let how = Speculation { mode: Mode::Both, ..Speculation::default() };
        let mut budget = ProofBudget::new(nodes, None, StopToken::new(), how.dfpn);
        let choice = speculative::choose(position, &how, &mut budget);
        let hardest = choice
            .map(|choice| Hardest { played: choice.mv.to_string(), reason: choice.to_string() });
        View { hardest, ..self }
    }

    /// The view of a game that is over: the side to move has lost, or nobody has.
    pub fn of_end(position: &Position) -> View {
        let lost = !position.has_legal_move();
        let score = match (lost, position.side_to_move()) {
            (false, _) => 0,
            (true, Color::Black) => -MATE,
            (true, Color::White) => MATE,
        };
        let mate = lost.then_some(0);
        View { score, mate, line: Vec::new(), nodes: None, depth: None, hardest: None }
    }

    /// Who mates by this view.
    pub fn mater(&self) -> Option<Color> {
        match self.score {
            MATE => Some(Color::Black),
            score if score == -MATE => Some(Color::White),
            _ => None,
        }
    }
}

/// The engine's view of every position of the main line, the start first. The engine must be ready
/// for a new game.
///
/// # Errors
/// If the engine is silent or gone, or its answer cannot be understood.
pub fn views(client: &mut Client, record: &Record, go: &Go) -> Result<Vec<View>, ClientError> {
    let mut position = record.start().clone();
    let mut setup = Setup { start: Start::Sfen(position.to_sfen()), moves: Vec::new() };
    let mut views = vec![view(client, &setup, &position, go)?];
    for mv in record.main_moves() {
        position.play(mv);
        setup.moves.push(mv);
        views.push(view(client, &setup, &position, go)?);
    }
    Ok(views)
}

fn view(
    client: &mut Client,
    setup: &Setup,
    position: &Position,
    go: &Go,
) -> Result<View, ClientError> {
    if !position.has_legal_move() {
        return Ok(View::of_end(position));
    }
    let analysis = client.analyse(&setup.to_string(), go, TIMEOUT)?;
    Ok(View::of(position, analysis.lines.first()).with_hardest(position, PROOF_NODES))
}
