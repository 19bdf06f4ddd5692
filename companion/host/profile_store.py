"""The tables that were set up before: one file each, in one folder, to play on again with one press.

A file is a table profile as ``calibration`` writes it, with one more part, ``session``: the name somebody gave the table, its
camera and how was played. So ``companion run --profile`` takes the same file. A file's name is made here, never given.
"""

import hashlib
import json
import re
import threading
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion import atomic, bounded
from companion.calibration.profile import MODES, TableProfile
from companion.errors import BadInput, StorageTrouble
from companion.host.choices import Choices
from companion.host.setup import KINDS, CameraChoice

LONGEST_NAME = 40
_FORGOTTEN = ".forgotten"
_BEGUN = ".begun"
"""The ending of a file that is no table yet: a deck of which some faces were shown, and whose game has not begun."""
_SESSION = "evening"
"""The key of the part of a file that is this store's."""
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


@dataclass(frozen=True)
class KnownTable:
    """A table in the store. ``id`` is its file's name without the ending; ``used`` in seconds since 1970."""

    id: str
    name: str
    game: str
    edition: str
    mode: str
    camera: CameraChoice
    choices: Choices
    used: float


class ProfileStore:
    """The folder of known tables. It is made when the first table is kept. One store serves a whole session: another one of the
    same folder lets go of what was forgotten. Every method may be called from any thread."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder, self._clock = folder, clock
        self._writing = threading.Lock()
        self._read: dict[Path, tuple[tuple[int, int], KnownTable]] = {}
        with suppress(OSError):
            for forgotten in folder.glob(f"*{_FORGOTTEN}"):
                forgotten.unlink()  # of an earlier session: nobody takes that back any more

    def tables(self) -> list[KnownTable]:
        """What is in the store, the one used last first. A file that cannot be read is left out, never an obstacle."""
        found = []
        for path in self._folder.glob("*.json") if self._folder.is_dir() else ():
            try:
                found.append(self._once(path))
            except (BadInput, OSError):
                continue
        return sorted(found, key=lambda table: -table.used)

    def table(self, id_: str) -> KnownTable:
        """One table. Raises BadInput when there is none of that id or its file is damaged."""
        return _known(self._path(id_))

    def profile(self, id_: str) -> TableProfile:
        """What was measured and taught at a table. Raises BadInput."""
        return TableProfile.load(self._path(id_))

    def keep(self, name: str, profile: TableProfile, camera: CameraChoice, choices: Choices) -> KnownTable:
        """Put a table in the store; one of the same name is replaced. Raises BadInput for a bad name or disk."""
        name = " ".join(name.split())
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise BadInput(f"a table's name has 1 to {LONGEST_NAME} letters")
        id_ = file_name(name)
        path = self._folder / f"{id_}.json"
        try:
            with self._writing:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                session = {
                    "name": name, "camera": {"kind": camera.kind, "address": camera.address}, "choices": choices.to_json(),
                    "used": round(self._clock()),
                }  # fmt: skip
                profile.save(path, {_SESSION: session})
        except OSError as error:
            raise StorageTrouble(
                f"the table cannot be kept ({error.strerror}): free some space, or play without keeping it"
            ) from error
        return self.table(id_)

    def keep_begun(self, profile: TableProfile, camera: CameraChoice) -> None:
        """Keep what was shown of a deck before its game begins, for after a restart. What cannot be written is not kept."""
        with suppress(OSError, BadInput), self._writing:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside = {"camera": {"kind": camera.kind, "address": camera.address}}
            profile.save(self._begun(profile.board, profile.edition), beside)

    def begun(self, board: str, edition: str, camera: CameraChoice) -> TableProfile | None:
        """What was shown of this board's deck before that camera, whose lens is in it; None where nothing is kept."""
        path = self._begun(board, edition)
        try:
            watched = bounded.read_json(path, bounded.BOUNDS.profile)["camera"]
            return TableProfile.load(path) if CameraChoice(watched["kind"], watched["address"]) == camera else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError, BadInput):
            return None

    def forget_begun(self, board: str, edition: str) -> None:
        """The game has begun, or what was shown is not wanted."""
        with suppress(OSError):
            self._begun(board, edition).unlink(missing_ok=True)

    def _begun(self, board: str, edition: str) -> Path:
        return self._folder / f"{board}-{edition}{_BEGUN}"

    def touch(self, id_: str) -> None:
        """This table is played on now. What cannot be written is forgotten: it only orders the list."""
        path = self._path(id_)
        try:
            with self._writing:
                document = bounded.read_json(path, bounded.BOUNDS.profile)
                document[_SESSION] = {**document[_SESSION], "used": round(self._clock())}
                atomic.write(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return

    def forget(self, id_: str) -> None:
        """Take a table out of the store. Until the companion ends it can be put back. Raises BadInput."""
        try:
            path = self._path(id_)
            path.replace(path.with_name(path.name + _FORGOTTEN))
        except OSError as error:
            raise StorageTrouble(f"the table cannot be forgotten ({error.strerror})") from error

    def remember(self, id_: str) -> None:
        """Put a table back that was forgotten. Raises BadInput when there is none, or another has its name by now."""
        path = self._folder / f"{id_}.json"
        if not _ID.fullmatch(id_) or path.exists():
            raise BadInput("there is no such table on the shelf")
        try:
            path.with_name(path.name + _FORGOTTEN).replace(path)
        except OSError as error:
            raise BadInput("there is no such table on the shelf") from error

    def _once(self, path: Path) -> KnownTable:
        """A table's file, read again only when it changed: its pictures make it large, and lists are asked for often."""
        state = path.stat()
        stamp = (state.st_mtime_ns, state.st_size)
        kept = self._read.get(path)
        if kept is None or kept[0] != stamp:
            kept = self._read[path] = (stamp, _known(path))
        return kept[1]

    def _path(self, id_: str) -> Path:
        if not _ID.fullmatch(id_):
            raise BadInput("there is no such table on the shelf")
        path = self._folder / f"{id_}.json"
        if not path.is_file():
            raise BadInput("there is no such table on the shelf")
        return path


def file_name(name: str) -> str:
    """A file's name for whatever somebody typed: plain letters and digits, and a digest so that other names stay apart."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:32].strip("-") or "table"
    return f"{word}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _known(path: Path) -> KnownTable:
    try:
        document = bounded.read_json(path, bounded.BOUNDS.profile)
        session, camera = document[_SESSION], document[_SESSION]["camera"]
        if camera["kind"] not in KINDS or document["mode"] not in MODES:
            raise ValueError
        return KnownTable(
            path.stem, str(session["name"]), str(document["board"]), str(document["edition"]), str(document["mode"]),
            CameraChoice(str(camera["kind"]), str(camera["address"])), Choices.from_json(session["choices"]),
            float(session["used"]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadInput(f"the table {path.stem} cannot be read: set it up again") from error
