"""Whatever a caller passes, the answer is a result or a typed exception with its reason: never a panic, an abort or an endless call."""

from __future__ import annotations

import inspect
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import yomikiri
from conftest import DATA
from yomikiri import _yomikiri as native

CALLS = int(os.environ.get("YOMIKIRI_BAD_CALLS", "1500"))
"""Calls drawn by lot; each test run draws the same."""

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MATE = "7p1/8k/9/7S1/9/9/9/9/9 b SN2r2b4g2s3n4l17p 1"

JUNK: list[Any] = [
    None, True, -1, 0, 1, 3, 255, 2**31, 2**63, 2**64, -(2**70), 0.0, -0.5, float("nan"), float("inf"), 1e308,
    "", "junk", "\0", "７六歩", "7g7f", "P*5e", "resign", START, MATE, "startpos moves 7g7f", "x" * 5000, b"", b"\0" * 32,
    b"\xff" * 38, b"\xff" * 40, [], [1, 2, 3], [-1.0] * 5, [0] * 5, ["7g7f", "zz"], [None], (), {}, {"a": 1}, object(), len,
    np.zeros(38, np.uint8), np.full(40, 255, np.uint8), np.zeros((3, 40), np.uint8), np.zeros((0, 40), np.uint8),
    np.zeros(0, np.uint8), np.zeros((2, 104, 9, 9), np.float32), np.zeros((104, 9, 9), np.float32), np.zeros(5), np.array("7"),
]

TYPED = (TypeError, ValueError, OverflowError, RuntimeError, OSError, KeyError, IndexError, AttributeError, BufferError,
         StopIteration, MemoryError)
"""`MemoryError` where more is asked for than there is."""

LIMITS: dict[str, list[Any]] = {
    "nodes": [-1, 0, 1, 300, 2.5, "many", -(2**70)],
    "time": [0, 0.01, -1.0, float("nan"), "soon"],
    "depth": [-1, 0, 1, 3, "deep", 2**70],
    "multipv": [-1, 0, 1, 3, 2**40, "two"],
    "memory": [-1, 0, 1, 2, 2**60, "much"],
    "hash": [-1, 0, 1, 2, 2**60, "much"],
    "threads": [-1, 0, 1, 2, "all"],
    "give_up": [-1, 0, 5, "never"],
}
"""What a call that searches may be limited by: small values and wrong ones, so that nothing goes on for long."""

SEARCHES = {"solve", "cook_check", "hisshi", "threat", "search", "start", "capture", "search_game"}
LEFT_OUT = {"usi", "run_plan", "finish", "next_stage", "RunOwner", "NetworkTrainer", "stop", "run"}
"""These read standard input, write folders or wait for somebody: other tests see to them."""


def receivers() -> list[Any]:
    """An object of every class that can be made without a run."""
    board = yomikiri.Board(MATE)
    record = yomikiri.Record.from_board(yomikiri.Board("startpos moves 7g7f 3c3d"))
    engine = yomikiri.Engine(hash=1)
    solution = yomikiri.solve(board, nodes=10_000, memory=4)
    return [yomikiri.Move("7g7f"), board, yomikiri.Board(), record, record.root, engine, engine.search(board, nodes=50), solution,
            solution.proof, yomikiri.Evaluation()]


def callables(objects: list[Any]) -> list[tuple[str, Callable[..., Any]]]:
    """Functions, classes and methods of the native module, and those of these objects."""
    found = [(name, value) for name, value in vars(native).items()
             if callable(value) and not (isinstance(value, type) and issubclass(value, BaseException))]
    for one in objects:
        names = [name for name in dir(one) if not name.startswith("_") or name in ("__lt__", "__eq__", "__len__", "__hash__")]
        found += [(name, value) for name in names if callable(value := getattr(one, name))]
    return [(name, value) for name, value in found if name not in LEFT_OUT]


def arguments(name: str, function: Callable[..., Any], objects: list[Any], lot: random.Random) -> tuple[list[Any], dict[str, Any]]:
    """Arguments by lot for what the signature names; a value that fits now and then, so that others are looked at."""
    pool = JUNK + objects
    positional: list[Any] = []
    named: dict[str, Any] = {}
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return [lot.choice(pool) for _ in range(lot.randrange(4))], {}
    for parameter in parameters:
        if parameter.kind is parameter.VAR_KEYWORD:
            if lot.random() < 0.3:
                named[lot.choice(["NullMove", "lmr.divisor", "junk", "EvalFile", "Level"])] = lot.choice(pool)
            continue
        if parameter.name in LIMITS:
            must = name in SEARCHES and parameter.name in ("nodes", "time", "memory") or parameter.name == "hash"
            if must or lot.random() < 0.5:
                named[parameter.name] = lot.choice(LIMITS[parameter.name])
        elif parameter.default is parameter.empty or lot.random() < 0.4:
            fits = {"position": [MATE, START, objects[1]], "format": ["psv", "hcpe", "kif", "csa"], "path": ["none.kif"]}
            value = lot.choice(fits[parameter.name] if parameter.name in fits and lot.random() < 0.5 else pool)
            if parameter.kind is parameter.KEYWORD_ONLY:
                named[parameter.name] = value
            else:
                positional.append(value)
    return positional, named


def test_no_call_panics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lot = random.Random(7)
    objects = receivers()
    known = callables(objects)
    names: set[str] = set()
    refused = 0
    for _ in range(CALLS):
        name, function = lot.choice(known)
        positional, named = arguments(name, function, objects, lot)
        names.add(name)
        try:
            result = function(*positional, **named)
            if isinstance(result, native.Search):
                result.stop()
                result.result()
        except TYPED as error:
            refused += 1
            assert str(error) or isinstance(error, (StopIteration, KeyError)), f"{name}: {error!r} says nothing"
            assert "a fault worth reporting" not in str(error), f"{name}{positional!r}{named!r}: {error}"
        except BaseException as error:  # A panic is no `Exception`.
            pytest.fail(f"{name}{positional!r}{named!r}: {error!r}")
    assert len(names) > 60 and refused > CALLS // 4
    assert not list(tmp_path.glob("**/*.tmp"))


def test_reasons_name_what_is_wrong() -> None:
    with pytest.raises(yomikiri.NotationError, match="side to move is missing"):
        yomikiri.Board("junk")
    with pytest.raises(yomikiri.IllegalMoveError, match="7g7e"):
        yomikiri.Board().push_usi("7g7e")
    with pytest.raises(yomikiri.SettingError, match="junk"):
        yomikiri.Engine(hash=1, junk=1)
    with pytest.raises(yomikiri.SettingError, match="lmr.divisor"):
        wrong: dict[str, Any] = {"lmr.divisor": "wide"}
        yomikiri.Engine(hash=1).search(START, nodes=1, **wrong)
    with pytest.raises(yomikiri.RecordError):
        yomikiri.parse_records((DATA / "README.md").read_bytes())
