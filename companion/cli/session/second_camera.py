"""``--also``: a second camera over the same table, so that a hand in front of one of them hides nothing."""

import argparse
from collections.abc import Callable
from pathlib import Path

from companion.boards import Board, PieceSet
from companion.cli.session.camera_trust import open_asking
from companion.devices.cameras.addresses import Camera, CameraSettings, without_password
from companion.devices.cameras.pair import PairCamera
from companion.devices.cameras.push import PushCamera
from companion.errors import BadInput
from companion.vision.reader import Reader
from companion.vision.watching.pair import PairWatcher
from companion.vision.watching.watcher import Watcher

ReaderFactory = Callable[[str, Path | None], tuple[Board, Reader]]
"""The board and the reader for a source and its profile."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add ``--also`` and ``--also-profile``."""
    command.add_argument(
        "--also", metavar="SOURCE2", help="a second camera over the same table: what one does not see the other may"
    )
    command.add_argument("--also-profile", type=Path, metavar="FILE", help="profile or lens of the second camera")


def check(options: argparse.Namespace) -> None:
    """Raises BadInput for options that do not go together."""
    if options.also is None and options.also_profile is not None:
        raise BadInput("--also-profile is the profile of a second camera: name it with --also")
    if options.also is not None and options.source is None:
        raise BadInput("--also names a second camera: name the first one before it; the lobby watches with one camera alone")
    if options.also is not None and options.also.strip() == options.source.strip():
        raise BadInput(f"--also {without_password(options.also)}: that is the first camera; name another one")
    if options.also is not None and "phone" in (options.source.strip(), options.also.strip()):
        raise BadInput("a phone that sends its pictures to the page is the only camera; --also takes any other two")


def join(
    options: argparse.Namespace,
    first: Camera,
    sight: tuple[Board, Reader],
    pieces: PieceSet,
    settings: CameraSettings,
    reader_for: ReaderFactory,
) -> tuple[Camera, PairWatcher | None]:
    """The camera to play with and the watcher for it; the first camera and None without ``--also``. ``sight``: the first
    camera's board and reader."""
    if options.also is None or isinstance(first, PushCamera):
        return first, None
    board, reader = reader_for(options.also, options.also_profile)
    if sight[1].traits.taught and not reader.traits.taught:
        raise BadInput(
            f"--also {without_password(options.also)}: an unmodified copy is taught for each camera; "
            "name the second one's profile with --also-profile"
        )
    pair = PairCamera(first, open_asking(options.also, settings))
    return pair, PairWatcher(Watcher(sight[1], sight[0]), Watcher(reader, board), pieces, pair.names)
