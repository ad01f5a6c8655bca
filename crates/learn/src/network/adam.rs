//! Adam with decoupled weight decay: Kingma and Ba, "Adam: a method for stochastic optimization",
//! 2015; Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.

use super::config::OptimizerConfig;
use super::gradient::Gradient;
use super::kernels::COLUMNS;
use super::model::{FIRST_LIMIT, FloatNetwork};
use super::parallel;

/// Rows of the first layer that are one piece of work.
const ROWS: usize = 64;

/// The running means of gradients and of their squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// Of the gradients.
    pub means: Vec<f32>,
    /// Of their squares.
    pub squares: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

/// The constants of one step.
#[derive(Clone, Copy)]
struct Step {
    beta1: f32,
    beta2: f32,
    epsilon: f32,
    rate: f32,
    mean_correction: f32,
    square_correction: f32,
    keep: f32,
}

impl Step {
    #[inline]
    fn apply(&self, at: Slot<'_>, gradient: &[f32], limit: f32) {
        let moments = at.means.iter_mut().zip(at.squares);
        for ((value, (mean, square)), &slope) in at.values.iter_mut().zip(moments).zip(gradient) {
            *mean = self.beta1 * *mean + (1.0 - self.beta1) * slope;
            *square = self.beta2 * *square + (1.0 - self.beta2) * (slope * slope);
            let root = (*square * self.square_correction).sqrt() + self.epsilon;
            let step = self.rate * (*mean * self.mean_correction) / root;
            *value = (*value * self.keep - step).clamp(-limit, limit);
        }
    }
}

/// Parameters with their means.
struct Slot<'a> {
    values: &'a mut [f32],
    means: &'a mut [f32],
    squares: &'a mut [f32],
}

impl Adam {
    /// Before the first step.
    pub fn new(parameters: usize) -> Adam {
        Adam { means: vec![0.0; parameters], squares: vec![0.0; parameters], steps: 0 }
    }

    /// Makes a step against the gradient. Parameters stay within what a file can hold.
    pub fn step(
        &mut self,
        model: &mut FloatNetwork,
        gradient: &Gradient,
        config: &OptimizerConfig,
        rate: f64,
        threads: usize,
    ) {
        self.steps += 1;
        let steps = self.steps as f64;
        let correction = |beta: f32| (1.0 / (1.0 - libm::pow(f64::from(beta), steps))) as f32;
        let step = Step {
            beta1: config.beta1,
            beta2: config.beta2,
            epsilon: config.epsilon,
            rate: rate as f32,
            mean_correction: correction(config.beta1),
            square_correction: correction(config.beta2),
            keep: 1.0 - rate as f32 * config.weight_decay,
        };
        self.step_first_layer(model, gradient, step, threads);
        self.step_rest(model, gradient, step);
    }

    fn step_first_layer(
        &mut self,
        model: &mut FloatNetwork,
        gradient: &Gradient,
        step: Step,
        threads: usize,
    ) {
        let width = model.width();
        let end = model.layout.first_weights.end;
        let pieces = model.parameters[..end]
            .chunks_mut(ROWS * width)
            .zip(self.means[..end].chunks_mut(ROWS * width))
            .zip(self.squares[..end].chunks_mut(ROWS * width));
        parallel::for_each(threads, pieces.enumerate(), |(piece, ((values, means), squares))| {
            let rows = values
                .chunks_mut(width)
                .zip(means.chunks_mut(width).zip(squares.chunks_mut(width)));
            for (row, (values, (means, squares))) in rows.enumerate() {
                let columns = values
                    .chunks_mut(COLUMNS)
                    .zip(means.chunks_mut(COLUMNS).zip(squares.chunks_mut(COLUMNS)));
                for ((values, (means, squares)), part) in columns.zip(&gradient.first_weights) {
                    let slot = Slot { values, means, squares };
                    step.apply(slot, &part[piece * ROWS + row], FIRST_LIMIT);
                }
            }
        });
    }

    fn step_rest(&mut self, model: &mut FloatNetwork, gradient: &Gradient, step: Step) {
        let rest = model.layout.rest();
        let limits = model.layer_limits();
        let stages = model.layout.stages.clone();
        let mut apply = |range: core::ops::Range<usize>, slopes: &[f32], limit: f32| {
            let slot = Slot {
                values: &mut model.parameters[range.clone()],
                means: &mut self.means[range.clone()],
                squares: &mut self.squares[range],
            };
            step.apply(slot, slopes, limit);
        };
        apply(model.layout.first_bias.clone(), gradient.first_bias.as_flattened(), FIRST_LIMIT);
        for (layer, limit) in stages.iter().flat_map(|stage| stage.iter().zip(limits)) {
            for (range, limit) in [(&layer.weights, limit), (&layer.bias, f32::INFINITY)] {
                let slopes = &gradient.rest[range.start - rest..range.end - rest];
                apply(range.clone(), slopes, limit);
            }
        }
    }
}
