"""The experiments of the laboratory, and their results as tables."""

from __future__ import annotations

import csv
import os
from pathlib import Path

Table = dict[str, list[object]]
"""A table as its columns: `pandas.DataFrame(table)` takes it."""


def _value(text: str) -> object:
    """A cell as a number where it is one; an empty cell is `None`."""
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read_table(path: str | os.PathLike[str]) -> Table:
    """Reads a table of an experiment (CSV). A column whose cells are all numbers holds numbers."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if not rows:
        raise ValueError(f"{os.fspath(path)}: the table is empty")
    head, body = rows[0], rows[1:]
    table: Table = {}
    for at, name in enumerate(head):
        texts = [row[at] for row in body]
        values = [_value(text) for text in texts]
        mixed = any(isinstance(value, str) for value in values)
        table[name] = list(texts) if mixed else values
    return table


def tables(folder: str | os.PathLike[str]) -> dict[str, Table]:
    """All the tables in the folder of a run, by name."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(f"{os.fspath(folder)} is not the folder of a run")
    return {path.stem: read_table(path) for path in sorted(Path(folder).glob("*.csv"))}
