"""Passes: signed words that let somebody in as one role, until they expire or are taken back.

A pass is signed (HMAC-SHA-256), not stored: what is kept, in a file of its own beside the record, is the key, the list of
passes handed out (to show it) and the numbers of those taken back. A game that is resumed keeps its links.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from companion.errors import BadInput
from companion.host import private

HOURS = (1, 24 * 31)
"""How long a pass may be good for, from and to: an evening up to a tournament month."""

_LONGEST_SEAT = 24
_MOST = 400  # handed out and still good; a club night has a tenth of it


@dataclass(frozen=True, slots=True)
class Pass:
    """Who may come in: ``role``, ``seat`` (a name among several of one role), ``expires`` in seconds since 1970, and
    ``delay`` in seconds by which everything is shown later."""

    id: str
    role: str
    seat: str
    expires: float
    delay: int = 0


class Passes:
    """Hands out passes, checks and takes them back. Every method may be called from any thread."""

    def __init__(self, path: Path | None, data: dict[str, Any], clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self._key: str = data["key"]
        self._issued = {one["id"]: Pass(**one) for one in data["issued"]}
        self._revoked: dict[str, float] = dict(data["revoked"])
        self._lock = threading.Lock()
        self._signer = URLSafeSerializer(
            self._key, salt="table-witness.pass", signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"}
        )

    @property
    def table(self) -> str:
        """A name for this table's passes that says nothing of their key: eight letters, the same when the game is resumed."""
        return hashlib.sha256(b"table-witness.table:" + self._key.encode()).hexdigest()[:8]

    @classmethod
    def open(cls, path: Path | None, clock: Callable[[], float] = time.time) -> "Passes":
        """The passes of a game, new ones when there is no file yet; with None they live as long as the process.

        Raises BadInput for a file that cannot be read: then nobody's pass can be trusted, and links are made anew.
        """
        if path is not None and path.exists():
            try:
                return cls(path, private.read(path), clock)
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise BadInput(f"{path}: the passes cannot be read; move the file away and hand out new links") from error
        return cls(path, {"key": secrets.token_hex(32), "issued": [], "revoked": {}}, clock)

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

    def check(self, token: str) -> Pass | None:
        """The pass behind a token; None when it is forged, expired or taken back."""
        try:
            held = Pass(*self._signer.loads(token))
        except (BadData, TypeError):
            return None
        return held if self.good(held) else None

    def good(self, held: Pass) -> bool:
        """Whether a pass that was checked before may still come in."""
        return held.expires > self._clock() and held.id not in self._revoked

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
        if self._path is not None:
            data = {"key": self._key, "issued": [asdict(one) for one in issued.values()], "revoked": revoked}
            try:
                private.write(self._path, data)
            except OSError as error:
                raise BadInput(f"{self._path}: the passes cannot be stored ({error.strerror})") from error
        self._issued, self._revoked = issued, revoked
