//! The server's laboratory: experiments by [`yomikiri_runs`], results in the data folder.

use crate::assets;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;
use yomikiri_base::stages::{StageError, StageProgress};
use yomikiri_base::{Clock, StopToken};
use yomikiri_lab::LabError;
use yomikiri_lab::page::Summary;
use yomikiri_lab::papers::ALL;
use yomikiri_lab::papers::speculative::human::{self, Seat, Subject, SubjectNotice, SubjectReply};
use yomikiri_lab::papers::speculative::positions::ProgramRole;
use yomikiri_runs::{Context, Front, Local, PLAN_FILE, Plan, RunsError, run_local};
use yomikiri_session::protocol::{
    BeSubjectAsk, ExperimentView, Fault, FaultCode, FindingView, LaboratoryView, ResultView,
    RunEvent, RunExperimentAsk, SubjectEvent, SubjectMoveAsk, SubjectNews, SubjectRole, SubjectRow,
};
use yomikiri_session::{Laboratory, move_view, position_view};
use yomikiri_shogi::{EnteringKingRule, Position};

/// Largest file of results that is read.
const LARGEST: u64 = 32 << 20;
/// The least time between two events of a run.
const INTERVAL: Duration = Duration::from_millis(200);
/// How late an answer of the subject may come, for the way that it has to go.
const LATE: Duration = Duration::from_millis(500);
/// How often it is looked whether the subject is still there.
const LOOK: Duration = Duration::from_millis(100);
/// Longest name of a subject, and most positions.
const LONGEST_NAME: usize = 40;
const MOST_POSITIONS: u32 = 100;
/// The experiment with people.
const PEOPLE: &str = "speculative";
const NO_FOLDER: &str = "results need a folder: `yomikiri serve --data DIR`";
/// How long a subject waits for another to stand up, who may have lost the connection only.
const STANDING_UP: Duration = Duration::from_secs(5);
/// The seed of experiments, as on the command line.
const SEED: u64 = 1;

/// Experiments on this computer.
pub struct Workshop {
    /// Where results go; none where nothing is kept.
    folder: Option<PathBuf>,
    /// The longest that a run may take at a time.
    longest: Option<Duration>,
    clock: Clock,
    /// Held by the one subject at a time.
    seat: Mutex<()>,
}

/// A file that the folder lists under this name, if it is not too large.
fn listed(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let entry = fs::read_dir(folder).ok()?.flatten().find(|entry| entry.file_name() == name)?;
    let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
    (metadata.len() <= LARGEST).then(|| fs::read(entry.path()).ok()).flatten()
}

impl Workshop {
    pub fn new(data: Option<&Path>, longest: Option<Duration>, clock: Clock) -> Workshop {
        Workshop { folder: data.map(|data| data.join("lab")), longest, clock, seat: Mutex::new(()) }
    }

    /// A file of results. The names are looked up in what the folder lists; none that comes from
    /// outside becomes part of a path.
    pub fn file(&self, experiment: &str, name: &str) -> Option<Vec<u8>> {
        let experiment = ALL.iter().map(|one| one.name()).find(|&known| known == experiment)?;
        listed(&self.folder.as_ref()?.join(experiment), name)
    }

    /// A page over all experiments that were run here.
    pub fn index(&self, name: &str) -> Option<Vec<u8>> {
        let folder = self.folder.as_ref()?;
        name.ends_with(".html").then(|| listed(folder, name)).flatten()
    }

    fn own(&self, experiment: &str) -> Option<ResultView> {
        let bytes = self.file(experiment, "summary.json")?;
        serde_json::from_slice::<Summary>(&bytes).ok().map(result_view)
    }

    fn people(&self, quick: bool) -> Vec<SubjectRow> {
        let folder = self.folder.as_ref().map(|folder| folder.join(PEOPLE));
        let trials = folder.and_then(|folder| human::results(&folder, quick).ok());
        let rows = human::table(&trials.unwrap_or_default());
        let row = |row: human::SubjectScore| SubjectRow {
            name: row.name,
            published: row.published,
            role: role(row.kind),
            program: row.program,
            found: row.found,
            of: row.of,
        };
        rows.into_iter().map(row).collect()
    }

    /// The one seat, once it is free.
    fn sit_down(&self, stop: &StopToken) -> Option<MutexGuard<'_, ()>> {
        let begun = self.clock.now();
        loop {
            match self.seat.try_lock() {
                Ok(seat) => return Some(seat),
                Err(TryLockError::Poisoned(seat)) => return Some(seat.into_inner()),
                Err(TryLockError::WouldBlock) => {}
            }
            if stop.is_stopped() || self.clock.now().saturating_sub(begun) > STANDING_UP {
                return None;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The plan of an experiment. Its name becomes a folder's, so that only known ones are taken.
    fn plan(experiment: &str, quick: bool) -> Result<Plan, RunsError> {
        if !ALL.iter().any(|one| one.name() == experiment) {
            return Err(LabError::Unknown(experiment.to_string()).into());
        }
        let plan = serde_json::json!({
            "kind": "lab", "experiment": experiment, "quick": quick, "seed": SEED,
        });
        Plan::parse(&plan.to_string())
    }

    /// Writes the tables anew where the experiment was measured: the subject belongs into them.
    fn write_tables(&self, folder: &Path, quick: bool) {
        let measured = folder.join(PEOPLE).join(PLAN_FILE);
        let (Ok(there), Ok(plan)) = (Plan::read(&measured), Workshop::plan(PEOPLE, quick)) else {
            return;
        };
        if there == plan {
            let local = Local { works: false, ..Local::default() };
            // A run that was never finished has no tables yet; they will have the subject.
            let _ = run_local(&plan, folder, &local, &Context::here(), &mut Front::default());
        }
    }
}

/// Half of the cores: those who play meanwhile need the rest.
fn threads() -> usize {
    let cores = yomikiri_base::process::processors();
    (cores / 2).max(1)
}

fn role(kind: ProgramRole) -> SubjectRole {
    match kind {
        ProgramRole::Defender => SubjectRole::Mate,
        ProgramRole::Attacker => SubjectRole::Withstand,
    }
}

fn result_view(summary: Summary) -> ResultView {
    let findings = summary.findings.into_iter().map(|finding| FindingView {
        claim: finding.claim,
        claim_ja: finding.claim_ja,
        published: finding.published,
        ours: finding.ours,
        verdict: format!("{:?}", finding.verdict).to_lowercase(),
        words: finding.words,
        words_ja: finding.words_ja,
    });
    ResultView {
        quick: summary.manifest.quick,
        seconds: summary.manifest.work_seconds,
        started: summary.manifest.started,
        findings: findings.collect(),
    }
}

impl Laboratory for Workshop {
    fn view(&self) -> LaboratoryView {
        let experiments = ALL.iter().map(|experiment| {
            let own = self.own(experiment.name());
            let mine = |quick: bool| own.as_ref().filter(|own| own.quick == quick);
            let published = assets::report_seconds(experiment.name());
            let [title_ja, question_ja] = experiment.japanese().map(str::to_string);
            ExperimentView {
                name: experiment.name().to_string(),
                title: experiment.title().to_string(),
                title_ja,
                question: experiment.question().to_string(),
                question_ja,
                quick: mine(true).map(|own| own.seconds),
                whole: mine(false).map(|own| own.seconds).or(published),
                own,
            }
        });
        LaboratoryView {
            experiments: experiments.collect(),
            runs: self.folder.is_some(),
            people: self.people(false),
        }
    }

    fn run(
        &self,
        ask: &RunExperimentAsk,
        stop: &StopToken,
        emit: &(dyn Fn(RunEvent) + Sync),
    ) -> RunEvent {
        let begun = RunEvent {
            experiment: ask.experiment.clone(),
            quick: ask.quick,
            ..RunEvent::default()
        };
        let stop = stop.child();
        let watch = Watch {
            clock: self.clock.clone(),
            start: self.clock.now(),
            longest: self.longest,
            stop: &stop,
            emit,
            state: Mutex::new((begun.clone(), None)),
        };
        emit(begun);
        let done = match &self.folder {
            None => Err(NO_FOLDER.to_string()),
            Some(folder) => Workshop::plan(&ask.experiment, ask.quick)
                .and_then(|plan| {
                    let stop = stop.clone();
                    let local =
                        Local { threads: threads(), stop, progress: &watch, ..Local::default() };
                    run_local(&plan, folder, &local, &Context::here(), &mut Front::default())
                })
                .map_err(trouble),
        };
        let mut last = watch.lock().0.clone();
        last.finished = true;
        match done {
            Ok(_) => last.result = self.own(&ask.experiment),
            Err(why) if why.is_empty() => {}
            Err(why) => last.trouble = Some(fault(why)),
        }
        last
    }

    fn seat(
        &self,
        ask: &BeSubjectAsk,
        stop: &StopToken,
        answers: &Receiver<SubjectMoveAsk>,
        emit: &dyn Fn(SubjectEvent),
    ) -> Option<SubjectEvent> {
        let mut person = Person { stop, answers, emit, clock: &self.clock, at: blank() };
        let trouble = |why: &str| Some(SubjectEvent { trouble: Some(fault(why)), ..blank() });
        let Some(folder) = &self.folder else { return trouble(NO_FOLDER) };
        let Some(_seat) = self.sit_down(stop) else {
            return trouble("somebody else is the subject at this moment");
        };
        let name: String = ask.name.trim().chars().take(LONGEST_NAME).collect();
        let seat = Seat {
            name: if name.is_empty() { "?".into() } else { name },
            kind: match ask.role {
                SubjectRole::Mate => ProgramRole::Defender,
                SubjectRole::Withstand => ProgramRole::Attacker,
            },
            positions: ask.positions.clamp(1, MOST_POSITIONS) as usize,
        };
        let stayed = seat.sit(&folder.join(PEOPLE), ask.quick, SEED, &mut person);
        let at = SubjectEvent { what: SubjectNews::Finished, position: None, ..person.at };
        match stayed {
            Ok(false) => None,
            Ok(true) => {
                self.write_tables(folder, ask.quick);
                Some(SubjectEvent { people: self.people(ask.quick), ..at })
            }
            Err(error) => Some(SubjectEvent { trouble: Some(fault(error.to_string())), ..at }),
        }
    }
}

fn fault(why: impl Into<String>) -> Fault {
    Fault::new(FaultCode::BadValue, why)
}

/// What went wrong; nothing where the run was only stopped.
fn trouble(error: RunsError) -> String {
    match error {
        RunsError::Stage(StageError::Incomplete { .. } | StageError::Ended) => String::new(),
        error => error.to_string(),
    }
}

/// Tells how far a run is.
struct Watch<'a> {
    clock: Clock,
    start: Duration,
    longest: Option<Duration>,
    stop: &'a StopToken,
    emit: &'a (dyn Fn(RunEvent) + Sync),
    /// How it stands, and when it was last reported.
    state: Mutex<(RunEvent, Option<Duration>)>,
}

impl Watch<'_> {
    fn lock(&self) -> MutexGuard<'_, (RunEvent, Option<Duration>)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut RunEvent), at_once: bool) {
        let now = self.clock.now();
        let mut state = self.lock();
        change(&mut state.0);
        let time = now.saturating_sub(self.start);
        state.0.time = time.as_millis() as u64;
        if self.longest.is_some_and(|longest| time > longest) {
            self.stop.stop();
        }
        if at_once || state.1.is_none_or(|last| now.saturating_sub(last) >= INTERVAL) {
            state.1 = Some(now);
            (self.emit)(state.0.clone());
        }
    }
}

impl StageProgress for Watch<'_> {
    fn begin(&self, stage: &str, total: usize, done: usize) {
        let change = |event: &mut RunEvent| {
            event.stage = stage.to_string();
            (event.done, event.total) = (done as u32, total as u32);
        };
        self.change(change, true);
    }

    fn advance(&self) {
        self.change(|event| event.done += 1, false);
    }

    fn end(&self) {}
}

/// The person behind the page.
struct Person<'a> {
    stop: &'a StopToken,
    answers: &'a Receiver<SubjectMoveAsk>,
    emit: &'a dyn Fn(SubjectEvent),
    clock: &'a Clock,
    at: SubjectEvent,
}

fn blank() -> SubjectEvent {
    SubjectEvent {
        what: SubjectNews::Finished,
        turn: 0,
        number: 0,
        of: 0,
        position: None,
        mv: None,
        time: 0,
        people: Vec::new(),
        trouble: None,
    }
}

impl Person<'_> {
    fn say(&self, what: SubjectNews, position: &Position, event: SubjectEvent) {
        let view = position_view(position, EnteringKingRule::NoEnteringKing);
        (self.emit)(SubjectEvent { what, position: Some(view), ..event });
    }
}

impl Subject for Person<'_> {
    fn ask(&mut self, position: &Position, time: Duration) -> SubjectReply {
        self.at.turn += 1;
        let event = SubjectEvent { time: time.as_millis() as u64, ..self.at.clone() };
        self.say(SubjectNews::Asked, position, event);
        let begun = self.clock.now();
        loop {
            let used = self.clock.now().saturating_sub(begun);
            if self.stop.is_stopped() {
                return SubjectReply::Leaves;
            }
            if used >= time + LATE {
                return SubjectReply::Fails;
            }
            match self.answers.recv_timeout(LOOK) {
                Ok(answer) if answer.turn != self.at.turn => {}
                // The session has made sure that the move is legal.
                Ok(answer) => {
                    let mv = answer.mv.and_then(|text| text.parse().ok());
                    let legal = mv.filter(|&mv| position.is_legal(mv));
                    return legal.map_or(SubjectReply::Fails, SubjectReply::Plays);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return SubjectReply::Leaves,
            }
        }
    }

    fn notify(&mut self, position: &Position, notice: &SubjectNotice) {
        let at = self.at.clone();
        match *notice {
            SubjectNotice::Begins(number, of) => {
                (self.at.number, self.at.of) = (number as u32, of as u32);
                self.say(SubjectNews::Begins, position, self.at.clone());
            }
            SubjectNotice::Played(mv) => {
                let event = SubjectEvent { mv: Some(move_view(position, mv)), ..at };
                let mut after = position.clone();
                after.play(mv);
                self.say(SubjectNews::Played, &after, event);
            }
            SubjectNotice::Repeats(mv) => {
                let mv = mv.map(|mv| move_view(position, mv));
                self.say(SubjectNews::Repeats, position, SubjectEvent { mv, ..at });
            }
            SubjectNotice::Over(true) => self.say(SubjectNews::Found, position, at),
            SubjectNotice::Over(false) => self.say(SubjectNews::Missed, position, at),
        }
    }
}
