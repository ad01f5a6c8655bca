"""Packed positions as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from yomikiri import Board, NotationError, Record, arrays, write_records


def test_entries_of_games_round_trip(tmp_path: Path, games: list[Record]) -> None:
    for name, dtype in [("games.hcpe", arrays.HCPE), ("games.psv", arrays.PSV)]:
        write_records(tmp_path / name, games[:20])
        entries = arrays.load(tmp_path / name)
        assert entries.dtype == dtype and len(entries) == sum(len(game) for game in games[:20])
        assert arrays.moves(entries)[: len(games[0])] == [str(move) for move in games[0].moves]
        first = games[0].start.sfen().rsplit(" ", 1)[0]
        assert arrays.sfens(entries)[0].rsplit(" ", 1)[0] == first
    hcpe, psv = arrays.load(tmp_path / "games.hcpe"), arrays.load(tmp_path / "games.psv")
    assert (arrays.convert(psv, arrays.HCPE) == hcpe).all()
    assert (arrays.planes(psv) == arrays.planes(hcpe)).all()
    assert (arrays.features(psv) == arrays.features(hcpe)).all()


def test_planes_and_features_are_those_of_the_boards(positions: list[str]) -> None:
    boards = [Board(sfen) for sfen in positions[:200]]
    planes = arrays.planes(boards)
    for board, plane in zip(boards, planes):
        assert np.array_equal(board.piece_planes(), plane)
    filled = np.full(planes.shape, 7, np.float32)
    assert arrays.planes(boards, out=filled) is filled and (filled == planes).all()
    boards[3].piece_planes(filled[0])
    assert (filled[0] == planes[3]).all()
    halves = arrays.features(boards, "HalfKP")
    assert halves.shape == (200, 2, 40)
    # 40 pieces but for the two kings, each once.
    assert ((halves >= 0).sum(axis=2) == 38).all()
    assert (np.sort(arrays.features(boards, "K+P")[0][0]) == arrays.features(boards, "K+P")[0][0]).all()


def test_arrays_that_cannot_be_filled_are_refused() -> None:
    with pytest.raises(TypeError, match="float32"):
        arrays.planes([Board()], out=np.zeros((1, 28, 9, 9)))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="float32"):
        Board().piece_planes([])  # type: ignore[call-overload]
    for shape in [(2, 28, 9, 9), (1, 28, 81)]:
        with pytest.raises(ValueError, match="shape"):
            arrays.planes([Board()], out=np.zeros(shape, np.float32))
    with pytest.raises(ValueError, match="one piece"):
        Board().piece_planes(np.zeros((9, 9, 28), np.float32).T)
    locked = np.zeros((28, 9, 9), np.float32)
    locked.setflags(write=False)
    with pytest.raises(TypeError, match="writable"):
        Board().piece_planes(locked)


def test_views_are_not_copied(positions: list[str]) -> None:
    entries = np.zeros(len(positions), arrays.HCPE)
    entries["hcp"] = arrays.pack(positions)
    flat, form = arrays._bytes(entries)
    assert form == "hcpe" and np.shares_memory(flat, entries)
    # A slice with gaps has to be copied, and gives the same.
    assert (arrays.planes(entries[::2]) == arrays.planes(entries)[::2]).all()


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(NotationError, match="entry 1"):
        entries = np.zeros(2, arrays.HCPE)
        entries["hcp"][0] = arrays.pack([Board()])
        entries["hcp"][1] = 255
        arrays.planes(entries)
    with pytest.raises(TypeError):
        arrays.planes(np.zeros(3))
    with pytest.raises(TypeError):
        arrays.convert(np.zeros(1, arrays.PSV), np.float32)
    with pytest.raises(ValueError):
        arrays.features([Board()], "HalfKA")
    with pytest.raises(ValueError):
        arrays.load("positions.data")
    assert arrays.planes(np.zeros(0, arrays.HCPE)).shape == (0, 28, 9, 9)
