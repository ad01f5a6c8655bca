//! Contests between mock engines: played whole, in parts, again, and stopped by a test.

use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_arena::contest::{Contest, ContestError, ContestOutcome, Watch};
use yomikiri_arena::contestant::Contestant;
use yomikiri_arena::openings;
use yomikiri_arena::runner::Match;
use yomikiri_arena::schedule::TournamentFormat;
use yomikiri_arena::sprt::{Sprt, SprtVerdict};
use yomikiri_arena::standings::{OrderedTest, Standings};
use yomikiri_base::{Provenance, Shard, StopToken, unit_log};
use yomikiri_play::player::Timeouts;
use yomikiri_play::{Rules, TimeControl};
use yomikiri_usi::client::Launch;

const MOCK: &str = env!("CARGO_BIN_EXE_mock-usi-engine");

/// The scores of a mock depend on how often it was asked: it is started anew for every game.
fn mock(name: &str, behaviour: &str) -> Contestant {
    format!("name={name} restart=on cmd=\"'{MOCK}' {behaviour}\"").parse().unwrap()
}

fn contest(format: TournamentFormat, rounds: usize) -> Contest {
    let players = vec![
        mock("a", "greedy seed=1 skill=95"),
        mock("b", "random seed=2"),
        mock("c", "greedy seed=3 skill=40"),
    ];
    let setting = Match {
        players,
        control: TimeControl { nodes: Some(1), ..TimeControl::default() },
        openings: openings::read("startpos\nstartpos moves 7g7f\nstartpos moves 2g2f").unwrap(),
        rules: Rules { maximum_moves: 60, ..Rules::default() },
        timeouts: Timeouts {
            margin: Duration::from_secs(60),
            unlimited: Duration::from_secs(60),
            stop: Duration::from_secs(60),
            start: Duration::from_secs(60),
        },
        concurrency: 2,
        affinity: false,
    };
    Contest {
        setting,
        format,
        rounds,
        seed: 5,
        sprt: None,
        records: true,
        shard: Shard::WHOLE,
        provenance: Provenance::default(),
    }
}

/// Stops after this many games, as Ctrl-C would.
struct StopAfter {
    games: usize,
    begun: (usize, usize),
    stop: StopToken,
}

impl Watch for StopAfter {
    fn begins(&mut self, finished: usize, missing: usize) {
        self.begun = (finished, missing);
    }

    fn game(&mut self, _: &Standings, _: Option<&OrderedTest>) {
        self.games = self.games.saturating_sub(1);
        if self.games == 0 {
            self.stop.stop();
        }
    }
}

fn watch(games: usize) -> StopAfter {
    StopAfter { games, begun: (0, 0), stop: StopToken::new() }
}

fn play(contest: &Contest, folder: &Path) -> Result<ContestOutcome, ContestError> {
    let mut watch = watch(usize::MAX);
    let stop = watch.stop.clone();
    contest.play(folder, &stop, &mut watch)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contest").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The files that must not depend on how the games were shared out and how long they took.
fn results(folder: &Path) -> Vec<String> {
    let files = ["settings.txt", "manifest.json", "games.tsv", "table.txt"];
    files.map(|file| std::fs::read_to_string(folder.join(file)).unwrap()).to_vec()
}

/// What `runs` does: the logs joined, and the tables made of them.
fn merge(contest: &mut Contest, out: &Path, parts: &[PathBuf]) -> ContestOutcome {
    let logs: Vec<PathBuf> = parts.iter().map(|part| part.join("log.jsonl")).collect();
    std::fs::create_dir_all(out).unwrap();
    unit_log::merge(&out.join("log.jsonl"), &logs).unwrap();
    contest.shard = Shard::WHOLE;
    play(contest, out).unwrap()
}

#[test]
fn parts_merged_give_the_tables_of_the_whole_byte_for_byte() {
    for (format, name) in
        [(TournamentFormat::RoundRobin, "round"), (TournamentFormat::Gauntlet, "gauntlet")]
    {
        let mut contest = contest(format, 3);
        let whole = folder(&format!("{name}-whole"));
        let outcome = play(&contest, &whole).unwrap();
        let mut parts = Vec::new();
        for index in 0..2 {
            contest.shard = Shard::new(index, 2).unwrap();
            let part = folder(&format!("{name}-{index}"));
            play(&contest, &part).unwrap();
            parts.push(part);
        }
        // The order of the parts does not matter.
        parts.reverse();
        let merged = folder(&format!("{name}-merged"));
        let standings = merge(&mut contest, &merged, &parts).standings;
        assert_eq!(results(&merged), results(&whole));
        assert!(results(&whole)[3].contains("nodes/mv") && !results(&whole)[3].contains("ms/mv"));
        assert_eq!(standings.encounters, outcome.standings.encounters);
        assert_eq!(
            std::fs::read_dir(merged.join("csa")).unwrap().count(),
            contest.fixtures().len()
        );
        // The whole can go on: nothing is left to play.
        contest.shard = Shard::WHOLE;
        let mut watch = watch(usize::MAX);
        let stop = watch.stop.clone();
        contest.play(&merged, &stop, &mut watch).unwrap();
        assert_eq!(watch.begun, (contest.fixtures().len(), 0));
        assert_eq!(results(&merged), results(&whole));
    }
}

#[test]
fn an_interrupted_contest_goes_on_to_the_same_tables() {
    let contest = contest(TournamentFormat::RoundRobin, 3);
    let whole = folder("uninterrupted");
    assert!(!play(&contest, &whole).unwrap().interrupted);
    let broken = folder("interrupted");
    let mut finished = 0;
    loop {
        let mut watch = watch(4);
        let stop = watch.stop.clone();
        let outcome = contest.play(&broken, &stop, &mut watch).unwrap();
        assert!(watch.begun.0 >= finished, "games are never lost");
        finished = watch.begun.0;
        if watch.begun.1 == 0 {
            assert!(!outcome.interrupted);
            break;
        }
    }
    assert_eq!(results(&broken), results(&whole));
}

#[test]
fn a_test_stops_the_games_and_cannot_be_shared() {
    let mut contest = contest(TournamentFormat::Gauntlet, 200);
    // The other one plays a move that is not legal after some good ones.
    contest.setting.players = vec![mock("a", "random seed=1"), mock("b", "illegal at=2")];
    contest.sprt = Some(Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05 });
    contest.records = false;
    let outcome = play(&contest, &folder("sprt")).unwrap();
    let test = outcome.test.unwrap();
    assert_ne!(test.verdict(), SprtVerdict::Continue);
    assert!(!outcome.interrupted && test.pairs_used() < 200);
    assert_eq!(outcome.standings.rows[0].games(), 2 * test.pairs_used() as u64);
    contest.shard = Shard::new(0, 2).unwrap();
    assert!(matches!(play(&contest, &folder("sprt-part")), Err(ContestError::SharedTest)));
}

#[test]
fn where_time_decides_the_machine_is_part_of_the_contest() {
    let mut contest = contest(TournamentFormat::Gauntlet, 1);
    contest.provenance.host = "this one".into();
    assert!(!contest.identity().unwrap().parts.contains_key("host"));
    contest.setting.control.byoyomi = Some(100);
    assert_eq!(contest.identity().unwrap().parts["host"], "this one");
}

#[test]
fn this_program_is_known_by_its_search_and_its_weights_not_by_its_build() {
    let mut contest = contest(TournamentFormat::Gauntlet, 1);
    assert!(contest.identity().unwrap().parts.is_empty());
    let own = |text: &str, place: &str| {
        text.parse::<Contestant>().unwrap().or_program(&Launch::program(place))
    };
    contest.setting.players[0] = own("name=a option.USI_Hash=1", "/one/build");
    let identity = contest.identity().unwrap();
    assert!(identity.parts["search"].parse::<u64>().is_ok());
    contest.setting.players[0] = own("name=a option.USI_Hash=1", "/another/build");
    assert_eq!(contest.identity().unwrap(), identity);
    contest.setting.players[0] = own("name=a option.USI_Hahs=1", "/one/build");
    assert!(matches!(contest.identity(), Err(ContestError::Option { .. })));
    contest.setting.players[0] = own("name=a option.EvalFile=/nowhere/nn.bin", "/one/build");
    assert!(matches!(contest.identity(), Err(ContestError::Weights { .. })));
}
