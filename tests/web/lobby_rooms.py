"""``companion run`` without a source, served for a browser; and how a person goes through its lobby."""

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from testkit.ports import free_port

from companion.cli.session.lobby import LobbySession, host_lobby
from companion.cli.session.output import OutputOptions
from companion.devices.cameras.addresses import CameraSettings

PATIENCE = 180_000  # ms; only what goes wrong waits so long: teaching a copy takes minutes on a busy machine
STEPS = ("game", "camera", "board", "pieces", "rules", "sound", "seats", "start")


@contextmanager
def lobby_served(folder: Path, pace: float = 4.0, **more: Any) -> Iterator[str]:
    """The lobby's address, at a free port; its recordings play ``pace`` times as fast, its record is ``game.sqlite``."""
    port = free_port()
    stopped = threading.Event()
    lobby_session = LobbySession(
        folder / "game.sqlite", folder / "tables", camera=CameraSettings(pace=pace), showing=OutputOptions(port=port), **more
    )
    session = threading.Thread(target=host_lobby, args=(lobby_session, stopped))
    session.start()
    for _ in range(600):
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        stopped.set()
        session.join(20)


def come(page: Any, language: str) -> None:
    """Open the lobby in a language."""
    page.goto(f"{page.base}lobby?lang={language}")
    page.wait_for_selector("#step-title:not(:empty)")


def to(page: Any, step: str) -> None:
    """Go to a step."""
    page.click(f"[data-key=step-{step}]")
    page.wait_for_selector(f"#lobby[data-step={step}]")


def through_the_lobby(page: Any, *, name: str, album: bool = False) -> str:
    """Every step in its order, with the bundled recording as camera, until the game begins. Returns the detective's link."""
    link = ""
    for step in STEPS:
        page.wait_for_selector(f"#lobby[data-step={step}]")
        if step == "camera":
            page.click("[data-key=demo]")
            page.wait_for_selector("#live:not([hidden])")
        if step in ("board", "pieces"):
            page.wait_for_selector(".verdict[data-good=yes]")
        if step == "rules" and album:
            page.check("[data-key=album]")
        if step == "seats":
            page.click("[data-key=seat-detective]")
            page.wait_for_selector("input.link")
            link = page.input_value("input.link")
        if step == "start":
            assert page.locator(".verdict[data-good=no]").count() == 0
            page.fill("[data-key=name]", name)
            page.click("[data-key=begin]")
        else:
            page.click("[data-key=after]")
    return link


def asked(page: Any, what: str) -> Any:
    """What an address of the page's API answers."""
    with urllib.request.urlopen(f"{page.base}api/{what}") as reply:
        return json.load(reply)
