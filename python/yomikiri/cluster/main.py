"""The command line, and the same as a function."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from .._yomikiri import RunOwner
from .driver import ClusterError, Progress, drive

INSTALL = "runs on a cluster need Ray, which is not installed here: pip install 'yomikiri[ray]'"


class Terminal:
    """A line that is written over at a terminal, and one every half minute elsewhere; also a metric of Ray's dashboard."""

    def __init__(self, stream: TextIO, metric: Any = None) -> None:
        self.stream, self.metric = stream, metric
        self.live = stream.isatty()
        self.shown = 0.0
        self.name, self.begun, self.first = "", 0.0, 0

    def stage(self, name: str, done: int, total: int) -> None:
        """Shows how far a stage is."""
        now = time.monotonic()
        if name != self.name:
            self.name, self.begun, self.first, self.shown = name, now, done, 0.0
        if self.metric is not None:
            self.metric.set(done, {"stage": name})
        over = 0 < total <= done
        if not over and now - self.shown < (0.5 if self.live else 30.0):
            return
        self.shown = now
        rate = (done - self.first) / max(now - self.begun, 1e-3)
        left = f", {(total - done) / rate:.0f} s left" if rate > 0 and total > done else ""
        of = f" of {total}" if total else ""
        text = f"{name}: {done}{of}, {rate:.1f}/s{left}"
        self.stream.write(f"\r\x1b[K{text}" if self.live else f"{text}\n")
        if self.live and over:
            self.stream.write("\n")
        self.stream.flush()


def _connect(ray: Any, address: str | None, workers: int | None, dashboard: bool, wheel: str | None) -> None:
    if ray.is_initialized():
        return
    environment = {"py_modules": [wheel]} if wheel else None
    options: dict[str, Any] = {"log_to_driver": False, "runtime_env": environment, "logging_level": "ERROR"}
    address = address or os.environ.get("RAY_ADDRESS")
    if address is None:
        # A cluster of this machine alone, which ends with this process, whatever else runs here.
        ray.init(address="local", num_cpus=workers, include_dashboard=dashboard, **options)
    else:
        ray.init(address=address, **options)


def run(plan: str, out: str | os.PathLike[str], *, address: str | None = None, workers: int | None = None,
        wheel: str | os.PathLike[str] | None = None, dashboard: bool = False, threads: int = 1,
        progress: Progress | None = None) -> tuple[str, bool]:
    """Does a plan (its text) on a Ray cluster, or goes on with it: what it came to in words, and whether nothing is missing.

    Without an address (or the variable `RAY_ADDRESS`) the cluster is this machine, unless `ray.init` was called before. There is a worker for each processor of
    the cluster if their number is not given. `wheel` is shipped to machines that do not have this package.
    """
    try:
        import ray
    except ImportError as error:
        raise ClusterError(INSTALL) from error
    from .ray_pool import RayPool

    _connect(ray, address, workers, dashboard, None if wheel is None else os.fspath(wheel))
    owner = RunOwner(plan, out, threads=threads)
    identity = owner.identity()
    if identity is None:
        return owner.finish()
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    pool = RayPool(plan, identity, count)
    try:
        return drive(owner, pool, progress)
    finally:
        pool.close()


def _metric() -> Any:
    """A gauge that Ray shows in its dashboard."""
    try:
        from ray.util.metrics import Gauge
    except ImportError:
        return None
    return Gauge("yomikiri_units_done", description="Finished units of the stage", tag_keys=("stage",))


def main(words: Sequence[str] | None = None) -> int:
    """The command line; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m yomikiri.cluster", description="Do a plan of yomikiri on a Ray cluster.")
    parser.add_argument("plan", type=Path, help="the plan, as `yomikiri COMMAND .. --plan FILE` writes it")
    parser.add_argument("--out", type=Path, default=Path("yomikiri-run"), help="where results go; the same run goes on from there")
    parser.add_argument("--address", help="the cluster [default: $RAY_ADDRESS, or one of this machine alone]")
    parser.add_argument("--workers", type=int, metavar="N", help="workers [default: one for each processor]")
    parser.add_argument("--threads", type=int, metavar="N", default=1, help="threads of the owner, for what a learner does itself")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="the package, for machines that do not have it")
    parser.add_argument("--dashboard", action="store_true", help="start Ray's dashboard with a cluster of this machine")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    given = parser.parse_args(words)
    if given.workers is not None and given.workers < 1:
        parser.error("--workers must be at least 1")
    try:
        plan = given.plan.read_text(encoding="utf-8")
        progress = None if given.quiet else Terminal(sys.stderr, _metric())
        text, complete = run(plan, given.out, address=given.address, workers=given.workers, wheel=given.wheel,
                             dashboard=given.dashboard, threads=given.threads, progress=progress)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    except (OSError, RuntimeError, ValueError) as error:
        print(f"yomikiri.cluster: {error}", file=sys.stderr)
        return 1
    print(text, end="")
    return 0 if complete else 1
