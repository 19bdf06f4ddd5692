"""Coming in by a link, handing links out and taking them back, and what a seat notes for itself."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, request

from companion.errors import quoted
from companion.host.passes import Pass
from companion.web.access import AccessControl, cookie_name, refusal, visitor
from companion.web.idempotency import AnswerCache
from companion.web.problems import Problem
from companion.web.qr_codes import qr_code
from companion.web.reach import Reach
from companion.web.roles import CAMERA, DELAYS, SPECTATOR
from companion.web.trust import TrustPort, trust_json


class PastPort(Protocol):
    """What keeps the past for those who are behind on purpose."""

    def begin(self, delay: int) -> None:
        """Start keeping it for a delay in seconds."""


_ALONE = "Start the companion with --host 0.0.0.0 to let other devices in."

_OFFLINE = "Connect this computer to your network, then start the companion again."


def blueprint(
    access_control: AccessControl, views: PastPort, reach: Reach, repeats: AnswerCache, authority: TrustPort | None,
    played: Callable[[], Sequence[str]],
) -> Blueprint:  # fmt: skip
    """The addresses around seats. ``reach`` tells how others come here, once it is known; ``played`` which seats of the game a
    match has: links to the others are not offered."""
    seats = Blueprint("seats", __name__, url_prefix="/api")

    seats.post("/session", endpoint="session")(partial(_session, access_control))

    @seats.get("/passes")
    def passes() -> Response:
        """The links that are good, as far as the visitor may hand them out."""
        good = [_shown(access_control, one) for one in access_control.passes.handed_out() if visitor().may_hand_out(one.role)]
        own = visitor().rights.seats  # none in a hall, whose tables may not have been heard of yet
        unplayed = set(own).difference(played()) if own else ()
        hands_out = [role for role in visitor().rights.roles if visitor().may_hand_out(role) and role not in unplayed]
        return jsonify({"passes": good, "roles": hands_out, "delays": list(DELAYS), "note": _why_alone(access_control, reach)})

    @seats.post("/passes")
    @repeats.once
    def issue() -> Response:
        asked = _fields({"role": str}, {"seat": str, "hours": (int, float), "delay": int})
        role, delay = asked["role"], asked.get("delay", 0)
        if role not in (known := visitor().rights.roles):
            raise Problem(400, "bad-request", f"there is no role {role[:20]!r}", f"Roles are: {', '.join(known)}.")
        if not visitor().may_hand_out(role):
            raise refusal(visitor())
        if delay not in DELAYS or (delay and role != SPECTATOR):
            raise Problem(
                400, "bad-request", "only spectators can be behind, and only by certain times",
                f"Seconds are: {', '.join(map(str, DELAYS))}.",
            )  # fmt: skip
        if delay:
            views.begin(delay)
        return _given(*access_control.passes.issue(role, asked.get("seat", ""), hours=asked.get("hours", 12), delay=delay))

    @seats.post("/passes/revoke")
    def revoke() -> Response:
        return jsonify({"revoked": access_control.passes.revoke(_own(_fields({"id": str})["id"]).id).id})

    @seats.post("/passes/renew")
    @repeats.once
    def renew() -> Response:
        return _given(*access_control.passes.renew(_own(_fields({"id": str})["id"]).id))

    @seats.get("/notes")
    def notes() -> Response:
        """What this seat noted; no other seat can ask for it."""
        return jsonify({"characters": access_control.notes.read(visitor().seat) if access_control.notes else []})

    @seats.post("/notes")
    def note() -> Response:
        characters = _fields({"characters": list})["characters"]
        if not all(isinstance(name, str) for name in characters) or len(characters) > 64:
            raise Problem(400, "bad-request", "notes are a list of characters", "Reload the page and try again.")
        if access_control.notes is None:
            raise Problem(503, "no-notes", "this table keeps no notes", "Keep them on paper.")
        access_control.notes.write(visitor().seat, characters)
        return jsonify({"characters": access_control.notes.read(visitor().seat)})

    def _own(number: str) -> Pass:
        found = next((one for one in access_control.passes.handed_out() if one.id == number), None)
        if found is None:
            raise Problem(404, "not-found", "there is no such link any more", "Look at the list again.")
        if not visitor().may_hand_out(found.role):
            raise refusal(visitor())
        return found

    def _given(held: Pass, token: str) -> Response:
        # A browser gives its camera to pages over HTTPS only; every other seat comes by the way the asking one did.
        secure = reach.secure(f"/join#{token}") if held.role == CAMERA else None
        link = secure or reach.link(f"/join#{token}")
        return jsonify(
            {
                "pass": _shown(access_control, held),
                "link": link,
                "overlay": link.replace("/join#", "/join?view=overlay#") if held.role == SPECTATOR else None,
                "qr": None
                if _why_alone(access_control, reach)
                else qr_code(link),  # a code that leads the phone to itself is worse than none
                "trust": trust_json(authority, reach) if authority is not None and link.startswith("https:") else None,
                "note": _why_alone(access_control, reach),
            }
        )

    return seats


def _why_alone(access_control: AccessControl, reach: Reach) -> str | None:
    """What to do so that other devices can follow links; None where they can."""
    if not access_control.closed:
        return _ALONE
    return _OFFLINE if reach.offline else None


def _session(access_control: AccessControl) -> Response:
    """Turn a link's token, or a ticket for one, into a cookie no script can read; null leaves the seat. A browser has one seat
    at a table, so a link to another one asks first: with ``switch`` the old one is left."""
    asked = _fields({"token": (str, type(None))}, {"switch": bool})
    token, now, name = asked["token"], visitor().held, cookie_name(access_control)
    if token is None:
        response = jsonify({"role": None})
        response.delete_cookie(name, httponly=True, samesite="Strict", secure=request.is_secure)
        return response
    ticket, token = token, access_control.tickets.token(token) or token
    held = access_control.passes.check(token)
    if held is None:
        raise Problem(401, "no-pass", "this link is not good, or not any more", "Ask the table for a new one.")
    if now is not None and (now.role, now.seat) != (held.role, held.seat) and not asked.get("switch", False):
        return jsonify({"role": now.role, "seat": now.seat, "switch": held.role})  # a question, and nothing was changed
    if ticket != token and access_control.tickets.use(ticket) is None:
        raise Problem(401, "no-pass", "this link is not good, or not any more", "Ask the table for a new one.")
    response = jsonify({"role": held.role, "seat": held.seat})
    _keep(response, name, token, access_control.passes.left(held))
    return response


def _keep(response: Response, name: str, token: str, seconds: float) -> None:
    """Keep a token in the browser for a duration, since the browser's clock may differ from ours."""
    lasts = max(0, int(seconds))
    response.set_cookie(name, token, max_age=lasts, httponly=True, samesite="Strict", secure=request.is_secure, path="/")


def _shown(access_control: AccessControl, held: Pass) -> dict[str, Any]:
    return {
        "id": held.id, "role": held.role, "seat": held.seat, "expires": access_control.passes.label(held), "delay": held.delay,
        "came": held.id in access_control.arrived,
    }  # fmt: skip


def _fields(needed: dict[str, Any], more: dict[str, Any] | None = None) -> dict[str, Any]:
    """The request's body as an object of exactly these fields and types. Raises Problem."""
    body, known = request.get_json(), needed | (more or {})
    if not isinstance(body, dict):
        raise Problem(400, "bad-request", "an object is expected", f"It takes: {', '.join(sorted(known))}.")
    for key, value in body.items():
        if key not in known:
            raise Problem(
                400, "unknown-field", f"there is no field {str(key)[:40]!r} here", f"It takes: {', '.join(sorted(known))}."
            )
        if not isinstance(value, known[key]) or (isinstance(value, bool) and known[key] is not bool):
            raise Problem(400, "bad-request", f"the field {quoted(key)} is of another type", "See docs/api.md.")
    missing = [key for key in needed if key not in body]
    if missing:
        raise Problem(
            400,
            "bad-request",
            f"the field {quoted(missing[0])} is missing",
            f"It takes: {', '.join(sorted(known))}.",
        )
    return body
