//! Matches between mock engines.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use yomikiri_arena::contestant::Contestant;
use yomikiri_arena::openings;
use yomikiri_arena::record::GameRecord;
use yomikiri_arena::runner::{Match, MatchError};
use yomikiri_arena::schedule::{Fixture, TournamentFormat, schedule};
use yomikiri_arena::standings::Standings;
use yomikiri_arena::store::{self, MatchManifest, MatchStore, StoreError};
use yomikiri_base::{Provenance, StopToken};
use yomikiri_play::player::Timeouts;
use yomikiri_play::rules::ResignRule;
use yomikiri_play::{End, Rules, TimeControl};
use yomikiri_shogi::{Color, Position};

const MOCK: &str = env!("CARGO_BIN_EXE_mock-usi-engine");

fn mock(name: &str, behaviour: &str) -> Contestant {
    format!("name={name} cmd=\"'{MOCK}' {behaviour}\"").parse().unwrap()
}

fn a_match(players: &[Contestant]) -> Match {
    Match {
        players: players.to_vec(),
        control: TimeControl { nodes: Some(1), ..TimeControl::default() },
        openings: openings::read("startpos\nstartpos moves 7g7f\nstartpos moves 2g2f 8c8d")
            .unwrap(),
        rules: Rules { maximum_moves: 200, ..Rules::default() },
        timeouts: Timeouts {
            margin: Duration::from_millis(50),
            unlimited: Duration::from_secs(60),
            stop: Duration::from_secs(60),
            start: Duration::from_secs(20),
        },
        concurrency: 2,
        affinity: false,
    }
}

fn fixtures(setting: &Match, rounds: usize) -> Vec<Fixture> {
    schedule(TournamentFormat::RoundRobin, setting.players.len(), rounds, setting.openings.len(), 5)
}

fn run(setting: &Match, rounds: usize) -> Vec<GameRecord> {
    let games = Mutex::new(Vec::new());
    let finished = |game| games.lock().unwrap().push(game);
    setting.run(&fixtures(setting, rounds), &finished, &StopToken::new()).unwrap();
    let mut games = games.into_inner().unwrap();
    games.sort_by_key(|game: &GameRecord| game.number);
    games
}

/// What must be the same in every run.
fn essence(games: &[GameRecord]) -> Vec<(usize, String, Option<Color>, End)> {
    games.iter().map(|g| (g.number, g.moves.to_string(), g.winner, g.end)).collect()
}

#[test]
fn every_game_follows_the_rules_and_ends_as_it_says() {
    let setting = a_match(&[mock("a", "random seed=1"), mock("b", "greedy seed=2")]);
    let games = run(&setting, 10);
    assert_eq!(games.len(), 20);
    for game in &games {
        let position = game.moves.position().expect("all moves are legal");
        let outcome = position.outcome(setting.rules.entering_king, setting.rules.maximum_moves);
        assert_eq!(outcome.and_then(|outcome| outcome.winner()), game.winner, "{game}");
        assert!(outcome.is_some(), "{game}");
        assert_eq!(game.thoughts.len() + game.opening_plies, game.moves.moves.len());
        assert_eq!(game.to_string().parse::<GameRecord>().as_ref(), Ok(game));
    }
    assert_eq!(essence(&games), essence(&run(&setting, 10)), "the same again");
}

#[test]
fn bad_engines_lose_and_are_started_again() {
    let cases = [
        ("crash at=3", End::Crash),
        ("illegal at=3", End::Illegal),
        ("garbage at=3", End::Illegal),
        ("silent at=3", End::Silence),
    ];
    for (behaviour, end) in cases {
        let mut setting = a_match(&[mock("good", "random"), mock("bad", behaviour)]);
        if end == End::Silence {
            // The good engine has this long for a move: far more than it needs.
            setting.timeouts.unlimited = Duration::from_secs(2);
            setting.timeouts.stop = Duration::from_millis(200);
            setting.concurrency = 4;
        }
        let games = run(&setting, 2);
        assert_eq!(games.len(), 4);
        let names = ["good".to_string(), "bad".to_string()];
        let table = Standings::of(&names, &games);
        assert_eq!(table.rows[0].wins, 4, "{behaviour}");
        assert_eq!(table.rows[1].faults.get(end.name()), Some(&4), "{behaviour}");
        assert_eq!(table.faults(), 4);
    }
}

#[test]
fn a_slow_engine_loses_on_time_and_goes_on() {
    let mut setting = a_match(&[mock("good", "random"), mock("slow", "slow ms=2000")]);
    setting.control = TimeControl { movetime: Some(50), ..TimeControl::default() };
    let games = run(&setting, 1);
    // On a busy machine even the good one may be late: then it is the one that loses.
    assert!(games.iter().all(|game| game.end == End::Time), "{games:?}");
    // The same engine within its time plays on to another end.
    let mut setting = a_match(&[mock("good", "random"), mock("quick", "slow ms=1")]);
    setting.control =
        TimeControl { time: Some(60_000), increment: Some(100), ..TimeControl::default() };
    assert!(run(&setting, 1).iter().all(|game| !game.end.is_fault()));
}

#[test]
fn scripts_reach_resignation_and_repetition() {
    let shuffle = "moves=2h3h,3h2h,2h3h,3h2h,2h3h,3h2h,2h3h";
    let answer = "moves=8b7b,7b8b,8b7b,7b8b,8b7b,7b8b,8b7b";
    let mut setting = a_match(&[
        mock("a", &format!("scripted {shuffle}")),
        mock("b", &format!("scripted {answer}")),
    ]);
    setting.openings = openings::read("startpos").unwrap();
    let games = run(&setting, 1);
    assert_eq!((games[0].end, games[0].winner), (End::Repetition, None));
    assert_eq!(games[0].moves.moves.len(), 12);
    // With colours swapped the first script's move is illegal.
    assert_eq!((games[1].end, games[1].winner), (End::Illegal, Some(Color::White)));
    let setting = a_match(&[mock("a", "scripted moves="), mock("b", "random")]);
    assert!(run(&setting, 1).iter().any(|game| game.end == End::Illegal));
}

#[test]
fn the_resign_rule_needs_both_scores() {
    // Mock scores are 0 to 6: a bound of 0 holds for the winner, never for the loser.
    let mut setting = a_match(&[mock("a", "random"), mock("b", "random")]);
    setting.rules.resign = Some(ResignRule { score: 1, moves: 1 });
    assert!(run(&setting, 1).iter().all(|game| game.end != End::ResignRule));
}

#[test]
fn an_engine_that_cannot_start_stops_the_match() {
    for launch in ["name=x cmd=/nonexistent/engine".to_string(), mock("x", "deaf").describe()] {
        let mut setting = a_match(&[launch.parse().unwrap(), mock("b", "random")]);
        setting.timeouts.start = Duration::from_millis(100);
        let stop = StopToken::new();
        let result = setting.run(&fixtures(&setting, 1), &|_| {}, &stop);
        assert!(matches!(result, Err(MatchError::CannotStart { player, .. }) if player == "x"));
    }
}

fn open(
    folder: &Path,
    settings: &str,
    records: bool,
) -> Result<(MatchStore, Vec<GameRecord>), StoreError> {
    let manifest = MatchManifest {
        identity: store::identity(settings),
        players: Vec::new(),
        games: 0,
        shard: "0/1".into(),
        records,
        provenance: Provenance::default(),
    };
    MatchStore::open(folder, &manifest)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Plays what is missing in the folder, and stops after `most` games as a kill would: in the
/// middle of others.
fn play_some(setting: &Match, folder: &Path, rounds: usize, most: usize) -> usize {
    let (store, done) = open(folder, "settings\n", true).unwrap();
    let missing: Vec<Fixture> = fixtures(setting, rounds)
        .into_iter()
        .filter(|fixture| done.iter().all(|game| game.number != fixture.number))
        .collect();
    let store = Mutex::new((store, 0));
    let stop = StopToken::new();
    let finished = |game: GameRecord| {
        let mut store = store.lock().unwrap();
        if store.1 < most {
            store.0.save(&game).unwrap();
            store.1 += 1;
        }
        if store.1 == most {
            stop.stop();
        }
    };
    setting.run(&missing, &finished, &stop).unwrap();
    missing.len()
}

#[test]
fn a_match_that_was_killed_goes_on_and_comes_to_the_same_table() {
    let setting = a_match(&[mock("a", "random seed=3"), mock("b", "greedy seed=4 skill=70")]);
    let (broken, whole) = (folder("broken"), folder("whole"));
    play_some(&setting, &whole, 8, usize::MAX);
    let mut left = 16;
    while left > 0 {
        assert_eq!(play_some(&setting, &broken, 8, 3), left);
        left = left.saturating_sub(3);
        // A kill in the middle of a line leaves half of it.
        let path = broken.join("games.tsv");
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("startpos moves 7g7f 3c");
        std::fs::write(&path, text).unwrap();
    }
    for number in 0..16 {
        for file in [format!("csa/{number:06}.csa"), format!("kif/{number:06}.kifu")] {
            assert!(broken.join(&file).exists(), "{file}");
        }
    }
    let read = |folder: &Path| {
        let mut games = store::read(folder).unwrap();
        games.sort_by_key(|game| game.number);
        games
    };
    let (broken, whole) = (read(&broken), read(&whole));
    assert_eq!(essence(&broken), essence(&whole));
    let names = ["a".to_string(), "b".to_string()];
    let pairs = |games: &[GameRecord]| Standings::of(&names, games).pairs;
    assert_eq!(pairs(&broken), pairs(&whole));
    assert_eq!(pairs(&whole).total(), 8);
}

#[test]
fn another_matchs_folder_is_refused_and_left_alone() {
    let folder = folder("other");
    drop(open(&folder, "players 2\nseed 1\n", false).unwrap());
    let before = std::fs::read_to_string(folder.join("games.tsv")).unwrap();
    match open(&folder, "players 2\nseed 2\n", false) {
        Err(StoreError::OtherMatch { theirs, ours, .. }) => {
            assert_eq!((theirs.as_str(), ours.as_str()), ("seed 1", "seed 2"));
        }
        other => panic!("{:?}", other.map(|(_, games)| games)),
    }
    assert_eq!(std::fs::read_to_string(folder.join("games.tsv")).unwrap(), before);
    let log = folder.join("log.jsonl");
    let damaged = std::fs::read_to_string(&log).unwrap() + "nonsense\n{}\n";
    std::fs::write(&log, &damaged).unwrap();
    let error = open(&folder, "players 2\nseed 1\n", false).err().unwrap().to_string();
    assert!(error.contains("log.jsonl, line 2"), "{error}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), damaged);
}

/// The bytes of all files of a match folder but the log, by name.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for part in ["", "csa", "kif"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && !path.ends_with("log.jsonl") {
                files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn whatever_a_full_disk_left_of_the_results_is_made_again_from_the_log() {
    let setting = a_match(&[mock("a", "random seed=5"), mock("b", "random seed=6")]);
    let folder = folder("full-disk");
    play_some(&setting, &folder, 3, 3);
    drop(open(&folder, "settings\n", true).unwrap());
    let before = results(&folder);
    assert_eq!(before.len(), 4 + 2 * 3);
    std::fs::write(folder.join("csa/000000.csa"), "").unwrap();
    for (number, (name, _)) in before.iter().enumerate() {
        match number % 3 {
            0 => std::fs::write(name, "").unwrap(),
            1 => std::fs::remove_file(name).unwrap(),
            _ => {}
        }
    }
    let (_, games) = open(&folder, "settings\n", true).unwrap();
    assert_eq!(games.len(), 3);
    assert!(results(&folder) == before);
}

#[test]
fn a_folder_from_before_there_was_a_log_goes_on() {
    let setting = a_match(&[mock("a", "random seed=7"), mock("b", "random seed=8")]);
    let folder = folder("older");
    play_some(&setting, &folder, 3, 4);
    let games = store::read(&folder).unwrap();
    for file in ["log.jsonl", "manifest.json", "times.tsv"] {
        std::fs::remove_file(folder.join(file)).unwrap();
    }
    // Times stood in the table of games then.
    let lines: String = games.iter().map(|game| format!("{game}\n")).collect();
    std::fs::write(folder.join("games.tsv"), format!("header\n{lines}")).unwrap();
    assert!(matches!(open(&folder, "other settings\n", true), Err(StoreError::OtherMatch { .. })));
    let (_, mut taken) = open(&folder, "settings\n", true).unwrap();
    let number = |game: &GameRecord| game.number;
    taken.sort_by_key(number);
    let mut games = games;
    games.sort_by_key(number);
    assert_eq!(taken, games);
    assert_eq!(play_some(&setting, &folder, 3, usize::MAX), 2);
}

#[test]
fn the_start_position_is_where_games_without_an_opening_begin() {
    let setting = a_match(&[mock("a", "random"), mock("b", "random")]);
    assert_eq!(setting.openings[0].position().unwrap(), Position::start());
}
