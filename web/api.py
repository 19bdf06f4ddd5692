"""The table as JSON: snapshot, board, picture, and the way answers come in. Documented in ``docs/api.md``."""

import threading
import time
import zlib
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion import boards, games
from companion.errors import BadInput, StorageTrouble, quoted
from companion.games.game import Game
from companion.host.report import html_parts
from companion.steady import stamp
from companion.web.access import AccessControl, refusal, visitor
from companion.web.board_json import board_json
from companion.web.idempotency import AnswerCache
from companion.web.localisation import encode
from companion.web.port import TablePort
from companion.web.problems import LOOK_AGAIN, Problem
from companion.web.roles import may_move_clock
from companion.web.settings import PageSettings
from companion.web.views import Views

# What to do about a refusal: what was asked is answered by looking again, what was typed by typing it right.
_TYPED = "Nothing was changed: put right what was entered, then send it again."
_ADVICE = {
    **dict.fromkeys(("cards", "clock", "correct", "reveal", "rule"), _TYPED),
    **dict.fromkeys(("deal", "entrust", "seal", "undo"), "Nothing was changed."),
}


class PictureCache:
    """The newest picture, fetched from the table at most once in a while however many ask."""

    def __init__(self, table: TablePort, age_seconds: float) -> None:
        self._table, self._age = table, age_seconds
        self._kept: dict[bool, tuple[float, bytes | None]] = {}
        self._lock = threading.Lock()

    def newest(self, overlay: bool) -> bytes | None:
        """JPEG bytes, or None when the camera has given none."""
        with self._lock:
            taken, body = self._kept.get(overlay, (float("-inf"), None))
            if time.monotonic() - taken > self._age:
                body = self._table.picture(overlay)
                self._kept[overlay] = (time.monotonic(), body)
            return body


def blueprint(
    table: TablePort, settings: PageSettings, views: Views, access_control: AccessControl, repeats: AnswerCache
) -> Blueprint:
    """The JSON addresses over one table."""
    api = Blueprint("api", __name__, url_prefix="/api")
    picture = PictureCache(table, settings.picture_seconds)

    @api.get("/snapshot")
    def snapshot() -> Response:
        response = Response(encode(views.snapshot_of_visitor()), mimetype="application/json")
        # Clocks are counted from the companion's time; a phone's own may be minutes off.
        response.headers["X-Table-Time"] = f"{stamp() - visitor().delay:.3f}"
        return response

    @api.get("/board")
    def board() -> Response:
        game = table.snapshot()["game"]
        drawn = board_json(boards.load(game["id"], game["edition"]), boards.load_pieces(game["id"]))
        body = encode({**drawn, "rules": rules_json(games.load(game["id"]))})
        return _tagged(body, "application/json")  # told in a language on its way out, and only then compared

    @api.get("/picture.jpg")
    def picture_jpg() -> Response:
        body = picture.newest(overlay=request.args.get("overlay", "0") not in ("", "0", "false"))
        if body is None:
            raise Problem(
                503, "no-picture", "the camera has not given a picture yet", "Check that it is plugged in and not covered."
            )
        response = _tagged(body, "image/jpeg")
        response.make_conditional(request)
        return response

    @api.get("/pictures/<path:digest>")
    def kept(digest: str) -> Response:
        """A picture of before or after an event; it never changes, as its name is its digest."""
        body = table.kept_picture(digest)
        if body is None:
            raise Problem(404, "no-picture", "this picture was not kept", "Pictures are kept when the game is begun so.")
        response = Response(body, mimetype="image/jpeg")
        response.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return response

    @api.get("/report.html")
    def report() -> Response:
        """The game for people to keep, as ``companion export --format html`` makes it; sent as it is made."""
        game, events = games.load(table.snapshot()["game"]["id"]), table.wait_events(0, 0)
        if not events:
            raise Problem(503, "not-yet", "nothing of a game is on record yet", "Begin a game first.")
        lines = (f"{line}\n".encode() for line in html_parts(game, events, pictures=table.kept_picture))
        response = Response(lines, mimetype="text/html")
        response.headers["Content-Disposition"] = 'attachment; filename="table-witness-report.html"'
        return response

    @api.post("/answers")
    @repeats.once
    def answers() -> Response:
        answer = _checked(request.get_json())
        if not visitor().may_answer(answer["kind"]):
            raise refusal(visitor())
        if answer["kind"] == "clock" and not _may_move_clock(answer.get("action")):
            raise refusal(visitor())
        try:
            table.answer(_signed(answer), saw=_about())
        except StorageTrouble:
            raise  # not what was entered is to blame
        except BadInput as error:
            # On the screen that all share no refusal says what a seat told before, or where it may go on from there.
            told = answer["kind"] == "entrust" and "purpose" in answer and visitor().player is None
            why = "that cannot be it, by the rules and by what was told before" if told else str(error)
            raise Problem(400, "bad-input", why, _ADVICE.get(answer["kind"], LOOK_AGAIN)) from error
        # Not even the table's own reply is passed on: whatever was entrusted stays where it is.
        return jsonify({"accepted": answer["kind"]})

    def _may_move_clock(action: Any) -> bool:
        now = table.snapshot()
        return may_move_clock(
            visitor().roles,
            action,
            picks=now.get("mover"),
            set_already=bool(now.get("clock")),
            arbiter_here=access_control.arbiter_here,
        )

    return api


def rules_json(game: Game) -> list[dict[str, Any]]:
    """The points on which a game's rules are silent, and how each may be settled; the snapshot says how they are."""
    return [
        {"name": rule.name, "text": rule.text, "choices": list(rule.choices), "default": rule.default}
        for rule in game.house_rules
    ]


def _checked(answer: Any) -> dict[str, Any]:
    known = visitor().rights.fields
    if not isinstance(answer, dict) or not isinstance(answer.get("kind"), str):
        raise Problem(400, "no-kind", "an answer is an object with a kind", f"Kinds are: {', '.join(sorted(known))}.")
    fields = known.get(answer["kind"])
    if fields is None:
        raise Problem(
            400,
            "unknown-kind",
            f"there is no answer of kind {answer['kind'][:40]!r}",
            f"Kinds are: {', '.join(sorted(known))}.",
        )
    strange = _strange(answer, fields)
    if strange:
        raise Problem(
            400,
            "unknown-field",
            f"an answer of kind {quoted(answer['kind'])} has no field {strange[0][:40]!r}",
            f"It takes: {', '.join(sorted(fields)) or 'nothing more'}.",
        )
    return answer


def _signed(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer with the seat that gives it, where the game wants to know: nobody speaks for a seat but that seat itself and
    the screen that all share. Raises Problem."""
    asking = visitor()
    if answer["kind"] not in asking.rights.signed:
        return answer
    if asking.player is None:
        return answer
    if answer.get("seat", asking.player) != asking.player:
        raise refusal(asking)
    return {**answer, "seat": asking.player}


def _about() -> int | None:
    """The number of the last event on the page that an answer was given on, where it is told."""
    told = request.args.get("about", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) <= 9 else None


def _strange(answer: dict[str, Any], fields: frozenset[str]) -> list[str]:
    """The fields that an answer of this kind does not have, in what it corrects as well too."""
    also = answer.get("also")
    more = [one for one in also if isinstance(one, dict)] if isinstance(also, list) else []
    nested = {key for one in more for key in one.keys() - fields | one.keys() & {"also"}}
    return sorted(map(str, nested | (answer.keys() - fields - {"kind"})))


def _tagged(body: bytes, mimetype: str) -> Response:
    """A response that can be known again: by what it holds and for whom."""
    response = Response(body, mimetype=mimetype)
    response.headers["Cache-Control"] = "no-cache"
    reader = zlib.crc32(" ".join(sorted(visitor().roles)).encode())
    response.set_etag(f"{len(body):x}-{zlib.crc32(body):08x}-{reader:08x}")
    return response
