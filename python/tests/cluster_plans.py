"""The runs that the tests of the cluster compare with one machine, in two sizes: seconds, and those of `cargo xtask soak`."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import yomikiri
from conftest import DATA

FULL = os.environ.get("YOMIKIRI_CLUSTER") == "full"
"""Whether the long sizes are asked for."""

ENGINES = ["name=a nodes=1000 option.USI_Hash=1", "name=b nodes=600 option.USI_Hash=1"]


def _plan(kind: str, **settings: object) -> str:
    return json.dumps({"version": 1, "kind": kind, **settings})


def match_plan() -> str:
    """100 games at fixed nodes, or six short ones."""
    if FULL:
        return _plan("match", engines=ENGINES, pairs=50)
    engines = [line.replace("1000", "60").replace("600", "40") for line in ENGINES]
    return _plan("match", engines=engines, pairs=3, rules={"max_moves": 24})


def lab_plan() -> str:
    """`lab run widening --quick`, or two problems of it."""
    small: dict[str, object] = {} if FULL else {"settings": {"node_limit": 60, "own_problems": 1}}
    return _plan("lab", experiment="widening", quick=True, **small)


def eval_plan() -> str:
    """`learn eval --limit 500`, or three batches."""
    if FULL:
        return _plan("learn-eval", limit=500)
    return _plan("learn-eval", limit=24, config={"passes": 1, "batch": 9})


def network_plan(folder: Path) -> str:
    """`learn network` for 2 M samples, or four steps, on positions of the games in the checkout."""
    records = yomikiri.read_records(DATA / "games_engine.tsv.zst")[: 2000 if FULL else 20]
    file = folder / "positions.hcpe"
    file.write_bytes(b"".join(record.to_bytes("hcpe") for record in records))
    optimizer = {"positions": 2_000_000} if FULL else {"batch": 600, "part": 256, "positions": 2400}
    validation = {"every": 500_000} if FULL else {"share": 4, "block": 16, "every": 1000}
    config = {"data": {"files": [str(file)]}, "optimizer": optimizer, "validation": validation}
    return _plan("learn-network", config=config)


def solve_plan(folder: Path) -> str:
    """A few mates of the checkout, in a file that is shipped."""
    lines = [line for line in (DATA / "tsume" / "mined.tsv").read_text().splitlines() if not line.startswith("#")]
    file = folder / "mates.tsv"
    file.write_text("\n".join(lines[:6]) + "\n")
    return _plan("solve", sets=[str(file)], settings={"seconds": None, "nodes": 2000, "memory_mib": 4})


def tune_plan() -> str:
    """Two steps of the tuner."""
    return _plan("tune", parameters=["lmr.divisor"], nodes=30, steps=2, pairs=2, common=["USI_Hash=1"])


def positions_plan() -> str:
    """Training positions of three units."""
    settings = {"games_per_unit": 1, "nodes": 20}
    return _plan("learn-positions", units=3, settings=settings, set=["Evaluation=material"])


def rate_plan() -> str:
    """A gauntlet of four games."""
    engines = [line.replace("1000", "30").replace("600", "20") for line in ENGINES]
    return _plan("rate", engines=engines, pairs=2, format="gauntlet", rules={"max_moves": 16})


def results(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file that must be the same on one machine and on many: logs, what says when and where a run was done,
    and measured times are not."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.name
        other = name in {"log.jsonl", "plan.json", "manifest.json", "summary.json"} or path.suffix == ".html"
        work = name.startswith("work-") or "times" in name
        if path.is_file() and not other and not work:
            found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found, folder
    return found


def finished_units(folder: Path) -> list[str]:
    """The lines of finished units in the log of a run."""
    return [line for log in folder.rglob("*.jsonl") for line in log.read_text().splitlines() if line.startswith('{"unit"')]
