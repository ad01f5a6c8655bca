//! The second pass: sums over positions, in their order.

use super::super::kernels::{COLUMNS, LANES, scatter};
use super::super::model::{FloatNetwork, LayerRange};
use super::{CHUNK, Chunk, DenseGradient};

/// The inputs that are set in some chunks, in order and each once.
pub(super) fn list_rows(chunks: &[Chunk], inputs: usize, rows: &mut Vec<u32>) {
    let mut set = vec![false; inputs];
    for example in chunks.iter().flat_map(|chunk| &chunk.examples) {
        for &input in [0, 1].into_iter().flat_map(|half| example.half(half)) {
            set[input as usize] = true;
        }
    }
    rows.clear();
    rows.extend((0..inputs as u32).filter(|&input| set[input as usize]));
}

/// Sums up the rows of some chunks that are set in them; returns the sum of the bias.
pub(super) fn add_first_layer(
    chunks: &[Chunk],
    block: usize,
    rows: &[u32],
    weights: &mut [[f32; COLUMNS]],
) -> [f32; COLUMNS] {
    let mut bias = [0.0; COLUMNS];
    rows.iter().for_each(|&row| weights[row as usize] = [0.0; COLUMNS]);
    for chunk in chunks {
        let errors = chunk.first_errors[block * CHUNK * 2..].as_chunks::<2>().0;
        for (example, errors) in chunk.examples.iter().zip(errors) {
            for (half, error) in errors.iter().enumerate() {
                scatter(error, example.half(half), weights);
                bias.iter_mut().zip(error).for_each(|(sum, error)| *sum += error);
            }
        }
    }
    bias
}

/// Adds the rows of a part; the others are 0 in it.
pub(super) fn add_rows(rows: &[u32], part: &[[f32; COLUMNS]], sums: &mut [[f32; COLUMNS]]) {
    for &row in rows {
        let (sum, part) = (&mut sums[row as usize], &part[row as usize]);
        sum.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
    }
}

/// Sums up the layers after the first over some chunks.
pub(super) fn add_later_layers(model: &FloatNetwork, chunks: &[Chunk], sums: &mut [f32]) {
    sums.fill(0.0);
    let rest = model.layout.rest();
    for chunk in chunks {
        let layers = model.layout.stages.iter().flatten();
        for (layer, part) in layers.zip(chunk.gradient.iter().flatten()) {
            add_layer(layer, part, rest, sums);
        }
    }
}

/// Adds a chunk's gradient of one layer in the order of the parameters.
fn add_layer(layer: &LayerRange, part: &DenseGradient, rest: usize, gradient: &mut [f32]) {
    let outputs = layer.output_lines() * LANES;
    let weights = &mut gradient[layer.weights.start - rest..layer.weights.end - rest];
    for (output, row) in weights.chunks_exact_mut(layer.inputs).enumerate() {
        for (line, row) in row.chunks_mut(LANES).enumerate() {
            let part = &part.weights[line * outputs + output];
            row.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
        }
    }
    let bias = &mut gradient[layer.bias.start - rest..layer.bias.end - rest];
    let part = part.bias.as_flattened();
    bias.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
}
