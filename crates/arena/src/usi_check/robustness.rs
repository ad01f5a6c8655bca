//! Rules about what must not harm an engine, and how it ends.

use super::session::{RuleTrial, no_answer, still_alive};
use super::{Rule, RuleFault, fail};
use std::time::Duration;
use yomikiri_usi::{Command, Go};

pub const RULES: &[Rule] = &[
    Rule {
        name: "idle-stop",
        demand: "'stop', 'ponderhit' and 'gameover' without a search bring no bestmove",
        check: idle_stop,
    },
    Rule {
        name: "garbage",
        demand: "unknown words, half commands and empty lines are passed over",
        check: garbage,
    },
    Rule {
        name: "bytes",
        demand: "bytes that are no text, and a very long line, are passed over",
        check: bytes,
    },
    Rule {
        name: "bad-position",
        demand: "a position that cannot be does not end the process",
        check: bad_position,
    },
    Rule { name: "quit", demand: "'quit' ends the process within 5 seconds", check: quit },
    Rule {
        name: "quit-search",
        demand: "'quit' during a search ends the process within 5 seconds",
        check: quit_search,
    },
    Rule {
        name: "end-of-input",
        demand: "the end of its input ends the process within 5 seconds",
        check: end_of_input,
    },
    Rule {
        name: "end-of-input-search",
        demand: "the end of its input during a search ends the process within 5 seconds",
        check: end_of_input_search,
    },
];

/// Programs end an engine that has not ended by itself by then.
const END: Duration = Duration::from_secs(5);

fn idle_stop(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for line in ["stop", "ponderhit", "gameover draw", "stop"] {
        client.send_text(line)?;
        no_answer(&mut client, Duration::from_millis(100))?;
    }
    still_alive(&mut client)
}

fn garbage(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for line in [
        "",
        "   ",
        "hello engine",
        "setoption",
        "setoption name",
        "position",
        "GO INFINITE",
        "\tstop\t",
        "読み切り",
    ] {
        client.send_text(line)?;
    }
    no_answer(&mut client, Duration::from_millis(100))?;
    still_alive(&mut client)?;
    session.search_in_time(&mut client, "startpos", &session.byoyomi())?;
    Ok(())
}

fn bytes(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.send_bytes(&[0xff, 0xfe, 0x00, 0x80, b'x'])?;
    client.send_bytes(&[b'a'; 20_000])?;
    still_alive(&mut client)
}

fn bad_position(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for line in [
        "position sfen nonsense b - 1",
        "position sfen lnsgkgsnl/9 b - 1",
        "position startpos moves 1a1b",
        "position startpos moves 7g7f zzzz",
    ] {
        client.send_text(line)?;
    }
    still_alive(&mut client)?;
    session.search_in_time(&mut client, "startpos", &session.byoyomi())?;
    Ok(())
}

fn ended(client: &mut yomikiri_usi::client::Client) -> Result<(), RuleFault> {
    match client.wait_for_end(END) {
        Some(_) => Ok(()),
        None => fail("the process is still there after 5 seconds"),
    }
}

fn quit(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.send(&Command::Quit)?;
    ended(&mut client)
}

fn quit_search(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.ask("startpos", &Go::infinite())?;
    no_answer(&mut client, Duration::from_millis(200))?;
    client.send(&Command::Quit)?;
    ended(&mut client)
}

fn end_of_input(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    session.search_in_time(&mut client, "startpos", &session.byoyomi())?;
    client.close_input();
    ended(&mut client)
}

fn end_of_input_search(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.ask("startpos", &Go::infinite())?;
    no_answer(&mut client, Duration::from_millis(200))?;
    client.close_input();
    ended(&mut client)
}
