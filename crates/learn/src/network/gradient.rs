//! Loss and gradient of a batch.
//!
//! The first pass goes forward and back chunk by chunk and leaves each position's error at the
//! sums of the first layer. The second pass adds these errors to the rows of the inputs that were
//! set: every piece of work owns some columns of the first layer and goes through all positions
//! in order, so that no number of threads changes a sum. A batch is summed up part by part, and
//! then the parts in their order, so that no number of machines changes a sum either. Positions go
//! through the later layers in groups of one stage of the game, whose layers they share.

use super::config::{LossConfig, NetworkConfig};
use super::data::{DataError, Sample};
use super::example::Example;
use super::kernels::{
    Across, COLUMNS, GROUP, LANES, Lanes, activate, add_outer, first_layer, mask, multiply,
    round_activations, transpose,
};
use super::loss::{loss, target};
use super::model::{FloatNetwork, LayerRange, ParameterLayout};
use super::parallel;
use super::quantise::effective;

mod sums;

use sums::{add_first_layer, add_later_layers, add_rows, list_rows};

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
    /// Those of a run at a moment of its schedule.
    pub fn new(config: &NetworkConfig, lambda: f64) -> Labels {
        Labels { loss: config.loss.clone(), lambda, score_scale: config.data.score_scale }
    }

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

/// A batch, or a part of one.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// The positions.
    pub samples: &'a [Sample],
    /// Positions of the whole batch, of whose mean loss this is a part.
    pub count: usize,
    /// Positions of a part, a multiple of [`CHUNK`].
    pub part: usize,
}

impl<'a> Batch<'a> {
    /// A whole batch, summed up in one part.
    pub const fn whole(samples: &'a [Sample]) -> Batch<'a> {
        Batch { samples, count: samples.len(), part: usize::MAX }
    }

    fn part_chunks(&self) -> usize {
        (self.part / CHUNK).max(1)
    }
}

impl Gradient {
    pub(super) fn zero(model: &FloatNetwork) -> Gradient {
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
    model: &'a FloatNetwork,
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
    fn new(layout: &ParameterLayout) -> Chunk {
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
        let ParameterLayout { first_weights, first_bias, .. } = &pass.model.layout;
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
    /// The first layer's share of one part, in the blocks of [`Gradient`].
    part: Vec<Vec<[f32; COLUMNS]>>,
    /// For each part the inputs that are set in it.
    rows: Vec<Vec<u32>>,
}

impl Backpropagation {
    /// For models of this form.
    pub fn new(model: &FloatNetwork) -> Backpropagation {
        let gradient = Gradient::zero(model);
        let part = gradient.first_weights.clone();
        Backpropagation { chunks: Vec::new(), gradient, part, rows: Vec::new() }
    }

    /// The gradient of the last batch.
    pub const fn gradient(&self) -> &Gradient {
        &self.gradient
    }

    /// The same, for one that was computed elsewhere.
    pub(super) const fn gradient_mut(&mut self) -> &mut Gradient {
        &mut self.gradient
    }

    /// The inputs that are set in the parts of the last batch, in order and each once a part.
    pub(super) fn rows(&self) -> &[Vec<u32>] {
        &self.rows
    }

    /// The mean loss of any number of positions.
    ///
    /// # Errors
    /// If a position is none.
    pub fn loss(
        &mut self,
        model: &FloatNetwork,
        samples: &[Sample],
        labels: &Labels,
        threads: usize,
    ) -> Result<f64, DataError> {
        let mut sum = 0.0;
        for part in samples.chunks(MEASURED) {
            let batch = Batch::whole(part);
            sum += self.first_pass(model, batch, labels, threads, false)? * part.len() as f64;
        }
        Ok(sum / samples.len().max(1) as f64)
    }

    /// The loss of a batch as a share of its mean, and its gradient.
    ///
    /// # Errors
    /// If a position is none.
    pub fn run(
        &mut self,
        model: &FloatNetwork,
        batch: Batch<'_>,
        labels: &Labels,
        threads: usize,
    ) -> Result<f64, DataError> {
        let loss = self.first_pass(model, batch, labels, threads, true)?;
        let chunks = &self.chunks[..batch.samples.len().div_ceil(CHUNK)];
        self.rows.resize_with(chunks.len().div_ceil(batch.part_chunks()), Vec::new);
        let parts: Vec<&[Chunk]> = chunks.chunks(batch.part_chunks()).collect();
        let inputs = model.features().inputs();
        parallel::for_each(threads, self.rows.iter_mut().zip(&parts), |(rows, part)| {
            list_rows(part, inputs, rows);
        });
        let rows = &self.rows;
        let Gradient { first_weights, first_bias, rest: sums } = &mut self.gradient;
        let blocks = first_weights.iter_mut().zip(first_bias).zip(&mut self.part);
        parallel::for_each(threads, blocks.enumerate(), |(block, ((weights, bias), scratch))| {
            weights.fill([0.0; COLUMNS]);
            *bias = [0.0; COLUMNS];
            for (&part, rows) in parts.iter().zip(rows) {
                let part_bias = add_first_layer(part, block, rows, scratch);
                add_rows(rows, scratch, weights);
                bias.iter_mut().zip(part_bias).for_each(|(sum, slope)| *sum += slope);
            }
        });
        sums.fill(0.0);
        let mut part_sums = vec![0.0; sums.len()];
        for part in parts {
            add_later_layers(model, part, &mut part_sums);
            sums.iter_mut().zip(&part_sums).for_each(|(sum, slope)| *sum += slope);
        }
        Ok(loss)
    }

    fn first_pass(
        &mut self,
        model: &FloatNetwork,
        batch: Batch<'_>,
        labels: &Labels,
        threads: usize,
        backward: bool,
    ) -> Result<f64, DataError> {
        let Batch { samples, count, .. } = batch;
        let parameters = &*effective(model);
        let stages = model.layout.stages.iter();
        let dense: Vec<_> =
            stages.map(|it| it.each_ref().map(|layer| Dense::new(parameters, layer))).collect();
        let pass = Pass { model, parameters, dense: &dense, labels, count, backward };
        let needed = samples.len().div_ceil(CHUNK);
        while self.chunks.len() < needed {
            self.chunks.push(Chunk::new(&model.layout));
        }
        let work = self.chunks.iter_mut().zip(samples.chunks(CHUNK));
        parallel::for_each(threads, work, |(chunk, samples)| chunk.run(&pass, samples));
        for chunk in &mut self.chunks[..needed] {
            if let Some(failure) = chunk.failure.take() {
                return Err(failure);
            }
        }
        let parts = self.chunks[..needed].chunks(batch.part_chunks());
        let sums = parts.map(|part| part.iter().map(|chunk| chunk.loss).fold(0.0, |a, b| a + b));
        Ok(sums.fold(0.0, |sum, part| sum + part / count.max(1) as f64))
    }
}
