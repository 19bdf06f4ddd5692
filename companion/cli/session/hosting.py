"""One session at one table: camera, eyes, referee, record and page joined, until it ends."""

import getpass
import secrets as randomness
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from companion.boards import Board
from companion.cli.session.box_options import BoxChoice
from companion.cli.session.hub_option import HubChoice
from companion.cli.session.output import OutputOptions, PageServers, opened
from companion.cli.session.prompt import EventPrinter, open_browser, own_voice, when_over, words_go
from companion.cli.session.table_factory import enrolling_with, make_table, remember
from companion.demo import DemoCamera
from companion.devices.cameras.addresses import Camera
from companion.devices.cameras.push import PushCamera
from companion.errors import BadInput
from companion.games.game import Game
from companion.host.allocator import Housekeeping, give_back
from companion.host.boxes import TableBoxes, clock_presses
from companion.host.choices import Choices
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.picture_store import PictureStoreSettings
from companion.host.ports import FrameWatcher
from companion.host.resuming import KeptSetup
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.commitment import NONCE_BYTES, commit
from companion.record.log import Record
from companion.vision.reader import Reader
from companion.vision.watching.watcher import Watcher
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.roles import ARBITER, CAMERA, TABLE

_OVER = ("ended", "lost")


@dataclass(frozen=True)
class TableSession:
    """What is needed to sit down. ``kept`` is whether the record outlives the session; ``signing_key`` the file of the key that
    signs its end; ``watcher`` replaces the usual one over ``reader``; ``setup`` says what to keep for a
    restart."""

    game: Game
    board: Board
    camera: Camera
    reader: Reader
    record: Path
    secrets: Path | None = None
    passes: Path | None = None
    showing: OutputOptions = field(default_factory=OutputOptions)
    boxes: BoxChoice = field(default_factory=BoxChoice)
    box_keep: Path | None = None
    kept: bool = True
    watcher: FrameWatcher | None = None
    choices: Choices = field(default_factory=Choices)
    picture_store: PictureStoreSettings = field(default_factory=PictureStoreSettings)
    signing_key: Path | None = None
    setup: Callable[[PageServers], KeptSetup] | None = None
    hub: HubChoice | None = None


def host(session: TableSession, stopped: threading.Event, secret: str | dict[str, Any], *, once: bool = True) -> OutputOptions:
    """Join everything, show the page, and stay until ``stopped`` or, with ``once``, until a recording has ended. Returns how it
    was shown, for a page that is to be found where this one was."""
    showing = session.showing
    with ExitStack() as stack:
        give_back(cycles=True)  # what it took to learn an unmodified copy
        stack.callback(Housekeeping().close)
        record = stack.enter_context(Record.open(session.record))
        secrets = Secrets.open(session.secrets)

        def keep_learnt() -> None:
            if session.setup is not None:
                remember(session.record, session.setup(pages), showing)

        table = make_table(
            session.game,
            record,
            session.camera,
            session.watcher or Watcher(session.reader, session.board),
            secrets,
            EventPrinter() if showing.events_as_json else None,
            edition=session.board.edition,
            choices=session.choices,
            picture_store=session.picture_store,
            signing_key=session.signing_key,
            enrolling=None if session.watcher is not None else enrolling_with(session.reader, keep_learnt),
        )
        presses = clock_presses(table, lambda: access_control.arbiter_here)
        boxes = TableBoxes(table, session.boxes.source, session.box_keep, clock_answer=presses)
        if showing.speak:
            voice, say = own_voice(showing.language, session.game)
            stack.callback(voice.close)
            table.subscribe(say)
            boxes.on_again(say)
        table.subscribe(when_over(words_go(showing.events_as_json), lambda: session.game.id))
        _tell_secret(table, secret)
        if isinstance(session.camera, DemoCamera):
            session.camera.seat_players(table.answer)
        phone = session.camera if isinstance(session.camera, PushCamera) else None
        notes = Notes(secrets, session.game, lambda: str(table.snapshot()["match"]))
        access_control = AccessControl(Passes.open(session.passes), closed=showing.closed, notes=notes)
        app = partial(create_app, table, access_control=access_control, button_boxes=boxes, camera=phone)
        pages = stack.enter_context(opened(showing, app))
        table.start()
        stack.callback(table.stop)
        boxes.start()
        stack.callback(boxes.stop)
        pages.start()
        keep_learnt()
        if session.hub is not None:
            stack.enter_context(session.hub.joined(table, session.record, kept=session.kept))
        _greet(session, pages, access_control)
        while not stopped.wait(0.2):
            if once and table.snapshot()["source"]["state"] in _OVER:
                stopped.wait(0.5)  # the last picture may still be ruled on
                while table.snapshot()["unfinished"] and not stopped.wait(0.2):
                    pass  # what is waited for comes to its end: a play that ends it counts, an ability not used is flagged
                break
        return pages.again(showing)


def _greet(session: TableSession, pages: PageServers, access_control: AccessControl) -> None:
    out = words_go(session.showing.events_as_json)
    address, secured = pages.address, pages.greeting
    if session.camera.simulated:
        print("SIMULATED: a recorded table is played, no camera is in use", file=out)
    if session.boxes.simulated:
        print("SIMULATED: the button box is simulated; press its buttons on the page", file=out)
    tokens = {role: access_control.passes.issue(role)[1] for role in (TABLE, ARBITER)} if access_control.closed else {}
    links = {role: access_control.link(address, token) for role, token in tokens.items()}
    shown, address = access_control.ticket(address, tokens[TABLE]) if tokens else address, links.get(TABLE, address)
    print(f"page:   {address}", file=out)
    if links:
        print(f"arbiter: {links[ARBITER]}   (for one person; the table hands out the other links)", file=out)
    print(f"camera: {session.camera.name}", file=out)
    if isinstance(session.camera, PushCamera):
        way = f"join#{access_control.passes.issue(CAMERA)[1]}" if access_control.closed else "camera"
        print(f"        open this on the phone: {secured.address if secured else pages.address}{way}", file=out)
    if secured is not None:
        secured.say(pages.address, out)
    if session.hub is not None:
        print(f"hall:   {session.hub.address.place} as {session.hub.address.table}", file=out)
    if session.kept:
        print(f"record: {session.record}   (the same --record resumes the game)", file=out)
    print("Ctrl-C ends it", file=out, flush=True)
    open_browser(shown, session.showing.browser)


def _tell_secret(table: Table, secret: str | dict[str, Any]) -> None:
    """Hand over the one secret of a game as the page would; asked for here, without echo, when a mode needs it."""
    if isinstance(secret, dict):
        table.answer(secret)
        return
    if secret == "asked" or table.snapshot()["secret"] != "asked":
        return
    if not sys.stdin.isatty():
        raise BadInput(f"--secret {secret} asks in this terminal, and there is none; it can be told on the page as well")
    sole = table.game.board(table.game.editions()[0]).page.get("secret")
    if sole is None:
        raise BadInput(f"--secret {secret}: the secrets of this game are told on the page")
    character = getpass.getpass(sole["ask"]).strip().lower()
    if secret == "entrusted":
        table.answer({"kind": "entrust", sole["key"]: character})
        return
    if character not in table.game.characters:
        raise BadInput(f"that is not a character; there are: {', '.join(table.game.characters)}")
    nonce = randomness.token_bytes(NONCE_BYTES)
    table.answer({"kind": "seal", "commitment": commit(table.snapshot()["match"], character, nonce)})
    print(sole["keep"].format(line=nonce.hex()))
