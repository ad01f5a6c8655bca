//! What a format is not said to lose survives the way into it and back: generated records with
//! variations, comments, bookmarks, clocks, endings and headers, for every pair of formats.
//!
//! `YOMIKIRI_RECORD_CASES` sets how many records; `YOMIKIRI_RECORD_SEED` gives others.

use std::time::Duration;
use yomikiri_shogi::record::games::GameLine;
use yomikiri_shogi::record::{
    Ending, Format, Loss, Node, NodeId, Record, RecordStep, header, losses, read,
};
use yomikiri_shogi::{Handicap, Move, Position};

const STARTS: [&str; 5] = [
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "4k4/9/9/9/9/9/9/9/4K4 w RB 58",
    "4k4/9/9/9/9/9/9/9/4K4 b RB 58",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 3",
];

const WORDS: [&str; 24] = [
    "好手",
    "& text",
    "&しおり",
    "*& x",
    "**&",
    "*",
    "",
    " 前",
    "後 ",
    "#評価値=30",
    "#評価値=-40000",
    "* 130 -3334FU",
    "$EVENT:x",
    "変化：3手",
    "まで5手で先手の勝ち",
    "反則手 5e5d",
    "1 ７六歩(77)",
    "/",
    "'",
    "%TORYO",
    "😀",
    "ｾｾｾ",
    "先手：甲",
    "a\tb",
];

const KEYS: [&str; 22] = [
    header::BLACK,
    header::WHITE,
    header::EVENT,
    header::SITE,
    header::START,
    header::TIME_LIMIT,
    header::MAXIMUM_MOVES,
    header::SOURCE,
    header::BLACK_RATING,
    header::RESULT,
    "下手",
    "手合割",
    "先手の持駒",
    "foo",
    "foo bar",
    "foo_bar",
    "a:b",
    "*x",
    "$EVENT",
    "EVENT",
    "encoding=x",
    "1 手",
];

const VALUES: [&str; 12] = [
    "甲",
    "1500",
    "a\tb",
    "B",
    "W",
    "D",
    "?",
    "：x",
    "2024/01/02 10:00:00",
    "00:25+30",
    "x,y",
    "'",
];

fn pick<T: Clone>(random: &mut fastrand::Rng, from: &[T]) -> T {
    from[random.usize(..from.len())].clone()
}

fn ending(random: &mut fastrand::Rng) -> Ending {
    let others =
        ["MATTA", "封じ手", "TORYO", "投了", "先手の勝ち", "でた", "手番", "X Y", "時間切れ", ""];
    let known = [
        Ending::Resign,
        Ending::Interrupted,
        Ending::Repetition,
        Ending::Impasse,
        Ending::Mate,
        Ending::NoMate,
        Ending::Timeout,
        Ending::IllegalWin,
        Ending::IllegalLoss,
        Ending::EnteringKing,
        Ending::Draw,
        Ending::MaximumMoves,
        Ending::WinByDefault,
        Ending::LossByDefault,
    ];
    match random.u8(..4) {
        0 => Ending::Other(pick(random, &others).to_string()),
        _ => pick(random, &known),
    }
}

/// A move that the rules forbid: of a piece of the side to move onto its own piece.
fn illegal_step(position: &Position, random: &mut fastrand::Rng) -> Option<RecordStep> {
    let own: Vec<_> = yomikiri_shogi::Square::all()
        .filter(|&square| {
            position.piece_on(square).is_some_and(|piece| piece.color() == position.side_to_move())
        })
        .collect();
    if own.len() < 2 {
        return None;
    }
    let (from, to) = (pick(random, &own), pick(random, &own));
    let kind = position.piece_on(from)?.kind();
    (from != to).then(|| RecordStep::Illegal { played: Move::board(from, to, false), kind })
}

fn decorate(node: &mut Node, random: &mut fastrand::Rng) {
    if random.u8(..3) == 0 {
        (0..random.u8(1..3)).for_each(|_| node.comments.push(pick(random, &WORDS).to_string()));
    }
    if random.u8(..8) == 0 {
        node.bookmarks.push(pick(random, &WORDS).to_string());
    }
    if random.u8(..3) == 0 {
        let millis = [0, 1000, 61_000, 1500, 7, 40_000_000_000];
        node.spent = Some(Duration::from_millis(pick(random, &millis)));
    }
}

fn grow(
    record: &mut Record,
    at: NodeId,
    position: &Position,
    random: &mut fastrand::Rng,
    depth: u32,
) {
    let (mut at, mut position) = (at, position.clone());
    for _ in 0..random.u32(..8) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let played = pick(random, &moves);
        let next = record.add(at, RecordStep::Move(played));
        decorate(record.node_mut(next), random);
        if depth < 3 && random.u8(..6) == 0 {
            grow(record, at, &position, random, depth + 1);
        }
        position.play(played);
        at = next;
    }
    let mut ends = random.bool();
    if random.u8(..6) == 0
        && let Some(step) = illegal_step(&position, random)
    {
        at = record.add(at, step);
        decorate(record.node_mut(at), random);
        ends = true;
    }
    if ends {
        let id = record.add(at, RecordStep::End(ending(random)));
        decorate(record.node_mut(id), random);
    }
}

fn generate(random: &mut fastrand::Rng) -> Record {
    let start = match random.u8(..4) {
        0 => Position::from_sfen(pick(random, &STARTS)).unwrap(),
        1 => pick(random, &Handicap::ALL).position(),
        _ => Position::start(),
    };
    let mut record = Record::new(start.clone());
    for _ in 0..random.u8(..5) {
        record.headers.set(pick(random, &KEYS), pick(random, &VALUES));
    }
    if random.bool() {
        decorate(record.node_mut(NodeId::ROOT), random);
    }
    grow(&mut record, NodeId::ROOT, &start, random, 0);
    record
}

/// What stands at a node, as far as a set of losses leaves it: step, comments, bookmarks, clock.
type Said = (String, Vec<String>, Vec<String>, Option<Duration>);

struct Lost<'a>(&'a [Loss]);

impl Lost<'_> {
    fn has(&self, wanted: fn(&Loss) -> bool) -> bool {
        self.0.iter().any(wanted)
    }

    fn said(&self, record: &Record, id: NodeId) -> Said {
        let node = record.node(id);
        let step = match node.step() {
            Some(RecordStep::End(_)) if self.has(|loss| matches!(loss, Loss::Endings(_))) => {
                "end".into()
            }
            other => format!("{other:?}"),
        };
        let clean = |texts: &[String]| -> Vec<String> {
            texts.iter().map(|text| text.trim_end().to_string()).collect()
        };
        // What cannot be said in its own place is said in a comment: only there are more of them.
        let gained = self
            .has(|loss| matches!(loss, Loss::Comments(_) | Loss::Endings(_) | Loss::Headers(_)));
        let comments = if gained { Vec::new() } else { clean(&node.comments) };
        let bookmarks = match self.has(|loss| matches!(loss, Loss::Bookmarks(_))) {
            true => Vec::new(),
            false => clean(&node.bookmarks),
        };
        let spent = match self.has(|loss| matches!(loss, Loss::Clocks(_))) {
            true => None,
            false if self.has(|loss| matches!(loss, Loss::Fractions(_))) => {
                node.spent.map(|spent| Duration::from_secs(spent.as_secs()))
            }
            false => node.spent,
        };
        (step, comments, bookmarks, spent)
    }

    /// The nodes that must survive, in an order that does not depend on how they were read.
    fn tree(&self, record: &Record) -> Vec<Said> {
        let variations = !self.has(|loss| matches!(loss, Loss::Variations(_)));
        let mut said = Vec::new();
        let mut waiting = vec![NodeId::ROOT];
        while let Some(id) = waiting.pop() {
            let illegal = matches!(record.node(id).step(), Some(RecordStep::Illegal { .. }));
            if !(illegal && self.has(|loss| matches!(loss, Loss::IllegalMoves(_)))) {
                said.push(self.said(record, id));
            }
            let children = record.node(id).children();
            waiting.extend(
                children[..if variations { children.len() } else { children.len().min(1) }]
                    .iter()
                    .rev(),
            );
        }
        // An ending that is lost may be left out.
        if self.has(|loss| matches!(loss, Loss::Endings(_))) {
            said.retain(|said| said.0 != "end");
        }
        said
    }
}

/// The moves and positions that formats keep which take a game apart.
fn compare_apart(record: &Record, back: &[Record], format: Format) {
    let mut position = record.start().clone();
    let mut all = vec![position.to_sfen()];
    for played in record.main_moves() {
        position.play(played);
        all.push(position.to_sfen());
    }
    let starts: Vec<String> = back.iter().map(|record| record.start().to_sfen()).collect();
    match format {
        Format::Sfen => assert_eq!(starts, all),
        Format::Bod => assert_eq!(starts, all[all.len() - 1..]),
        Format::Psv => assert_eq!(starts, all[..all.len() - 1]),
        _ => assert_eq!(starts.len(), all.len() - 1),
    }
    if matches!(format, Format::Psv | Format::Hcpe) {
        assert!(record.main_moves().eq(back.iter().flat_map(|back| back.main_moves())));
    }
}

fn compare_headers(record: &Record, back: &[Record], lost: &[Loss], format: Format) {
    let gone = lost.iter().find_map(|loss| match loss {
        Loss::Headers(keys) => Some(keys.clone()),
        _ => None,
    });
    let gone = gone.unwrap_or_default();
    for (key, value) in record.headers.iter().filter(|(_, value)| !value.is_empty()) {
        if gone.iter().any(|gone| gone == key) {
            continue;
        }
        let result =
            key == header::RESULT && matches!(format, Format::Tsv | Format::Psv | Format::Hcpe);
        for back in back {
            match result {
                true => {
                    assert_eq!(
                        GameLine::from_record(back).result,
                        GameLine::from_record(record).result
                    )
                }
                false => assert_eq!(back.headers.get(key), Some(value), "{key} in {format}"),
            }
        }
    }
}

/// How many comments come back; those that come back are the ones that were there.
fn compare_comment_counts(record: &Record, back: &[Record], lost: &[Loss], format: Format) {
    let Some(gone) = lost.iter().find_map(|loss| match loss {
        Loss::Comments(count) => Some(*count),
        _ => None,
    }) else {
        return;
    };
    let main: Vec<&Node> = record.line_from(NodeId::ROOT).map(|id| record.node(id)).collect();
    let all: usize = main.iter().map(|node| node.comments.len()).sum();
    let moves = main.iter().filter(|node| node.played().is_some());
    let returned = back.iter().flat_map(|back| {
        back.main_line().map(|id| back.node(id).comments.clone()).collect::<Vec<_>>()
    });
    let kept: usize = moves
        .zip(returned)
        .map(|(node, back)| back.iter().filter(|text| node.comments.contains(text)).count())
        .sum();
    assert!(kept >= all - gone, "{format}: {kept} of {all} comments kept, {gone} said to be lost");
}

fn check(record: &Record, format: Format) {
    let lost = losses(std::slice::from_ref(record), format);
    let written = match format.write(std::slice::from_ref(record)) {
        Ok(written) => written,
        Err(error) => {
            // What cannot be written at all is refused, not lost.
            let packed = matches!(format, Format::Psv | Format::Hcpe);
            assert!(packed, "{format}: {error}");
            return;
        }
    };
    let back = read(&written, format)
        .unwrap_or_else(|error| panic!("{format}: {error}\n{}", String::from_utf8_lossy(&written)));
    let text = || String::from_utf8_lossy(&written).into_owned();
    compare_headers(record, &back, &lost, format);
    compare_comment_counts(record, &back, &lost, format);
    if matches!(format, Format::Sfen | Format::Psv | Format::Hcpe | Format::Bod) {
        return compare_apart(record, &back, format);
    }
    let losses = Lost(&lost);
    assert_eq!(back.len(), 1);
    let number = losses.has(|loss| matches!(loss, Loss::MoveNumbers(_)));
    let start = |record: &Record| {
        let sfen = record.start().to_sfen();
        let end = if number { sfen.rfind(' ').unwrap() } else { sfen.len() };
        sfen[..end].to_string()
    };
    assert_eq!(start(&back[0]), start(record), "{format} {lost:?}");
    let mut tree = losses.tree(&back[0]);
    if format == Format::Tsv && record.ending().is_none() {
        // A result given by a header is given by an ending.
        tree.retain(|said| !said.0.starts_with("Some(End("));
    }
    assert_eq!(tree, losses.tree(record), "{format} {lost:?}\n{}", text());
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn what_is_not_said_to_be_lost_survives_every_pair_of_formats() {
    let mut random = fastrand::Rng::with_seed(setting("YOMIKIRI_RECORD_SEED", 1));
    for _ in 0..setting("YOMIKIRI_RECORD_CASES", 250) {
        let record = generate(&mut random);
        for from in Format::ALL {
            let Ok(written) = from.write(std::slice::from_ref(&record)) else { continue };
            // As it comes out of the one format it goes into every other.
            for record in read(&written, from).unwrap().iter().take(3) {
                Format::ALL.into_iter().for_each(|to| check(record, to));
            }
        }
        Format::ALL.into_iter().for_each(|to| check(&record, to));
    }
}

#[test]
fn a_format_that_holds_everything_is_said_to_lose_nothing() {
    let mut record = Record::new(Position::start());
    record.headers.set(header::EVENT, "順位戦");
    let first = record.add(NodeId::ROOT, RecordStep::Move("7g7f".parse().unwrap()));
    let node = record.node_mut(first);
    node.comments.push("& 好手".into());
    node.bookmarks.push("しおり".into());
    node.spent = Some(Duration::from_secs(5));
    record.add(NodeId::ROOT, RecordStep::Move("2g2f".parse().unwrap()));
    record.add(first, RecordStep::End(Ending::Resign));
    let records = [record];
    for format in [Format::Kif, Format::Kifu, Format::Jkf] {
        assert_eq!(losses(&records, format), [], "{format}");
    }
    assert_eq!(losses(&records, Format::Ki2), [Loss::Clocks(1)]);
    assert_eq!(losses(&records, Format::Csa), [Loss::Variations(1)]);
    let event = Loss::Headers(vec![header::EVENT.to_string()]);
    let beside = [Loss::Variations(1), Loss::Comments(1), Loss::Bookmarks(1), Loss::Clocks(1)];
    assert_eq!(losses(&records, Format::Tsv), [&beside[..], std::slice::from_ref(&event)].concat());
    let ending = [Loss::Endings(1), event];
    assert_eq!(losses(&records, Format::Usi), [&beside[..], &ending].concat());
    let words: Vec<String> = losses(&records, Format::Usi).iter().map(Loss::to_string).collect();
    let said =
        "1 variation, 1 line of comments, 1 bookmark, 1 clock time, 1 ending, the header 棋戦";
    assert_eq!(words.join(", "), said);
}
