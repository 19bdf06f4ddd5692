"""Jack's secret and private notes: one file of their own, readable by its owner alone, and the only place they are held.

Nothing from here enters the record, a snapshot, a log or a bundle. The record learns that a secret was entrusted, never
which; the witness call that follows from it is an event like any other.
"""

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from companion.errors import BadInput

_OWNER_ONLY = 0o600


class Secrets:
    """What was entrusted in one game. With ``path=None`` it is kept in memory only (and lost with the process)."""

    def __init__(self, path: Path | None, data: dict[str, Any]) -> None:
        self._path = path
        self._data = data

    @classmethod
    def open(cls, path: Path | None) -> "Secrets":
        """The secrets kept at a path, empty when there is no such file. Raises BadInput for one that cannot be read."""
        if path is None or not path.exists():
            return cls(path, {})
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            path.chmod(_OWNER_ONLY)
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

    def entrust(self, game_id: str, character: str) -> None:
        """Keep who Jack is. Raises BadInput when it cannot be stored."""
        self._store({**self._data, "entrusted": {**self._data.get("entrusted", {}), game_id: character}})

    def notes(self, game_id: str, role: str) -> tuple[str, ...]:
        """Characters that a role's player noted for himself as having an alibi."""
        return tuple(self._data.get("notes", {}).get(game_id, {}).get(role, ()))

    def note(self, game_id: str, role: str, characters: tuple[str, ...]) -> None:
        """Keep a role's private notes. Raises BadInput when they cannot be stored."""
        notes = self._data.get("notes", {})
        mine = {**notes.get(game_id, {}), role: list(characters)}
        self._store({**self._data, "notes": {**notes, game_id: mine}})

    def _store(self, data: dict[str, Any]) -> None:
        if self._path is not None:
            part = self._path.with_name(f"{self._path.name}.part")
            try:
                with contextlib.suppress(FileNotFoundError):
                    part.unlink()
                handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(data, file)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(self._path)
            except OSError as error:
                raise BadInput(f"{self._path}: the secret cannot be stored ({error.strerror})") from error
        self._data = data
