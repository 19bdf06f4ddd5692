"""The one shape of every error the page's address space answers with.

``{"error": {"code": …, "message": …, "advice": …}}``: what happened, and what to do about it. Whoever opens an address with a
browser gets a page that says the same.
"""

import logging
from collections.abc import Sequence
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.announce.translator import translator
from companion.errors import BadInput, CompanionError, DeviceError, Faults, StorageTrouble
from companion.host.table_proxy import NoTableYet
from companion.web.localisation import language

_LOG = logging.getLogger(__name__)

LOOK_AGAIN = "Look at the board and the question once more, then answer again."
NOT_ENTERED = "Nothing was changed: put it right, then send it again."
_ADVICE = {"event": NOT_ENTERED}
"""By blueprint, where it is not about a board."""
MOST_FAULTS = 50
"""Faults of one file that are told, 10 to 1000: whoever sent the wrong file has one in every line."""
NOT_STORED = "Nothing was changed and nothing is lost: see to the disk of the companion's computer, then send it again."
_HTTP = {
    400: ("bad-request", "the request cannot be read", "Reload the page and try again."),
    401: ("no-pass", "this table is open to those who have a link", "Scan a seat's code, or ask the table."),
    404: ("not-found", "there is nothing at this address", "Go back to the table's page."),
    405: ("method-not-allowed", "this address does not take that method", "See docs/api.md for what it takes."),
    413: ("too-large", "the message is larger than an answer can be", "Send one answer at a time."),
    415: ("not-json", "an answer must be sent as application/json", "Send it with Content-Type: application/json."),
}


class Problem(CompanionError):
    """A refusal with its HTTP status, a code for programs, a sentence, what to do, and the fingerprint if it asks for trust."""

    def __init__(self, status: int, code: str, message: str, advice: str, fingerprint: str = "") -> None:
        self.status, self.code, self.advice, self.fingerprint = status, code, advice, fingerprint
        super().__init__(message)


def shutting_down() -> Problem:
    """Why nothing new is begun: the companion ends."""
    return Problem(503, "closing", "the companion is shutting down", "Start it again, then reload the page.")


def next_game() -> Problem:
    """Why nothing new is begun: another game is prepared at this address, and is served there in a moment."""
    return Problem(503, "next-game", "the next game is being prepared", "Wait a moment; this page goes on by itself.")


def answer(status: int, code: str, message: str, advice: str, fingerprint: str = "", faults: Sequence[str] = ()) -> Response:
    """An error as a response; ``faults`` are the sentences of a message that has several."""
    if _opened_by_a_person():
        words = translator(language())
        return Response(render_template("problem.html", message=words.text(message), advice=words.text(advice)), status)
    more: dict[str, Any] = {"fingerprint": fingerprint} if fingerprint else {}
    if faults:
        more["faults"] = list(faults)
    response = jsonify({"error": {"code": code, "message": message, "advice": advice, **more}})
    response.status_code = status
    return response


def _opened_by_a_person() -> bool:
    """Whether a browser asks for a page; programs, scripts and pictures ask otherwise, and get JSON."""
    wanted = request.accept_mimetypes.best_match(["application/json", "text/html"])
    return request.method == "GET" and wanted == "text/html" and not request.path.startswith("/api/")


def register(app: Flask) -> None:
    """Answer every failure in the one shape."""

    @app.errorhandler(Problem)
    def _problem(error: Problem) -> Response:
        return answer(error.status, error.code, str(error), error.advice, error.fingerprint)

    @app.errorhandler(StorageTrouble)
    def _not_stored(error: StorageTrouble) -> Response:
        # Nothing that was entered is wrong; and which file it is concerns whoever sits at this machine alone.
        return answer(503, "not-stored", error.said, NOT_STORED)

    @app.errorhandler(BadInput)
    def _bad_input(error: BadInput) -> Response:
        return answer(400, "bad-input", str(error), _ADVICE.get(request.blueprint or "", LOOK_AGAIN))

    @app.errorhandler(Faults)
    def _faults(error: Faults) -> Response:
        told, left = list(error.faults[:MOST_FAULTS]), len(error.faults) - MOST_FAULTS
        told += [f"and {left} more faults"] if left > 0 else []
        return answer(400, "bad-input", "; ".join(told), NOT_ENTERED, faults=told)

    @app.errorhandler(DeviceError)
    def _device(error: DeviceError) -> Response:
        return answer(503, "device", str(error), "Check the cable and the camera, then try again.")

    @app.errorhandler(NoTableYet)
    def _not_yet(error: NoTableYet) -> Response:
        return answer(503, "not-yet", str(error), "Wait a moment; the game begins as soon as the table is ready.")

    @app.errorhandler(CompanionError)
    def _refused(error: CompanionError) -> Response:
        return answer(409, "refused", str(error), LOOK_AGAIN)

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        status = error.code or 500
        code, message, advice = _HTTP.get(status, ("http", error.name.lower(), "Reload the page and try again."))
        return answer(status, code, message, advice)

    @app.errorhandler(Exception)
    def _unforeseen(error: Exception) -> Response:
        _LOG.exception("unforeseen failure while answering a request")
        return answer(
            500,
            "internal",
            f"the companion stumbled over this ({type(error).__name__})",
            "Nothing is lost: the game is on record. Reload the page; if it happens again, run companion doctor.",
        )
