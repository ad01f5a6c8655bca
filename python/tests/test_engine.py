"""Engine, events, cancellation, evaluations."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import ROOT
from yomikiri import Board, Engine, EngineError, Evaluation, IllegalMoveError, Info, Move, SettingError, arrays

NETWORK = ROOT / "crates" / "eval" / "networks" / "default.nn"


def threads_of_process() -> int:
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else threading.active_count()


def test_the_same_nodes_give_the_same_result() -> None:
    results = []
    for _ in range(2):
        result = Engine(hash=4).search(Board(), nodes=5000)
        results.append((result.best_move, result.cp, result.pv, result.nodes))
    assert results[0] == results[1]
    assert results[0][0] in Board().legal_moves


def test_events_statistics_and_lines() -> None:
    heard: list[Info] = []
    result = Engine(hash=4).search(Board(), nodes=20_000, multipv=3, on_event=heard.append)
    assert len(heard) == len(result.events) and heard[-1].depth >= 1
    assert {info.multipv for info in heard} >= {1, 2, 3}
    assert len(result.lines) == 30 and result.lines[0]["move"] == result.best_move
    assert result.statistics["quiescence.nodes"] > 0
    board = Board()
    for move in result.pv:
        board.push(move)


def test_techniques_can_be_switched_for_one_search() -> None:
    engine = Engine(hash=4)
    off = engine.search(Board(), nodes=20_000, null_move=False).statistics
    engine.new_game()
    on = engine.search(Board(), nodes=20_000, null_move={"enabled": True, "margin": -200}).statistics
    assert off["null_move.tried"] == 0 and on["null_move.tried"] > 0
    assert engine.settings["null_move.margin"] == Engine().settings["null_move.margin"]
    engine.set("null_move.margin", 77)
    assert engine.settings["null_move.margin"] == "77"


def test_every_parameter_takes_its_default_by_name() -> None:
    parameters = Engine.parameters()
    assert len(parameters) > 60 and all(row["about"] for row in parameters)
    engine = Engine(hash=1)
    numbers = [row for row in parameters if row["name"].count(".") == 1]
    for row in numbers[:10]:
        engine.set(row["name"].replace(".", "__"), row["default"])
    assert engine.settings == Engine(hash=1).settings


def test_bad_settings_and_limits_are_refused() -> None:
    refused: list[dict[str, Any]] = [{"no_such": 1}, {"lmr__divisor": "much"}, {"Threads": 0}, {"evaluation": "oracle"}, {"hash": 0}]
    for settings in refused:
        with pytest.raises(SettingError):
            Engine(**settings)
    engine = Engine(hash=1)
    bad: list[dict[str, Any]] = [{}, {"nodes": 0}, {"depth": 0}, {"time": -1.0}, {"time": float("nan")}]
    for limits in bad:
        with pytest.raises(ValueError):
            engine.search(Board(), **limits)
    with pytest.raises(TypeError):
        engine.search(7, nodes=1)  # type: ignore[arg-type]
    with pytest.raises(EngineError):
        Engine(EvalFile="no such file")
    with pytest.raises(OverflowError):
        engine.search(Board(), nodes=-1)


def test_a_stopped_search_has_a_result_and_leaves_no_thread() -> None:
    engine = Engine(hash=4)
    engine.search(Board(), nodes=100)
    before = threads_of_process()
    search = engine.start(Board())
    time.sleep(0.1)
    search.stop()
    assert search.result().best_move in Board().legal_moves
    with engine.start(Board()):
        pass
    search = engine.start(Board())
    del search
    assert threads_of_process() == before


def test_other_threads_run_while_it_searches() -> None:
    counted: list[int] = []

    def count() -> None:
        while not counted or counted[-1] >= 0:
            counted.append(len(counted))
            time.sleep(0.01)

    thread = threading.Thread(target=count)
    thread.start()
    Engine(hash=1).search(Board(), time=0.5)
    seen = len(counted)
    counted.append(-1)
    thread.join()
    assert seen > 10


def test_an_exception_of_the_listener_ends_the_search() -> None:
    def fail(_: object) -> None:
        raise KeyError("enough")

    engine = Engine(hash=1)
    with pytest.raises(KeyError):
        engine.search(Board(), time=60.0, on_event=fail)
    assert engine.search(Board(), nodes=100).best_move is not None


def test_ctrl_c_ends_a_search() -> None:
    # A shell starts what runs in the background with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Engine(hash=1).search(Board(), time=60.0)
    assert time.monotonic() - begun < 10


def test_moves_at_the_root_are_restricted() -> None:
    result = Engine(hash=1).search(Board(), nodes=1000, moves=["1g1f", Move("9g9f")])
    assert str(result.best_move) in ("1g1f", "9g9f")
    with pytest.raises(IllegalMoveError, match="1a1b"):
        Engine(hash=1).search(Board(), nodes=10, moves=["1a1b"])


def test_a_network_by_file_and_by_arrays(tmp_path: Path, positions: list[str]) -> None:
    network = Evaluation("network", file=NETWORK)
    assert network.kind == "network" and network.arrays()["first_weights"].shape[1] == 256
    one_by_one = [network.evaluate(sfen) for sfen in positions[:100]]
    assert arrays.evaluate(network, positions[:100]).tolist() == one_by_one
    zero = network.replace(weights3=network.arrays()["weights3"] * 0, bias3=np.zeros(1, np.int32))
    assert zero.evaluate(Board()) == 0
    file = tmp_path / "zero.nn"
    file.write_bytes(zero.to_bytes())
    assert Evaluation("network", file=file).evaluate(positions[3]) == 0
    own = Evaluation("network")
    assert own.evaluate(positions[7]) == network.evaluate(positions[7])
    assert own.to_bytes() == NETWORK.read_bytes() and own.architecture == network.architecture
    by_array = Engine(hash=1, evaluation=network).search(Board(), nodes=2000)
    by_file = Engine(hash=1, evaluation="network", EvalFile=str(NETWORK))
    assert by_array.pv == by_file.search(Board(), nodes=2000).pv
    with pytest.raises(ValueError, match="no array"):
        network.replace(weights9=np.zeros(1))
    with pytest.raises(ValueError, match="numbers"):
        network.replace(bias3=np.zeros(2, np.int32))


def test_linear_weights_by_array() -> None:
    linear = Evaluation("linear")
    pairs = linear.arrays()["pairs"]
    assert linear.replace(pairs=pairs).evaluate(Board()) == linear.evaluate(Board())
    with pytest.raises(TypeError):
        linear.replace(pairs=pairs.astype(np.float64))
