"""The notebooks run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

nbclient: Any = pytest.importorskip("nbclient")
nbformat: Any = pytest.importorskip("nbformat")

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=180, resources={"metadata": {"path": str(path.parent)}})
    client.execute()


def test_there_are_four_and_none_keeps_outputs() -> None:
    assert len(NOTEBOOKS) == 4
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            assert cell.cell_type != "code" or not cell.outputs, path.name
