"""The page of each table under ``/tables/ID/``: an application of its own over the hub's knowledge, made when somebody first
opens it, and kept while it is among the last that were."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from flask import Blueprint, Flask, redirect, render_template
from werkzeug.wrappers import Response as Answer

from companion import __version__
from companion.hub.model import TABLE_ID, Hall
from companion.hub.wall.table_port import HallTablePort
from companion.web import access, api, compression, guard, localisation, problems, stream
from companion.web.access import AccessControl, visitor
from companion.web.guard import HEADER
from companion.web.idempotency import AnswerCache
from companion.web.problems import Problem
from companion.web.roles import ARBITER
from companion.web.sentences import Sentences, announcer
from companion.web.settings import PageSettings
from companion.web.strict_json import StrictJson
from companion.web.views import Views

PREFIX = "/tables/"
MOST = 48
"""Tables whose pages are kept ready, 8 to 200; each has half a megabyte and, while somebody looks, a thread."""
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def table_app(hall: Hall, table: str, settings: PageSettings, access_control: AccessControl) -> tuple[Flask, Views]:
    """The page over one table of the hall, and what it shows to whom."""
    port = HallTablePort(hall, table, _asker)
    port.table()  # there has to be one
    app = Flask("companion.web")
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.json = StrictJson(app)
    app.json.sort_keys = False
    views = Views(port, settings)
    compression.register(app)
    problems.register(app)
    guard.register(app, settings)
    localisation.register(app)
    access.register(app, access_control, lambda: port.game)
    app.register_blueprint(_pages(port, table))
    app.register_blueprint(api.blueprint(port, settings, views, access_control, AnswerCache()))
    app.register_blueprint(stream.blueprint(views, Sentences(announcer(port)), settings, access_control))
    return app, views


def _asker() -> str:
    """The arbiter who is asking."""
    return visitor().seat or "arbiter"


def _pages(port: HallTablePort, table: str) -> Blueprint:
    pages = Blueprint("pages", __name__)

    @pages.get("/", endpoint="table")
    def table_page() -> str:
        """The table as an arbiter or a spectator sees it."""
        may = [kind for kind in visitor().rights.answers if visitor().may_answer(kind)]
        held = visitor().held
        return render_template(
            "table.html", header=HEADER, stream=f"hall-{table}-{held.id if held else 'local'}", role=visitor().role,
            roles=visitor().roles, plays=False, may=may, private=False, seat=visitor().seat, delay=visitor().delay,
            pictures=False, pictured=visitor().delay == 0, notes=False,
            saves=ARBITER in visitor().roles, seats=False, lobby="", secret="", hall=port.table().name,
            base=f"{PREFIX}{table}", version=__version__,
        )  # fmt: skip

    @pages.get("/join")
    def join() -> Answer:
        return redirect("/join")

    @pages.get("/overlay")
    def overlay() -> str:
        """Whose play, the call and the flag on nothing: to be laid over a stream's picture."""
        held = visitor().held
        name = f"hall-{table}-{held.id if held else 'local'}"
        return render_template("overlay.html", header=HEADER, stream=name, base=f"{PREFIX}{table}")

    return pages


class Mounts:
    """Sends requests below ``/tables/ID/`` to the page of that table, and everything else on."""

    def __init__(self, rest: Wsgi, make: Callable[[str], tuple[Flask, Views]]) -> None:
        self._rest, self._make = rest, make
        self._kept: OrderedDict[str, tuple[Flask, Views]] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        path = str(environ.get("PATH_INFO", ""))
        table, slash, rest = path.removeprefix(PREFIX).partition("/")
        if not path.startswith(PREFIX) or not slash or not TABLE_ID.fullmatch(table):
            return self._rest(environ, start)
        try:
            app = self._app(table)
        except Problem:
            return self._rest(environ, start)  # which has no such address and says so
        environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}{PREFIX}{table}"
        environ["PATH_INFO"] = f"/{rest}"
        return app(environ, start)

    def _app(self, table: str) -> Flask:
        with self._lock:
            found = self._kept.get(table)
            if found is None:
                found = self._kept[table] = self._make(table)
            self._kept.move_to_end(table)
            idle = [name for name, (_, views) in self._kept.items() if not views.watched and name != table]
            dropped = [self._kept.pop(name) for name in idle[: max(0, len(self._kept) - MOST)]]
        for _, views in dropped:
            views.close()
        return found[0]

    @property
    def readers(self) -> int:
        """How many streams of tables are open."""
        with self._lock:
            return sum(views.watched for _, views in self._kept.values())

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            kept = list(self._kept.values())
        for _, views in kept:
            views.close()
