//! The inner loops. Lanes are arrays of fixed size and sums run in a fixed order, so that results
//! do not depend on the width of the machine's registers.

/// Lanes of the small layers.
pub const LANES: usize = 16;

/// Positions that go through the small layers together, so that each weight is loaded once for
/// all of them.
pub const GROUP: usize = 8;

/// Units of the first layer whose gradient is one piece of work.
pub const COLUMNS: usize = 32;

/// One line of a matrix.
pub type Lanes = [f32; LANES];

/// One number for each position of a group.
pub type Across = [f32; GROUP];

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
        let mut sums = [start.map_or([0.0; LANES], |start| start[line]); GROUP];
        for (input, weights) in inputs.iter().zip(weights) {
            for (sum, &x) in sums.iter_mut().zip(input) {
                for (sum, &weight) in sum.iter_mut().zip(weights) {
                    *sum += x * weight;
                }
            }
        }
        for (position, sum) in sums.iter().enumerate() {
            results[position * stride + line] = *sum;
        }
    }
}

/// Adds the outer products of errors and inputs of a group to a gradient that has for each line
/// of inputs one line per output.
pub fn add_outer(errors: &[Across], inputs: &[Lanes], stride: usize, gradient: &mut [Lanes]) {
    for (line, gradient) in gradient.chunks_exact_mut(errors.len()).enumerate() {
        let inputs: [Lanes; GROUP] = core::array::from_fn(|at| inputs[at * stride + line]);
        for (sums, errors) in gradient.iter_mut().zip(errors) {
            let mut sum = *sums;
            for (&error, inputs) in errors.iter().zip(&inputs) {
                for (sum, &input) in sum.iter_mut().zip(inputs) {
                    *sum += error * input;
                }
            }
            *sums = sum;
        }
    }
}

/// Turns the rows of a group into columns.
pub fn transpose(rows: &[Lanes], stride: usize, columns: &mut [Across]) {
    for (line, columns) in columns.chunks_exact_mut(LANES).enumerate() {
        let rows: [&Lanes; GROUP] = core::array::from_fn(|at| &rows[at * stride + line]);
        for (lane, column) in columns.iter_mut().enumerate() {
            *column = rows.map(|row| row[lane]);
        }
    }
}

/// Clips sums to activations.
pub fn activate(values: &mut [Lanes]) {
    for value in values.as_flattened_mut() {
        *value = value.clamp(0.0, 1.0);
    }
}

/// Clears errors where the activation was at an end of its range.
pub fn mask(activations: &[Lanes], errors: &mut [Lanes]) {
    for (&activation, error) in activations.as_flattened().iter().zip(errors.as_flattened_mut()) {
        let inside = activation > 0.0 && activation < 1.0;
        *error = if inside { *error } else { 0.0 };
    }
}

/// The activations of one half of the first layer: bias and the rows of the inputs that are set.
pub fn first_layer(bias: &[f32], weights: &[f32], inputs: &[u32], results: &mut [f32]) {
    const BLOCK: usize = COLUMNS;
    let width = bias.len();
    let blocks = results.as_chunks_mut::<BLOCK>().0.iter_mut().zip(bias.as_chunks::<BLOCK>().0);
    for (at, (result, bias)) in blocks.enumerate() {
        let mut sums = *bias;
        for &input in inputs {
            let start = input as usize * width + at * BLOCK;
            if let Some(row) = weights[start..].first_chunk::<BLOCK>() {
                for (sum, &weight) in sums.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
        }
        *result = sums.map(|sum| sum.clamp(0.0, 1.0));
    }
}

/// Adds an error to the rows of the inputs that were set.
pub fn scatter(error: &[f32; COLUMNS], inputs: &[u32], gradient: &mut [[f32; COLUMNS]]) {
    for &input in inputs {
        for (sum, &error) in gradient[input as usize].iter_mut().zip(error) {
            *sum += error;
        }
    }
}
