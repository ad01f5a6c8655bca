//! Answers of the capture search, with and without zones, against brute force on dense random
//! boards, 4x4 to 7x7.
//!
//! `YOMIKIRI_ORACLE=10000 cargo test -p yomikiri-go --test capture_oracle -- --nocapture` asks that
//! many questions on two threads; without it a small part of the same questions.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod oracle;

use std::ops::RangeInclusive;

use fastrand::Rng;
use oracle::grid::{Grid, Position, bit};
use yomikiri_go::board::reference::ReferenceBoard;
use yomikiri_go::board::{Board, Colour, KoRule, Point};
use yomikiri_go::capture::{
    CaptureSettings, CaptureSolution, CheckFailure, Ko, Moves, search, solve,
};
use yomikiri_go::problem::{CaptureProblem, CaptureResult};
use yomikiri_proof::game::Role;

/// Questions of the short form.
const QUESTIONS: u64 = 1_500;
/// Nodes that brute force may visit in one game.
const ORACLE_NODES: usize = 200_000;
/// The same in the short form, which has no time for the large ones.
const SHORT_NODES: usize = 20_000;
/// Positions of the independent check.
const CHECKED: usize = 500;

/// The question of this number: a board on which six to nine tenths of the points are taken, and a
/// stone on it. Even numbers ask the attacker, odd ones the defender. One pair of four is any
/// board, one has a ko, one has two, and one asks about a lone stone in atari.
fn question(number: u64) -> (CaptureProblem, Option<u32>) {
    question_on(4..=6, number)
}

fn question_on(sizes: RangeInclusive<usize>, number: u64) -> (CaptureProblem, Option<u32>) {
    let mut rng = Rng::with_seed(number);
    let size = rng.usize(sizes);
    let first = if number.is_multiple_of(2) { Role::Attacker } else { Role::Defender };
    let give_up = [Some(5), Some(5), None, Some(3)][rng.usize(..4)];
    loop {
        let stones = random_stones(size, &mut rng);
        let Some(&(owner, target)) = rng.choice(&stones) else { continue };
        let Ok(mut board) = Board::from_stones(size, KoRule::Simple, stones) else { continue };
        let fits = match number / 2 % 4 {
            0 => true,
            3 => board.block(target).is_some_and(|b| b.stones().len() + b.liberties().len() == 2),
            kos => {
                Colour::BOTH.iter().map(|&c| kos_for(&board, c).len() as u64).sum::<u64>() >= kos
            }
        };
        if !fits {
            continue;
        }
        // Sometimes a ko has just been taken.
        let mover = if first == Role::Defender { owner } else { owner.other() };
        board.set_ko(rng.choice(&kos_for(&board, mover)).copied().filter(|_| rng.bool()));
        let id = format!("question {number}");
        let problem = CaptureProblem { id, board, target, first, expected: None, gnugo: None };
        return (problem, give_up);
    }
}

fn random_stones(size: usize, rng: &mut Rng) -> Vec<(Colour, Point)> {
    let density = rng.f64() * 0.3 + 0.6;
    let taken = oracle::points(size).into_iter().filter(|_| rng.f64() < density);
    let taken: Vec<Point> = taken.collect();
    taken.into_iter().map(|point| (Colour::BOTH[rng.usize(..2)], point)).collect()
}

/// Where this side could take in a ko.
fn kos_for(board: &Board, colour: Colour) -> Vec<Point> {
    board.empty().iter().filter(|&point| board.ko_capture(colour, point).is_some()).collect()
}

#[derive(Default)]
struct Tally {
    /// By answer code.
    compared: [usize; 4],
    /// Brute force did not come to an end.
    unfinished: usize,
    /// The search did not.
    unanswered: usize,
    checked: usize,
    /// Searches with more positions than the check may look at.
    too_large: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (sum, count) in self.compared.iter_mut().zip(other.compared) {
            *sum += count;
        }
        self.unfinished += other.unfinished;
        self.unanswered += other.unanswered;
        self.checked += other.checked;
        self.too_large += other.too_large;
        self.wrong.extend(other.wrong);
    }

    fn ask(&mut self, sizes: RangeInclusive<usize>, number: u64, limit: usize) {
        let (problem, give_up) = question_on(sizes, number);
        let Some(truth) = oracle::answer(&problem, give_up, limit) else {
            self.unfinished += 1;
            return;
        };
        for moves in [Moves::All, Moves::Zones] {
            self.compare(&problem, give_up, truth, moves);
        }
    }

    fn compare(
        &mut self,
        problem: &CaptureProblem,
        give_up: Option<u32>,
        truth: CaptureResult,
        moves: Moves,
    ) {
        let memory = 32 << 20;
        let settings = CaptureSettings {
            give_up,
            verify: CHECKED,
            memory,
            ..CaptureSettings::with_moves(moves)
        };
        let solution = solve(problem, &settings).expect("a target");
        for search in &solution.searches {
            match &search.verified {
                None => {}
                Some(Ok(_)) => self.checked += 1,
                Some(Err(CheckFailure::TooLarge)) => self.too_large += 1,
                Some(Err(doubt)) => {
                    let shown = show(problem, give_up, truth);
                    self.wrong.push(format!("{shown} {moves:?} {doubt:?}"));
                }
            }
        }
        match solution.answer {
            None => self.unanswered += 1,
            Some(answer) => {
                self.compared[truth.code() as usize] += 1;
                if answer != truth {
                    let shown = show(problem, give_up, truth);
                    self.wrong.push(format!("{shown} {moves:?} not {answer:?}"));
                }
            }
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { compared, unfinished, unanswered, checked, too_large, wrong } = self;
        let (sum, wrong) = (compared.iter().sum::<usize>(), wrong.len());
        write!(
            f,
            "{sum} compared, by code 0 to 3 {compared:?}, {wrong} wrong; {unfinished} beyond "
        )?;
        write!(f, "brute force, {unanswered} beyond the search; {checked} searches checked, ")?;
        write!(f, "{too_large} too large for the check")
    }
}

fn show(problem: &CaptureProblem, give_up: Option<u32>, truth: CaptureResult) -> String {
    let CaptureProblem { id, board, target, first, .. } = problem;
    format!("{id}: {first:?} first, {target}, ko {:?}, {give_up:?}\n{board}{truth:?}", board.ko())
}

fn ask_all(sizes: &RangeInclusive<usize>, questions: u64, limit: usize, threads: u64) -> Tally {
    let part = |thread: u64| {
        let mut tally = Tally::default();
        // Pairs, so that every thread solves both sides.
        let numbers = (0..questions).filter(|number| number / 2 % threads == thread);
        for (asked, number) in (1..).zip(numbers) {
            tally.ask(sizes.clone(), number, limit);
            if asked % 500 == 0 {
                eprintln!("thread {thread}, {asked} questions: {tally}");
            }
        }
        tally
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        let mut sum = Tally::default();
        for tally in parts {
            sum.add(tally.join().expect("no thread panics"));
        }
        sum
    })
}

/// The number of questions of the long form, if it is switched on.
fn long_form() -> Option<u64> {
    let text = std::env::var("YOMIKIRI_ORACLE").ok()?;
    Some(text.parse().expect("YOMIKIRI_ORACLE is a number of questions"))
}

#[test]
fn every_answer_is_that_of_brute_force_on_dense_boards() {
    let (questions, limit, threads) = match long_form() {
        Some(questions) => (questions, ORACLE_NODES, 2),
        None => (QUESTIONS, SHORT_NODES, 1),
    };
    let tally = ask_all(&(4..=6), questions, limit, threads);
    eprintln!("{questions} questions: {tally}");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
    let enough = questions as usize / 100;
    assert!(tally.compared.iter().all(|&count| count >= enough), "{tally}");
}

/// The larger boards of the same kind, which reach further beyond brute force.
#[test]
fn every_answer_is_that_of_brute_force_from_5x5_to_7x7() {
    let (questions, limit) = match long_form() {
        Some(questions) => (questions, ORACLE_NODES),
        None => (200, SHORT_NODES),
    };
    let tally = ask_all(&(5..=7), questions, limit, 1);
    eprintln!("{questions} larger questions: {tally}");
    assert!(tally.wrong.is_empty(), "{tally}\n{}", tally.wrong.join("\n"));
    assert!(tally.compared.iter().sum::<usize>() >= questions as usize / 4, "{tally}");
}

#[test]
fn superko_answers_are_those_of_brute_force_on_dense_boards() {
    let (mut captured, mut saved, mut unfinished) = (0, 0, 0);
    for number in 0..if long_form().is_some() { 4_000 } else { 400 } {
        let (problem, give_up) = question(number);
        let CaptureProblem { board, target, first, .. } = &problem;
        let moves = if number.is_multiple_of(4) { Moves::Zones } else { Moves::All };
        let (nodes, memory) = (20_000, 32 << 20);
        let settings =
            CaptureSettings { moves, give_up, nodes, memory, ..CaptureSettings::default() };
        let truth = oracle::captured_superko(&problem, give_up, 20_000);
        let found = search(board, *target, *first, Ko::Superko, &settings).expect("a target");
        let (Some(truth), Some(found)) = (truth, found.captured) else {
            unfinished += 1;
            continue;
        };
        assert_eq!(found, truth, "{}: {first:?}, {target}, {give_up:?}\n{board}", problem.id);
        *if truth { &mut captured } else { &mut saved } += 1;
    }
    eprintln!("superko: {captured} captured, {saved} saved, {unfinished} unfinished");
    assert!(captured > 50 && saved > 50, "{captured}, {saved}, {unfinished}");
}

/// The question about a stone of an SGF.
fn asked(sgf: &str, target: &str, first: Role) -> CaptureProblem {
    let board = yomikiri_go::sgf::read(sgf, None).expect("a position").board;
    let target = Point::parse(target, board.size()).expect("a point");
    let id = sgf.to_string();
    CaptureProblem { id, board, target, first, expected: None, gnugo: None }
}

/// The answer is this one, and brute force says the same where it comes to an end.
fn assert_answer(problem: &CaptureProblem, expected: CaptureResult) -> CaptureSolution {
    let settings = CaptureSettings { verify: 20_000, ..CaptureSettings::default() };
    let solution = solve(problem, &settings).expect("a target");
    assert_eq!(solution.answer, Some(expected), "{}", problem.board);
    let truth = oracle::answer(problem, settings.give_up, ORACLE_NODES);
    assert!(truth.is_none_or(|truth| truth == expected), "{truth:?}");
    solution
}

/// A defence by a ko for which the defender must find the first threat, checked in all games.
fn assert_saved_by_ko(sgf: &str, target: &str) {
    let problem = asked(sgf, target, Role::Defender);
    let checked = assert_answer(&problem, CaptureResult::KoMustThreaten).check(Role::Defender);
    assert!(matches!(checked, Some(Ok(_))), "{checked:?}");
}

#[test]
fn a_lone_stone_saved_by_a_ko_made_in_the_corner_is_not_called_lost() {
    let sgf = "(;SZ[5]AB[aa][da][bb][bc][dc][bd][cd][dd][ed][ae][ce][ee]AW[ea][ab][cb][db])";
    assert_saved_by_ko(sgf, "D5");
}

#[test]
fn a_lone_stone_saved_by_a_ko_made_on_the_side_is_not_called_lost() {
    let sgf = "(;SZ[5]AB[aa][ba][da][ea][bb][cd][ae][ce]AW[ab][cb][eb][dc][ad][bd][dd][ed][ee])";
    assert_saved_by_ko(sgf, "A4");
}

#[test]
fn a_lone_stone_saved_by_a_ko_far_from_its_liberty_is_not_called_lost() {
    let sgf =
        "(;SZ[5]AB[aa][ba][ca][bb][cb][bc][ad][bd][ae][be][ce][de]AW[da][ea][dc][ec][cd][dd][ee])";
    assert_saved_by_ko(sgf, "E1");
}

/// The attacker retakes as often as it likes; the defender takes the other ko meanwhile.
#[test]
fn no_threats_capture_a_block_that_lives_by_double_ko() {
    for sgf in [
        "(;SZ[4]AB[aa][ba][da][cb][ac][cc]AW[db][bc][ad][cd][dd])",
        "(;SZ[4]AB[bb][db][ac][bc][cc][dd]AW[ba][da][ab][cb][ad])",
    ] {
        let solution = assert_answer(&asked(sgf, "C2", Role::Attacker), CaptureResult::Cannot);
        // The defence rests on a repetition, of which the table of the search holds no fact.
        let checked = solution.check(Role::Attacker);
        assert!(matches!(checked, Some(Ok(_))), "{checked:?}");
    }
}

/// A ladder across the board is read, not searched. With a stone on its way it is none, and the
/// search finds the net.
#[test]
fn a_ladder_is_settled_at_the_root_unless_a_stone_is_on_its_way() {
    let ask = |sgf: &str| {
        let settings = CaptureSettings {
            nodes: 2_000,
            verify: 20_000,
            ..CaptureSettings::with_moves(Moves::Zones)
        };
        solve(&asked(sgf, "E5", Role::Attacker), &settings).expect("a target")
    };
    let ladder = ask("(;SZ[19]AW[do][eo]AB[co][dn][dp][ep][fp])");
    assert_eq!(ladder.nodes(), 1);
    assert!(ladder.line.len() > 20, "the whole ladder is shown: {:?}", ladder.line);
    let net = ask("(;SZ[19]AW[do][eo][lh]AB[co][dn][dp][ep][fp])");
    assert!(net.nodes() > 1);
    for solution in [ladder, net] {
        assert_eq!(solution.answer, Some(CaptureResult::Unconditional));
        let checked = solution.check(Role::Attacker);
        assert!(matches!(checked, Some(Ok(_))), "{checked:?}");
    }
}

#[test]
fn the_check_asks_for_every_game_behind_the_answer() {
    let sgf = "(;SZ[5]AB[aa][da][bb][bc][dc][bd][cd][dd][ed][ae][ce][ee]AW[ea][ab][cb][db])";
    let settings = CaptureSettings { verify: 20_000, ..CaptureSettings::default() };
    let mut solution = solve(&asked(sgf, "D5", Role::Defender), &settings).expect("a target");
    let games: Vec<Ko> = solution.searches.iter().map(|search| search.ko).collect();
    assert_eq!(games, [Ko::DefenderYields, Ko::AttackerYields, Ko::Simple]);
    // The loss of the game against endless threats alone does not make it a "cannot".
    solution.answer = Some(CaptureResult::Cannot);
    let lacking = Some(Err(CheckFailure::Unsearched(Ko::AttackerYields)));
    assert_eq!(solution.check(Role::Defender), lacking);
    solution.searches.truncate(1);
    assert_eq!(solution.check(Role::Defender), lacking);
}

#[test]
fn grid_plays_as_the_slow_board() {
    let mut rng = Rng::with_seed(1);
    let (mut illegal, mut kos) = (0, 0);
    for game in 0..60 {
        let size = 3 + game % 4;
        let grid = Grid::new(size);
        let mut slow = ReferenceBoard::new(size, KoRule::Simple);
        let mut position = Position { stones: [0, 0], ko: 0 };
        for _ in 0..120 {
            let colour = Colour::BOTH[rng.usize(..2)];
            let point = oracle::points(size)[rng.usize(..size * size)];
            let played = slow.play(colour, point.into());
            let after = grid.play(&position, colour, bit(point));
            assert_eq!(played.is_ok(), after.is_some(), "{slow:?}");
            illegal += usize::from(after.is_none());
            position = after.unwrap_or(position);
            let stones = |colour| {
                let mine =
                    oracle::points(size).into_iter().filter(|&p| slow.stone(p) == Some(colour));
                mine.map(bit).sum()
            };
            let ko = slow.ko().map_or(0, bit);
            assert_eq!(position, Position { stones: Colour::BOTH.map(stones), ko });
            let block: u64 = slow.block(point).1.into_iter().map(bit).sum();
            if let Some(owner) = slow.stone(point) {
                assert_eq!(block, grid.liberties(&position, owner, bit(point)));
            }
            kos += usize::from(ko != 0);
        }
    }
    assert!(illegal > 100 && kos > 20, "{illegal} illegal moves, {kos} kos");
}
