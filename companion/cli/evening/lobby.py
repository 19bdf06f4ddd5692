"""One evening that begins in the lobby: the page first, then the camera and the game that were chosen on it."""

import itertools
import queue
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from companion import games
from companion.cli.evening.box_options import BoxChoice
from companion.cli.evening.prompt import check_voice, open_browser, own_voice, print_event, when_over, words_go
from companion.cli.evening.showing import Pages, Showing, opened
from companion.cli.evening.sitting import remember, sit_down
from companion.demo import DemoCamera, bundled, load_script, table_of
from companion.devices.cameras import CameraSettings, device_of, open_camera, path_of, without_password
from companion.errors import BadInput, InvalidRecord
from companion.host.album import AlbumSettings
from companion.host.allocator import Housekeeping
from companion.host.boxes import TableBoxes, clock_presses
from companion.host.choices import Choices
from companion.host.eyes import Eyes
from companion.host.lobby import Beginning, Lobby, Opened
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.resuming import KeptSetup, Resumable, resumable
from companion.host.secrets import Secrets
from companion.host.setup import CameraChoice, Setup
from companion.host.shelf import Shelf
from companion.host.stage import Stage
from companion.record.lock import RecordLock
from companion.record.log import Record
from companion.vision.table_set import is_table_set, load_table_set
from companion.vision.watcher import Watcher
from companion.web.access import Door
from companion.web.app import create_app
from companion.web.roles import OWNER

_Wishes = queue.SimpleQueue[tuple[Setup, Eyes | None]]


@dataclass(frozen=True)
class Hall:
    """Everything that is known before anybody chose anything. ``record`` may exist: then its game is gone on with, before the
    table that was ``kept`` with it; ``options`` says what of the prompt to keep for that."""

    record: Path
    shelf: Path
    game: str = games.DEFAULT
    edition: str | None = None
    choices: Choices = field(default_factory=Choices)
    camera: CameraSettings = field(default_factory=CameraSettings)
    showing: Showing = field(default_factory=Showing)
    boxes: BoxChoice = field(default_factory=BoxChoice)
    album: AlbumSettings = field(default_factory=AlbumSettings)
    signing_key: Path | None = None
    kept: KeptSetup | None = None
    options: Callable[[Pages], dict[str, Any]] = lambda pages: {}


class CameraRoom:
    """Opens the cameras that can be chosen; the bundled table is one of them."""

    def __init__(self, settings: CameraSettings) -> None:
        self._settings = settings

    def trust(self, fingerprint: str) -> None:
        """See :class:`companion.host.lobby.Sources`."""
        self._settings.certificates.accept(fingerprint)

    def open(self, choice: CameraChoice, *, preview: bool) -> Opened:
        """See :class:`companion.host.lobby.Sources`."""
        if choice.kind == "demo":
            game = _bundled(choice)
            table = load_table_set(table_of(game))
            pace = None if preview else self._settings.pace
            camera = DemoCamera(load_script(game=game), pace=pace, hold=True, waits=True)
            return Opened(camera, table.lens, table.board, table.pieces)
        if choice.kind == "phone":
            return Opened(open_camera("phone", self._settings))
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
            return Opened(open_camera(choice.address, settings), table.lens, table.board, table.pieces)
        return Opened(open_camera(choice.address, settings))


class Backstage:
    """The stage, and what stands around it, once a game has begun."""

    def __init__(self, hall: Hall, stack: ExitStack, housekeeping: Housekeeping | None = None) -> None:
        self._hall, self._stack, self._housekeeping = hall, stack, housekeeping
        self.stage = Stage()
        self.stage.subscribe(when_over(words_go(hall.showing.events_as_json)))
        presses = clock_presses(self.stage, self._arbiter_here)
        self.boxes = TableBoxes(self.stage, hall.boxes.source, _beside(hall.record, ".boxes"), clock_answer=presses)
        self._record: Record | None = None
        self.secrets = Secrets.open(_beside(hall.record, ".secrets"))
        self.door: Door | None = None
        self.pages: Pages | None = None

    def _arbiter_here(self) -> bool:
        return self.door is not None and self.door.arbiter_here

    def begin(self, beginning: Beginning) -> None:
        """Start the game, or let it go on before another camera or with other eyes; its record stays the same."""
        first = self._record is None
        record = self._record = self._record or self._stack.enter_context(Record.open(self._hall.record))
        table = self.stage.put(
            lambda: sit_down(
                beginning.game, record, beginning.camera, Watcher(beginning.reader, beginning.board), self.secrets,
                print_event if self._hall.showing.events_as_json else None,
                edition=beginning.board.edition, choices=beginning.choices, album=self._hall.album,
                signing_key=self._hall.signing_key,
            )
        )  # fmt: skip
        if first:
            for event in table.wait_events(0, 0):
                self.boxes.heard(event)
            if self._hall.showing.speak:
                self._speak(beginning)
        if beginning.source.kind == "demo" and table.snapshot()["secret"] == "asked":
            table.answer(dict(load_script(game=_bundled(beginning.source)).told))  # the recording's players cannot answer
        kept = KeptSetup(
            beginning.source, beginning.mode, beginning.choices, beginning.name,
            self._hall.options(self.pages) if self.pages is not None else {}, beginning.profile,
        )  # fmt: skip
        remember(self._hall.record, kept, self._hall.showing)
        if self._housekeeping is not None:
            self._housekeeping.exchanged()  # the table before, and what it took to learn the copy

    def read(self, seat: str) -> list[str]:
        """A seat's notes in the running game."""
        return self._notes().read(seat)

    def write(self, seat: str, characters: Sequence[str]) -> None:
        """Replace a seat's notes in the running game. Raises BadInput."""
        self._notes().write(seat, characters)

    def _notes(self) -> Notes:
        snapshot = self.stage.snapshot()
        return Notes(self.secrets, games.load(snapshot["game"]["id"]), lambda: str(snapshot["match"]))

    def _speak(self, beginning: Beginning) -> None:
        voice, say = own_voice(self._hall.showing.language, beginning.game)
        self._stack.callback(voice.close)
        self.stage.subscribe(say)
        self.boxes.on_again(say)


def host_lobby(hall: Hall, stopped: threading.Event) -> None:
    """Show the lobby, play what is chosen there, game after game, and stay until ``stopped``."""
    if hall.showing.speak:
        check_voice(hall.showing.language)
    fixed = _fixed(hall.record)
    game, edition = fixed or (hall.game, hall.edition or games.load(hall.game).editions()[0])
    hall.choices.check(games.load(game))
    found = _resumable(hall) if fixed is not None else None
    choices = found.kept.choices if found is not None and found.kept is not None else hall.choices
    first: Setup | None = Setup(game, edition, choices=choices, fixed=fixed is not None)
    passes = Passes.open(_beside(hall.record, ".passes"))  # whoever was let in stays for the next game
    eyes: Eyes | None = None
    greeted = False
    while first is not None and not stopped.is_set():
        with ExitStack() as kept, ExitStack() as stack:  # the record is closed last, when nobody asks for it any more
            kept.callback(RecordLock(hall.record).close)  # nobody else begins on it while this lobby is being gone through
            next_one: _Wishes = queue.SimpleQueue()
            housekeeping = Housekeeping()
            kept.callback(housekeeping.close)
            backstage = Backstage(hall, kept, housekeeping)
            lobby = Lobby(
                CameraRoom(hall.camera), Shelf(hall.shelf), backstage.begin, first, eyes=eyes,
                renew=partial(_wished, next_one), resumable=found,
            )  # fmt: skip
            door = backstage.door = Door(passes, closed=hall.showing.closed, notes=backstage)
            app = partial(create_app, backstage.stage, door=door, button_boxes=backstage.boxes, camera=lobby, hall=lobby)
            pages = stack.enter_context(opened(hall.showing, app))
            backstage.pages = pages
            stack.callback(lobby.close)
            stack.callback(backstage.stage.stop)
            backstage.boxes.start()
            stack.callback(backstage.boxes.stop)
            pages.start()
            if greeted:
                print(f"record: {hall.record}", file=words_go(hall.showing.events_as_json), flush=True)
            else:
                _greet(hall, pages, door)
            greeted = True
            while not stopped.wait(0.1) and next_one.empty():
                pass
            first, eyes = (None, None) if stopped.is_set() else next_one.get()
            # The page is looked for where it was, so the next evening takes the very same ports.
            hall, found = replace(hall, record=_next_record(hall.record), showing=pages.again(hall.showing)), None
            if first is not None:
                passes.keep_also(_beside(hall.record, ".passes"))
            stopped.wait(0.3 if first else 0)  # the answer to the wish is still under way


def _wished(wishes: _Wishes, setup: Setup, eyes: Eyes | None) -> None:
    """Somebody wants another game at this table."""
    wishes.put((setup, eyes))


def _next_record(record: Path) -> Path:
    """Where the game after this one is kept: beside it, numbered."""
    stem = re.sub(r"-game\d+$", "", record.stem)
    return next(
        path for number in itertools.count(2) if not (path := record.with_name(f"{stem}-game{number}{record.suffix}")).exists()
    )


def _bundled(choice: CameraChoice) -> str:
    """The game of the bundled recording that is meant: the chosen one's, or the usual one's."""
    return choice.address if choice.address in bundled() else games.DEFAULT


def _greet(hall: Hall, pages: Pages, door: Door) -> None:
    out = words_go(hall.showing.events_as_json)
    address = shown = pages.address
    if door.closed:
        token = door.passes.issue(OWNER)[1]
        address, shown = door.link(pages.address, token), door.ticket(pages.address, token)
    print(f"page:   {address}", file=out)
    if door.closed:
        print("        (this link is the owner's: it sets the table up and hands out the others)", file=out)
    if pages.greeting is not None:
        pages.greeting.say(pages.address, out)
    print(f"record: {hall.record}   (the same --record resumes the game)", file=out)
    print("Ctrl-C ends it", file=out, flush=True)
    open_browser(shown, hall.showing.browser)


def _fixed(record: Path) -> tuple[str, str] | None:
    """Game and edition of a record that is there already. Raises BadInput for one that cannot be read."""
    if not record.exists():
        return None
    with Record.read(record) as kept:
        first = next(iter(kept.events()), None)
    if first is None:
        return None
    if not {"game", "edition"} <= first.data.keys():
        raise InvalidRecord(f"{record}: the record begins with {first.kind!r}, not with a match")
    return str(first.data["game"]), str(first.data["edition"])


def _resumable(hall: Hall) -> Resumable | None:
    """The game on record, before the table it was played on. Raises InvalidRecord, and BadInput while another companion has
    the record open: what that one is writing may not be whole yet."""
    with closing(RecordLock(hall.record)), Record.read(hall.record) as kept:
        events = kept.events()
    secrets = Secrets.open(_beside(hall.record, ".secrets"))
    return resumable(games.load(str(events[0].data["game"])), events, hall.kept, secrets)


def _beside(record: Path, ending: str) -> Path:
    return record.with_name(record.name + ending)
