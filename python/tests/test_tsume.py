"""Mates, proofs, cooks, binds, and captures in Go."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import pytest

from conftest import DATA
from yomikiri import Board, IllegalMoveError, Move, NotationError, Proof, ProofError, cook_check, go, hisshi, solve, threat

ELEVEN = "lg1+N1+P1nl/1ks2R1+R1/6P1p/ppp1pp3/3P2p2/P1P1Pb3/1P1KsP2P/1B7/LNS2G1+pL b 2GSPn 77"


def test_a_mate_of_eleven_is_proven_and_the_proof_verifies_itself() -> None:
    solution = solve(ELEVEN)
    assert (solution.result, solution.length, solution.bounds, solution.exact) == ("mate", 11, (11, 11), True)
    assert solution and solution.verified and solution.attacker == "black"
    board = Board(ELEVEN)
    for move in solution.moves:
        board.push(move)
    assert board.is_mate() and len(solution.moves) == 11
    assert solution.proof is not None
    positions, plies = solution.proof.verify()
    assert positions > 5 and plies >= 11 and solution.proof.length == 11
    record = solution.record()
    assert record is not None and record.moves == solution.moves
    assert sum(len(node.children) > 1 for node in record.main_line) > 0


def test_a_spoiled_proof_is_refused() -> None:
    solution = solve(ELEVEN)
    assert solution.proof is not None
    whole = json.loads(solution.proof.to_json())
    for spoil in [
        {**whole, "steps": whole["steps"][1:]},
        {**whole, "raw_length": whole["raw_length"] + 1},
        {**whole, "length": 9},
        {**whole, "sfen": "hello"},
    ]:
        with pytest.raises(ProofError):
            Proof.from_json(json.dumps(spoil)).verify()
    with pytest.raises(ProofError):
        Proof.from_json("{}")


def test_no_mate_and_unknown() -> None:
    board = Board("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    none = solve(board, refute=True)
    assert none.result == "nomate" and none.verified and not none and none.length is None and none.proof is None
    unknown = solve((DATA / "tsume" / "extra.tsv").read_text().splitlines()[2].split("\t")[0], nodes=500)
    assert unknown.result == "unknown" and unknown.reason == "node limit"
    with pytest.raises(NotationError):
        solve("hello")
    with pytest.raises(ValueError):
        solve(board, memory=0)
    with pytest.raises(ValueError):
        solve(board, threads=0)


def test_ctrl_c_ends_a_solver() -> None:
    hard = (DATA / "tsume" / "extra.tsv").read_text().splitlines()[2].split("\t")[0]
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solve(hard, memory=16)
    assert time.monotonic() - begun < 20


def test_cooks_are_found() -> None:
    # Two golds in hand: the first move may be either side of the head.
    cooked = cook_check("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")
    assert all(cook.ply >= 1 and cook.move != Move("G*5b") for cook in cooked)
    cooked = cook_check("7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b GSr3g3s3n3lb15p 1")
    assert {Move("4b3a"), Move("4b3a+")} <= {cook.move for cook in cooked if cook.ply == 1}
    with pytest.raises(ValueError, match="no mate"):
        cook_check("4k4/9/9/9/9/9/9/9/4K4 b G 1", nodes=1000)
    with pytest.raises(IllegalMoveError, match="7g7f"):
        cook_check("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", ["7g7f"])
    with pytest.raises(ValueError, match="16777216 megabytes"):
        solve("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", memory=10**12)


def test_binds_and_threats() -> None:
    position = "8k/9/7P1/9/9/9/9/9/4K4 b 2G 1"
    binds = hisshi(position)
    assert any(sure for _, sure in binds)
    for move, sure in binds:
        board = Board(position)
        board.push(move)
        assert not board.is_check()
        if sure:
            assert threat(board) == "hisshi"
    waiting = Board("8k/9/8P/9/9/9/9/9/4K4 b G 1")
    waiting.push_usi("5i5h")
    assert threat(waiting) == "mate"


def test_captures_in_go() -> None:
    corner = ["OX...", ".....", ".....", ".....", "....."]
    found = go.capture(corner, "A5")
    assert (found["answer"], found["code"], found["line"]) == ("unconditional", 1, ["A4"])
    assert found["verified"]
    assert go.capture("(;GM[1]SZ[5]AW[aa]AB[ba])", "A5")["code"] == 1
    unknown = go.capture(["....."] * 2 + ["..X.."] + ["....."] * 2, "C3", nodes=50)
    assert unknown["answer"] is None and unknown["nodes"] >= 50
    problems = go.problems(DATA / "go" / "go_gnugo_capture.jsonl")
    assert len(problems) > 100 and {problem.attack for problem in problems} == {True, False}
    assert all(go.capture(it.position, it.target, attack=it.attack, nodes=1)["nodes"] for it in problems[:20])
    with pytest.raises(ValueError, match="no stone"):
        go.capture(corner, "B1")
    with pytest.raises(NotationError):
        go.capture(["..", "..."], "A1")
    with pytest.raises(NotationError):
        go.capture("(;GM[1]SZ[99])", "A1")
    with pytest.raises(NotationError):
        go.capture(corner, "Z9")
