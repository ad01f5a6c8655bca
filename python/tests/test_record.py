"""Game records of every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from yomikiri import Board, IllegalMoveError, Move, Record, RecordError, parse_records, read_records, write_records

TREE_FORMATS = ["kif", "kifu", "ki2", "ki2u", "jkf"]
LINE_FORMATS = ["csa", "csa3", "usi", "tsv"]


def sample() -> Record:
    record = Record()
    record.set_header("先手", "先の人")
    record.set_header("後手", "後の人")
    first = record.root.add("7g7f")
    first.comments = ["角道を開ける", "second line"]
    first.spent = 12.0
    second = first.add(Move("3c3d"))
    second.spent = 3.0
    first.add("8c8d").comments = ["the variation"]
    second.add("2g2f").end("resign")
    return record


@pytest.mark.parametrize("form", TREE_FORMATS)
def test_trees_come_back_whole(form: str) -> None:
    record = sample()
    back = parse_records(record.to_bytes(form), form)[0]
    assert [str(move) for move in back.moves] == ["7g7f", "3c3d", "2g2f"]
    first = back.main_line[0]
    assert [child.move for child in first.children] == [Move("3c3d"), Move("8c8d")]
    assert first.comments == ["角道を開ける", "second line"]
    assert first.children[1].comments == ["the variation"]
    assert back.headers["先手"] == "先の人" and back.winner == "black"
    if form not in ("ki2", "ki2u"):
        assert first.spent == 12.0
    assert record.losses(form) == ([] if form not in ("ki2", "ki2u") else ["2 clock times"])


@pytest.mark.parametrize("form", LINE_FORMATS)
def test_lines_come_back_and_what_is_lost_is_said(form: str) -> None:
    record = sample()
    back = parse_records(record.to_bytes(form), form)[0]
    assert back.moves == record.moves
    assert any("variation" in loss for loss in record.losses(form))


def test_files_are_known_by_their_names(tmp_path: Path, games: list[Record]) -> None:
    for name in ["games.csa", "games.usi", "games.tsv"]:
        write_records(tmp_path / name, games[:5])
        back = read_records(tmp_path / name)
        assert [record.moves for record in back] == [record.moves for record in games[:5]]
    with pytest.raises(RecordError, match="one game"):
        write_records(tmp_path / "games.kif", games[:2])
    with pytest.raises(RecordError, match="format"):
        read_records(tmp_path / "games")


def test_a_board_gives_its_record() -> None:
    board = Board()
    for usi in ["7g7f", "3c3d", "8h2b+"]:
        board.push_usi(usi)
    record = Record.from_board(board)
    assert record.moves == board.history and record.board() == board
    assert record.main_line[1].board().sfen().startswith("lnsgkgsnl")


def test_what_cannot_follow_is_refused() -> None:
    record = sample()
    with pytest.raises(IllegalMoveError):
        record.root.add("7g7e")
    end = record.main_line[-1]
    assert end.ending == "TORYO"
    with pytest.raises(IllegalMoveError):
        end.add("8c8d")
    with pytest.raises(ValueError):
        end.end("mate")
    with pytest.raises(ValueError):
        record.root.end("because")
    with pytest.raises(ValueError):
        record.root.comments = ["two\nlines"]
    with pytest.raises(ValueError):
        record.root.spent = -1.0
    with pytest.raises(RecordError):
        parse_records("hello")
    with pytest.raises(RecordError):
        record.to_bytes("pgn")
    with pytest.raises(RecordError):
        read_records("no such file.csa")
