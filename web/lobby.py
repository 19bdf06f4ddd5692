"""The lobby's page and its addresses: setting the table up, before the game and again during it. For its owner alone."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.announce.translator import translator
from companion.calibration.mat import PAPERS, mat_pdf
from companion.calibration.stickers import sticker_pdf
from companion.devices.cameras.certificates import UntrustedCamera
from companion.errors import BadInput, CompanionError, DeviceError, quoted
from companion.host.lobby import Lobby
from companion.host.lobby_view import devices_json, lobby_json
from companion.web.board_json import board_json
from companion.web.guard import HEADER
from companion.web.idempotency import AnswerCache
from companion.web.localisation import board_localised, language
from companion.web.problems import Problem

Json = Mapping[str, Any]

# What a command may carry: field to type. Anything else is refused here.
COMMANDS: dict[str, dict[str, type]] = {
    "go": {"step": str},
    "game": {"game": str, "edition": str},
    "camera": {"kind": str, "address": str, "trust": str},
    "onward": {},
    "corners": {"corners": list},
    "find": {},
    "mode": {"mode": str},
    "take": {"picture": str},
    "piece": {"piece": str, "at": list, "side": str, "facing": str},
    "deck": {},
    "face": {"face": str},
    "accept": {},
    "choices": {"choices": dict},
    "again": {"table": str, "step": str},
    "resume": {},
    "forget": {"table": str},
    "remember": {"table": str},
    "start": {"name": str},
    "back": {},
    "new": {},
}
_MAY_LACK = frozenset(
    {("camera", "address"), ("camera", "trust"), ("start", "name"), ("piece", "side"), ("piece", "facing"), ("again", "step")}
)
_TAKEN = ("", "empty", "start", "sides")
# What to do when a command is refused.
_ADVICE: dict[str, str] = {
    "again": "Set the table up step by step; what was known of it is kept.",
    "resume": "Choose the camera and go on step by step; the game, its clocks and its secret are kept.",
    "corners": "Drag each handle onto its corner of the printed frame line, top left first, then clockwise.",
    "take": "Put it right as described, keep hands away, and take the picture again.",
    "deck": "Take all cards off the mat, keep hands away, and try again.",
    "face": "Then press its name again.",
    "piece": "Point at the piece's middle, keep hands away, and try again.",
    "start": "Go to the step that is named, then start again.",
}
_CABLE = "Check the cable and whether another program uses the camera, then try again."
_COMPARE = "Compare the fingerprint with the one on the camera's own pages; trust it only when both are the same."
_NETWORK = "Check the address, and that the camera is switched on and on this network, then try again."
_PATH = "Check how it is written: a file or a folder of pictures on the computer that runs the companion."
_USUAL = "Look at the step once more, then try again."


def blueprint(lobby: Lobby | None, repeats: AnswerCache) -> Blueprint:
    """The lobby's addresses. Without a lobby the page leads to the table, the others say so."""
    routes = Blueprint("lobby", __name__)

    @routes.get("/lobby")
    def page() -> str | Answer:
        if lobby is None:
            return redirect(url_for("pages.table"))
        return render_template("lobby.html", header=HEADER)

    @routes.get("/api/lobby")
    def shown() -> Response:
        """With ``?drawing=1`` also the chosen board, its start position and what is laid to learn its pieces, to be drawn."""
        there = _there(lobby)
        state = lobby_json(there)
        if request.args.get("drawing") == "1":
            board = there.game.board(there.setup.edition)
            drawn = board_localised(board_json(board, there.game.pieces()), translator(language()))
            lessons = [dict(lesson) for lesson in board.lessons]
            state["drawing"] = {"board": drawn, "start": there.game.start(board.edition).to_json(), "lessons": lessons}
        return jsonify(state)

    @routes.post("/api/lobby")
    @repeats.once
    def do() -> Response:
        there = _there(lobby)
        command, given = _checked(request.get_json())
        try:
            there.do(command, given)
        except UntrustedCamera as error:
            raise Problem(409, "untrusted-camera", str(error), _COMPARE, error.fingerprint) from error
        except DeviceError as error:
            raise Problem(503, "device", str(error), _advice(command, given, _CABLE)) from error
        except BadInput as error:
            raise Problem(400, "bad-input", str(error), _advice(command, given, _USUAL)) from error
        except CompanionError as error:
            raise Problem(409, "refused", str(error), _advice(command, given, _USUAL)) from error
        return jsonify(lobby_json(there))

    @routes.get("/api/lobby/picture.jpg")
    def picture_jpg() -> Response:
        there, taken = _there(lobby), request.args.get("taken", "")
        body = there.picture(lines=request.args.get("lines", "0") == "1", taken=taken) if taken in _TAKEN else None
        if body is None:
            raise Problem(
                503, "no-picture", "the camera has not given a picture yet", "Check that it is plugged in and not covered."
            )
        return Response(body, mimetype="image/jpeg")

    @routes.get("/api/lobby/cameras")
    def cameras() -> Response:
        _there(lobby)
        return jsonify({"cameras": devices_json()})

    @routes.get("/api/lobby/stickers.pdf")
    def stickers() -> Response:
        """The sheet to print, for the game and edition that were chosen."""
        there = _there(lobby)
        return Response(sticker_pdf(there.game.board(there.setup.edition), there.game.pieces()), mimetype="application/pdf")

    @routes.get("/api/lobby/mat.pdf")
    def mat() -> Response:
        """The mat to print, for a game of cards: ``?paper=`` a3, a4, or the frame stickers alone; nothing for other games."""
        there, paper = _there(lobby), request.args.get("paper", PAPERS[0])
        board = there.game.board(there.setup.edition)
        if paper not in PAPERS:
            raise Problem(400, "bad-request", "there is no such paper", _USUAL)
        if not board.zones:
            return Response(status=204)
        try:
            body = mat_pdf(board, there.game.pieces(), paper)
        except BadInput as error:
            raise Problem(400, "bad-input", str(error), _USUAL) from error
        return Response(body, mimetype="application/pdf")

    return routes


def _there(lobby: Lobby | None) -> Lobby:
    if lobby is None:
        raise Problem(409, "no-lobby", "this table was started with its camera named", "Start it with: companion run")
    return lobby


def _advice(command: str, given: Json, usual: str) -> str:
    """What to do about a refused wish; a camera's depends on how it was named."""
    if command == "camera" and given["kind"] == "address":
        return _NETWORK if "://" in given.get("address", "") else _PATH
    if command == "camera" and given["kind"] == "device":
        return _CABLE
    return _ADVICE.get(command, usual)


def _checked(body: Any) -> tuple[str, Json]:
    if not isinstance(body, dict) or not isinstance(body.get("do"), str):
        raise Problem(400, "bad-request", "a wish is an object that says what to do", f"It can do: {', '.join(COMMANDS)}.")
    fields = COMMANDS.get(body["do"])
    if fields is None:
        raise Problem(
            400, "bad-request", f"the lobby cannot do {body['do'][:20]!r}", f"It can do: {', '.join(COMMANDS)}."
        )  # fmt: skip
    given = {key: value for key, value in body.items() if key != "do"}
    takes = f"It takes: {', '.join(fields) or 'nothing more'}."
    for key, value in given.items():
        if key not in fields:
            raise Problem(400, "unknown-field", f"there is no field {str(key)[:40]!r} here", takes)
        if type(value) is not fields[key]:
            raise Problem(400, "bad-request", f"the field {quoted(key)} is of another type", takes)
    for key in fields:
        if key not in given and (body["do"], key) not in _MAY_LACK:
            raise Problem(400, "bad-request", f"the field {quoted(key)} is missing", takes)
    if "corners" in given:
        _check_corners(given["corners"], takes)
    if "at" in given and not _point(given["at"], 0.0, 1.0):
        raise Problem(400, "bad-request", "a point is two shares of the picture's size", takes)
    return body["do"], given


def _check_corners(corners: list[Any], takes: str) -> None:
    """Four points, each two shares of the picture; a little outside is where a corner may lie that is out of sight."""
    if len(corners) != 4 or not all(_point(point, -1.0, 2.0) for point in corners):
        raise Problem(400, "bad-request", "corners are four points, each two shares of the picture's size", takes)


def _point(point: Any, least: float, most: float) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(type(part) in (int, float) and least <= part <= most for part in point)
    )
