// The messages between the page and its session, made from crates/session/src/protocol.
// `YOMIKIRI_BLESS=1 cargo test -p yomikiri-session typescript` writes this file anew.

/**
 * Analyses a position.
 */
export type AnalyseAsk = { 
/**
 * Which.
 */
at?: Place | null, 
/**
 * Lines to give (MultiPV); 1 if absent.
 */
lines?: number | null, 
/**
 * Its limits.
 */
limits?: LimitsAsk | null, };

/**
 * Analyses a game.
 */
export type AnalyseGameAsk = { 
/**
 * The record, of which the main line is analysed; the session's game if absent.
 */
record?: RecordInput | null, 
/**
 * Nodes for each position; 20,000 if absent.
 */
nodes?: number | null, 
/**
 * Centipawns that a blunder loses; 300 if absent.
 */
blunder?: number | null, };

/**
 * The engine's view of a position of a game and of the move that led there.
 */
export type AnalysedPoint = { 
/**
 * Moves played before the position.
 */
ply: number, 
/**
 * The move that led here; null at the start.
 */
move: MoveView | null, 
/**
 * The value of the position.
 */
value: ValueView, 
/**
 * The best line from here.
 */
line: Array<MoveView>, 
/**
 * The best move instead of the one that led here.
 */
better: MoveView | null, 
/**
 * Centipawns that the move lost for its side, never negative.
 */
lost: number, 
/**
 * What is to be said of the move.
 */
judgement: JudgementView | null, };

/**
 * The lines as they stand.
 */
export type AnalysisEvent = { 
/**
 * The position in SFEN.
 */
sfen: string, 
/**
 * Plies searched.
 */
depth: number, 
/**
 * The farthest ply reached.
 */
selectiveDepth: number, 
/**
 * Nodes visited.
 */
nodes: number, 
/**
 * Nodes a second.
 */
nps: number, 
/**
 * Milliseconds since the start.
 */
time: number, 
/**
 * How full the table is, per mille.
 */
fullness: number, 
/**
 * The lines, best first.
 */
lines: Array<AnalysisLine>, 
/**
 * Whether this is the last event of the task.
 */
finished: boolean, };

/**
 * A line of the engine.
 */
export type AnalysisLine = { 
/**
 * From 1.
 */
number: number, 
/**
 * Plies searched for this line.
 */
depth: number, 
/**
 * Its value.
 */
value: ValueView, 
/**
 * Its moves.
 */
moves: Array<MoveView>, };

/**
 * Answers, by `kind`.
 */
export type Answer = { "kind": "opened" } & Opened | { "kind": "state" } & SessionState | { "kind": "saved" } & Saved | { "kind": "done" } | { "kind": "started" } & Started | { "kind": "position" } & PositionView | { "kind": "tried" } & Tried | { "kind": "line" } & LineView | { "kind": "picture" } & PictureView | { "kind": "records" } & Records | { "kind": "file" } & FileView | { "kind": "game" } & GameView | { "kind": "explanation" } & ExplanationView | { "kind": "mate-node" } & MateNodeView | { "kind": "mate-hint" } & MateHintView | { "kind": "collections" } & Collections | { "kind": "problem" } & ProblemView | { "kind": "go-board" } & GoBoardView | { "kind": "go-candidates" } & GoCandidatesView | { "kind": "laboratory" } & LaboratoryView;

/**
 * The user is the subject.
 */
export type BeSubjectAsk = { 
/**
 * Under which name the results are kept; positions that it has played are not asked again.
 */
name: string, 
/**
 * What to do.
 */
role: SubjectRole, 
/**
 * How many positions.
 */
positions: number, 
/**
 * Whether with the positions and the effort of the short form.
 */
quick?: boolean, };

/**
 * A board with what stands beside it.
 */
export type Board = { 
/**
 * The pieces, rank by rank from 9a.
 */
pieces: Array<PieceOn>, 
/**
 * The hands, rooks first.
 */
hands: BySide<Array<HeldPiece>>, 
/**
 * Who is to move.
 */
side: Side, 
/**
 * Number of the move to come.
 */
moveNumber: number, };

/**
 * What a value says.
 */
export type BoundView = "exact" | "at-least" | "at-most";

/**
 * Something for each side.
 */
export type BySide<T> = { 
/**
 * Black's.
 */
black: T, 
/**
 * White's.
 */
white: T, };

/**
 * The answer, seen from the side that moves first.
 */
export type CaptureAnswer = "unconditional" | "cannot" | "ko-opponent-threatens" | "ko-must-threaten" | "unknown";

/**
 * Which moves a search tries.
 */
export type CaptureMoves = "all" | "zones" | "candidates";

/**
 * Who moves first.
 */
export type CaptureRole = "attacker" | "defender";

/**
 * What can be chosen.
 */
export type Choices = { 
/**
 * The engine's levels.
 */
levels: Array<LevelView>, 
/**
 * The handicaps' Japanese names.
 */
handicaps: Array<string>, 
/**
 * The entering-king rules.
 */
rules: Array<string>, 
/**
 * The formats in which records are written.
 */
formats: Array<string>, 
/**
 * Most lines of an analysis.
 */
mostLines: number, 
/**
 * Whether long runs and reports are to be had (there is a server).
 */
server: boolean, };

/**
 * What the players agree on, in milliseconds.
 */
export type ClockAsk = { 
/**
 * For the whole game.
 */
main: number, 
/**
 * For each move after that.
 */
byoyomi: number, 
/**
 * Added before each move.
 */
increment: number, };

/**
 * A clock as it stands.
 */
export type ClockSide = { 
/**
 * Milliseconds of main time that are left, the increment of the present move included.
 */
main: number, 
/**
 * Milliseconds of byoyomi that are left for the present move.
 */
byoyomi: number, };

/**
 * The clocks as they stand when the message is sent.
 */
export type ClockView = { 
/**
 * What was agreed on.
 */
agreed: ClockAsk, 
/**
 * What is left.
 */
left: BySide<ClockSide>, 
/**
 * Whose clock runs; null after the end.
 */
running: Side | null, };

/**
 * A collection of problems.
 */
export type CollectionView = { 
/**
 * Its name in requests.
 */
id: string, 
/**
 * Its name in English.
 */
english: string, 
/**
 * Its name in Japanese.
 */
japanese: string, 
/**
 * The problems' names and lengths.
 */
problems: Array<ProblemEntry>, };

/**
 * The problems that the project carries.
 */
export type Collections = { 
/**
 * One entry each.
 */
collections: Array<CollectionView>, };

/**
 * The verdict in one word: `sound`, `faulty`, `undecided` or `no-mate`; faults by the names that
 * `solve --judge` has for them.
 */
export type CompositionView = { 
/**
 * The problem in SFEN.
 */
sfen: string, 
/**
 * The verdict.
 */
ruling: "sound" | "faulty" | "undecided" | "no-mate", 
/**
 * The main line.
 */
line: Array<MoveView>, 
/**
 * Faults and flaws, in the order of the plies.
 */
faults: Array<FaultView>, 
/**
 * What the limits left open.
 */
open: Array<OpenView>, 
/**
 * What else there is to say.
 */
facts: FactsView, 
/**
 * Nodes visited.
 */
nodes: number, 
/**
 * Milliseconds.
 */
time: number, };

/**
 * The points of a declaration.
 */
export type DeclarationView = { 
/**
 * The rule, such as `CSARule27`.
 */
rule: string, 
/**
 * Whether the side to move wins by declaring now.
 */
wins: boolean, 
/**
 * Whether a declaration gives no contest (24-point rules).
 */
noContest: boolean, 
/**
 * The king's move that wins by the try rule.
 */
tryMove: string | null, 
/**
 * Points of the side to move.
 */
points: number, 
/**
 * Points that a win takes; null where points do not count.
 */
needed: number | null, 
/**
 * Whether the king stands in the far three ranks.
 */
kingEntered: boolean, 
/**
 * Own pieces there beside the king; ten are needed.
 */
piecesEntered: number, 
/**
 * Whether the side to move is in check.
 */
inCheck: boolean, 
/**
 * Where the points come from.
 */
parts: Array<PointsPart>, };

/**
 * Sets up a position.
 */
export type EditAsk = { 
/**
 * The board.
 */
board: Board, 
/**
 * For a mate problem: whatever is not on the board or in the attacker's hand goes to the
 * defender's.
 */
fill?: boolean, };

/**
 * An ending, as text or as it was sent to the page.
 */
export type EndInput = string | { 
/**
 * In Japanese.
 */
japanese: string, };

/**
 * The ends of games.
 */
export type EndKind = "mate" | "no-moves" | "resign" | "timeout" | "repetition" | "perpetual-check" | "declaration" | "try" | "impasse" | "maximum-moves" | "illegal-move" | "interrupted" | "no-mate" | "draw" | "default" | "other";

/**
 * How a game has ended.
 */
export type EndView = { 
/**
 * Which end.
 */
end: EndKind, 
/**
 * In Japanese, as records write it.
 */
japanese: string, 
/**
 * Who has won; null for a draw or no result.
 */
winner: Side | null, };

/**
 * Why a task has ended without an answer.
 */
export type EndedReason = "stopped" | "failed";

/**
 * News of tasks, by `kind`.
 */
export type Event = { "kind": "game" } & GameEvent | { "kind": "hint" } & HintEvent | { "kind": "analysis" } & AnalysisEvent | { "kind": "game-analysis" } & GameAnalysisEvent | { "kind": "mate-progress" } & ProofProgress | { "kind": "mate" } & MateEvent | { "kind": "mate-reply" } & MateReply | { "kind": "mate-verified" } & MateVerified | { "kind": "judgement" } & CompositionView | { "kind": "go-progress" } & ProofProgress | { "kind": "go" } & GoEvent | { "kind": "run" } & RunEvent | { "kind": "subject" } & SubjectEvent | { "kind": "ended" } & TaskEnded;

/**
 * An experiment.
 */
export type ExperimentView = { 
/**
 * Its name in requests.
 */
name: string, 
/**
 * Its title in English.
 */
title: string, 
/**
 * The title in Japanese.
 */
titleJa: string, 
/**
 * What it asks, in English.
 */
question: string, 
/**
 * What it asks, in Japanese.
 */
questionJa: string, 
/**
 * Seconds of work on one core that the short form took where it was measured.
 */
quick: number | null, 
/**
 * The same of the whole.
 */
whole: number | null, 
/**
 * What was measured on this computer.
 */
own: ResultView | null, };

/**
 * The linear evaluation taken apart, centipawns for black.
 */
export type ExplanationView = { 
/**
 * The position in SFEN.
 */
sfen: string, 
/**
 * Who is to move.
 */
side: Side, 
/**
 * Material.
 */
material: number, 
/**
 * The groups of features.
 */
groups: Array<FeatureGroup>, 
/**
 * How far the game has come, 0 to 1.
 */
stage: number, 
/**
 * The whole.
 */
total: number, };

/**
 * What a record of a problem says beside its solution.
 */
export type FactsView = { 
/**
 * Plies of the main line.
 */
plies: number, 
/**
 * Pieces on the board and in the attacker's hand.
 */
pieces: number, 
/**
 * Whether both kings stand on the board (双玉).
 */
bothKings: boolean, 
/**
 * Plies at which a pawn drop would mate and is illegal (打歩詰).
 */
pawnDropMates: Array<number>, 
/**
 * Plies at which the attacker declines to promote (不成).
 */
declinedPromotions: Array<number>, 
/**
 * Named forms: `smoke`, `naked-king`, `no-attackers`, `centre`.
 */
forms: ("smoke" | "naked-king" | "no-attackers" | "centre")[], };

/**
 * What is wrong with a request. The page says it in the reader's language by `code`; the message
 * has the details, such as what is wrong in a file.
 */
export type Fault = { 
/**
 * Which fault.
 */
code: FaultCode, 
/**
 * In English, with details.
 */
message: string, 
/**
 * The message in Japanese, where there is one in it.
 */
japanese: string, 
/**
 * The line of the text, from 1, where it has one.
 */
line: number | null, 
/**
 * Why the move is illegal, where it is.
 */
illegal: Illegal | null, };

/**
 * The faults.
 */
export type FaultCode = "bad-request" | "out-of-order" | "other-version" | "bad-position" | "illegal-move" | "bad-record" | "bad-value" | "no-game" | "game-over" | "not-your-turn" | "not-declarable" | "time-left" | "nothing-to-take-back" | "no-task" | "no-proof" | "not-in-proof" | "no-problem" | "bad-go" | "no-target" | "too-large" | "busy" | "not-kept" | "no-laboratory" | "internal";

/**
 * A fault, or a flaw that leaves the problem sound.
 */
export type FaultView = { 
/**
 * Its kind: `early-mate`, `other-mate`, ..
 */
kind: "no-mate" | "early-mate" | "other-mate" | "transposition" | "detour" | "last-move" | "free-distance" | "free-promotion" | "long-variation" | "equal-variation" | "leftover" | "useless-piece", 
/**
 * Whether it is a flaw only.
 */
minor: boolean, 
/**
 * The ply at which it departs from the main line, from 1; 0 where it concerns the problem.
 */
ply: number, 
/**
 * The position in which it is made in SFEN; the problem without the piece for one too many.
 */
sfen: string, 
/**
 * The move, where there is one.
 */
move: MoveView | null, 
/**
 * Plies to mate with it.
 */
length: number | null, 
/**
 * Positions of its proof, which was checked.
 */
proof: number | null, };

/**
 * A group of features.
 */
export type FeatureGroup = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value at this stage.
 */
value: number, 
/**
 * Its value at the beginning of a game.
 */
opening: number, 
/**
 * Its value at the end.
 */
endgame: number, };

/**
 * A file to save.
 */
export type FileView = { 
/**
 * A name for it.
 */
name: string, 
/**
 * Its MIME type.
 */
mime: string, 
/**
 * Its bytes.
 */
base64: string, 
/**
 * Its text, decoded.
 */
text: string, };

/**
 * A finding of a paper beside ours.
 */
export type FindingView = { 
/**
 * What the paper says; in English, by which reports name it.
 */
claim: string, 
/**
 * The same in Japanese; empty where there is none.
 */
claimJa: string, 
/**
 * Its figures.
 */
published: string, 
/**
 * Ours.
 */
ours: string, 
/**
 * The verdict.
 */
verdict: "holds" | "partly" | "fails" | "open", 
/**
 * Why.
 */
words: string, 
/**
 * The same in Japanese; empty where there is none.
 */
wordsJa: string, };

/**
 * How far the analysis of a game is.
 */
export type GameAnalysisEvent = { 
/**
 * Positions that are done.
 */
done: number, 
/**
 * Positions in all.
 */
total: number, 
/**
 * The view of positions: the newest ones, and all of them in the last event.
 */
points: Array<AnalysedPoint>, 
/**
 * The moves that decided it, by number; in the last event.
 */
moments: Array<number>, 
/**
 * Whether this is the last event of the task.
 */
finished: boolean, };

/**
 * The engine has moved.
 */
export type GameEvent = { 
/**
 * The game after it.
 */
game: GameView, };

/**
 * The game.
 */
export type GameView = { 
/**
 * The engine's level.
 */
level: number, 
/**
 * The user's side.
 */
side: Side, 
/**
 * The handicap's Japanese name, if the start is one.
 */
handicap: string | null, 
/**
 * The entering-king rule.
 */
rule: string, 
/**
 * The starting position in SFEN.
 */
start: string, 
/**
 * The moves so far.
 */
moves: Array<PlayedMove>, 
/**
 * The position.
 */
position: PositionView, 
/**
 * The clocks; null without.
 */
clock: ClockView | null, 
/**
 * The task in which the engine thinks about its move.
 */
thinking: number | null, 
/**
 * How it ended; null while it goes on.
 */
end: EndView | null, 
/**
 * Whether there is a move of the user to take back.
 */
canTakeBack: boolean, };

/**
 * A Go position. Points are written as `D4`; the letter I is left out.
 */
export type GoBoard = { 
/**
 * 2 to 19.
 */
size: number, 
/**
 * Black's stones.
 */
black: Array<string>, 
/**
 * White's stones.
 */
white: Array<string>, 
/**
 * The point that ko forbids.
 */
ko?: string | null, };

/**
 * A Go position with what the page shows of it.
 */
export type GoBoardView = { 
/**
 * The position.
 */
board: GoBoard, 
/**
 * Who is to move.
 */
toMove: StoneColour, 
/**
 * The last stone.
 */
last: string | null, 
/**
 * Moves played, of a file.
 */
moves: number, 
/**
 * What had to be bent to read a file, in English.
 */
notes: Array<string>, };

/**
 * A candidate.
 */
export type GoCandidate = { 
/**
 * The point.
 */
point: string, 
/**
 * Its threat level, 1 the most urgent.
 */
level: number, 
/**
 * The number with which a search of it begins.
 */
number: number, };

/**
 * Asks for the candidates of a capture.
 */
export type GoCandidatesAsk = { 
/**
 * The position.
 */
board: GoBoard, 
/**
 * A stone of the block.
 */
target: string, };

/**
 * The block and the points that matter for its capture.
 */
export type GoCandidatesView = { 
/**
 * Whose block it is.
 */
colour: StoneColour, 
/**
 * Its stones.
 */
stones: Array<string>, 
/**
 * Its liberties.
 */
liberties: Array<string>, 
/**
 * The candidates.
 */
candidates: Array<GoCandidate>, };

/**
 * The answer to a capture problem.
 */
export type GoEvent = { 
/**
 * The answer.
 */
answer: CaptureAnswer, 
/**
 * Why it is not known.
 */
why: UnknownReason | null, 
/**
 * Whether heuristic moves alone were tried: no proof.
 */
heuristic: boolean, 
/**
 * The expected sequence.
 */
line: Array<GoStep>, 
/**
 * Nodes of all searches.
 */
nodes: number, 
/**
 * Milliseconds.
 */
time: number, 
/**
 * Positions that the independent check looked at; null if it did not see the end.
 */
checked: number | null, };

/**
 * A move of the expected sequence.
 */
export type GoStep = { 
/**
 * Whose move.
 */
colour: StoneColour, 
/**
 * The point, or `pass`.
 */
point: string, 
/**
 * The position after it.
 */
board: GoBoard, };

/**
 * A header.
 */
export type HeaderView = { 
/**
 * As KIF names it: `先手`, `棋戦`.
 */
key: string, 
/**
 * Its value.
 */
value: string, };

/**
 * Pieces of a kind in hand.
 */
export type HeldPiece = { 
/**
 * What it is.
 */
piece: PieceKind, 
/**
 * How many.
 */
count: number, };

/**
 * A hint.
 */
export type HintEvent = { 
/**
 * The position in SFEN.
 */
sfen: string, 
/**
 * The line, its first move being the hint; empty where the engine would resign.
 */
moves: Array<MoveView>, 
/**
 * Its value.
 */
value: ValueView, 
/**
 * Whether to declare a win instead of moving.
 */
declare: boolean, };

/**
 * Why a move is illegal.
 */
export type Illegal = { 
/**
 * The rule.
 */
reason: IllegalReason, 
/**
 * The squares that show it: the pawn that is there, the piece that gives check.
 */
squares: Array<string>, };

/**
 * The rules that forbid moves.
 */
export type IllegalReason = "not-a-move" | "no-piece" | "not-your-piece" | "not-in-hand" | "occupied" | "cannot-reach" | "no-moves-left" | "cannot-promote" | "two-pawns" | "pawn-drop-mate" | "check-ignored" | "king-exposed";

/**
 * Judges a problem as a composition.
 */
export type JudgeAsk = { 
/**
 * The problem.
 */
at?: Place | null, 
/**
 * Who mates; as in `solve-mate` if absent.
 */
attacker?: Side | null, 
/**
 * Milliseconds at most, for the whole verdict.
 */
time?: number | null, 
/**
 * Nodes at most.
 */
nodes?: number | null, 
/**
 * Whether to look for pieces that are not needed (不要駒).
 */
useless?: boolean | null, };

/**
 * What is to be said of a move.
 */
export type JudgementView = "blunder" | "missed-mate";

/**
 * Keeps a value.
 */
export type KeepAsk = { 
/**
 * Its name.
 */
name: string, 
/**
 * The value; null forgets it.
 */
value: unknown, };

/**
 * The experiments, and what was measured on this computer.
 */
export type LaboratoryView = { 
/**
 * Every experiment.
 */
experiments: Array<ExperimentView>, 
/**
 * Whether they can be run here: results need a folder.
 */
runs: boolean, 
/**
 * Everybody who was a subject, the players of the paper first.
 */
people: Array<SubjectRow>, };

/**
 * A level of the engine.
 */
export type LevelView = { 
/**
 * 1, a beginner, to 15, everything the engine can.
 */
number: number, 
/**
 * How many moves it thinks about; null for all.
 */
candidates: number | null, 
/**
 * Nodes for a move at most; null for no limit.
 */
nodes: number | null, 
/**
 * Measured Elo above the level below; null where it was not measured.
 */
eloAbove: number | null, };

/**
 * Limits of a search; without any it runs until it is stopped.
 */
export type LimitsAsk = { 
/**
 * Plies.
 */
depth?: number | null, 
/**
 * Nodes.
 */
nodes?: number | null, 
/**
 * Milliseconds.
 */
time?: number | null, };

/**
 * A line of moves.
 */
export type LineAsk = { 
/**
 * Where it begins.
 */
at?: Place | null, 
/**
 * The moves in USI; the line ends before the first that is illegal.
 */
moves: Array<string>, };

/**
 * A line of moves with their positions.
 */
export type LineView = { 
/**
 * The moves.
 */
moves: Array<MoveView>, 
/**
 * The position after each.
 */
sfens: Array<string>, };

/**
 * A move of the proof.
 */
export type MateChild = { 
/**
 * The move.
 */
move: MoveView, 
/**
 * Plies to mate after it.
 */
length: number, };

/**
 * The answer to a problem.
 */
export type MateEvent = { 
/**
 * The problem in SFEN.
 */
sfen: string, 
/**
 * Who mates.
 */
attacker: Side, 
/**
 * The answer.
 */
verdict: MateVerdict, 
/**
 * Why it is not known.
 */
why: UnknownReason | null, 
/**
 * Plies by convention, of a mate.
 */
length: number | null, 
/**
 * Whether this is the shortest.
 */
exact: boolean, 
/**
 * Plies at most when everything counts.
 */
rawLength: number | null, 
/**
 * Mate: the proof was checked. No mate: another search says the same.
 */
verified: boolean, 
/**
 * The attacker's best and the defender's longest.
 */
line: Array<MoveView>, 
/**
 * What the attacker has left.
 */
leftInHand: Array<HeldPiece>, 
/**
 * Nodes of the proof that can be walked; 0 without.
 */
proofNodes: number, 
/**
 * Nodes visited.
 */
nodes: number, 
/**
 * Milliseconds.
 */
time: number, };

/**
 * The attacker's move.
 */
export type MateHintView = { 
/**
 * The move.
 */
move: MoveView, 
/**
 * Plies to mate at most, this move and everything counted.
 */
left: number, };

/**
 * A node of the proof, by the moves that lead to it from the problem.
 */
export type MateNodeAsk = { 
/**
 * In USI.
 */
moves: Array<string>, };

/**
 * A node of the proof.
 */
export type MateNodeView = { 
/**
 * The moves that lead here.
 */
path: Array<MoveView>, 
/**
 * The position.
 */
position: PositionView, 
/**
 * Whether the attacker is to move.
 */
attacker: boolean, 
/**
 * Plies to mate by convention in this proof; 0 where it is mate.
 */
length: number, 
/**
 * The attacker's move, or every defence, the longest resistance first.
 */
children: Array<MateChild>, };

/**
 * The user moves in the problem that was solved.
 */
export type MatePlayAsk = { 
/**
 * The moves so far.
 */
moves: Array<string>, 
/**
 * The user's move.
 */
move: string, };

/**
 * How the user's move was answered.
 */
export type MateReply = { 
/**
 * How the problem stands after the user's move.
 */
verdict: ReplyVerdict, 
/**
 * The answer; null where there is none.
 */
reply: MoveView | null, 
/**
 * All moves, the user's and the answer included.
 */
moves: Array<string>, 
/**
 * The position after them.
 */
position: PositionView, 
/**
 * Plies to mate at most from there; null if not known.
 */
left: number | null, };

/**
 * What was found out.
 */
export type MateVerdict = "mate" | "no-mate" | "unknown";

/**
 * What the check of a proof says.
 */
export type MateVerified = { 
/**
 * Whether it stands.
 */
verified: boolean, 
/**
 * Positions that were walked through.
 */
positions: number, 
/**
 * Plies until mate at most.
 */
plies: number, 
/**
 * What is wrong, in English.
 */
flaw: string | null, };

/**
 * What the page receives.
 */
export type Message = { "type": "answer", 
/**
 * The request's.
 */
id: number, 
/**
 * What was asked for.
 */
answer: Answer, } | { "type": "fault", 
/**
 * The request's; null if it could not be read.
 */
id: number | null, 
/**
 * What is wrong.
 */
fault: Fault, } | { "type": "event", 
/**
 * The task's.
 */
task: number, 
/**
 * The news.
 */
event: Event, };

/**
 * Plays a move.
 */
export type MoveAsk = { 
/**
 * The move in USI.
 */
move: string, 
/**
 * How many moves were played before, so that a move that was sent twice is played once.
 */
ply?: number | null, };

/**
 * A move, as text or as it was sent to the page.
 */
export type MoveInput = string | { 
/**
 * In USI.
 */
usi: string, };

/**
 * A move under all its names.
 */
export type MoveView = { 
/**
 * `7g7f`, `8h2b+`, `P*5e`.
 */
usi: string, 
/**
 * `▲７六歩`.
 */
japanese: string, 
/**
 * `P-7f`.
 */
western: string, 
/**
 * Who moves.
 */
side: Side, 
/**
 * The piece before the move.
 */
piece: PieceKind, 
/**
 * Where it comes from; null for a drop.
 */
from: string | null, 
/**
 * Where it goes.
 */
to: string, 
/**
 * Whether it promotes.
 */
promotes: boolean, 
/**
 * What it takes, as it stood on the board.
 */
takes: PieceKind | null, 
/**
 * Whether it gives check.
 */
check: boolean, };

/**
 * Begins a game.
 */
export type NewGameAsk = { 
/**
 * 1, a beginner, to 15, everything the engine can.
 */
level: number, 
/**
 * The user's side.
 */
side: Side, 
/**
 * The Japanese name of a handicap; even if absent.
 */
handicap?: string | null, 
/**
 * The position to begin from instead.
 */
from?: Place | null, 
/**
 * The clocks; none if absent.
 */
clock?: ClockAsk | null, 
/**
 * The entering-king rule; `CSARule27` if absent.
 */
rule?: string | null, 
/**
 * Whether the engine sets problems in lost endgames; it does if absent.
 */
speculative?: boolean | null, 
/**
 * Milliseconds that the highest level thinks without a clock, and that a hint takes.
 */
think?: number | null, 
/**
 * Another number, other games.
 */
seed?: number | null, };

/**
 * A node as the page sends it. A [`NodeView`] is one, too.
 */
export type NodeInput = { 
/**
 * The node before it; none for number 0.
 */
parent?: number | null, 
/**
 * The move in USI, alone or as a `MoveView`.
 */
move?: MoveInput | null, 
/**
 * The end as records name it in Japanese, or an `EndView`.
 */
end?: EndInput | null, 
/**
 * Comments, one line each.
 */
comments?: Array<string> | null, 
/**
 * Milliseconds that the player spent.
 */
spent?: number | null, };

/**
 * A node of a record.
 */
export type NodeView = { 
/**
 * The node before it.
 */
parent: number | null, 
/**
 * The nodes after it, the main line first.
 */
children: Array<number>, 
/**
 * Steps from the start.
 */
ply: number, 
/**
 * The move that was played.
 */
move: MoveView | null, 
/**
 * The end of the game, if this node is one.
 */
end: EndView | null, 
/**
 * The position after it; that before an ending.
 */
sfen: string, 
/**
 * Comments, one line each.
 */
comments: Array<string>, 
/**
 * Milliseconds that the player spent.
 */
spent: number | null, 
/**
 * The value that a comment holds, centipawns for black.
 */
score: number | null, };

/**
 * Opens a session, or comes back to one.
 */
export type OpenAsk = { 
/**
 * The version that the page speaks.
 */
version: number, 
/**
 * The token of the session to come back to.
 */
token?: string | null, 
/**
 * What `save` gave: where the token is not known any more, the session begins with it.
 */
saved?: string | null, };

/**
 * Something that the limits left open.
 */
export type OpenView = { 
/**
 * What is not known.
 */
what: "mate" | "length" | "other-move" | "proof" | "kind" | "variation" | "leftover" | "useless-piece", 
/**
 * As in a fault.
 */
ply: number, 
/**
 * The position in SFEN.
 */
sfen: string, 
/**
 * The move, where there is one.
 */
move: MoveView | null, };

/**
 * The session is open.
 */
export type Opened = { 
/**
 * The version that the session speaks.
 */
version: number, 
/**
 * What to come back with.
 */
token: string, 
/**
 * Whether this session was there before.
 */
resumed: boolean, 
/**
 * Why what was saved could not be taken up, in English.
 */
lost: string | null, 
/**
 * The session as it stands.
 */
state: SessionState, 
/**
 * What can be chosen.
 */
choices: Choices, };

/**
 * Asks for a picture.
 */
export type PictureAsk = { 
/**
 * Of which position; its last move is marked.
 */
at?: Place | null, 
/**
 * Whether white sits at the bottom.
 */
flipped?: boolean | null, };

/**
 * A picture.
 */
export type PictureView = { 
/**
 * As SVG.
 */
svg: string, };

/**
 * A kind of piece, as SFEN writes it.
 */
export type PieceKind = "P" | "L" | "N" | "S" | "G" | "B" | "R" | "K" | "+P" | "+L" | "+N" | "+S" | "+B" | "+R";

/**
 * A piece on the board.
 */
export type PieceOn = { 
/**
 * Such as `7g`.
 */
square: string, 
/**
 * What it is.
 */
piece: PieceKind, 
/**
 * Whose it is.
 */
side: Side, };

/**
 * A position: a start and moves from there.
 */
export type Place = { 
/**
 * SFEN; the start of an even game if absent. A mate problem may lack a king.
 */
sfen?: string | null, 
/**
 * Moves in USI, played from there.
 */
moves?: Array<string> | null, };

/**
 * Plays a stone.
 */
export type PlayGoAsk = { 
/**
 * Where.
 */
board: GoBoard, 
/**
 * Whose stone.
 */
colour: StoneColour, 
/**
 * The point, or `pass`.
 */
point: string, };

/**
 * A move of the game.
 */
export type PlayedMove = { 
/**
 * The move.
 */
move: MoveView, 
/**
 * Milliseconds that it took.
 */
spent: number, 
/**
 * The position after it.
 */
sfen: string, 
/**
 * Why the engine played it, if every move was proven to lose.
 */
speculative: SpeculativeView | null, };

/**
 * Pieces that count for a declaration.
 */
export type PointsPart = { 
/**
 * On the board in the far ranks, or in hand.
 */
inHand: boolean, 
/**
 * The kind, unpromoted.
 */
piece: PieceKind, 
/**
 * How many.
 */
count: number, 
/**
 * Points of all of them.
 */
points: number, };

/**
 * Looks at a position.
 */
export type PositionAsk = { 
/**
 * Which.
 */
at?: Place | null, 
/**
 * The entering-king rule; `CSARule27` if absent.
 */
rule?: string | null, };

/**
 * A position with everything that the page shows of it.
 */
export type PositionView = { 
/**
 * The position itself.
 */
sfen: string, 
/**
 * The board as data.
 */
board: Board, 
/**
 * Every legal move.
 */
legal: Array<MoveView>, 
/**
 * The move that led here.
 */
last: MoveView | null, 
/**
 * The pieces that give check to the side to move.
 */
checkers: Array<string>, 
/**
 * The king in check.
 */
checkedKing: string | null, 
/**
 * How the game has ended with this position, if it has.
 */
end: EndView | null, 
/**
 * What the entering-king rule says for the side to move.
 */
declaration: DeclarationView, };

/**
 * Asks for a problem.
 */
export type ProblemAsk = { 
/**
 * The collection.
 */
collection: string, 
/**
 * The problem.
 */
problem: string, };

/**
 * A line of a collection.
 */
export type ProblemEntry = { 
/**
 * Unique in the collection.
 */
id: string, 
/**
 * Plies of the recorded solution, if one is recorded.
 */
length: number | null, };

/**
 * A problem.
 */
export type ProblemView = { 
/**
 * The collection.
 */
collection: string, 
/**
 * Its name.
 */
id: string, 
/**
 * The position.
 */
position: PositionView, 
/**
 * Who mates.
 */
attacker: Side, 
/**
 * Plies of the recorded solution, if one is recorded.
 */
length: number | null, };

/**
 * How a proof-number search stands.
 */
export type ProofProgress = { 
/**
 * Nodes visited.
 */
nodes: number, 
/**
 * Nodes a second.
 */
nps: number, 
/**
 * Milliseconds since the start.
 */
time: number, 
/**
 * Depth of the search at this moment.
 */
depth: number, 
/**
 * Proof number of the root.
 */
pn: number, 
/**
 * Disproof number of the root.
 */
dn: number, };

/**
 * Reads a position from SGF.
 */
export type ReadGoAsk = { 
/**
 * The file's text.
 */
sgf: string, 
/**
 * The position after this many moves; the last one if absent.
 */
moves?: number | null, };

/**
 * Reads a record: give `text` or `base64`.
 */
export type ReadRecordAsk = { 
/**
 * As text.
 */
text?: string | null, 
/**
 * As the bytes of a file, which may be Shift-JIS.
 */
base64?: string | null, 
/**
 * The file's name, whose ending says the format; else the contents do.
 */
name?: string | null, };

/**
 * A record as the page sends it.
 */
export type RecordInput = { 
/**
 * What stands above the moves.
 */
headers?: Array<HeaderView> | null, 
/**
 * The starting position in SFEN; that of an even game if absent.
 */
start?: string | null, 
/**
 * The nodes; number 0 is the start, a parent comes before its children, of which the first is
 * the main line.
 */
nodes: Array<NodeInput>, };

/**
 * A record as a tree.
 */
export type RecordView = { 
/**
 * What stands above the moves.
 */
headers: Array<HeaderView>, 
/**
 * The starting position in SFEN.
 */
start: string, 
/**
 * The handicap's Japanese name, if the start is one.
 */
handicap: string | null, 
/**
 * The nodes; number 0 is the start, a parent comes before its children.
 */
nodes: Array<NodeView>, 
/**
 * Who won by the main line.
 */
winner: Side | null, };

/**
 * The games of a file.
 */
export type Records = { 
/**
 * The format that was found.
 */
format: string, 
/**
 * The games, the first at most [`MOST_GAMES`](crate::records::MOST_GAMES).
 */
games: Array<RecordView>, 
/**
 * How many games the file holds.
 */
count: number, };

/**
 * How a problem stands after a move of the user.
 */
export type ReplyVerdict = "solved" | "mate-goes-on" | "refuted" | "no-check" | "unknown";

/**
 * A question of the page.
 */
export type Request = { 
/**
 * Chosen by the page; the answer carries it.
 */
id: number, } & ({ "kind": "open" } & OpenAsk | { "kind": "state" } | { "kind": "save" } | { "kind": "close" } | { "kind": "keep" } & KeepAsk | { "kind": "stop" } & StopAsk | { "kind": "position" } & PositionAsk | { "kind": "try-move" } & TryMoveAsk | { "kind": "edit" } & EditAsk | { "kind": "line" } & LineAsk | { "kind": "picture" } & PictureAsk | { "kind": "read-record" } & ReadRecordAsk | { "kind": "write-record" } & WriteRecordAsk | { "kind": "new-game" } & NewGameAsk | { "kind": "game" } | { "kind": "move" } & MoveAsk | { "kind": "take-back" } | { "kind": "hint" } | { "kind": "resign" } | { "kind": "declare" } | { "kind": "claim" } | { "kind": "write-game" } & WriteGameAsk | { "kind": "analyse" } & AnalyseAsk | { "kind": "analyse-game" } & AnalyseGameAsk | { "kind": "explain" } & PositionAsk | { "kind": "solve-mate" } & SolveMateAsk | { "kind": "mate-node" } & MateNodeAsk | { "kind": "mate-hint" } & MateNodeAsk | { "kind": "mate-play" } & MatePlayAsk | { "kind": "verify-mate" } | { "kind": "judge" } & JudgeAsk | { "kind": "write-mate" } & WriteMateAsk | { "kind": "collections" } | { "kind": "problem" } & ProblemAsk | { "kind": "read-go" } & ReadGoAsk | { "kind": "play-go" } & PlayGoAsk | { "kind": "go-candidates" } & GoCandidatesAsk | { "kind": "solve-go" } & SolveGoAsk | { "kind": "laboratory" } | { "kind": "run-experiment" } & RunExperimentAsk | { "kind": "be-subject" } & BeSubjectAsk | { "kind": "subject-move" } & SubjectMoveAsk);

/**
 * The results of an experiment.
 */
export type ResultView = { 
/**
 * Whether it was the short form.
 */
quick: boolean, 
/**
 * Seconds of work.
 */
seconds: number, 
/**
 * When it was begun.
 */
started: string, 
/**
 * The findings.
 */
findings: Array<FindingView>, };

/**
 * How far a run is.
 */
export type RunEvent = { 
/**
 * The experiment.
 */
experiment: string, 
/**
 * Whether it is the short form.
 */
quick: boolean, 
/**
 * The stage; empty until it has begun.
 */
stage: string, 
/**
 * Its units that are done.
 */
done: number, 
/**
 * All of them.
 */
total: number, 
/**
 * Milliseconds since the start.
 */
time: number, 
/**
 * Whether the run is over.
 */
finished: boolean, 
/**
 * What came out, of a run that is over.
 */
result: ResultView | null, 
/**
 * What went wrong.
 */
trouble: Fault | null, };

/**
 * Runs an experiment.
 */
export type RunExperimentAsk = { 
/**
 * Which.
 */
experiment: string, 
/**
 * Whether in the short form.
 */
quick: boolean, };

/**
 * The session as text.
 */
export type Saved = { 
/**
 * For `open`.
 */
saved: string, };

/**
 * Everything that a page needs to show itself again.
 */
export type SessionState = { 
/**
 * The game.
 */
game: GameView | null, 
/**
 * The mate problem that was solved last; its proof can be walked if `proofNodes` is not 0.
 */
mate: MateEvent | null, 
/**
 * What runs, and the last event of what ran.
 */
tasks: Array<TaskView>, 
/**
 * What the page keeps.
 */
kept: Record<string, unknown>, };

/**
 * Done out of a total.
 */
export type ShareView = { 
/**
 * Answers that lose.
 */
mated: number, 
/**
 * All answers.
 */
all: number, };

/**
 * A side.
 */
export type Side = "black" | "white";

/**
 * Solves a capture.
 */
export type SolveGoAsk = { 
/**
 * The position.
 */
board: GoBoard, 
/**
 * A stone of the block.
 */
target: string, 
/**
 * Who moves first.
 */
first: CaptureRole, 
/**
 * Nodes of each of the searches; 200,000 if absent.
 */
nodes?: number | null, 
/**
 * Liberties at which the attacker gives up; 5 if absent, 0 for never.
 */
giveUp?: number | null, 
/**
 * Which moves are tried; all if absent.
 */
moves?: CaptureMoves | null, 
/**
 * Which children count; the best five if absent.
 */
width?: WidthAsk | null, };

/**
 * Solves a problem.
 */
export type SolveMateAsk = { 
/**
 * The problem.
 */
at?: Place | null, 
/**
 * Who mates; the side that lacks a king, else the side to move, if absent.
 */
attacker?: Side | null, 
/**
 * Milliseconds at most.
 */
time?: number | null, 
/**
 * Nodes at most.
 */
nodes?: number | null, 
/**
 * Whether any mate will do instead of the shortest.
 */
any?: boolean | null, };

/**
 * Why the engine chose a move where every move was proven to lose.
 */
export type SpeculativeView = { "why": "hardest-mate", 
/**
 * Moves that were proven to lose.
 */
moves: number, 
/**
 * Nodes that the solver takes for the mate after this move.
 */
nodes: number, 
/**
 * Plies of that mate at most.
 */
length: number, } | { "why": "hardest-check", 
/**
 * Checks that were compared.
 */
checks: number, 
/**
 * The formula: A, B, C or D.
 */
formula: string, 
/**
 * The king's escapes: how many lose, of how many.
 */
escapes: ShareView, 
/**
 * Captures of the piece that gives check.
 */
recaptures: ShareView, 
/**
 * Interpositions.
 */
blocks: ShareView, } | { "why": "quiet", 
/**
 * Whether it threatens mate (it parries otherwise).
 */
threatens: boolean, 
/**
 * Nodes that the solver takes for the mate after it.
 */
nodes: number, 
/**
 * Nodes for the mate that is threatened.
 */
threatened: number, };

/**
 * A task was started.
 */
export type Started = { 
/**
 * Its number.
 */
task: number, };

/**
 * A colour of stones.
 */
export type StoneColour = "black" | "white";

/**
 * Stops a task.
 */
export type StopAsk = { 
/**
 * Which.
 */
task: number, };

/**
 * What happens in the experiment.
 */
export type SubjectEvent = { 
/**
 * What.
 */
what: SubjectNews, 
/**
 * The number of the question that is open or comes next.
 */
turn: number, 
/**
 * The position's number, from 1.
 */
number: number, 
/**
 * Positions in all.
 */
of: number, 
/**
 * The position; null at the end.
 */
position: PositionView | null, 
/**
 * The program's move, or the subject's that is repeated.
 */
move: MoveView | null, 
/**
 * Milliseconds for the answer.
 */
time: number, 
/**
 * The table, at the end.
 */
people: Array<SubjectRow>, 
/**
 * What went wrong.
 */
trouble: Fault | null, };

/**
 * The subject's move.
 */
export type SubjectMoveAsk = { 
/**
 * The number of the question.
 */
turn: number, 
/**
 * The move in USI; null gives the position up.
 */
move: string | null, };

/**
 * What happened.
 */
export type SubjectNews = "begins" | "played" | "asked" | "repeats" | "found" | "missed" | "finished";

/**
 * What the subject is to do.
 */
export type SubjectRole = "mate" | "withstand";

/**
 * Somebody against one program.
 */
export type SubjectRow = { 
/**
 * Who: a name, or a player of the paper.
 */
name: string, 
/**
 * Whether the paper reports it.
 */
published: boolean, 
/**
 * In which role.
 */
role: SubjectRole, 
/**
 * Against which program.
 */
program: string, 
/**
 * Mates brought about.
 */
found: number, 
/**
 * Positions played.
 */
of: number, };

/**
 * A task has ended without an answer.
 */
export type TaskEnded = { 
/**
 * Why.
 */
why: EndedReason, };

/**
 * A task.
 */
export type TaskView = { 
/**
 * Its number.
 */
task: number, 
/**
 * The `kind` of the request that started it; `engine-move` for the engine's move in the game.
 */
kind: string, 
/**
 * Whether it still runs.
 */
running: boolean, 
/**
 * Its last event.
 */
last: Event | null, };

/**
 * What a try gives.
 */
export type Tried = { 
/**
 * The move, if it is legal.
 */
move: MoveView | null, 
/**
 * The position after it, if it is legal.
 */
after: PositionView | null, 
/**
 * Why not, if it is not.
 */
illegal: Illegal | null, };

/**
 * Tries a move.
 */
export type TryMoveAsk = { 
/**
 * Where.
 */
at?: Place | null, 
/**
 * The move in USI.
 */
move: string, };

/**
 * Why it is not known.
 */
export type UnknownReason = "nodes" | "time" | "stopped" | "memory" | "numbers" | "not-verified" | "too-large" | "no-king";

/**
 * A value, seen by black.
 */
export type ValueView = { 
/**
 * Centipawns for black; ±30000 for a mate.
 */
centipawns: number, 
/**
 * Plies to mate, if it is one: who mates is in the sign of `centipawns`.
 */
mate: number | null, 
/**
 * Black's chance to win, 0 to 1.
 */
winningRate: number, 
/**
 * Whether the value is exact, or at least or at most so much.
 */
bound: BoundView, };

/**
 * How many children of a node count (dynamic widening).
 */
export type WidthAsk = "all" | { "top": number } | { "rate": number };

/**
 * Writes the game.
 */
export type WriteGameAsk = { 
/**
 * As in `write-record`.
 */
format: string, };

/**
 * Writes the solution: `proof` for the proof as JSON, else a format of records.
 */
export type WriteMateAsk = { 
/**
 * `proof`, or as in `write-record`.
 */
format: string, };

/**
 * Writes a record.
 */
export type WriteRecordAsk = { 
/**
 * The record.
 */
record: RecordInput, 
/**
 * `kif`, `kifu`, `ki2`, `ki2u`, `csa`, `csa3`, `jkf`, `usi` or `sfen`.
 */
format: string, };
