"""Who is asking: a visitor by the pass in his cookie, or by the bearer token of a program. Never by address."""

from dataclasses import dataclass, field
from typing import Any

from flask import Flask, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.host.passes import Pass, Passes
from companion.web.port import NotesPort
from companion.web.problems import Problem
from companion.web.roles import ARBITER, LOCAL, PUBLIC, held_by, may_visit

# Whoever asks for one of these without a pass is a person with a browser: he is shown the way in.
_PAGES = frozenset({"pages.table", "pages.overlay", "phone.page", "lobby.page"})


@dataclass(frozen=True)
class Door:
    """Who is let in. ``closed``: everybody needs a pass; open, the page serves this machine alone and trusts it. ``arrived``:
    passes by which somebody came since the companion was started, by their id."""

    passes: Passes
    closed: bool = False
    notes: NotesPort | None = None
    arrived: dict[str, Pass] = field(default_factory=dict)

    @property
    def arbiter_here(self) -> bool:
        """Whether somebody has come in by an arbiter's link that is still good: then it is he who has the clocks."""
        return any(held.role == ARBITER and self.passes.good(held) for held in list(self.arrived.values()))


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who asks for something now. ``held`` is None for the page on this machine, and for strangers."""

    roles: frozenset[str]
    held: Pass | None = None

    @property
    def seat(self) -> str:
        """The name of the seat; empty without a pass."""
        return self.held.seat if self.held else ""

    @property
    def delay(self) -> int:
        """Seconds by which everything is shown later."""
        return self.held.delay if self.held else 0


def visitor() -> Visitor:
    """Who sent the request that is being answered."""
    found: Visitor = g.visitor
    return found


def cookie_name() -> str:
    """Cookies do not know ports; two tables on one machine must not take each other's."""
    return f"table-witness-{request.environ.get('SERVER_PORT', '')}"


def register(app: Flask, door: Door) -> None:
    """Look at every request's pass before it is served. Comes after the guard's checks."""

    @app.before_request
    def _let_in() -> Answer | None:
        g.visitor = _who(door)
        if request.endpoint is None or may_visit(g.visitor.roles, request.endpoint):
            return None
        if request.endpoint in _PAGES and g.visitor.roles == frozenset({PUBLIC}):
            return redirect(url_for("pages.join"))
        raise refusal(g.visitor)


def refusal(asking: Visitor) -> Problem:
    """The answer to somebody who may not."""
    if asking.roles == frozenset({PUBLIC}):
        return Problem(401, "no-pass", "this table is open to those who have a link", "Scan a seat's code, or ask the table.")
    role = ", ".join(sorted(asking.roles - {PUBLIC}))
    return Problem(403, "not-yours", f"this is not for the {role}", "Ask the table or the arbiter.")


def _who(door: Door) -> Visitor:
    token = _token()
    if token:
        held = door.passes.check(token)
        if held is not None:
            door.arrived[held.id] = held
            return Visitor(held_by(held.role) | {PUBLIC}, held)
        return Visitor(frozenset({PUBLIC}))
    return Visitor(frozenset({PUBLIC}) if door.closed else LOCAL | {PUBLIC})


def _token() -> str:
    header: Any = request.headers.get("Authorization", "")
    kind, _, token = header.partition(" ")
    if kind.lower() == "bearer":
        return str(token.strip())
    return request.cookies.get(cookie_name(), "")
