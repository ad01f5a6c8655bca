//! The rules that no random game reaches often enough.

use yomikiri_shogi::position::{Declaration, InvalidPosition};
use yomikiri_shogi::{Color, EnteringKingRule, Handicap, Move, Outcome, Position, Repetition};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn play(position: &mut Position, moves: &str) {
    for word in moves.split_ascii_whitespace() {
        let mv: Move = word.parse().unwrap();
        assert!(position.is_legal(mv), "{word} in {position:?}");
        position.play(mv);
    }
}

fn is_legal(sfen: &str, mv: &str) -> bool {
    position(sfen).is_legal(mv.parse().unwrap())
}

// ---- Repetition -------------------------------------------------------------------------------

#[test]
fn the_fourth_occurrence_draws() {
    let mut game = Position::start();
    for round in 0..3 {
        assert_eq!(game.fourfold_repetition(), None, "round {round}");
        play(&mut game, "4i4h 4a4b 4h4i 4b4a");
    }
    assert_eq!(game.fourfold_repetition(), Some(Repetition::Draw));
    assert_eq!(game.outcome(EnteringKingRule::CsaRule27, 0), Some(Outcome::Repetition));
    assert_eq!(game.repetition_within(4), Some(Repetition::Draw));
    game.undo();
    assert_eq!(game.fourfold_repetition(), None);
}

#[test]
fn perpetual_check_loses() {
    // Black's dragon chases the king between two squares.
    let mut game = position("8k/9/9/9/9/9/9/9/K6+R1 b - 1");
    play(&mut game, "2i1i");
    for _ in 0..3 {
        assert_eq!(game.fourfold_repetition(), None);
        play(&mut game, "1a2a 1i2i 2a1a 2i1i");
    }
    // White, in check, is to move: black gave check with every move.
    assert_eq!(game.fourfold_repetition(), Some(Repetition::Win));
    let winner = Color::White;
    let end = game.outcome(EnteringKingRule::CsaRule27, 0);
    assert_eq!(end, Some(Outcome::PerpetualCheck { winner }));
    // One ply on the roles are reversed.
    play(&mut game, "1a2a");
    assert_eq!(game.repetition_within(16), Some(Repetition::Loss));
}

#[test]
fn one_quiet_move_in_the_cycle_makes_it_a_draw() {
    let mut game = position("8k/9/9/9/9/9/9/9/K6+R1 b - 1");
    play(&mut game, "2i1i");
    for _ in 0..3 {
        play(&mut game, "1a2a 1i3i 2a1a 3i1i");
    }
    assert_eq!(game.fourfold_repetition(), Some(Repetition::Draw));
}

#[test]
fn equal_boards_with_other_hands_are_better_or_worse() {
    let mut game = position("k7r/9/9/9/9/9/9/9/K8 b P 1");
    play(&mut game, "9i8i 9a8a 8i9i 8a9a");
    assert_eq!(game.repetition_within(100), Some(Repetition::Draw));
    // Black loses the pawn; the kings return.
    play(&mut game, "P*1b 1a1b 9i8i 1b1a 8i9h 9a8a 9h9i 8a9a");
    assert_eq!(game.repetition_within(100), Some(Repetition::Inferior));
    assert_eq!(game.repetition_within(7), None);
    play(&mut game, "9i8i");
    assert_eq!(game.repetition_within(100), Some(Repetition::Superior));
    assert_eq!(game.fourfold_repetition(), None);
}

#[test]
fn a_pass_ends_the_look_back() {
    let mut game = Position::start();
    play(&mut game, "4i4h 4a4b 4h4i 4b4a");
    assert_eq!(game.repetition_within(16), Some(Repetition::Draw));
    let mut game = Position::start();
    play(&mut game, "4i4h 4a4b");
    game.pass();
    game.pass();
    play(&mut game, "4h4i 4b4a");
    assert_eq!(game.repetition_within(16), None);
}

// ---- Ends of games ----------------------------------------------------------------------------

#[test]
fn a_mate_by_the_last_allowed_move_wins() {
    let rule = EnteringKingRule::CsaRule27;
    let mut game = position("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 256");
    play(&mut game, "G*5b");
    assert_eq!(game.outcome(rule, 256), Some(Outcome::Mate { winner: Color::Black }));
    let mut game = position("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 256");
    play(&mut game, "G*6b");
    assert_eq!(game.outcome(rule, 256), Some(Outcome::MaximumMoves));
    assert_eq!(game.outcome(rule, 257), None);
    assert_eq!(game.outcome(rule, 0), None);
}

#[test]
fn no_legal_move_without_check_loses_too() {
    let game = position("k8/2G6/1G7/9/9/9/9/9/9 w - 1");
    assert!(!game.in_check());
    let winner = Color::Black;
    assert_eq!(game.outcome(EnteringKingRule::CsaRule27, 0), Some(Outcome::NoMoves { winner }));
}

/// Ten pieces beside the king in the far ranks: a rook and a bishop (5 each), eight small (8).
const ENTERED: &str = "K+R+BGGGGSS/S8/S8/9/9/9/9/9/8k";

#[test]
fn declaration_counts_points_in_the_zone_and_in_hand() {
    use EnteringKingRule::{CsaRule24, CsaRule27, NoEnteringKing};
    let claim = |hand: &str, rule| position(&format!("{ENTERED} b {hand} 1")).declaration(rule);
    // 18 points on the board.
    assert_eq!(position(&format!("{ENTERED} b - 1")).declaration_points(CsaRule27), 18);
    assert_eq!(claim("9P", CsaRule27), None, "27 points are not enough for black");
    assert_eq!(claim("10P", CsaRule27), Some(Declaration::Win));
    assert_eq!(claim("RB", CsaRule27), Some(Declaration::Win));
    assert_eq!(claim("5P", CsaRule24), None);
    assert_eq!(claim("6P", CsaRule24), Some(Declaration::NoContest));
    assert_eq!(claim("12P", CsaRule24), Some(Declaration::NoContest));
    assert_eq!(claim("13P", CsaRule24), Some(Declaration::Win));
    assert_eq!(claim("18P", NoEnteringKing), None);
}

#[test]
fn white_needs_one_point_less() {
    let flipped = "8K/9/9/9/9/9/s8/s8/k+r+bggggss w 9p 1";
    assert_eq!(position(flipped).declaration(EnteringKingRule::CsaRule27), Some(Declaration::Win));
    let flipped = "8K/9/9/9/9/9/s8/s8/k+r+bggggss w 8p 1";
    assert_eq!(position(flipped).declaration(EnteringKingRule::CsaRule27), None);
}

#[test]
fn handicap_points_go_to_white_in_the_h_variants() {
    let start = Handicap::Two.position();
    assert_eq!(start.declaration_points(EnteringKingRule::CsaRule27), 0);
    assert_eq!(start.declaration_points(EnteringKingRule::CsaRule27H), 10);
    // White has 14 points on the board and 5 in hand; a rook and a bishop (10) were never there.
    let game = position("K8/9/9/9/9/9/s8/s8/k+r+pggggss w B4N4L12P5p 1");
    let rules = [
        (EnteringKingRule::CsaRule27, None),
        (EnteringKingRule::CsaRule27H, Some(Declaration::Win)),
        (EnteringKingRule::CsaRule24, None),
        (EnteringKingRule::CsaRule24H, Some(Declaration::NoContest)),
    ];
    for (rule, expected) in rules {
        assert_eq!(game.declaration(rule), expected, "{rule}");
    }
}

#[test]
fn declaration_needs_ten_pieces_and_no_check() {
    let rule = EnteringKingRule::CsaRule27;
    let nine = "K+R+BGGGGSS/S8/9/9/9/9/9/9/8k b 18P 1";
    assert_eq!(position(nine).declaration(rule), None);
    let king_outside = "1+R+BGGGGSS/S8/S8/K8/9/9/9/9/8k b 18P 1";
    assert_eq!(position(king_outside).declaration(rule), None);
    let in_check = "K+R+BGGGGSS/1S7/1S7/9/9/9/9/9/r7k b 18P 1";
    assert_eq!(position(in_check).declaration(rule), None);
}

#[test]
fn the_try_rule_wants_the_king_on_the_enemy_kings_square() {
    let rule = EnteringKingRule::TryRule;
    let near = position("9/4K4/9/9/9/9/9/9/k8 b - 1");
    let tried: Move = "5b5a".parse().unwrap();
    assert_eq!(near.declaration(rule), Some(Declaration::Try(tried)));
    let mut after = near.clone();
    after.play(tried);
    assert_eq!(after.outcome(rule, 0), Some(Outcome::Try { winner: Color::Black }));
    assert_eq!(after.outcome(EnteringKingRule::CsaRule27, 0), None);
    let guarded = position("9/4K4/9/9/9/9/9/4r4/k8 b - 1");
    assert_eq!(guarded.declaration(rule), None, "the square is attacked behind the king");
}

#[test]
fn rule_names_are_those_of_usi() {
    for rule in EnteringKingRule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
    }
    assert!("CSARule28".parse::<EnteringKingRule>().is_err());
}

// ---- Single moves -----------------------------------------------------------------------------

#[test]
fn pawn_drops() {
    assert!(!is_legal("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e"), "two pawns");
    assert!(is_legal("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e"), "a tokin is no pawn");
    assert!(!is_legal("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*4a"), "dead end");
    assert!(!is_legal("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*4b"), "dead end");
    assert!(is_legal("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*4c"));
    assert!(!is_legal("4k4/9/9/9/9/9/9/9/4K4 b - 1", "P*4e"), "nothing in hand");
}

#[test]
fn a_pawn_may_not_be_dropped_for_mate_but_may_be_moved() {
    let unprotected = "3nkn3/3p1p3/9/4N4/9/9/9/9/4K4 b P 1";
    assert!(is_legal(unprotected, "P*5b"), "the king takes it");
    let guarded = "3nkn3/3g1p3/9/3N5/9/9/9/9/4K4 b P 1";
    assert!(is_legal(guarded, "P*5b"), "a gold takes it");
    let mate = "3nkn3/3p1p3/9/3N5/9/9/9/9/4K4 b P 1";
    assert!(!is_legal(mate, "P*5b"), "nobody can take it");
    assert!(position(mate).is_drop_pawn_mate("5b".parse().unwrap()));
    let pinned = "3nkn3/3p1g3/6B2/3N5/9/9/9/9/4K4 b P 1";
    assert!(!is_legal(pinned, "P*5b"), "the gold on 4b may not leave the diagonal");
    let flight = "3nk4/3p1p3/9/3N5/9/9/9/9/4K4 b P 1";
    assert!(is_legal(flight, "P*5b"), "the king steps aside");
    let moved = "3nkn3/3p1p3/4P4/4L4/9/9/9/9/4K4 b - 1";
    assert!(is_legal(moved, "5c5b"), "moving a pawn to mate is allowed");
}

#[test]
fn mates_problems_have_one_king() {
    let problem = position("4k4/9/4P4/9/9/9/9/9/9 b G 1");
    assert_eq!(problem.king(Color::Black), None);
    assert!(problem.legal_moves().len() > 70);
}

// ---- Refused positions ------------------------------------------------------------------------

#[test]
fn bad_positions_are_refused_with_reason_and_place() {
    let cases = [
        (
            "4k4/9/9/9/9/9/9/9/4K4 b 19P 1",
            "19 pieces of kind P, but a set has 18 (at character 27)",
        ),
        (
            "4k4/9/9/9/PPPPPPPPP/9/9/9/4K4 b 10P 1",
            "19 pieces of kind P, but a set has 18 (at character 33)",
        ),
        ("4k4/9/9/9/9/4P4/4P4/9/4K4 b - 1", "black has two pawns on file 5 (at character 1)"),
        // Two pawns hide nothing that is worse.
        (
            "8k/8P/8P/9/9/9/9/9/9 b G 1",
            "the king on 1a could be taken: it is not that side's turn (at character 2)",
        ),
        ("4k4/9/9/9/4P4/4P4/9/9/K3n4 b - 1", "the N on 5i could never move (at character 25)"),
        ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "the P on 1a could never move (at character 4)"),
        ("4k4/9/9/9/9/9/9/6n2/4K4 b - 1", "the N on 3h could never move (at character 18)"),
        (
            "4k4/4R4/9/9/9/9/9/9/4K4 b - 1",
            "the king on 5a could be taken: it is not that side's turn (at character 2)",
        ),
        ("9/9/9/9/9/9/9/9/9 b - 1", "there is no king on the board (at character 1)"),
        ("4k4/9/9/9/9/9/9/9/4K3K b - 1", "black has more than one king (at character 1)"),
        (
            "4k4/9/9/9/9/9/9/4K4 b - 1",
            "the board has fewer than nine ranks of nine squares (at character 20)",
        ),
        (
            "4k5/9/9/9/9/9/9/9/4K4 b - 1",
            "the board has more than nine ranks of nine squares (at character 3)",
        ),
        ("4k3/9/9/9/9/9/9/9/4K4 b - 1", "rank 1 is too short (at character 4)"),
        ("4k4/9/9/9/9/9/9/9/4K4 x - 1", "'x' is neither b nor w (at character 23)"),
        ("4k4/9/9/9/9/9/9/9/4X4 b - 1", "'X' is not a piece (at character 20)"),
        ("4k4/9/9/9/9/9/9/9/4+G4 b - 1", "'G' cannot promote (at character 21)"),
        ("4k4/9/9/9/9/9/9/9/4+4 b - 1", "'+' must stand before a piece (at character 21)"),
        ("4k4/9/9/9/9/9/9/9/4K4 b K 1", "a king cannot be held in hand (at character 25)"),
        ("4k4/9/9/9/9/9/9/9/4K4 b 2 1", "a number without a piece (at character 26)"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - x", "'x' is not a move number (at character 27)"),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1 1", "unexpected '1' after the position (at character 29)"),
        ("4k4/9/9/9/9/9/9/9/4K4", "the side to move is missing (at character 22)"),
        ("", "the board is missing (at character 1)"),
    ];
    for (sfen, expected) in cases {
        match Position::from_sfen(sfen) {
            Ok(_) => panic!("{sfen} was accepted"),
            Err(error) => assert_eq!(error.to_string(), expected, "{sfen}"),
        }
    }
}

#[test]
fn reasons_can_be_matched_on() {
    let mut board = Position::start();
    board.put("5e".parse().unwrap(), board.piece_on("5g".parse().unwrap()));
    let reason = InvalidPosition::TooMany { kind: yomikiri_shogi::Kind::Pawn, found: 19 };
    assert_eq!(board.validate(), Err(reason));
}

#[test]
fn handicaps_are_found_again() {
    for handicap in Handicap::ALL {
        let start = handicap.position();
        start.validate().unwrap();
        assert_eq!(Handicap::of(&start), Some(handicap));
        let white_first = handicap != Handicap::Even;
        assert_eq!(start.side_to_move() == Color::White, white_first);
    }
    let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    assert_eq!(Handicap::Lance.position(), position(lance));
    let six = "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    assert_eq!(Handicap::Six.position(), position(six));
}
