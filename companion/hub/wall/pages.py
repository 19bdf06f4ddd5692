"""The wall, the way in, and the stream of cards that keeps every open page right."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, render_template

from companion.announce.localised import localise
from companion.announce.translator import translator
from companion.hub.model import Hall
from companion.hub.wall.book import EventBook
from companion.hub.wall.cards import PUBLIC
from companion.hub.wall.feed import Cards, Feed, in_order
from companion.web.access import AccessControl, visitor
from companion.web.event_stream import event_stream
from companion.web.guard import HEADER
from companion.web.localisation import LocalisedBodies, encode, language
from companion.web.roles import ARBITER
from companion.web.settings import PageSettings

_KEPT_CARDS = 1024
"""Encoded cards kept, in each language: some rounds of a hall of 200 tables."""


def blueprint(
    hall: Hall,
    book: EventBook,
    feed: Feed,
    settings: PageSettings,
    access_control: AccessControl,
    watched: Callable[[], int],
) -> Blueprint:
    """The wall over one hall. ``watched``: streams that are open elsewhere and take places as well."""
    pages = Blueprint("hall", __name__)
    in_language = LocalisedBodies(_KEPT_CARDS)

    @pages.get("/")
    def wall() -> str:
        """The grid of all tables: for an arbiter what needs him, for a spectator the list of games."""
        return render_template("hall/wall.html", **shared(), tables=len(hall.tables()))

    @pages.get("/join")
    def join() -> str:
        """The way in, as at a table."""
        local = visitor().held is None and ARBITER in visitor().roles
        return render_template("join.html", header=HEADER, local="hall" if local else "")

    @pages.get("/favicon.ico")
    def icon() -> Response:
        return Response(status=204)

    @pages.get("/api/hall")
    def tables() -> Response:
        """Every table's card, once."""
        cards = feed.at(visitor().delay).cards()
        arbiter = ARBITER in visitor().roles
        told = [localise(_shown(one, arbiter), translator(language())) for one in cards]
        delay = visitor().delay
        return Response(encode({"now": _now(delay), "tables": told, **_begins(delay)}), mimetype="application/json")

    @pages.get("/api/hall/pictures/<table>")
    def picture(table: str) -> Response:
        """What a table shows of its camera, with its age in seconds; nothing (204) where it shows this visitor none. Who is
        behind on purpose sees none: it would be too new."""
        arbiter = ARBITER in visitor().roles
        known = table in {one.table for one in hall.tables()} and not visitor().delay
        found = hall.picture(table, spectator=not arbiter) if known else None
        response = Response(status=204) if found is None else Response(found[0], mimetype="image/jpeg")
        response.headers["Cache-Control"] = "no-store"
        if found is not None:
            response.headers["X-Picture-Age"] = f"{found[1]:.1f}"
        return response

    @pages.get("/api/hall/events")
    def events() -> Response:
        """Cards as they change, ``event: snapshot``: every one of them first."""
        held, chosen = visitor().held, language()
        arbiter = ARBITER in visitor().roles
        news = feed.follow(visitor().delay, held.id if held else "", settings.streams - watched())
        beat = b"event: beat\ndata: " + encode({"every": settings.heartbeat_seconds}) + b"\n\n"
        delay = visitor().delay

        def lines() -> Iterator[bytes]:
            yield b"retry: %d\n\n" % settings.retry_milliseconds + beat
            while (taken := news.take(settings.heartbeat_seconds)) is not None:
                if held is not None and not access_control.passes.good(held):
                    return
                cards, gone, changed = taken
                yield told(cards, gone) if changed else beat

        def told(cards: Cards, gone: frozenset[str]) -> bytes:
            shown = [in_language(encode(_shown(one, arbiter)), chosen) for one in in_order(cards.values())]
            number = book.number if not delay else 0
            head = encode({"now": _now(delay), "gone": sorted(gone), "event": number, **_begins(delay)})
            return b"event: snapshot\ndata: " + head[:-1] + b',"tables":[' + b",".join(shown) + b"]}\n\n"

        return event_stream(lines(), news)

    def _begins(delay: int) -> dict[str, float]:
        """In how many seconds who is behind sees the hall; nothing once that is so."""
        left = feed.at(delay).begins()
        return {} if left is None else {"begins": round(left, 1)}

    return pages


def shared() -> dict[str, Any]:
    """What every page of the hall is drawn with."""
    asking = visitor()
    return {
        "header": HEADER, "role": asking.role, "arbiter": ARBITER in asking.roles, "seat": asking.seat, "delay": asking.delay,
        "pass": asking.held.id if asking.held is not None else "local", "said": _said,
    }  # fmt: skip


def _said(told: Any) -> str:
    """A sentence (``text`` with ``params``) in the reader's language."""
    return translator(language()).say(told["text"], told["params"]) if told.get("text") else ""


def _shown(one: Mapping[str, Any], arbiter: bool) -> dict[str, Any]:
    """A card as its reader sees it: what is wrong with a table is the arbiters' business."""
    return {key: value for key, value in (one if arbiter else one[PUBLIC]).items() if key != PUBLIC}


def _now(delay: int = 0) -> float:
    return round(time.time() - delay, 3)
