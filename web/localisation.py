"""The page in the reader's language: chosen for each device, put into templates, scripts, snapshots and errors.

A wish in the address (``?lang=ja``) beats the device's cookie, that beats the languages the browser accepts. A wish on a
page is remembered in the cookie. Whatever leaves as JSON is told anew on its way out, so that no part of the page needs
to know about languages; ids, codes and templates in it stay as they are.
"""

import json
import logging
import threading
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, request

from companion.announce import catalogue, languages
from companion.announce.languages import pause
from companion.announce.localised import localise
from companion.announce.translator import Translator, translator

COOKIE = "table-witness-language"
_LOG = logging.getLogger(__name__)
_A_YEAR = 365 * 24 * 3600
_PAGE = ("names", "page")


def language() -> str:
    """The language of the request that is being answered."""
    wished = (request.args.get("lang"), request.args.get("language"), request.cookies.get(COOKIE))
    return languages.choose((*wished, *request.accept_languages.values()))


def page_word(text: str) -> str:
    """A text of the templates in the reader's language."""
    return catalogue.load(language(), _PAGE).get(text) or text


def register(app: Flask) -> None:
    """Serve the words, give templates ``_``, ``language`` and ``languages``, and tell every answer in one language."""
    app.register_blueprint(blueprint())

    @app.context_processor
    def _words() -> dict[str, Any]:
        return {"_": page_word, "language": language(), "languages": languages.LANGUAGES}

    @app.after_request
    def _in_language(response: Response) -> Response:
        chosen = language()
        if request.endpoint != "static":
            response.vary.update(("Accept-Language", "Cookie", "Authorization"))
        if response.mimetype == "text/html":
            response.headers["Content-Language"] = chosen
            wished = languages.known(request.args.get("lang"))
            if wished is not None:
                response.set_cookie(COOKIE, wished, max_age=_A_YEAR, samesite="Lax", httponly=True, secure=request.is_secure)
        elif response.mimetype == "application/json" and not response.is_streamed:
            _localise(response, chosen)
            _compare(response, chosen)
        return response


def blueprint() -> Blueprint:
    """The address of the words."""
    words = Blueprint("words", __name__)

    @words.get("/api/words")
    def texts() -> Response:
        """Every text of the page, by the English one; empty in English."""
        chosen = language()
        body = dict(catalogue.load(chosen, _PAGE).texts) if chosen != languages.SOURCE else {}
        response = Response(encode(body), mimetype="application/json")
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Language"] = chosen
        response.add_etag()
        return response

    return words


class LocalisedBodies:
    """Encoded snapshots told anew; the last few are kept, so that a hundred streams tell each snapshot once."""

    def __init__(self, size: int = 24) -> None:
        self._size = size
        self._kept: dict[tuple[bytes, str], bytes] = {}
        self._lock = threading.Lock()

    def __call__(self, body: bytes, chosen: str) -> bytes:
        """The snapshot in a language. Two threads at once do the same work twice, no harm."""
        with self._lock:
            found = self._kept.get((body, chosen))
        if found is None:
            try:
                found = encode(localise(json.loads(body), translator(chosen)))
            except Exception:
                # One sentence that cannot be told must not end every stream.
                _LOG.exception("the snapshot cannot be told in %s", chosen)
                found = body
            with self._lock:
                while len(self._kept) >= self._size:
                    del self._kept[next(iter(self._kept))]
                self._kept[body, chosen] = found
        return found


def board_localised(board: dict[str, Any], words: Translator) -> dict[str, Any]:
    """A board with the names of itself, its pieces and cells in one language. ``mark`` stays what is printed on the disc."""
    pieces = [{**piece, "name": words.text(piece["name"])} for piece in board["pieces"]]
    # Only a cell that has a word of its own (``"LIBERTY"``): what is printed in one of a grid stays as it is.
    cells = [{**cell, "name": words.words.get(cell["name"]) or cell["name"]} for cell in board["cells"]]
    rules = [{**rule, "text": words.text(rule["text"])} for rule in board.get("rules", ())]
    names = {key: words.text(board[key]) for key in ("name", "label")}
    return {**board, **names, "pieces": pieces, "cells": cells, "rules": rules}


def problem_localised(answer: dict[str, Any], words: Translator) -> dict[str, Any]:
    """A refusal with its sentences in one language."""
    error = answer["error"]
    if not isinstance(error, dict):
        return answer
    told: dict[str, Any] = {key: words.text(error[key]) for key in ("message", "advice") if key in error}
    if "faults" in error:
        # Each by itself: any of their patterns would fit the whole row.
        told["faults"] = [words.text(fault) for fault in error["faults"]]
        told["message"] = pause(words.language).join(told["faults"])
    return {**answer, "error": {**error, **told}}


def encode(data: Any) -> bytes:
    """Compact JSON in UTF-8."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


_TOLD: dict[str, Callable[[dict[str, Any], Translator], dict[str, Any]]] = {
    "api.snapshot": localise, "api.board": board_localised, "lobby.shown": localise, "lobby.do": localise,
}  # fmt: skip


def _localise(response: Response, chosen: str) -> None:
    tell = problem_localised if response.status_code >= 400 else _TOLD.get(request.endpoint or "")
    if tell is None:
        return
    data = response.get_json(silent=True)
    if not isinstance(data, dict) or (response.status_code >= 400 and "error" not in data):
        return
    response.set_data(encode(tell(data, translator(chosen))))
    response.headers["Content-Language"] = chosen


def _compare(response: Response, chosen: str) -> None:
    """Spare the reader what he has already, in this language: compared before it was told, what he has in English would do."""
    tag, _ = response.get_etag()
    if tag and response.status_code == 200:
        response.set_etag(f"{tag}-{chosen}")
        response.make_conditional(request)
