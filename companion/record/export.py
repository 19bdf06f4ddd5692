"""A record as JSON lines: a first line that says what it is, then one event a line, digests included.

The lines hold everything that :mod:`.verify` needs, so a copy can be checked by anybody without the original file.
"""

import json
from collections.abc import Iterable, Iterator

from companion import bounded
from companion.errors import InvalidRecord, quoted, stopped_by
from companion.record.events import Event

FORMAT = "record-lines/1"


def json_lines(events: Iterable[Event]) -> Iterator[str]:
    """The lines, without line ends."""
    yield json.dumps({"format": FORMAT})
    for event in events:
        yield json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))


def from_json_lines(lines: Iterable[str], source: str = "lines") -> list[Event]:
    """The events of such lines, unchecked. Raises InvalidRecord naming the line that cannot be read."""
    events: list[Event] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = bounded.parsed(line)
            if number == 1:
                if data.get("format") != FORMAT:
                    told = quoted(data["format"]) if "format" in data else "not named"
                    raise InvalidRecord(f"{source}: its format is {told}, this companion reads {FORMAT!r}")
                continue
            events.append(Event.stored(data["number"], data["at"], data["kind"], data["data"], data["digest"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidRecord(f"{source}: line {number} is not an event ({stopped_by(error)})") from error
    return events
