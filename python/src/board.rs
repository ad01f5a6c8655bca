//! `Board`: a position with its history.

use crate::arrays::{fill_planes, to_fill, write_planes};
use crate::errors::{IllegalMoveError, bad_value, notation};
use crate::moves::{self, PyMove};
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use yomikiri_render::{Picture, draw};
use yomikiri_shogi::movegen::{NonPromotions, Which};
use yomikiri_shogi::notation::packed::{Code, decode, encode};
use yomikiri_shogi::notation::{csa, diagram, japanese, western};
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::{
    Color, EnteringKingRule, Handicap, Kind, Move, MoveList, Outcome, Piece, Position, Repetition,
    Square,
};

/// A position with the moves that led to it.
///
/// `Board()` is the start of a game; `Board(text)` reads an SFEN, or what follows `position` in USI
/// (`startpos moves 7g7f ..`). One king may be missing, as in mate problems.
///
///     >>> from yomikiri import Board
///     >>> board = Board()
///     >>> len(board.legal_moves)
///     30
///     >>> board.push_usi("7g7f")
///     Move('7g7f')
///     >>> board.sfen()
///     'lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2'
///     >>> board.pop()
///     Move('7g7f')
///     >>> board == Board()
///     True
#[pyclass(name = "Board", module = "yomikiri", eq, skip_from_py_object)]
#[derive(Clone, PartialEq)]
pub struct PyBoard(pub Position);

/// Reads an SFEN, or what follows `position` in USI.
pub fn parse(text: &str) -> PyResult<Position> {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text);
    let usi = text.starts_with("startpos") || text.starts_with("sfen ");
    let position = if usi { Position::from_usi(text) } else { Position::from_problem_sfen(text) };
    position.map_err(notation)
}

/// The position of an argument that is a `Board` or a text.
pub fn position_of(argument: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(board) = argument.cast::<PyBoard>() {
        return Ok(board.borrow().0.clone());
    }
    match argument.extract::<String>() {
        Ok(text) => parse(&text),
        Err(_) => {
            let kind = argument.get_type().name()?;
            Err(PyTypeError::new_err(format!("a position is a Board or a str, not {kind}")))
        }
    }
}

/// The word for a side.
pub const fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The exception for a move that the rules do not allow.
pub fn illegal(position: &Position, mv: Move) -> PyErr {
    IllegalMoveError::new_err(format!("{mv} is not legal in {}", position.to_sfen()))
}

/// Plays a move that the caller made up.
pub fn play(position: &mut Position, mv: Move) -> PyResult<()> {
    if !position.is_legal(mv) {
        return Err(illegal(position, mv));
    }
    position.play(mv);
    Ok(())
}

fn square(text: &str) -> PyResult<Square> {
    text.parse().map_err(notation)
}

fn rule(name: &str) -> PyResult<EnteringKingRule> {
    name.parse().map_err(bad_value)
}

/// A piece as SFEN writes it: `P`, `+r`.
fn piece_text(piece: Piece) -> String {
    let text = piece.kind().to_string();
    if piece.color() == Color::Black { text } else { text.to_lowercase() }
}

const fn repetition_word(repetition: Repetition) -> &'static str {
    match repetition {
        Repetition::Draw => "draw",
        Repetition::Win => "win",
        Repetition::Loss => "loss",
        Repetition::Superior => "superior",
        Repetition::Inferior => "inferior",
    }
}

impl PyBoard {
    fn packed(&self, code: Code) -> PyResult<[u8; 32]> {
        encode(&self.0, code).map_err(notation)
    }

    fn unpacked(bytes: &[u8], code: Code) -> PyResult<PyBoard> {
        let fault = || notation(format!("a packed position has 32 bytes, not {}", bytes.len()));
        let bytes: &[u8; 32] = bytes.try_into().map_err(|_| fault())?;
        decode(bytes, code).map(PyBoard).map_err(notation)
    }
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (position = "startpos"))]
    fn new(position: &str) -> PyResult<PyBoard> {
        parse(position).map(PyBoard)
    }

    /// The start of a game with a handicap, by its Japanese name.
    ///
    ///     >>> from yomikiri import Board
    ///     >>> Board.handicap("二枚落ち").turn
    ///     'white'
    #[staticmethod]
    fn handicap(name: &str) -> PyResult<PyBoard> {
        let found = Handicap::ALL.into_iter().find(|handicap| handicap.name() == name);
        let names = || Handicap::ALL.map(Handicap::name).join(", ");
        let found = found.ok_or_else(|| bad_value(format!("'{name}' is none of {}", names())))?;
        Ok(PyBoard(found.position()))
    }

    /// From the 32 bytes of an HCP (Apery, cshogi).
    #[staticmethod]
    fn from_hcp(hcp: &[u8]) -> PyResult<PyBoard> {
        PyBoard::unpacked(hcp, Code::Huffman)
    }

    /// From the 32 bytes of a PackedSfen (YaneuraOu).
    #[staticmethod]
    fn from_psfen(psfen: &[u8]) -> PyResult<PyBoard> {
        PyBoard::unpacked(psfen, Code::PackedSfen)
    }

    /// The position as the 32 bytes of an HCP.
    fn to_hcp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.packed(Code::Huffman)?))
    }

    /// The position as the 32 bytes of a PackedSfen.
    fn to_psfen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.packed(Code::PackedSfen)?))
    }

    /// Fills the board from an array of 32 bytes, as cshogi does.
    fn set_hcp(&mut self, hcp: PyReadonlyArray1<'_, u8>) -> PyResult<()> {
        let bytes = hcp.as_slice().map_err(bad_value)?;
        *self = PyBoard::unpacked(bytes, Code::Huffman)?;
        Ok(())
    }

    /// The position in SFEN.
    fn sfen(&self) -> String {
        self.0.to_sfen()
    }

    /// The position with its moves as USI writes it after `position`. A pass in the history begins
    /// anew, since USI has no word for it.
    fn usi(&self) -> String {
        let mut start = self.0.clone();
        let mut moves = Vec::new();
        while let Some(mv) = start.last_move() {
            moves.push(mv.to_string());
            start.undo();
        }
        moves.reverse();
        let start = match start == Position::start() {
            true => "startpos".to_string(),
            false => format!("sfen {}", start.to_sfen()),
        };
        if moves.is_empty() { start } else { format!("{start} moves {}", moves.join(" ")) }
    }

    /// Whose turn it is: `'black'` (who moves first in an even game) or `'white'`.
    #[getter]
    fn turn(&self) -> &'static str {
        color_word(self.0.side_to_move())
    }

    /// The number of the next move, 1 at the start of a game.
    #[getter]
    fn move_number(&self) -> u32 {
        self.0.move_number()
    }

    /// The moves played since the position was set up.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.0.moves_played().collect::<Vec<_>>())
    }

    /// Every legal move.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.0.legal_moves())
    }

    /// The legal moves that give check.
    #[getter]
    fn checking_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut list = MoveList::new();
        self.0.generate(Which::All, NonPromotions::All, &mut list);
        let checks: Vec<Move> = list.into_iter().filter(|&mv| self.0.gives_check(mv)).collect();
        moves::list(py, &checks)
    }

    /// Plays a legal move.
    fn push(&mut self, mv: &Bound<'_, PyMove>) -> PyResult<()> {
        play(&mut self.0, mv.get().0)
    }

    /// Plays a legal move in USI, and gives it.
    fn push_usi(&mut self, usi: &str) -> PyResult<&'static Py<PyMove>> {
        let mv: Move = usi.parse().map_err(notation)?;
        play(&mut self.0, mv)?;
        Ok(moves::object(mv))
    }

    /// Plays a legal move in CSA notation (`+7776FU`, or `7776FU`), and gives it.
    fn push_csa(&mut self, text: &str) -> PyResult<&'static Py<PyMove>> {
        let sign = if self.0.side_to_move() == Color::Black { '+' } else { '-' };
        let signed =
            if text.starts_with(['+', '-']) { text.into() } else { format!("{sign}{text}") };
        let mv = csa::read_move(&self.0, &signed).map_err(notation)?;
        play(&mut self.0, mv)?;
        Ok(moves::object(mv))
    }

    /// Plays a legal move in Japanese (`▲７六歩`), and gives it.
    fn push_japanese(&mut self, text: &str) -> PyResult<&'static Py<PyMove>> {
        let mv = japanese::read_move(&self.0, text).map_err(notation)?.played;
        play(&mut self.0, mv)?;
        Ok(moves::object(mv))
    }

    /// Gives the turn away without a move; not allowed in check.
    fn push_pass(&mut self) -> PyResult<()> {
        if self.0.in_check() {
            return Err(IllegalMoveError::new_err("nobody may pass in check"));
        }
        self.0.pass();
        Ok(())
    }

    /// Takes the last move back and gives it; `None` where it was a pass.
    fn pop(&mut self) -> PyResult<Option<&'static Py<PyMove>>> {
        if self.0.plies_played() == 0 {
            return Err(PyIndexError::new_err("no move was played"));
        }
        let last = self.0.last_move();
        match last {
            Some(_) => self.0.undo(),
            None => self.0.undo_pass(),
        }
        Ok(last.map(moves::object))
    }

    /// The last move; `None` if there is none or it was a pass.
    fn peek(&self) -> Option<&'static Py<PyMove>> {
        self.0.last_move().map(moves::object)
    }

    /// Whether the side to move may play the move. Repetition is not asked about.
    fn is_legal(&self, mv: &Bound<'_, PyMove>) -> bool {
        self.0.is_legal(mv.get().0)
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, mv: &Bound<'_, PyMove>) -> PyResult<bool> {
        let mv = mv.get().0;
        if self.0.is_legal(mv) { Ok(self.0.gives_check(mv)) } else { Err(illegal(&self.0, mv)) }
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.0.in_check()
    }

    /// Whether the side to move is in check and has no move.
    fn is_mate(&self) -> bool {
        self.0.is_mate()
    }

    /// Whether the game is a draw by repetition: the position stands for the fourth time, and
    /// neither side gave check all along.
    fn is_draw(&self) -> bool {
        self.0.fourfold_repetition() == Some(Repetition::Draw)
    }

    /// What the fourth occurrence of the position means for the side to move: `'draw'`, `'win'` or
    /// `'loss'` (by perpetual check), or `None`.
    fn repetition(&self) -> Option<&'static str> {
        self.0.fourfold_repetition().map(repetition_word)
    }

    /// What a search thinks of the board if it stood before, at most `plies` ago, already at the
    /// first return: `'draw'`, `'win'`, `'loss'`, or `'superior'` and `'inferior'` for the same
    /// board with more or less in hand.
    #[pyo3(signature = (plies = None))]
    fn repetition_within(&self, plies: Option<usize>) -> Option<&'static str> {
        self.0.repetition_within(plies.unwrap_or(usize::MAX)).map(repetition_word)
    }

    /// How the game has ended on the board: `('mate', winner)`, `('no moves', winner)`,
    /// `('repetition', None)`, `('perpetual check', winner)`, `('try', winner)` or
    /// `('maximum moves', None)`; `None` if it goes on. With `maximum_moves` 0 there is no limit.
    #[pyo3(signature = (rule = "CSARule27", maximum_moves = 0))]
    fn outcome(
        &self,
        rule: &str,
        maximum_moves: u32,
    ) -> PyResult<Option<(&'static str, Option<&'static str>)>> {
        let outcome = self.0.outcome(crate::board::rule(rule)?, maximum_moves);
        Ok(outcome.map(|outcome| {
            let word = match outcome {
                Outcome::Mate { .. } => "mate",
                Outcome::NoMoves { .. } => "no moves",
                Outcome::Repetition => "repetition",
                Outcome::PerpetualCheck { .. } => "perpetual check",
                Outcome::Try { .. } => "try",
                Outcome::MaximumMoves => "maximum moves",
            };
            (word, outcome.winner().map(color_word))
        }))
    }

    /// Whether the game has ended by mate, lack of moves or repetition.
    fn is_game_over(&self) -> bool {
        self.0.outcome(EnteringKingRule::NoEnteringKing, 0).is_some()
    }

    /// What the side to move can claim by the entering-king rule: `'win'`, `'no contest'`, or under
    /// the try rule `'try'`; `None` if nothing.
    #[pyo3(signature = (rule = "CSARule27"))]
    fn declaration(&self, rule: &str) -> PyResult<Option<&'static str>> {
        Ok(self.0.declaration(crate::board::rule(rule)?).map(|declaration| match declaration {
            Declaration::Win => "win",
            Declaration::NoContest => "no contest",
            Declaration::Try(_) => "try",
        }))
    }

    /// Whether the side to move can declare and win by the 27-point rule.
    fn is_nyugyoku(&self) -> bool {
        self.0.declaration(EnteringKingRule::CsaRule27) == Some(Declaration::Win)
    }

    /// A move that mates at once, if there is one.
    fn mate_move_in_1ply(&self) -> Option<&'static Py<PyMove>> {
        // It tries moves on the board it is asked about.
        self.0.clone().mate_in_one().map(moves::object)
    }

    /// The piece on a square such as `'7g'` as SFEN writes it (`'P'`, `'+r'`), or `None`.
    fn piece_on(&self, square: &str) -> PyResult<Option<String>> {
        Ok(self.0.piece_on(crate::board::square(square)?).map(piece_text))
    }

    /// The square of a side's king, if it has one.
    fn king_square(&self, color: &str) -> PyResult<Option<String>> {
        let color = color_of(color)?;
        Ok(self.0.king(color).map(|square| square.to_string()))
    }

    /// What a side holds: letters and how many of each.
    fn hand<'py>(&self, py: Python<'py>, color: &str) -> PyResult<Bound<'py, PyDict>> {
        let held = PyDict::new(py);
        for (kind, count) in self.0.hand(color_of(color)?).iter() {
            held.set_item(kind.letter(), count)?;
        }
        Ok(held)
    }

    /// The pieces as numbers, square by square (1a, 1b, ..): 0 for none, 1 to 14 for black's pawn
    /// to dragon, 17 to 30 for white's. The numbers are those of cshogi and Apery.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let number = |square| self.0.piece_on(square).map_or(0, |piece| piece.index() as u8);
        PyArray1::from_iter(py, Square::all().map(number))
    }

    /// Both hands as counts in the order pawn, lance, knight, silver, gold, bishop, rook.
    #[getter]
    fn pieces_in_hand(&self) -> ([u32; 7], [u32; 7]) {
        let counts = |color| Kind::HAND.map(|kind| u32::from(self.0.hand(color).count(kind)));
        (counts(Color::Black), counts(Color::White))
    }

    /// One plane of 9 x 9 for every kind of piece, black's 14 first: 1 where such a piece stands.
    /// The layout is cshogi's: file by file, and the kinds pawn, lance, knight, silver, bishop,
    /// rook, gold, king and the promoted ones. Given an array (28, 9, 9) of float32, fills it.
    #[pyo3(signature = (out = None))]
    fn piece_planes<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray3<f32>>>> {
        let Some(out) = out else {
            let planes = PyArray3::zeros(py, [28, 9, 9], false);
            write_planes(&self.0, planes.readwrite().as_slice_mut().map_err(bad_value)?);
            return Ok(Some(planes));
        };
        let mut out = to_fill(out, [28, 9, 9])?;
        fill_planes(&self.0, out.as_slice_mut().map_err(bad_value)?);
        Ok(None)
    }

    /// A hash of board, hands and turn.
    fn zobrist_hash(&self) -> u64 {
        self.0.key()
    }

    /// The Japanese name of a legal move: `▲７六歩`.
    fn japanese(&self, mv: &Bound<'_, PyMove>) -> PyResult<String> {
        self.named(mv, japanese::move_name)
    }

    /// The western name of a legal move: `P-7f`.
    fn western(&self, mv: &Bound<'_, PyMove>) -> PyResult<String> {
        self.named(mv, western::move_name)
    }

    /// The CSA name of a legal move: `+7776FU`.
    fn csa(&self, mv: &Bound<'_, PyMove>) -> PyResult<String> {
        self.named(mv, csa::write_move)
    }

    /// The board as SVG; the last move is marked.
    #[pyo3(signature = (flipped = false))]
    fn to_svg(&self, flipped: bool) -> String {
        draw(&Picture { position: &self.0, flipped })
    }

    fn _repr_svg_(&self) -> String {
        self.to_svg(false)
    }

    /// A copy with its history.
    fn copy(&self) -> PyBoard {
        self.clone()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.usi(),)
    }

    fn __str__(&self) -> String {
        diagram::write(&self.0)
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.sfen())
    }
}

impl PyBoard {
    fn named(
        &self,
        mv: &Bound<'_, PyMove>,
        name: impl Fn(&Position, Move) -> String,
    ) -> PyResult<String> {
        let mv = mv.get().0;
        if self.0.is_legal(mv) { Ok(name(&self.0, mv)) } else { Err(illegal(&self.0, mv)) }
    }
}

/// The side of a word.
pub fn color_of(word: &str) -> PyResult<Color> {
    match word {
        "black" | "b" => Ok(Color::Black),
        "white" | "w" => Ok(Color::White),
        _ => Err(bad_value(format!("'{word}' is neither 'black' nor 'white'"))),
    }
}
