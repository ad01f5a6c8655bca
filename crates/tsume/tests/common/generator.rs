//! Random small problems: a king, a few pieces around it, something in hand.

use yomikiri_shogi::{Color, Hand, Kind, Piece, Position, Square};
use yomikiri_tsume::Tsume;

/// What a problem is to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// Everything: with and without the attacker's king, either side to move, any piece.
    Any,
    /// Pawns, lances, bishops and rooks near the promotion zone, and a pawn in hand.
    NonPromotion,
    /// A crowded corner in which moves are few.
    Corner,
    /// A lone king among the attacker's pieces, and it is his turn.
    Stalemate,
    /// Few pieces that give check from afar, on an open board: the king runs.
    Chase,
    /// One or two pieces that reach far and a naked king: few positions, many ways back to them.
    Circle,
    /// Both kings, the attacker's own within reach of the defender's pieces.
    OwnKingInReach,
    /// Both kings and very little else, the attacker to move, for binds.
    Bind,
}

/// A problem: who mates, and where.
#[derive(Clone, Debug)]
pub struct RandomProblem {
    /// The position.
    pub position: Position,
    /// Who mates.
    pub attacker: Color,
}

impl RandomProblem {
    /// The problem as a game.
    pub fn game(&self) -> Tsume {
        Tsume::new(self.position.clone(), self.attacker)
    }

    /// The position and who mates, for messages.
    pub fn name(&self) -> String {
        format!("{} (attacker {:?})", self.position.to_sfen(), self.attacker)
    }
}

/// The numbers of a recipe.
struct Amounts {
    /// Kinds of the attacker's pieces on the board.
    kinds: &'static [Kind],
    attackers: std::ops::Range<u8>,
    defenders: std::ops::Range<u8>,
    attacker_hand: std::ops::Range<u8>,
    defender_hand: std::ops::Range<u8>,
    /// Farthest distance of pieces from the king.
    reach: i8,
    /// Ranks for the king, counted from his own edge.
    king_ranks: u8,
    /// Of eight problems, how many have the attacker's king.
    own_king: u8,
    /// Of eight problems, how many have the defender to move.
    defender_first: u8,
}

const ALL: &[Kind] =
    &[Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];
const PROMOTABLE: &[Kind] =
    &[Kind::Pawn, Kind::Pawn, Kind::Lance, Kind::Bishop, Kind::Rook, Kind::Gold, Kind::Knight];
const FAR: &[Kind] = &[Kind::Rook, Kind::Bishop, Kind::Rook, Kind::Lance];
const NEAR: &[Kind] = &[Kind::Pawn, Kind::Silver, Kind::Gold, Kind::Knight, Kind::Gold];

fn amounts(recipe: Recipe) -> Amounts {
    let any = Amounts {
        kinds: ALL,
        attackers: 3..6,
        defenders: 0..4,
        attacker_hand: 0..2,
        defender_hand: 0..2,
        reach: 2,
        king_ranks: 3,
        own_king: 4,
        defender_first: 1,
    };
    match recipe {
        Recipe::Any => any,
        Recipe::NonPromotion => Amounts {
            kinds: PROMOTABLE,
            attackers: 3..7,
            attacker_hand: 1..3,
            reach: 4,
            king_ranks: 2,
            own_king: 1,
            defender_first: 0,
            ..any
        },
        Recipe::Corner => Amounts {
            attackers: 1..4,
            defenders: 1..5,
            attacker_hand: 0..2,
            defender_hand: 0..1,
            reach: 2,
            king_ranks: 1,
            defender_first: 5,
            ..any
        },
        Recipe::Stalemate => Amounts {
            attackers: 2..5,
            defenders: 0..2,
            attacker_hand: 0..2,
            defender_hand: 0..1,
            reach: 2,
            king_ranks: 1,
            defender_first: 8,
            ..any
        },
        Recipe::Chase => Amounts {
            kinds: FAR,
            attackers: 2..5,
            defenders: 0..2,
            attacker_hand: 0..2,
            defender_hand: 0..1,
            reach: 8,
            king_ranks: 9,
            ..any
        },
        Recipe::Circle => Amounts {
            kinds: FAR,
            attackers: 1..3,
            defenders: 0..1,
            attacker_hand: 0..1,
            defender_hand: 0..1,
            reach: 8,
            king_ranks: 9,
            ..any
        },
        Recipe::OwnKingInReach => {
            Amounts { defenders: 1..5, own_king: 8, defender_first: 0, reach: 3, ..any }
        }
        Recipe::Bind => Amounts {
            kinds: NEAR,
            defenders: 0..2,
            attacker_hand: 0..2,
            defender_hand: 0..1,
            king_ranks: 1,
            own_king: 8,
            defender_first: 0,
            ..any
        },
    }
}

/// The problem of a seed, if one comes out of it.
pub fn random_problem(recipe: Recipe, seed: u64) -> Option<RandomProblem> {
    let mut random = fastrand::Rng::with_seed(seed);
    let amounts = amounts(recipe);
    let attacker = if random.bool() { Color::Black } else { Color::White };
    let mut maker = Maker { random, position: Position::empty(), attacker };
    maker.fill(&amounts, recipe)?;
    let defender_first = maker.random.u8(..8) < amounts.defender_first;
    maker.position.set_side_to_move(if defender_first { !attacker } else { attacker });
    let position = Position::from_problem_sfen(&maker.position.to_sfen()).ok()?;
    if recipe == Recipe::OwnKingInReach && !position.in_check() {
        return None;
    }
    Some(RandomProblem { position, attacker })
}

struct Maker {
    random: fastrand::Rng,
    position: Position,
    attacker: Color,
}

impl Maker {
    fn fill(&mut self, amounts: &Amounts, recipe: Recipe) -> Option<()> {
        let defender = !self.attacker;
        let rank = self.random.u8(..amounts.king_ranks);
        // Ranks count from black's far edge; the defender's own edge is the attacker's goal.
        let rank = if defender == Color::White { rank } else { 8 - rank };
        let corner = matches!(recipe, Recipe::Corner | Recipe::Stalemate);
        let file = if corner { 0 } else { self.random.u8(..9) };
        let king = Square::new(file, rank);
        self.position.put(king, Some(Piece::new(Kind::King, defender)));
        for _ in 0..self.random.u8(amounts.attackers.clone()) {
            let kind = self.kind(amounts.kinds);
            self.place(kind, self.attacker, king, amounts.reach);
        }
        for _ in 0..self.random.u8(amounts.defenders.clone()) {
            let kind = self.kind(ALL);
            self.place(kind, defender, king, amounts.reach.min(3));
        }
        if self.random.u8(..8) < amounts.own_king {
            let reach = if recipe == Recipe::OwnKingInReach { 4 } else { 8 };
            self.place(Kind::King, self.attacker, king, reach);
        }
        let attacker_hand = self.hand(amounts.attacker_hand.clone(), amounts.kinds)?;
        self.position.set_hand(self.attacker, attacker_hand);
        let defender_hand = self.hand(amounts.defender_hand.clone(), ALL)?;
        self.position.set_hand(defender, defender_hand);
        Some(())
    }

    /// A kind, promoted now and then.
    fn kind(&mut self, kinds: &[Kind]) -> Kind {
        let kind = kinds[self.random.usize(..kinds.len())];
        let promote = self.random.u8(..4) == 0;
        kind.promoted().filter(|_| promote).unwrap_or(kind)
    }

    /// Puts a piece somewhere around `centre`, if the square is free and it can live there.
    fn place(&mut self, kind: Kind, color: Color, centre: Square, reach: i8) {
        let (files, ranks) = (self.random.i8(-reach..=reach), self.random.i8(-reach..=reach));
        let Some(square) = centre.offset(files, ranks) else { return };
        let alive = square.rank_for(color) >= kind.dead_ranks();
        if alive && self.position.piece_on(square).is_none() {
            self.position.put(square, Some(Piece::new(kind, color)));
        }
    }

    fn hand(&mut self, count: std::ops::Range<u8>, kinds: &[Kind]) -> Option<Hand> {
        let mut hand = Hand::EMPTY;
        for _ in 0..self.random.u8(count) {
            let kind = kinds[self.random.usize(..kinds.len())];
            hand = hand.with_count(kind, hand.count(kind) + 1)?;
        }
        Some(hand)
    }
}
