"""Records that the hub does not have whole yet, remembered for the next start: a game that ended while the hall was away."""

from pathlib import Path

from companion.errors import BadInput
from companion.host import private
from companion.record.events import Event
from companion.record.log import Record

MOST = 200


class Leftovers:
    """The paths of such records, in a small file for its owner alone. A file that cannot be read or written costs that only."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def paths(self) -> list[Path]:
        """All of them, the oldest first."""
        try:
            data = private.read(self._file)
        except (OSError, ValueError):
            return []
        return [Path(one) for one in data if isinstance(one, str)] if isinstance(data, list) else []

    def add(self, record: Path) -> None:
        """Remember one."""
        self._write([*(one for one in self.paths() if one != record), record])

    def remove(self, record: Path) -> None:
        """Forget one: the hub has it."""
        left = [one for one in self.paths() if one != record]
        self._write(left)

    def _write(self, paths: list[Path]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            private.write(self._file, [str(path) for path in paths[-MOST:]])
        except OSError:
            return


def read(record: Path) -> tuple[str, list[Event]]:
    """The match of a record and its events; none of either when it cannot be read any more."""
    try:
        with Record.read(record) as found:
            events = found.events()
    except (BadInput, OSError):
        return "", []
    match = events[0].data.get("id") if events else None
    return (match, events) if isinstance(match, str) else ("", [])
