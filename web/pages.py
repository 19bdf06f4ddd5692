"""The pages themselves."""

from flask import Blueprint, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as Answer

from companion.host.lobby import Lobby
from companion.web.access import AccessControl, visitor
from companion.web.guard import HEADER
from companion.web.roles import ARBITER, LOCAL, SECRETS, may_visit


def blueprint(access_control: AccessControl, lobby_port: Lobby | None = None) -> Blueprint:
    """The pages over one table. Before its game begins, who may set it up is led to the lobby, ``lobby_port``."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def table() -> str | Answer:
        """The table as the visitor's role sees it."""
        roles = visitor().roles
        sets_up = lobby_port is not None and may_visit(roles, "lobby.page")
        if lobby_port is not None and sets_up and not lobby_port.playing:
            return redirect(url_for("lobby.page"))
        plays = visitor().player is not None
        ruled = access_control.arbiter_here and ARBITER not in roles  # then the clocks are the arbiter's alone
        may = [kind for kind in visitor().rights.answers if visitor().may_answer(kind) and not (kind == "clock" and ruled)]
        return render_template(
            "table.html", header=HEADER, stream=_stream(), role=visitor().role, roles=roles, plays=plays, may=may,
            private=plays and SECRETS in roles, seat=visitor().seat, delay=visitor().delay,
            pictures=may_visit(roles, "api.picture_jpg"), notes=may_visit(roles, "seats.notes"),
            saves=may_visit(roles, "api.report"),
            seats=may_visit(roles, "seats.issue"), lobby="none" if lobby_port is None else "yes" if sets_up else "",
            secret=lobby_port.setup.choices.secret if lobby_port is not None and visitor().may_answer("entrust") else "",
        )  # fmt: skip

    @pages.get("/join")
    def join() -> str:
        """The way in. The token is behind the ``#``, which browsers never send: it stands in nobody's log."""
        asking = visitor()
        local = asking.held is None and LOCAL & asking.roles
        return render_template("join.html", header=HEADER, local="table" if local else "")

    @pages.get("/overlay")
    def overlay() -> str:
        """Whose play, the call and the flag on nothing: to be laid over a stream's picture."""
        return render_template("overlay.html", header=HEADER, stream=_stream())

    @pages.get("/favicon.ico")
    def icon() -> Response:
        return Response(status=204)

    return pages


def _stream() -> str:
    """What pages of one browser have in common that may share one stream of events: the pass that lets them in."""
    held = visitor().held
    return held.id if held is not None else "local"
