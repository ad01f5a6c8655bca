"""Board and Move."""

from __future__ import annotations

import copy
import pickle
import random
import xml.etree.ElementTree
from collections.abc import Callable

import numpy as np
import pytest

from yomikiri import Board, IllegalMoveError, Move, NotationError


def test_a_random_walk_goes_back_to_where_it_began() -> None:
    rng = random.Random(1)
    for _ in range(20):
        board = Board()
        seen = []
        for _ in range(150):
            moves = board.legal_moves
            if not moves:
                break
            seen.append(board.sfen())
            board.push(rng.choice(moves))
        assert Board(board.usi()).sfen() == board.sfen()
        assert pickle.loads(pickle.dumps(board)).history == board.history
        while seen:
            board.pop()
            assert board.sfen() == seen.pop()
        assert board == Board()


def test_a_move_is_a_value() -> None:
    move = Move("7g7f")
    assert move == Board().legal_moves[Board().legal_moves.index(move)]
    assert hash(move) == hash(Move("7g7f")) and {move: 1}[Move("7g7f")] == 1
    assert pickle.loads(pickle.dumps(move)) == move and copy.deepcopy(move) == move
    assert Move.from_bits(int(move)) == move
    assert str(move) == "7g7f" and repr(move) == "Move('7g7f')"
    assert sorted([Move("7g7f"), Move("2g2f")])[0] == Move("2g2f")


@pytest.mark.parametrize("text", ["", "7g", "7g7g", "P*0a", "7g7f++", "K*5e", "十"])
def test_texts_that_are_no_move_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Move(text)


def test_numbers_that_are_no_move_are_refused() -> None:
    good = 0
    for bits in range(1 << 16):
        try:
            assert int(Move.from_bits(bits)) == bits
            good += 1
        except NotationError:
            pass
    # 81 x 80 board moves with and without promotion, 7 x 81 drops.
    assert good == 81 * 80 * 2 + 7 * 81


@pytest.mark.parametrize(
    "sfen", ["", "hello", "9/9/9/9/9/9/9/9/9 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b 19P 1", "startpos moves 7g7e"]
)
def test_texts_that_are_no_position_are_refused(sfen: str) -> None:
    with pytest.raises(NotationError):
        Board(sfen)


def test_illegal_moves_change_nothing() -> None:
    board = Board()
    for usi in ["7g7e", "8h2b+", "P*5e", "3c3d", "5a5b"]:
        with pytest.raises(IllegalMoveError):
            board.push(Move(usi))
        with pytest.raises(IllegalMoveError):
            board.push_usi(usi)
    assert board == Board()
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(TypeError):
        board.push("7g7f")  # type: ignore[arg-type]


def test_a_pass_is_taken_back_and_not_allowed_in_check() -> None:
    board = Board()
    board.push_pass()
    assert board.turn == "white" and board.pop() is None and board == Board()
    checked = Board("4k4/9/9/9/9/9/9/9/4R2K1 w - 1")
    assert checked.is_check()
    with pytest.raises(IllegalMoveError):
        checked.push_pass()


def test_repetition_is_a_draw_and_perpetual_check_loses() -> None:
    board = Board()
    for turn in range(3):
        assert not board.is_draw()
        for usi in ["4i4h", "6a6b", "4h4i", "6b6a"]:
            board.push_usi(usi)
    assert board.is_draw() and board.repetition() == "draw" and board.outcome() == ("repetition", None)
    checks = Board("4k4/9/9/9/9/9/9/9/R3K4 b - 1")
    checks.push_usi("9i9a")
    for _ in range(3):
        for usi in ["5a5b", "9a9b", "5b5a", "9b9a"]:
            checks.push_usi(usi)
    assert checks.repetition() == "win" and checks.outcome() == ("perpetual check", "white")


def test_mates_and_ends() -> None:
    board = Board("8k/9/8P/9/9/9/9/9/4K4 b G 1")
    assert board.mate_move_in_1ply() == Move("G*1b")
    board.push_usi("G*1b")
    assert board.is_mate() and board.is_game_over() and board.outcome() == ("mate", "black")


def test_names_of_moves() -> None:
    board = Board()
    move = board.push_japanese("▲７六歩")
    board.pop()
    assert board.japanese(move).endswith("７六歩")
    assert board.western(move) == "P-7f" and board.csa(move) == "+7776FU"
    assert board.push_csa("7776FU") == move
    with pytest.raises(IllegalMoveError):
        board.japanese(move)


def test_pieces_hands_and_planes_say_the_same() -> None:
    board = Board("lnsgkgsnl/1r7/pppppp1pp/9/9/9/PPPPPPP1P/1B5R1/LNSGKGSNL w BPp 1")
    assert board.hand("black") == {"P": 1, "B": 1} and board.hand("white") == {"P": 1}
    assert board.pieces_in_hand[0] == [1, 0, 0, 0, 0, 1, 0]
    planes = board.piece_planes()
    assert planes.shape == (28, 9, 9) and planes.dtype == np.float32
    assert planes.sum() == np.count_nonzero(board.pieces)
    assert board.piece_on("8h") == "B" and board.piece_on("8b") == "r" and board.piece_on("5e") is None
    again = np.ones((28, 9, 9), np.float32)
    board.piece_planes(again)
    assert np.array_equal(again, planes)
    with pytest.raises(ValueError):
        board.piece_planes(np.ones((3, 9, 9), np.float32))


def test_packed_forms_round_trip(positions: list[str]) -> None:
    for sfen in positions[:200]:
        board = Board(sfen)
        without_number = board.sfen().rsplit(" ", 1)[0]
        assert Board.from_hcp(board.to_hcp()).sfen().rsplit(" ", 1)[0] == without_number
        assert Board.from_psfen(board.to_psfen()).sfen().rsplit(" ", 1)[0] == without_number
    for fault in [b"", b"\0" * 31, b"\xff" * 32]:
        with pytest.raises(NotationError):
            Board.from_hcp(fault)


def test_the_picture_is_an_svg() -> None:
    board = Board()
    board.push_usi("7g7f")
    assert xml.etree.ElementTree.fromstring(board._repr_svg_()).tag.endswith("svg")
    assert board.to_svg(flipped=True) != board.to_svg()


def test_words_that_are_none_are_refused() -> None:
    calls: list[Callable[[], object]] = [
        lambda: Board().hand("red"),
        lambda: Board().king_square(""),
        lambda: Board().outcome("no rule"),
        lambda: Board().piece_on("10a"),
        lambda: Board.handicap("百枚落ち"),
    ]
    for call in calls:
        with pytest.raises(ValueError):
            call()
