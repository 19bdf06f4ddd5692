"""A phone as the table's camera: a page that sends pictures one after the other, each when the last has arrived."""

import time
from typing import Protocol

from flask import Blueprint, Response, jsonify, render_template, request

from companion.web.guard import HEADER
from companion.web.problems import Problem
from companion.web.rate_limit import RateLimiter
from companion.web.reach import Reach
from companion.web.settings import PageSettings

_TYPES = ("image/jpeg", "image/png")


class PhonePort(Protocol):
    """Where a phone's pictures go."""

    def push(self, data: bytes, *, still: bool = False) -> tuple[int, int]:
        """Take one encoded picture; returns its size. Raises BadInput."""


def blueprint(phone: PhonePort | None, settings: PageSettings, reach: Reach) -> Blueprint:
    """The camera's page and the address its pictures go to. Without a phone camera both say so."""
    routes = Blueprint("phone", __name__)
    pace = RateLimiter(settings.frames_per_second, settings.frames_per_second)

    @routes.get("/camera")
    def page() -> str:
        secure = "" if request.is_secure else reach.secure("/camera")
        return render_template("camera.html", header=HEADER, wanted=phone is not None, secure=secure or "")

    @routes.post("/api/camera/picture")
    def picture() -> Response:
        if phone is None:
            raise Problem(409, "no-phone", "this table is watched by another camera", "Start it with: companion run phone")
        if request.mimetype not in _TYPES:
            raise Problem(415, "no-picture-type", "a picture is sent as image/jpeg or image/png", "Choose a photo.")
        if not pace.allows(request.remote_addr or "", time.monotonic()):
            raise Problem(429, "too-fast", "pictures come faster than they can be looked at", "Send fewer pictures a second.")
        request.max_content_length = settings.picture_bytes
        width, height = phone.push(request.get_data(cache=False), still=request.args.get("still") == "1")
        return jsonify({"width": width, "height": height})

    return routes
