"""Reading what ``gather`` cut out of pictures of made-up copies."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def gathered(paths: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Gathered copies; of a file named with ``:even`` or ``:odd`` only those seeds."""
    for whole in paths:
        path, _, which = whole.partition(":")
        with Path(path).open("rb") as file:
            while True:
                try:
                    seed, entry = pickle.load(file)
                except (EOFError, pickle.UnpicklingError):
                    break
                if not which or (which == "odd") == bool(seed % 2):
                    yield seed, entry
