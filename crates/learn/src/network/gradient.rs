//! Loss and gradient of a batch.
//!
//! The first pass goes forward and back chunk by chunk and leaves each position's error at the
//! sums of the first layer. The second pass adds these errors to the rows of the inputs that were
//! set: every piece of work owns some columns of the first layer and goes through all positions
//! in order, so that no number of threads changes a sum. Positions go through the later layers in
//! groups of one stage of the game, whose layers they share.

use super::config::LossConfig;
use super::data::{DataError, Sample};
use super::example::Example;
use super::kernels::{
    Across, COLUMNS, GROUP, LANES, Lanes, activate, add_outer, first_layer, mask, multiply,
    round_activations, scatter, transpose,
};
use super::loss::{loss, target};
use super::model::{LayerRange, Layout, Model};
use super::parallel;
use super::quantise::effective;

/// Positions of a chunk.
pub const CHUNK: usize = 256;

/// Positions whose loss is measured at once, which bounds the memory that it takes.
const MEASURED: usize = 16 * CHUNK;

/// What scores and results mean.
#[derive(Clone, Debug)]
pub struct Labels {
    /// What is learned.
    pub loss: LossConfig,
    /// Share of the score in the target.
    pub lambda: f64,
    /// Centipawns of a score of 1.
    pub score_scale: f64,
}

impl Labels {
    /// The loss of a value in centipawns, and its derivative.
    pub fn loss(&self, value: f64, sample: &Sample) -> (f64, f64) {
        let score = f64::from(sample.score) * self.score_scale;
        let result = sample.outcome.map(|outcome| outcome.rate());
        loss(&self.loss, value, target(&self.loss, self.lambda, score, result))
    }
}

/// The gradient of the mean loss of a batch.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// For each block of columns one row per input.
    pub first_weights: Vec<Vec<[f32; COLUMNS]>>,
    /// In the same blocks.
    pub first_bias: Vec<[f32; COLUMNS]>,
    /// Of the layers after the first, in the order of the parameters.
    pub rest: Vec<f32>,
}

impl Gradient {
    fn zero(model: &Model) -> Gradient {
        let blocks = model.width() / COLUMNS;
        let inputs = model.features().inputs();
        Gradient {
            first_weights: vec![vec![[0.0; COLUMNS]; inputs]; blocks],
            first_bias: vec![[0.0; COLUMNS]; blocks],
            rest: vec![0.0; model.layout.total() - model.layout.rest()],
        }
    }
}

/// A layer after the first, its weights arranged for both directions and filled up to whole lines.
struct Dense {
    /// For each line of outputs one line per input.
    forward: Vec<Lanes>,
    /// For each line of inputs one line per output.
    backward: Vec<Lanes>,
    bias: Vec<Lanes>,
}

impl Dense {
    fn new(parameters: &[f32], layer: &LayerRange) -> Dense {
        let (input_lines, output_lines) = (layer.input_lines(), layer.output_lines());
        let (inputs, outputs) = (input_lines * LANES, output_lines * LANES);
        let mut dense = Dense {
            forward: vec![[0.0; LANES]; output_lines * inputs],
            backward: vec![[0.0; LANES]; input_lines * outputs],
            bias: vec![[0.0; LANES]; output_lines],
        };
        let rows = parameters[layer.weights.clone()].chunks_exact(layer.inputs);
        for (output, row) in rows.enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                dense.forward[output / LANES * inputs + input][output % LANES] = weight;
                dense.backward[input / LANES * outputs + output][input % LANES] = weight;
            }
        }
        let bias = &parameters[layer.bias.clone()];
        dense.bias.as_flattened_mut()[..bias.len()].copy_from_slice(bias);
        dense
    }
}

/// What one layer of a group holds on its way forward and back.
struct Level {
    /// Lines of one position.
    lines: usize,
    values: Vec<Lanes>,
    columns: Vec<Across>,
    errors: Vec<Lanes>,
    error_columns: Vec<Across>,
}

impl Level {
    fn new(lines: usize) -> Level {
        Level {
            lines,
            values: vec![[0.0; LANES]; GROUP * lines],
            columns: vec![[0.0; GROUP]; lines * LANES],
            errors: vec![[0.0; LANES]; GROUP * lines],
            error_columns: vec![[0.0; GROUP]; lines * LANES],
        }
    }
}

/// The gradient of one layer, in the arrangement of [`Dense::backward`].
struct DenseGradient {
    weights: Vec<Lanes>,
    bias: Vec<Lanes>,
}

/// One chunk: all that is known about its positions, and its share of the gradient.
struct Chunk {
    examples: Vec<Example>,
    /// For each block of columns, position and half.
    first_errors: Vec<[f32; COLUMNS]>,
    levels: [Level; 4],
    /// For each stage.
    gradient: Vec<[DenseGradient; 3]>,
    loss: f64,
    failure: Option<DataError>,
    scratch: Vec<u32>,
    /// The positions by stage, within a stage in their order.
    order: Vec<usize>,
}

/// What all chunks of a batch share.
struct Pass<'a> {
    model: &'a Model,
    /// What values are computed with.
    parameters: &'a [f32],
    /// For each stage.
    dense: &'a [[Dense; 3]],
    labels: &'a Labels,
    /// Positions of the batch.
    count: usize,
    backward: bool,
}

impl Chunk {
    fn new(layout: &Layout) -> Chunk {
        let [second, third, output] = &layout.stages[0];
        let zero = |layer: &LayerRange| DenseGradient {
            weights: vec![[0.0; LANES]; layer.input_lines() * layer.output_lines() * LANES],
            bias: vec![[0.0; LANES]; layer.output_lines()],
        };
        Chunk {
            examples: Vec::with_capacity(CHUNK),
            first_errors: vec![[0.0; COLUMNS]; second.inputs * CHUNK / COLUMNS],
            levels: [
                Level::new(second.input_lines()),
                Level::new(third.input_lines()),
                Level::new(output.input_lines()),
                Level::new(output.output_lines()),
            ],
            gradient: layout.stages.iter().map(|stage| stage.each_ref().map(zero)).collect(),
            loss: 0.0,
            failure: None,
            scratch: Vec::new(),
            order: Vec::with_capacity(CHUNK),
        }
    }

    fn run(&mut self, pass: &Pass<'_>, samples: &[Sample]) {
        for layer in self.gradient.iter_mut().flatten() {
            layer.weights.fill([0.0; LANES]);
            layer.bias.fill([0.0; LANES]);
        }
        self.loss = 0.0;
        self.failure = self.read_examples(pass, samples).err();
        if self.failure.is_some() {
            return;
        }
        let order = core::mem::take(&mut self.order);
        let stage = |at: &usize| self.examples[*at].stage();
        let groups: Vec<_> = order
            .chunk_by(|a, b| stage(a) == stage(b))
            .flat_map(|same| same.chunks(GROUP))
            .map(|group| (stage(&group[0]), group))
            .collect();
        for (stage, group) in groups {
            self.forward(pass, stage, group);
            self.measure(pass, samples, group);
            if pass.backward {
                self.backward(pass, stage);
                self.keep_first_errors(pass, group);
            }
        }
        self.order = order;
    }

    fn read_examples(&mut self, pass: &Pass<'_>, samples: &[Sample]) -> Result<(), DataError> {
        self.examples.clear();
        for sample in samples {
            let example = Example::new(pass.model.architecture, sample, &mut self.scratch)?;
            self.examples.push(example);
        }
        self.order.clear();
        self.order.extend(0..samples.len());
        self.order.sort_by_key(|&at| self.examples[at].stage());
        Ok(())
    }

    fn forward(&mut self, pass: &Pass<'_>, stage: usize, group: &[usize]) {
        let Layout { first_weights, first_bias, .. } = &pass.model.layout;
        let weights = &pass.parameters[first_weights.clone()];
        let bias = &pass.parameters[first_bias.clone()];
        let rows = self.levels[0].values.as_flattened_mut().chunks_exact_mut(2 * bias.len());
        for (row, example) in rows.zip(group.iter().map(|&at| &self.examples[at])) {
            for (half, results) in row.chunks_exact_mut(bias.len()).enumerate() {
                first_layer(bias, weights, example.half(half), results);
            }
        }
        for (at, dense) in pass.dense[stage].iter().enumerate() {
            let [before, after] = &mut self.levels[at..at + 2] else { return };
            transpose(&before.values, before.lines, &mut before.columns);
            let lines = after.lines;
            multiply(Some(&dense.bias), &before.columns, &dense.forward, &mut after.values, lines);
            if at < 2 {
                activate(&mut after.values);
                if pass.model.rounded {
                    round_activations(&mut after.values);
                }
            }
        }
    }

    /// Adds up the loss and leaves its derivative as error of the output.
    fn measure(&mut self, pass: &Pass<'_>, samples: &[Sample], group: &[usize]) {
        let scale = f64::from(pass.model.output_scale);
        let output = &mut self.levels[3];
        output.errors.fill([0.0; LANES]);
        for (at, sample) in group.iter().map(|&at| &samples[at]).enumerate() {
            let value = f64::from(output.values[at * output.lines][0]) * scale;
            let (loss, slope) = pass.labels.loss(value, sample);
            self.loss += loss;
            output.errors[at * output.lines][0] = (slope * scale / pass.count as f64) as f32;
        }
    }

    fn backward(&mut self, pass: &Pass<'_>, stage: usize) {
        for (at, dense) in pass.dense[stage].iter().enumerate().rev() {
            let [before, after] = &mut self.levels[at..at + 2] else { return };
            transpose(&after.errors, after.lines, &mut after.error_columns);
            let gradient = &mut self.gradient[stage][at];
            add_outer(&after.error_columns, &before.values, before.lines, &mut gradient.weights);
            for errors in after.errors.chunks_exact(after.lines) {
                for (sum, error) in
                    gradient.bias.as_flattened_mut().iter_mut().zip(errors.as_flattened())
                {
                    *sum += error;
                }
            }
            let lines = before.lines;
            multiply(None, &after.error_columns, &dense.backward, &mut before.errors, lines);
            mask(&before.values, &mut before.errors);
        }
    }

    fn keep_first_errors(&mut self, pass: &Pass<'_>, group: &[usize]) {
        let blocks = pass.model.width() / COLUMNS;
        let errors = self.levels[0].errors.as_flattened().as_chunks::<COLUMNS>().0;
        for (halves, at) in errors.chunks_exact(2 * blocks).zip(group) {
            for (index, error) in halves.iter().enumerate() {
                let (half, block) = (index / blocks, index % blocks);
                self.first_errors[(block * CHUNK + at) * 2 + half] = *error;
            }
        }
    }
}

/// Computes gradients; keeps its memory between batches.
pub struct Backpropagation {
    chunks: Vec<Chunk>,
    gradient: Gradient,
}

impl Backpropagation {
    /// For models of this form.
    pub fn new(model: &Model) -> Backpropagation {
        Backpropagation { chunks: Vec::new(), gradient: Gradient::zero(model) }
    }

    /// The gradient of the last batch.
    pub const fn gradient(&self) -> &Gradient {
        &self.gradient
    }

    /// The mean loss of any number of positions.
    ///
    /// # Errors
    /// If a position is none.
    pub fn loss(
        &mut self,
        model: &Model,
        samples: &[Sample],
        labels: &Labels,
        threads: usize,
    ) -> Result<f64, DataError> {
        let mut sum = 0.0;
        for part in samples.chunks(MEASURED) {
            sum += self.first_pass(model, part, labels, threads, false)? * part.len() as f64;
        }
        Ok(sum / samples.len().max(1) as f64)
    }

    /// The mean loss of a batch and its gradient.
    ///
    /// # Errors
    /// If a position is none.
    pub fn run(
        &mut self,
        model: &Model,
        samples: &[Sample],
        labels: &Labels,
        threads: usize,
    ) -> Result<f64, DataError> {
        let loss = self.first_pass(model, samples, labels, threads, true)?;
        let chunks = &self.chunks[..samples.len().div_ceil(CHUNK)];
        let blocks = self.gradient.first_weights.iter_mut().zip(&mut self.gradient.first_bias);
        parallel::for_each(threads, blocks.enumerate(), |(block, (weights, bias))| {
            add_first_layer(chunks, block, weights, bias);
        });
        self.gradient.rest.fill(0.0);
        let rest = model.layout.rest();
        for chunk in chunks {
            let layers = model.layout.stages.iter().flatten();
            for (layer, part) in layers.zip(chunk.gradient.iter().flatten()) {
                add_layer(layer, part, rest, &mut self.gradient.rest);
            }
        }
        Ok(loss)
    }

    fn first_pass(
        &mut self,
        model: &Model,
        samples: &[Sample],
        labels: &Labels,
        threads: usize,
        backward: bool,
    ) -> Result<f64, DataError> {
        let parameters = &*effective(model);
        let stages = model.layout.stages.iter();
        let dense: Vec<_> =
            stages.map(|it| it.each_ref().map(|layer| Dense::new(parameters, layer))).collect();
        let pass =
            Pass { model, parameters, dense: &dense, labels, count: samples.len(), backward };
        let needed = samples.len().div_ceil(CHUNK);
        while self.chunks.len() < needed {
            self.chunks.push(Chunk::new(&model.layout));
        }
        let work = self.chunks.iter_mut().zip(samples.chunks(CHUNK));
        parallel::for_each(threads, work, |(chunk, samples)| chunk.run(&pass, samples));
        let mut sum = 0.0;
        for chunk in &mut self.chunks[..needed] {
            if let Some(failure) = chunk.failure.take() {
                return Err(failure);
            }
            sum += chunk.loss;
        }
        Ok(sum / samples.len().max(1) as f64)
    }
}

fn add_first_layer(
    chunks: &[Chunk],
    block: usize,
    weights: &mut [[f32; COLUMNS]],
    bias: &mut [f32; COLUMNS],
) {
    weights.fill([0.0; COLUMNS]);
    *bias = [0.0; COLUMNS];
    for chunk in chunks {
        let errors = chunk.first_errors[block * CHUNK * 2..].as_chunks::<2>().0;
        for (example, errors) in chunk.examples.iter().zip(errors) {
            for (half, error) in errors.iter().enumerate() {
                scatter(error, example.half(half), weights);
                bias.iter_mut().zip(error).for_each(|(sum, error)| *sum += error);
            }
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
