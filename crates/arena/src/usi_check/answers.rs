//! Rules about the introduction, options, and what the lines look like.

use super::session::{INTRODUCTION, RuleTrial, new_game, replies, still_alive};
use super::{Rule, RuleFault, fail, not_supported};
use std::collections::HashSet;
use yomikiri_shogi::Position;
use yomikiri_usi::{Command, OptionKind, Reply};

pub const RULES: &[Rule] = &[
    Rule {
        name: "introduction",
        demand: "'usi' is answered with id name, id author and usiok within 10 seconds",
        check: introduction,
    },
    Rule {
        name: "option-lines",
        demand: "every option line can be read: one word as name, no name twice, default in range",
        check: option_lines,
    },
    Rule {
        name: "set-defaults",
        demand: "every option can be set to its own default",
        check: set_defaults,
    },
    Rule {
        name: "unknown-options",
        demand: "options that were not declared are passed over (programs always send USI_Hash)",
        check: unknown_options,
    },
    Rule {
        name: "ready-again",
        demand: "'isready' is answered before every game, not only the first",
        check: ready_again,
    },
    Rule {
        name: "info-lines",
        demand: "info lines can be read, and pv holds nothing but legal moves",
        check: info_lines,
    },
];

fn introduction(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let introduction = session.start()?.introduce(INTRODUCTION)?;
    if introduction.name.is_empty() {
        return fail("no id name");
    }
    if introduction.author.is_empty() {
        return fail("no id author");
    }
    Ok(())
}

fn option_lines(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let (_client, introduction) = session.introduced()?;
    let mut names = HashSet::new();
    for (line, reply) in replies(&session.transcript()) {
        if line.starts_with("option")
            && let Err(error) = reply
        {
            return fail(format!("'{line}': {error}"));
        }
    }
    for option in &introduction.options {
        if option.name.contains(' ') {
            return fail(format!("programs cannot read a name with a space: '{}'", option.name));
        }
        if !names.insert(option.name.as_str()) {
            return fail(format!("'{}' is declared twice", option.name));
        }
        let default = option.kind.default_value();
        let open = matches!(option.kind, OptionKind::Text { .. } | OptionKind::FileName { .. });
        if !open && !option.kind.accepts(default.as_deref()) {
            return fail(format!("the default of '{}' is not one of its values", option.name));
        }
    }
    Ok(())
}

fn set_defaults(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let (mut client, introduction) = session.introduced()?;
    for option in introduction.options {
        // A button does something when it is set, for instance opens a file.
        if option.kind == OptionKind::Button {
            continue;
        }
        let value = option.kind.default_value();
        client.send(&Command::SetOption { name: option.name, value })?;
    }
    new_game(&mut client)?;
    session.search_in_time(&mut client, "startpos", &session.byoyomi())?;
    Ok(())
}

fn unknown_options(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let (mut client, _) = session.introduced()?;
    client.send_text("setoption name USI_Ponder value false")?;
    client.send_text("setoption name USI_Hash value 64")?;
    client.send_text("setoption name No_Such_Option value some words")?;
    client.send_text("setoption name No_Such_Button")?;
    still_alive(&mut client)
}

fn ready_again(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for result in ["win", "lose", "draw"] {
        session.search_in_time(&mut client, "startpos moves 7g7f", &session.byoyomi())?;
        client.send_text(&format!("gameover {result}"))?;
        new_game(&mut client)?;
    }
    Ok(())
}

fn info_lines(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let position = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e";
    let mut client = session.ready()?;
    session.search_in_time(&mut client, position, &session.byoyomi())?;
    let transcript = session.transcript();
    let start = Position::from_usi(position).map_err(|error| {
        RuleFault::Fail(format!("the checker's own position is wrong: {error}"))
    })?;
    let mut scores = 0;
    for (line, reply) in replies(&transcript) {
        let Ok(Reply::Info(info)) = reply else { continue };
        scores += usize::from(info.score.is_some());
        let mut position = start.clone();
        for played in info.pv {
            if !position.is_legal(played) {
                return fail(format!("{played} is not legal in '{line}'"));
            }
            position.play(played);
        }
        pv_is_last(line)?;
    }
    if scores == 0 {
        return not_supported("it says nothing about its score");
    }
    Ok(())
}

/// After `pv` come moves up to the end of the line.
fn pv_is_last(line: &str) -> Result<(), RuleFault> {
    let mut words = line.split_whitespace();
    if line.contains(" string ") || !words.any(|word| word == "pv") {
        return Ok(());
    }
    match words.find(|word| word.parse::<yomikiri_shogi::Move>().is_err()) {
        Some(word) => fail(format!("'{word}' in the pv of '{line}' is no move")),
        None => Ok(()),
    }
}
