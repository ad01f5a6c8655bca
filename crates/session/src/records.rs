//! Records in and out.

use crate::protocol::{
    EndInput, Fault, FaultCode, FileView, HeaderView, MoveInput, NodeInput, NodeView,
    ReadRecordAsk, RecordInput, RecordView, Records, Side, WriteRecordAsk,
};
use crate::view::{ending_view, move_view};
use crate::{illegal, place};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;
use yomikiri_shogi::record::{
    Ending, Format, Node, NodeId, Record, RecordError, RecordStep, read, text,
};
use yomikiri_shogi::{Handicap, Position};

/// Most games of a file that the page gets.
pub const MOST_GAMES: usize = 100;
/// Most nodes of all of them.
pub const MOST_NODES: usize = 50_000;

/// The formats that hold one game as people read it.
pub const FORMATS: [Format; 9] = [
    Format::Kif,
    Format::Kifu,
    Format::Ki2,
    Format::Ki2u,
    Format::Csa,
    Format::Csa3,
    Format::Jkf,
    Format::Usi,
    Format::Sfen,
];

fn bad(error: &RecordError) -> Fault {
    let line = error.line.and_then(|line| u32::try_from(line).ok());
    Fault { line, ..Fault::new(FaultCode::BadRecord, error.message.clone()) }
}

/// Reads a record of any supported format.
pub fn read_records(ask: &ReadRecordAsk) -> Result<Records, Fault> {
    let bytes = match (&ask.text, &ask.base64) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(packed)) => STANDARD
            .decode(packed)
            .map_err(|error| Fault::new(FaultCode::BadValue, format!("base64: {error}")))?,
        (None, None) => return Err(Fault::new(FaultCode::BadValue, "give `text` or `base64`")),
    };
    let named = ask.name.as_deref().and_then(Format::of_file_name);
    let format = named.unwrap_or_else(|| sniff(&text::decode(&bytes)));
    if !FORMATS.contains(&format) {
        return Err(Fault::new(FaultCode::BadRecord, format!("{format} holds no single game")));
    }
    let records = read(&bytes, format).map_err(|error| bad(&error))?;
    if records.is_empty() {
        return Err(Fault::new(FaultCode::BadRecord, "there is no game in it"));
    }
    let count = records.len() as u32;
    let mut left = MOST_NODES;
    let mut games = Vec::new();
    for record in records.iter().take(MOST_GAMES) {
        let Some(rest) = left.checked_sub(record.len()) else { break };
        left = rest;
        games.push(record_view(record));
    }
    if games.is_empty() {
        return Err(Fault::new(FaultCode::TooLarge, format!("more than {MOST_NODES} moves")));
    }
    Ok(Records { format: format.name().to_string(), games, count })
}

/// What a text without a name is, by how it looks.
fn sniff(text: &str) -> Format {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let csa = |line: &str| {
        line.starts_with("V2")
            || line.starts_with("V3")
            || line.starts_with("'CSA")
            || line == "PI"
            || line.starts_with("P1")
            || line == "+"
            || line.starts_with("N+")
    };
    if text.starts_with('{') {
        return Format::Jkf;
    }
    if text.lines().take(30).any(csa) {
        return Format::Csa;
    }
    let first = text.split_whitespace().next().unwrap_or_default();
    let board = first.matches('/').count() == 8;
    if board || ["startpos", "sfen", "position"].contains(&first) {
        return Format::Usi;
    }
    // The reader of KIF reads KI2 as well.
    Format::Kifu
}

/// A record as the page sees it.
pub fn record_view(record: &Record) -> RecordView {
    let mut nodes: Vec<NodeView> = Vec::with_capacity(record.len());
    // Each with its parent's place in the list and the moves before it.
    let mut waiting = vec![(NodeId::ROOT, None, 0)];
    let (mut position, mut played) = (record.start().clone(), 0_usize);
    while let Some((id, parent, moves)) = waiting.pop() {
        (moves..played).for_each(|_| position.undo());
        let at = nodes.len() as u32;
        let node = record.node(id);
        nodes.push(node_view(record, id, parent, &mut position));
        played = moves + usize::from(node.played().is_some());
        if let Some(parent) = parent {
            let parent: &mut NodeView = &mut nodes[parent as usize];
            parent.children.push(at);
        }
        // Last in, first out: the main line comes next, in one piece.
        for &child in node.children().iter().rev() {
            waiting.push((child, Some(at), played));
        }
    }
    let headers = record.headers.iter();
    RecordView {
        headers: headers
            .map(|(key, value)| HeaderView { key: key.to_string(), value: value.to_string() })
            .collect(),
        start: record.start().to_sfen(),
        handicap: Handicap::of(record.start()).map(|handicap| handicap.name().to_string()),
        nodes,
        winner: record.winner().map(Side::from),
    }
}

/// A node; the position before it becomes the one after it.
fn node_view(
    record: &Record,
    id: NodeId,
    parent: Option<u32>,
    position: &mut Position,
) -> NodeView {
    let node: &Node = record.node(id);
    let (mut mv, mut end) = (None, None);
    match node.step() {
        Some(RecordStep::Move(played)) => {
            mv = Some(move_view(position, *played));
            position.play(*played);
        }
        Some(RecordStep::Illegal { .. }) => {
            end = Some(ending_view(&Ending::IllegalLoss, position.side_to_move()));
        }
        Some(RecordStep::End(ending)) => end = Some(ending_view(ending, position.side_to_move())),
        None => {}
    }
    NodeView {
        parent,
        children: Vec::new(),
        ply: node.ply(),
        mv,
        end,
        sfen: position.to_sfen(),
        comments: node.comments.clone(),
        spent: node.spent.map(|spent| spent.as_millis() as u64),
        score: node.score(),
    }
}

/// The record that the page means. Every move must be legal.
pub fn record_of(input: &RecordInput) -> Result<Record, Fault> {
    if input.nodes.len() > MOST_NODES {
        return Err(Fault::new(FaultCode::TooLarge, format!("more than {MOST_NODES} nodes")));
    }
    let start = match &input.start {
        Some(sfen) => place::from_sfen(sfen)?,
        None => Position::start(),
    };
    let mut record = Record::new(start);
    for header in input.headers.iter().flatten() {
        record.headers.set(&header.key, &header.value);
    }
    let mut ids = Vec::with_capacity(input.nodes.len());
    // The position after the node that was read last, and the way to it.
    let mut walker = Walker { position: record.start().clone(), path: vec![0], jumps: MOST_JUMPS };
    for (number, node) in input.nodes.iter().enumerate() {
        let id = match number {
            0 => NodeId::ROOT,
            _ => add_node(&mut record, &ids, node, number, &mut walker)?,
        };
        ids.push(id);
        let kept = record.node_mut(id);
        kept.comments = node.comments.clone().unwrap_or_default();
        kept.spent = node.spent.map(Duration::from_millis);
    }
    Ok(record)
}

/// Moves played again in all when the nodes jump from branch to branch.
const MOST_JUMPS: usize = 5_000_000;

struct Walker {
    position: Position,
    /// Numbers of the nodes from the start to the position.
    path: Vec<usize>,
    /// What is left of [`MOST_JUMPS`].
    jumps: usize,
}

impl Walker {
    /// Goes to the position after a node of the way; in another branch, from the start.
    fn go_to(&mut self, record: &Record, ids: &[NodeId], number: usize) -> Option<()> {
        // Nodes mostly come in the order of a walk: look near the end first.
        if let Some(at) = self.path.iter().rposition(|&node| node == number) {
            let back = self.path.len() - 1 - at;
            self.jumps = self.jumps.checked_sub(back)?;
            (0..back).for_each(|_| self.position.undo());
            self.path.truncate(at + 1);
            return Some(());
        }
        let parents = |id: &NodeId| record.node(*id).parent();
        let way: Vec<NodeId> = std::iter::successors(Some(ids[number]), parents).collect();
        self.jumps = self.jumps.checked_sub(way.len())?;
        self.position = record.start().clone();
        self.path.clear();
        for id in way.iter().rev() {
            if let Some(mv) = record.node(*id).played() {
                self.position.play(mv);
            }
            // Numbers grow as ids do.
            self.path.extend(ids.binary_search(id));
        }
        Some(())
    }
}

fn add_node(
    record: &mut Record,
    ids: &[NodeId],
    node: &NodeInput,
    number: usize,
    walker: &mut Walker,
) -> Result<NodeId, Fault> {
    let wrong = |what: &str| Fault::new(FaultCode::BadRecord, format!("node {number}: {what}"));
    let parent = node.parent.map(|parent| parent as usize).filter(|&parent| parent < number);
    let parent = parent.ok_or_else(|| wrong("its parent does not come before it"))?;
    if record.node(ids[parent]).ending().is_some() {
        return Err(wrong("it follows the end of the game"));
    }
    walker
        .go_to(record, ids, parent)
        .ok_or_else(|| Fault::new(FaultCode::TooLarge, "the nodes jump between branches"))?;
    match (&node.mv, &node.end) {
        (Some(MoveInput::Usi(usi) | MoveInput::View { usi }), None) => {
            let mv = illegal::check(&walker.position, usi).map_err(|illegal| Fault {
                illegal: Some(illegal),
                ..wrong(&format!("{usi} is illegal"))
            })?;
            walker.position.play(mv);
            walker.path.push(number);
            Ok(record.add(ids[parent], RecordStep::Move(mv)))
        }
        (None, Some(EndInput::Name(name) | EndInput::View { japanese: name })) => {
            let ending = Ending::from_name(name).unwrap_or_else(|| Ending::Other(name.clone()));
            Ok(record.add(ids[parent], RecordStep::End(ending)))
        }
        _ => Err(wrong("it has neither a move nor an end, or both")),
    }
}

/// Writes a record of the page.
pub fn write_record(ask: &WriteRecordAsk) -> Result<FileView, Fault> {
    write(&record_of(&ask.record)?, &ask.format, "game")
}

/// Writes a record under the name of a format.
pub fn write(record: &Record, format: &str, stem: &str) -> Result<FileView, Fault> {
    let format = format.parse::<Format>().ok().filter(|format| FORMATS.contains(format));
    let format = format.ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
        Fault::new(FaultCode::BadValue, format!("the formats are {}", names.join(", ")))
    })?;
    let bytes = format.write(std::slice::from_ref(record)).map_err(|error| bad(&error))?;
    let mime = if format == Format::Jkf { "application/json" } else { "text/plain" };
    Ok(FileView {
        name: format!("{stem}.{}", format.extension()),
        mime: mime.to_string(),
        text: text::decode(&bytes),
        base64: STANDARD.encode(&bytes),
    })
}

#[cfg(test)]
mod tests;
