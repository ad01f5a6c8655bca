//! Matches against the program without ProbCut in quiescence.
//!
//! The paper's quiescence plays inside the paper's program (MTD(f) over realization probabilities),
//! the narrow one inside the engine as it is.

use std::ops::Range;
use std::time::Duration;

use yomikiri_arena::openings;
use yomikiri_arena::sprt::{Sprt, SprtVerdict};
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::value::{EVAL_LIMIT, Value};
use yomikiri_engine::{Limits, SearchParams};
use yomikiri_usi::Setup;

use super::{Bench, Models, evaluations};
use crate::papers::probcut::{
    Breadth, Match, MatchSettings, PAWN, PHASES, form_name, with_probcut,
};
use crate::run::{LabError, Run, fault};
use crate::searcher::realization;
use crate::selfplay::{GamePair, SelfPlayer, pair_counts, play_pair};

/// The margins of table 8.
const PUBLISHED_MARGINS: [f64; 2] = [1.0, 3.0];
/// The engine's word for a margin in standard deviations.
const MARGIN_IN_SIGMAS: Value = -1;
/// Pairs played between two looks at the sequential test.
const BATCH: usize = 10;
/// The candidate that goes without any ProbCut.
const NONE_AT_ALL: &str = "none in the normal search either";
/// The candidate that searches quiescence to depth 4 and has no ProbCut: what does depth itself do?
pub(in crate::papers::probcut) const CONTROL: &str = "no ProbCut, depth 4 (control)";

/// A setting that plays against the program without ProbCut in quiescence.
struct Candidate {
    name: String,
    /// The margin, if ProbCut is tried at the quiescence root with one margin for all phases.
    margin: Option<f64>,
    params: SearchParams,
    model: QuiescenceModel,
}

impl Candidate {
    /// Whether it plays its pairs whatever the sequential test says.
    fn in_any_case(&self) -> bool {
        let published = self.margin.is_some_and(|margin| PUBLISHED_MARGINS.contains(&margin));
        published || self.name == CONTROL
    }
}

/// The program and the openings of all matches with one evaluation.
struct Contest<'a> {
    bench: &'a Bench<'a>,
    evaluation: EvaluationKind,
    base: SearchParams,
    model: QuiescenceModel,
    starts: Vec<Setup>,
}

/// Plays all matches: every margin at fixed nodes until the test ends, those of table 8, the
/// control and the best at least so long as the settings say, then on time.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    models: &Models,
) -> Result<Vec<Match>, LabError> {
    let matches = &bench.settings.matches;
    let names = match bench.breadth {
        Breadth::Paper => std::slice::from_ref(&matches.paper_evaluation),
        Breadth::Narrow => &matches.match_evaluations[..],
    };
    let mut all = Vec::new();
    for evaluation in evaluations(names)? {
        let contest = Contest::new(run.seed(), bench, models, evaluation)?;
        all.extend(contest.play_all(run)?);
    }
    Ok(all)
}

/// The sequential test of a match.
pub(in crate::papers::probcut) fn sequential_test(settings: &MatchSettings) -> Sprt {
    Sprt { elo0: 0.0, elo1: settings.sprt_elo, alpha: 0.05, beta: 0.05 }
}

impl<'a> Contest<'a> {
    fn new(
        seed: u64,
        bench: &'a Bench<'a>,
        models: &Models,
        evaluation: EvaluationKind,
    ) -> Result<Contest<'a>, LabError> {
        let base = match bench.breadth {
            Breadth::Paper => realization(),
            Breadth::Narrow => SearchParams::default(),
        };
        let mut starts =
            openings::read(openings::DEFAULT).map_err(|error| fault("openings", &error))?;
        fastrand::Rng::with_seed(seed).shuffle(&mut starts);
        let (base, model) = (bench.params(base), models.get(evaluation));
        Ok(Contest { bench, evaluation, base, model, starts })
    }

    fn play_all(&self, run: &mut Run<'_>) -> Result<Vec<Match>, LabError> {
        let settings = &self.bench.settings.matches;
        let candidates = self.candidates(run.is_quick());
        let nodes = Limits { nodes: Some(settings.match_nodes), ..Limits::default() };
        let mut all = Vec::new();
        for candidate in &candidates {
            all.push(self.until_decided(run, candidate, &nodes)?);
        }
        if let Some(best) = best_of(&all) {
            all[best].best = true;
        }
        for (candidate, played) in candidates.iter().zip(&mut all) {
            let more = played.pairs.len()..settings.least_pairs;
            if (candidate.in_any_case() || played.best) && !more.is_empty() {
                played.pairs.extend(self.play(run, candidate, &nodes, more)?);
            }
        }
        let time = Duration::from_millis(settings.match_millis);
        let time = Limits { move_time: Some(time), ..Limits::default() };
        for (at, candidate) in candidates.iter().enumerate() {
            let published = candidate.in_any_case() && self.bench.breadth == Breadth::Paper;
            if published || all[at].best {
                let pairs = self.play(run, candidate, &time, 0..settings.timed_pairs)?;
                all.push(self.played(candidate, None, pairs));
            }
        }
        Ok(all)
    }

    fn played(&self, of: &Candidate, tested_pairs: Option<usize>, pairs: Vec<GamePair>) -> Match {
        Match {
            evaluation: self.evaluation.to_string(),
            name: of.name.clone(),
            margin: of.margin,
            timed: tested_pairs.is_none(),
            pairs,
            tested_pairs,
            best: false,
        }
    }

    fn candidates(&self, quick: bool) -> Vec<Candidate> {
        let settings = &self.bench.settings.matches;
        let named = |name: String, margin: Option<f64>, params: SearchParams| Candidate {
            name,
            margin,
            params,
            model: self.model,
        };
        let of = |form: QuiescenceProbCut, w: f64| {
            let margin = Some(w).filter(|_| form == QuiescenceProbCut::Root);
            named(
                format!("{}, w = {w}", form_name(form)),
                margin,
                with_probcut(&self.base, form, w),
            )
        };
        let in_sigmas = |n: f64| {
            self.base.with(|params| {
                params.quiescence.probcut = QuiescenceProbCut::Root;
                params.quiescence.probcut_margin = MARGIN_IN_SIGMAS;
                params.quiescence.probcut_sigmas = (100.0 * n).round() as i32;
            })
        };
        let shallow = self.base.with(|params| params.quiescence.depth = 4);
        let mut all = vec![named(CONTROL.into(), None, shallow)];
        all.extend(settings.match_margins.iter().map(|&w| of(QuiescenceProbCut::Root, w)));
        all.extend(
            settings
                .match_sigmas
                .iter()
                .map(|&n| named(format!("root, w = {n} sigma of the phase"), None, in_sigmas(n))),
        );
        all.extend(settings.phase_margins.iter().map(|margins| Candidate {
            name: format!("root, {}", phase_words(margins)),
            margin: None,
            params: in_sigmas(1.0),
            model: by_phase(&self.model, margins),
        }));
        if self.bench.breadth == Breadth::Narrow {
            all.extend(settings.every_margins.iter().map(|&w| of(QuiescenceProbCut::Every, w)));
            if !quick {
                let params = self.base.with(|params| params.probcut.enabled = false);
                all.push(named(NONE_AT_ALL.into(), None, params));
            }
        }
        all
    }

    /// Plays on until the sequential test is decided or the pairs are used up.
    fn until_decided(
        &self,
        run: &mut Run<'_>,
        candidate: &Candidate,
        limits: &Limits,
    ) -> Result<Match, LabError> {
        let settings = &self.bench.settings.matches;
        let (test, most) = (sequential_test(settings), settings.match_pairs);
        let mut pairs: Vec<GamePair> = Vec::new();
        while pairs.len() < most && test.verdict(&pair_counts(&pairs)) == SprtVerdict::Continue {
            let batch = pairs.len()..most.min(pairs.len() + BATCH);
            pairs.extend(self.play(run, candidate, limits, batch)?);
        }
        Ok(self.played(candidate, Some(pairs.len()), pairs))
    }

    /// The pairs from these openings; they begin anew where there are not enough.
    fn play(
        &self,
        run: &mut Run<'_>,
        candidate: &Candidate,
        limits: &Limits,
        pairs: Range<usize>,
    ) -> Result<Vec<GamePair>, LabError> {
        let player = |name: &str, params: &SearchParams, model: QuiescenceModel| SelfPlayer {
            name: name.to_string(),
            evaluator: self.evaluation,
            params: *params,
            model,
            limits: limits.clone(),
        };
        let players = [
            player(&candidate.name, &candidate.params, candidate.model),
            player("without", &self.base, self.model),
        ];
        let play = |&number: &usize| {
            let opening = &self.starts[number % self.starts.len()];
            play_pair(self.bench.searchers, [&players[0], &players[1]], opening)
        };
        let kind = if limits.move_time.is_some() { "match on time" } else { "match" };
        let (breadth, evaluation) = (self.bench.breadth.name(), self.evaluation);
        // A sequential test plays batch after batch: each is a stage of its own.
        let name = &candidate.name;
        let stage = format!("{breadth}, {kind}, {evaluation}, {name}, pairs from {}", pairs.start);
        run.measure(&stage, &pairs.collect::<Vec<_>>(), usize::to_string, play)
    }
}

/// The margins of the phases in words.
fn phase_words(margins: &[f64; 3]) -> String {
    let word = |(&w, (phase, ..)): (&f64, &(&str, u32, u32))| match w < 0.0 {
        true => format!("off at {phase}"),
        false => format!("w = {w} at {phase}"),
    };
    margins.iter().zip(&PHASES).map(word).collect::<Vec<_>>().join(", ")
}

/// A model whose standard deviations are the margins themselves; a negative margin turns ProbCut
/// off.
fn by_phase(model: &QuiescenceModel, margins: &[f64; 3]) -> QuiescenceModel {
    let mut model = *model;
    for (prediction, &margin) in model.phases.iter_mut().zip(margins) {
        prediction.sigma = if margin < 0.0 { EVAL_LIMIT } else { (margin * PAWN).round() as i32 };
    }
    model
}

/// The match with the best result, among those with ProbCut in quiescence.
fn best_of(all: &[Match]) -> Option<usize> {
    let with = |m: &Match| m.name.starts_with("root") || m.name.starts_with("every");
    let elo = |m: &Match| pair_counts(&m.pairs).strength().map(|strength| strength.elo.value);
    let rated = all.iter().enumerate().filter(|(_, m)| with(m));
    let rated = rated.filter_map(|(at, m)| Some((at, elo(m)?)));
    rated.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_margin_turns_probcut_off_in_its_phase() {
        let model = by_phase(&QuiescenceModel::default(), &[-1.0, 1.0, 0.25]);
        assert_eq!(model.phases.map(|phase| phase.sigma), [EVAL_LIMIT, 100, 25]);
        assert_eq!(
            phase_words(&[-1.0, 1.0, 0.25]),
            "off at 40-60, w = 1 at 60-80, w = 0.25 at 80-"
        );
    }
}
