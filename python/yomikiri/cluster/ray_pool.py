"""Workers as actors of a Ray cluster."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import (
    NodeDiedError,
    ObjectLostError,
    OutOfMemoryError,
    RayActorError,
    RayError,
    RayTaskError,
    WorkerCrashedError,
)

from .._yomikiri import RunWorker, __version__, plan_files
from .driver import ClusterError, Done, Task
from .files import ShippedFile, place, rename, ship

QUEUED = 2
"""Tasks that a worker has at most: one that it does, one that waits."""

LOST = (RayActorError, WorkerCrashedError, NodeDiedError, ObjectLostError, OutOfMemoryError)


def machine() -> dict[str, str]:
    """What must be the same on all machines of a run."""
    return {"architecture": platform.machine(), "version": __version__}


def check_worker(ours: dict[str, str], theirs: dict[str, str]) -> None:
    """Refuses a worker of another architecture, version or data."""
    for name, value in ours.items():
        if theirs.get(name) != value:
            found = theirs.get(name)
            raise ClusterError(f"a worker on {theirs.get('host')} has another {name}: {found} there, {value} here")


class Worker:
    """The actor: a worker of the run, with the files of its plan on this machine."""

    def __init__(self, plan: str, files: Sequence[ShippedFile]) -> None:
        names = place(files, ray.get)
        self._worker = RunWorker(rename(plan, names))
        self._names = {there: name for name, there in names.items()}
        self._stage: tuple[str, bytes] | None = None

    def hello(self) -> dict[str, str]:
        """Who this is, and what it takes the run for."""
        identity = rename(self._worker.identity(), self._names)
        same = {"identity": _canonical(identity)}
        return {**machine(), **same, "host": platform.node(), "provenance": self._worker.provenance}

    def units(self, stage: str, keys: tuple[str, ...], before: list[Any]) -> tuple[float, list[bytes]]:
        """Units of a stage, and the seconds they took. `before` holds a reference, which is followed once a stage."""
        if self._stage is None or self._stage[0] != stage:
            self._stage = (stage, ray.get(before[0]))
        begun = time.monotonic()
        results = self._worker.units(stage, list(keys), self._stage[1])
        return time.monotonic() - begun, [results]

    def step(self, number: int, state: bytes, units: tuple[bytes, ...]) -> tuple[float, list[bytes]]:
        """Units of a step."""
        begun = time.monotonic()
        results = self._worker.step_units(number, state, list(units))
        return time.monotonic() - begun, results


def _canonical(text: str) -> str:
    return json.dumps(json.loads(text), sort_keys=True)


@dataclass
class _Actor:
    handle: Any
    provenance: str | None = None
    """Known once it has said hello."""
    tasks: int = 0


@dataclass
class RayPool:
    """Workers on a cluster that `ray.init` has connected this process to. One that dies is replaced, where there is room."""

    plan: str
    identity: str
    workers: int
    actors: dict[int, _Actor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._ours = {**machine(), "identity": _canonical(self.identity)}
        self._files = ship(plan_files(self.plan), ray.put)
        self._kind = ray.remote(num_cpus=1, max_restarts=0)(Worker)
        self._next = 0
        self._greetings: dict[Any, int] = {}
        self._answers: dict[Any, tuple[int, Task]] = {}
        self._lost: list[Done] = []
        for _ in range(self.workers):
            self._start()

    def _start(self) -> None:
        number, self._next = self._next, self._next + 1
        handle = self._kind.remote(self.plan, self._files)
        self.actors[number] = _Actor(handle)
        self._greetings[handle.hello.remote()] = number

    def size(self) -> int:
        """How many workers there are or will be."""
        return self.workers

    def free(self) -> list[int]:
        """Those with nothing to do first, then those that have one task."""
        ready = [(actor.tasks, number) for number, actor in self.actors.items() if actor.provenance is not None]
        slots = [(tasks, number) for has, number in ready for tasks in range(has, QUEUED)]
        return [number for _, number in sorted(slots)]

    def share(self, data: bytes) -> object:
        """Puts something into the object store."""
        return ray.put(data)

    def submit(self, worker: int, task: Task) -> None:
        """Calls the actor."""
        actor = self.actors[worker]
        if task.stage is None:
            reference = actor.handle.step.remote(task.step, task.shared, task.payload)
        else:
            reference = actor.handle.units.remote(task.stage, task.keys, [task.shared])
        actor.tasks += 1
        self._answers[reference] = (worker, task)

    def wait(self, seconds: float) -> list[Done]:
        """What has come in; workers that have said hello are free from now on."""
        waited = [*self._answers, *self._greetings]
        if not waited:
            return []
        ready, _ = ray.wait(waited, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = ray.wait(waited, num_returns=len(waited), timeout=0)
        done = [answer for reference in ready if (answer := self._receive(reference)) is not None]
        lost, self._lost = self._lost, []
        return done + lost

    def _receive(self, reference: Any) -> Done | None:
        number = self._greetings.pop(reference, None)
        worker, task = (number, None) if number is not None else self._answers.pop(reference, (None, None))
        if worker is None or worker not in self.actors:
            # A worker that was buried with all its tasks.
            return None
        try:
            answer = ray.get(reference)
        except RayTaskError as error:
            raise ClusterError(_reason(error)) from error
        except LOST as error:
            if task is None and "creation" in str(error).lower():
                raise ClusterError(_reason(error)) from error
            self._bury(worker, task)
            return None
        except RayError as error:
            raise ClusterError(_reason(error)) from error
        actor = self.actors[worker]
        if task is None:
            check_worker(self._ours, answer)
            actor.provenance = answer["provenance"]
            return None
        actor.tasks -= 1
        seconds, results = answer
        return Done(task, tuple(results), actor.provenance or "{}", seconds)

    def _bury(self, worker: int, task: Task | None) -> None:
        """Gives a dead worker's tasks back and starts another in its place."""
        del self.actors[worker]
        self._lost += [] if task is None else [Done(task, None)]
        for reference, (of, other) in list(self._answers.items()):
            if of == worker:
                del self._answers[reference]
                self._lost.append(Done(other, None))
        self._start()

    def close(self) -> None:
        """Ends the workers."""
        for actor in self.actors.values():
            ray.kill(actor.handle)
        self.actors.clear()


def _reason(error: BaseException) -> str:
    """What a worker said, without the stack."""
    cause = getattr(error, "cause", None)
    text = f"{cause or error}".strip().splitlines()[-1]
    if "No module named 'yomikiri'" in text:
        return "the machines of the cluster do not have the package yomikiri: install it there, or ship it by --wheel"
    return text
