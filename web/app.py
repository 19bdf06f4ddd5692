"""The application factory."""

from collections.abc import Callable

from flask import Flask

from companion.devices.hearing import Ears, Phrases
from companion.host.lobby import Lobby
from companion.host.passes import Passes
from companion.web import (
    access,
    api,
    boxes,
    guard,
    hearing,
    lobby,
    pages,
    phone,
    problems,
    seats,
    squeeze,
    stream,
    trust,
    words,
)
from companion.web.access import Door
from companion.web.boxes import BoxesPort
from companion.web.hearing import EarsPort
from companion.web.hub import Hub
from companion.web.idempotency import Repeats
from companion.web.phone import PhonePort
from companion.web.port import Announcer, TablePort
from companion.web.reach import Reach
from companion.web.sentences import Sentences, announcer
from companion.web.settings import PageSettings
from companion.web.strict_json import StrictJson
from companion.web.trust import TrustPort
from companion.web.views import Views

_VIEWS, _DOOR, _REACH = "table-witness.views", "table-witness.door", "table-witness.reach"


def create_app(
    table: TablePort,
    settings: PageSettings | None = None,
    announce: Announcer | None = None,
    door: Door | None = None,
    button_boxes: BoxesPort | None = None,
    camera: PhonePort | None = None,
    authority: TrustPort | None = None,
    hall: Lobby | None = None,
    ears: Callable[[Phrases], EarsPort | None] = Ears.open,
) -> Flask:
    """The page over one running table. ``announce`` turns events into sentences; by default the companion's own. ``door``
    says who is let in; by default whoever sits at this machine. ``camera`` takes the pictures of a phone.
    ``authority`` is whom devices may trust, where the page is served over HTTPS as well.
    ``hall`` is the lobby in which the table is set up, before its game and again during it. ``ears`` opens what understands
    spoken commands, when somebody first asks for it."""
    settings = settings or PageSettings()
    door = door or Door(Passes.open(None))
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0  # revalidated by ETag: small files, and never an old script with a new page
    app.json = StrictJson(app)
    app.json.sort_keys = False
    views, reach, repeats = Views(table, settings), Reach(), Repeats()
    app.extensions |= {_VIEWS: views, _DOOR: door, _REACH: reach}
    squeeze.register(app)
    problems.register(app)
    guard.register(app, settings)
    words.register(app)
    access.register(app, door, lambda: hall.game if hall is not None else table.game)
    app.register_blueprint(pages.blueprint(door, hall))
    app.register_blueprint(api.blueprint(table, settings, views, door, repeats))
    app.register_blueprint(lobby.blueprint(hall, repeats))
    app.register_blueprint(boxes.blueprint(button_boxes))
    app.register_blueprint(hearing.blueprint(table, settings, ears))
    app.register_blueprint(phone.blueprint(camera, settings, reach))
    app.register_blueprint(seats.blueprint(door, views, reach, repeats, authority))
    app.register_blueprint(trust.blueprint(authority, reach))
    app.register_blueprint(stream.blueprint(views, Sentences(announce or announcer(table)), settings, door))
    return app


def hub_of(app: Flask) -> Hub:
    """The hub behind an application's event streams of the present."""
    return views_of(app).hub


def views_of(app: Flask) -> Views:
    """Everything an application shows to anybody."""
    views: Views = app.extensions[_VIEWS]
    return views


def door_of(app: Flask) -> Door:
    """Who is let in."""
    door: Door = app.extensions[_DOOR]
    return door


def reach_of(app: Flask) -> Reach:
    """By which addresses an application is reached; its servers tell."""
    reach: Reach = app.extensions[_REACH]
    return reach
