"""What the tests share: the checkout's data, and games from it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import yomikiri

ROOT = Path(os.environ.get("YOMIKIRI_CHECKOUT", Path(__file__).resolve().parents[2]))
DATA = ROOT / "data"


@pytest.fixture(scope="session")
def games() -> list[yomikiri.Record]:
    """A hundred games between engines, spread over the file."""
    records = yomikiri.read_records(DATA / "games_engine.tsv.zst")
    return records[:: len(records) // 100][:100]


@pytest.fixture(scope="session")
def positions(games: list[yomikiri.Record]) -> list[str]:
    """A thousand positions of those games, as SFEN."""
    found = []
    for number, record in enumerate(games):
        board = record.start
        sfens = [board.sfen()]
        for move in record.moves:
            board.push(move)
            sfens.append(board.sfen())
        step = max(1, len(sfens) // 10)
        found += sfens[number % step :: step][:10]
    assert len(found) >= 900
    # Shorter games give fewer: their neighbours make up for them.
    return (found + sfens)[:1000]
