"""The types of arguments and results, for annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict, Union

if TYPE_CHECKING:
    from ._yomikiri import Board, Move

Color = Literal["black", "white"]
Position = Union["Board", str]
"""A board, an SFEN, or what follows `position` in USI."""
MoveLike = Union["Move", str]
"""A move, or USI."""
Interval = tuple[float, float, float]
"""A value and its 95 % interval."""


class Parameter(TypedDict):
    """A setting of the engine, see `Engine.parameters`."""

    name: str
    about: str
    default: str
    range: str | tuple[int, int] | list[str]


class Line(TypedDict):
    """A root move of a search, see `SearchResult.lines`."""

    move: Move
    cp: Optional[int]
    mate: Optional[int]
    pv: list[Move]
    depth: int
    nodes: int


class Measurement(TypedDict):
    """A point of a training run, see `NetworkTrainer.history`."""

    positions: int
    training_loss: float
    validation_loss: float
    quantised_loss: float


class Capture(TypedDict):
    """An answer about a capture, see `go.capture`."""

    answer: Optional[str]
    code: Optional[int]
    line: list[str]
    nodes: int
    time: float
    verified: Optional[int]


class Strength(TypedDict):
    """What pairs of games say, see `statistics.pentanomial`."""

    score: Interval
    elo: Interval
    normalized_elo: Interval
    superiority: float


class SprtState(TypedDict):
    """Where a sequential test stands, see `statistics.sprt`."""

    llr: float
    lower: float
    upper: float
    verdict: Literal["continue", "H0", "H1"]
