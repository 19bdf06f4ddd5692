"""The program in docs/api.md does what is said of it, as it stands there."""

import http.server
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable, call_data
from testkit.ports import free_port

from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import broadcaster_of, create_app
from companion.web.roles import SPECTATOR
from companion.web.server import PageServer
from companion.web.settings import PageSettings

DOCS = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
SETTINGS = PageSettings(streams=4, watch_seconds=0.1, heartbeat_seconds=0.3)


@pytest.fixture
def lamp() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a home automation, and what it was told."""
    told: list[dict[str, Any]] = []

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hook", told
    server.shutdown()
    thread.join(5)
    server.server_close()


def until(true: Any, seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(true())


def test_the_lamp_hears_every_call_once_even_while_the_companion_was_away(tmp_path: Path, lamp: Any) -> None:
    hook, told = lamp
    program = tmp_path / "lamp.py"
    found = re.search(r"```python\n(.*?)```", DOCS, re.S)
    assert found
    program.write_text(found.group(1), encoding="utf-8")
    table, passes = FakeTable(), Passes.open(None)
    table.push("call", call_data(False))  # before it came: not for the lamp

    port = free_port()

    def serve() -> PageServer:
        server = PageServer(
            create_app(table, SETTINGS, access_control=AccessControl(passes, closed=True)), port=port, settings=SETTINGS
        )
        server.start()
        return server

    server = serve()
    process = subprocess.Popen(
        [sys.executable, str(program), server.address.rstrip("/"), passes.issue(SPECTATOR)[1], hook], stderr=subprocess.PIPE
    )
    try:
        # A call counts for the lamp once its stream has begun, which is a moment after its place was taken.
        assert until(lambda: [one.begun for one in broadcaster_of(server._app)._readers] == [True])
        table.push("call", call_data(True))
        assert until(lambda: len(told) == 1)
        server.stop()
        table.push("call", call_data(False))
        table.push("notice", {"code": "test", "text": "nothing for a lamp", "params": {}})
        server = serve()
        assert until(lambda: len(told) == 2)
        table.push("outcome", {"winner": "jack", "code": "escaped", "message": "Jack is gone.", "text": "", "params": {}})
        assert until(lambda: len(told) == 3)
    finally:
        process.terminate()
        process.communicate(timeout=10)
        server.stop()
    assert [(one["kind"], one["seen"]) for one in told] == [("call", True), ("call", False), ("outcome", None)]
    assert told[0]["text"].startswith("Jack is seen.")
