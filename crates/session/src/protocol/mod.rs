//! The messages: what a page asks, what it is answered, and what it receives while work goes on.

mod analysis;
mod board;
mod fault;
mod game;
mod go;
mod laboratory;
mod mate;
mod record;
mod state;

pub use analysis::*;
pub use board::*;
pub use fault::*;
pub use game::*;
pub use go::*;
pub use laboratory::*;
pub use mate::*;
pub use record::*;
pub use state::*;

use serde::{Deserialize, Serialize};

/// The version of the protocol; a page of another version has to load anew.
pub const VERSION: u32 = 1;

/// A question of the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    /// Chosen by the page; the answer carries it.
    pub id: u32,
    /// What is asked.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What can be asked, by `kind`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ask {
    /// The first message of a connection; answered by `opened`.
    Open(OpenAsk),
    /// The session as it stands; answered by `state`.
    State,
    /// The session as text, for the page to keep; answered by `saved`.
    Save,
    /// Ends the session and forgets it; answered by `done`.
    Close,
    /// Keeps a value of the page's own under a name; answered by `done`.
    Keep(KeepAsk),
    /// Stops a task; answered by `done`, the task ends with its last event.
    Stop(StopAsk),

    /// Looks at a position; answered by `position`.
    Position(PositionAsk),
    /// Tries a move; answered by `tried`, with the reason if it is illegal.
    TryMove(TryMoveAsk),
    /// A position set up piece by piece; answered by `position`, or a fault that says what is
    /// wrong.
    Edit(EditAsk),
    /// A line of moves in all notations; answered by `line`.
    Line(LineAsk),
    /// A picture of a position; answered by `picture`.
    Picture(PictureAsk),

    /// Reads a record; answered by `records`.
    ReadRecord(ReadRecordAsk),
    /// Writes a record; answered by `file`.
    WriteRecord(WriteRecordAsk),

    /// Begins a game in place of the one before; answered by `game`.
    NewGame(NewGameAsk),
    /// The game as it stands; answered by `game`.
    Game,
    /// Plays a move; answered by `game`. The engine's answer comes as an event `game`.
    Move(MoveAsk),
    /// Takes back to the player's own last move; answered by `game`.
    TakeBack,
    /// What would the engine play? Answered by `started`, then an event `hint`.
    Hint,
    /// Gives up; answered by `game`.
    Resign,
    /// Declares a win by the entering-king rule; answered by `game`, or a fault with the points.
    Declare,
    /// Claims that time is over for whoever is to move; answered by `game`.
    Claim,
    /// The game as a file; answered by `file`.
    WriteGame(WriteGameAsk),

    /// Starts to analyse a position in place of what was analysed before; answered by `started`,
    /// then events `analysis`.
    Analyse(AnalyseAsk),
    /// Analyses a whole game; answered by `started`, then events `game-analysis`.
    AnalyseGame(AnalyseGameAsk),
    /// What each group of features gives; answered by `explanation`.
    Explain(PositionAsk),

    /// Solves a mate problem; answered by `started`, then events `mate`.
    SolveMate(SolveMateAsk),
    /// A node of the proof with its moves; answered by `mate-node`.
    MateNode(MateNodeAsk),
    /// The attacker's move of the proof; answered by `mate-hint`.
    MateHint(MateNodeAsk),
    /// The user moves in the problem and the proof answers; answered by `started`, then an event
    /// `mate-reply`.
    MatePlay(MatePlayAsk),
    /// Checks the proof anew; answered by `started`, then an event `mate-verified`.
    VerifyMate,
    /// Judges a problem as a composition; answered by `started`, then events `mate-progress` and
    /// an event `judgement`.
    Judge(JudgeAsk),
    /// The proof or the solution with its variations as a file; answered by `file`.
    WriteMate(WriteMateAsk),
    /// The problems that the project carries; answered by `collections`.
    Collections,
    /// One of them; answered by `problem`.
    Problem(ProblemAsk),

    /// Reads a Go position; answered by `go-board`.
    ReadGo(ReadGoAsk),
    /// Plays a stone; answered by `go-board`.
    PlayGo(PlayGoAsk),
    /// The candidates of a capture; answered by `go-candidates`.
    GoCandidates(GoCandidatesAsk),
    /// Solves a capture; answered by `started`, then events `go`.
    SolveGo(SolveGoAsk),

    /// The experiments and their results on this computer; answered by `laboratory`.
    Laboratory,
    /// Runs an experiment, or goes on with it; answered by `started`, then events `run`.
    RunExperiment(RunExperimentAsk),
    /// The user is the subject of an experiment; answered by `started`, then events `subject`.
    BeSubject(BeSubjectAsk),
    /// The subject's move; answered by `done`.
    SubjectMove(SubjectMoveAsk),
}

/// What the page receives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Message {
    /// The answer to a request.
    Answer {
        /// The request's.
        id: u32,
        /// What was asked for.
        answer: Box<Answer>,
    },
    /// A request that could not be answered.
    Fault {
        /// The request's; null if it could not be read.
        id: Option<u32>,
        /// What is wrong.
        fault: Fault,
    },
    /// News of a task.
    Event {
        /// The task's.
        task: u32,
        /// The news.
        event: Box<Event>,
    },
}

/// Answers, by `kind`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Answer {
    /// To `open`.
    Opened(Opened),
    /// To `state`.
    State(SessionState),
    /// To `save`.
    Saved(Saved),
    /// It is done.
    Done,
    /// A task was started; its events follow.
    Started(Started),
    /// A position.
    Position(PositionView),
    /// To `try-move`.
    Tried(Tried),
    /// To `line`.
    Line(LineView),
    /// To `picture`.
    Picture(PictureView),
    /// To `read-record`.
    Records(Records),
    /// A file to save.
    File(FileView),
    /// The game.
    Game(GameView),
    /// To `explain`.
    Explanation(ExplanationView),
    /// To `mate-node`.
    MateNode(MateNodeView),
    /// To `mate-hint`.
    MateHint(MateHintView),
    /// To `collections`.
    Collections(Collections),
    /// To `problem`.
    Problem(ProblemView),
    /// A Go position.
    GoBoard(GoBoardView),
    /// To `go-candidates`.
    GoCandidates(GoCandidatesView),
    /// To `laboratory`.
    Laboratory(LaboratoryView),
}

/// News of tasks, by `kind`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// The engine has moved, resigned or declared in the game.
    Game(GameEvent),
    /// To `hint`.
    Hint(HintEvent),
    /// To `analyse`: the lines as they stand.
    Analysis(AnalysisEvent),
    /// To `analyse-game`: how far it is, and in the end everything.
    GameAnalysis(GameAnalysisEvent),
    /// To `solve-mate` while it runs.
    MateProgress(ProofProgress),
    /// To `solve-mate`: the answer.
    Mate(MateEvent),
    /// To `mate-play`.
    MateReply(MateReply),
    /// To `verify-mate`.
    MateVerified(MateVerified),
    /// To `judge`.
    Judgement(CompositionView),
    /// To `solve-go` while it runs.
    GoProgress(ProofProgress),
    /// To `solve-go`: the answer.
    Go(GoEvent),
    /// To `run-experiment`: how far it is, and in the end what came out.
    Run(RunEvent),
    /// To `be-subject`: what happens on the board, and in the end the table.
    Subject(SubjectEvent),
    /// The task has ended without its answer: it was stopped, or it failed.
    Ended(TaskEnded),
}

impl Event {
    /// Whether a later event of the same kind makes this one superfluous, so that a page that reads
    /// slowly may be spared it.
    #[must_use]
    pub fn is_progress(&self) -> bool {
        match self {
            Event::MateProgress(_) | Event::GoProgress(_) => true,
            Event::Analysis(event) => !event.finished,
            Event::GameAnalysis(event) => !event.finished,
            Event::Run(event) => !event.finished,
            _ => false,
        }
    }
}
