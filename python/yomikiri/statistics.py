"""Elo, the pentanomial, the sequential test and ratings of many players, as functions."""

from ._yomikiri import (
    bradley_terry,
    elo_of_score,
    pentanomial,
    score_of_elo,
    sprt,
    sprt_expected_pairs,
    wilson,
)

__all__ = [
    "bradley_terry",
    "elo_of_score",
    "pentanomial",
    "score_of_elo",
    "sprt",
    "sprt_expected_pairs",
    "wilson",
]
