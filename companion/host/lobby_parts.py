"""What the lobby is given and what it gives: its settings, cameras that are opened for it, and the game that begins."""

from dataclasses import dataclass
from typing import Protocol

from companion.boards import Board, PieceSet
from companion.calibration.profile import TableProfile
from companion.devices.cameras.port import Camera
from companion.games.game import Game
from companion.host import setup as steps
from companion.host.choices import Choices
from companion.host.setup import CameraChoice
from companion.vision.camera import Lens
from companion.vision.reader import Reader


@dataclass(frozen=True)
class LobbySettings:
    """``look_every_s``: how often (0.2 to 5) the board is looked for while somebody watches; a look costs up to half a second.
    ``board_kept_s``: how long (0.5 to 20) a board counts as found after it was last seen: a hand is gone by then.
    ``first_picture_s``: how long (1 to 20) a known table's camera may take to its first picture, a recording
    to its next one."""

    look_every_s: float = 0.8
    board_kept_s: float = 4.0
    first_picture_s: float = 6.0


@dataclass(frozen=True)
class OpenedCamera:
    """An open camera and what is known of it beforehand; ``board`` and ``pieces`` only where a recording brings its own,
    ``profile`` where it brings a deck of cards that is known."""

    camera: Camera
    lens: Lens | None = None
    board: Board | None = None
    pieces: PieceSet | None = None
    profile: TableProfile | None = None


class Sources(Protocol):
    """Opens cameras."""

    def trust(self, fingerprint: str) -> None:
        """From now on take the camera whose certificate has this fingerprint for the one it is said to be. Raises BadInput."""

    def open(self, choice: CameraChoice, *, preview: bool) -> OpenedCamera:
        """A camera; for a ``preview`` a recording gives its pictures as fast as they are taken. Raises CompanionError."""


@dataclass(frozen=True)
class Beginning:
    """Everything a game, or its going on with another set-up, needs. ``profile``: lens and teaching, None where nothing was
    measured; with ``mode`` and ``name`` it is what the table is known by after a restart."""

    game: Game
    board: Board
    camera: Camera
    reader: Reader
    choices: Choices
    source: CameraChoice
    mode: str = steps.MARKED
    name: str = ""
    profile: TableProfile | None = None
