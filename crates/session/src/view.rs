//! Positions and moves as the page sees them.

use crate::protocol::{
    Board, BySide, DeclarationView, EndKind, EndView, HeldPiece, MoveView, PieceKind, PieceOn,
    PointsPart, PositionView, Side,
};
use yomikiri_shogi::notation::{japanese, western};
use yomikiri_shogi::position::Declaration;
use yomikiri_shogi::record::Ending;
use yomikiri_shogi::{
    Bitboard, Color, EnteringKingRule, Hand, Kind, Move, Outcome, Piece, Position, Square,
};

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

/// The kinds in the order of [`Kind::ALL`].
const KINDS: [(Kind, PieceKind); 14] = [
    (Kind::Pawn, PieceKind::Pawn),
    (Kind::Lance, PieceKind::Lance),
    (Kind::Knight, PieceKind::Knight),
    (Kind::Silver, PieceKind::Silver),
    (Kind::Gold, PieceKind::Gold),
    (Kind::Bishop, PieceKind::Bishop),
    (Kind::Rook, PieceKind::Rook),
    (Kind::King, PieceKind::King),
    (Kind::ProPawn, PieceKind::ProPawn),
    (Kind::ProLance, PieceKind::ProLance),
    (Kind::ProKnight, PieceKind::ProKnight),
    (Kind::ProSilver, PieceKind::ProSilver),
    (Kind::Horse, PieceKind::Horse),
    (Kind::Dragon, PieceKind::Dragon),
];

impl From<Kind> for PieceKind {
    fn from(kind: Kind) -> PieceKind {
        KINDS.iter().find(|row| row.0 == kind).map_or(PieceKind::King, |row| row.1)
    }
}

impl From<PieceKind> for Kind {
    fn from(piece: PieceKind) -> Kind {
        KINDS.iter().find(|row| row.1 == piece).map_or(Kind::King, |row| row.0)
    }
}

/// A legal move under all its names.
pub fn move_view(position: &Position, mv: Move) -> MoveView {
    let kind = match mv.from() {
        Some(from) => position.piece_on(from).map(Piece::kind),
        None => mv.dropped(),
    };
    MoveView {
        usi: mv.to_string(),
        japanese: japanese::move_name(position, mv),
        western: western::move_name(position, mv),
        side: position.side_to_move().into(),
        piece: kind.unwrap_or(Kind::King).into(),
        from: mv.from().map(|square| square.to_string()),
        to: mv.to().to_string(),
        promotes: mv.is_promotion(),
        takes: position.piece_on(mv.to()).map(|piece| piece.kind().into()),
        check: position.gives_check(mv),
    }
}

/// The moves of a line played from `position`, up to the first that is illegal.
pub fn line_view(position: &Position, moves: &[Move]) -> Vec<MoveView> {
    let mut position = position.clone();
    let mut views = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        views.push(move_view(&position, mv));
        position.play(mv);
    }
    views
}

/// The hand, the rook first.
pub fn hand_view(hand: Hand) -> Vec<HeldPiece> {
    hand.iter().rev().map(|(kind, count)| HeldPiece { piece: kind.into(), count }).collect()
}

/// The board as data.
pub fn board_view(position: &Position) -> Board {
    let mut pieces = Vec::new();
    for rank in 0..9 {
        for file in (0..9).rev() {
            let square = Square::new(file, rank);
            if let Some(piece) = position.piece_on(square) {
                pieces.push(PieceOn {
                    square: square.to_string(),
                    piece: piece.kind().into(),
                    side: piece.color().into(),
                });
            }
        }
    }
    let [black, white] = Color::ALL.map(|color| hand_view(position.hand(color)));
    Board {
        pieces,
        hands: BySide { black, white },
        side: position.side_to_move().into(),
        move_number: position.move_number(),
    }
}

/// A position with everything that the page shows of it.
pub fn position_view(position: &Position, rule: EnteringKingRule) -> PositionView {
    let side = position.side_to_move();
    let last = position.last_move().map(|mv| {
        let mut before = position.clone();
        before.undo();
        move_view(&before, mv)
    });
    PositionView {
        sfen: position.to_sfen(),
        board: board_view(position),
        legal: position.legal_moves().iter().map(|&mv| move_view(position, mv)).collect(),
        last,
        checkers: square_names(position.checkers()),
        checked_king: position
            .king(side)
            .filter(|_| position.in_check())
            .map(|square| square.to_string()),
        end: position.outcome(rule, 0).map(outcome_view),
        declaration: declaration_view(position, rule),
    }
}

/// The names of squares.
pub fn square_names(squares: Bitboard) -> Vec<String> {
    squares.iter().map(|square| square.to_string()).collect()
}

/// The end that the rules make.
pub fn outcome_view(outcome: Outcome) -> EndView {
    let (end, name) = match outcome {
        Outcome::Mate { .. } => (EndKind::Mate, "詰み"),
        Outcome::NoMoves { .. } => (EndKind::NoMoves, "合法手なし"),
        Outcome::Repetition => (EndKind::Repetition, "千日手"),
        Outcome::PerpetualCheck { .. } => (EndKind::PerpetualCheck, "連続王手の千日手"),
        Outcome::Try { .. } => (EndKind::Try, "トライ"),
        Outcome::MaximumMoves => (EndKind::MaximumMoves, "最大手数"),
    };
    let winner = outcome.winner().map(Side::from);
    EndView { end, japanese: name.to_string(), winner }
}

/// An end given by a record, with `side` to move.
pub fn ending_view(ending: &Ending, side: Color) -> EndView {
    let end = match ending {
        Ending::Resign => EndKind::Resign,
        Ending::Interrupted => EndKind::Interrupted,
        Ending::Repetition => EndKind::Repetition,
        Ending::Impasse => EndKind::Impasse,
        Ending::Mate => EndKind::Mate,
        Ending::NoMate => EndKind::NoMate,
        Ending::Timeout => EndKind::Timeout,
        Ending::IllegalWin | Ending::IllegalLoss => EndKind::IllegalMove,
        Ending::EnteringKing => EndKind::Declaration,
        Ending::Draw => EndKind::Draw,
        Ending::MaximumMoves => EndKind::MaximumMoves,
        Ending::WinByDefault | Ending::LossByDefault => EndKind::Default,
        Ending::Other(_) => EndKind::Other,
    };
    let winner = ending.winner(side).map(Side::from);
    EndView { end, japanese: ending.name().to_string(), winner }
}

/// Points that a win takes, and a no contest under the 24-point rules.
fn needed(rule: EnteringKingRule, side: Color) -> Option<u32> {
    match rule {
        EnteringKingRule::CsaRule24 | EnteringKingRule::CsaRule24H => Some(31),
        EnteringKingRule::CsaRule27 | EnteringKingRule::CsaRule27H => {
            Some(if side == Color::Black { 28 } else { 27 })
        }
        EnteringKingRule::NoEnteringKing | EnteringKingRule::TryRule => None,
    }
}

/// What the entering-king rule says for the side to move, and why.
pub fn declaration_view(position: &Position, rule: EnteringKingRule) -> DeclarationView {
    let side = position.side_to_move();
    let zone = Bitboard::promotion_zone(side);
    let king_entered = position.king(side).is_some_and(|king| zone.has(king));
    let entered = zone & position.color(side);
    let declaration = position.declaration(rule);
    DeclarationView {
        rule: rule.name().to_string(),
        wins: declaration == Some(Declaration::Win),
        no_contest: declaration == Some(Declaration::NoContest),
        try_move: match declaration {
            Some(Declaration::Try(mv)) => Some(mv.to_string()),
            _ => None,
        },
        points: position.declaration_points(rule),
        needed: needed(rule, side),
        king_entered,
        pieces_entered: entered.count() - u32::from(king_entered),
        in_check: position.in_check(),
        parts: points_parts(position, entered),
    }
}

fn points_parts(position: &Position, entered: Bitboard) -> Vec<PointsPart> {
    let mut parts = Vec::new();
    for kind in Kind::HAND.into_iter().rev() {
        let each = if matches!(kind, Kind::Bishop | Kind::Rook) { 5 } else { 1 };
        let here = |square: &Square| {
            position.piece_on(*square).is_some_and(|piece| piece.kind().unpromoted() == kind)
        };
        let on_board = entered.iter().filter(here).count() as u32;
        let held = u32::from(position.hand(position.side_to_move()).count(kind));
        for (in_hand, count) in [(false, on_board), (true, held)] {
            if count > 0 {
                parts.push(PointsPart { in_hand, piece: kind.into(), count, points: count * each });
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_declaration_add_up_to_its_points() {
        let mut random = fastrand::Rng::with_seed(1);
        let rule = EnteringKingRule::CsaRule27;
        for _ in 0..30 {
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.usize(..moves.len())]);
                let view = declaration_view(&position, rule);
                let sum: u32 = view.parts.iter().map(|part| part.points).sum();
                assert_eq!(sum, view.points, "{}", position.to_sfen());
                let enough = view.needed.is_some_and(|needed| view.points >= needed);
                let wins =
                    enough && view.king_entered && !view.in_check && view.pieces_entered >= 10;
                assert_eq!(wins, view.wins, "{}", position.to_sfen());
            }
        }
    }

    #[test]
    fn a_position_tells_its_check_and_its_last_move() {
        let position = Position::from_usi("sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1 moves 9i9a").unwrap();
        let view = position_view(&position, EnteringKingRule::CsaRule27);
        assert_eq!(view.checkers, ["9a"]);
        assert_eq!(view.checked_king.as_deref(), Some("5a"));
        let last = view.last.unwrap();
        assert_eq!((last.western.as_str(), last.japanese.as_str()), ("R-9a=", "▲９一飛不成"));
        assert!(last.check && !last.promotes);
        assert_eq!(view.board.pieces[0].square, "9a");
    }
}
