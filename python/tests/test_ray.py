"""The same on Ray: two worker processes, a cluster of three nodes, a node that dies, a driver that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import yomikiri
from cluster_plans import (
    FULL,
    eval_plan,
    finished_units,
    lab_plan,
    match_plan,
    network_plan,
    positions_plan,
    results,
    solve_plan,
)
from yomikiri import cluster
from yomikiri.cluster import ClusterError

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

from yomikiri.cluster.ray_pool import check_worker  # noqa: E402

KINDS = ["lab", "match", "eval", "network"]


def plan_of(kind: str, folder: Path) -> str:
    made: dict[str, Callable[[], str]] = {
        "lab": lab_plan,
        "match": match_plan,
        "eval": eval_plan,
        "network": lambda: network_plan(folder),
        "solve": lambda: solve_plan(folder),
    }
    return made[kind]()


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[str, dict[str, str]]]:
    """The plan of a kind and what one machine makes of it, once for all tests."""
    known: dict[str, tuple[str, dict[str, str]]] = {}

    def reference(kind: str) -> tuple[str, dict[str, str]]:
        if kind not in known:
            folder = tmp_path_factory.mktemp(kind)
            plan = plan_of(kind, folder)
            assert yomikiri.run_plan(plan, folder / "one", threads=2)[1]
            known[kind] = plan, results(folder / "one")
        return known[kind]

    return reference


@pytest.fixture(scope="module")
def three_nodes() -> Iterator[Any]:
    """A simulated cluster with a processor on each of three nodes."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
    yield nodes
    ray.shutdown()
    nodes.shutdown()


class KillNode:
    """Kills a node in the middle of a stage, or of the steps of a learner."""

    def __init__(self, nodes: Any, after: int) -> None:
        self.nodes, self.after = nodes, after
        self.victim = nodes.add_node(num_cpus=1)

    def stage(self, name: str, done: int, total: int) -> None:
        if self.victim is not None and done >= self.after:
            self.nodes.remove_node(self.victim, allow_graceful=False)
            self.victim = None


@pytest.mark.parametrize("kind", [*KINDS, "solve"])
def test_three_nodes_come_to_the_bytes_of_one_machine(
    kind: str, references: Any, three_nodes: Any, tmp_path: Path
) -> None:
    plan, expected = references(kind)
    text, complete = cluster.run(plan, tmp_path / "out")
    assert complete and text
    assert results(tmp_path / "out") == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_node_that_dies_changes_nothing(kind: str, references: Any, three_nodes: Any, tmp_path: Path) -> None:
    plan, expected = references(kind)
    killer = KillNode(three_nodes, 1)
    text, complete = cluster.run(plan, tmp_path / "out", workers=4, progress=killer)
    assert killer.victim is None, "the node was killed"
    assert complete and text
    assert results(tmp_path / "out") == expected


def test_other_machines_are_refused() -> None:
    ours = {"architecture": "x86_64", "version": "1", "identity": "{}"}
    check_worker(ours, {**ours, "host": "a"})
    with pytest.raises(ClusterError, match="another architecture: aarch64 there, x86_64 here"):
        check_worker(ours, {**ours, "architecture": "aarch64", "host": "b"})
    with pytest.raises(ClusterError, match="b has another version"):
        check_worker(ours, {**ours, "version": "2", "host": "b"})


def test_a_unit_that_fails_ends_the_run_with_its_reason(three_nodes: Any, tmp_path: Path) -> None:
    engines = '["name=a nodes=5", "name=b nodes=5 cmd=/nowhere/engine"]'
    plan = f'{{"kind": "match", "engines": {engines}, "pairs": 1}}'
    with pytest.raises(ClusterError, match="b cannot play"):
        cluster.run(plan, tmp_path / "out")


def start(plan: Path, out: Path) -> subprocess.Popen[str]:
    """`python -m yomikiri.cluster` with two worker processes, in a group of its own."""
    command = [sys.executable, "-m", "yomikiri.cluster", str(plan), "--out", str(out), "--workers", "2", "--quiet"]
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                            env=environment, cwd=out.parent)


def progress_of(out: Path) -> int:
    """Finished units, or checkpoints of a learner."""
    return len(finished_units(out)) + len(list(out.rglob("checkpoint.bin"))) if out.exists() else 0


@pytest.mark.parametrize("kind", KINDS if FULL else ["match", "eval"])
def test_a_killed_driver_goes_on(kind: str, references: Any, tmp_path: Path) -> None:
    plan, expected = references(kind)
    file, out = tmp_path / "plan.json", tmp_path / "out"
    file.write_text(plan)
    process = start(file, out)
    until = time.monotonic() + 600
    while process.poll() is None and progress_of(out) == 0 and time.monotonic() < until:
        time.sleep(0.02)
    # The driver and, with the group, the cluster that it had started.
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = finished_units(out)
    again = start(file, out)
    text, errors = again.communicate()
    assert again.returncode == 0 and text, errors
    assert finished_units(out)[: len(before)] == before, "no finished unit is lost"
    assert results(out) == expected


def test_the_command_line_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cluster.main([str(tmp_path / "none.json")]) == 1
    assert "none.json" in capsys.readouterr().err
    (tmp_path / "odd.json").write_text(positions_plan().replace("learn-positions", "odd"))
    assert cluster.main([str(tmp_path / "odd.json"), "--workers", "1", "--out", str(tmp_path / "o")]) == 1
    assert "odd" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cluster.main([str(tmp_path / "odd.json"), "--workers", "0"])
