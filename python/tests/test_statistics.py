"""Statistics against figures worked out elsewhere."""

from __future__ import annotations

import math

import pytest

from yomikiri import statistics


def test_elo() -> None:
    assert statistics.elo_of_score(10 / 11) == pytest.approx(400)
    assert statistics.score_of_elo(-200) == pytest.approx(0.2402530733520415)
    with pytest.raises(ValueError):
        statistics.elo_of_score(1.5)


def test_the_sequential_test() -> None:
    state = statistics.sprt([1, 1, 1, 1, 1], 0, 50)
    assert state["verdict"] == "continue" and state["upper"] == pytest.approx(math.log(19))
    assert statistics.sprt([60, 0, 0, 0, 0], 0, 50)["verdict"] == "H0"
    assert statistics.sprt_expected_pairs(25, 0, 50) > statistics.sprt_expected_pairs(0, 0, 50)
    for wrong in [(50, 0, 0.05), (0, 50, 0.0), (0, 50, 0.7), (0, float("nan"), 0.05)]:
        with pytest.raises(ValueError):
            statistics.sprt([1, 1, 1, 1, 1], wrong[0], wrong[1], alpha=wrong[2])
    with pytest.raises((ValueError, TypeError)):
        statistics.sprt([1, 2, 3], 0, 50)


def test_ratings() -> None:
    games = [("a", "b", 2.0, 3.0), ("b", "c", 2.0, 3.0), ("a", "c", 2.0, 3.0)]
    ratings = statistics.bradley_terry(games)
    assert ratings["a"][0] == pytest.approx(400 * math.log10(1.5971262567), abs=1e-6)
    assert ratings["a"][0] == pytest.approx(-ratings["c"][0])
    with pytest.raises(ValueError, match="cannot be compared"):
        statistics.bradley_terry([("a", "b", 1, 1)])
    assert statistics.bradley_terry([("a", "b", 1, 1)], virtual_draws=1)["a"][0] > 0
    for wrong in [("a", "a", 1, 1), ("a", "b", 2, 1), ("a", "b", 1, 0), ("a", "b", float("nan"), 1)]:
        with pytest.raises(ValueError):
            statistics.bradley_terry([wrong])


def test_shares() -> None:
    low, high = statistics.wilson(5, 10)
    assert low == pytest.approx(0.2366, abs=1e-4) and high == pytest.approx(0.7634, abs=1e-4)
    with pytest.raises(ValueError):
        statistics.wilson(3, 2)
    with pytest.raises(ValueError):
        statistics.pentanomial([0, 0, 0, 0, 0])
