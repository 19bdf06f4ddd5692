"""``GET /api/events``: the table's events as server-sent events, resumed by number."""

from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.announce.translator import translator
from companion.record.events import Event
from companion.web.access import AccessControl, visitor
from companion.web.broadcast import EncodedEvents, EncodedSnapshot, Quiet
from companion.web.event_stream import event_stream
from companion.web.localisation import LocalisedBodies, encode
from companion.web.problems import Problem
from companion.web.sentences import Sentences
from companion.web.settings import PageSettings
from companion.web.views import Views


def blueprint(views: Views, sentences: Sentences, settings: PageSettings, access_control: AccessControl) -> Blueprint:
    """The streams, each as its visitor may see the table."""
    stream = Blueprint("stream", __name__)
    in_language = LocalisedBodies()
    # An event and no comment: comments reach no script, and only a script can notice that they stay away.
    beat = b"event: beat\ndata: " + encode({"every": settings.heartbeat_seconds}) + b"\n\n"
    frame = EncodedEvents(lambda event, language: _event_frame(event, language, sentences))

    @stream.get("/api/events")
    def events() -> Response:
        after = _resume_point()
        language = sentences.language()
        held = visitor().held
        owner, match = held.id if held is not None else "", request.args.get("match", "")
        news = views.broadcaster_of_visitor().batches(after, owner, match, visitor().viewer)

        def lines() -> Iterator[bytes]:
            yield b"retry: %d\n\n" % settings.retry_milliseconds
            first = True
            for batch in news:
                if held is not None and not access_control.passes.good(held):
                    return  # taken back or expired while the stream was open
                yield b"".join(_line(item, language) for item in batch) + (beat if first else b"")
                first = False
            if views.parting is not None:
                yield _parting_frame(views.parting, language)

        def _line(item: Event | EncodedSnapshot | Quiet, language: str) -> bytes:
            if isinstance(item, Event):
                return frame(item, language)
            if isinstance(item, EncodedSnapshot):
                return b"event: snapshot\ndata: " + in_language(item.body, language) + b"\n\n"
            return beat

        return event_stream(lines(), news)

    return stream


def _event_frame(event: Event, language: str, sentences: Sentences) -> bytes:

    return b"id: %d\ndata: " % event.number + encode(sentences.event_json(event, language)) + b"\n\n"


def _parting_frame(why: Problem, language: str) -> bytes:
    words = translator(language)
    told = {"code": why.code, "message": words.text(str(why)), "advice": words.text(why.advice)}
    return b"event: parting\ndata: " + encode(told) + b"\n\n"


def _resume_point() -> int | None:
    """The number after which to go on: the browser's own header wins over the address, which is older."""
    given = request.headers.get("Last-Event-ID") or request.args.get("after")
    if given is None or given == "":
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 12):
        raise Problem(400, "bad-number", f"{given[:20]!r} is not the number of an event", "Reload the page.")
    return int(given)
