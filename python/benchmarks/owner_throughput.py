"""How many units one owner hands out and appends: a simulated run of 1,000 workers, which answer with a game that was played before.

    python benchmarks/owner_throughput.py [GAMES] [WORKERS]

Everything on the owner's side is real: the driver with its batches, the log, tables and records of the match. Only the workers are
not: each "plays" at a pace of its own in simulated time, and messages cost nothing.
"""

from __future__ import annotations

import heapq
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import yomikiri
from yomikiri._yomikiri import RunOwner, RunWorker
from yomikiri.cluster import Done, Task
from yomikiri.cluster.driver import Driver, Silent

SECONDS = 0.2
"""A game of a worker, on average, in simulated time."""


def plan(games: int, nodes: int = 40) -> str:
    """A match of this many games."""
    engines = [f"name={name} nodes={nodes} option.USI_Hash=1" for name in "ab"]
    return json.dumps({"version": 1, "kind": "match", "engines": engines, "pairs": games // 2})


def played_game(folder: Path) -> tuple[str, str]:
    """A game as the log holds it, and who played it."""
    text = plan(2)
    yomikiri.run_plan(text, folder)
    for line in (folder / "log.jsonl").read_text().splitlines():
        if line.startswith('{"unit"'):
            return json.loads(line)["unit"]["value"], RunWorker(text).provenance
    raise RuntimeError("no game was played")


class Simulation:
    """Workers in simulated time."""

    def __init__(self, workers: int, game: str, provenance: str) -> None:
        self.workers, self.provenance = workers, provenance
        self.rest = game.split("\t", 1)[1]
        self.now, self.batches, self.largest = 0.0, 0, 0
        self.pace = [random.Random(number).uniform(0.5, 1.5) * SECONDS for number in range(workers)]
        self.idle = list(range(workers))
        self.events: list[tuple[float, int, int, Task]] = []

    def clock(self) -> float:
        return self.now

    def size(self) -> int:
        return self.workers

    def free(self) -> Sequence[int]:
        return tuple(self.idle)

    def share(self, data: bytes) -> object:
        return data

    def submit(self, worker: int, task: Task) -> None:
        self.idle.remove(worker)
        self.batches += 1
        self.largest = max(self.largest, len(task.keys))
        heapq.heappush(self.events, (self.now + self.pace[worker] * len(task.keys), task.number, worker, task))

    def wait(self, seconds: float) -> list[Done]:
        """All that ends within the next twentieth of a second: what comes in together is appended together."""
        if not self.events:
            self.now += seconds
            return []
        until = self.events[0][0] + 0.05
        done = []
        while self.events and self.events[0][0] <= until:
            self.now, _, worker, task = heapq.heappop(self.events)
            self.idle.append(worker)
            seconds = self.pace[worker]
            results = [(key, f"{key}\t{self.rest}", seconds) for key in task.keys]
            done.append(Done(task, (json.dumps(results).encode(),), self.provenance, seconds * len(results)))
        return done


def measure(games: int, workers: int) -> tuple[float, float, Simulation]:
    """Seconds and seconds of this process's processor time for a simulated match, and the simulation."""
    with tempfile.TemporaryDirectory() as folder:
        game, provenance = played_game(Path(folder) / "small")
        simulation = Simulation(workers, game, provenance)
        owner = RunOwner(plan(games), Path(folder) / "large")
        owner.identity()
        begun, used = time.perf_counter(), time.process_time()
        text, complete = Driver(owner, simulation, Silent(), simulation.clock).run()
        assert complete, text
        return time.perf_counter() - begun, time.process_time() - used, simulation


def main() -> None:
    games, workers = (int(word) for word in (sys.argv[1:3] + ["20000", "1000"][len(sys.argv) - 1 :]))
    seconds, used, simulation = measure(games, workers)
    print(f"{games} games, {workers} workers, {simulation.batches} batches of up to {simulation.largest}")
    print(f"owner and driver: {seconds:.2f} s, {used:.2f} s of processor time")
    print(f"{games / seconds:.0f} games/s, {games / used:.0f} a second of processor time")


if __name__ == "__main__":
    main()
