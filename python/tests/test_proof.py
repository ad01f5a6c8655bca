"""The solvers over games that are written in Python."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Hashable, Iterable
from typing import Literal, Optional

import pytest

from yomikiri import ProofError, proof


class LastStone(proof.Game):
    """Take one or two stones; who takes the last one wins."""

    def __init__(self, stones: int, attacker: bool = True) -> None:
        self.stones, self.attacker = stones, attacker

    def attacker_to_move(self) -> bool:
        return self.attacker

    def key(self) -> Hashable:
        return self.stones

    def moves(self) -> Iterable[int]:
        return range(1, min(2, self.stones) + 1)

    def play(self, move: int) -> LastStone:
        return LastStone(self.stones - move, not self.attacker)

    def settled(self) -> Optional[bool]:
        return (not self.attacker) if self.stones == 0 else None


class TicTacToe(proof.Game):
    """The attacker (X, first) wants three in a row."""

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def __init__(self, cells: str = "." * 9) -> None:
        self.cells = cells

    def attacker_to_move(self) -> bool:
        return self.cells.count("X") == self.cells.count("O")

    def key(self) -> Hashable:
        return self.cells

    def moves(self) -> Iterable[int]:
        return [at for at, cell in enumerate(self.cells) if cell == "."]

    def play(self, move: int) -> TicTacToe:
        mark = "X" if self.attacker_to_move() else "O"
        return TicTacToe(self.cells[:move] + mark + self.cells[move + 1 :])

    def settled(self) -> Optional[bool]:
        for line in self.LINES:
            marks = {self.cells[at] for at in line}
            if marks == {"X"}:
                return True
            if marks == {"O"}:
                return False
        return False if "." not in self.cells else None


class Walk(proof.Game):
    """A graph with circles: the attacker walks on a ring and wants to reach a place, and the defender moves him back or not."""

    def __init__(self, place: int, attacker: bool = True) -> None:
        self.place, self.attacker = place, attacker

    def attacker_to_move(self) -> bool:
        return self.attacker

    def key(self) -> Hashable:
        return ("ring", self.place)

    def moves(self) -> Iterable[int]:
        return [1, 2] if self.attacker else [0, -1]

    def play(self, move: int) -> Walk:
        return Walk((self.place + move) % 12, not self.attacker)

    def settled(self) -> Optional[bool]:
        return True if self.place == 7 else None


ALGORITHMS: list[proof.Algorithm] = ["pn", "pds", "dfpn"]
RULES = [{"widening": width, "weak": weak} for width, weak in itertools.product(["all", "top:2", "rate:2"], [False, True])]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("rule", RULES)
def test_every_solver_knows_the_last_stone(algorithm: proof.Algorithm, rule: dict[str, object]) -> None:
    for stones in range(1, 13):
        result = proof.search(LastStone(stones), algorithm, **rule)  # type: ignore[arg-type]
        assert result.proven == (stones % 3 != 0), stones
        if result.proven and algorithm != "pn":
            assert result.verify() >= 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_tic_tac_toe_is_no_win_and_a_fork_is(algorithm: proof.Algorithm) -> None:
    assert proof.search(TicTacToe("X...O...." if algorithm == "pn" else "." * 9), algorithm).proven is False
    won = proof.search(TicTacToe("XO..X...O"), algorithm)
    assert won.proven is True
    if algorithm != "pn":
        assert won.verify() > 1 and won.line()[0] in (2, 3, 6)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_circles_are_no_progress(algorithm: proof.Algorithm) -> None:
    assert proof.search(Walk(5), algorithm).proven is True
    # One step forward and one back: the defender holds him if every step can be undone.
    class Held(Walk):
        def moves(self) -> Iterable[int]:
            return [1] if self.attacker else [0, -1]

        def play(self, move: int) -> Held:
            return Held((self.place + move) % 12, not self.attacker)

    assert proof.search(Held(5), algorithm).proven is False


def test_limits_are_told() -> None:
    result = proof.search(TicTacToe(), nodes=5)
    assert result.proven is None and result.reason == "node limit"
    with pytest.raises(ProofError):
        result.verify()


def test_a_spoiled_proof_is_refused() -> None:
    result = proof.search(LastStone(10))
    assert result.tree is not None
    spoiled = [dataclasses.replace(node, moves=node.moves[:0] if not node.attacker else node.moves) for node in result.tree]
    with pytest.raises(ProofError):
        dataclasses.replace(result, tree=spoiled).verify()


def test_an_exception_of_the_game_comes_out() -> None:
    class Broken(LastStone):
        def play(self, move: int) -> LastStone:
            raise ZeroDivisionError("broken")

    for algorithm in ALGORITHMS:
        with pytest.raises(ZeroDivisionError):
            proof.search(Broken(9), algorithm)
    with pytest.raises(AttributeError):
        proof.search(object())  # type: ignore[arg-type]
    for words in [{"algorithm": "alpha-beta"}, {"widening": "some"}, {"widening": "top:0"}]:
        with pytest.raises(ValueError):
            proof.search(LastStone(3), **words)  # type: ignore[arg-type]


def test_estimates_change_the_order_and_not_the_answer() -> None:
    class Estimated(LastStone):
        def play(self, move: int) -> Estimated:
            return Estimated(self.stones - move, not self.attacker)

        def estimate(self, move: int) -> tuple[int, int]:
            return (self.stones, move)

    for stones in range(1, 10):
        assert proof.search(Estimated(stones)).proven == (stones % 3 != 0)


class Counted(LastStone):
    """Knows how many of its kind there are."""

    alive = 0

    def __init__(self, stones: int, attacker: bool = True) -> None:
        super().__init__(stones, attacker)
        Counted.alive += 1

    def __del__(self) -> None:
        Counted.alive -= 1

    def play(self, move: int) -> Counted:
        return Counted(self.stones - move, not self.attacker)


@pytest.mark.parametrize("algorithm", ["pn", "dfpn", "pds"])
def test_states_that_the_solver_drops_are_given_back(algorithm: Literal["pn", "dfpn", "pds"]) -> None:
    root = Counted(12)
    for _ in range(3):
        proof.search(root, algorithm=algorithm)
    assert Counted.alive == 1
