"""The pages themselves."""

from flask import Blueprint, Response, render_template

from web.guard import HEADER


def blueprint() -> Blueprint:
    """The pages over one table."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def table() -> str:
        return render_template("table.html", header=HEADER)

    @pages.get("/favicon.ico")
    def icon() -> Response:
        return Response(status=204)

    return pages
