"""What tables and hub say to each other: kinds of messages, their JSON, and how much of each is read. Pure.

Upwards (table to hub): ``hello`` asks where to go on, ``events`` brings events of the record in order, ``state`` how the
table stands, ``ruled`` what became of a ruling, ``online`` one byte, ``picture`` what its camera shows where it allows that.
Downwards: ``committed`` says up to which event the hub has a match on its disk, ``ruling`` brings an arbiter's answer.
Whatever carries them (HTTP, MQTT) may lose, repeat and delay them: only ``committed`` counts.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion import bounded
from companion.errors import BadInput, quoted
from companion.hub import fields
from companion.hub.model import ID_LENGTH, SENTENCE_LENGTH, Ruling, Trouble, match_id
from companion.record.events import Event

HELLO, EVENTS, STATE, RULED, ONLINE, PICTURE = "hello", "events", "state", "ruled", "online", "picture"
COMMITTED, RULING = "committed", "ruling"
UP = frozenset({HELLO, EVENTS, STATE, RULED, ONLINE, PICTURE})
DOWN = frozenset({COMMITTED, RULING})
MOST_BYTES = 1 << 20
"""Of one message, 256 KiB to 16 MiB: a batch aims at a quarter of it, an event alone may be larger."""
BATCH_BYTES, BATCH_EVENTS = 192 * 1024, 500
"""A batch is closed at the first of these (16 to 512 KiB, 50 to 2000): an hour of play is one to three batches."""
MOST_PICTURE = 64 * 1024
"""Bytes of a JPEG, 16 to 256 KiB: at 640 pixels across it has about 40."""
DEEPEST = 64
"""How deep lists and objects may lie in each other, 32 to 128: what is deeper than Python's stack would be found out only by
whoever writes it out again. A record's events have less than ten."""
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Hello:
    """A table is there and asks up to where its match is committed."""

    match: str
    version: str
    at: float
    """Unix seconds by the table's wall clock."""
    number: int
    """The last event of its record."""

    def encode(self) -> bytes:
        return encode({"v": FORMAT, "match": self.match, "version": self.version, "at": self.at, "number": self.number})


@dataclass(frozen=True, slots=True)
class Batch:
    """Events of one match, in order."""

    match: str
    events: tuple[Event, ...]

    def encode(self) -> bytes:
        return encode({"v": FORMAT, "match": self.match, "events": [event.to_json() for event in self.events]})


@dataclass(frozen=True, slots=True)
class State:
    """How a table stands: what a spectator is shown there."""

    match: str
    game: str
    version: str
    at: float
    number: int
    snapshot: Mapping[str, Any] = field(default_factory=dict)
    """As ``GET /api/snapshot`` gives it to a spectator, with ``table_time``: the table's own time for its clocks."""

    def encode(self) -> bytes:
        return encode(
            {
                "v": FORMAT, "match": self.match, "game": self.game, "version": self.version, "at": self.at,
                "number": self.number, "snapshot": dict(self.snapshot),
            }
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ruled:
    """What became of a ruling at the table: ``taken`` or ``refused``, with the table's reason."""

    ruling: str
    state: str
    reason: str = ""

    def encode(self) -> bytes:
        return encode({"v": FORMAT, "ruling": self.ruling, "state": self.state, "reason": self.reason})


@dataclass(frozen=True, slots=True)
class Picture:
    """What a table's camera shows of a match: a JPEG."""

    match: str
    jpeg: bytes

    def encode(self) -> bytes:
        return encode({"v": FORMAT, "match": self.match, "jpeg": base64.b64encode(self.jpeg).decode()})


@dataclass(frozen=True, slots=True)
class Committed:
    """Up to which event the hub has a match on its disk, that event's digest, and what it has against what came last."""

    match: str
    number: int
    digest: str
    trouble: Trouble | None = None

    def encode(self) -> bytes:
        told = self.trouble.to_json() if self.trouble is not None else None
        return encode({"v": FORMAT, "match": self.match, "number": self.number, "digest": self.digest, "trouble": told})


Up = Hello | Batch | State | Ruled | bool
Down = Committed | Ruling


def encode(data: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def encode_down(message: Down) -> tuple[str, bytes]:
    """The kind of a message to a table, and its bytes."""
    if isinstance(message, Ruling):
        return RULING, encode({"v": FORMAT, **message.to_json()})
    return COMMITTED, message.encode()


def read_up(kind: str, body: bytes) -> Up:
    """A table's message. Raises BadInput, naming what it is and what is wrong."""
    if kind == ONLINE:
        return body == b"1"
    read = _READ.get(kind)
    if read is None:
        raise BadInput(f"message {kind[:20]!r} is not known; there are: {', '.join(sorted(UP))}")
    return read(_object(kind, body))


def read_picture(body: bytes) -> Picture:
    """A table's picture, which is no message to be taken in with the others. Raises BadInput."""
    if len(body) > 2 * MOST_PICTURE:  # before anything of it is read: base64 makes four of three
        raise BadInput(f"{PICTURE}: {len(body)} bytes, at most {2 * MOST_PICTURE} are read")
    data = _object(PICTURE, body)
    try:
        jpeg = base64.b64decode(fields.text(data, "jpeg", 2 * MOST_PICTURE), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput(f"{PICTURE}: its bytes cannot be read") from error
    if len(jpeg) > MOST_PICTURE:
        raise BadInput(f"{PICTURE}: {len(jpeg)} bytes, at most {MOST_PICTURE} are shown")
    return Picture(match_id(data.get("match")), jpeg)


def read_down(kind: str, body: bytes) -> Down:
    """The hub's message. Raises BadInput."""
    if kind == RULING:
        return Ruling.from_json(_object(kind, body))
    if kind != COMMITTED:
        raise BadInput(f"message {kind[:20]!r} is not known; there are: {', '.join(sorted(DOWN))}")
    data = _object(kind, body)
    trouble = data.get("trouble")
    return Committed(
        match_id(data.get("match", ""), empty=True),
        fields.whole(data, "number"),
        fields.text(data, "digest", ID_LENGTH, ""),
        None if trouble is None else Trouble.from_json(trouble),
    )


def batches(match: str, events: Sequence[Event]) -> Batch:
    """As many of the events, from the first on, as one message carries; at least one."""
    size, count = 0, 0
    for event in events[:BATCH_EVENTS]:
        size += len(encode(event.to_json()))
        if count and size > BATCH_BYTES:
            break
        count += 1
    return Batch(match, tuple(events[:count]))


def _object(kind: str, body: bytes) -> Mapping[str, Any]:
    if len(body) > MOST_BYTES:
        raise BadInput(f"{kind}: {len(body)} bytes, at most {MOST_BYTES} are read")
    try:
        data = fields.obj(bounded.parsed(body.decode()), kind)
        if not _shallow(data):
            raise ValueError("nested too deeply")
        # Half a surrogate pair, which JSON can spell, is no text; said here, not by a database.
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:
        raise BadInput(f"{kind}: is no JSON ({' '.join(str(error).split())[:80]})") from error
    if data.get("v") != FORMAT:
        raise BadInput(f"{kind}: has format {quoted(data.get('v'))}, this companion reads {FORMAT}; update the older one")
    return data


def _shallow(data: Any) -> bool:
    """Whether nothing lies deeper than :data:`DEEPEST`."""
    level = [data]
    for _ in range(DEEPEST):
        inside = (one.values() if isinstance(one, dict) else one for one in level)
        level = [value for values in inside for value in values if isinstance(value, dict | list)]
        if not level:
            return True
    return False


def _hello(data: Mapping[str, Any]) -> Hello:
    return Hello(
        match_id(data.get("match", ""), empty=True),
        fields.text(data, "version", ID_LENGTH),
        fields.number(data, "at"),
        fields.whole(data, "number"),
    )


def _batch(data: Mapping[str, Any]) -> Batch:
    return Batch(match_id(data.get("match")), fields.rows(data, "events", _event, 4 * BATCH_EVENTS))


def _event(data: Any) -> Event:
    told = fields.obj(data, "event")
    return Event(
        fields.whole(told, "number", 1),
        fields.number(told, "at"),
        fields.text(told, "kind", ID_LENGTH),
        dict(fields.inner(told, "data")),
        fields.text(told, "digest", ID_LENGTH),
    )


def _state(data: Mapping[str, Any]) -> State:
    snapshot = fields.inner(data, "snapshot", {})
    fields.whole(snapshot, "number", default=0)  # the one thing in it that the hub itself reads
    return State(
        match_id(data.get("match", ""), empty=True),
        fields.text(data, "game", ID_LENGTH, ""),
        fields.text(data, "version", ID_LENGTH),
        fields.number(data, "at"),
        fields.whole(data, "number"),
        snapshot,
    )


def _ruled(data: Mapping[str, Any]) -> Ruled:
    state = fields.text(data, "state", ID_LENGTH)
    if state not in ("taken", "refused"):
        raise BadInput(f"state: {quoted(state)} is neither taken nor refused")
    return Ruled(fields.text(data, "ruling", ID_LENGTH), state, fields.text(data, "reason", SENTENCE_LENGTH, ""))


_READ: Mapping[str, Callable[[Mapping[str, Any]], Up]] = MappingProxyType(
    {HELLO: _hello, EVENTS: _batch, STATE: _state, RULED: _ruled}
)
