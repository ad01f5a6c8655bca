//! Batches of positions: packed entries in, planes, features and values out.

use crate::errors::{bad_value, notation};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray4, PyArrayDyn, PyArrayMethods, PyReadonlyArray1,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::fmt;
use yomikiri_base::large_pages::ask_for_large_pages;
use yomikiri_eval::network::FeatureSet;
use yomikiri_eval::network::features::{MAX_ACTIVE, active};
use yomikiri_shogi::notation::packed::{
    Code, HCPE_BYTES, POSITION_BYTES, PSV_BYTES, PackedEntry, PackedFormat, decode,
};
use yomikiri_shogi::{ParseError, Position, Square};

/// How packed positions lie in an array of bytes.
#[derive(Clone, Copy)]
pub struct PackedLayout {
    code: Code,
    stride: usize,
}

/// The layout that a name stands for.
pub fn layout(name: &str) -> PyResult<PackedLayout> {
    let (code, stride) = match name {
        "hcpe" => (Code::Huffman, HCPE_BYTES),
        "hcp" => (Code::Huffman, POSITION_BYTES),
        "psv" => (Code::PackedSfen, PSV_BYTES),
        "psfen" => (Code::PackedSfen, POSITION_BYTES),
        _ => return Err(bad_value(format!("'{name}' is none of hcpe, hcp, psv, psfen"))),
    };
    Ok(PackedLayout { code, stride })
}

impl PackedLayout {
    /// The packed positions in some bytes.
    pub fn split<'a>(self, bytes: &'a [u8]) -> PyResult<Vec<&'a [u8; POSITION_BYTES]>> {
        if !bytes.len().is_multiple_of(self.stride) {
            let (found, stride) = (bytes.len(), self.stride);
            return Err(bad_value(format!("{found} bytes are no whole entries of {stride}")));
        }
        let packed = |entry: &'a [u8]| entry.first_chunk().expect("an entry holds a position");
        Ok(bytes.chunks_exact(self.stride).map(packed).collect())
    }

    /// Unpacks one position.
    pub fn read(self, packed: &[u8; POSITION_BYTES], index: usize) -> Result<Position, BadEntry> {
        decode(packed, self.code).map_err(|error| BadEntry { index, error })
    }
}

/// An entry that holds no position.
pub struct BadEntry {
    index: usize,
    error: ParseError,
}

impl fmt::Display for BadEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.index, self.error)
    }
}

/// Does something with every position, in parallel, writing its own part of the result.
pub fn for_each<T: Send, S: Send>(
    py: Python<'_>,
    layout: PackedLayout,
    bytes: &[u8],
    (result, part): (&mut [T], usize),
    state: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, &Position, &mut [T]) + Sync + Send,
) -> PyResult<()> {
    let packed = layout.split(bytes)?;
    let outcome: Result<(), BadEntry> = py.detach(|| {
        let parts = packed.par_iter().zip(result.par_chunks_mut(part)).enumerate();
        parts.try_for_each_init(state, |state, (index, (packed, part))| {
            work(state, &layout.read(packed, index)?, part);
            Ok(())
        })
    });
    outcome.map_err(notation)
}

/// Writes ones where pieces stand: 28 planes of 81 squares that come as zeros.
pub fn write_planes(position: &Position, planes: &mut [f32]) {
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let plane = piece.color().index() * 14 + piece.kind().index() - 1;
            planes[plane * Square::COUNT + square.index()] = 1.0;
        }
    }
}

/// As [`write_planes`], whatever the planes held before.
pub fn fill_planes(position: &Position, planes: &mut [f32]) {
    planes.fill(0.0);
    write_planes(position, planes);
}

/// An array of the caller that is to be filled.
pub fn to_fill<'py, const N: usize>(
    array: &Bound<'py, PyAny>,
    shape: [usize; N],
) -> PyResult<PyReadwriteArrayDyn<'py, f32>> {
    let wanted = || format!("a writable array of float32 with shape {shape:?}, in one piece");
    let refused = || PyTypeError::new_err(format!("this is not {}", wanted()));
    let array = array.cast::<PyArrayDyn<f32>>().map_err(|_| refused())?;
    let array = array.try_readwrite().map_err(|_| refused())?;
    if array.shape() == shape && array.is_c_contiguous() {
        return Ok(array);
    }
    Err(bad_value(format!("an array of shape {:?} is not {}", array.shape(), wanted())))
}

/// Piece planes of packed positions, as `Board.piece_planes` has them: an array (n, 28, 9, 9).
/// Given such an array of float32, fills it.
#[pyfunction]
#[pyo3(signature = (bytes, format, out = None))]
fn packed_planes<'py>(
    py: Python<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    format: &str,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyArray4<f32>>>> {
    let (layout, bytes) = (layout(format)?, bytes.as_slice().map_err(bad_value)?);
    let shape = [layout.split(bytes)?.len(), 28, 9, 9];
    if let Some(out) = out {
        let mut out = to_fill(out, shape)?;
        let slice = out.as_slice_mut().map_err(bad_value)?;
        let work = |(): &mut (), position: &Position, part: &mut [f32]| fill_planes(position, part);
        for_each(py, layout, bytes, (slice, 28 * 81), || (), work)?;
        return Ok(None);
    }
    let planes = PyArray4::zeros(py, shape, false);
    let mut write = planes.readwrite();
    let slice = write.as_slice_mut().map_err(bad_value)?;
    // The system hands the zeros out page by page: that would take longer than all the rest.
    ask_for_large_pages(slice);
    let work = |(): &mut (), position: &Position, part: &mut [f32]| write_planes(position, part);
    for_each(py, layout, bytes, (slice, 28 * 81), || (), work)?;
    Ok(Some(planes))
}

/// The set inputs of a network for packed positions: an array (n, 2, most) of numbers, the side to
/// move's half first, filled up with -1; `most` is what the fullest position needs.
#[pyfunction]
fn packed_features<'py>(
    py: Python<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    format: &str,
    features: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let set = FeatureSet::ALL.into_iter().find(|set| set.name() == features);
    let set = set.ok_or_else(|| bad_value(format!("'{features}' is neither K+P nor HalfKP")))?;
    let (layout, bytes) = (layout(format)?, bytes.as_slice().map_err(bad_value)?);
    // 81 squares hold at most 40 pieces with the hands.
    let most = MAX_ACTIVE.min(40);
    let count = layout.split(bytes)?.len();
    let mut numbers = vec![-1_i32; count * 2 * most];
    let work = |indices: &mut Vec<u32>, position: &Position, part: &mut [i32]| {
        let side = position.side_to_move();
        for (half, color) in part.chunks_exact_mut(most).zip([side, !side]) {
            active(set, position, color, indices);
            indices.sort_unstable();
            for (slot, &index) in half.iter_mut().zip(indices.iter()) {
                *slot = index as i32;
            }
        }
    };
    for_each(py, layout, bytes, (&mut numbers, 2 * most), Vec::new, work)?;
    Ok(numbers.into_pyarray(py).reshape([count, 2, most])?.into_any())
}

/// The SFEN of packed positions.
#[pyfunction]
fn packed_sfens(
    py: Python<'_>,
    bytes: PyReadonlyArray1<'_, u8>,
    format: &str,
) -> PyResult<Vec<String>> {
    let (layout, bytes) = (layout(format)?, bytes.as_slice().map_err(bad_value)?);
    let mut sfens = vec![String::new(); layout.split(bytes)?.len()];
    let work = |(): &mut (), position: &Position, part: &mut [String]| {
        part[0] = position.to_sfen();
    };
    for_each(py, layout, bytes, (&mut sfens, 1), || (), work)?;
    Ok(sfens)
}

/// The moves of entries (`hcpe` or `psv`) in USI; `None` where the entry has no legal one.
#[pyfunction]
fn packed_moves(bytes: PyReadonlyArray1<'_, u8>, format: &str) -> PyResult<Vec<Option<String>>> {
    let format = match format {
        "hcpe" => PackedFormat::Hcpe,
        "psv" => PackedFormat::Psv,
        _ => return Err(bad_value(format!("'{format}' holds no moves (hcpe and psv do)"))),
    };
    let bytes = bytes.as_slice().map_err(bad_value)?;
    let entries = bytes.chunks(format.entry_bytes()).enumerate();
    let of = |(index, entry)| match PackedEntry::read(entry, format) {
        Ok(entry) => Ok(entry.played.map(|mv| mv.to_string())),
        Err(error) => Err(notation(format!("entry {index}: {error}"))),
    };
    entries.map(of).collect()
}

/// Entries of another layout: (positions, scores, moves, results) are kept, what one of them lacks
/// (HCPE the move number) is lost.
#[pyfunction]
fn packed_convert<'py>(
    py: Python<'py>,
    bytes: PyReadonlyArray1<'py, u8>,
    from_: &str,
    to: &str,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let format = |name: &str| match name {
        "hcpe" => Ok(PackedFormat::Hcpe),
        "psv" => Ok(PackedFormat::Psv),
        _ => Err(bad_value(format!("'{name}' is neither hcpe nor psv"))),
    };
    let (from, to) = (format(from_)?, format(to)?);
    let mut out = Vec::new();
    for (index, entry) in
        bytes.as_slice().map_err(bad_value)?.chunks(from.entry_bytes()).enumerate()
    {
        let written = PackedEntry::read(entry, from).and_then(|entry| entry.write(to, &mut out));
        written.map_err(|error| notation(format!("entry {index}: {error}")))?;
    }
    Ok(out.into_pyarray(py))
}

/// Packs positions: the bytes of HCPs or PackedSfens, one row each.
#[pyfunction]
fn pack<'py>(
    py: Python<'py>,
    positions: Vec<Bound<'py, PyAny>>,
    format: &str,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let layout = layout(format)?;
    if layout.stride != POSITION_BYTES {
        return Err(bad_value("positions alone are packed as hcp or psfen"));
    }
    let mut rows = Vec::with_capacity(positions.len() * POSITION_BYTES);
    for (index, position) in positions.iter().enumerate() {
        let position = crate::board::position_of(position)?;
        let packed = yomikiri_shogi::notation::packed::encode(&position, layout.code);
        rows.extend(packed.map_err(|error| notation(format!("entry {index}: {error}")))?);
    }
    let count = positions.len();
    rows.into_pyarray(py).reshape([count, POSITION_BYTES])
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(packed_planes, module)?)?;
    module.add_function(wrap_pyfunction!(packed_features, module)?)?;
    module.add_function(wrap_pyfunction!(packed_sfens, module)?)?;
    module.add_function(wrap_pyfunction!(packed_moves, module)?)?;
    module.add_function(wrap_pyfunction!(packed_convert, module)?)?;
    module.add_function(wrap_pyfunction!(pack, module)?)
}
