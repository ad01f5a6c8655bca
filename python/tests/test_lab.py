"""Tables of experiments, read from what an experiment really writes."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas
import pytest

import yomikiri
from cluster_plans import lab_plan
from yomikiri import lab


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("lab")
    assert yomikiri.run_plan(lab_plan(), out)[1]
    return out / "widening"


def test_every_table_of_an_experiment_is_read(folder: Path) -> None:
    tables = lab.tables(folder)
    assert set(tables) == {path.stem for path in folder.glob("*.csv")} and "counts" in tables
    for name, table in tables.items():
        with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        assert list(table) == head
        assert [len(column) for column in table.values()] == [len(rows)] * len(head)
        for at, column in enumerate(table.values()):
            for row, value in zip(rows, column):
                # Numbers are numbers with the value of the text; nothing else is.
                same = value == row[at] if isinstance(value, str) else (value is None) == (row[at] == "")
                assert same and (not isinstance(value, (int, float)) or float(row[at]) == value)
    frame = pandas.DataFrame(tables["counts"])
    assert len(frame) > 0 and any(pandas.api.types.is_numeric_dtype(frame[name]) for name in frame)


def test_odd_tables(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1,x,\n2.5,2,3\n", encoding="utf-8")
    assert lab.read_table(path) == {"a": [1, 2.5], "b": ["x", "2"], "c": [None, 3]}
    path.write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match="empty"):
        lab.read_table(path)
    with pytest.raises(OSError):
        lab.read_table(tmp_path / "none.csv")
    with pytest.raises(NotADirectoryError, match="nowhere"):
        lab.tables(tmp_path / "nowhere")
