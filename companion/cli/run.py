"""``companion run`` and ``companion demo``: one table, from its camera to its page."""

import argparse
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from companion import games
from companion.boards import Board
from companion.boards.json_file import read_object
from companion.bounded import BOUNDS
from companion.cli import processors
from companion.cli.files import lens_of
from companion.cli.session import board_options, box_options, camera_trust, hub_option, match_options, output, second_camera
from companion.cli.session.board_options import BoardWish
from companion.demo import DemoCamera, load_script, table_of
from companion.devices.cameras.addresses import KINDS, CameraSettings
from companion.devices.cameras.live import LiveCamera
from companion.devices.cameras.push import PushCamera
from companion.errors import BadInput, quoted
from companion.games.game import Game
from companion.host.allocator import few_arenas
from companion.vision.marked.reader import MarkedReader
from companion.vision.reader import Reader
from companion.vision.table_sets.read_set import set_reader
from companion.vision.table_sets.table_set import TableSet, is_table_set, load_table_set

if TYPE_CHECKING:
    from companion.calibration.profile import TableProfile
    from companion.cli.session.output import PageServers
    from companion.host.resuming import KeptSetup

SECRET_MODES = ("asked", "entrusted", "sealed")
KEY_FILE = "signing-key"  # in the data folder: this machine's own


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``demo`` and ``run``."""
    _add_demo(commands)
    _add_run(commands)


def _add_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    run = commands.add_parser(
        "run",
        help="watch a table and show it on the page",
        description="Watch a table through a camera and show it on the page.",
    )
    run.add_argument("source", metavar="SOURCE", nargs="?", help=f"{KINDS}; without it the page asks, step by step")
    run.add_argument(
        "--profile", type=Path, metavar="FILE", help="this table's profile, or this camera's lens, from 'companion calibrate'"
    )
    run.add_argument("--game", help=f"which game is played (a record's own, else {games.DEFAULT})")
    run.add_argument("--edition", help="edition of the board (a record's own, else the game's usual one)")
    run.add_argument("--board", type=Path, metavar="FILE", help="play on a board of your own ('companion calibrate new-board')")
    run.add_argument(
        "--secret", choices=SECRET_MODES, default="asked",
        help="what becomes of secrets: asked each time, entrusted, or sealed by a commitment (%(default)s)",
    )  # fmt: skip
    run.add_argument("--size", metavar="WxH", help="picture size asked of a webcam (1920x1080)")
    run.add_argument("--no-lock", action="store_true", help="leave exposure, focus and white balance to the camera")
    run.add_argument(
        "--seconds-each", type=float, default=2.0, metavar="S", help="how long a folder shows each picture (%(default)s)"
    )
    run.add_argument("--loop", action="store_true", help="begin a file or folder again at its end")
    run.add_argument("--once", action="store_true", help="stop at the end of a file or folder")
    second_camera.add_options(run)
    camera_trust.add_option(run)
    match_options.add_options(run)
    box_options.add_option(run)
    _add_page_options(run)
    run.set_defaults(run=run_run, board_named=True)


def _add_demo(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    demo = commands.add_parser(
        "demo", help="play the bundled recorded table", description="Play the bundled recorded table as if it were a camera."
    )
    demo.add_argument("--game", default=games.DEFAULT, help="whose bundled table is played (%(default)s)")
    demo.add_argument("--speed", type=float, default=1.0, metavar="X", help="play X times as fast (%(default)s)")
    ends = demo.add_mutually_exclusive_group()
    ends.add_argument("--once", action="store_true", help="stop after the last picture (by default the page stays)")
    ends.add_argument("--loop", action="store_true", help="play again and again, each time a new game")
    match_options.add_shared_options(demo)
    box_options.add_option(demo, box_options.NONE)
    _add_page_options(demo, "keep the game's record in this new file")
    demo.set_defaults(run=run_demo)


def _add_page_options(command: argparse.ArgumentParser, record: str = "the game's record; one that exists is resumed") -> None:
    command.add_argument("--record", type=Path, metavar="FILE", help=record)
    hub_option.add_option(command)
    output.add_options(command)


def run_demo(options: argparse.Namespace) -> int:
    """Play the bundled table through the whole companion. Returns 0 when it ended or was interrupted."""
    from companion.cli.session.hosting import TableSession, host  # noqa: PLC0415 - the other commands start without it

    if not 0 < options.speed <= 100:
        raise BadInput(f"--speed {options.speed:g}: a number above 0 and up to 100 is allowed")
    if options.record and options.record.exists():
        raise BadInput(f"{options.record}: exists already; the demo begins a new game and needs a new file")
    boxes = box_options.choose(options.box, box_options.NONE)
    script, table_set = load_script(game=options.game), load_table_set(table_of(options.game))
    choices = match_options.choose(options, games.load(options.game))
    shown = output.choose(options, data_folder())
    with stopping() as stopped, tempfile.TemporaryDirectory(prefix="table-witness-") as scratch:
        for turn in range(1_000_000 if options.loop else 1):
            session = TableSession(
                game=games.load(options.game),
                board=table_set.board,
                camera=DemoCamera(script, pace=options.speed, hold=not (options.once or options.loop), waits=True),
                reader=_set_reader(table_set),
                record=options.record if options.record and not turn else Path(scratch) / f"demo-{turn}.sqlite",
                showing=shown,
                boxes=boxes,
                kept=bool(options.record and not turn),
                choices=choices,
                picture_store=match_options.picture_store_settings(options),
                signing_key=data_folder() / KEY_FILE if options.record and not turn else None,
                hub=hub_option.choose(options, data_folder()),
            )
            # Whoever looks on finds the next game where this one was.
            shown = replace(host(session, stopped, dict(script.told) or "asked"), browser=False)
            if stopped.is_set():
                break
    return 0


def run_run(options: argparse.Namespace) -> int:
    """Watch a real table. Returns 0 when the source ended (``--once``) or it was interrupted."""
    from companion.cli.session import resume_options  # noqa: PLC0415 - the other commands start without it
    from companion.cli.session.hosting import TableSession, host  # noqa: PLC0415 - the other commands start without it
    from companion.cli.session.table_factory import with_learnt  # noqa: PLC0415
    from companion.cli.teaching import keep_learnt  # noqa: PLC0415

    second_camera.check(options)
    kept = resume_options.take_over(options)
    wish = board_options.choose(options)
    if options.source is None:
        return run_lobby(options, wish, kept)
    game = wish.game
    settings = _camera_settings(options)
    boxes = box_options.choose(options.box)
    choices = match_options.choose(options, game, options.secret)
    board, reader = _reader_for(wish, options.source, options.profile)
    with stopping() as stopped, ExitStack() as stack:
        camera = camera_trust.open_asking(options.source, settings)
        stack.callback(camera.close)
        live = isinstance(camera, LiveCamera)

        def reader_for(source: str, profile: Path | None) -> tuple[Board, Reader]:
            return _reader_for(wish.beside(board, options.source), source, profile)

        camera, watcher = second_camera.join(options, camera, (board, reader), game.pieces(), settings, reader_for)
        stack.callback(camera.close)
        record = options.record or _new_record()
        choices = resume_options.go_on(record, game, kept, choices)

        def setup(pages: "PageServers") -> "KeptSetup":
            profile = with_learnt(_profile_of(game, board, reader, options.profile), reader)
            known = profile.teaching.exemplars if profile is not None and profile.teaching is not None else ()
            if options.profile is not None and profile is not None and any(exemplar.in_play for exemplar in known):
                keep_learnt(options.profile, profile)
            return resume_options.named_setup(options, pages, choices, profile, second=watcher is not None)

        session = TableSession(
            game=game,
            board=board,
            camera=camera,
            reader=reader,
            watcher=watcher,
            record=record,
            secrets=record.with_name(record.name + ".secrets"),
            passes=record.with_name(record.name + ".passes"),
            showing=output.choose(options, data_folder(), secure=isinstance(camera, PushCamera)),
            boxes=boxes,
            box_keep=record.with_name(record.name + ".boxes"),
            choices=choices,
            picture_store=match_options.picture_store_settings(options),
            signing_key=data_folder() / KEY_FILE,
            setup=setup,
            hub=hub_option.choose(options, data_folder()),
        )
        host(session, stopped, options.secret, once=options.once and not live)
    return 0


def run_lobby(options: argparse.Namespace, wish: BoardWish, kept: "KeptSetup | None" = None) -> int:
    """Begin in the lobby, where the page asks for everything. ``kept``: what the record's table was set up with.
    Returns 0 when it was interrupted."""
    from companion.cli.session import resume_options  # noqa: PLC0415 - the other commands start without it
    from companion.cli.session.lobby import LobbySession, host_lobby  # noqa: PLC0415 - the other commands start without it

    if options.profile is not None or options.once or options.secret != "asked":
        raise BadInput("--profile, --once and --secret go with a SOURCE; without one the page asks for all of it")
    settings = _camera_settings(options)
    session = LobbySession(
        record=options.record or _new_record(),
        profiles=data_folder() / "tables",
        camera=settings,
        game=wish.game.id,
        edition=wish.edition,
        choices=match_options.choose(options, wish.game),
        showing=output.choose(options, data_folder(), secure=True),
        boxes=box_options.choose(options.box),
        picture_store=match_options.picture_store_settings(options),
        signing_key=data_folder() / KEY_FILE,
        kept=kept,
        options=partial(resume_options.kept_options, options),
        hub=hub_option.choose(options, data_folder()),
    )
    with stopping() as stopped:
        host_lobby(session, stopped)
    return 0


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that is set by Ctrl-C or a polite kill, so that everything ends in order. Before anything is started the C
    library is told that many threads will come."""
    stopped = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt  # asked twice: do not wait for the orderly end
        stopped.set()

    processors.once_loaded()
    few_arenas()
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- what the options mean ------------------------------------------------------------------------------------------


def _reader_for(wish: BoardWish, address: str, profile: Path | None) -> tuple[Board, Reader]:
    """A table set brings its own lens and markers; anything else is read by stickers with the profile's lens, or a guess."""
    source = Path(address)
    if profile is None and is_table_set(source):
        table = load_table_set(source)
        wish.check(table.board, address)
        return table.board, _set_reader(table)
    game, board = wish.game, wish.board
    if profile is None:
        return board, MarkedReader(board, game.pieces())
    data = read_object(profile, "is neither a table profile nor a lens", BOUNDS.profile)
    if "format" not in data:
        return board, MarkedReader(board, game.pieces(), lens_of(profile, data))
    return board, _profile_reader(game, board, profile)


def _profile_reader(game: Game, board: Board, path: Path) -> Reader:
    """The eyes a table profile describes: a plain copy or a deck of cards as it was taught, or a marked one with its lens."""
    from companion.calibration.profile import TableProfile  # noqa: PLC0415 - the plain mode is loaded only where it is used
    from companion.vision.plain.reader import PlainReader  # noqa: PLC0415

    profile = TableProfile.load(path)
    profile.check(board)
    if profile.cards is not None:
        from companion.vision.cards.reader import CardReader  # noqa: PLC0415

        return CardReader(board, game.pieces(), profile.cards, profile.lens)
    if profile.pawns is not None:
        from companion.vision.pawns.reader import PawnReader  # noqa: PLC0415

        return PawnReader(board, game.pieces(), profile.pawns)
    if profile.teaching is None:
        return MarkedReader(board, game.pieces(), profile.lens)
    return PlainReader(board, game.pieces(), profile.teaching)


def _profile_of(game: Game, board: Board, reader: Reader, path: Path | None) -> "TableProfile | None":
    """What this table is known by after a restart: a profile or a lens that was named, or what its own pictures taught."""
    from companion.calibration.profile import TableProfile  # noqa: PLC0415
    from companion.vision.cards.reader import CardReader  # noqa: PLC0415
    from companion.vision.pawns.reader import PawnReader  # noqa: PLC0415
    from companion.vision.plain.reader import PlainReader  # noqa: PLC0415

    if path is not None:
        data = read_object(path, "is neither a table profile nor a lens")
        if "format" in data:
            return TableProfile.load(path)
        return TableProfile(board.id, board.edition, "marked", lens_of(path, data))
    if isinstance(reader, PlainReader):
        return TableProfile(board.id, board.edition, "plain", reader.teaching.lens, reader.teaching)
    if isinstance(reader, PawnReader):
        lens = reader.teaching.registration.lens
        return TableProfile(board.id, board.edition, "plain", lens, pawns=reader.teaching)
    if isinstance(reader, CardReader) and reader.lens is not None:
        return TableProfile(board.id, board.edition, "cards", reader.lens, cards=reader.teaching)
    return None


def _set_reader(table: TableSet) -> Reader:
    """A marked table needs no teaching, and gets none; a plain one is taught from its empty and start pictures; a deck of cards
    is known by the profile beside them."""
    if table.deck is not None:
        from companion.calibration.set_deck import deck_reader  # noqa: PLC0415 - loaded only where it is used

        return deck_reader(table)
    return MarkedReader(table.board, table.pieces, table.lens) if table.marked else set_reader(table)


def _camera_settings(options: argparse.Namespace) -> CameraSettings:
    settings = CameraSettings(lock=not options.no_lock, seconds_each=options.seconds_each, loop=options.loop)
    if not 0.2 <= options.seconds_each <= 3600:
        raise BadInput(f"--seconds-each {options.seconds_each:g}: 0.2 to 3600 are allowed")
    if options.size:
        width, height = _size(options.size)
        settings = replace(settings, width=width, height=height)
    return camera_trust.with_certificates(settings, options, data_folder())


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 320 <= int(width) <= 7680 and 240 <= int(height) <= 4320):
        raise BadInput(f"--size {quoted(text)}: WIDTHxHEIGHT from 320x240 to 7680x4320 is allowed")
    return int(width), int(height)


def data_folder() -> Path:
    """Where records go that were given no name."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "table-witness"


def _new_record() -> Path:
    """A name nobody else takes: two companions may begin in the same second, and no file need be there for long after that."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: records cannot be kept there ({error.strerror}); name one with --record") from error
    return folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{os.getpid()}.sqlite"
