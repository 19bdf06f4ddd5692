"""A request that is sent again, because its answer did not come, gets the answer of the first; nothing is done twice.

A link that vanished swallows answers as well as requests: whoever waited in vain cannot know whether the first one arrived.
So a sender may name a request by the header ``Idempotency-Key`` (1 to 64 printable ASCII characters, new for each request) and
send it again under the same name. Refusals changed nothing and are not remembered.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps

from flask import Response, request

from companion.web.access import visitor
from companion.web.problems import Problem

HEADER = "Idempotency-Key"
_LONGEST = 64
_KEPT = 256  # answers; a table gives one every few seconds
_KEPT_SECONDS = 300.0  # longer than anybody tries again
_WAIT_SECONDS = 20.0  # for the first one, while it is being done

View = Callable[[], Response]


@dataclass(slots=True)
class _Sent:
    body: bytes
    at: float  # when it came, then when it was done
    done: threading.Event = field(default_factory=threading.Event)
    answer: tuple[bytes, int, str | None] | None = None


class AnswerCache:
    """The answers of the last few minutes, by who asked, where and under which name."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sent: OrderedDict[tuple[str, ...], _Sent] = OrderedDict()
        self._lock = threading.Lock()

    def once(self, view: View) -> View:
        """A view that does a named request once."""

        @wraps(view)
        def asked() -> Response:
            name = request.headers.get(HEADER)
            if name is None:
                return view()
            if not (name.isascii() and name.isprintable() and 0 < len(name) <= _LONGEST):
                raise Problem(400, "bad-request", "the request cannot be read", "See docs/api.md.")
            held = visitor().held
            return self._answer((held.id if held else "", request.endpoint or "", name), view)

        return asked

    def _answer(self, key: tuple[str, ...], view: View) -> Response:
        body = hashlib.sha256(request.get_data(cache=True)).digest()
        with self._lock:
            self._forget()
            sent = self._sent.get(key)
            first = sent is None
            if sent is None:
                sent = self._sent[key] = _Sent(body, self._clock())
        if sent.body != body:
            raise Problem(422, "other-request", "another request was sent under this name", "Name each request anew.")
        if first:
            return self._do(key, sent, view)
        if not sent.done.wait(_WAIT_SECONDS):
            raise Problem(409, "in-progress", "the first one is still being done", "Wait a moment.")
        if sent.answer is None:
            return self._answer(key, view)  # the first was refused and is forgotten: this one counts
        data, status, mimetype = sent.answer
        return Response(data, status, mimetype=mimetype)

    def _do(self, key: tuple[str, ...], sent: _Sent, view: View) -> Response:
        try:
            response = view()
            sent.answer = (response.get_data(), response.status_code, response.mimetype)
            sent.at = self._clock()  # what took minutes is not forgotten before anybody has heard of it
            return response
        finally:
            if sent.answer is None:
                with self._lock:
                    self._sent.pop(key, None)
            sent.done.set()

    def _forget(self) -> None:
        now = self._clock()
        done = [key for key, sent in self._sent.items() if sent.done.is_set()]
        for key in done:
            if len(self._sent) > _KEPT or now - self._sent[key].at > _KEPT_SECONDS:
                del self._sent[key]
