"""Who may talk to the page, and what a browser may do with it.

A reading request needs a host we know. A changing request needs, besides, an origin that is our own and a header that no
foreign page can send without asking first (a cross-site form cannot set headers, and a cross-site script would need a
preflight that is never granted). So no cookie and no token in an address is needed to stop a forged answer.
"""

import ipaddress
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from companion.errors import quoted
from companion.web.problems import Problem
from companion.web.rate_limit import RateLimiter
from companion.web.settings import PageSettings

HEADER = "X-Table-Witness"
PICTURES, SOUND = "phone.picture", "hearing.hear"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(self), geolocation=(), payment=()",
}


def host_allowed(host: str, extra: tuple[str, ...] = ()) -> bool:
    """Whether a Host header names this machine: localhost, a plain IP address, or a name the user listed."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    if not name:
        return False
    if name == "localhost" or name in {listed.lower() for listed in extra}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def register(app: Flask, settings: PageSettings, larger: Mapping[str, int] | None = None) -> None:
    """Check every request before it is served and send the protecting headers with every answer. ``larger``: what bodies may
    be, by endpoint, where they are larger than an answer."""
    bodies = {PICTURES: settings.picture_bytes, SOUND: settings.sound_bytes, **(larger or {})}

    pace = RateLimiter(settings.answers_burst, settings.answers_per_second)

    @app.before_request
    def _check() -> None:
        if not host_allowed(request.host, settings.hosts):
            raise Problem(
                421,
                "unknown-host",
                f"this page does not answer to the name {quoted(request.host)}",
                "Open it by its IP address, or start the companion with this name in its list of hosts.",
            )
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise Problem(
                403, "foreign-origin", f"answers are not taken from pages of {origin}", "Answer on the table's own page."
            )
        if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            raise Problem(403, "foreign-origin", "answers are not taken from other pages", "Answer on the table's own page.")
        if HEADER not in request.headers:
            raise Problem(403, "no-header", f"the header {HEADER} is missing", f"Send {HEADER}: 1 with every answer.")
        most = bodies.get(request.endpoint or "", settings.body_bytes)
        if (request.content_length or 0) > most:  # said before anything is read; what comes without a length is counted
            raise RequestEntityTooLarge
        if request.endpoint == PICTURES:
            return  # has a pace of its own: a film is faster than a talk
        if not pace.allows(request.remote_addr or "", time.monotonic()):
            raise Problem(429, "too-fast", "too many answers came at once", "Wait a moment, then answer again.")

    @app.after_request
    def _protect(response: Response) -> Response:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response
