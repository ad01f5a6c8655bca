use super::*;
use crate::clock::ClockSettings;
use crate::player::{Interrupted, TimedDecision, play};
use crate::rules::{DrawRule, ResignRule};
use fastrand::Rng;
use yomikiri_base::StopToken;
use yomikiri_shogi::EnteringKingRule;

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().expect("a move")).collect()
}

fn from(sfen: &str, rules: Rules) -> Game {
    Game::new(Position::from_sfen(sfen).expect("a position"), &[], rules)
}

fn even() -> Game {
    Game::new(Position::start(), &[], Rules::default())
}

fn end(game: &Game) -> Option<(End, Option<Color>)> {
    game.over().map(|over| (over.end, over.winner))
}

fn play_all(game: &mut Game, text: &str) {
    moves(text).into_iter().for_each(|mv| game.apply(Decision::play(mv), Duration::ZERO));
}

/// The slow and obvious form: a position, and what the rules say of it after every move.
#[test]
fn random_games_end_when_the_rules_say_so() {
    let mut random = Rng::with_seed(7);
    for _ in 0..60 {
        let rules = Rules { maximum_moves: 150, ..Rules::default() };
        let (mut game, mut position) =
            (Game::new(Position::start(), &[], rules), Position::start());
        let mut count = 0;
        let outcome = loop {
            if let Some(outcome) = position.outcome(rules.entering_king, rules.maximum_moves) {
                break outcome;
            }
            assert_eq!(game.turn(), Some(position.side_to_move()));
            let mv = random.choice(position.legal_moves().iter().copied()).expect("a move");
            position.play(mv);
            game.apply(Decision::play(mv), Duration::from_millis(count));
            count += 1;
        };
        assert_eq!(end(&game), Some((outcome.into(), outcome.winner())));
        assert_eq!(game.turn(), None);
        assert_eq!(game.position().to_sfen(), position.to_sfen());
        assert!(
            game.plies()
                .iter()
                .zip(0..)
                .all(|(ply, at)| { ply.elapsed == Some(Duration::from_millis(at)) })
        );
        assert_eq!(game.plies().len() as u64, count);
    }
}

#[test]
fn mate_ends_the_game_and_can_be_taken_back() {
    let mut game = from("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Rules::default());
    assert_eq!(game.record_ending(), Ending::Interrupted);
    play_all(&mut game, "G*5b");
    assert_eq!(end(&game), Some((End::Mate, Some(Color::Black))));
    assert_eq!((game.record_ending(), game.turn()), (Ending::Mate, None));
    assert_eq!(game.take_back(|_| true), 1);
    assert_eq!((game.over(), game.turn()), (None, Some(Color::Black)));
}

#[test]
fn taking_back_goes_to_the_players_own_last_move() {
    let mut game = even();
    play_all(&mut game, "7g7f 3c3d 2g2f");
    assert_eq!(game.take_back(|side| side == Color::White), 2);
    assert_eq!(game.turn(), Some(Color::White));
    assert_eq!(game.take_back(|side| side == Color::White), 0);
    assert_eq!(game.take_back(|side| side == Color::Black), 1);
    assert_eq!(game.position().to_sfen(), Position::start().to_sfen());
}

#[test]
fn repetition_draws_and_perpetual_check_loses() {
    let mut game = even();
    play_all(&mut game, &["5i5h 5a5b 5h5i 5b5a"; 3].join(" "));
    assert_eq!(end(&game), Some((End::Repetition, None)));
    let mut game = from("4k4/9/9/9/9/9/9/9/R3K4 b - 1", Rules::default());
    play_all(&mut game, "9i9a 5a5b 9a9b 5b5a");
    play_all(&mut game, &["9b9a 5a5b 9a9b 5b5a"; 4].join(" "));
    assert_eq!(end(&game), Some((End::PerpetualCheck, Some(Color::White))));
    assert!(matches!(game.record_ending(), Ending::IllegalWin | Ending::IllegalLoss));
}

#[test]
fn without_the_rule_of_repetition_games_go_on_to_their_last_move() {
    let circle = ["5i5h 5a5b 5h5i 5b5a"; 6].join(" ");
    let mut game = Game::new(Position::start(), &[], Rules::mate_only());
    play_all(&mut game, &circle);
    assert_eq!((end(&game), game.plies().len()), (None, 24));
    let rules = Rules { maximum_moves: 20, ..Rules::mate_only() };
    let mut game = Game::new(Position::start(), &[], rules);
    play_all(&mut game, &circle);
    assert_eq!((end(&game), game.plies().len()), (Some((End::MaximumMoves, None)), 20));
}

#[test]
fn resignations_faults_and_illegal_moves_lose() {
    let decide = |decision: Decision| {
        let mut game = Game::new(Position::start(), &moves("7g7f"), Rules::default());
        game.apply(decision, Duration::ZERO);
        game
    };
    let game = decide(Decision::Resign);
    assert_eq!(end(&game), Some((End::Resignation, Some(Color::Black))));
    assert_eq!(game.record_ending(), Ending::Resign);
    let game = decide(Decision::play("7g7f".parse().unwrap()));
    assert_eq!(end(&game), Some((End::Illegal, Some(Color::Black))));
    assert_eq!(game.over().unwrap().note, "bestmove 7g7f");
    assert_eq!(game.plies().len(), 1);
    let game = decide(Decision::time_up());
    assert_eq!(game.record_ending(), Ending::Timeout);
    let game = decide(Decision::Forfeit(End::Crash, "gone".into()));
    assert_eq!(game.over(), Some(&GameOver::fault(Color::White, End::Crash, "gone")));
}

#[test]
fn nothing_happens_after_the_end() {
    let mut game = even();
    game.apply(Decision::Resign, Duration::ZERO);
    let over = game.over().cloned();
    game.apply(Decision::play("7g7f".parse().unwrap()), Duration::ZERO);
    game.adjudicate(None);
    assert_eq!((game.over().cloned(), game.plies().len()), (over, 0));
}

/// Black's king has entered with ten others.
const ENTERED: &str = "K1+R+R+B+B3/PPPPPPP2/9/9/9/9/9/9/4k4 b GSNLP 1";

#[test]
fn declarations_are_judged_by_the_rule() {
    let declare = |sfen: &str, entering_king| {
        let mut game = from(sfen, Rules { entering_king, ..Rules::default() });
        assert_eq!(game.turn(), Some(Color::Black));
        game.apply(Decision::Declare, Duration::ZERO);
        (end(&game).unwrap(), game.record_ending())
    };
    let won = ((End::Declaration, Some(Color::Black)), Ending::EnteringKing);
    assert_eq!(declare(ENTERED, EnteringKingRule::CsaRule27), won);
    let drawn = ((End::Declaration, None), Ending::Impasse);
    let fewer = "K1+R+R+B4/PPPPPPP2/9/9/9/9/9/9/4k4 b GSNLP 1";
    assert_eq!(declare(fewer, EnteringKingRule::CsaRule24), drawn);
    let wrong = ((End::WrongDeclaration, Some(Color::White)), Ending::IllegalLoss);
    assert_eq!(declare(fewer, EnteringKingRule::NoEnteringKing), wrong);
    let tries = "9/4K4/9/9/9/9/9/9/k8 b - 1";
    assert_eq!(declare(tries, EnteringKingRule::TryRule), won);
    // The same by the move itself: the other side is to move and has lost.
    let rules = Rules { entering_king: EnteringKingRule::TryRule, ..Rules::default() };
    let mut game = from(tries, rules);
    play_all(&mut game, "5b5a");
    assert_eq!(end(&game), Some((End::Declaration, Some(Color::Black))));
    assert_eq!(game.record_ending(), Ending::Resign);
}

#[test]
fn who_could_declare_wins_where_the_rules_declare_for_players() {
    let rules = Rules { declare_for_players: true, ..Rules::default() };
    assert_eq!(end(&from(ENTERED, rules)), Some((End::Declaration, Some(Color::Black))));
    assert_eq!(end(&from(ENTERED, Rules::default())), None);
}

#[test]
fn games_are_decided_by_scores_of_both_sides_and_by_length() {
    let rules = Rules {
        resign: Some(ResignRule { score: 1000, moves: 1 }),
        draw: Some(DrawRule { from_move: 3, score: 5, moves: 1 }),
        maximum_moves: 6,
        ..Rules::default()
    };
    let scored = |scores: &[i32]| {
        let mut game = Game::new(Position::start(), &moves("7g7f 3c3d"), rules);
        for (&score, mv) in scores.iter().zip(moves("2g2f 8c8d 2f2e 8d8e")) {
            let info = MoveInfo { score: Some(score), nodes: None };
            game.apply(Decision::Move(mv, info), Duration::ZERO);
        }
        assert_eq!(game.played().len(), scores.len());
        end(&game)
    };
    assert_eq!(scored(&[1000]), None, "one side alone decides nothing");
    assert_eq!(scored(&[1000, -1000]), Some((End::ResignRule, Some(Color::Black))));
    assert_eq!(scored(&[-1000, 1000]), Some((End::ResignRule, Some(Color::White))));
    assert_eq!(scored(&[1000, 1000]), None);
    assert_eq!(scored(&[0, 5]), Some((End::DrawRule, None)));
    assert_eq!(scored(&[90, 90, 90, 90]), Some((End::MaximumMoves, None)));
    let mut game = even();
    game.adjudicate(Some(Color::White));
    assert_eq!(end(&game), Some((End::ResignRule, Some(Color::White))));
}

#[test]
fn a_late_move_loses_and_is_not_played() {
    let settings = ClockSettings { main: Duration::from_secs(5), ..ClockSettings::default() };
    let mut game = even().with_clock(Some(GameClock::even(settings)));
    assert_eq!(game.allowance(), Some(Duration::from_secs(5)));
    let mut decide = |text: &str, seconds| {
        game.apply(Decision::play(text.parse().unwrap()), Duration::from_secs(seconds));
    };
    decide("7g7f", 3);
    decide("3c3d", 5);
    decide("2g2f", 3);
    assert_eq!(end(&game), Some((End::Time, Some(Color::White))));
    assert_eq!((game.plies().len(), game.record_ending()), (2, Ending::Timeout));
}

#[test]
fn an_opening_may_end_the_game_at_once() {
    let start = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let game = Game::new(start, &moves("G*5b"), Rules::default());
    assert_eq!(end(&game), Some((End::Mate, Some(Color::Black))));
    let timed = [("7g7f".parse().unwrap(), Some(Duration::from_secs(3)))];
    let game = Game::resumed(Position::start(), &timed, Rules::default());
    assert_eq!(game.plies()[0].elapsed, Some(Duration::from_secs(3)));
    assert!(game.played().is_empty());
}

#[test]
fn players_take_turns_until_the_end_or_a_stop() {
    let answer = |decision| TimedDecision { decision, elapsed: Duration::from_secs(1) };
    let mut black = |game: &Game| match game.plies().len() {
        0 => answer(Decision::play("7g7f".parse().unwrap())),
        _ => answer(Decision::Resign),
    };
    let mut white = |_: &Game| answer(Decision::play("3c3d".parse().unwrap()));
    let mut game = even();
    play(&mut game, [&mut black, &mut white], &StopToken::new()).unwrap();
    assert_eq!(end(&game), Some((End::Resignation, Some(Color::White))));
    let stop = StopToken::new();
    let mut stopping = |_: &Game| {
        stop.stop();
        answer(Decision::play("7g7f".parse().unwrap()))
    };
    let mut game = even();
    assert_eq!(play(&mut game, [&mut stopping, &mut white], &stop), Err(Interrupted));
    assert_eq!((game.plies().len(), game.turn()), (1, Some(Color::White)));
}
