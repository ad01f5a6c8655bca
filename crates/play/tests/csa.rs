//! The client against a scripted server on loopback: the server sends what the test gives it and
//! receives what the client answers.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;
use yomikiri_base::{Clock, StopToken};
use yomikiri_engine::Settings;
use yomikiri_play::csa::{
    ConnectionLoss, CsaClient, CsaError, CsaEvent, CsaOptions, CsaResult, GameReport, OnlineEnd,
    Password, ServerVerdict,
};
use yomikiri_shogi::notation::csa::{read_move, write_move};
use yomikiri_shogi::record::{Ending, Format, Record, header, read};
use yomikiri_shogi::{Color, Position};

/// The server's side of one connection.
struct Visitor {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Visitor {
    fn receive(&mut self) -> String {
        let mut line = String::new();
        self.input.read_line(&mut line).expect("the client sends a line");
        line.trim_end().to_string()
    }

    fn say(&mut self, text: &str) {
        self.output.write_all(format!("{text}\n").as_bytes()).expect("the client listens");
    }

    fn log_in(&mut self) {
        assert_eq!(self.receive(), "LOGIN me floodgate-5-1F,secret");
        self.say("LOGIN:me OK");
    }

    /// Offers a game from a position, and waits until it is taken.
    fn offer(&mut self, id: &str, turn: char, time: &str, position: &str) {
        let time = time.replace(' ', "\n");
        self.say(&format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
             Game_ID:{id}\nName+:black\nName-:white\nYour_Turn:{turn}\nTo_Move:+\nMax_Moves:256\n\
             BEGIN Time\n{time}\nEND Time\nBEGIN Position\n{position}\nEND Position\n\
             END Game_Summary"
        ));
        assert_eq!(self.receive(), format!("AGREE:{id}"));
        self.say(&format!("START:{id}"));
    }

    /// Receives a move, and repeats it with a time as servers do.
    fn take_move(&mut self, position: &mut Position, seconds: u32) -> String {
        let line = self.receive();
        let mv = read_move(position, line.split(',').next().unwrap()).expect("a legal move");
        self.say(&format!("{},T{seconds}", write_move(position, mv)));
        position.play(mv);
        line
    }

    fn make_move(&mut self, position: &mut Position, seconds: u32) {
        let mv = position.legal_moves()[0];
        self.say(&format!("{},T{seconds}", write_move(position, mv)));
        position.play(mv);
    }
}

/// A server that gives each visitor to the next function in the list.
fn serve(scripts: Vec<fn(&mut Visitor)>) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let thread = std::thread::spawn(move || {
        for script in scripts {
            let (output, _) = listener.accept().expect("a visitor");
            output.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
            let input = BufReader::new(output.try_clone().expect("a second handle"));
            script(&mut Visitor { input, output });
        }
    });
    (address, thread)
}

/// What a run produced: its reports, the lines sent, and what it ended with.
struct Run {
    reports: Vec<GameReport>,
    lines: Vec<String>,
    result: Result<u32, CsaError>,
}

fn play(address: String, games: u32, folder: Option<&Path>, change: fn(&mut CsaOptions)) -> Run {
    let password = Password::new("secret").and_then(|password| password.for_game("floodgate-5-1F"));
    let mut options = CsaOptions {
        address,
        user: "me".into(),
        password: password.expect("it is printable"),
        games: Some(games),
        records: folder.map(Path::to_path_buf),
        remarks: true,
        ponder: false,
        attempts: 3,
        date: Some(|| "2026/01/31 12:00:00".into()),
    };
    change(&mut options);
    let mut settings = Settings::with_hash(1);
    settings.game.nodes_limit = 500;
    let mut client = CsaClient::new(options, settings, Clock::system()).expect("a client");
    let mut run = Run { reports: Vec::new(), lines: Vec::new(), result: Ok(0) };
    run.result = client.run(&StopToken::new(), &mut |event| match event {
        CsaEvent::Finished(report) => run.reports.push((*report).clone()),
        CsaEvent::Sent(line) => run.lines.push(line.to_string()),
        _ => {}
    });
    run
}

const CLOCK: &str = "Time_Unit:1sec Total_Time:5 Byoyomi:0 Increment:1 Least_Time_Per_Move:0";

fn whole_game(visitor: &mut Visitor) {
    visitor.log_in();
    visitor.offer("test-5-1F+black+white+1", '+', CLOCK, "PI\n+");
    let mut position = Position::start();
    for _ in 0..3 {
        visitor.take_move(&mut position, 1);
        visitor.make_move(&mut position, 2);
    }
    let line = visitor.take_move(&mut position, 0);
    assert!(line.contains(",'* "), "value and line come with the move: {line}");
    visitor.say("%TORYO,T3\n#RESIGN\n#WIN");
}

/// What the server ruled.
fn ruling(end: &OnlineEnd) -> (CsaResult, Option<ServerVerdict>) {
    match end {
        OnlineEnd::Ruled(result, verdict) => (*result, *verdict),
        other => panic!("not ruled: {other:?}"),
    }
}

#[test]
fn a_game_is_played_and_its_record_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (address, server) = serve(vec![whole_game]);
    let run = play(address, 1, Some(folder.path()), |_| {});
    server.join().expect("the script went through");
    assert_eq!(run.result.expect("no fault"), 1);
    assert!(run.lines.iter().all(|line| !line.contains("secret")), "{:?}", run.lines);
    assert_eq!(run.lines[0], "LOGIN me ********");
    let report = &run.reports[0];
    assert_eq!(ruling(&report.end), (CsaResult::Win, Some(ServerVerdict::Resign)));
    assert_eq!(report.summary.opponent(), "white");
    let path = report.path.as_deref().expect("a file");
    let record = only(path);
    assert_eq!(record.main_moves().count(), 7);
    assert_eq!(record.winner(), Some(Color::Black));
    assert_eq!(record.headers.get(header::EVENT), Some("test-5-1F+black+white+1"));
    assert_eq!(record.headers.get(header::START), Some("2026/01/31 12:00:00"));
    let line: Vec<_> = record.main_line().map(|id| record.node(id)).collect();
    assert_eq!(line[1].spent, Some(Duration::from_secs(2)));
    assert!(line[0].score().is_some() && line[1].score().is_none());
}

fn only(path: &Path) -> Record {
    let bytes = std::fs::read(path).expect("the file is there");
    read(&bytes, Format::Csa).expect("it is a record").remove(0)
}

fn cut_game(visitor: &mut Visitor) {
    visitor.log_in();
    visitor.offer("cut", '-', CLOCK, "PI\n+");
    let mut position = Position::start();
    visitor.make_move(&mut position, 1);
    visitor.take_move(&mut position, 1);
}

fn refusal(visitor: &mut Visitor) {
    visitor.receive();
    visitor.say("LOGIN:incorrect");
}

#[test]
fn a_cut_game_is_kept_and_the_client_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    // The server still holds the old login for a moment: that is no reason to give up.
    let (address, server) = serve(vec![cut_game, refusal, whole_game]);
    let run = play(address, 2, Some(folder.path()), |_| {});
    server.join().expect("the script went through");
    assert_eq!(run.result.expect("no fault"), 2);
    assert!(matches!(
        run.reports[0].end,
        OnlineEnd::ConnectionLost(ConnectionLoss::Closed | ConnectionLoss::Io(_))
    ));
    let record = only(run.reports[0].path.as_deref().expect("a file"));
    assert_eq!(record.main_moves().count(), 2);
    assert_eq!(record.ending().map(|(ending, _)| ending.clone()), Some(Ending::Interrupted));
    let last = record.main_line().nth(1).expect("two moves");
    assert!(record.node(last).comments.iter().any(|text| text.starts_with("connection lost")));
    assert!(matches!(run.reports[1].end, OnlineEnd::Ruled(CsaResult::Win, _)));
}

#[test]
fn a_first_refusal_and_a_server_that_is_not_there_are_errors() {
    let (address, server) = serve(vec![refusal]);
    let run = play(address.clone(), 1, None, |_| {});
    server.join().expect("the script went through");
    assert!(matches!(run.result, Err(CsaError::LoginRefused(_))));
    let run = play(address, 1, None, |options| options.attempts = 1);
    assert!(matches!(run.result, Err(CsaError::Connect { .. })));
}

fn several_games(visitor: &mut Visitor) {
    visitor.log_in();
    // Mated at once: it gives up.
    let mated = "P1 *  *  *  * -OU *  *  *  * \nP8 *  *  *  * -TO *  *  *  * \n\
        P9 *  *  *  * +OU *  *  *  * \nP7 *  *  *  * -FU *  *  *  * \n+";
    visitor.offer("mated", '+', CLOCK, mated);
    assert_eq!(visitor.receive(), "%TORYO");
    visitor.say("%TORYO,T1\n#RESIGN\n#LOSE");
    // A second game on the same connection; the opponent is late while we wait.
    visitor.offer("late", '-', "Time_Unit:1msec Total_Time:900 Byoyomi:100", "PI\n+");
    visitor.say("#TIME_UP\n#WIN");
    // A third: our move comes too late, and we learn of it while we think.
    visitor.offer("censored", '-', CLOCK, "PI\n+\n+7776FU,T1\n-3334FU,T1");
    visitor.say("##[CHAT] nothing of interest");
    visitor.say("+2726FU,T1");
    visitor.receive();
    visitor.say("#MAX_MOVES\n#CENSORED");
    assert_eq!(visitor.receive(), "LOGOUT");
}

#[test]
fn games_follow_each_other_on_one_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let (address, server) = serve(vec![several_games]);
    let run = play(address, 3, Some(folder.path()), |options| options.ponder = true);
    server.join().expect("the script went through");
    assert_eq!(run.result.expect("no fault"), 3);
    let ends: Vec<_> = run.reports.iter().map(|report| ruling(&report.end)).collect();
    assert_eq!(
        ends,
        [
            (CsaResult::Lose, Some(ServerVerdict::Resign)),
            (CsaResult::Win, Some(ServerVerdict::TimeUp)),
            (CsaResult::Censored, Some(ServerVerdict::MaximumMoves)),
        ]
    );
    let endings: Vec<_> = run
        .reports
        .iter()
        .map(|report| only(report.path.as_deref().expect("a file")))
        .map(|record| record.ending().expect("an ending").0.clone())
        .collect();
    assert_eq!(endings, [Ending::Resign, Ending::Timeout, Ending::MaximumMoves]);
}

fn refused_game(visitor: &mut Visitor) {
    visitor.log_in();
    visitor.say("BEGIN Game_Summary\nGame_ID:x\nEND Game_Summary");
    assert_eq!(visitor.receive(), "REJECT");
    visitor.offer("good", '-', CLOCK, "PI\n+");
    visitor.say("REJECT:good by black");
    visitor.offer("last", '-', CLOCK, "PI\n+");
    visitor.say("#CHUDAN");
}

#[test]
fn games_that_are_not_played_do_not_count() {
    let (address, server) = serve(vec![refused_game]);
    let run = play(address, 1, None, |_| {});
    server.join().expect("the script went through");
    assert_eq!(run.result.expect("no fault"), 1);
    assert_eq!(run.reports.len(), 2);
    assert!(matches!(&run.reports[0].end, OnlineEnd::Rejected(by) if by == "black"));
    assert_eq!(ruling(&run.reports[1].end), (CsaResult::Interrupted, None));
}

#[test]
fn names_and_passwords_that_no_line_can_hold_are_refused() {
    for bad in ["", "two words", "tab\t", "パス"] {
        assert!(Password::new(bad).is_none(), "{bad}");
    }
    let password = Password::new("secret").expect("it is printable");
    assert!(!format!("{password:?}").contains("secret"));
    let options = CsaOptions {
        address: "localhost".into(),
        user: "two words".into(),
        password,
        games: None,
        records: None,
        remarks: false,
        ponder: false,
        attempts: 1,
        date: None,
    };
    let client = CsaClient::new(options, Settings::with_hash(1), Clock::system());
    assert!(matches!(client, Err(CsaError::BadName(_))));
}
