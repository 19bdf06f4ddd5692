"""Who is asking: a visitor by the pass in his cookie, or by the bearer token of a program. Never by address."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.games.game import Game
from companion.host.passes import Pass, Passes
from companion.host.tickets import Tickets
from companion.web.port import NotesPort
from companion.web.problems import Problem
from companion.web.roles import ARBITER, CAPABILITIES, LOCAL, PUBLIC, SPECTATOR, TABLE, Rights, may_visit, rights_of

# Whoever asks for one of these without a pass is a person with a browser: he is shown the way in.
_PAGES = frozenset({"pages.table", "pages.overlay", "phone.page", "lobby.page"})


@dataclass(frozen=True)
class AccessControl:
    """Who is let in. ``closed``: everybody needs a pass; open, the page serves this machine alone and trusts it. ``arrived``:
    passes by which somebody came since the companion was started, by their id. ``tickets``: what this machine's own browser
    is opened with. ``local``: the roles of the page on this machine while it is open."""

    passes: Passes
    closed: bool = False
    notes: NotesPort | None = None
    arrived: dict[str, Pass] = field(default_factory=dict)
    tickets: Tickets = field(default_factory=Tickets)
    local: frozenset[str] = LOCAL

    def link(self, address: str, token: str) -> str:
        """The link of a pass, to be handed to a person."""
        return f"{address}join#{token}"

    def ticket(self, address: str, token: str) -> str:
        """A link that is good once and soon, for a browser that is started here: others see what it is started with."""
        return f"{address}join#{self.tickets.issue(token)}"

    @property
    def arbiter_here(self) -> bool:
        """Whether somebody has come in by an arbiter's link that is still good: then it is he who has the clocks."""
        return any(held.role == ARBITER and self.passes.good(held) for held in list(self.arrived.values()))


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who asks for something now. ``held`` is None for the page on this machine, and for strangers; ``rights``: who
    may what in the game that is on."""

    roles: frozenset[str]
    rights: Rights
    held: Pass | None = None

    @property
    def role(self) -> str:
        """What the page is drawn for: the first of the visitor's roles."""
        return next((one for one in self.rights.roles if one in self.roles), TABLE)

    @property
    def player(self) -> str | None:
        """The seat of the game that the visitor has; None where he has none of his own."""
        return next((one for one in self.rights.seats if one in self.roles), None)

    @property
    def viewer(self) -> str | None:
        """Whose view of the table the visitor is shown: a seat's, that of spectators, or None for what everybody sees."""
        return self.player or (SPECTATOR if SPECTATOR in self.roles and TABLE not in self.roles else None)

    def may_answer(self, kind: str) -> bool:
        """Whether the visitor may give an answer of this kind."""
        return self.rights.may_answer(self.roles, kind)

    def may_hand_out(self, role: str) -> bool:
        """Whether the visitor may give and take links of a role."""
        return self.rights.may_hand_out(self.roles, role)

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


def cookie_name(access_control: AccessControl) -> str:
    """Cookies do not know ports, and behind a port mapping we do not either: two tables must not take each other's."""
    return f"table-witness-{access_control.passes.table}"


def register(app: Flask, access_control: AccessControl, game: Callable[[], Game]) -> None:
    """Look at every request's pass before it is served. Comes after the guard's checks. ``game``: the one that is on."""

    @app.before_request
    def _let_in() -> Answer | None:
        g.visitor = who(access_control, rights_of(game()))
        if request.endpoint is None or may_visit(g.visitor.roles, request.endpoint):
            return None
        if request.endpoint in _PAGES and g.visitor.roles == frozenset({PUBLIC}):
            return redirect(url_for("pages.join"))
        raise refusal(g.visitor)


def refusal(asking: Visitor) -> Problem:
    """The answer to somebody who may not."""
    if asking.roles == frozenset({PUBLIC}):
        return Problem(401, "no-pass", "this table is open to those who have a link", "Scan a seat's code, or ask the table.")
    role = ", ".join(sorted(asking.roles - {PUBLIC} - CAPABILITIES))
    return Problem(403, "not-yours", f"this is not for the {role}", "Ask the table or the arbiter.")


def who(access_control: AccessControl, rights: Rights) -> Visitor:
    """Who sends the request that is being answered, by the pass that comes with it."""
    token = _token(access_control)
    if token:
        held = access_control.passes.check(token)
        if held is not None:
            access_control.arrived[held.id] = held
            return Visitor(rights.held_by(held.role) | {PUBLIC}, rights, held)
        return Visitor(frozenset({PUBLIC}), rights)
    return Visitor(frozenset({PUBLIC}) if access_control.closed else access_control.local | {PUBLIC}, rights)


def _token(access_control: AccessControl) -> str:
    header: Any = request.headers.get("Authorization", "")
    kind, _, token = header.partition(" ")
    if kind.lower() == "bearer":
        return str(token.strip())
    return request.cookies.get(cookie_name(access_control), "")
