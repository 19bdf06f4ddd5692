"""What is kept of the button boxes beside a record: roles by box, and whether labels of answers are shuffled, with their key.

The key stays in this file, which only its owner may read; the draws that follow from it are told to whoever is asked alone.
"""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.host import private

KEY_BYTES = 32
_ROLE = re.compile(r"[a-z0-9-]{0,40}")  # a seat of whichever game it was, or the table


@dataclass(frozen=True, slots=True)
class StoredBoxes:
    """Roles by a box's identity; ``key`` is what the labels are drawn by."""

    roles: Mapping[str, str] = field(default_factory=dict)
    shuffled: bool = False
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES), repr=False)

    def with_role(self, box: str, role: str) -> "StoredBoxes":
        """The same with another role for a box."""
        return replace(self, roles={**self.roles, box: role})


def load(path: Path | None) -> StoredBoxes:
    """What is kept at a path, nothing when there is no such file. Raises OSError or ValueError for one that is none."""
    if path is None or not path.exists():
        return StoredBoxes()
    data = private.read(path)
    try:
        roles, shuffled, key = dict(data["roles"]), data["shuffled"], bytes.fromhex(data["key"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("it holds something else") from error
    named = all(isinstance(role, str) and _ROLE.fullmatch(role) for role in roles.values())
    if not named or not isinstance(shuffled, bool) or len(key) < KEY_BYTES:
        raise ValueError("it holds something else")
    return StoredBoxes(roles, shuffled, key)


def save(path: Path | None, kept: StoredBoxes) -> None:
    """Keep it, if there is a place. Raises OSError."""
    if path is not None:
        private.write(path, {"roles": dict(kept.roles), "shuffled": kept.shuffled, "key": kept.key.hex()})
