//! Positions that the page names or sets up.

use crate::illegal;
use crate::protocol::{Board, EditAsk, Fault, FaultCode, Place, Side};
use yomikiri_shogi::{Color, EnteringKingRule, Hand, Kind, Piece, Position, Square, UnknownRule};

/// Most moves of a position that the page may send.
const MOST_MOVES: usize = 5_000;

/// A position in SFEN; a mate problem may lack a king.
pub fn from_sfen(sfen: &str) -> Result<Position, Fault> {
    let text = sfen.trim().trim_start_matches("sfen ");
    match text {
        "startpos" => Ok(Position::start()),
        text => Position::from_problem_sfen(text)
            .map_err(|error| Fault::new(FaultCode::BadPosition, error.to_string())),
    }
}

/// The position that the page means, with its history.
pub fn position(place: Option<&Place>) -> Result<Position, Fault> {
    let Some(place) = place else { return Ok(Position::start()) };
    let mut position = match &place.sfen {
        Some(sfen) => from_sfen(sfen)?,
        None => Position::start(),
    };
    let moves = place.moves.as_deref().unwrap_or_default();
    if moves.len() > MOST_MOVES {
        return Err(Fault::new(FaultCode::TooLarge, format!("more than {MOST_MOVES} moves")));
    }
    for (number, text) in (1..).zip(moves) {
        let mv = illegal::check(&position, text).map_err(|illegal| Fault {
            illegal: Some(illegal),
            line: Some(number),
            ..Fault::new(FaultCode::IllegalMove, format!("move {number}, {text}, is illegal"))
        })?;
        position.play(mv);
    }
    Ok(position)
}

/// The entering-king rule of a name.
pub fn rule(name: Option<&str>) -> Result<EnteringKingRule, Fault> {
    match name {
        None => Ok(EnteringKingRule::CsaRule27),
        Some(name) => name
            .parse()
            .map_err(|error: UnknownRule| Fault::new(FaultCode::BadValue, error.to_string())),
    }
}

/// A position that was set up piece by piece.
pub fn edited(ask: &EditAsk) -> Result<Position, Fault> {
    let mut position = Position::empty();
    for on in &ask.board.pieces {
        let square: Square = on
            .square
            .parse()
            .map_err(|_| bad(format!("'{}' is not a square such as 7f", on.square)))?;
        if position.piece_on(square).is_some() {
            return Err(bad(format!("two pieces on {square}")));
        }
        position.put(square, Some(Piece::new(on.piece.into(), on.side.into())));
    }
    position.set_side_to_move(ask.board.side.into());
    position.set_move_number(ask.board.move_number.clamp(1, 10_000));
    for (color, side) in [(Color::Black, Side::Black), (Color::White, Side::White)] {
        position.set_hand(color, hand(&ask.board, side)?);
    }
    if ask.fill {
        fill(&mut position);
    }
    // The text is read again: one place decides what may stand on a board.
    from_sfen(&position.to_sfen())
}

fn bad(message: String) -> Fault {
    Fault::new(FaultCode::BadPosition, message)
}

fn hand(board: &Board, side: Side) -> Result<Hand, Fault> {
    let held = match side {
        Side::Black => &board.hands.black,
        Side::White => &board.hands.white,
    };
    let mut hand = Hand::EMPTY;
    for one in held {
        let kind = Kind::from(one.piece);
        hand = Some(kind)
            .filter(|kind| kind.is_hand() && one.count <= kind.set_size())
            .and_then(|kind| hand.with_count(kind, one.count))
            .ok_or_else(|| bad(format!("{} {kind} cannot be in hand", one.count)))?;
    }
    Ok(hand)
}

/// Gives whatever is left of a set to the side that is to be mated.
fn fill(position: &mut Position) {
    let defender = !yomikiri_tsume::attacker_of(position);
    let mut hand = position.hand(defender);
    for kind in Kind::HAND {
        let on_board = Square::all()
            .filter_map(|square| position.piece_on(square))
            .filter(|piece| piece.kind().unpromoted() == kind)
            .count() as u8;
        let held = position.hand(!defender).count(kind);
        let rest = kind.set_size().saturating_sub(on_board + held);
        hand = hand.with_count(kind, rest).unwrap_or(hand);
    }
    position.set_hand(defender, hand);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::board_view;

    #[test]
    fn a_board_set_up_from_its_data_is_the_same_position() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        ] {
            let position = from_sfen(sfen).unwrap();
            let board = board_view(&position);
            let again = edited(&EditAsk { board, fill: false }).unwrap();
            assert_eq!(again.to_sfen(), position.to_sfen());
        }
    }

    #[test]
    fn what_is_left_of_the_set_goes_to_the_defender() {
        let position = from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        let board = board_view(&position);
        let filled = edited(&EditAsk { board, fill: true }).unwrap();
        assert_eq!(filled.to_sfen(), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    }

    #[test]
    fn impossible_boards_are_refused() {
        let position = from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        let mut board = board_view(&position);
        board.pieces.push(board.pieces[0].clone());
        let fault = edited(&EditAsk { board, fill: false }).unwrap_err();
        assert_eq!(fault.code, FaultCode::BadPosition);
        let mut board = board_view(&position);
        board.pieces[1].square = "5a5".into();
        assert!(edited(&EditAsk { board, fill: false }).is_err());
        let mut board = board_view(&position);
        board.hands.black[0].count = 200;
        assert!(edited(&EditAsk { board, fill: false }).is_err());
    }

    #[test]
    fn an_illegal_move_of_a_place_is_named() {
        let place = Place { sfen: None, moves: Some(vec!["7g7f".into(), "7f7e".into()]) };
        let fault = position(Some(&place)).unwrap_err();
        assert_eq!((fault.code, fault.line), (FaultCode::IllegalMove, Some(2)));
        assert_eq!(fault.illegal.unwrap().squares, ["7f"]);
    }
}
