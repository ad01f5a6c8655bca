"""The examples in docstrings, those of the compiled part too, are run."""

from __future__ import annotations

import doctest
import types

import pytest

import yomikiri
from yomikiri import _yomikiri, arrays, lab, proof


def documented() -> dict[str, str]:
    """Every docstring with an example, by the name of what it documents."""
    found: dict[str, str] = {}

    def look(name: str, thing: object) -> None:
        text = getattr(thing, "__doc__", None)
        if isinstance(text, str) and ">>>" in text:
            found[name] = text
        if isinstance(thing, (type, types.ModuleType)):
            for key, inner in vars(thing).items():
                if not key.startswith("_") and (not isinstance(inner, types.ModuleType)):
                    inner = getattr(inner, "__func__", inner)
                    if isinstance(thing, type) or getattr(inner, "__module__", "").startswith("yomikiri"):
                        look(f"{name}.{key}", inner)

    for module in (_yomikiri, arrays, proof, lab):
        look(module.__name__, module)
    look("yomikiri", types.SimpleNamespace(__doc__=yomikiri.__doc__))
    return found


@pytest.mark.parametrize("name", sorted(documented()))
def test_example(name: str) -> None:
    parser = doctest.DocTestParser()
    test = parser.get_doctest(documented()[name], {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    output: list[str] = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)


def test_there_are_examples() -> None:
    assert len(documented()) >= 12
