//! The inner loops. Lanes are arrays of fixed size and sums run in a fixed order, so that results
//! do not depend on the width of the machine's registers.
//!
//! Loops over lanes are written with indices: they become vector instructions in every build, while
//! iterators over arrays do so only where all of their parts are inlined.
#![allow(clippy::needless_range_loop)]

use super::model::ACTIVATION_ONE;

/// Lanes of the small layers.
pub const LANES: usize = 16;

/// Positions that go through the small layers together, so that each weight is loaded once for
/// all of them.
pub const GROUP: usize = 8;

/// Units of the first layer whose gradient is one piece of work.
pub const COLUMNS: usize = 32;

/// Units of the first layer that are summed up together.
const FIRST_BLOCK: usize = 64;

/// One line of a matrix.
pub type Lanes = [f32; LANES];

/// One number for each position of a group.
pub type Across = [f32; GROUP];

/// Adds a multiple of a line.
#[inline(always)]
fn add_multiple(sum: &mut Lanes, factor: f32, line: &Lanes) {
    for lane in 0..LANES {
        sum[lane] += factor * line[lane];
    }
}

/// A matrix times the vectors of a group. The matrix has for each line of results one line of
/// weights per input; the results of each position are `stride` lines apart.
pub fn multiply(
    start: Option<&[Lanes]>,
    inputs: &[Across],
    matrix: &[Lanes],
    results: &mut [Lanes],
    stride: usize,
) {
    for (line, weights) in matrix.chunks_exact(inputs.len()).enumerate() {
        let start = start.map_or([0.0; LANES], |start| start[line]);
        // Eight variables, not an array: the compiler must not take the positions for lanes.
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = [start; GROUP];
        for (input, weights) in inputs.iter().zip(weights) {
            add_multiple(&mut a, input[0], weights);
            add_multiple(&mut b, input[1], weights);
            add_multiple(&mut c, input[2], weights);
            add_multiple(&mut d, input[3], weights);
            add_multiple(&mut e, input[4], weights);
            add_multiple(&mut f, input[5], weights);
            add_multiple(&mut g, input[6], weights);
            add_multiple(&mut h, input[7], weights);
        }
        for (at, sum) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
            results[at * stride + line] = sum;
        }
    }
}

/// Adds the outer products of errors and inputs of a group to a gradient that has for each line
/// of inputs one line per output.
pub fn add_outer(errors: &[Across], inputs: &[Lanes], stride: usize, gradient: &mut [Lanes]) {
    for (line, gradient) in gradient.chunks_exact_mut(errors.len()).enumerate() {
        let row = |at: usize| &inputs[at * stride + line];
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        let (e, f, g, h) = (row(4), row(5), row(6), row(7));
        for (sums, errors) in gradient.iter_mut().zip(errors) {
            let mut sum = *sums;
            add_multiple(&mut sum, errors[0], a);
            add_multiple(&mut sum, errors[1], b);
            add_multiple(&mut sum, errors[2], c);
            add_multiple(&mut sum, errors[3], d);
            add_multiple(&mut sum, errors[4], e);
            add_multiple(&mut sum, errors[5], f);
            add_multiple(&mut sum, errors[6], g);
            add_multiple(&mut sum, errors[7], h);
            *sums = sum;
        }
    }
}

/// Turns the rows of a group into columns.
pub fn transpose(rows: &[Lanes], stride: usize, columns: &mut [Across]) {
    let (columns, _) = columns.as_chunks_mut::<LANES>();
    for (line, columns) in columns.iter_mut().enumerate() {
        for at in 0..GROUP {
            let row = &rows[at * stride + line];
            for lane in 0..LANES {
                columns[lane][at] = row[lane];
            }
        }
    }
}

/// Clips sums to activations.
pub fn activate(values: &mut [Lanes]) {
    for line in values {
        for lane in 0..LANES {
            line[lane] = line[lane].clamp(0.0, 1.0);
        }
    }
}

/// Rounds activations to those of the file.
pub fn round_activations(values: &mut [Lanes]) {
    for line in values {
        for lane in 0..LANES {
            line[lane] = (line[lane] * ACTIVATION_ONE).round_ties_even() / ACTIVATION_ONE;
        }
    }
}

/// Clears errors where the activation was at an end of its range.
pub fn mask(activations: &[Lanes], errors: &mut [Lanes]) {
    for (activations, errors) in activations.iter().zip(errors) {
        for lane in 0..LANES {
            let inside = activations[lane] > 0.0 && activations[lane] < 1.0;
            errors[lane] = if inside { errors[lane] } else { 0.0 };
        }
    }
}

/// The activations of one half of the first layer: bias and the rows of the inputs that are set.
pub fn first_layer(bias: &[f32], weights: &[f32], inputs: &[u32], results: &mut [f32]) {
    let width = bias.len();
    let (results, _) = results.as_chunks_mut::<FIRST_BLOCK>();
    let (bias, _) = bias.as_chunks::<FIRST_BLOCK>();
    for (block, (result, bias)) in results.iter_mut().zip(bias).enumerate() {
        let mut sums = *bias;
        for &input in inputs {
            let start = input as usize * width + block * FIRST_BLOCK;
            let (rows, _) = weights[start..start + FIRST_BLOCK].as_chunks::<FIRST_BLOCK>();
            for lane in 0..FIRST_BLOCK {
                sums[lane] += rows[0][lane];
            }
        }
        for lane in 0..FIRST_BLOCK {
            result[lane] = sums[lane].clamp(0.0, 1.0);
        }
    }
}

/// Adds an error to the rows of the inputs that were set.
pub fn scatter(error: &[f32; COLUMNS], inputs: &[u32], gradient: &mut [[f32; COLUMNS]]) {
    for &input in inputs {
        let row = &mut gradient[input as usize];
        for lane in 0..COLUMNS {
            row[lane] += error[lane];
        }
    }
}
