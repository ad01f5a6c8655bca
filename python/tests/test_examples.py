"""The examples for Slurm and Kubernetes: their syntax, and a dry run with a program that says what it was asked."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import yaml

from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"


def fake_program(folder: Path) -> Path:
    program = folder / "yomikiri"
    program.write_text('#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n')
    program.chmod(0o755)
    return program


def test_the_slurm_script_shares_a_run_out(tmp_path: Path) -> None:
    script = EXAMPLES / "slurm_array.sh"
    subprocess.run(["sh", "-n", str(script)], check=True)
    command = ["sh", str(script), "match", "-e", "name=a", "-e", "name=b option.null_move.enabled=true"]
    task = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "32", "OUT": str(tmp_path)}
    environment = {**os.environ, **task, "YOMIKIRI_PROGRAM": str(fake_program(tmp_path))}
    words = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    assert words[:5] == ["match", "-e", "name=a", "-e", "name=b option.null_move.enabled=true"]
    assert words[5:] == ["--shard", "3/32", "--out", f"{tmp_path}/part-3"]
    outside = subprocess.run(["sh", str(script), "match"], capture_output=True, text=True, check=False)
    assert outside.returncode != 0 and "set OUT" in outside.stderr


def test_the_kubernetes_job_shares_a_run_out(tmp_path: Path) -> None:
    job: Any = yaml.safe_load((EXAMPLES / "kubernetes_job.yaml").read_text())
    spec = job["spec"]
    assert (job["kind"], spec["completionMode"]) == ("Job", "Indexed") and spec["completions"] == spec["parallelism"]
    pod = spec["template"]["spec"]
    container = pod["containers"][0]
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    fake_program(tmp_path)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "JOB_COMPLETION_INDEX": "5"}
    command = container["command"] + container["args"]
    words = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    assert words[0] == "match" and f"5/{spec['completions']}" in words and words[-1].endswith("part-5")
