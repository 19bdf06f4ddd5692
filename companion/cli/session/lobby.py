"""One session that begins in the lobby: the page first, then the camera and the game that were chosen on it."""

import itertools
import queue
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from companion import games
from companion.calibration.profile import TableProfile
from companion.calibration.set_deck import set_profile
from companion.cli.session.board_options import begun
from companion.cli.session.box_options import BoxChoice
from companion.cli.session.hub_option import HubChoice
from companion.cli.session.output import OutputOptions, PageServers, opened
from companion.cli.session.prompt import EventPrinter, check_voice, open_browser, own_voice, when_over, words_go
from companion.cli.session.table_factory import enrolling_with, make_table, remember, with_learnt
from companion.demo import DemoCamera, bundled, load_script, table_of
from companion.devices.cameras.addresses import CameraSettings, device_of, open_camera, path_of, without_password
from companion.errors import BadInput
from companion.host.allocator import Housekeeping
from companion.host.boxes import TableBoxes, clock_presses
from companion.host.choices import Choices
from companion.host.lobby import Beginning, Lobby, OpenedCamera
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.picture_store import PictureStoreSettings
from companion.host.preview import SharedCamera
from companion.host.profile_store import ProfileStore
from companion.host.resuming import KeptSetup, Resumable, resumable
from companion.host.secrets import Secrets
from companion.host.setup import CameraChoice, Setup
from companion.host.setup_vision import SetupVision
from companion.host.table import Table
from companion.host.table_proxy import TableProxy
from companion.record.lock import RecordLock
from companion.record.log import Record
from companion.vision.table_sets.table_set import is_table_set, load_table_set
from companion.vision.watching.watcher import Watcher
from companion.web.access import AccessControl
from companion.web.app import create_app
from companion.web.roles import OWNER

_NewGames = queue.SimpleQueue[tuple[Setup, SetupVision | None]]


@dataclass(frozen=True)
class LobbySession:
    """Everything that is known before anybody chose anything. ``record`` may exist: then its game is gone on with, before the
    table that was ``kept`` with it; ``options`` says what of the prompt to keep for that."""

    record: Path
    profiles: Path
    game: str = games.DEFAULT
    edition: str | None = None
    choices: Choices = field(default_factory=Choices)
    camera: CameraSettings = field(default_factory=CameraSettings)
    showing: OutputOptions = field(default_factory=OutputOptions)
    boxes: BoxChoice = field(default_factory=BoxChoice)
    picture_store: PictureStoreSettings = field(default_factory=PictureStoreSettings)
    signing_key: Path | None = None
    kept: KeptSetup | None = None
    options: Callable[[PageServers], dict[str, Any]] = lambda pages: {}
    hub: HubChoice | None = None


class CameraSources:
    """Opens the cameras that can be chosen; the bundled table is one of them."""

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings

    def trust(self, fingerprint: str) -> None:
        """See :class:`companion.host.lobby.Sources`."""
        self._settings.certificates.accept(fingerprint)

    def open(self, choice: CameraChoice, *, preview: bool) -> OpenedCamera:
        """See :class:`companion.host.lobby.Sources`."""
        if choice.kind == "demo":
            game = _bundled(choice)
            table = load_table_set(table_of(game))
            pace = None if preview else self._settings.pace
            camera = DemoCamera(load_script(game=game), pace=pace, hold=True, waits=True)
            return OpenedCamera(camera, table.lens, table.board, table.pieces, set_profile(table))
        if choice.kind == "phone":
            return OpenedCamera(open_camera("phone", self._settings))
        if not choice.address:
            raise BadInput("this camera needs an address: a number, a file, a folder, or rtsp://… or http://…")
        if choice.kind == "device" and not (choice.address.isdigit() or choice.address.startswith("/dev/video")):
            raise BadInput(
                f"camera {without_password(choice.address)[:40]!r}: a number or /dev/videoN is a camera of this machine"
            )
        settings = replace(self._settings, pace=None, loop=True) if preview else self._settings
        folder = path_of(choice.address)
        if choice.kind == "address" and not ("://" in choice.address or folder.exists() or device_of(choice.address)):
            raise BadInput(f"there is no file or folder {without_password(choice.address)[:80]!r} on this computer")
        if "://" not in choice.address and is_table_set(folder):
            table = load_table_set(folder)
            camera_of_set = open_camera(choice.address, settings)
            return OpenedCamera(camera_of_set, table.lens, table.board, table.pieces, set_profile(table))
        return OpenedCamera(open_camera(choice.address, settings))


class HostedTable:
    """The stage, and what stands around it, once a game has begun."""

    def __init__(self, session: LobbySession, stack: ExitStack, housekeeping: Housekeeping | None = None) -> None:
        self._session, self._stack, self._housekeeping = session, stack, housekeeping
        self.proxy, self.profiles = TableProxy(), ProfileStore(session.profiles)
        out = words_go(session.showing.events_as_json)
        self.proxy.subscribe(when_over(out, lambda: str(self.proxy.snapshot()["game"]["id"])))
        presses = clock_presses(self.proxy, self._arbiter_here)
        self.boxes = TableBoxes(self.proxy, session.boxes.source, _beside(session.record, ".boxes"), clock_answer=presses)
        self._record: Record | None = None
        self.secrets = Secrets.open(_beside(session.record, ".secrets"))
        self.access_control: AccessControl | None = None
        self.pages: PageServers | None = None

    def _arbiter_here(self) -> bool:
        return self.access_control is not None and self.access_control.arbiter_here

    def begin(self, beginning: Beginning) -> None:
        """Start the game, or let it go on before another camera or with other eyes; its record stays the same."""
        first = self._record is None
        record = self._record = self._record or self._stack.enter_context(Record.open(self._session.record))
        table = self.proxy.put(
            lambda: make_table(
                beginning.game, record, beginning.camera, Watcher(beginning.reader, beginning.board), self.secrets,
                EventPrinter() if self._session.showing.events_as_json else None,
                edition=beginning.board.edition, choices=beginning.choices, picture_store=self._session.picture_store,
                signing_key=self._session.signing_key,
                enrolling=enrolling_with(beginning.reader, lambda: self._keep_learnt(beginning)),
            )
        )  # fmt: skip
        if first:
            for event in table.wait_events(0, 0):
                self.boxes.heard(event)
            if self._session.showing.speak:
                self._speak(beginning)
        if beginning.source.kind == "demo":
            _seat_players(beginning, table)
        self._keep_setup(beginning, beginning.profile)
        if self._housekeeping is not None:
            self._housekeeping.exchanged()  # the table before, and what it took to learn the copy

    def _keep_setup(self, beginning: Beginning, profile: TableProfile | None) -> None:
        kept = KeptSetup(
            beginning.source, beginning.mode, beginning.choices, beginning.name,
            self._session.options(self.pages) if self.pages is not None else {}, profile,
        )  # fmt: skip
        remember(self._session.record, kept, self._session.showing)

    def _keep_learnt(self, beginning: Beginning) -> None:
        """Keep what the reader learnt in this game: beside the record, and with the table if it has a name."""
        profile = with_learnt(beginning.profile, beginning.reader)
        self._keep_setup(beginning, profile)
        if beginning.name and profile is not None:
            with suppress(BadInput):  # a full disk costs this one look, and is said by the record
                self.profiles.keep(beginning.name, profile, beginning.source, beginning.choices)

    def read(self, seat: str) -> list[str]:
        """A seat's notes in the running game."""
        return self._notes().read(seat)

    def write(self, seat: str, characters: Sequence[str]) -> None:
        """Replace a seat's notes in the running game. Raises BadInput."""
        self._notes().write(seat, characters)

    def _notes(self) -> Notes:
        snapshot = self.proxy.snapshot()
        return Notes(self.secrets, games.load(snapshot["game"]["id"]), lambda: str(snapshot["match"]))

    def _speak(self, beginning: Beginning) -> None:
        voice, say = own_voice(self._session.showing.language, beginning.game)
        self._stack.callback(voice.close)
        self.proxy.subscribe(say)
        self.boxes.on_again(say)


def host_lobby(session: LobbySession, stopped: threading.Event) -> None:
    """Show the lobby, play what is chosen there, game after game, and stay until ``stopped``."""
    if session.showing.speak:
        check_voice(session.showing.language)
    fixed = begun(session.record)
    game, edition = fixed or (session.game, session.edition or games.load(session.game).editions()[0])
    session.choices.check(games.load(game))
    found = _resumable(session) if fixed is not None else None
    choices = found.kept.choices if found is not None and found.kept is not None else session.choices
    first: Setup | None = Setup(game, edition, choices=choices, fixed=fixed is not None)
    passes = Passes.open(_beside(session.record, ".passes"))  # whoever was let in stays for the next game
    vision: SetupVision | None = None
    greeted = False
    while first is not None and not stopped.is_set():
        with ExitStack() as kept, ExitStack() as stack:  # the record is closed last, when nobody asks for it any more
            kept.callback(RecordLock(session.record).close)  # nobody else begins on it while this lobby is being gone through
            next_one: _NewGames = queue.SimpleQueue()
            housekeeping = Housekeeping()
            kept.callback(housekeeping.close)
            hosted_table = HostedTable(session, kept, housekeeping)
            lobby = Lobby(
                CameraSources(session.camera), hosted_table.profiles, hosted_table.begin, first, vision=vision,
                renew=partial(_ask_for_new_game, next_one), resumable=found,
            )  # fmt: skip
            access_control = hosted_table.access_control = AccessControl(
                passes, closed=session.showing.closed, notes=hosted_table
            )
            app = partial(
                create_app,
                hosted_table.proxy,
                access_control=access_control,
                button_boxes=hosted_table.boxes,
                camera=lobby,
                lobby_port=lobby,
            )
            pages = stack.enter_context(opened(session.showing, app))
            hosted_table.pages = pages
            stack.callback(lobby.close)
            stack.callback(hosted_table.proxy.stop)
            hosted_table.boxes.start()
            stack.callback(hosted_table.boxes.stop)
            pages.start()
            if session.hub is not None:
                stack.enter_context(session.hub.joined(hosted_table.proxy, session.record))
            if greeted:
                print(f"record: {session.record}", file=words_go(session.showing.events_as_json), flush=True)
            else:
                _greet(session, pages, access_control)
            greeted = True
            while not stopped.wait(0.1) and next_one.empty():
                pass
            first, vision = (None, None) if stopped.is_set() else next_one.get()
            if first is not None:
                pages.make_room()
            # The page is looked for where it was, so the next session takes the very same ports.
            session, found = replace(session, record=_next_record(session.record), showing=pages.again(session.showing)), None
            if first is not None:
                passes.keep_also(_beside(session.record, ".passes"))
            stopped.wait(0.3 if first else 0)  # the answer to the command is still under way


def _ask_for_new_game(new_games: _NewGames, setup: Setup, vision: SetupVision | None) -> None:
    """Somebody wants another game at this table."""
    new_games.put((setup, vision))


def _next_record(record: Path) -> Path:
    """Where the game after this one is kept: beside it, numbered."""
    stem = re.sub(r"-game\d+$", "", record.stem)
    return next(
        path for number in itertools.count(2) if not (path := record.with_name(f"{stem}-game{number}{record.suffix}")).exists()
    )


def _seat_players(beginning: Beginning, table: Table) -> None:
    """Let the players of the bundled recording tell their secret and give their answers."""
    told = load_script(game=_bundled(beginning.source)).told
    if told and table.snapshot()["secret"] == "asked":
        table.answer(dict(told))
    camera = beginning.camera.lent if isinstance(beginning.camera, SharedCamera) else beginning.camera
    if isinstance(camera, DemoCamera):
        camera.seat_players(table.answer)


def _bundled(choice: CameraChoice) -> str:
    """The game of the bundled recording that is meant: the chosen one's, or the usual one's."""
    return choice.address if choice.address in bundled() else games.DEFAULT


def _greet(session: LobbySession, pages: PageServers, access_control: AccessControl) -> None:
    out = words_go(session.showing.events_as_json)
    address = shown = pages.address
    if access_control.closed:
        token = access_control.passes.issue(OWNER)[1]
        address, shown = access_control.link(pages.address, token), access_control.ticket(pages.address, token)
    print(f"page:   {address}", file=out)
    if access_control.closed:
        print("        (this link is the owner's: it sets the table up and hands out the others)", file=out)
    if pages.greeting is not None:
        pages.greeting.say(pages.address, out)
    if session.hub is not None:
        print(f"hall:   {session.hub.address.place} as {session.hub.address.table}", file=out)
    print(f"record: {session.record}   (the same --record resumes the game)", file=out)
    print("Ctrl-C ends it", file=out, flush=True)
    open_browser(shown, session.showing.browser)


def _resumable(session: LobbySession) -> Resumable | None:
    """The game on record, before the table it was played on. Raises InvalidRecord, and BadInput while another companion has
    the record open: what that one is writing may not be whole yet."""
    with closing(RecordLock(session.record)), Record.read(session.record) as kept:
        events = kept.events()
    secrets = Secrets.open(_beside(session.record, ".secrets"))
    return resumable(games.load(str(events[0].data["game"])), events, session.kept, secrets)


def _beside(record: Path, ending: str) -> Path:
    return record.with_name(record.name + ending)
