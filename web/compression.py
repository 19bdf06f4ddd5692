"""The page's own files and words travel compressed: a phone on a club's Wi-Fi has them in a third of the time.

Only what is the same for everybody is compressed. An answer that holds something private never is, since its length
could then tell of it (the attack known as BREACH).
"""

import gzip
import threading

from flask import Flask, Response, request

_ENDPOINTS = frozenset({"static", "words.texts", "api.board"})
_TYPES = ("text/", "application/json", "application/javascript", "image/svg+xml")
_LEAST = 400  # bytes; below that the saving is not worth the work
_KEPT = 256


class CompressedBodies:
    """Compressed bodies by what they were made of; the newest few hundred are kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bodies: dict[bytes, bytes] = {}

    def __call__(self, body: bytes) -> bytes:
        """The body compressed."""
        with self._lock:
            found = self._bodies.get(body)
        if found is None:
            found = gzip.compress(body, 6, mtime=0)
            with self._lock:
                self._bodies[body] = found
                while len(self._bodies) > _KEPT:
                    del self._bodies[next(iter(self._bodies))]
        return found


def register(app: Flask) -> None:
    """Compress what may be, for those who can read it. Has to be registered first, so as to come last."""
    squeezed = CompressedBodies()

    @app.after_request
    def _squeeze(response: Response) -> Response:
        if request.endpoint not in _ENDPOINTS or not (response.mimetype or "").startswith(_TYPES):
            return response
        response.vary.add("Accept-Encoding")
        if response.status_code != 200 or request.method != "GET" or not request.accept_encodings.quality("gzip"):
            return response
        response.direct_passthrough = False
        body = response.get_data()
        if len(body) < _LEAST:
            return response
        response.set_data(squeezed(body))
        response.headers["Content-Encoding"] = "gzip"
        tag, _ = response.get_etag()
        if tag:
            response.set_etag(tag, weak=True)  # the same file in other bytes
        return response
