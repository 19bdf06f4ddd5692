"""A mat to print for a game of cards in zones: its zones with their names, and the frame stickers where they belong."""

import math

from companion.boards import Board, PieceSet, Point, Zone
from companion.calibration.pdf import pdf, width_mm
from companion.calibration.svg import Sheet
from companion.errors import BadInput

PAPERS = ("a3", "a4", "stickers")
"""One page of A3 across, pages of A4 upright to be laid edge to edge, and the four frame stickers alone."""
A3_MM, A4_MM = (420.0, 297.0), (210.0, 297.0)
_LETTERS_MM = 4.0
GROUND = "#c4c4c4"
"""A grey from which white rims of cards stand out as well as dark ones."""


def mat_pdf(board: Board, pieces: PieceSet, paper: str = "a3") -> bytes:
    """The mat as a PDF at its true size. Raises BadInput for a board that is no mat, or does not fit on the paper."""
    return pdf(mat_sheets(board, pieces, paper))


def mat_sheets(board: Board, pieces: PieceSet, paper: str = "a3") -> tuple[Sheet, ...]:
    """The pages of the mat."""
    if not board.zones or board.cells:
        raise BadInput(f"{board.name} is played on a board of its own: there is no mat to print")
    if paper == "stickers":
        return (_loose(board, pieces),)
    zones = [zone for zone in board.zones.values() if _on_mat(zone, board)]
    width, height = board.size_mm
    if paper == "a3":
        if width > A3_MM[0] + 0.5 or height > A3_MM[1] + 0.5:
            raise BadInput(
                f"the mat of {board.name} is {width:.0f} x {height:.0f} mm: it does not fit on A3; print it on A4 pages"
            )
        return (_page(board, pieces, zones, A3_MM, (0.0, 0.0), ""),)
    columns, rows = math.ceil((width - 0.5) / A4_MM[0]), math.ceil((height - 0.5) / A4_MM[1])
    many = columns * rows
    return tuple(
        _page(board, pieces, zones, A4_MM, (column * A4_MM[0], row * A4_MM[1]), f"page {row * columns + column + 1} of {many}")
        for row in range(rows)
        for column in range(columns)
    )


def zone_label(zone: Zone, board: Board) -> str:
    """What is printed in a zone."""
    return board.labels.get(f"zone-{zone.id}", zone.id.replace("-", " "))


def _on_mat(zone: Zone, board: Board) -> bool:
    """Whether a zone is printed: hands lie beside the mat, and what is its owner's alone is not marked."""
    left, top, right, bottom = zone.box
    return left >= -0.5 and top >= -0.5 and right <= board.size_mm[0] + 0.5 and bottom <= board.size_mm[1] + 0.5


def _page(
    board: Board, pieces: PieceSet, zones: list[Zone], page_mm: Point, origin: Point, words: str
) -> Sheet:  # fmt: skip
    sheet = Sheet(*page_mm, f"Mat of {board.name}{f', {words}' if words else ''}")
    x0, y0 = origin
    sheet.rectangle(0, 0, *page_mm, GROUND)
    for zone in zones:
        left, top, right, bottom = zone.box
        sheet.cut_line(left - x0, top - y0, right - left, bottom - top)
        label = zone_label(zone, board)
        size = min(_LETTERS_MM, (right - left - 4) / max(0.1, width_mm(label, 1.0)))
        sheet.text((left + right) / 2 - x0, bottom - 2 - y0, label, size, "middle")
    for place in board.places.values():
        x, y = place.mm
        sheet.cut_line(x - 10.5 - x0, y - 10.5 - y0, 21.0, 21.0, True)
        if place.value is not None:
            sheet.text(x - x0, y + 1.5 - y0, str(place.value), _LETTERS_MM, "middle")
    for number, marker in pieces.frame_markers.items():
        x, y = marker.centre_mm
        half, outer = marker.side_mm / 2, marker.side_mm + 2 * marker.quiet_mm
        sheet.rectangle(x - outer / 2 - x0, y - outer / 2 - y0, outer, outer, "#fff")
        sheet.marker(pieces.dictionary, number, x - half - x0, y - half - y0, marker.side_mm)
    if words:
        sheet.text(page_mm[0] / 2, page_mm[1] / 2, words, 2.5, "middle")
    return sheet


def _loose(board: Board, pieces: PieceSet) -> Sheet:
    """The frame stickers to cut out, with how far apart to lay them on a plain table."""
    sheet = Sheet(*A4_MM, f"Frame stickers of {board.name}")
    sheet.text(12, 14, f"{board.name}: frame stickers for a plain table. Print at 100 %; cut along the dashed lines.", 4.0)
    corners = {marker.corner: marker for marker in pieces.frame_markers.values()}
    if {"TL", "TR", "BL"} <= corners.keys():
        (x, y), (right, _), (_, low) = (corners[name].centre_mm for name in ("TL", "TR", "BL"))
        sheet.text(12, 20, f"Lay them square: their middles {right - x:.0f} mm apart across and {low - y:.0f} mm down.", 4.0)
    top = 32.0
    for number, marker in pieces.frame_markers.items():
        outer = marker.side_mm + 2 * marker.quiet_mm
        sheet.cut_line(20, top, outer, outer)
        sheet.marker(pieces.dictionary, number, 20 + marker.quiet_mm, top + marker.quiet_mm, marker.side_mm)
        sheet.text(28 + outer, top + outer / 2, f"{number}: {_CORNERS.get(marker.corner, marker.corner)}", 4.0)
        top += outer + 12
    sheet.ruler(12, A4_MM[1] - 10)
    return sheet


_CORNERS = {"TL": "top left", "TR": "top right", "BR": "bottom right", "BL": "bottom left"}
