//! Gradients and the integers of files against slow and obvious code.

use super::super::config::{LossConfig, LossKind, NetworkConfig, OutputConfig};
use super::super::data::Sample;
use super::super::example::Example;
use super::super::gradient::{Backpropagation, Batch, Gradient, Labels};
use super::super::kernels::COLUMNS;
use super::super::model::{FloatNetwork, ParameterLayout};
use super::super::quantise::{quantise, restore};
use super::super::validation::quantised_loss;
use super::{positions, reference, samples};
use std::sync::Arc;
use yomikiri_eval::Evaluation;
use yomikiri_eval::network::{Architecture, FeatureSet, Network, NetworkEvaluation};

/// Values in full precision.
const EXACT: OutputConfig = OutputConfig { scale: 600.0, fv_scale: 16, rounded: false };

/// A random network in which all units of the small layers are alive.
fn random_model(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> FloatNetwork {
    random_model_of(Architecture { features, l1, l2, l3, stages: 1 })
}

fn random_model_of(architecture: Architecture) -> FloatNetwork {
    let mut model = FloatNetwork::zero(architecture, &EXACT);
    let mut random = fastrand::Rng::with_seed(9);
    let layout = model.layout.clone();
    let mut fill = |range: core::ops::Range<usize>, center: f32, spread: f32| {
        for value in &mut model.parameters[range] {
            *value = center + spread * (2.0 * random.f32() - 1.0);
        }
    };
    fill(layout.first_weights, 0.0, 0.15);
    fill(layout.first_bias, 0.5, 0.3);
    for layer in layout.stages.into_iter().flatten() {
        let spread = 1.5 / (layer.inputs as f32).sqrt();
        fill(layer.weights, 0.0, spread);
        fill(layer.bias, 0.4, 0.1);
    }
    model.clip();
    model
}

fn slope(gradient: &Gradient, layout: &ParameterLayout, width: usize, at: usize) -> f64 {
    let columns = |unit: usize| (unit / COLUMNS, unit % COLUMNS);
    f64::from(if at < layout.first_weights.end {
        let (block, column) = columns(at % width);
        gradient.first_weights[block][at / width][column]
    } else if at < layout.rest() {
        let (block, column) = columns(at - layout.first_bias.start);
        gradient.first_bias[block][column]
    } else {
        gradient.rest[at - layout.rest()]
    })
}

fn mean_loss(model: &FloatNetwork, parameters: &[f64], labels: &Labels, samples: &[Sample]) -> f64 {
    let mut scratch = Vec::new();
    let loss = |sample: &Sample| {
        let example = Example::new(model.architecture, sample, &mut scratch).unwrap();
        labels.loss(reference::value(model, parameters, &example), sample).0
    };
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

/// Some parameters of every part, of the first layer those that the samples reach.
fn some_parameters(
    model: &FloatNetwork,
    samples: &[Sample],
    random: &mut fastrand::Rng,
) -> Vec<usize> {
    let width = model.width();
    let layout = &model.layout;
    let mut scratch = Vec::new();
    let mut chosen = Vec::new();
    for sample in samples {
        let example = Example::new(model.architecture, sample, &mut scratch).unwrap();
        let input = example.half(random.usize(..2))[random.usize(..20)];
        chosen.push(input as usize * width + random.usize(..width));
    }
    let layers =
        layout.stages.iter().flatten().flat_map(|it| [it.weights.clone(), it.bias.clone()]);
    for range in layers.chain([layout.first_bias.clone()]) {
        (0..12).for_each(|_| chosen.push(random.usize(range.clone())));
    }
    chosen
}

fn check_gradient(features: FeatureSet, kind: LossKind, l2: usize, l3: usize, stages: usize) {
    let model = random_model_of(Architecture { features, l1: 64, l2, l3, stages });
    // Not a multiple of anything: the last group is not full.
    let samples = samples(3, 27);
    let loss = LossConfig { kind, ..LossConfig::default() };
    let labels = Labels { loss, lambda: 0.7, score_scale: 1.5 };
    let mut work = Backpropagation::new(&model);
    let loss = work.run(&model, Batch::whole(&samples), &labels, 2).unwrap();
    let mut parameters = reference::doubled(&model);
    let expected = mean_loss(&model, &parameters, &labels, &samples);
    assert!((loss - expected).abs() < 1e-5 * expected, "{loss} {expected}");
    let mut alive = 0;
    let chosen = some_parameters(&model, &samples, &mut fastrand::Rng::with_seed(4));
    for &at in &chosen {
        let step = 1e-6;
        let center = parameters[at];
        let mut moved = |by: f64| {
            parameters[at] = center + by;
            mean_loss(&model, &parameters, &labels, &samples)
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        parameters[at] = center;
        let found = slope(work.gradient(), &model.layout, model.width(), at);
        let tolerance = 1e-3 * difference.abs() + 1e-6;
        assert!((found - difference).abs() < tolerance, "{at}: {found} {difference}");
        alive += usize::from(difference.abs() > 1e-5);
    }
    assert!(2 * alive > chosen.len(), "{alive} of {} slopes are not 0", chosen.len());
}

#[test]
fn gradients_are_those_of_finite_differences() {
    check_gradient(FeatureSet::Kp, LossKind::CrossEntropy, 32, 32, 1);
    check_gradient(FeatureSet::Kp, LossKind::Squared, 9, 17, 1);
    check_gradient(FeatureSet::Kp, LossKind::CrossEntropy, 16, 16, 2);
}

#[test]
fn gradients_of_half_kp_are_those_of_finite_differences() {
    check_gradient(FeatureSet::HalfKp, LossKind::CrossEntropy, 16, 8, 1);
}

#[test]
fn a_written_network_gives_the_values_of_the_model() {
    for (features, l2, l3) in [(FeatureSet::Kp, 32, 32), (FeatureSet::HalfKp, 15, 64)] {
        // Weights that a file holds exactly: only activations are rounded.
        let model = restore(&quantise(&random_model(features, 256, l2, l3), ""), &EXACT);
        let file = quantise(&model, "test");
        let network = Network::from_bytes(&file.to_bytes().unwrap()).unwrap();
        let mut evaluation = NetworkEvaluation::new(Arc::new(network));
        let parameters = reference::doubled(&model);
        let mut scratch = Vec::new();
        let (mut error, mut spread, mut mean) = (0.0, 0.0, 0.0);
        let all = positions(11, 400);
        for position in &all {
            let example = Example::of_position(features, position, false, &mut scratch);
            let value = reference::value(&model, &parameters, &example);
            evaluation.reset(position);
            let played = f64::from(evaluation.raw(position)) / f64::from(model.fv_scale);
            error += (played - value).abs() / all.len() as f64;
            spread += value.abs() / all.len() as f64;
            mean += (played - value) / all.len() as f64;
        }
        assert!(spread > 30.0, "{features:?}: {spread}");
        assert!(error < 4.0, "{features:?}: {error} of {spread}");
        assert!(mean.abs() < 1.0, "{features:?}: {mean}");
    }
}

#[test]
fn the_loss_of_a_rounded_model_is_that_of_its_file() {
    for stages in [1, 4] {
        check_rounded(Architecture { features: FeatureSet::Kp, l1: 256, l2: 32, l3: 32, stages });
    }
}

fn check_rounded(architecture: Architecture) {
    let model = FloatNetwork { rounded: true, ..random_model_of(architecture) };
    let mut samples = samples(13, 1000);
    samples.iter_mut().for_each(|it| it.mirrored = false);
    let labels = Labels { loss: LossConfig::default(), lambda: 0.7, score_scale: 1.0 };
    let found = Backpropagation::new(&model).loss(&model, &samples, &labels, 2).unwrap();
    let file = quantise(&model, "");
    let expected = quantised_loss(&file, model.fv_scale, &samples, &labels, 2).unwrap();
    assert!((found - expected).abs() < 1e-4 * expected, "{found} {expected}");
}

#[test]
fn a_file_survives_the_way_to_single_precision_and_back() {
    let mut model = random_model(FeatureSet::Kp, 256, 32, 32);
    model.parameters[0] = 1e9;
    model.clip();
    let file = quantise(&model, "test");
    let again = quantise(&restore(&file, &EXACT), "test");
    assert_eq!(file, again);
    assert_eq!(file.first_weights[0], 799);
    assert!(41 * i32::from(file.first_weights[0]) <= i32::from(i16::MAX));
}

#[test]
fn parameters_at_their_limits_fit_into_a_file() {
    let config = NetworkConfig::default();
    let mut model = FloatNetwork::random(&config);
    for sign in [1.0, -1.0] {
        model.parameters.fill(sign * 1e6);
        model.clip();
        let file = quantise(&model, "");
        assert!(file.layers.iter().flatten().flat_map(|it| &it.weights).all(|it| it.abs() == 127));
        assert!(file.first_weights.iter().all(|it| it.abs() == 799));
    }
}
