"""The event: one line of the append-only record from which everything else is folded.

``kind`` names what happened, ``data`` is plain JSON, ``at`` is seconds since the epoch as given by the caller (this
module never asks a clock). ``digest`` chains the record: SHA-256 over the previous digest and this event's canonical JSON.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]
FIRST_DIGEST = "0" * 64


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered, dated and chained entry of the record. Numbers start at 1 and have no gaps."""

    number: int
    at: float
    kind: str
    data: Json
    digest: str

    @classmethod
    def following(cls, previous: "Event | None", kind: str, data: Json, at: float) -> "Event":
        """The event that comes after ``previous`` (None for the first one)."""
        number = previous.number + 1 if previous else 1
        return cls(number, at, kind, data, chain(previous.digest if previous else FIRST_DIGEST, number, at, kind, data))

    @classmethod
    def stored(cls, number: Any, at: Any, kind: Any, data: Any, digest: Any) -> "Event":
        """An event as some file has it. Raises TypeError when these are not an event's parts; the digest is not checked."""
        whole = isinstance(number, int) and isinstance(at, int | float) and isinstance(data, dict)
        if not (whole and isinstance(kind, str) and isinstance(digest, str)):
            raise TypeError("its parts are not what they should be")
        return cls(number, at, kind, data, digest)

    def to_json(self) -> dict[str, Any]:
        """The event as plain JSON, in the order a reader wants."""
        return {"number": self.number, "at": self.at, "kind": self.kind, "data": dict(self.data), "digest": self.digest}


def chain(previous_digest: str, number: int, at: float, kind: str, data: Json) -> str:
    """Hex SHA-256 over the previous digest and the canonical JSON of this event."""
    body = json.dumps([previous_digest, number, at, kind, data], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # Half a surrogate pair, which JSON can spell, is never stored; a line that has one is still to be checked.
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
