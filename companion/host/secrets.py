"""The secrets of seats and their private notes: one file of their own, readable by its owner alone; they are nowhere else.

Nothing from here enters the record, a snapshot, a log or a bundle. The record learns that a secret was entrusted and holds a
commitment to it, never which it is; an answer that follows from it is an event like any other. Not even the file's size
tells: it depends on how many games, seats and secrets it is about, not on any value.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import BadInput, StorageTrouble
from companion.games.seats import Secret
from companion.host import private

BLOCK = 4096
"""Bytes; a file of secrets is a multiple of it."""
SECRET_BYTES, SEAT_BYTES = 256, 1024
"""Bytes (as JSON) that count for what one secret and one seat's notes take, whatever they are."""
LONGEST = 64
"""Characters of a secret's value at most, so that every one fits what counts for it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A secret as it is kept: with the nonce (hexadecimal digits) that opens its commitment; empty in files that are older than
    commitments."""

    secret: Secret
    nonce: str


class Secrets:
    """What was entrusted, by game. With ``path=None`` it is kept in memory only (and lost with the process)."""

    def __init__(self, path: Path | None, data: dict[str, Any]) -> None:
        self._path = path
        self._data = data
        self._lock = threading.RLock()  # two who tell something at once must not undo each other

    @classmethod
    def open(cls, path: Path | None) -> "Secrets":
        """The secrets kept at a path, empty when there is no such file. Raises BadInput for one that cannot be read."""
        if path is None or not path.exists():
            return cls(path, {})
        try:
            data = private.read(path)
        except (OSError, ValueError) as error:
            raise BadInput(f"{path}: the secrets file cannot be read; what was entrusted has to be told again") from error
        if not isinstance(data, dict):
            raise BadInput(f"{path}: is not a secrets file")
        return cls(path, data)

    def __repr__(self) -> str:
        return "Secrets(…)"  # never what is inside, wherever this is printed

    def of_game(self, game_id: str, alone: tuple[str, str] | None = None) -> tuple[Kept, ...]:
        """What was entrusted in that game, in the order of its numbers.

        ``alone``: seat and purpose of the secret of a game that has one only. It is kept under ``entrusted`` and ``openings``.
        """
        if alone is not None:
            value, nonce = (self._data.get(part, {}).get(game_id) for part in ("entrusted", "openings"))
            if not isinstance(value, str):
                return ()
            return (Kept(Secret(*alone, 1, value), nonce if isinstance(nonce, str) else ""),)
        rows = self._data.get("vault", {}).get(game_id, ())
        kept = [_kept(row) for row in rows] if isinstance(rows, list) else []
        return tuple(sorted((one for one in kept if one is not None), key=lambda one: one.secret.number))

    def keep(self, game_id: str, one: Kept, *, alone: bool = False) -> None:
        """Keep one more secret, in the place of an earlier one of the same seat, purpose and number. ``alone``: the game has
        one secret only. Raises BadInput when it is too long or cannot be stored."""
        secret = one.secret
        if len(secret.value) > LONGEST:
            raise BadInput(f"a secret has up to {LONGEST} characters")
        with self._lock:
            if alone:
                parts = (("entrusted", secret.value), ("openings", one.nonce))
                self._store({**self._data, **{key: {**self._data.get(key, {}), game_id: told} for key, told in parts}})
                return
            rows = [row for row in self._data.get("vault", {}).get(game_id, []) if row[:3] != _key(secret)]
            rows.append([*_key(secret), secret.value, one.nonce])
            self._store({**self._data, "vault": {**self._data.get("vault", {}), game_id: rows}})

    def notes(self, game_id: str, role: str) -> tuple[str, ...]:
        """Characters that a seat noted for itself."""
        return tuple(self._data.get("notes", {}).get(game_id, {}).get(role, ()))

    def note(self, game_id: str, role: str, characters: tuple[str, ...]) -> None:
        """Keep a seat's private notes. Raises BadInput when they cannot be stored."""
        with self._lock:
            notes = self._data.get("notes", {})
            mine = {**notes.get(game_id, {}), role: list(characters)}
            self._store({**self._data, "notes": {**notes, game_id: mine}})

    def _store(self, data: dict[str, Any]) -> None:
        if self._path is not None:
            try:
                private.write(self._path, _padded(data))
            except OSError as error:
                raise StorageTrouble(f"the secret cannot be stored ({error.strerror})", self._path) from error
        self._data = data


def _key(secret: Secret) -> list[Any]:
    return [secret.seat, secret.purpose, secret.number]


def _kept(row: Any) -> Kept | None:
    """One row of the file; None for one that is none: whatever it held has to be told again."""
    match row:
        case [str(seat), str(purpose), int(number), str(value), str(nonce)]:
            return Kept(Secret(seat, purpose, number, value), nonce)
    return None


def _padded(data: dict[str, Any]) -> dict[str, Any]:
    """The same with a filling, so that the file's size tells nothing: as many blocks as the longest values would need."""
    bare = {key: value for key, value in data.items() if key != "filling"}
    seats = _count(bare.get("notes", {}))
    secrets = _count(bare.get("vault", {}))
    games = len({game for part in bare.values() for game in part})
    empty = len(json.dumps({**bare, "filling": ""}))
    most = max(empty, SECRET_BYTES * (games + 1 + secrets) + SEAT_BYTES * seats)
    return {**bare, "filling": "." * (-(-most // BLOCK) * BLOCK - empty)}


def _count(part: Mapping[str, Iterable[Any]]) -> int:
    return sum(len(tuple(entries)) for entries in part.values())
