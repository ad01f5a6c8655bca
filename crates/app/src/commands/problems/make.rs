//! Making next-move problems from games: positions in which a deep search agrees with the move
//! played and no other move comes near.

use crate::commands::pool::{self, EngineArgs};
use crate::output::write_file;
use anyhow::{Context, ensure};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_lab::problems::is_interesting;
use yomikiri_shogi::record::games;
use yomikiri_shogi::{Move, Position};
use yomikiri_usi::client::Client;
use yomikiri_usi::{Go, Value};

/// How to make a set.
#[derive(clap::Args)]
pub struct MakeArgs {
    /// Make the set from these games (one a line, perhaps zstd) instead of trying it
    #[arg(long, value_name = "GAMES")]
    make_from: Option<PathBuf>,

    /// How many problems to make
    #[arg(long, value_name = "N", default_value_t = 300)]
    count: usize,

    /// The best move must be this much better than the second, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 200)]
    gap: i32,

    /// Nodes for a first look at a position
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    first_nodes: u64,

    /// Nodes for the search that must agree
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    deep_nodes: u64,

    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A search that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(600);

/// A position of a game and the move that was played there.
struct Case {
    position: Position,
    played: Move,
}

impl MakeArgs {
    /// The games, if a set is to be made.
    pub fn games(&self) -> Option<&Path> {
        self.make_from.as_deref()
    }
}

/// Makes the set and writes it.
pub fn run(args: &MakeArgs, engine: &EngineArgs, out: &Path) -> anyhow::Result<()> {
    let Some(path) = args.games() else { return Ok(()) };
    let cases = cases(path, args.seed)?;
    ensure!(!cases.is_empty(), "{}: no position worth a problem", path.display());
    let player = engine.player(&[("MultiPV", "2"), ("USI_Hash", "64")])?;
    let bar = pool::bar(args.count);
    let mut kept = Vec::new();
    let mut tried = 0;
    for batch in cases.chunks(100) {
        if kept.len() >= args.count {
            break;
        }
        tried += batch.len();
        let hidden = indicatif::ProgressBar::hidden();
        let ask = |client: &mut Client, case: &Case| args.is_problem(client, case);
        let good = pool::ask_all(&player, engine.workers(), batch, &hidden, &ask)?;
        let room = args.count - kept.len();
        let new = batch.iter().zip(good).filter(|(_, good)| *good).take(room);
        kept.extend(new.map(|(case, _)| format!("{}\t{}\n", case.position.to_sfen(), case.played)));
        bar.set_position(kept.len() as u64);
    }
    bar.finish_and_clear();
    eprintln!("{} problems from {tried} positions", kept.len());
    let header = format!(
        "# next-move problems made from {} by: yomikiri problems SET --make-from GAMES --count {} \
         --gap {} --first-nodes {} --deep-nodes {} --seed {}\n",
        path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default(),
        args.count,
        args.gap,
        args.first_nodes,
        args.deep_nodes,
        args.seed
    );
    // The caller has made sure that nothing is lost.
    write_file(out, (header + &kept.concat()).as_bytes(), true)
}

/// One position of each game, drawn by chance among those that a player would have to think
/// about, in an order drawn by chance.
fn cases(path: &Path, seed: u64) -> anyhow::Result<Vec<Case>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut cases = Vec::new();
    for game in games::open(file).with_context(|| path.display().to_string())? {
        let game = game.with_context(|| path.display().to_string())?;
        let mut position = game.start.clone();
        let mut found = Vec::new();
        for (index, &played) in game.moves.iter().enumerate() {
            let recapture = position.last_move().is_some_and(|last| last.to() == played.to());
            let open = game.score(index).is_some_and(|score| score.abs() < 800);
            if index >= 30 && open && !recapture && is_interesting(&position) {
                found.push((index, played));
            }
            position.play(played);
        }
        if let Some((index, played)) = random.choice(found) {
            let mut position = game.start.clone();
            for &earlier in &game.moves[..index] {
                position.play(earlier);
            }
            cases.push(Case { position, played });
        }
    }
    random.shuffle(&mut cases);
    Ok(cases)
}

impl MakeArgs {
    fn is_problem(&self, client: &mut Client, case: &Case) -> anyhow::Result<bool> {
        pool::forget(client)?;
        Ok(self.stands_out(client, case, self.first_nodes)?
            && self.stands_out(client, case, self.deep_nodes)?)
    }

    /// Whether the search finds the move played best, and far better than the second.
    fn stands_out(&self, client: &mut Client, case: &Case, nodes: u64) -> anyhow::Result<bool> {
        let position = format!("sfen {}", case.position.to_sfen());
        let analysis = client.analyse(&position, &Go::nodes(nodes), TIMEOUT)?;
        let [best, second, ..] = &analysis.lines[..] else { return Ok(false) };
        let score = |info: &yomikiri_usi::Info| match info.score.map(|score| score.value) {
            Some(Value::Centipawns(score)) => Some(score),
            _ => None,
        };
        Ok(best.pv.first() == Some(&case.played)
            && matches!((score(best), score(second)), (Some(a), Some(b)) if a - b >= self.gap))
    }
}
