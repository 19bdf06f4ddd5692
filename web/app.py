"""The application factory."""

from flask import Flask

from web import api, guard, pages, problems, stream
from web.hub import Hub
from web.port import Announcer, TablePort
from web.sentences import Sentences, announcer
from web.settings import PageSettings

_HUB = "table-witness.hub"


def create_app(table: TablePort, settings: PageSettings | None = None, announce: Announcer | None = None) -> Flask:
    """The page over one running table. ``announce`` turns events into sentences; by default the companion's own."""
    settings = settings or PageSettings()
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0  # revalidated by ETag: small files, and never an old script with a new page
    app.json.sort_keys = False  # type: ignore[attr-defined]
    hub = Hub(table, settings)
    app.extensions[_HUB] = hub
    problems.register(app)
    guard.register(app, settings)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(api.blueprint(table, settings))
    app.register_blueprint(stream.blueprint(hub, Sentences(announce or announcer(table)), settings))
    return app


def hub_of(app: Flask) -> Hub:
    """The hub behind an application's event streams."""
    hub: Hub = app.extensions[_HUB]
    return hub
