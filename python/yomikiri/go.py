"""Go: can this block be captured?"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from ._yomikiri import capture

__all__ = ["Problem", "capture", "problems"]

_COLUMNS = "ABCDEFGHJKLMNOPQRST"


@dataclass(frozen=True)
class Problem:
    """A question of a set: the arguments of `capture`, and the answer that the set expects, such as `'1 (D9|E8)'`."""

    position: list[str]
    target: str
    attack: bool
    expected: str | None


def problems(path: str | os.PathLike[str]) -> list[Problem]:
    """Reads a set of single questions in JSON lines, as `data/go/go_gnugo_capture.jsonl` is one."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                continue
            row = json.loads(line)
            size = row["size"]
            rows = [["."] * size for _ in range(size)]
            for mark, names in (("X", row["black"]), ("O", row["white"])):
                for name in names:
                    rows[size - int(name[1:])][_COLUMNS.index(name[0])] = mark
            position = ["".join(cells) for cells in rows]
            found.append(Problem(position, row["target"], row["cmd"] == "attack", row.get("expect")))
    return found
