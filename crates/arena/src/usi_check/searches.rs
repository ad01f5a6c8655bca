//! Rules about `go`, `stop` and pondering.

use super::session::{RuleTrial, STOP, check_legal, no_answer, one_answer};
use super::{Rule, RuleFault, fail, not_supported};
use std::time::{Duration, Instant};
use yomikiri_shogi::Position;
use yomikiri_usi::client::ClientError;
use yomikiri_usi::{BestMove, Checkmate, Command, Go, MateLimit, UsiClock};

pub const RULES: &[Rule] = &[
    Rule {
        name: "go-byoyomi",
        demand: "'go btime 0 wtime 0 byoyomi N' brings one legal move within its time",
        check: go_byoyomi,
    },
    Rule {
        name: "go-main-time",
        demand: "'go btime wtime byoyomi' with time left brings one legal move",
        check: go_main_time,
    },
    Rule {
        name: "go-increment",
        demand: "'go btime wtime binc winc' brings one legal move within the clock",
        check: go_increment,
    },
    Rule {
        name: "go-any-order",
        demand: "the words after 'go' come in any order",
        check: go_any_order,
    },
    Rule {
        name: "go-movetime",
        demand: "'go movetime N' brings one legal move within its time",
        check: go_movetime,
    },
    Rule { name: "go-nodes", demand: "'go nodes N' ends by itself", check: go_nodes },
    Rule { name: "go-depth", demand: "'go depth N' ends by itself", check: go_depth },
    Rule {
        name: "go-infinite",
        demand: "'go infinite' holds its answer until 'stop', then gives it at once",
        check: go_infinite,
    },
    Rule {
        name: "infinite-mate",
        demand: "'go infinite' holds its answer even where there is nothing left to search",
        check: infinite_mate,
    },
    Rule {
        name: "stop-early",
        demand: "'stop' right after 'go' brings one legal move at once",
        check: stop_early,
    },
    Rule {
        name: "ponderhit",
        demand: "'go ponder' holds its answer until 'ponderhit', then keeps its time",
        check: ponderhit,
    },
    Rule {
        name: "ponder-stop",
        demand: "'stop' ends pondering with one bestmove",
        check: ponder_stop,
    },
    Rule {
        name: "ponder-gameover",
        demand: "'gameover' ends pondering, and the next game can begin",
        check: ponder_gameover,
    },
    Rule {
        name: "searchmoves",
        demand: "'go searchmoves' plays one of the moves named",
        check: searchmoves,
    },
    Rule {
        name: "go-mate",
        demand: "'go mate N' is answered with 'checkmate', never 'bestmove', and a mate is a mate",
        check: go_mate,
    },
    Rule {
        name: "mate-stop",
        demand: "'go mate infinite' and 'stop' is answered with 'checkmate'",
        check: mate_stop,
    },
    Rule { name: "no-moves", demand: "a player that is mated resigns", check: no_moves },
    Rule {
        name: "declaration",
        demand: "a player that can declare by the 27-point rule says 'bestmove win'",
        check: declaration,
    },
    Rule {
        name: "many-positions",
        demand: "moves are legal in positions of every kind",
        check: many_positions,
    },
];

const MIDDLE: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
/// Black mates by G*5b.
const MATE_IN_ONE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
/// Black has nothing to give check with.
const NO_MATE: &str = "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1";
/// White is mated.
const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
/// Black has entered with 28 points and more.
const DECLARABLE: &str = "sfen 1K+R+R+B+BGGS/GGSSS4/9/9/9/9/9/9/k8 b 9P 1";
/// How long an answer that must be held is waited for.
const HOLD: Duration = Duration::from_millis(700);

fn go_byoyomi(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for position in ["startpos", MIDDLE] {
        session.search_in_time(&mut client, position, &session.byoyomi())?;
    }
    Ok(())
}

fn with_clock(session: &RuleTrial, clock: UsiClock, longest: u64) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    let asked = client.ask(MIDDLE, &Go::clock(clock))?;
    let longest = Duration::from_millis(longest) + session.settings.margin;
    let answer = one_answer(&mut client, asked, longest + Duration::from_secs(5))?;
    check_legal(MIDDLE, &answer.best)?;
    if answer.elapsed > longest {
        return fail(format!("the clock ran out: {} ms", answer.elapsed.as_millis()));
    }
    Ok(())
}

fn go_main_time(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let time = session.move_time();
    let main = Some(4 * time);
    let clock = UsiClock { btime: main, wtime: main, byoyomi: Some(time), ..UsiClock::default() };
    with_clock(session, clock, 5 * time)
}

fn go_increment(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let time = session.move_time();
    let (main, inc) = (Some(4 * time), Some(time));
    let clock = UsiClock { btime: main, wtime: main, binc: inc, winc: inc, ..UsiClock::default() };
    with_clock(session, clock, 4 * time)
}

fn go_any_order(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.send_text(&format!("position {MIDDLE}"))?;
    let since = Instant::now();
    client.send_text(&format!("go byoyomi {} wtime 0 btime 0", session.move_time()))?;
    let limit = session.settings.move_time + session.settings.margin;
    let answer = one_answer(&mut client, since, limit + Duration::from_secs(5))?;
    check_legal(MIDDLE, &answer.best)?;
    if answer.elapsed > limit {
        return fail(format!("the move took {} ms", answer.elapsed.as_millis()));
    }
    Ok(())
}

fn go_movetime(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    let go = Go::movetime(session.move_time());
    session.search_in_time(&mut client, MIDDLE, &go)?;
    Ok(())
}

fn go_nodes(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    session.search_with_limit(&mut client, MIDDLE, &Go::nodes(1000))?;
    Ok(())
}

fn go_depth(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    session.search_with_limit(&mut client, MIDDLE, &Go::depth(2))?;
    Ok(())
}

/// A search that is held, then stopped.
fn held_until_stop(session: &RuleTrial, position: &str) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.ask(position, &Go::infinite())?;
    no_answer(&mut client, HOLD)?;
    client.send(&Command::Stop)?;
    let answer = one_answer(&mut client, Instant::now(), STOP)?;
    check_legal(position, &answer.best)
}

fn go_infinite(session: &mut RuleTrial) -> Result<(), RuleFault> {
    held_until_stop(session, MIDDLE)
}

fn infinite_mate(session: &mut RuleTrial) -> Result<(), RuleFault> {
    held_until_stop(session, MATE_IN_ONE)
}

fn stop_early(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for _ in 0..5 {
        client.ask(MIDDLE, &Go::infinite())?;
        client.send(&Command::Stop)?;
        let answer = one_answer(&mut client, Instant::now(), STOP)?;
        check_legal(MIDDLE, &answer.best)?;
    }
    Ok(())
}

fn pondering(session: &RuleTrial) -> Result<yomikiri_usi::client::Client, RuleFault> {
    let mut client = session.ready()?;
    client.ask(MIDDLE, &Go { ponder: true, ..session.byoyomi() })?;
    no_answer(&mut client, HOLD)?;
    Ok(client)
}

fn ponderhit(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = pondering(session)?;
    let since = Instant::now();
    client.send(&Command::PonderHit(UsiClock::default()))?;
    let limit = session.settings.move_time + session.settings.margin;
    let answer = one_answer(&mut client, since, limit + Duration::from_secs(5))?;
    check_legal(MIDDLE, &answer.best)?;
    if answer.elapsed > limit {
        return fail(format!("{} ms after ponderhit", answer.elapsed.as_millis()));
    }
    Ok(())
}

fn ponder_stop(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = pondering(session)?;
    client.send(&Command::Stop)?;
    let answer = one_answer(&mut client, Instant::now(), STOP)?;
    check_legal(MIDDLE, &answer.best)
}

fn ponder_gameover(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = pondering(session)?;
    client.send_text("gameover win")?;
    // Whether pondering that nobody waits for is answered is the engine's choice, but then it
    // must be before the next game.
    let deadline = Instant::now() + STOP;
    while let Ok(line) =
        client.receive("bestmove", deadline.saturating_duration_since(Instant::now()))
    {
        if line.starts_with("bestmove") {
            break;
        }
    }
    super::session::new_game(&mut client)?;
    session.search_in_time(&mut client, "startpos", &session.byoyomi())?;
    Ok(())
}

fn searchmoves(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    // Bad moves, and a drop, whose letter must keep its case.
    let cases = [("startpos", "9i9h 1i1h"), ("sfen 4k4/9/9/9/9/9/9/9/4K4 b 2PG 1", "P*9e P*1e")];
    for (position, moves) in cases {
        let searchmoves: Vec<_> = moves.split(' ').filter_map(|word| word.parse().ok()).collect();
        let go = Go { searchmoves: searchmoves.clone(), ..session.byoyomi() };
        let answer = session.search_in_time(&mut client, position, &go)?;
        match answer.best {
            BestMove::Move { best, .. } if searchmoves.contains(&best) => {}
            other => return not_supported(format!("'{other}', asked for {moves}")),
        }
    }
    Ok(())
}

fn solve(session: &RuleTrial, position: &str, limit: u64) -> Result<Checkmate, RuleFault> {
    let mut client = session.ready()?;
    let go = Go::mate(MateLimit::Milliseconds(limit));
    let since = client.ask(position, &go)?;
    loop {
        let left = (Duration::from_millis(limit) + STOP).saturating_sub(since.elapsed());
        let line = client.receive("checkmate", left)?;
        if line.starts_with("bestmove") {
            return fail(format!("it answered '{line}'"));
        }
        if line.starts_with("checkmate") {
            return match line.parse() {
                Ok(yomikiri_usi::Reply::Checkmate(answer)) => Ok(answer),
                _ => fail(format!("'{line}' cannot be read")),
            };
        }
    }
}

fn go_mate(session: &mut RuleTrial) -> Result<(), RuleFault> {
    match solve(session, MATE_IN_ONE, 3000)? {
        Checkmate::NotImplemented => return not_supported("checkmate notimplemented"),
        Checkmate::Moves(moves) => is_mate(MATE_IN_ONE, &moves)?,
        other => return fail(format!("'{other}', but G*5b is mate")),
    }
    match solve(session, NO_MATE, 3000)? {
        Checkmate::NoMate | Checkmate::Timeout => Ok(()),
        other => fail(format!("'{other}', but there is no mate")),
    }
}

fn is_mate(position: &str, moves: &[yomikiri_shogi::Move]) -> Result<(), RuleFault> {
    let Ok(mut position) = Position::from_usi(position) else {
        return fail("the checker's own position is wrong");
    };
    for &played in moves {
        if !position.is_legal(played) {
            return fail(format!("'{played}' is not legal"));
        }
        position.play(played);
    }
    if position.is_mate() { Ok(()) } else { fail("its moves do not end in mate") }
}

fn mate_stop(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    client.ask(MIDDLE, &Go::mate(MateLimit::Infinite))?;
    match client.receive("checkmate", HOLD) {
        Ok(line) if line.contains("notimplemented") => return not_supported(line),
        // Deciding it is as good as being stopped.
        Ok(line) if line.starts_with("checkmate") => return Ok(()),
        Ok(_) | Err(ClientError::Silent { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    client.send(&Command::Stop)?;
    let since = Instant::now();
    loop {
        let line = client.receive("checkmate", STOP.saturating_sub(since.elapsed()))?;
        if line.starts_with("checkmate") {
            return if line.parse::<yomikiri_usi::Reply>().is_ok() {
                Ok(())
            } else {
                fail(format!("'{line}' cannot be read"))
            };
        }
        if line.starts_with("bestmove") {
            return fail(format!("it answered '{line}'"));
        }
    }
}

fn no_moves(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    match client.search(MATED, &session.byoyomi(), session.settings.move_time + STOP)?.best {
        BestMove::Resign => Ok(()),
        other => fail(format!("'{other}' without a legal move")),
    }
}

fn declaration(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    match session.search_in_time(&mut client, DECLARABLE, &session.byoyomi())?.best {
        BestMove::Win => Ok(()),
        other => not_supported(format!("it plays on with '{other}'")),
    }
}

const POSITIONS: [&str; 5] = [
    // A handicap, white to move.
    "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    // Full hands and promoted pieces.
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    // In check from far away: block, take or run.
    "sfen 4k4/9/9/9/4r4/9/9/9/4K4 b 2G2S 1",
    // A pawn drop would be mate, which is not allowed.
    "sfen 8k/6G2/7S1/9/9/9/9/9/4K4 b P 1",
    // A long game with repetition in sight.
    "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b",
];

fn many_positions(session: &mut RuleTrial) -> Result<(), RuleFault> {
    let mut client = session.ready()?;
    for position in POSITIONS {
        session.search_in_time(&mut client, position, &session.byoyomi())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{DECLARABLE, MATE_IN_ONE, MATED, MIDDLE, NO_MATE, POSITIONS};
    use yomikiri_shogi::position::Declaration;
    use yomikiri_shogi::{EnteringKingRule, Position};

    #[test]
    fn the_positions_are_what_they_are_said_to_be() {
        let position = |text: &str| Position::from_usi(text).unwrap();
        POSITIONS.into_iter().chain([MIDDLE, NO_MATE]).for_each(|text| {
            assert!(position(text).has_legal_move(), "{text}");
        });
        assert_eq!(
            position(DECLARABLE).declaration(EnteringKingRule::CsaRule27),
            Some(Declaration::Win)
        );
        assert!(position(MATED).is_mate());
        let mut mate = position(MATE_IN_ONE);
        mate.play("G*5b".parse().unwrap());
        assert!(mate.is_mate());
        assert!(!position(POSITIONS[3]).is_legal("P*1b".parse().unwrap()));
    }
}
