"""The proof-number solvers over a game that is written in Python.

The attacker wants to reach a goal, the defender wants to prevent it. A state of the game is an object that does not change;
`play` gives the state after a move:

    >>> from yomikiri import proof
    >>> class LastStone(proof.Game):
    ...     '''Take one or two stones in turn; who takes the last one wins.'''
    ...     def __init__(self, stones, attacker=True):
    ...         self.stones, self.attacker = stones, attacker
    ...     def attacker_to_move(self): return self.attacker
    ...     def key(self): return self.stones
    ...     def moves(self): return range(1, min(2, self.stones) + 1)
    ...     def play(self, taken): return LastStone(self.stones - taken, not self.attacker)
    ...     def settled(self): return (not self.attacker) if self.stones == 0 else None
    >>> result = proof.search(LastStone(10))
    >>> result.proven, result.verify() > 0
    (True, True)
    >>> proof.search(LastStone(9), algorithm="pn").proven
    False
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, Optional

from . import _yomikiri
from ._yomikiri import ProofError


class Game(ABC):
    """A state of a two-player game with a goal for one side.

    A game may also have `estimate(move) -> (pn, dn)`, the first numbers of the state behind a move (df-pn+), and
    `repetition_loses`: `'attacker'` (the default: who goes round in circles reaches nothing) or `'mover'` (superko).
    """

    @abstractmethod
    def attacker_to_move(self) -> bool:
        """Whether the attacker is to move: an OR node."""

    @abstractmethod
    def key(self) -> Hashable:
        """Everything that decides how the game goes on, but for who is to move. States with equal keys are one state."""

    @abstractmethod
    def moves(self) -> Iterable[Hashable]:
        """The moves to consider, best first. Without moves the attacker has failed, and the defender has lost."""

    @abstractmethod
    def play(self, move: Any) -> Game:
        """The state after a move."""

    def settled(self) -> Optional[bool]:
        """Whether the attacker has reached the goal, if that is known without search."""
        return None


@dataclass(frozen=True)
class ProofNode:
    """A state of a proof: the attacker's one move, or all the moves of the defender, with the number of the state behind."""

    attacker: bool
    plies: int
    moves: list[tuple[Any, int]]


@dataclass(frozen=True)
class Result:
    """What a search found. `proven` is `None` if a limit was met, and `reason` says which."""

    game: Game
    proven: Optional[bool]
    pn: int
    dn: int
    nodes: int
    time: float
    reason: Optional[str]
    tree: Optional[list[ProofNode]]

    def line(self) -> list[Any]:
        """The attacker's moves of the proof and the defence that lasts longest."""
        line: list[Any] = []
        if self.tree:
            node = self.tree[-1]
            while node.moves:
                move, to = max(node.moves, key=lambda reply: self.tree[reply[1]].plies)  # type: ignore[index]
                line.append(move)
                node = self.tree[to]
        return line

    def verify(self) -> int:
        """Walks through the proof by the rules of the game alone and gives the number of its states.

        Every move of the attacker must be one of the game's, every move of the defender must be answered, no state may come
        back, and every end must be the goal. Raises `ProofError` otherwise, or if there is no proof to walk through.
        """
        if not self.tree:
            raise ProofError("there is no proof: not proven, or searched by 'pn', which keeps none")
        done: set[int] = set()
        path: set[tuple[bool, Hashable]] = set()
        # (state, number in the tree, its replies still to be walked)
        stack = [(self.game, len(self.tree) - 1, self._replies(self.game, len(self.tree) - 1))]
        path.add((self.game.attacker_to_move(), self.game.key()))
        while stack:
            state, number, replies = stack[-1]
            if not replies:
                done.add(number)
                path.discard((state.attacker_to_move(), state.key()))
                stack.pop()
                continue
            move, to = replies.pop()
            child = state.play(move)
            mark = (child.attacker_to_move(), child.key())
            if mark in path:
                raise ProofError(f"the proof goes round in a circle by {move!r}")
            if to not in done:
                path.add(mark)
                stack.append((child, to, self._replies(child, to)))
        return len(done)

    def _replies(self, state: Game, number: int) -> list[tuple[Any, int]]:
        assert self.tree is not None
        node = self.tree[number]
        settled = state.settled()
        if settled is not None:
            if not settled:
                raise ProofError("the proof ends in a state that the attacker has not won")
            return []
        legal = list(state.moves())
        given = [move for move, _ in node.moves]
        if state.attacker_to_move():
            if len(given) != 1 or given[0] not in legal:
                raise ProofError(f"the attacker's {given!r} is not one of the moves {legal!r}")
        elif set(given) != set(legal):
            raise ProofError(f"the defender may play {legal!r}, but the proof answers {given!r}")
        return list(node.moves)


Algorithm = Literal["pn", "pds", "dfpn"]


def search(
    game: Game,
    algorithm: Algorithm = "dfpn",
    *,
    widening: str = "all",
    weak: bool = False,
    epsilon_percent: int = 25,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    memory: int = 64,
) -> Result:
    """Does the attacker reach the goal?

    `algorithm` is proof-number search (Allis), PDS or df-pn (Nagai). `widening` says which children count where they are
    added up: `all`, `top:N` (the best N) or `rate:N` (the best 1/N; Yoshizoe's dynamic widening); `weak` takes the greatest
    child and counts the others (weak proof numbers). `memory` is in megabytes, `time` in seconds. An exception of the game
    ends the search and is raised here; so does Ctrl-C.
    """
    found = _yomikiri.search_game(game, algorithm, widening, weak, epsilon_percent, nodes, time, memory)
    tree = found.pop("tree")
    nodes_of_proof = None if tree is None else [ProofNode(*row) for row in tree]
    return Result(game=game, tree=nodes_of_proof, **found)
