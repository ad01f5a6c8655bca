//! Games between two engines whose settings are drawn by lot: every move and every line legal, no
//! search longer than allowed, whatever was drawn.
//!
//! A dozen games in every test run. `YOMIKIRI_RANDOM_GAMES=10000` plays as many, and
//! `YOMIKIRI_RANDOM_LOG=FILE` notes each that ends well, so that a run that was broken off goes on.

use fastrand::Rng;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use yomikiri_engine::settings::declared::Range;
use yomikiri_engine::{Engine, Limits, SearchParams, Settings};
use yomikiri_shogi::{EnteringKingRule, Position};

const NODES: u64 = 500;
const LONGEST: usize = 400;

/// What is drawn beside the parameters of the search: names and the values they may get.
const OTHERS: [(&str, &[&str]); 5] = [
    ("Evaluation", &["material", "linear", "network"]),
    ("MultiPV", &["1", "1", "2", "5"]),
    ("Level", &["15", "15", "15", "1", "6", "12"]),
    ("GenerateAllLegalMoves", &["false", "true"]),
    ("MaxMovesToDraw", &["0", "100", "320"]),
];

/// A value of a range, its ends more often than the rest.
fn draw(range: Range, random: &mut Rng) -> Option<String> {
    Some(match range {
        Range::Switch => random.bool().to_string(),
        Range::Choice(words) => words[random.usize(..words.len())].to_string(),
        Range::Number { min, max, .. } => match random.u8(..4) {
            0 => min.to_string(),
            1 => max.to_string(),
            _ => random.i32(min..=max).to_string(),
        },
        Range::Text => return None,
    })
}

/// Settings in which about a quarter of the parameters differ from the defaults, and their names.
fn settings(random: &mut Rng) -> (Settings, String) {
    let (mut settings, mut text) = (Settings::with_hash(1), String::new());
    let mut set = |name: &str, value: &str| {
        settings.set(name, value).unwrap_or_else(|error| panic!("{error}"));
        text += &format!(" {name}={value}");
    };
    for (name, values) in OTHERS {
        set(name, values[random.usize(..values.len())]);
    }
    for declared in SearchParams::declared() {
        if random.u8(..4) == 0
            && let Some(value) = draw(declared.range, random)
        {
            set(declared.name, &value);
        }
    }
    (settings, text)
}

/// Plays a game to its end and gives its moves; what goes wrong is reported with the settings.
fn play(number: u64) -> usize {
    let mut random = Rng::with_seed(number);
    let (black, black_text) = settings(&mut random);
    let (white, white_text) = settings(&mut random);
    let context = format!("game {number}\nblack:{black_text}\nwhite:{white_text}");
    let mut engines = [black, white].map(|settings| Engine::new(settings).expect(&context));
    let mut position = Position::start();
    for _ in 0..random.usize(..12) {
        let legal = position.legal_moves();
        position.play(legal[random.usize(..legal.len())]);
    }
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    for ply in 0..LONGEST {
        if position.outcome(EnteringKingRule::default(), 0).is_some() {
            return ply;
        }
        let sfen = position.to_sfen();
        let engine = &mut engines[position.side_to_move().index()];
        let thought = engine.think(&position, &limits, &mut |_: &_| {});
        assert!(thought.nodes <= NODES + 1, "{} nodes in {sfen}\n{context}", thought.nodes);
        let Some(best) = thought.best.filter(|_| !thought.declares) else { return ply };
        assert!(position.is_legal(best), "{best} in {sfen}\n{context}");
        for line in &thought.lines {
            let mut along = position.clone();
            for &mv in &line.line {
                assert!(along.is_legal(mv), "{mv} of a line in {sfen}\n{context}");
                along.play(mv);
            }
        }
        position.play(best);
    }
    LONGEST
}

#[test]
fn games_between_random_settings_are_without_a_fault() {
    let asked = std::env::var("YOMIKIRI_RANDOM_GAMES").ok().and_then(|games| games.parse().ok());
    let log = std::env::var_os("YOMIKIRI_RANDOM_LOG");
    let done: BTreeSet<u64> = log
        .as_ref()
        .and_then(|path| std::fs::read_to_string(path).ok())
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(' ')?.0.parse().ok())
        .collect();
    let mut log = log.map(|path| {
        File::options().create(true).append(true).open(path).expect("the log can be written")
    });
    for number in (0..asked.unwrap_or(12)).filter(|number| !done.contains(number)) {
        let moves = play(number);
        if let Some(log) = &mut log {
            writeln!(log, "{number} {moves}").expect("the log can be written");
        }
    }
}
