"""cshogi as an oracle: another program's rules, records and mates on the same positions and games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import DATA
from yomikiri import Board, Move, Record, arrays, parse_records, solve

cshogi: Any = pytest.importorskip("cshogi", reason="cshogi has no package for this machine")

REPETITION = {
    None: cshogi.NOT_REPETITION,
    "draw": cshogi.REPETITION_DRAW,
    "win": cshogi.REPETITION_WIN,
    "loss": cshogi.REPETITION_LOSE,
    "superior": cshogi.REPETITION_SUPERIOR,
    "inferior": cshogi.REPETITION_INFERIOR,
}


def usi(moves: Any) -> list[str]:
    return sorted(cshogi.move_to_usi(move) for move in moves)


def test_legal_moves_checks_and_ends(positions: list[str]) -> None:
    checks = ends = 0
    for sfen in positions:
        ours, theirs = Board(sfen), cshogi.Board(sfen)
        assert ours.sfen() == theirs.sfen()
        assert sorted(map(str, ours.legal_moves)) == usi(theirs.legal_moves), sfen
        assert ours.is_check() == theirs.is_check()
        assert ours.is_mate() == (theirs.is_game_over() and theirs.is_check())
        assert ours.is_nyugyoku() == theirs.is_nyugyoku()
        assert (ours.turn == "white") == bool(theirs.turn) and ours.move_number == theirs.move_number
        checks += ours.is_check()
        ends += not ours.legal_moves
        for move in ours.checking_moves:
            theirs.push_usi(str(move))
            assert theirs.is_check()
            theirs.pop()
    assert len(positions) == 1000 and checks > 20


def test_boards_planes_and_packed_forms(positions: list[str]) -> None:
    for sfen in positions:
        ours, theirs = Board(sfen), cshogi.Board(sfen)
        assert ours.pieces.tolist() == theirs.pieces
        assert [list(hand) for hand in ours.pieces_in_hand] == [list(hand) for hand in theirs.pieces_in_hand]
        planes = np.zeros((28, 9, 9), np.float32)
        theirs.piece_planes(planes)
        assert np.array_equal(ours.piece_planes(), planes)
        hcp, psfen = np.zeros(1, cshogi.HuffmanCodedPos), np.zeros(1, cshogi.PackedSfen)
        theirs.to_hcp(hcp)
        theirs.to_psfen(psfen)
        assert ours.to_hcp() == hcp.tobytes() and ours.to_psfen() == psfen.tobytes()


def before_mate() -> list[str]:
    """Positions in which the last move of a solved problem mates."""
    found = []
    for line in (DATA / "tsume" / "mined.tsv").read_text().splitlines():
        columns = line.split("\t")
        if len(columns) == 5 and columns[1] == "mate":
            board = Board(columns[0])
            for usi_move in columns[4].split()[:-1]:
                board.push_usi(usi_move)
            found.append(board.sfen())
    return found


def test_mates_in_one(positions: list[str]) -> None:
    """Theirs need not find every mate; every mate that either names is one."""
    found = 0
    for sfen in positions + before_mate():
        ours, theirs = Board(sfen), cshogi.Board(sfen)
        if ours.is_check():
            continue
        mine, other = ours.mate_move_in_1ply(), theirs.mate_move_in_1ply()
        if other:
            assert mine is not None, sfen
        if mine is not None:
            found += 1
            theirs.push_usi(str(mine))
            assert theirs.is_check() and theirs.is_game_over(), sfen
    assert found > 20


def test_repetition_verdicts() -> None:
    """Games in which pieces go to and fro: every verdict of a first return is theirs too."""
    rng = random.Random(5)
    seen: dict[object, int] = {}
    starts = [
        "startpos",
        "4k4/9/9/9/9/9/9/9/R3K4 b - 1",
        "4k3r/9/9/9/9/9/9/9/R3K4 b Gg 1",
        "ln3k2l/9/9/9/9/9/9/9/4K2R1 b 2P2p 1",
    ]
    for game in range(240):
        start = Board(starts[game % len(starts)])
        ours, theirs = start.copy(), cshogi.Board(start.sfen())
        for _ in range(40):
            legal = ours.legal_moves
            if not legal:
                break
            back = None
            if len(ours.history) >= 2 and rng.random() < 0.6:
                last = ours.history[-2]
                if last.from_square and not last.promotion:
                    back = Move(last.to_square + last.from_square)
            checks = ours.checking_moves if rng.random() < 0.3 else []
            move = back if back in legal else rng.choice(checks or legal)
            assert move is not None
            ours.push(move)
            theirs.push_usi(str(move))
            verdict = ours.repetition_within()
            seen[verdict] = seen.get(verdict, 0) + 1
            assert REPETITION[verdict] == theirs.is_draw(), ours.usi()
    assert seen["draw"] > 50 and seen["win"] + seen["loss"] > 5, seen


def test_records_of_a_hundred_games(games: list[Record], tmp_path: Path) -> None:
    from cshogi import CSA, KIF

    assert len(games) == 100
    for record in games:
        moves = [str(move) for move in record.moves]
        csa = CSA.Parser.parse_str(record.to_text("csa"))[0]
        assert [cshogi.move_to_usi(move) for move in csa.moves] == moves
        kif = KIF.Parser.parse_str(record.to_text("kif"))
        assert [cshogi.move_to_usi(move) for move in kif.moves] == moves
        path = tmp_path / "theirs.csa"
        exporter = CSA.Exporter(str(path))
        exporter.info(cshogi.STARTING_SFEN, names=["a", "b"])
        board = cshogi.Board()
        for usi_move in moves:
            exporter.move(board.push_usi(usi_move))
        exporter.endgame("%TORYO")
        exporter.close()
        back = parse_records(path.read_bytes(), "csa")[0]
        assert [str(move) for move in back.moves] == moves and back.ending == "TORYO"


def test_arrays_are_read_alike(games: list[Record], tmp_path: Path) -> None:
    from yomikiri import write_records

    write_records(tmp_path / "games.hcpe", games[:10])
    entries = np.fromfile(tmp_path / "games.hcpe", cshogi.HuffmanCodedPosAndEval)
    planes = arrays.planes(entries)
    board, plane = cshogi.Board(), np.zeros((28, 9, 9), np.float32)
    moves = arrays.moves(entries)
    for number in range(0, len(entries), 7):
        board.set_hcp(np.asarray(entries[number]["hcp"]))
        plane.fill(0)
        board.piece_planes(plane)
        assert np.array_equal(planes[number], plane)
        theirs = board.move_from_move16(int(entries[number]["bestMove16"]))
        assert cshogi.move_to_usi(theirs) == moves[number]


def test_what_their_solver_decides_ours_decides_too() -> None:
    problems = []
    for name in ["mined.tsv", "musou_odd.tsv", "zukou_odd.tsv"]:
        lines = [line for line in (DATA / "tsume" / name).read_text().splitlines() if not line.startswith("#")]
        problems += [line.split("\t")[0] for line in lines][:: max(1, len(lines) // 25)][:25]
    decided = 0
    for sfen in problems:
        theirs = cshogi.DfPn(31, 20_000, 32767)
        if theirs.search(cshogi.Board(sfen)):
            decided += 1
            solution = solve(sfen, nodes=300_000, shortest=False, memory=64)
            assert solution.result == "mate" and solution.proof is not None, sfen
    assert decided > 20
