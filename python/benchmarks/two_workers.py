"""What a cluster of this machine costs: a match at fixed nodes with one worker and with two, and what all processes used.

    python benchmarks/two_workers.py [PAIRS] [NODES]

The machine must be quiet: on one that is busy, look at the shares of processor time.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import ray

from yomikiri import cluster

TICK = os.sysconf("SC_CLK_TCK")


def processes() -> dict[int, tuple[str, float]]:
    """What every process has used so far, with a word for what it is."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            words = (folder / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue
        if "_yomikiri.usi" in words:
            kind = "engines"
        elif words.startswith("ray::"):
            kind = "workers"
        elif int(folder.name) == os.getpid():
            kind = "driver"
        elif "/ray/" in words or "raylet" in words or "gcs_server" in words:
            kind = "runtime"
        else:
            continue
        found[int(folder.name)] = kind, (int(fields[11]) + int(fields[12])) / TICK
    return found


class Watch:
    """Takes stock once all workers are at work, and before the first of them runs out: starts and ends are not measured."""

    def __init__(self) -> None:
        self.begun: tuple[float, int, dict[int, tuple[str, float]]] | None = None
        self.ended: tuple[float, int, dict[int, tuple[str, float]]] | None = None

    def stage(self, name: str, done: int, total: int) -> None:
        if self.begun is None and done >= 4:
            self.begun = time.perf_counter(), done, processes()
        if self.ended is None and done >= total - 8:
            self.ended = time.perf_counter(), done, processes()

    def report(self, workers: int) -> float:
        """Prints the shares; gives games a second."""
        assert self.begun is not None and self.ended is not None
        (begun, first, before), (ended, last, after) = self.begun, self.ended
        used: dict[str, float] = {}
        for number, (kind, seconds) in after.items():
            used[kind] = used.get(kind, 0.0) + seconds - before.get(number, (kind, 0.0))[1]
        whole = sum(used.values())
        rate = (last - first) / (ended - begun)
        shares = ", ".join(f"{kind} {seconds:.1f} s ({100 * seconds / whole:.1f} %)" for kind, seconds in sorted(used.items()))
        print(f"{workers} workers: {last - first} games in {ended - begun:.1f} s, {rate:.2f}/s; processor time: {shares}")
        return rate


def measure(pairs: int, nodes: int, workers: int) -> float:
    engines = [f"name={name} nodes={nodes} option.USI_Hash=16" for name in "ab"]
    plan = json.dumps({"version": 1, "kind": "match", "engines": engines, "pairs": pairs})
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        assert cluster.run(plan, folder, workers=workers, progress=watch)[1]
    ray.shutdown()
    return watch.report(workers)


def main() -> None:
    pairs, nodes = (int(word) for word in (sys.argv[1:3] + ["30", "5000"][len(sys.argv) - 1 :]))
    one, two = measure(pairs, nodes, 1), measure(pairs, nodes, 2)
    print(f"two workers at {two / one:.2f} times the rate of one")


if __name__ == "__main__":
    main()
