//! Experiments, which the host has if it is a server: the session passes on what is asked.

use crate::protocol::{
    BeSubjectAsk, Event, LaboratoryView, RunEvent, RunExperimentAsk, SubjectEvent, SubjectMoveAsk,
};
use crate::task::{Context, TaskOutcome};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use yomikiri_base::StopToken;

/// What a host knows of experiments.
pub trait Laboratory: Send + Sync {
    /// The experiments and their results.
    fn view(&self) -> LaboratoryView;

    /// Runs an experiment until it is over or stopped; the last event.
    fn run(
        &self,
        ask: &RunExperimentAsk,
        stop: &StopToken,
        emit: &(dyn Fn(RunEvent) + Sync),
    ) -> RunEvent;

    /// Seats a person, whose moves come by `answers`; the last event, or nothing if the person
    /// left.
    fn seat(
        &self,
        ask: &BeSubjectAsk,
        stop: &StopToken,
        answers: &Receiver<SubjectMoveAsk>,
        emit: &dyn Fn(SubjectEvent),
    ) -> Option<SubjectEvent>;
}

/// The work of an experiment.
pub(crate) fn run(
    laboratory: Arc<dyn Laboratory>,
    ask: RunExperimentAsk,
) -> impl FnOnce(&Context) -> TaskOutcome + Send {
    move |context| {
        let emit = |event| (context.emit)(Event::Run(event));
        let last = laboratory.run(&ask, context.stop.token(), &emit);
        TaskOutcome::Event(Box::new(Event::Run(last)))
    }
}

/// The work of an experiment with a person.
pub(crate) fn seat(
    laboratory: Arc<dyn Laboratory>,
    ask: BeSubjectAsk,
    answers: Receiver<SubjectMoveAsk>,
) -> impl FnOnce(&Context) -> TaskOutcome + Send {
    move |context| {
        let emit = |event| (context.emit)(Event::Subject(event));
        match laboratory.seat(&ask, context.stop.token(), &answers, &emit) {
            Some(last) => TaskOutcome::Event(Box::new(Event::Subject(last))),
            None => TaskOutcome::Stopped,
        }
    }
}
