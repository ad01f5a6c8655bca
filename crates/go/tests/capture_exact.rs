//! The capture search against brute force on the slow board: every ko rule, no narrowing, no
//! liberty limit. The brute force plays ko as the rule reads (a side with endless threats may
//! retake at once), so it also checks that "never takes a ko" means the same for the other side.

use std::collections::HashMap;

use fastrand::Rng;
use yomikiri_go::board::reference::ReferenceBoard;
use yomikiri_go::board::{Board, Colour, KoRule, Move, Point};
use yomikiri_go::capture::{CaptureSettings, Ko, Moves, search};
use yomikiri_proof::game::Role;
use yomikiri_proof::widening::Width;

fn points(size: usize) -> Vec<Point> {
    (0..size).flat_map(|row| (0..size).map(move |column| Point::new(column, row))).collect()
}

/// The stones, the point that ko forbids, whether the attacker is to move.
type State = (Vec<Option<Colour>>, Option<Point>, bool);

/// The question that brute force answers for every position that can be reached.
struct Brute {
    size: usize,
    target: Point,
    attacker: Colour,
    ko: Ko,
    states: HashMap<State, usize>,
    /// Successors; `None` is the capture.
    next: Vec<Vec<Option<usize>>>,
    attacks: Vec<bool>,
    open: Vec<(ReferenceBoard, bool)>,
}

impl Brute {
    fn new(size: usize, target: Point, attacker: Colour, ko: Ko) -> Brute {
        let (states, next, attacks, open) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
        Brute { size, target, attacker, ko, states, next, attacks, open }
    }

    /// Whether ko binds the side to move.
    fn bound(&self, attack: bool) -> bool {
        match self.ko {
            Ko::AttackerYields => attack,
            Ko::DefenderYields => !attack,
            Ko::Simple | Ko::Superko => true,
        }
    }

    fn state(&mut self, board: ReferenceBoard, attack: bool) -> usize {
        let mut board = board;
        if !self.bound(attack) {
            board.set_ko(None);
        }
        let stones = points(self.size).iter().map(|&point| board.stone(point)).collect();
        let key = (stones, board.ko(), attack);
        if let Some(&known) = self.states.get(&key) {
            return known;
        }
        let number = self.next.len();
        self.states.insert(key, number);
        self.next.push(Vec::new());
        self.attacks.push(attack);
        // The history of the slow board is of no use here and would be copied each time.
        self.open.push((board, attack));
        number
    }

    fn explore(&mut self) {
        let mut at = 0;
        while at < self.open.len() {
            let (board, attack) = self.open[at].clone();
            let colour = if attack { self.attacker } else { self.attacker.other() };
            let mut moves: Vec<Move> = points(self.size).into_iter().map(Move::from).collect();
            if !attack {
                moves.push(Move::PASS);
            }
            for mv in moves {
                let mut after = board.without_history();
                if after.play(colour, mv).is_err() {
                    continue;
                }
                let after = after.without_history();
                let taken = after.stone(self.target) != Some(self.attacker.other());
                if taken && after.ko().is_some() && self.ko == Ko::AttackerYields {
                    // Threatened and retaken at once: the target stands again.
                    continue;
                }
                let successor = (!taken).then(|| self.state(after, !attack));
                self.next[at].push(successor);
            }
            at += 1;
        }
    }

    /// The states from which the attacker forces the capture: the least fixed point.
    fn won(&self) -> Vec<bool> {
        let mut won = vec![false; self.next.len()];
        loop {
            let mut changed = false;
            for state in 0..won.len() {
                let wins = |next: &Option<usize>| next.is_none_or(|next| won[next]);
                let now = match self.attacks[state] {
                    true => self.next[state].iter().any(wins),
                    false => self.next[state].iter().all(wins),
                };
                changed |= now && !won[state];
                won[state] |= now;
            }
            if !changed {
                return won;
            }
        }
    }
}

/// Positions of random games with a stone of `colour` on the target.
fn positions(
    size: usize,
    target: Point,
    colour: Colour,
    count: usize,
    rng: &mut Rng,
) -> Vec<Board> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = Board::new(size, KoRule::Simple).expect("a size in range");
        for ply in 0..rng.usize(3..16) {
            let side = Colour::BOTH[ply % 2];
            let legal: Vec<Point> = board.legal_points(side).iter().collect();
            if let Some(&point) = rng.choice(&legal) {
                board.play_legal(side, point.into());
            }
        }
        if board.stone(target) == Some(colour) {
            found.push(board);
        }
    }
    found
}

/// The same position on the slow board, with `mover` to move: ko binds him only if he would retake.
fn slow(board: &Board, mover: Colour, rule: KoRule) -> ReferenceBoard {
    let stones = points(board.size()).into_iter().filter_map(|p| Some((board.stone(p)?, p)));
    let mut slow = ReferenceBoard::from_stones(board.size(), rule, stones);
    let takes = |ko: &Point| slow.clone().play(mover, (*ko).into()).is_ok_and(|t| !t.is_empty());
    slow.set_ko(board.ko().filter(takes));
    slow
}

#[test]
fn answers_are_those_of_brute_force_on_small_boards() {
    let mut rng = Rng::with_seed(5);
    let (mut won, mut lost) = (0, 0);
    for (ko, column) in
        [Ko::Simple, Ko::AttackerYields, Ko::DefenderYields].into_iter().zip([0, 1, 1])
    {
        let target = Point::new(column, 0);
        let boards = positions(3, target, Colour::Black, 60, &mut rng);
        let mut brute = Brute::new(3, target, Colour::White, ko);
        let roots: Vec<[usize; 2]> = boards
            .iter()
            .map(|board| {
                [(true, Colour::White), (false, Colour::Black)]
                    .map(|(attack, mover)| brute.state(slow(board, mover, KoRule::Simple), attack))
            })
            .collect();
        brute.explore();
        let truth = brute.won();
        for (board, states) in boards.iter().zip(roots) {
            for (first, state) in [Role::Attacker, Role::Defender].into_iter().zip(states) {
                for width in [Width::All, Width::Top(2), Width::Rate(5)] {
                    let settings = CaptureSettings {
                        give_up: None,
                        nodes: 1_000_000,
                        width,
                        ..CaptureSettings::default()
                    };
                    let found = search(board, target, first, ko, &settings).expect("a target");
                    let expected = Some(truth[state]);
                    assert_eq!(found.captured, expected, "{ko:?} {first:?} {width:?}\n{board}");
                }
                if truth[state] { won += 1 } else { lost += 1 }
            }
        }
    }
    assert!(won > 30 && lost > 30, "one-sided test: {won} won, {lost} lost");
}

/// Whether the attacker captures under positional superko; `None` beyond the budget.
fn superko(board: &ReferenceBoard, target: Point, attack: bool, budget: &mut u32) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    let colour = if attack { Colour::White } else { Colour::Black };
    let mut moves: Vec<Move> = points(3).into_iter().map(Move::from).collect();
    if !attack {
        moves.push(Move::PASS);
    }
    for mv in moves {
        let mut after = board.clone();
        if after.play(colour, mv).is_err() {
            continue;
        }
        let captured =
            after.stone(target) != Some(Colour::Black) || superko(&after, target, !attack, budget)?;
        if captured == attack {
            return Some(attack);
        }
    }
    Some(!attack)
}

#[test]
fn superko_answers_are_those_of_brute_force() {
    let mut rng = Rng::with_seed(9);
    let target = Point::new(1, 0);
    let (mut compared, mut captured) = (0, 0);
    for board in positions(3, target, Colour::Black, 80, &mut rng) {
        for (first, mover) in [(Role::Attacker, Colour::White), (Role::Defender, Colour::Black)] {
            let slow = slow(&board, mover, KoRule::Superko);
            let truth = superko(&slow, target, first == Role::Attacker, &mut 100_000);
            let settings =
                CaptureSettings { give_up: None, nodes: 60_000, ..CaptureSettings::default() };
            let found = search(&board, target, first, Ko::Superko, &settings).expect("a target");
            let (Some(truth), Some(found)) = (truth, found.captured) else { continue };
            assert_eq!(found, truth, "{first:?}\n{board}");
            compared += 1;
            captured += u32::from(truth);
        }
    }
    assert!(compared > 40 && captured > 10 && captured < compared, "{captured} of {compared}");
}

#[test]
fn heuristic_moves_are_among_all_moves() {
    use yomikiri_go::capture::{CaptureGame, CaptureRules, FirstNumbers};
    use yomikiri_proof::game::ProofGame;
    let mut rng = Rng::with_seed(11);
    let target = Point::new(3, 2);
    for board in positions(9, target, Colour::Black, 40, &mut rng) {
        for turn in [Role::Attacker, Role::Defender] {
            let moves = |moves| {
                let numbers = FirstNumbers::Levels;
                let rules = CaptureRules { ko: Ko::Simple, moves, give_up: None, numbers };
                let mut game = CaptureGame::new(&board, target, turn, rules).expect("a target");
                let mut out = Vec::new();
                game.moves(&mut out);
                out
            };
            let all = moves(Moves::All);
            assert!(moves(Moves::Heuristic).iter().all(|candidate| all.contains(candidate)));
            assert!(all.is_sorted_by_key(|candidate| candidate.pn.max(candidate.dn)));
        }
    }
}

#[test]
fn keys_of_children_are_known_before_the_move() {
    use yomikiri_go::capture::{CaptureGame, CaptureRules, FirstNumbers};
    use yomikiri_proof::game::ProofGame;
    let mut rng = Rng::with_seed(12);
    let target = Point::new(2, 2);
    for ko in [Ko::Simple, Ko::AttackerYields, Ko::DefenderYields, Ko::Superko] {
        for board in positions(5, target, Colour::Black, 30, &mut rng) {
            let numbers = FirstNumbers::Levels;
            let rules = CaptureRules { ko, moves: Moves::All, give_up: None, numbers };
            let mut game =
                CaptureGame::new(&board, target, Role::Attacker, rules).expect("a target");
            for _ in 0..12 {
                let mut moves = Vec::new();
                game.moves(&mut moves);
                for candidate in &moves {
                    let before = game.board_key();
                    let child = game.peek(candidate.play);
                    game.play(candidate.play);
                    assert_eq!(child.board, game.board_key());
                    game.undo(candidate.play);
                    assert_eq!(before, game.board_key());
                }
                let Some(candidate) = rng.choice(&moves) else { break };
                game.play(candidate.play);
                if game.board().stone(target) != Some(Colour::Black) {
                    break;
                }
            }
        }
    }
}
