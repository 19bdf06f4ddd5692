"""The hub's application: the tables' addresses, what operates it asks for, and whatever pages are joined to it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Flask

from companion.host.passes import Passes
from companion.hub import news, operating
from companion.hub.hall import LiveHall
from companion.hub.news import NewsFeed
from companion.hub.transport import http_hub
from companion.hub.transport.http_hub import Letterboxes
from companion.hub.wire import MOST_BYTES
from companion.web import compression, guard, localisation, problems
from companion.web.access import AccessControl
from companion.web.app import Closing, make_servable
from companion.web.reach import Reach
from companion.web.settings import PageSettings
from companion.web.strict_json import StrictJson


def hub_settings(hosts: tuple[str, ...] = ()) -> PageSettings:
    """As a table's page is served, but for many tables: larger bodies, and many answers from one address (a hall behind one
    router is one)."""
    return PageSettings(
        hosts=hosts, body_bytes=MOST_BYTES, answers_burst=4000, answers_per_second=2000.0, streams=500, connections=800,
        connections_each=400, answering_threads=64,
    )  # fmt: skip


@dataclass
class Streams:
    """Everything that lasts and has to be ended before the server is."""

    ends: list[Callable[[], None]] = field(default_factory=list)

    def close(self) -> None:
        """End all of it."""
        for end in self.ends:
            end()


Pages = Callable[[Flask, PageSettings, AccessControl, Reach], Closing]
"""Joins pages to an application; what it returns is closed before the server is."""


def create_app(
    hall: LiveHall,
    settings: PageSettings | None = None,
    access_control: AccessControl | None = None,
    broker: Callable[[], str] = lambda: "",
    pages: Pages | None = None,
) -> Flask:
    """The hub over one hall, which learns here by which way its tables are reached. ``pages`` joins what people see."""
    settings = settings or hub_settings()
    app = Flask("companion.web")  # templates and scripts lie there
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.json = StrictJson(app)
    boxes, streams = Letterboxes(), Streams()
    feed, access_control, reach = NewsFeed(hall), access_control or AccessControl(Passes.open(None)), Reach()
    streams.ends += [boxes.close, feed.close]
    hall.reach(boxes.push, boxes.end)
    make_servable(app, streams, access_control, reach, settings)
    compression.register(app)
    problems.register(app)
    guard.register(app, settings)
    localisation.register(app)
    app.register_blueprint(http_hub.blueprint(hall, boxes))
    app.register_blueprint(operating.blueprint(hall, broker))
    app.register_blueprint(news.blueprint(feed, access_control))
    if pages is not None:
        streams.ends.append(pages(app, settings, access_control, reach).close)
    return app
