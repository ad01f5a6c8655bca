"""Runs by an owner and workers come to the bytes of one machine, whatever becomes of the workers."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import yomikiri
from cluster_plans import (
    eval_plan,
    lab_plan,
    match_plan,
    network_plan,
    positions_plan,
    rate_plan,
    results,
    solve_plan,
    tune_plan,
)
from yomikiri._yomikiri import RunOwner, RunWorker, plan_files
from yomikiri.cluster import ClusterError, Done, Task, drive, files
from yomikiri.cluster.driver import Driver, Silent, _parts


@dataclass
class LocalPool:
    """Workers of this process that take turns. `fate` says what becomes of each task: done, lost, or late by a second answer."""

    plan: str
    count: int = 2
    fate: Callable[[Task], str] = field(default=lambda _: "done")
    queue: list[Task] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.workers = [RunWorker(self.plan) for _ in range(self.count)]
        self.lost = 0

    def size(self) -> int:
        return self.count

    def free(self) -> Sequence[int]:
        return range(self.count - len(self.queue))

    def share(self, data: bytes) -> object:
        return data

    def submit(self, worker: int, task: Task) -> None:
        self.queue.append(task)

    def _work(self, worker: RunWorker, task: Task) -> Done:
        assert isinstance(task.shared, bytes)
        if task.stage is None:
            done = tuple(worker.step_units(task.step, task.shared, list(task.payload)))
        else:
            done = (worker.units(task.stage, list(task.keys), task.shared),)
        return Done(task, done, worker.provenance, 0.01)

    def wait(self, seconds: float) -> list[Done]:
        done = []
        # The last first: the order of work is chance.
        for number, task in enumerate(reversed(self.queue)):
            fate = self.fate(task)
            if fate == "lost":
                self.lost += 1
                done.append(Done(task, None))
                continue
            answer = self._work(self.workers[number % self.count], task)
            done += [answer, answer] if fate == "twice" else [answer]
        self.queue.clear()
        return done


def on_one_machine(plan: str, folder: Path) -> dict[str, str]:
    text, complete = yomikiri.run_plan(plan, folder, threads=2)
    assert complete, text
    return results(folder)


def plans(folder: Path) -> dict[str, str]:
    return {
        "lab": lab_plan(),
        "match": match_plan(),
        "rate": rate_plan(),
        "tune": tune_plan(),
        "solve": solve_plan(folder),
        "positions": positions_plan(),
        "eval": eval_plan(),
        "network": network_plan(folder),
    }


@pytest.mark.parametrize("kind", ["lab", "match", "rate", "tune", "solve", "positions", "eval", "network"])
def test_dying_workers_and_late_answers_change_nothing(kind: str, tmp_path: Path) -> None:
    plan = plans(tmp_path)[kind]
    expected = on_one_machine(plan, tmp_path / "one")
    chance = random.Random(7)
    pool = LocalPool(plan, 3, lambda _: chance.choice(["done", "lost", "twice"]))
    owner = RunOwner(plan, tmp_path / "many")
    assert json.loads(owner.identity() or "") == json.loads(pool.workers[0].identity())
    text, complete = drive(owner, pool)
    assert complete and text and pool.lost > 0
    assert results(tmp_path / "many") == expected
    # Going on with what is finished does nothing, and comes to the same.
    assert drive(RunOwner(plan, tmp_path / "many"), LocalPool(plan, 1, lambda _: "lost"))[1]
    assert results(tmp_path / "many") == expected


def test_a_unit_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    plan = positions_plan()
    owner = RunOwner(plan, tmp_path)
    with pytest.raises(ClusterError, match="workers died over it"):
        drive(owner, LocalPool(plan, 2, lambda _: "lost"))


def test_a_straggler_is_overtaken(tmp_path: Path) -> None:
    plan = positions_plan()
    now = [0.0]
    asked: list[tuple[str, ...]] = []

    class Slow(LocalPool):
        """The first task never ends; time goes by in leaps."""

        def submit(self, worker: int, task: Task) -> None:
            asked.append(task.keys)
            if len(asked) > 1:
                super().submit(worker, task)

        def wait(self, seconds: float) -> list[Done]:
            now[0] += 10.0
            return super().wait(seconds)

    owner = RunOwner(plan, tmp_path)
    text, complete = Driver(owner, Slow(plan, 2), Silent(), lambda: now[0]).run()
    assert complete and asked.count(asked[0]) == 2, (text, asked)


def test_what_cannot_be_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no plan"):
        RunOwner("{}", tmp_path)
    with pytest.raises(ValueError, match="version"):
        RunWorker('{"version": 9, "kind": "match"}')
    missing = json.dumps({"kind": "solve", "sets": [str(tmp_path / "none.tsv")]})
    owner = RunOwner(missing, tmp_path / "out")
    assert owner.identity() is None
    with pytest.raises(yomikiri.RunError, match="none.tsv"):
        owner.finish()
    with pytest.raises(yomikiri.RunError, match="over"):
        owner.next_stage()
    worker = RunWorker(positions_plan())
    with pytest.raises(yomikiri.RunError, match="no unit `9`"):
        worker.units("games", ["9"], b"[]")
    with pytest.raises(ValueError):
        worker.units("games", ["000000"], b"nonsense")


def test_files_are_shipped_by_content(tmp_path: Path) -> None:
    source = tmp_path / "here" / "weights.nn"
    source.parent.mkdir()
    source.write_bytes(b"123456789")
    store: list[bytes] = []

    def put(piece: bytes) -> object:
        store.append(piece)
        return len(store) - 1

    def fetch(piece: object) -> bytes:
        assert isinstance(piece, int)
        return store[piece]

    shipped = files.ship([source], put)
    assert files.place(shipped, fetch, tmp_path / "there") == {str(source): str(source)}
    source.write_bytes(b"another")
    place = files.place(shipped, fetch, tmp_path / "there")[str(source)]
    assert Path(place).read_bytes() == b"123456789" and place != str(source)
    assert files.place(shipped, fetch, tmp_path / "there")[str(source)] == place
    store[0] = b"damaged"
    Path(place).unlink()
    with pytest.raises(ValueError, match="SHA-256"):
        files.place(shipped, fetch, tmp_path / "there")


def test_names_of_files_are_changed_where_they_are_names() -> None:
    plan = json.dumps({"a": "nn.bin", "b": ["option.EvalFile=nn.bin nodes=5", "ann.bin", "nn.bin.zst"], "c": {"d": 'x="nn.bin"'}})
    there = files.rename(plan, {"nn.bin": "/tmp/1/nn.bin", "nn.bin.zst": "/tmp/2/nn.bin.zst"})
    assert json.loads(there) == {
        "a": "/tmp/1/nn.bin",
        "b": ["option.EvalFile=/tmp/1/nn.bin nodes=5", "ann.bin", "/tmp/2/nn.bin.zst"],
        "c": {"d": 'x="/tmp/1/nn.bin"'},
    }
    back = files.rename(there, {"/tmp/1/nn.bin": "nn.bin", "/tmp/2/nn.bin.zst": "nn.bin.zst"})
    assert json.loads(back) == json.loads(plan)


def test_files_of_plans(tmp_path: Path) -> None:
    mates = solve_plan(tmp_path)
    assert plan_files(mates) == [tmp_path / "mates.tsv"]
    assert plan_files(network_plan(tmp_path)) == [], "the owner hands positions out"


def test_parts_are_even() -> None:
    assert [list(part) for part in _parts(5, 2)] == [[0, 1], [2, 3, 4]]
    assert [len(part) for part in _parts(3, 8)] == [1, 1, 1]


def test_the_package_speaks_usi(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from yomikiri._yomikiri import usi; usi()"]
    words = "usi\nisready\nquit\n"
    talk = subprocess.run(command, input=words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "usiok" in talk.stdout and "readyok" in talk.stdout
