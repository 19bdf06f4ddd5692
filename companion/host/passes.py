"""Passes: signed words that let somebody in as one role, until they expire or are taken back.

A pass is signed (HMAC-SHA-256), not stored: what is kept, in a file of its own beside the record, is the key, the list of
passes handed out (to show it) and the numbers of those taken back. A game that is resumed keeps its links.

How long a pass is still good is measured by a clock that nobody sets and that counts sleep (``companion.steady.lasting``).
Files hold dates, as another process has to read them; when the wall clock is set they are written anew, so that nobody is
locked out, or let in for longer, by a clock that was wrong.
"""

import contextlib
import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from companion.errors import BadInput, StorageTrouble
from companion.host import private
from companion.steady import lasting

HOURS = (1, 24 * 31)
"""How long a pass may be good for, from and to: a session up to a tournament month."""

_LONGEST_SEAT = 24
_STEP = 30.0  # seconds by which the wall clock must have been set before dates on disk are worth writing anew
_MOST = 400  # handed out and still good; a club night has a tenth of it


@dataclass(frozen=True, slots=True)
class Pass:
    """Who may come in: ``role``, ``seat`` (a name among several of one role), ``expires`` in seconds of the passes' own clock
    (see :meth:`Passes.label`), and ``delay`` in seconds by which everything is shown later."""

    id: str
    role: str
    seat: str
    expires: float
    delay: int = 0


class Passes:
    """Hands out passes, checks and takes them back. Every method may be called from any thread."""

    def __init__(
        self,
        path: Path | None,
        data: dict[str, Any],
        clock: Callable[[], float] = lasting,
        wall: Callable[[], float] | None = None,
    ) -> None:
        """``clock`` measures, ``wall`` dates what is kept (by default this machine's, or ``clock`` where another is passed)."""
        self._paths, self._clock = [path] if path is not None else [], clock
        self._wall = wall or (time.time if clock is lasting else clock)
        self._key: str = data["key"]
        # A machine without a battery starts in the past: the dates in the file are then reckoned from when it was written.
        self._written_apart = apart = max(self._wall(), float(data.get("written", 0.0))) - self._clock()
        self._issued = {one["id"]: _shifted(Pass(**one), -apart) for one in data["issued"]}
        self._revoked: dict[str, float] = {number: expires - apart for number, expires in data["revoked"].items()}
        self._lock = threading.Lock()
        self._signer = URLSafeSerializer(
            self._key, salt="table-witness.pass", signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"}
        )

    @property
    def table(self) -> str:
        """A name for this table's passes that says nothing of their key: eight letters, the same when the game is resumed."""
        return hashlib.sha256(b"table-witness.table:" + self._key.encode()).hexdigest()[:8]

    @classmethod
    def open(cls, path: Path | None, clock: Callable[[], float] = lasting, wall: Callable[[], float] | None = None) -> "Passes":
        """The passes of a game, new ones when there is no file yet; with None they live as long as the process.

        Raises BadInput for a file that cannot be read: then nobody's pass can be trusted, and links are made anew.
        """
        if path is not None and path.exists():
            try:
                return cls(path, private.read(path), clock, wall)
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise BadInput(f"{path}: the passes cannot be read; move the file away and hand out new links") from error
        return cls(path, {"key": secrets.token_hex(32), "issued": [], "revoked": {}}, clock, wall)

    def keep_also(self, path: Path) -> None:
        """Keep them beside another record as well: its game is played by the same people, and is resumed by itself. Both files
        stay in step, so that a link taken back is good for neither. Raises BadInput when it cannot be stored."""
        with self._lock:
            if path not in self._paths:
                self._paths.append(path)
                self._keep(self._issued, self._revoked)

    def __repr__(self) -> str:
        return "Passes(…)"  # never the key, wherever this is printed

    def issue(self, role: str, seat: str = "", *, hours: float = 12, delay: int = 0) -> tuple[Pass, str]:
        """A new pass and its token. Raises BadInput when it cannot be given."""
        seat = " ".join(seat.split())
        if len(seat) > _LONGEST_SEAT or not seat.isprintable():
            raise BadInput(f"a seat's name has up to {_LONGEST_SEAT} letters")
        if not HOURS[0] <= hours <= HOURS[1]:
            raise BadInput(f"a pass is good for {HOURS[0]} to {HOURS[1]} hours, not {hours:g}")
        given = Pass(secrets.token_urlsafe(9), role, seat or role, round(self._clock() + hours * 3600), delay)
        with self._lock:
            if len(self._good()) >= _MOST:
                raise BadInput(f"{_MOST} links are good at the moment; take some back first")
            self._keep({**self._issued, given.id: given}, self._revoked)
        return given, self._signer.dumps(astuple(given))

    def token(self, number: str) -> str:
        """The token of a pass that is still good, to print its link again. Raises BadInput when there is none of that id."""
        held = self._issued.get(number)
        if held is None or not self.good(held):
            raise BadInput("there is no such pass any more")
        return str(self._signer.dumps(astuple(held)))

    def check(self, token: str) -> Pass | None:
        """The pass behind a token; None when it is forged, expired or taken back."""
        try:
            signed = Pass(*self._signer.loads(token))
        except (BadData, TypeError):
            return None
        self._keep_in_step()
        held = self._issued.get(signed.id)  # its end as it is now, whatever the wall clock was when it was given
        return held if held is not None and self.good(held) else None

    def good(self, held: Pass) -> bool:
        """Whether a pass that was checked before may still come in."""
        return held.expires > self._clock() and held.id not in self._revoked

    def left(self, held: Pass) -> float:
        """Seconds for which a pass is still good, below nought when it is not."""
        return held.expires - self._clock()

    def label(self, held: Pass) -> float:
        """When a pass ends in seconds since 1970, by the wall clock as it is set now: to be shown, not to be reckoned with."""
        return round(held.expires + self._apart())

    def handed_out(self) -> list[Pass]:
        """The passes that are good now, oldest first."""
        with self._lock:
            return self._good()

    def revoke(self, number: str) -> Pass:
        """Take one back, at once and for ever. Raises BadInput when there is none of that number."""
        with self._lock:
            lost = self._issued.get(number)
            if lost is None or not self.good(lost):
                raise BadInput("there is no such pass any more")
            self._keep(self._issued, {**self._revoked, number: lost.expires})
            return lost

    def renew(self, number: str, hours: float = 12) -> tuple[Pass, str]:
        """Another link for the same seat; the lost one is taken back."""
        lost = self.revoke(number)
        return self.issue(lost.role, lost.seat, hours=hours, delay=lost.delay)

    def _good(self) -> list[Pass]:
        return [one for one in self._issued.values() if self.good(one)]

    def _keep(self, issued: dict[str, Pass], revoked: dict[str, float]) -> None:
        now = self._clock()
        issued = {number: one for number, one in issued.items() if one.expires > now}
        revoked = {number: expires for number, expires in revoked.items() if expires > now}
        apart = self._apart()
        data = {
            "key": self._key, "issued": [asdict(_shifted(one, apart)) for one in issued.values()],
            "revoked": {number: expires + apart for number, expires in revoked.items()}, "written": self._wall(),
        }  # fmt: skip
        for path in self._paths:
            try:
                private.write(path, data)
            except OSError as error:
                raise StorageTrouble(f"the passes cannot be stored ({error.strerror})", path) from error
        self._issued, self._revoked, self._written_apart = issued, revoked, apart

    def _apart(self) -> float:
        """How far the wall clock is ahead of the passes' own."""
        return self._wall() - self._clock()

    def _keep_in_step(self) -> None:
        """Write the files anew once the wall clock was set. What the disk refuses now is tried with the next request."""
        if abs(self._apart() - self._written_apart) < _STEP:
            return
        with self._lock, contextlib.suppress(StorageTrouble):
            self._keep(self._issued, self._revoked)


def _shifted(one: Pass, seconds: float) -> Pass:
    """The same pass, its end on another scale."""
    return replace(one, expires=one.expires + seconds)
