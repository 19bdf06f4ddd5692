"""The archive: every finished game with its report, its record and what ``companion verify`` says of it."""

import time
from typing import Any, NoReturn

from flask import Blueprint, Response, jsonify, render_template

from companion import games
from companion.announce.localised import localise
from companion.announce.translator import translator
from companion.errors import BadInput
from companion.host.report import html_parts
from companion.hub.model import Hall, HallMatch
from companion.hub.wall.pages import shared
from companion.hub.wall.signed import Seals, verdict
from companion.hub.wall.table_port import all_events, game_of
from companion.record.export import json_lines
from companion.record.verify import check_chain
from companion.web.access import visitor
from companion.web.localisation import language
from companion.web.problems import Problem

_SHOWN = 30
"""Games shown at once, 10 to 100; the next so many come with a press, any of them by what is looked for."""


def blueprint(hall: Hall, seals: Seals) -> Blueprint:
    """The addresses of games that are over."""
    archive = Blueprint("archive", __name__)

    @archive.get("/archive")
    def page() -> str:
        """Games that are over, the newest first."""
        names = {one.table: one.name for one in hall.tables()}
        shown = [_shown(one, names) for one in hall.matches() if _over(one)]
        return render_template("hall/archive.html", **shared(), games=shown, most=_SHOWN)

    @archive.get("/archive/<table>/<match>/report.html")
    def report(table: str, match: str) -> Response:
        """The report, as ``companion export --format html`` makes it."""
        found, events = _found(table, match), all_events(hall, table, match)
        damage = check_chain(events)
        if damage:
            _untold(damage[0].text)
        try:
            parts = html_parts(game_of(found.game), events)
        except BadInput as error:
            _untold(str(error))
        lines = (f"{line}\n".encode() for line in parts)
        response = Response(lines, mimetype="text/html")
        # It brings styles of its own, and nothing else.
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
        return response

    @archive.get("/archive/<table>/<match>/record.jsonl")
    def record(table: str, match: str) -> Response:
        """The record, as ``companion export`` writes it, for ``companion verify``."""
        _found(table, match)
        lines = (f"{line}\n" for line in json_lines(all_events(hall, table, match)))
        response = Response(lines, mimetype="application/x-ndjson")
        response.headers["Content-Disposition"] = f'attachment; filename="{table}-{match}.jsonl"'
        return response

    @archive.get("/api/archive/<table>/<match>")
    def verify(table: str, match: str) -> Response:
        """What ``companion verify`` says of the record as the hub has it."""
        _found(table, match)
        told = verdict(all_events(hall, table, match), seals.of(table, match)).to_json()
        words = translator(language())
        return jsonify(localise({**told, "remarks": [words.text(one) for one in told["remarks"]]}, words))

    def _found(table: str, match: str) -> HallMatch:
        one = next((one for one in hall.matches() if (one.table, one.match) == (table, match) and _over(one)), None)
        if one is None:
            raise Problem(404, "not-found", "there is no such finished game", "Look at the archive again.")
        return one

    def _over(one: HallMatch) -> bool:
        # Who is behind on purpose hears of an end when it is old enough.
        return one.outcome is not None and one.last <= time.time() - visitor().delay

    return archive


def _untold(why: str) -> NoReturn:
    raise Problem(
        409,
        "damaged",
        f"this game's record is damaged: {why}",
        "No report is made of it. The record itself can be saved, and its check says what is wrong.",
    )


def _game(one: HallMatch) -> str:
    """The game's name; its id where this machine does not have it."""
    return games.load(one.game).name if one.game in games.available() else one.game


def _shown(one: HallMatch, names: dict[str, str]) -> dict[str, Any]:
    outcome: Any = one.outcome or {}
    return {
        "table": one.table, "name": names.get(one.table, one.table), "match": one.match, "game": _game(one),
        "label": one.label, "last": one.last, "number": one.number, "head": one.head, "whole": one.whole,
        "text": outcome.get("text") or outcome.get("message", ""), "params": outcome.get("params", {}),
    }  # fmt: skip
