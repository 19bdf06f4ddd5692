"""The hall's pages, joined to the hub's application."""

from dataclasses import replace

from flask import Flask

from companion.hub.model import Hall
from companion.hub.wall import access, archive, event_api, pages
from companion.hub.wall.book import EventBook
from companion.hub.wall.feed import Feed
from companion.hub.wall.mounts import Mounts, table_app
from companion.hub.wall.signed import Seals
from companion.web import compression, guard, localisation, problems, seats
from companion.web.access import AccessControl
from companion.web.app import make_servable
from companion.web.idempotency import AnswerCache
from companion.web.reach import Reach
from companion.web.settings import PageSettings
from companion.web.strict_json import StrictJson
from companion.web.trust import TrustPort

FILE_BYTES = 2 * 2**20
"""Largest file with players or results that is taken, 64 KiB to 16 MiB; 999 players in TRF have half a megabyte."""
STREAMS, CONNECTIONS = 420, 640
"""Streams and connections of a hall: an arbiter's wall or two, and spectators of every table."""


class HallViews:
    """Everything the hall's pages show: begun for a delay when somebody is given one, ended together."""

    def __init__(self, feed: Feed, mounts: Mounts) -> None:
        self._feed, self._mounts = feed, mounts

    def begin(self, delay: int) -> None:
        """Keep the past for a delay from now on, so that it is there when somebody comes to see it."""
        self._feed.at(delay)

    def close(self) -> None:
        """End every stream."""
        self._feed.close()
        self._mounts.close()


def join(
    app: Flask,
    hall: Hall,
    book: EventBook,
    settings: PageSettings,
    access_control: AccessControl,
    reach: Reach,
    authority: TrustPort | None = None,
    seals: Seals | None = None,
) -> HallViews:
    """Join the hall's pages to an application, which keeps what it answers itself. ``book`` is the event's record;
    ``access_control`` says who is let in; ``seals`` finds the seal of a finished game, where its table sent one. What lasts of
    it has to be closed."""
    seals = seals or Seals()
    feed = Feed(hall, settings, seals.saw)
    mounts = Mounts(app.wsgi_app, lambda table: table_app(hall, table, settings, access_control))
    # As Flask's documentation does it; the type checker takes it for a method.
    setattr(app, "wsgi_app", mounts)  # noqa: B010
    book.on_change = feed.poke
    views = HallViews(feed, mounts)
    feed.start()  # also while nobody looks, so that no seal is missed
    access.register(app, access_control)
    app.register_blueprint(pages.blueprint(hall, book, feed, settings, access_control, lambda: mounts.readers))
    app.register_blueprint(archive.blueprint(hall, seals))
    app.register_blueprint(event_api.blueprint(hall, book, access_control, reach, seals))
    app.register_blueprint(seats.blueprint(access_control, views, reach, AnswerCache(), authority, tuple))
    return views


def create_pages(
    hall: Hall, book: EventBook, settings: PageSettings | None = None, access_control: AccessControl | None = None
) -> Flask:
    """The hall's pages alone, over any hall; by default for whoever sits at this machine."""
    settings = settings or replace(PageSettings(), streams=STREAMS, connections=CONNECTIONS)
    access_control, reach = access_control or access.open_access(), Reach()
    app = Flask("companion.web")
    app.config["MAX_CONTENT_LENGTH"] = FILE_BYTES
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.json = StrictJson(app)
    app.json.sort_keys = False
    compression.register(app)
    problems.register(app)
    guard.register(app, settings, {event_api.FILES: FILE_BYTES})
    localisation.register(app)
    make_servable(app, join(app, hall, book, settings, access_control, reach), access_control, reach, settings)
    return app
