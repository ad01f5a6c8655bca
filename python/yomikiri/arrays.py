"""Packed positions as numpy arrays: files of training data without copies, planes, features, values.

`HCPE` and `PSV` are the record types of Apery's (cshogi's) and YaneuraOu's files, with cshogi's names for the fields:

    >>> import numpy as np
    >>> from yomikiri import Board, Evaluation, arrays
    >>> entries = np.zeros(2, arrays.HCPE)
    >>> entries["hcp"] = arrays.pack([Board(), Board("startpos moves 7g7f 3c3d 8h2b+")])
    >>> arrays.planes(entries).shape
    (2, 28, 9, 9)
    >>> int(arrays.evaluate(Evaluation("material"), entries)[0])
    0
    >>> arrays.sfens(entries)[1].split()[1]
    'w'

`load` maps a file into memory, so that a file of any size costs no reading before it is used. Every function here frees the
interpreter and uses all the processor's cores (`RAYON_NUM_THREADS` says how many).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _yomikiri
from ._yomikiri import Board, Evaluation

HCPE = np.dtype(
    [
        ("hcp", "u1", (32,)),
        ("eval", "<i2"),
        ("bestMove16", "<u2"),
        ("gameResult", "i1"),
        ("dummy", "u1"),
    ]
)
"""An entry of an HCPE file: the position, its score for the side to move, the move, who won (0 nobody, 1 black, 2 white)."""

PSV = np.dtype(
    [
        ("sfen", "u1", (32,)),
        ("score", "<i2"),
        ("move", "<u2"),
        ("gamePly", "<u2"),
        ("game_result", "i1"),
        ("padding", "u1"),
    ]
)
"""An entry of a PSV file; the result is 1 if the side to move won, -1 if it lost."""

Packed = Union[npt.NDArray[Any], Sequence[Union[Board, str]]]
"""Entries (`HCPE`, `PSV`), rows of 32 bytes (HCP), or a list of boards or SFENs."""


def load(path: str | os.PathLike[str], dtype: npt.DTypeLike | None = None, mode: Any = "r") -> npt.NDArray[Any]:
    """Maps a file of entries; its name gives the type (`.hcpe`; `.psv` and `.bin`) unless one is given."""
    if dtype is None:
        name = os.fspath(path)
        if name.endswith(".hcpe"):
            dtype = HCPE
        elif name.endswith((".psv", ".bin")):
            dtype = PSV
        else:
            raise ValueError(f"{name}: the name does not tell the type; say dtype=")
    return np.memmap(path, dtype=dtype, mode=mode)


def _bytes(entries: Packed, form: str | None = None) -> tuple[npt.NDArray[np.uint8], str]:
    """The entries as one row of bytes, and what they are; nothing is copied where they lie in one piece."""
    if not isinstance(entries, np.ndarray):
        packed = _yomikiri.pack(list(entries), "hcp")
        return packed.reshape(-1), "hcp"
    names = entries.dtype.names or ()
    found = form or ("hcpe" if "hcp" in names and entries.dtype.itemsize == 38 else None)
    if found is None and "sfen" in names and entries.dtype.itemsize == 40:
        found = "psv"
    if found is None and entries.dtype == np.uint8 and entries.shape[-1:] == (32,):
        found = "hcp"
    if found is None and entries.dtype.itemsize == 32 and names == ("hcp",):
        found = "hcp"
    if found is None:
        raise TypeError(f"an array of {entries.dtype} holds no packed positions; use HCPE, PSV or rows of 32 bytes")
    whole = np.ascontiguousarray(entries).reshape(-1)
    return whole.view(np.uint8), found


def pack(positions: Sequence[Board | str], form: str = "hcp") -> npt.NDArray[np.uint8]:
    """Packs boards or SFENs into rows of 32 bytes: `hcp` (Apery) or `psfen` (YaneuraOu)."""
    return _yomikiri.pack(list(positions), form)


def planes(
    entries: Packed, form: str | None = None, *, out: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.float32]:
    """One plane of 9 x 9 for every kind of piece of both sides: an array (n, 28, 9, 9), see `Board.piece_planes`.

    Given such an array of float32 as `out`, fills and returns it: a training loop then takes its memory once.
    """
    if out is None:
        return _yomikiri.packed_planes(*_bytes(entries, form))
    _yomikiri.packed_planes(*_bytes(entries, form), out)
    return out


def features(entries: Packed, name: str = "HalfKP", form: str | None = None) -> npt.NDArray[np.int32]:
    """The set inputs of a network (`K+P` or `HalfKP`): an array (n, 2, 40), the side to move's half first, filled with -1."""
    return _yomikiri.packed_features(*_bytes(entries, form), name)


def evaluate(evaluation: Evaluation, entries: Packed, form: str | None = None) -> npt.NDArray[np.int32]:
    """The values of positions for the side to move, in centipawns."""
    return evaluation.evaluate_packed(*_bytes(entries, form))


def sfens(entries: Packed, form: str | None = None) -> list[str]:
    """The positions in SFEN; HCP keeps no move number."""
    return _yomikiri.packed_sfens(*_bytes(entries, form))


def moves(entries: npt.NDArray[Any]) -> list[str | None]:
    """The moves of entries in USI; `None` where an entry has no legal one."""
    return _yomikiri.packed_moves(*_bytes(entries))


def convert(entries: npt.NDArray[Any], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The same entries as `HCPE` or `PSV`."""
    target = np.dtype(dtype)
    form = "hcpe" if target == HCPE else "psv" if target == PSV else None
    if form is None:
        raise TypeError(f"{target} is neither HCPE nor PSV")
    return _yomikiri.packed_convert(*_bytes(entries), form).view(target)
