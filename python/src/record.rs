//! `Record` and `Node`: game records of every format, with variations, comments and clocks.

use crate::board::{PyBoard, color_word, position_of};
use crate::errors::{IllegalMoveError, RecordError, bad_value};
use crate::moves::{self, PyMove};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_base::files::write_atomic;
use yomikiri_base::packed::{UnpackLimits, read_file};
use yomikiri_shogi::record::{Ending, Format, NodeId, Record, RecordStep, losses, read};
use yomikiri_shogi::{Color, Move, Position};

fn fault(error: impl std::fmt::Display) -> PyErr {
    RecordError::new_err(error.to_string())
}

fn format_of(name: &str) -> PyResult<Format> {
    name.parse().map_err(fault)
}

/// A game: headers, a starting position, and a tree of moves.
///
///     >>> from yomikiri import Record, Board
///     >>> record = Record()
///     >>> node = record.root.add("7g7f")
///     >>> node.comments = ["the usual move"]
///     >>> node.spent = 3.0
///     >>> _ = record.root.add("2g2f")          # a variation
///     >>> _ = node.end("resign")
///     >>> record.winner
///     'black'
///     >>> record.to_text("csa").splitlines()[-4:]
///     ['+7776FU', 'T3', "'*the usual move", '%TORYO']
///     >>> record.losses("csa")
///     ['1 variation']
#[pyclass(name = "Record", module = "yomikiri")]
pub struct PyRecord(pub Record);

/// One point of a record: the move that led to it, what was said about it, and what followed.
#[pyclass(name = "Node", module = "yomikiri", frozen)]
pub struct PyNode {
    record: Py<PyRecord>,
    id: NodeId,
}

#[pymethods]
impl PyRecord {
    #[new]
    #[pyo3(signature = (start = None))]
    fn new(start: Option<&Bound<'_, PyAny>>) -> PyResult<PyRecord> {
        let mut start = start.map_or_else(|| Ok(Position::start()), position_of)?;
        // Its history is not part of the record.
        start.set_side_to_move(start.side_to_move());
        Ok(PyRecord(Record::new(start)))
    }

    /// The game that led to a board, without its passes.
    #[staticmethod]
    fn from_board(board: &PyBoard) -> PyRecord {
        let mut start = board.0.clone();
        let mut moves = Vec::new();
        while let Some(mv) = start.last_move() {
            moves.push(mv);
            start.undo();
        }
        let mut record = Record::new(start);
        let mut at = NodeId::ROOT;
        for mv in moves.into_iter().rev() {
            at = record.add(at, RecordStep::Move(mv));
        }
        PyRecord(record)
    }

    /// The start, before any move.
    #[getter]
    fn root(slf: &Bound<'_, PyRecord>) -> PyNode {
        PyNode { record: slf.clone().unbind(), id: NodeId::ROOT }
    }

    /// The nodes of the main line after the root.
    #[getter]
    fn main_line(slf: &Bound<'_, PyRecord>) -> Vec<PyNode> {
        let node = |id| PyNode { record: slf.clone().unbind(), id };
        slf.borrow().0.main_line().map(node).collect()
    }

    /// The moves of the main line.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, &self.0.main_moves().collect::<Vec<_>>())
    }

    /// The starting position.
    #[getter]
    fn start(&self) -> PyBoard {
        PyBoard(self.0.start().clone())
    }

    /// The position after the main line, with its history.
    fn board(&self) -> PyBoard {
        PyBoard(self.0.final_position())
    }

    /// Names, dates, places, in the order of the file and by the names of KIF (`先手`, `棋戦`).
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (key, value) in self.0.headers.iter() {
            headers.set_item(key, value)?;
        }
        Ok(headers)
    }

    /// Sets a header.
    fn set_header(&mut self, key: &str, value: &str) {
        self.0.headers.set(key, value);
    }

    /// Who won by the main line's ending: `'black'`, `'white'`, or `None`.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.winner().map(color_word)
    }

    /// How the main line ended, by the name of CSA (`'TORYO'`), or `None`.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.0.ending().map(|(ending, _)| ending.code().to_string())
    }

    /// The record as the bytes of a file: csa, csa3, kif, kifu (UTF-8), ki2, ki2u, jkf, usi, sfen,
    /// tsv, psv, hcpe or bod.
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = format_of(format)?.write(std::slice::from_ref(&self.0)).map_err(fault)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The record as text; kif and ki2 as their UTF-8 forms kifu and ki2u.
    fn to_text(&self, format: &str) -> PyResult<String> {
        let format = match format_of(format)? {
            Format::Kif => Format::Kifu,
            Format::Ki2 => Format::Ki2u,
            Format::Psv | Format::Hcpe => return Err(bad_value("packed positions are no text")),
            other => other,
        };
        String::from_utf8(format.write(std::slice::from_ref(&self.0)).map_err(fault)?)
            .map_err(fault)
    }

    /// What the format cannot hold of the record, in words.
    fn losses(&self, format: &str) -> PyResult<Vec<String>> {
        let losses = losses(std::slice::from_ref(&self.0), format_of(format)?);
        Ok(losses.iter().map(ToString::to_string).collect())
    }

    fn __len__(&self) -> usize {
        self.0.main_moves().count()
    }

    fn __eq__(&self, other: &PyRecord) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        let (moves, nodes) = (self.0.main_moves().count(), self.0.len() - 1);
        format!("<Record of {moves} moves, {nodes} nodes>")
    }
}

impl PyNode {
    fn sibling(&self, py: Python<'_>, id: NodeId) -> PyNode {
        PyNode { record: self.record.clone_ref(py), id }
    }

    /// The position at the node.
    fn position(&self, py: Python<'_>) -> Position {
        let record = &self.record.borrow(py).0;
        let way = |id: &NodeId| record.node(*id).parent();
        let path: Vec<NodeId> = std::iter::successors(Some(self.id), way).collect();
        let mut position = record.start().clone();
        for id in path.into_iter().rev() {
            if let Some(mv) = record.node(id).played() {
                position.play(mv);
            }
        }
        position
    }
}

#[pymethods]
impl PyNode {
    /// The move that led here; `None` for the root and for endings.
    #[getter(r#move)]
    fn mv(&self, py: Python<'_>) -> Option<&'static Py<PyMove>> {
        self.record.borrow(py).0.node(self.id).played().map(moves::object)
    }

    /// The ending by its name in CSA, if the node is one.
    #[getter]
    fn ending(&self, py: Python<'_>) -> Option<String> {
        let record = &self.record.borrow(py).0;
        match record.node(self.id).step() {
            Some(RecordStep::End(ending)) => Some(ending.code().to_string()),
            Some(RecordStep::Illegal { .. }) => Some("ILLEGAL_MOVE".to_string()),
            _ => None,
        }
    }

    /// How many steps from the start.
    #[getter]
    fn ply(&self, py: Python<'_>) -> u32 {
        self.record.borrow(py).0.node(self.id).ply()
    }

    /// The node before; `None` for the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<PyNode> {
        let parent = self.record.borrow(py).0.node(self.id).parent();
        parent.map(|id| self.sibling(py, id))
    }

    /// The nodes after it, the main line first.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<PyNode> {
        let children = self.record.borrow(py).0.node(self.id).children().to_vec();
        children.into_iter().map(|id| self.sibling(py, id)).collect()
    }

    /// Comments, one line each.
    #[getter]
    fn comments(&self, py: Python<'_>) -> Vec<String> {
        self.record.borrow(py).0.node(self.id).comments.clone()
    }

    #[setter]
    fn set_comments(&self, py: Python<'_>, comments: Vec<String>) -> PyResult<()> {
        if comments.iter().any(|line| line.contains(['\n', '\r'])) {
            return Err(bad_value("a comment is one line; give a list of lines"));
        }
        self.record.borrow_mut(py).0.node_mut(self.id).comments = comments;
        Ok(())
    }

    /// Bookmarks, as KIF has them.
    #[getter]
    fn bookmarks(&self, py: Python<'_>) -> Vec<String> {
        self.record.borrow(py).0.node(self.id).bookmarks.clone()
    }

    /// Seconds that the player spent, if the record says so.
    #[getter]
    fn spent(&self, py: Python<'_>) -> Option<f64> {
        self.record.borrow(py).0.node(self.id).spent.map(|spent| spent.as_secs_f64())
    }

    #[setter]
    fn set_spent(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<()> {
        let spent = seconds.map(Duration::try_from_secs_f64).transpose().map_err(bad_value)?;
        self.record.borrow_mut(py).0.node_mut(self.id).spent = spent;
        Ok(())
    }

    /// The evaluation that a comment holds, in centipawns, good for black if positive.
    #[getter]
    fn score(&self, py: Python<'_>) -> Option<i32> {
        self.record.borrow(py).0.node(self.id).score()
    }

    /// The position at the node, with its history.
    fn board(&self, py: Python<'_>) -> PyBoard {
        PyBoard(self.position(py))
    }

    /// Adds a legal move (a `Move` or USI) after the node: the main line if it is the first there,
    /// else a variation.
    fn add(&self, py: Python<'_>, mv: &Bound<'_, PyAny>) -> PyResult<PyNode> {
        let mv = move_of(mv)?;
        let position = self.position(py);
        if self.ending(py).is_some() || !position.is_legal(mv) {
            let sfen = position.to_sfen();
            return Err(IllegalMoveError::new_err(format!("{mv} cannot follow here, in {sfen}")));
        }
        let id = self.record.borrow_mut(py).0.add(self.id, RecordStep::Move(mv));
        Ok(self.sibling(py, id))
    }

    /// Adds an ending after the node: `resign`, `mate`, `repetition`, `impasse`, `timeout`,
    /// `declare`, `draw`, `interrupted`, `maximum moves`, or a name of CSA or KIF.
    fn end(&self, py: Python<'_>, ending: &str) -> PyResult<PyNode> {
        if self.ending(py).is_some() {
            return Err(bad_value("the game has ended here already"));
        }
        let side = self.record.borrow(py).0.side_after(self.id);
        let step = RecordStep::End(ending_of(ending, side)?);
        let id = self.record.borrow_mut(py).0.add(self.id, step);
        Ok(self.sibling(py, id))
    }

    fn __eq__(&self, other: &PyNode) -> bool {
        self.record.is(&other.record) && self.id == other.id
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let record = &self.record.borrow(py).0;
        let node = record.node(self.id);
        let what = node.played().map(|mv| mv.to_string());
        let what = what.or_else(|| node.ending().map(|ending| ending.code().to_string()));
        format!("<Node {} {}>", node.ply(), what.as_deref().unwrap_or("root"))
    }
}

/// The ending of a word.
fn ending_of(word: &str, side: Color) -> PyResult<Ending> {
    Ok(match word {
        "resign" => Ending::Resign,
        "mate" => Ending::Mate,
        "repetition" => Ending::Repetition,
        "impasse" => Ending::Impasse,
        "timeout" => Ending::Timeout,
        "declare" => Ending::EnteringKing,
        "draw" => Ending::Draw,
        "interrupted" => Ending::Interrupted,
        "maximum moves" => Ending::MaximumMoves,
        name => match Ending::from_name(name).unwrap_or_else(|| Ending::from_code(name, side)) {
            Ending::Other(_) => return Err(bad_value(format!("'{name}' is not an ending"))),
            known => known,
        },
    })
}

/// The move of an argument that is a `Move` or USI.
pub fn move_of(argument: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(mv) = argument.cast::<PyMove>() {
        return Ok(mv.get().0);
    }
    let usi: String =
        argument.extract().map_err(|_| PyTypeError::new_err("a move is a Move or USI"))?;
    usi.parse().map_err(crate::errors::notation)
}

fn parse(bytes: &[u8], format: Format) -> PyResult<Vec<PyRecord>> {
    Ok(read(bytes, format).map_err(fault)?.into_iter().map(PyRecord).collect())
}

/// Reads all the games of a file; its name gives the format unless one is named. Files packed by
/// zstd or gzip are unpacked.
#[pyfunction]
#[pyo3(signature = (path, format = None))]
fn read_records(py: Python<'_>, path: PathBuf, format: Option<&str>) -> PyResult<Vec<PyRecord>> {
    let format = file_format(&path, format)?;
    py.detach(|| {
        let bytes = read_file(&path, UnpackLimits::default())
            .map_err(|error| fault(format!("{}: {error}", path.display())))?;
        read(&bytes, format).map_err(|error| fault(format!("{}: {error}", path.display())))
    })
    .map(|records| records.into_iter().map(PyRecord).collect())
}

fn file_format(path: &Path, format: Option<&str>) -> PyResult<Format> {
    let name = path.to_string_lossy();
    let unknown = || fault(format!("{name}: the name does not tell the format; say format="));
    format.map_or_else(|| Format::of_file_name(&name).ok_or_else(unknown), format_of)
}

/// Reads all the games of a text or of a file's bytes; the format is known by how it begins unless
/// one is named.
///
///     >>> from yomikiri import parse_records
///     >>> parse_records("startpos moves 7g7f 3c3d")[0].moves
///     [Move('7g7f'), Move('3c3d')]
#[pyfunction]
#[pyo3(signature = (content, format = None))]
fn parse_records(content: &Bound<'_, PyAny>, format: Option<&str>) -> PyResult<Vec<PyRecord>> {
    let bytes: Vec<u8> = match content.extract::<String>() {
        Ok(text) => text.into_bytes(),
        Err(_) => content.extract().map_err(|_| PyTypeError::new_err("give a str or bytes"))?,
    };
    let unknown = || fault("the text does not tell its format; say format=");
    let format =
        format.map_or_else(|| Format::of_content(&bytes).ok_or_else(unknown), format_of)?;
    parse(&bytes, format)
}

/// Writes records into a file; its name gives the format unless one is named.
#[pyfunction]
#[pyo3(signature = (path, records, format = None))]
fn write_records(
    py: Python<'_>,
    path: PathBuf,
    records: Vec<Py<PyRecord>>,
    format: Option<&str>,
) -> PyResult<()> {
    let format = file_format(&path, format)?;
    let records: Vec<Record> = records.iter().map(|record| record.borrow(py).0.clone()).collect();
    let bytes = format.write(&records).map_err(fault)?;
    write_atomic(&path, &bytes).map_err(|error| fault(format!("{}: {error}", path.display())))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRecord>()?;
    module.add_class::<PyNode>()?;
    module.add_function(wrap_pyfunction!(read_records, module)?)?;
    module.add_function(wrap_pyfunction!(parse_records, module)?)?;
    module.add_function(wrap_pyfunction!(write_records, module)?)
}
