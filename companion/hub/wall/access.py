"""Who may use which address of the hall: arbiters and spectators, each by a link, as at a table (:mod:`companion.web.access`).

While the hub is open to its own machine alone, the page there is the arbiter's.
"""

from collections.abc import Mapping
from types import MappingProxyType

from flask import Flask, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.host.passes import Passes
from companion.web.access import AccessControl, refusal, who
from companion.web.roles import ARBITER, PUBLIC, SPECTATOR, Rights

RIGHTS = Rights((), (ARBITER, SPECTATOR), MappingProxyType({}), MappingProxyType({}), frozenset(), MappingProxyType({}))
LOCAL = frozenset({ARBITER})
_ARBITERS = frozenset({ARBITER})
_ALL = frozenset({ARBITER, SPECTATOR})
_ANYBODY = _ALL | {PUBLIC}

ROUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "static": _ANYBODY,
        "words.texts": _ANYBODY,
        "hall.icon": _ANYBODY,
        "hall.join": _ANYBODY,
        "seats.session": _ANYBODY,
        "hall.wall": _ALL,
        "hall.tables": _ALL,
        "hall.events": _ALL,
        "hall.picture": _ALL,
        "seats.passes": _ARBITERS,
        "seats.issue": _ARBITERS,
        "seats.revoke": _ARBITERS,
        "seats.renew": _ARBITERS,
        "archive.page": _ALL,
        "archive.report": _ALL,
        "archive.record": _ALL,
        "archive.verify": _ALL,
        "event.page": _ALL,
        "event.round_page": _ALL,
        "event.players_page": _ALL,
        "event.shown": _ALL,
        "event.terms": _ALL,
        "event.export": _ALL,
        "event.print_round": _ARBITERS,
        "event.add": _ARBITERS,
        "event.pair": _ARBITERS,
        "event.take": _ARBITERS,
        "event.read": _ARBITERS,
        "event.clocks": _ARBITERS,
    }
)
_OURS = frozenset(name.partition(".")[0] for name in ROUTES) - {"static"}
"""Blueprints that are asked here; what else the hub answers (tables, health) it guards itself."""
_PAGES = frozenset(name for name in ROUTES if name.endswith("page") or name in ("hall.wall", "event.print_round"))


def register(app: Flask, access_control: AccessControl) -> None:
    """Look at every request's pass before it is served. Comes after the guard's checks."""

    @app.before_request
    def _let_in() -> Answer | None:
        g.visitor = who(access_control, RIGHTS)
        if request.endpoint is None or (request.blueprint is not None and request.blueprint not in _OURS):
            return None
        if ROUTES.get(request.endpoint, frozenset()) & g.visitor.roles:
            return None
        if request.endpoint in _PAGES and g.visitor.roles == frozenset({PUBLIC}):
            return redirect(url_for("hall.join"))
        raise refusal(g.visitor)


def open_access() -> AccessControl:
    """Whoever sits at this machine is the arbiter."""
    return AccessControl(Passes.open(None), local=LOCAL)
