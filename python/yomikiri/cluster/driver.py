"""Who does which units, and when again: the loop between the owner of a run and workers of any kind."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from .._yomikiri import OpenStage, OpenStep, RunError, RunOwner

BATCH_SECONDS = 1.0
"""A batch of units is made to take about so long: long beside a message, short beside a run."""

STRAGGLES = 4.0
"""A batch that takes this multiple of the time expected is given to a second worker, once nothing else is left to do."""

PATIENCE = 5.0
"""But not before this many seconds."""

MOST_LOSSES = 5
"""A unit whose workers die so often is taken for the reason."""


class ClusterError(RunError):
    """A run that cannot go on with the workers that there are."""


@dataclass(frozen=True)
class Task:
    """What one worker is asked for: units of a stage by key, or of a step by number."""

    number: int
    stage: str | None
    """The name of the stage; `None` for a step."""
    keys: tuple[str, ...]
    """The units of a stage."""
    step: int
    """The number of the step."""
    units: tuple[int, ...]
    """Which units of a step."""
    payload: tuple[bytes, ...]
    """And what they are."""
    shared: object
    """What all units of the stage or step need, as `Pool.share` gave it."""


@dataclass(frozen=True)
class Done:
    """An answer, or the loss of one."""

    task: Task
    results: tuple[bytes, ...] | None
    """One for a stage, one for each unit of a step; `None` where the worker died."""
    provenance: str = "{}"
    seconds: float = 0.0
    """That the worker took."""


class Pool(Protocol):
    """Workers somewhere."""

    def size(self) -> int:
        """How many there are or will be."""

    def free(self) -> Sequence[int]:
        """The workers that can take a task now, those with nothing to do first; one may be there twice."""

    def share(self, data: bytes) -> object:
        """Puts something where every worker finds it."""

    def submit(self, worker: int, task: Task) -> None:
        """Gives a task to a worker."""

    def wait(self, seconds: float) -> list[Done]:
        """What has come in, once something has or the time is over. A task that fails raises."""


class Progress(Protocol):
    """Hears how far a run is."""

    def stage(self, name: str, done: int, total: int) -> None:
        """A stage, or the steps of a learner (without a total), have done this many units."""


class Silent:
    """Hears nothing."""

    def stage(self, name: str, done: int, total: int) -> None:
        """Nothing."""


@dataclass
class _Flight:
    """A task that is under way."""

    task: Task
    begun: float
    copies: int = 1


@dataclass
class _Stage:
    """The units of a stage: those to hand out, those under way, those done."""

    open: OpenStage
    waiting: deque[str]
    done: set[str] = field(default_factory=set)
    flights: dict[int, _Flight] = field(default_factory=dict)
    losses: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    """Of the units that are done."""
    timed: int = 0

    def pace(self) -> float | None:
        """Seconds of a unit, from what is known."""
        return self.seconds / self.timed if self.timed else None

    def batch_size(self, workers: int) -> int:
        """So many units that a batch takes about a second, and at the end every worker has some."""
        group, pace = max(1, self.open.group), self.pace()
        wanted = group if pace is None else round(BATCH_SECONDS / max(pace, 1e-6))
        fair = -(-len(self.waiting) // (2 * max(1, workers)))
        size = max(1, min(wanted, fair))
        return -(-size // group) * group


class Driver:
    """The loop of one run."""

    def __init__(self, owner: RunOwner, pool: Pool, progress: Progress, clock: Callable[[], float] = time.monotonic):
        self.owner, self.pool, self.progress, self.clock = owner, pool, progress, clock
        self.tasks = 0
        self.steps = 0
        self.step_seconds: float | None = None

    def run(self) -> tuple[str, bool]:
        """Until nothing is left to do: what it came to in words, and whether nothing is missing."""
        while (opened := self.owner.next_stage()) is not None:
            if isinstance(opened, OpenStep):
                self._step(opened)
            else:
                self._stage(opened)
        return self.owner.finish()

    def _task(self, shared: object, *, stage: str | None = None, keys: Iterable[str] = (), step: int = 0,
              units: Iterable[int] = (), payload: Iterable[bytes] = ()) -> Task:
        self.tasks += 1
        return Task(self.tasks, stage, tuple(keys), step, tuple(units), tuple(payload), shared)

    # Stages

    def _stage(self, opened: OpenStage) -> None:
        missing = opened.missing
        stage = _Stage(opened, deque(missing))
        before = opened.total - len(missing)
        shared = self.pool.share(opened.before)
        self.progress.stage(opened.name, before, opened.total)
        while len(stage.done) < len(missing):
            self._hand_out(stage, shared)
            if not self._take_in(stage, self.pool.wait(0.2)):
                return
            self.progress.stage(opened.name, before + len(stage.done), opened.total)

    def _hand_out(self, stage: _Stage, shared: object) -> None:
        for worker in self.pool.free():
            if stage.waiting:
                size = stage.batch_size(self.pool.size())
                keys = [stage.waiting.popleft() for _ in range(min(size, len(stage.waiting)))]
            else:
                keys = self._straggling(stage)
                if not keys:
                    # There is nothing for the other workers either.
                    return
            keys = [key for key in keys if key not in stage.done]
            if not keys:
                continue
            task = self._task(shared, stage=stage.open.name, keys=keys)
            stage.flights[task.number] = _Flight(task, self.clock())
            self.pool.submit(worker, task)

    def _straggling(self, stage: _Stage) -> list[str]:
        """The units of a batch that takes too long and has one worker only."""
        pace, now = stage.pace(), self.clock()
        if pace is None:
            return []
        for flight in stage.flights.values():
            expected = pace * len(flight.task.keys)
            if flight.copies == 1 and now - flight.begun > max(PATIENCE, STRAGGLES * expected):
                flight.copies = 2
                return [key for key in flight.task.keys if key not in stage.done]
        return []

    def _take_in(self, stage: _Stage, finished: list[Done]) -> bool:
        """Appends what has come in, in one write for each kind of worker. False if the stage is over."""
        groups: dict[str, list[bytes]] = {}
        for done in finished:
            if stage.flights.pop(done.task.number, None) is None:
                # Of a stage that is over: nobody wants it any more.
                continue
            if done.results is None:
                self._lost(stage, done.task)
                continue
            groups.setdefault(done.provenance, []).extend(done.results)
            stage.seconds += done.seconds
            stage.timed += len(done.task.keys)
            stage.done.update(done.task.keys)
        for provenance, results in groups.items():
            if self.owner.put(stage.open.name, results, provenance) is None:
                return False
        return True

    def _lost(self, stage: _Stage, task: Task) -> None:
        for key in task.keys:
            stage.losses[key] += 1
            if stage.losses[key] >= MOST_LOSSES:
                raise ClusterError(f"unit `{key}` of `{task.stage}`: {MOST_LOSSES} workers died over it")
        stage.waiting.extendleft(key for key in reversed(task.keys) if key not in stage.done)

    # Steps of learners

    def _step(self, opened: OpenStep) -> None:
        units = opened.units
        shared = self.pool.share(opened.state)
        parts = _parts(len(units), self.pool.size())
        waiting = deque(self._task(shared, step=opened.number, units=part, payload=[units[at] for at in part])
                        for part in parts)
        results: list[bytes | None] = [None] * len(units)
        flights: dict[int, _Flight] = {}
        losses, begun = 0, self.clock()
        while any(result is None for result in results):
            for worker in self.pool.free():
                task = waiting.popleft() if waiting else self._slow(flights)
                if task is None:
                    break
                flights[task.number] = _Flight(task, self.clock())
                self.pool.submit(worker, task)
            for done in self.pool.wait(0.2):
                if flights.pop(done.task.number, None) is None:
                    continue
                if done.results is None:
                    losses += 1
                    if losses >= MOST_LOSSES * len(parts):
                        raise ClusterError(f"step {opened.number}: {losses} workers died over it")
                    waiting.append(done.task)
                    continue
                for at, result in zip(done.task.units, done.results):
                    results[at] = result
        self.step_seconds = self.clock() - begun
        self.steps += 1
        self.progress.stage("steps", self.steps, 0)
        self.owner.put_step(opened.number, [result for result in results if result is not None])

    def _slow(self, flights: dict[int, _Flight]) -> Task | None:
        """A task of the step that takes too long and has one worker only, once more."""
        if self.step_seconds is None:
            return None
        now = self.clock()
        for flight in flights.values():
            if flight.copies == 1 and now - flight.begun > max(PATIENCE, STRAGGLES * self.step_seconds):
                flight.copies = 2
                task = flight.task
                return self._task(task.shared, step=task.step, units=task.units, payload=task.payload)
        return None


def _parts(count: int, workers: int) -> list[range]:
    """Numbers up to `count` in as many runs of nearly equal length as there are workers."""
    parts = max(1, min(count, workers))
    ends = [at * count // parts for at in range(parts + 1)]
    return [range(start, end) for start, end in zip(ends, ends[1:])]


def drive(owner: RunOwner, pool: Pool, progress: Progress | None = None) -> tuple[str, bool]:
    """Does a run with a pool of workers: what it came to in words, and whether nothing is missing."""
    return Driver(owner, pool, progress or Silent()).run()
