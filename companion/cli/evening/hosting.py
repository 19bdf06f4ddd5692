"""One evening at one table: camera, eyes, referee, record and page joined, until it ends."""

import getpass
import secrets as randomness
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.boards import Board
from companion.cli.evening import https
from companion.cli.evening.box_options import BoxChoice
from companion.cli.evening.https import HttpsChoice
from companion.cli.evening.prompt import open_browser, own_voice, page_server, print_event, words_go
from companion.cli.evening.sitting import sit_down
from companion.devices.camera_push import PushCamera
from companion.devices.cameras import Camera
from companion.errors import BadInput
from companion.games.game import Game
from companion.host.album import AlbumSettings
from companion.host.boxes import TableBoxes, clock_presses
from companion.host.choices import Choices
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.ports import Watches
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.commitment import NONCE_BYTES, commit
from companion.record.log import Record
from companion.vision.reader import Reader
from companion.vision.watcher import Watcher
from web.access import Door
from web.app import create_app
from web.roles import ARBITER, CAMERA, TABLE
from web.server import is_loopback
from web.settings import PageSettings

_OVER = ("ended", "lost")


@dataclass(frozen=True)
class Evening:
    """What is needed to sit down. With ``port`` None the page takes the usual port, or any when that one is taken;
    ``kept`` is whether the record outlives the evening; ``signing_key`` the file of the key that signs its end;
    ``watcher`` replaces the usual one over ``reader``."""

    game: Game
    board: Board
    camera: Camera
    reader: Reader
    record: Path
    secrets: Path | None = None
    passes: Path | None = None
    host: str = "127.0.0.1"
    port: int | None = None
    events_as_json: bool = False
    browser: bool = False
    speak: bool = False
    language: str = "en"
    boxes: BoxChoice = field(default_factory=BoxChoice)
    box_keep: Path | None = None
    kept: bool = True
    watcher: Watches | None = None
    choices: Choices = field(default_factory=Choices)
    album: AlbumSettings = field(default_factory=AlbumSettings)
    signing_key: Path | None = None
    https: HttpsChoice = field(default_factory=HttpsChoice)


@dataclass(frozen=True)
class Whereabouts:
    """Where the page was: its address, and that over HTTPS, if it had one."""

    page: str
    secure: str | None = None


def host(evening: Evening, stopped: threading.Event, secret: str | dict[str, Any], *, once: bool = True) -> Whereabouts:
    """Join everything, show the page, and stay until ``stopped`` or, with ``once``, until a recording has ended. Returns
    where the page was."""
    with ExitStack() as stack:
        record = stack.enter_context(Record.open(evening.record))
        secrets = Secrets.open(evening.secrets)
        table = sit_down(
            evening.game,
            record,
            evening.camera,
            evening.watcher or Watcher(evening.reader, evening.board),
            secrets,
            print_event if evening.events_as_json else None,
            edition=evening.board.edition,
            choices=evening.choices,
            album=evening.album,
            signing_key=evening.signing_key,
        )
        presses = clock_presses(table, lambda: door.arbiter_here)
        boxes = TableBoxes(table, evening.boxes.source, evening.box_keep, clock_answer=presses)
        if evening.speak:
            voice, say = own_voice(evening.language, evening.game)
            stack.callback(voice.close)
            table.subscribe(say)
            boxes.on_again(say)
        _tell_secret(table, secret)
        phone = evening.camera if isinstance(evening.camera, PushCamera) else None
        notes = Notes(secrets, evening.game, lambda: str(table.snapshot()["match"]))
        door = Door(Passes.open(evening.passes), closed=not is_loopback(evening.host), notes=notes)
        authority = https.open_authority(evening.https)
        settings = PageSettings(hosts=https.local_names() if authority and door.closed else ())
        app = create_app(table, settings, door=door, button_boxes=boxes, camera=phone, authority=authority)
        server = page_server(app, evening.host, evening.port)
        stack.callback(server.stop)
        secure = https.secure_server(app, evening.host, evening.https, authority) if authority else None
        if secure is not None:
            stack.callback(secure.stop)
        table.start()
        stack.callback(table.stop)
        boxes.start()
        stack.callback(boxes.stop)
        server.start()
        if secure is not None:
            secure.start()
        _greet(evening, server.address, door, https.Greeting(authority, secure.address) if authority and secure else None)
        while not stopped.wait(0.2):
            if once and table.snapshot()["source"]["state"] in _OVER:
                stopped.wait(0.5)  # the last picture may still be ruled on
                while table.snapshot()["unfinished"] and not stopped.wait(0.2):
                    pass  # what is waited for comes to its end: an accusation counts, an ability not used is flagged
                break
        return Whereabouts(server.address, secure.address if secure else None)


def _greet(evening: Evening, address: str, door: Door, secured: https.Greeting | None) -> None:
    out = words_go(evening.events_as_json)
    if evening.camera.simulated:
        print("SIMULATED: a recorded table is played, no camera is in use", file=out)
    if evening.boxes.simulated:
        print("SIMULATED: the button box is none; press its buttons on the page", file=out)
    base = address
    links = {role: f"{address}join#{door.passes.issue(role)[1]}" for role in (TABLE, ARBITER)} if door.closed else {}
    address = links.get(TABLE, address)
    print(f"page:   {address}", file=out)
    if links:
        print(f"arbiter: {links[ARBITER]}   (for one person; the table hands out the other links)", file=out)
    print(f"camera: {evening.camera.name}", file=out)
    if isinstance(evening.camera, PushCamera):
        way = f"join#{door.passes.issue(CAMERA)[1]}" if door.closed else "camera"
        print(f"        open this on the phone: {secured.address if secured else base}{way}", file=out)
    if secured is not None:
        secured.say(base, out)
    if evening.kept:
        print(f"record: {evening.record}   (the same --record resumes the game)", file=out)
    print("Ctrl-C ends it", file=out, flush=True)
    open_browser(address, evening.browser)


def _tell_secret(table: Table, secret: str | dict[str, Any]) -> None:
    """Hand over Jack's secret as the page would; asked for here, without echo, when a mode needs it."""
    if isinstance(secret, dict):
        table.answer(secret)
        return
    if secret == "asked" or table.snapshot()["secret"] != "asked":
        return
    if not sys.stdin.isatty():
        raise BadInput(f"--secret {secret} asks Jack in this terminal, and there is none; Jack can do it on the page as well")
    character = getpass.getpass("Jack, type your character (it is not shown): ").strip().lower()
    if secret == "entrusted":
        table.answer({"kind": "entrust", "character": character})
        return
    if character not in table.game.characters:
        raise BadInput(f"that is not a character; there are: {', '.join(table.game.characters)}")
    nonce = randomness.token_bytes(NONCE_BYTES)
    table.answer({"kind": "seal", "commitment": commit(table.snapshot()["match"], character, nonce)})
    print(f"Jack, keep this line until the end of the game, nobody else has it: {nonce.hex()}")
