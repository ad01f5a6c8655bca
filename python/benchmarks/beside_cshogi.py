"""Speed beside cshogi in one run: walking the tree, HCPE into piece planes.

    python benchmarks/beside_cshogi.py [GAMES.tsv.zst]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cshogi
import numpy as np

import yomikiri
from yomikiri import arrays

ROUNDS = 7


def walk(board: Any, depth: int) -> int:
    """Lists the legal moves, plays each and takes it back."""
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += 1 if depth == 1 else walk(board, depth - 1)
        board.pop()
    return nodes


def walks(board: Any, depth: int) -> None:
    """Long enough to be timed."""
    for _ in range(20):
        walk(board, depth)


def planes_of_cshogi(entries: Any, planes: Any = None) -> Any:
    """Into new memory, or an array that is there."""
    board = cshogi.Board()
    # It sets ones and clears nothing.
    if planes is None:
        planes = np.zeros((len(entries), 28, 9, 9), np.float32)
    else:
        planes.fill(0)
    for number, hcp in enumerate(entries["hcp"]):
        board.set_hcp(hcp)
        board.piece_planes(planes[number])
    return planes


def both(name: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    """Times both in turns and shows the medians."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for run, spent in zip((ours, theirs), times):
            begun = time.perf_counter()
            run()
            spent.append(time.perf_counter() - begun)
    mine, other = (statistics.median(spent) for spent in times)
    print(f"{name:<44} yomikiri {mine:8.4f} s  cshogi {other:8.4f} s  {other / mine:6.2f} x")


def main() -> None:
    default = Path(__file__).resolve().parents[2] / "data" / "games_engine.tsv.zst"
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    records = yomikiri.read_records(path)[:100]
    for name, sfen, depth in [
        ("start, legal_moves + push/pop, depth 3", "startpos", 3),
        ("a crowded position, depth 2", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 2),
    ]:
        ours = yomikiri.Board(sfen)
        theirs = cshogi.Board(ours.sfen())
        assert walk(ours, depth) == walk(theirs, depth)
        both(name, lambda: walks(ours, depth), lambda: walks(theirs, depth))
    bytes_of_games = b"".join(record.to_bytes("hcpe") for record in records)
    entries = np.frombuffer(bytes_of_games, arrays.HCPE)[:10_000]
    assert (arrays.planes(entries) == planes_of_cshogi(entries)).all()
    name = f"{len(entries)} HCPE into piece planes"
    both(name, lambda: arrays.planes(entries), lambda: planes_of_cshogi(entries))
    out = arrays.planes(entries)
    both(f"{name}, memory kept", lambda: arrays.planes(entries, out=out), lambda: planes_of_cshogi(entries, out))


if __name__ == "__main__":
    main()
