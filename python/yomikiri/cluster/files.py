"""The files of a plan: shipped to workers in pieces, checked by their SHA-256, and known there by other names."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PIECE = 64 << 20
"""Bytes of a piece."""


@dataclass(frozen=True)
class ShippedFile:
    """A file as it is named to workers."""

    name: str
    """As the plan names it."""
    sha256: str
    pieces: tuple[object, ...]
    """What `fetch` of `place` turns into bytes."""


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    for piece in _pieces(path):
        digest.update(piece)
    return digest.hexdigest()


def ship(names: Sequence[str | os.PathLike[str]], put: Callable[[bytes], object]) -> list[ShippedFile]:
    """Reads files and puts them where workers find them; `put` takes one piece."""
    return [ShippedFile(os.fspath(name), _sha256(Path(name)), tuple(map(put, _pieces(Path(name))))) for name in names]


def place(files: Sequence[ShippedFile], fetch: Callable[[object], bytes], folder: Path | None = None) -> dict[str, str]:
    """Where this machine has each file. One that lies here under its name with the same content is left there, others are
    written into a folder by their checksum, once for all workers of the machine."""
    root = folder or Path(tempfile.gettempdir()) / f"yomikiri-files-{os.getuid()}"
    return {file.name: str(_place(file, fetch, root)) for file in files}


def _place(file: ShippedFile, fetch: Callable[[object], bytes], root: Path) -> Path:
    here = Path(file.name)
    if here.is_file() and _sha256(here) == file.sha256:
        return here
    target = root / file.sha256 / here.name
    if target.is_file() and _sha256(target) == file.sha256:
        return target
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as part:
        for piece in file.pieces:
            part.write(fetch(piece))
    found = _sha256(Path(part.name))
    if found != file.sha256:
        os.unlink(part.name)
        raise ValueError(f"{file.name}: SHA-256 {found} came instead of {file.sha256}")
    # Another worker of this machine may have been faster: its file is the same.
    os.replace(part.name, target)
    return target


def rename(text: str, names: Mapping[str, str]) -> str:
    """A plan or an identity (JSON) with files under other names: where a text is such a name, or ends a word `key=name` in it."""
    changed = {name: other for name, other in names.items() if name != other}
    if not changed:
        return text
    longest_first = sorted(changed, key=len, reverse=True)
    pattern = re.compile(r"(?<![^\s=\"'])(?:" + "|".join(map(re.escape, longest_first)) + r")(?![^\s\"'])")

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda found: changed[found.group()], value)
        if isinstance(value, list):
            return [walk(inner) for inner in value]
        if isinstance(value, dict):
            return {key: walk(inner) for key, inner in value.items()}
        return value

    return json.dumps(walk(json.loads(text)), ensure_ascii=False)
