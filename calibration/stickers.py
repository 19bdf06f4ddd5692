"""The sheet of stickers for the marked mode: right sizes, quiet zones, cut lines, and every sticker named in words."""

from dataclasses import dataclass
from types import MappingProxyType

from companion.boards import Board, PieceSet
from companion.calibration.pdf import pdf
from companion.calibration.svg import Sheet

_CORNERS = MappingProxyType({"TL": "top left", "TR": "top right", "BR": "bottom right", "BL": "bottom left"})

_LETTER = 0.56
"""Mean width of a printed letter, in sizes of its type."""


@dataclass(frozen=True, slots=True)
class StickerPlan:
    """One sticker: marker id, side of the black square, width of the white border (mm), cut round or square, its name."""

    marker: int
    side_mm: float
    quiet_mm: float
    round: bool
    words: str

    @property
    def width_mm(self) -> float:
        """Outer width of the sticker."""
        diagonal = self.side_mm * 2**0.5 if self.round else self.side_mm
        return diagonal + 2 * self.quiet_mm if not self.round else max(diagonal + 1.0, self.side_mm + 2 * self.quiet_mm)


def plan(pieces: PieceSet) -> tuple[StickerPlan, ...]:
    """Every sticker of a set of pieces, frame markers first."""
    stickers = [
        StickerPlan(
            frame.marker,
            frame.side_mm,
            frame.quiet_mm,
            False,
            f"{frame.marker}: beside the board, {_CORNERS.get(frame.corner, frame.corner)}",
        )
        for frame in pieces.frame_markers.values()
    ]
    # A back that several pieces share is printed once for each of them.
    for sticker, piece in [(one, piece) for one in pieces.stickers.values() for piece in one.pieces]:
        group, name = pieces.group_of(piece), pieces.pieces[piece].name
        side = f", {sticker.face}" if sticker.face else ""
        alike = [other.id for other in pieces.in_group(group.key) if other.name == name]
        # Both sides of one tile must get the stickers of one tile: tiles of one name are told apart by a number.
        which = f" {alike.index(piece) + 1}" if len(alike) > 1 else ""
        stickers.append(
            StickerPlan(
                sticker.marker,
                group.marker_mm,
                group.quiet_mm,
                group.shape == "disc",
                f"{sticker.marker}: {name}{which}{side}",
            )
        )
    return tuple(stickers)


def sticker_pages(board: Board, pieces: PieceSet, page_mm: tuple[float, float] = (210.0, 297.0)) -> tuple[str, ...]:
    """A4 pages (SVG) with all stickers, to print at 100 % on matt paper."""
    return tuple(sheet.svg() for sheet in sticker_sheets(board, pieces, page_mm))


def sticker_pdf(board: Board, pieces: PieceSet, page_mm: tuple[float, float] = (210.0, 297.0)) -> bytes:
    """The same pages as one PDF file."""
    return pdf(sticker_sheets(board, pieces, page_mm))


def sticker_sheets(board: Board, pieces: PieceSet, page_mm: tuple[float, float] = (210.0, 297.0)) -> tuple[Sheet, ...]:
    """The pages with all stickers, ready to be written as SVG or PDF."""
    margin, gap, label = 12.0, 4.0, 7.0  # five stickers side by side fit between the margins
    pages: list[Sheet] = []
    sheet: Sheet | None = None
    x = y = row = 0.0
    number = 0
    for sticker in plan(pieces):
        cell = max(sticker.width_mm, 34.0)
        if sheet is None or x + cell > page_mm[0] - margin:
            x, y = margin, y + row + gap if sheet is not None else margin + 16
            row = 0.0
        if sheet is None or y + sticker.width_mm + label > page_mm[1] - 22:
            number += 1
            sheet = _page(board, pieces, number, page_mm)
            pages.append(sheet)
            x, y, row = margin, margin + 16, 0.0
        left = x + (cell - sticker.width_mm) / 2
        inset = (sticker.width_mm - sticker.side_mm) / 2
        sheet.cut_line(left, y, sticker.width_mm, sticker.width_mm, sticker.round)
        sheet.marker(pieces.dictionary, sticker.marker, left + inset, y + inset, sticker.side_mm)
        size = min(2.2, (cell + gap - 1) / (_LETTER * len(sticker.words)))  # a long name stays clear of its neighbour's
        sheet.text(x + cell / 2, y + sticker.width_mm + 3.5, sticker.words, size, "middle")
        x += cell + gap
        row = max(row, sticker.width_mm + label)
    return tuple(pages)


def _page(board: Board, pieces: PieceSet, number: int, page_mm: tuple[float, float]) -> Sheet:
    sheet = Sheet(*page_mm, f"Stickers for {board.name}, page {number}")
    sheet.text(12, 14, f"{board.name}: stickers, page {number}. Print at 100 % on matt paper; cut along the dashed lines.", 4.0)
    sheet.text(12, 19, "The upper side of a sticker goes to the upper side of the portrait; keep the white border.", 3.0)
    long = [group.singular for group in pieces.groups.values() if group.cells > 1]
    if long:
        words = f"On a {' or '.join(long)} it goes to the middle, its upper side along the longer side."
        sheet.text(12, 23.5, f"{words} One number: the two sides of one tile.", 3.0)
    sheet.ruler(12, page_mm[1] - 10)
    return sheet
