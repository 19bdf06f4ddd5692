"""Button boxes on the page: who is there, which role each has, labels drawn anew, and keys that do a box's jobs."""

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, request

from companion.devices.boxes import ANSWERS
from companion.errors import quoted
from companion.web.access import refusal, visitor
from companion.web.problems import Problem
from companion.web.roles import TABLE, may_visit

# What a button says must be something its visitor may say; buttons that are not listed only wish.
_SAYS: Mapping[str, str] = {"clock-a": "clock", "clock-b": "clock"}
_HELD: Mapping[str, str] = {"again": "undo"}
_NONE: Mapping[str, Any] = {"looking": False, "boxes": [], "roles": [], "shuffled": False, "keys": {}, "hold": 1.5}


class BoxesPort(Protocol):
    """What the page needs of the boxes at a table. Every method may be called from any thread."""

    def status(self) -> dict[str, Any]:
        """Everything to show; never a label."""

    def assign(self, box: str, role: str) -> None:
        """Give a box a role. Raises BadInput."""

    def shuffle(self, on: bool, /) -> None:
        """Whether labels are drawn anew for every question. Raises BadInput."""

    def labels(self) -> dict[str, int] | None:
        """Which answer, 0 or 1, left and right give now, for whoever is asked alone."""

    def answers(self) -> tuple[str, ...]:
        """Kinds of answers that the answer buttons give now, or usually."""

    def try_again(self) -> None:
        """Ask anew on every port."""

    def press(self, button: str, *, held: bool = False, role: str = "", box: str | None = None) -> None:
        """A key, or a button of a simulated box. Raises BadInput."""


def blueprint(boxes: BoxesPort | None) -> Blueprint:
    """The addresses around boxes; without any, the list is empty and nothing can be pressed."""
    routes = Blueprint("boxes", __name__, url_prefix="/api/boxes")

    @routes.get("")
    def status() -> Response:
        """The boxes, and what this visitor may do about them."""
        roles = visitor().roles
        may = {name: may_visit(roles, f"boxes.{name}") for name in ("assign", "shuffle", "labels")}
        shown = boxes.status() if boxes is not None else dict(_NONE)
        keys = {code: button for code, button in shown["keys"].items() if _may_press(boxes, button, held=False)}
        return jsonify({**shown, "keys": keys, "may": may})

    @routes.post("/assign")
    def assign() -> Response:
        asked = _fields({"box": str, "role": str})
        _there(boxes).assign(asked["box"], asked["role"])
        return jsonify({"box": asked["box"], "role": asked["role"]})

    @routes.post("/shuffle")
    def shuffle() -> Response:
        on = _fields({"on": bool})["on"]
        _there(boxes).shuffle(on)
        return jsonify({"shuffled": on})

    @routes.get("/labels")
    def labels() -> Response:
        """For the eyes of whoever is asked only, and only while asked for; never part of a snapshot or an event."""
        return jsonify({"labels": _there(boxes).labels()})

    @routes.post("/look")
    def look() -> Response:
        _there(boxes).try_again()
        return jsonify({"looking": True})

    @routes.post("/press")
    def press() -> Response:
        asked = _fields({"button": str}, {"held": bool, "box": str})
        button, held, box = asked["button"], asked.get("held", False), asked.get("box")
        if not _may_press(boxes, button, held=held) or (box is not None and not may_visit(visitor().roles, "boxes.assign")):
            raise refusal(visitor())
        _there(boxes).press(button, held=held, role=visitor().player or TABLE, box=box)
        # The same answer for every button: who watches the network learns nothing from it.
        return jsonify({"taken": True})

    return routes


def _may_press(boxes: BoxesPort | None, button: str, *, held: bool) -> bool:
    if button in ANSWERS:
        kinds = boxes.answers() if boxes is not None else ()
        return not kinds or any(visitor().may_answer(kind) for kind in kinds)
    says = (_HELD if held else _SAYS).get(button)
    return says is None or visitor().may_answer(says)


def _there(boxes: BoxesPort | None) -> BoxesPort:
    if boxes is None:
        raise Problem(503, "no-boxes", "this table takes no button boxes", "Start the companion with --box auto.")
    return boxes


def _fields(needed: Mapping[str, type], more: Mapping[str, type] | None = None) -> dict[str, Any]:
    """The request's body as an object of exactly these fields and types. Raises Problem."""
    body, known = request.get_json(), {**needed, **(more or {})}
    takes = f"It takes: {', '.join(sorted(known))}."
    if not isinstance(body, dict) or any(key not in body for key in needed):
        raise Problem(400, "bad-request", "a field is missing", takes)
    for key, value in body.items():
        if key not in known:
            raise Problem(400, "unknown-field", f"there is no field {str(key)[:40]!r} here", takes)
        if type(value) is not known[key]:
            raise Problem(400, "bad-request", f"the field {quoted(key)} is of another type", takes)
    return body
