"""Jack's secret and private notes: one file of their own, readable by its owner alone, and the only place they are held.

Nothing from here enters the record, a snapshot, a log or a bundle. The record learns that a secret was entrusted and holds a
commitment to it, never which it is; the witness call that follows from it is an event like any other. Not even the file's size
tells: it depends on how many games and seats it is about, not on any name.
"""

import json
import threading
from pathlib import Path
from typing import Any

from companion.errors import BadInput, StorageTrouble
from companion.host import private

BLOCK = 4096
"""Bytes; a file of secrets is a multiple of it."""
SECRET_BYTES, SEAT_BYTES = 256, 1024
"""Bytes (as JSON) that count for what one game's secret and one seat's notes take, whatever they are; a name has some ten."""


class Secrets:
    """What was entrusted in one game. With ``path=None`` it is kept in memory only (and lost with the process)."""

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
            raise BadInput(f"{path}: the secrets file cannot be read; Jack has to entrust his identity again") from error
        if not isinstance(data, dict):
            raise BadInput(f"{path}: is not a secrets file")
        return cls(path, data)

    def __repr__(self) -> str:
        return "Secrets(…)"  # never what is inside, wherever this is printed

    def character(self, game_id: str) -> str | None:
        """Who Jack is in that game, if he entrusted it."""
        value = self._data.get("entrusted", {}).get(game_id)
        return value if isinstance(value, str) else None

    def nonce(self, game_id: str) -> str | None:
        """What opens the commitment by which he is bound (hex); None in a file of before there was one."""
        value = self._data.get("openings", {}).get(game_id)
        return value if isinstance(value, str) else None

    def entrust(self, game_id: str, character: str, nonce: str = "") -> None:
        """Keep who Jack is, and what opens the commitment to it (hex). Raises BadInput when it cannot be stored."""
        with self._lock:
            kept = {
                key: {**self._data.get(key, {}), game_id: value}
                for key, value in (("entrusted", character), ("openings", nonce))
            }
            self._store({**self._data, **kept})

    def notes(self, game_id: str, role: str) -> tuple[str, ...]:
        """Characters that a role's player noted for himself as having an alibi."""
        return tuple(self._data.get("notes", {}).get(game_id, {}).get(role, ()))

    def note(self, game_id: str, role: str, characters: tuple[str, ...]) -> None:
        """Keep a role's private notes. Raises BadInput when they cannot be stored."""
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


def _padded(data: dict[str, Any]) -> dict[str, Any]:
    """The same with a filling, so that the file's size tells nothing: as many blocks as the longest names would need."""
    bare = {key: value for key, value in data.items() if key != "filling"}
    seats = sum(len(seats) for seats in bare.get("notes", {}).values())
    games = len({game for part in bare.values() for game in part})
    empty = len(json.dumps({**bare, "filling": ""}))
    most = max(empty, SECRET_BYTES * (games + 1) + SEAT_BYTES * seats)
    return {**bare, "filling": "." * (-(-most // BLOCK) * BLOCK - empty)}
