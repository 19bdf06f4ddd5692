"""The pages themselves."""

from flask import Blueprint, Response, render_template

from web.access import visitor
from web.guard import HEADER
from web.roles import ANSWERS, ROLES, TABLE, may_answer, may_visit


def blueprint() -> Blueprint:
    """The pages over one table."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def table() -> str:
        """The table as the visitor's role sees it."""
        roles = visitor().roles
        role = next((one for one in ROLES if one in roles), TABLE)
        may = [kind for kind in ANSWERS if may_answer(roles, kind)]
        return render_template(
            "table.html", header=HEADER, role=role, roles=roles, may=may, seat=visitor().seat, delay=visitor().delay,
            pictures=may_visit(roles, "api.picture_jpg"), notes=may_visit(roles, "seats.notes"),
            seats=may_visit(roles, "seats.issue"),
        )  # fmt: skip

    @pages.get("/join")
    def join() -> str:
        """The way in. The token is behind the ``#``, which browsers never send: it stands in nobody's log."""
        return render_template("join.html", header=HEADER)

    @pages.get("/overlay")
    def overlay() -> str:
        """Whose play, the call and the flag on nothing: to be laid over a stream's picture."""
        return render_template("overlay.html", header=HEADER)

    @pages.get("/favicon.ico")
    def icon() -> Response:
        return Response(status=204)

    return pages
