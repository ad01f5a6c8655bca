//! Proofs that anyone can check, and the check.
//!
//! A proof lists the attacker's move in every position that the defender can bring about. The check walks all of them
//! under the laws of shogi: the move must be legal and give check, every legal answer must lead to a listed position
//! with the mate strictly nearer, and where there is no answer it is mate. It shares no code with the solver, knows
//! nothing of numbers, tables or conventions, and runs on the slow reference generator or on the fast one.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use yomikiri_shogi::movegen::reference::PlainBoard;
use yomikiri_shogi::{Color, Hand, Kind, Move, Piece, Position, Square};

use crate::guide::{Board, Guide, Place};

/// The format's name and version.
pub const FORMAT: &str = "yomikiri-mate-proof 1";

/// One position with the attacker to move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The board as the first field of SFEN.
    pub board: String,
    /// What the attacker has in hand at least, as SFEN writes hands; `-` for nothing.
    pub hand: String,
    /// His move in USI.
    #[serde(rename = "move")]
    pub play: String,
    /// Plies until mate at most, useless interpositions included.
    pub plies: u32,
}

/// A complete proof of a mate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// [`FORMAT`].
    pub format: String,
    /// The position.
    pub sfen: String,
    /// `b` or `w`: who mates.
    pub attacker: String,
    /// Plies by convention, if they were asked for.
    pub length: Option<u16>,
    /// Plies at most by this proof, everything counted.
    pub raw_length: u32,
    /// The attacker's moves.
    pub steps: Vec<Step>,
}

/// What a proof was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Positions with the attacker to move that were walked through.
    pub positions: usize,
    /// Plies until mate at most.
    pub plies: u32,
}

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What is wrong.
    pub what: String,
    /// The position where it is.
    pub sfen: String,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (in {})", self.what, self.sfen)
    }
}

impl std::error::Error for Flaw {}

/// What the check asks of the rules.
trait Rules {
    fn side(&self) -> Color;
    fn hand(&self, color: Color) -> Hand;
    fn piece(&self, square: Square) -> Option<Piece>;
    fn legal_moves(&self) -> Vec<Move>;
    fn checked(&self) -> bool;
    fn play(&mut self, played: Move);
    fn undo(&mut self);
}

/// The reference generator on a stack of boards.
struct Reference(Vec<PlainBoard>);

impl Reference {
    fn now(&self) -> &PlainBoard {
        self.0.last().expect("never empty")
    }
}

impl Rules for Reference {
    fn side(&self) -> Color {
        self.now().side_to_move()
    }
    fn hand(&self, color: Color) -> Hand {
        self.now().hand(color)
    }
    fn piece(&self, square: Square) -> Option<Piece> {
        self.now().piece_on(square)
    }
    fn legal_moves(&self) -> Vec<Move> {
        self.now().legal_moves()
    }
    fn checked(&self) -> bool {
        self.now().in_check(self.side())
    }
    fn play(&mut self, played: Move) {
        let mut next = self.now().clone();
        next.play(played);
        self.0.push(next);
    }
    fn undo(&mut self) {
        self.0.pop();
    }
}

impl Rules for Position {
    fn side(&self) -> Color {
        self.side_to_move()
    }
    fn hand(&self, color: Color) -> Hand {
        Self::hand(self, color)
    }
    fn piece(&self, square: Square) -> Option<Piece> {
        self.piece_on(square)
    }
    fn legal_moves(&self) -> Vec<Move> {
        Self::legal_moves(self).into_iter().collect()
    }
    fn checked(&self) -> bool {
        self.in_check()
    }
    fn play(&mut self, played: Move) {
        Self::play(self, played);
    }
    fn undo(&mut self) {
        Self::undo(self);
    }
}

/// Hand, move and plies of a listed position.
type Listed = (Hand, Move, u32);

struct Check<'p, R> {
    rules: R,
    attacker: Color,
    listed: &'p HashMap<Board, Vec<Listed>>,
    /// Positions already found good, with the move and its plies.
    good: HashMap<Place, (Move, u32)>,
}

impl<R: Rules> Check<'_, R> {
    fn flaw(&self, what: impl Into<String>) -> Flaw {
        Flaw { what: what.into(), sfen: describe(&self.rules) }
    }

    /// The position of the proof. The defender need not be in check there if he is to move, but then he must be able
    /// to: who is not in check and cannot move is not mated.
    fn root(&mut self) -> Result<u32, Flaw> {
        if self.rules.side() == self.attacker {
            return self.attack(u32::MAX);
        }
        if !self.rules.checked() && self.rules.legal_moves().is_empty() {
            return Err(self.flaw("the defender has no move, but is not in check: that is no mate"));
        }
        self.answer_all(u32::MAX)
    }

    /// The attacker is to move and must mate in fewer than `limit` plies.
    fn attack(&mut self, limit: u32) -> Result<u32, Flaw> {
        let rules = &self.rules;
        let place = Place::new(|square| rules.piece(square), |color| rules.hand(color));
        let hand = self.rules.hand(self.attacker);
        if let Some(&(_, plies)) = self.good.get(&place)
            && plies < limit
        {
            return Ok(plies);
        }
        let listed = self.listed.get(&place.board).and_then(|all| {
            all.iter()
                .filter(|step| hand.dominates(step.0) && step.2 < limit)
                .min_by_key(|step| step.2)
        });
        let Some(&(_, played, plies)) = listed else {
            return Err(self.flaw("the proof has no move here, or mate does not come nearer"));
        };
        if !self.rules.legal_moves().contains(&played) {
            return Err(self.flaw(format!("{played} is not legal here")));
        }
        self.rules.play(played);
        let answered = self.defend(plies);
        self.rules.undo();
        let real = answered? + 1;
        self.good.insert(place, (played, real));
        Ok(real)
    }

    /// The defender is to move; whatever he does, mate must come in fewer than `limit` plies.
    fn defend(&mut self, limit: u32) -> Result<u32, Flaw> {
        if !self.rules.checked() {
            return Err(self.flaw("the move before gave no check"));
        }
        self.answer_all(limit)
    }

    fn answer_all(&mut self, limit: u32) -> Result<u32, Flaw> {
        let mut longest = 0;
        for played in self.rules.legal_moves() {
            self.rules.play(played);
            let plies = self.attack(limit.saturating_sub(1));
            self.rules.undo();
            longest = longest.max(plies? + 1);
        }
        Ok(longest)
    }
}

fn describe(rules: &impl Rules) -> String {
    let mut position = Position::empty();
    for square in Square::all() {
        if let Some(piece) = rules.piece(square) {
            position.put(square, Some(piece));
        }
    }
    for color in Color::ALL {
        position.set_hand(color, rules.hand(color));
    }
    position.set_side_to_move(rules.side());
    position.to_sfen()
}

/// Checks a proof and the lengths that it states, with the reference generator alone.
///
/// # Errors
/// The first flaw found.
pub fn verify(proof: &Proof) -> Result<Verified, Flaw> {
    let (verified, _) = check(proof, |position| Reference(vec![PlainBoard::new(position)]))?;
    let found = verified.plies;
    let bad = |what: String| Flaw { what, sfen: proof.sfen.clone() };
    if proof.raw_length != found {
        return Err(bad(format!("{} plies are stated, but it takes {found}", proof.raw_length)));
    }
    match proof.length.filter(|&length| u32::from(length) > found) {
        Some(length) => Err(bad(format!("{length} plies by convention, but it takes {found}"))),
        None => Ok(verified),
    }
}

/// Checks the moves of a proof with the fast generator, whatever lengths it states.
///
/// # Errors
/// The first flaw found.
pub fn verify_fast(proof: &Proof) -> Result<Verified, Flaw> {
    verify_for_play(proof).map(|(verified, _)| verified)
}

/// The same, with what to play in every position that was walked through.
///
/// # Errors
/// The first flaw found.
pub fn verify_for_play(proof: &Proof) -> Result<(Verified, Guide), Flaw> {
    check(proof, Position::clone)
}

fn check<R: Rules + Send>(
    proof: &Proof,
    rules: impl FnOnce(&Position) -> R + Send,
) -> Result<(Verified, Guide), Flaw> {
    let bad = |what: String| Flaw { what, sfen: proof.sfen.clone() };
    if proof.format != FORMAT {
        return Err(bad(format!("unknown format '{}'", proof.format)));
    }
    let position = Position::from_problem_sfen(&proof.sfen).map_err(|e| bad(e.to_string()))?;
    let attacker = match proof.attacker.as_str() {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(bad(format!("attacker '{other}' is neither b nor w"))),
    };
    if position.king(!attacker).is_none() {
        return Err(bad("the defender has no king to be mated".to_owned()));
    }
    let listed = list(proof)?;
    let rules = rules(&position);
    std::thread::scope(|scope| {
        let walk = || {
            let mut check = Check { rules, attacker, listed: &listed, good: HashMap::new() };
            let plies = check.root()?;
            let verified = Verified { positions: check.good.len(), plies };
            Ok((verified, Guide { attacker, steps: check.good }))
        };
        // The walk is as deep as the mate is long.
        let builder = std::thread::Builder::new().stack_size(256 << 20);
        builder
            .spawn_scoped(scope, walk)
            .expect("the system gives us a thread")
            .join()
            .expect("the check panicked")
    })
}

fn list(proof: &Proof) -> Result<HashMap<Board, Vec<Listed>>, Flaw> {
    let mut listed: HashMap<Board, Vec<Listed>> = HashMap::new();
    for step in &proof.steps {
        let bad = |what: String| Flaw { what, sfen: format!("{} {}", step.board, step.hand) };
        let board = read_board(&step.board).ok_or_else(|| bad("not a board".to_owned()))?;
        let hand = read_hand(&step.hand).ok_or_else(|| bad("not a hand".to_owned()))?;
        let played = step.play.parse::<Move>().map_err(|e| bad(e.to_string()))?;
        listed.entry(board).or_default().push((hand, played, step.plies));
    }
    Ok(listed)
}

/// Writes the board of a position as SFEN does.
#[must_use]
pub fn board_text(position: &Position) -> String {
    position.to_sfen().split(' ').next().unwrap_or_default().to_owned()
}

/// Reads nine ranks of nine squares.
fn read_board(text: &str) -> Option<Board> {
    let mut board = [0; 81];
    let mut rows = text.split('/');
    for rank in 0..9 {
        read_rank(rows.next()?, rank, &mut board)?;
    }
    rows.next().is_none().then_some(board)
}

fn read_rank(row: &str, rank: i8, board: &mut Board) -> Option<()> {
    // Files count from the right: what is left of the row.
    let mut left: i8 = 9;
    let mut symbols = row.chars();
    while let Some(symbol) = symbols.next() {
        if let Some(empty @ 1..=9) = symbol.to_digit(10) {
            left -= empty as i8;
        } else {
            let promoted = symbol == '+';
            let letter = if promoted { symbols.next()? } else { symbol };
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            let kind = kind_of(letter.to_ascii_uppercase())?;
            let kind = if promoted { kind.promoted()? } else { kind };
            left -= 1;
            let square = Square::try_new(left, rank)?;
            board[square.index()] = Piece::new(kind, color).index() as u8;
        }
        if left < 0 {
            return None;
        }
    }
    (left == 0).then_some(())
}

fn kind_of(letter: char) -> Option<Kind> {
    let kinds = [
        Kind::Pawn,
        Kind::Lance,
        Kind::Knight,
        Kind::Silver,
        Kind::Gold,
        Kind::Bishop,
        Kind::Rook,
        Kind::King,
    ];
    let at = "PLNSGBRK".find(letter)?;
    Some(kinds[at])
}

/// Writes a hand as SFEN does for black.
#[must_use]
pub fn hand_text(hand: Hand) -> String {
    let letters = ["", "P", "L", "N", "S", "B", "R", "G"];
    let mut text = String::new();
    for (kind, count) in hand.iter() {
        if count > 1 {
            text.push_str(&count.to_string());
        }
        text.push_str(letters[kind.index()]);
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

fn read_hand(text: &str) -> Option<Hand> {
    let mut hand = Hand::EMPTY;
    if text == "-" {
        return Some(hand);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, from_letter) = rest.split_at(digits);
        let count: u8 = if number.is_empty() { 1 } else { number.parse().ok()? };
        let letter = from_letter.chars().next()?;
        let kind = kind_of(letter)?;
        if count == 0 || !kind.is_hand() || hand.count(kind) > 0 {
            return None;
        }
        hand = hand.with_count(kind, count)?;
        rest = &from_letter[letter.len_utf8()..];
    }
    (!text.is_empty()).then_some(hand)
}
