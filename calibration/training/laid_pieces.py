"""Pieces as hands lay them on a made-up table."""

from dataclasses import dataclass

TABLE = 60  # mm of table around the board


@dataclass(frozen=True)
class Put:
    """A piece with a face up, where it lies (a site, or board mm), how far off its middle (mm) and how turned (degrees);
    ``colour`` (blue, green, red), where it is not made up."""

    piece: str
    at: str | tuple[float, float]
    face: str | None = None
    off_mm: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    colour: tuple[int, int, int] | None = None
