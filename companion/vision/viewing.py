"""How a camera sees the table: from how steep, and how large pieces and their stickers are where they are smallest.

A camera can be moved, so this is told before a game rather than found out during one.
"""

from dataclasses import dataclass

from companion.boards import Board, PieceSet
from companion.vision.camera import Registration
from companion.vision.reading import Json


@dataclass(frozen=True, slots=True)
class ViewingSettings:
    """What a camera is asked for; within it the reading targets hold (see ``docs/measurements.md``).

    steepest_deg
        45 degrees from straight above: farther off, tall pieces hide what lies behind them.
    sticker_px
        24 pixels for the black square of a disc's sticker: three for each of its cells, with blur and noise to spare.
    disc_px
        30 pixels for a disc of an unmodified copy: a line of its portrait is then about a pixel wide.
    """

    steepest_deg: float = 45.0
    sticker_px: float = 24.0
    disc_px: float = 30.0


ASKED = ViewingSettings()


@dataclass(frozen=True, slots=True)
class Viewing:
    """``tilt_deg``: from how far off straight above the camera looks at the board's middle; ``sticker_px`` and ``disc_px``:
    the shorter side of a disc's sticker, and the shorter diameter of a disc, where they are smallest in the picture. Where no
    discs walk over the board (``discs``) the pieces with the smallest stickers stand for them."""

    tilt_deg: float
    sticker_px: float
    disc_px: float
    discs: bool = True

    @classmethod
    def of(cls, registration: Registration, board: Board, pieces: PieceSet) -> "Viewing":
        """How the board is seen under a registration."""
        gauge = pieces.gauge
        spots = board.cells or board.spots
        scale = min(registration.pixels_per_mm(mm, gauge.height_mm) for spot in spots for mm in board.samples(spot))
        width, height = board.size_mm
        tilt = registration.tilt_deg((width / 2, height / 2))
        return cls(tilt, scale * gauge.marker_mm, scale * min(gauge.size_mm), gauge.shape == "disc")

    def json(self) -> Json:
        """Plain data, to a tenth."""
        return {name: round(float(getattr(self, name)), 1) for name in ("tilt_deg", "sticker_px", "disc_px")}

    def worst(self, other: "Viewing | None") -> "Viewing":
        """The steepest and smallest of two."""
        if other is None:
            return self
        return Viewing(
            max(self.tilt_deg, other.tilt_deg),
            min(self.sticker_px, other.sticker_px),
            min(self.disc_px, other.disc_px),
            self.discs,
        )

    def faults(self, *, marked: bool, asked: ViewingSettings = ASKED) -> tuple[tuple[str, dict[str, int]], ...]:
        """What is less than asked for, each as a sentence's template and its words; empty where the camera sees well."""
        found = []
        size, least = (self.sticker_px, asked.sticker_px) if marked else (self.disc_px, asked.disc_px)
        of_discs, of_others = (STICKERS_SMALL, PIECE_STICKERS_SMALL) if marked else (DISCS_SMALL, PIECES_SMALL)
        text = of_discs if self.discs else of_others
        if round(size) < least:
            found.append((text, {"pixels": round(size), "least": round(least)}))
        if round(self.tilt_deg) > asked.steepest_deg:
            found.append((TOO_FLAT, {"degrees": round(self.tilt_deg), "most": round(asked.steepest_deg)}))
        return tuple(found)


STICKERS_SMALL = (
    "The discs' stickers are {pixels} pixels wide where they are smallest; from {least} on they are read surely. Bring the "
    "camera nearer, or choose larger pictures."
)
PIECE_STICKERS_SMALL = (
    "The stickers on the pieces are {pixels} pixels wide where they are smallest; from {least} on they are read surely. "
    "Bring the camera nearer, or choose larger pictures."
)
DISCS_SMALL = (
    "The discs are {pixels} pixels wide where they are smallest; from {least} on they are read surely. Bring the camera "
    "nearer, or choose larger pictures."
)
PIECES_SMALL = (
    "The pieces are {pixels} pixels wide where they are smallest; from {least} on they are read surely. Bring the camera "
    "nearer, or choose larger pictures."
)
TOO_FLAT = (
    "The camera looks at the board from {degrees} degrees off straight above; up to {most} it is read surely. Raise the camera."
)
