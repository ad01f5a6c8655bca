//! The network in double precision and plain loops.

use super::super::example::Example;
use super::super::model::FloatNetwork;

/// The value in centipawns.
pub fn value(model: &FloatNetwork, parameters: &[f64], example: &Example) -> f64 {
    let layout = &model.layout;
    let width = model.width();
    let mut inputs = Vec::new();
    for half in 0..2 {
        for unit in 0..width {
            let mut sum = parameters[layout.first_bias.start + unit];
            for &input in example.half(half) {
                sum += parameters[input as usize * width + unit];
            }
            inputs.push(sum.clamp(0.0, 1.0));
        }
    }
    for (at, layer) in layout.stages[example.stage()].iter().enumerate() {
        let mut outputs = Vec::new();
        for output in 0..layer.outputs {
            let mut sum = parameters[layer.bias.start + output];
            for (input, x) in inputs.iter().enumerate() {
                sum += x * parameters[layer.weights.start + output * layer.inputs + input];
            }
            outputs.push(if at < 2 { sum.clamp(0.0, 1.0) } else { sum });
        }
        inputs = outputs;
    }
    inputs[0] * f64::from(model.output_scale)
}

/// The parameters in double precision.
pub fn doubled(model: &FloatNetwork) -> Vec<f64> {
    model.parameters.iter().map(|&value| f64::from(value)).collect()
}
