"""Shogi rules, records, an engine whose techniques can be switched, and solvers whose answers are proofs.

    >>> import yomikiri
    >>> board = yomikiri.Board()
    >>> board.push_usi("7g7f")
    Move('7g7f')
    >>> yomikiri.Engine(hash=1).search(board, nodes=1000).best_move in board.legal_moves
    True

The modules: `arrays` (packed positions as numpy arrays), `proof` (the solvers over a game of your own), `go`, `statistics`,
`lab` (tables of experiments), `cluster` (long runs on Ray; `run_plan` does them here).
"""

from . import arrays, cluster, go, lab, proof, statistics
from ._yomikiri import (
    Board,
    Cook,
    Engine,
    EngineError,
    Evaluation,
    IllegalMoveError,
    Info,
    Move,
    NetworkTrainer,
    Node,
    NotationError,
    Proof,
    ProofError,
    Record,
    RecordError,
    RunError,
    Search,
    SearchResult,
    SettingError,
    Solution,
    __version__,
    cook_check,
    hisshi,
    parse_records,
    read_records,
    run_plan,
    solve,
    threat,
    write_records,
)

__all__ = [
    "Board",
    "Cook",
    "Engine",
    "EngineError",
    "Evaluation",
    "IllegalMoveError",
    "Info",
    "Move",
    "NetworkTrainer",
    "Node",
    "NotationError",
    "Proof",
    "ProofError",
    "Record",
    "RecordError",
    "RunError",
    "Search",
    "SearchResult",
    "SettingError",
    "Solution",
    "__version__",
    "arrays",
    "cluster",
    "cook_check",
    "go",
    "hisshi",
    "lab",
    "parse_records",
    "proof",
    "read_records",
    "run_plan",
    "solve",
    "statistics",
    "threat",
    "write_records",
]
