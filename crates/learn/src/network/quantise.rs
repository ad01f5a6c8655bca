//! From single precision to the integers of a classic file, and back.
//!
//! An activation of 1 is 127, a weight of 1 of the second and third layer 64, and the sum of their
//! products is shifted by 6 bits. The shift rounds down; half a step in the bias makes it round to
//! the nearest. The output is centipawns times FV_SCALE: 127 times an output weight of 1 is as much
//! as an output of 1 stands for.

use super::config::OutputConfig;
use super::model::{ACTIVATION_ONE, FloatNetwork, WEIGHT_ONE};
use std::borrow::Cow;
use yomikiri_eval::network::NetworkParameters;

/// Half of what the shift takes as 1.
const ROUNDING: f32 = WEIGHT_ONE / 2.0;

/// Scale of a layer's weights, and what is added to its biases.
fn scales(model: &FloatNetwork) -> [(f32, f32); 3] {
    [(WEIGHT_ONE, ROUNDING), (WEIGHT_ONE, ROUNDING), (model.output_one(), 0.0)]
}

/// The file's parameters.
pub fn quantise(model: &FloatNetwork, description: &str) -> NetworkParameters {
    let layout = &model.layout;
    let mut file = NetworkParameters::zero(model.architecture);
    file.set_description(description);
    // Conversions saturate, and the model's limits keep it from coming to that.
    let first = |value: &f32| (value * ACTIVATION_ONE).round_ties_even() as i16;
    file.first_weights = model.parameters[layout.first_weights.clone()].iter().map(first).collect();
    file.first_bias = model.parameters[layout.first_bias.clone()].iter().map(first).collect();
    let layers = layout.stages.iter().flat_map(|stage| stage.iter().zip(scales(model)));
    for (target, (layer, (one, rounding))) in file.layers.iter_mut().flatten().zip(layers) {
        let weight = |value: &f32| (value * one).round_ties_even().clamp(-127.0, 127.0) as i8;
        let bias = |value: &f32| (value * one * ACTIVATION_ONE + rounding).round_ties_even() as i32;
        target.weights = model.parameters[layer.weights.clone()].iter().map(weight).collect();
        target.bias = model.parameters[layer.bias.clone()].iter().map(bias).collect();
    }
    file
}

/// The parameters that values are computed with: those of the file in the model's units, or the
/// model's own where it is not rounded.
pub fn effective(model: &FloatNetwork) -> Cow<'_, [f32]> {
    if !model.rounded {
        return Cow::Borrowed(&model.parameters);
    }
    let mut parameters = model.parameters.clone();
    round(&mut parameters[..model.layout.rest()], ACTIVATION_ONE);
    let layers = model.layout.stages.iter().flat_map(|stage| stage.iter().zip(scales(model)));
    for (layer, (one, _)) in layers {
        round(&mut parameters[layer.weights.clone()], one);
        round(&mut parameters[layer.bias.clone()], one * ACTIVATION_ONE);
    }
    Cow::Owned(parameters)
}

fn round(values: &mut [f32], one: f32) {
    for value in values {
        *value = (*value * one).round_ties_even() / one;
    }
}

/// A model that [`quantise`] turns into these parameters again, as far as the limits allow.
pub fn restore(file: &NetworkParameters, output: &OutputConfig) -> FloatNetwork {
    let mut model = FloatNetwork::zero(file.architecture, output);
    let layout = model.layout.clone();
    let first = |value: &i16| f32::from(*value) / ACTIVATION_ONE;
    fill(&mut model.parameters[layout.first_weights], file.first_weights.iter().map(first));
    fill(&mut model.parameters[layout.first_bias], file.first_bias.iter().map(first));
    let scales = scales(&model);
    let layers = layout.stages.into_iter().flat_map(|stage| stage.into_iter().zip(scales));
    for ((layer, (one, rounding)), source) in layers.zip(file.layers.iter().flatten()) {
        let weight = |value: &i8| f32::from(*value) / one;
        let bias = |value: &i32| (*value as f32 - rounding) / (one * ACTIVATION_ONE);
        fill(&mut model.parameters[layer.weights], source.weights.iter().map(weight));
        fill(&mut model.parameters[layer.bias], source.bias.iter().map(bias));
    }
    model.clip();
    model
}

fn fill(target: &mut [f32], source: impl Iterator<Item = f32>) {
    target.iter_mut().zip(source).for_each(|(target, value)| *target = value);
}
