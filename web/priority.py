"""Who is served first when not everybody can be: players, then spectators, then those who have shown no pass."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from werkzeug.http import parse_cookie

from companion.web.access import AccessControl, cookie_name
from companion.web.framing import Headers
from companion.web.roles import SPECTATOR
from companion.web.settings import PageSettings


class Priority(IntEnum):
    """The smaller, the sooner served and the later dropped."""

    PLAYER = 0
    SPECTATOR = 1
    STRANGER = 2


@dataclass(frozen=True, slots=True)
class Admission:
    """What somebody is granted before his request was read: a rank, and how large a body is received."""

    rank: Priority
    body_bytes: int


Admit = Callable[[Headers], Admission]
"""Decides by a request's headers."""


def admission(access_control: AccessControl, settings: PageSettings) -> Admit:
    """How this door ranks. A pass is checked without noting that its holder came in."""
    large = max(settings.picture_bytes, settings.sound_bytes, settings.body_bytes)

    def admit(headers: Headers) -> Admission:
        token = _token(headers, cookie_name(access_control))
        held = access_control.passes.check(token) if token else None
        if held is not None and held.role == SPECTATOR:
            return Admission(Priority.SPECTATOR, settings.body_bytes)
        if held is not None or not (access_control.closed or token):
            return Admission(Priority.PLAYER, large)
        return Admission(Priority.STRANGER, settings.body_bytes)

    return admit


def _token(headers: Headers, cookie: str) -> str:
    named = dict(headers)
    kind, _, token = named.get(b"authorization", b"").decode("latin-1").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return parse_cookie(named.get(b"cookie", b"").decode("latin-1")).get(cookie, "")
