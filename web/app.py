"""The application factory."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from flask import Flask

from companion.devices.speech_recognition import Phrases, SpeechRecogniser
from companion.host.lobby import Lobby
from companion.host.passes import Passes
from companion.web import (
    access,
    api,
    boxes,
    compression,
    guard,
    lobby,
    localisation,
    pages,
    phone,
    problems,
    seats,
    speech_input,
    stream,
    trust,
)
from companion.web.access import AccessControl
from companion.web.boxes import BoxesPort
from companion.web.broadcast import Broadcaster
from companion.web.delayed_table import Pasts
from companion.web.idempotency import AnswerCache
from companion.web.phone import PhonePort
from companion.web.port import Announcer, TablePort
from companion.web.reach import Reach
from companion.web.sentences import Sentences, announcer
from companion.web.settings import PageSettings
from companion.web.speech_input import RecogniserPort
from companion.web.strict_json import StrictJson
from companion.web.trust import TrustPort
from companion.web.views import Views

_VIEWS, _ACCESS_CONTROL, _REACH = "table-witness.views", "table-witness.door", "table-witness.reach"
_SETTINGS = "table-witness.settings"


def create_app(
    table: TablePort,
    settings: PageSettings | None = None,
    announce: Announcer | None = None,
    access_control: AccessControl | None = None,
    button_boxes: BoxesPort | None = None,
    camera: PhonePort | None = None,
    authority: TrustPort | None = None,
    lobby_port: Lobby | None = None,
    recogniser: Callable[[Phrases], RecogniserPort | None] = SpeechRecogniser.open,
    pasts: Pasts | None = None,
) -> Flask:
    """The page over one running table. ``announce`` turns events into sentences; by default the companion's own.
    ``access_control`` says who is let in; by default whoever sits at this machine. ``camera`` takes the pictures of a phone.
    ``authority`` is whom devices may trust, where the page is served over HTTPS as well.
    ``lobby_port`` is the lobby in which the table is set up, before its game and again during it. ``recogniser`` opens what
    understands spoken commands, when somebody first asks for it. ``pasts`` is what was kept, before this table was, for those
    who see it some seconds late."""
    settings = settings or PageSettings()
    access_control = access_control or AccessControl(Passes.open(None))
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0  # revalidated by ETag: small files, and never an old script with a new page
    app.json = StrictJson(app)
    app.json.sort_keys = False
    views, reach, repeats = Views(table, settings, pasts), Reach(), AnswerCache()
    make_servable(app, views, access_control, reach, settings)
    compression.register(app)
    problems.register(app)
    guard.register(app, settings)
    localisation.register(app)
    access.register(app, access_control, lambda: lobby_port.game if lobby_port is not None else table.game)
    app.register_blueprint(pages.blueprint(access_control, lobby_port))
    app.register_blueprint(api.blueprint(table, settings, views, access_control, repeats))
    app.register_blueprint(lobby.blueprint(lobby_port, repeats))
    app.register_blueprint(boxes.blueprint(button_boxes))
    app.register_blueprint(speech_input.blueprint(table, settings, recogniser))
    app.register_blueprint(phone.blueprint(camera, settings, reach))
    app.register_blueprint(
        seats.blueprint(access_control, views, reach, repeats, authority, partial(_played, table, lobby_port))
    )
    app.register_blueprint(trust.blueprint(authority, reach))
    app.register_blueprint(stream.blueprint(views, Sentences(announce or announcer(table)), settings, access_control))
    return app


def _played(table: TablePort, lobby_port: Lobby | None) -> Sequence[str]:
    """The seats of the match that is on, or of the one that is being set up."""
    if lobby_port is not None and not lobby_port.playing:
        return lobby_port.seats
    seats: Sequence[str] = table.snapshot()["seats"]
    return seats


class Closing(Protocol):
    """What an application shows for long, to be ended before its server is."""

    def close(self) -> None:
        """End every stream."""


def make_servable(app: Flask, views: Closing, access_control: AccessControl, reach: Reach, settings: PageSettings) -> None:
    """Tell a :class:`~companion.web.server.PageServer` what it has to know of an application, of this one or of another."""
    app.extensions |= {_VIEWS: views, _ACCESS_CONTROL: access_control, _REACH: reach, _SETTINGS: settings}


def streams_of(app: Flask) -> Closing:
    """What has to be ended before an application's server is."""
    views: Closing = app.extensions[_VIEWS]
    return views


def broadcaster_of(app: Flask) -> Broadcaster:
    """The broadcaster behind an application's event streams of the present."""
    return views_of(app).broadcaster


def views_of(app: Flask) -> Views:
    """Everything an application shows to anybody."""
    views: Views = app.extensions[_VIEWS]
    return views


def access_of(app: Flask) -> AccessControl:
    """Who is let in."""
    access_control: AccessControl = app.extensions[_ACCESS_CONTROL]
    return access_control


def settings_of(app: Flask) -> PageSettings:
    """How an application is to be served."""
    settings: PageSettings = app.extensions[_SETTINGS]
    return settings


def reach_of(app: Flask) -> Reach:
    """By which addresses an application is reached; its servers tell."""
    reach: Reach = app.extensions[_REACH]
    return reach
