"""Faces of our own for the deck of the bundled card table, drawn from the pictograms of the board file.

``faces`` gives every face of a game's cards as a picture, ``SCALE`` pixels a millimetre; ``printed_mat`` the mat that
``companion calibrate mat`` prints.
"""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

import cv2
import numpy as np

from companion.boards import Board, PieceSet
from companion.calibration.mat import mat_sheets
from companion.calibration.training.card_decks import SCALE
from companion.vision.cards.faces import deck_faces

Json = Mapping[str, Any]
HUES: Mapping[str, tuple[int, int, int]] = {
    "document": (42, 40, 80), "question": (212, 55, 62), "magnifier": (178, 45, 50), "binoculars": (128, 35, 50),
    "arrest": (8, 60, 45), "escape-bus": (0, 70, 62), "escape-bicycle": (88, 45, 55), "escape-car": (230, 45, 40),
    "escape-underground": (260, 40, 62), "escape-fifth": (24, 55, 48), "bomb": (36, 90, 55), "disguise": (300, 40, 45),
    "gun": (210, 8, 52),
    "adler": (0, 55, 32), "gold": (46, 80, 48), "sharpe": (200, 60, 36), "townsend": (150, 45, 30), "collins": (320, 45, 42),
    "tarasov": (275, 35, 34),
}  # fmt: skip
"""Hue (degrees), saturation and lightness (per cent) of each face's field."""
BACKS: Mapping[str, tuple[str, str]] = {"cards": ("#2f4137", "#c9b98a"), "roles": ("#5a2f2a", "#d8c9a4")}
"""Of the backs: field and lines."""


def faces(board: Board, pieces: PieceSet, drawing: Json, browser: Any) -> dict[str, np.ndarray]:
    """By key (:func:`companion.vision.cards.faces.deck_faces`), a picture (H×W×3 BGR) of each face."""
    found = {}
    for face in deck_faces(pieces):
        group = pieces.groups[face.group]
        width, height = group.size_mm
        if face.side == "back":
            inner = _back(face.group, width, height)
        else:
            kind = face.pieces[0] if face.side == "up" else str(face.side)
            look = drawing["pieces"][face.group]["faces"][str(face.side)]
            inner = _front(kind, pieces.pieces[face.pieces[0]].name, drawing["symbols"][look["symbol"]], width, height)
        found[face.key] = _drawn(inner, width, height, browser)
    return found


def hour_marker(number: int, side_mm: float, sticker: np.ndarray, browser: Any) -> np.ndarray:
    """A square chip with its sticker and the hour beside it."""
    inner = (
        f'<rect width="{side_mm}" height="{side_mm}" fill="#efe6d2"/>'
        f'<rect x="0.4" y="0.4" width="{side_mm - 0.8}" height="{side_mm - 0.8}" fill="none" stroke="#6d6354" '
        'stroke-width="0.6"/>'
        f'<text x="{side_mm / 2}" y="{side_mm - 0.6}" font-size="2.4" text-anchor="middle">{number}</text>'
    )
    art = _drawn(inner, side_mm, side_mm, browser)
    top = (art.shape[0] - sticker.shape[0]) // 2
    art[top : top + sticker.shape[0], top : top + sticker.shape[1]] = sticker[..., None]
    return art


def printed_mat(board: Board, pieces: PieceSet, browser: Any) -> np.ndarray:
    """The mat as it comes from the printer."""
    (sheet,) = mat_sheets(board, pieces, "a3")
    width, height = sheet.size_mm
    return _shot(sheet.svg(), width, height, browser)


def _front(kind: str, name: str, symbol: list[Json], width: float, height: float) -> str:
    hue, saturation, light = HUES[kind]
    field = f"hsl({hue} {saturation}% {light}%)"
    paler, darker = f"hsl({hue} {saturation}% {min(92, light + 26)}%)", f"hsl({hue} {saturation}% {max(10, light - 18)}%)"
    ink = "#211c17" if light > 38 else "#f4ecd8"
    rays = "".join(
        f'<path d="M{width / 2} 36 L{width / 2 + 80 * np.cos(turn):.2f} {36 + 80 * np.sin(turn):.2f} '
        f'L{width / 2 + 80 * np.cos(turn + 0.16):.2f} {36 + 80 * np.sin(turn + 0.16):.2f} Z" fill="{darker}" opacity="0.28"/>'
        for turn in np.arange(0.3, 2 * np.pi, np.pi / 8)
    )
    size = min(4.6, 46.0 / (0.62 * len(name)))
    drawn = "".join(_shape(part, ink) for part in symbol)
    return (
        f'<rect width="{width}" height="{height}" fill="#f6f0e2"/>'
        f'<clipPath id="field"><rect x="3" y="3" width="{width - 6}" height="{height - 6}" rx="2"/></clipPath>'
        f'<g clip-path="url(#field)"><rect width="{width}" height="{height}" fill="{field}"/>{rays}'
        f'<circle cx="{width / 2}" cy="36" r="24.5" fill="{paler}"/>'
        f'<circle cx="{width / 2}" cy="36" r="24.5" fill="none" stroke="{darker}" stroke-width="1"/></g>'
        f'<g transform="translate({width / 2} 36) scale(1.12)">{drawn}</g>'
        f'<rect x="5" y="{height - 22}" width="{width - 10}" height="13" rx="1.5" fill="#f6f0e2" stroke="{darker}" '
        'stroke-width="0.6"/>'
        f'<text x="{width / 2}" y="{height - 14}" font-family="DejaVu Serif, serif" font-weight="bold" font-size="{size:.2f}" '
        f'text-anchor="middle" fill="#211c17">{escape(name)}</text>'
        f'<g transform="translate(9 9.5) scale(0.19)">{"".join(_shape(part, ink) for part in symbol)}</g>'
    )


def _back(group: str, width: float, height: float) -> str:
    field, line = BACKS[group]
    lines = "".join(
        f'<path d="M{x:.1f} 3 l{height - 6} {height - 6} M{x:.1f} 3 l{6 - height} {height - 6}" stroke="{line}" '
        'stroke-width="0.7" opacity="0.75"/>'
        for x in np.arange(-70.0, 140.0, 7.0 if group == "cards" else 11.0)
    )
    return (
        f'<rect width="{width}" height="{height}" fill="#f6f0e2"/>'
        f'<clipPath id="field"><rect x="3" y="3" width="{width - 6}" height="{height - 6}" rx="2"/></clipPath>'
        f'<g clip-path="url(#field)"><rect width="{width}" height="{height}" fill="{field}"/>{lines}'
        f'<circle cx="{width / 2}" cy="{height / 2}" r="13" fill="{field}" stroke="{line}" stroke-width="1.4"/>'
        f'<path d="M{width / 2 - 8} {height / 2 + 4} l8 -13 l8 13 z" fill="{line}"/></g>'
    )


def _shape(part: Json, ink: str) -> str:
    """One mark of a pictogram of the board file."""

    def colour(name: str) -> str:
        return ink if name == "ink" else name

    look = " ".join(
        f'{"stroke-width" if key == "width" else key}="{colour(str(part[key]))}"'
        for key in ("fill", "stroke", "width")
        if key in part
    )
    if "path" in part:
        return f'<path d="{part["path"]}" fill="none" {look} stroke-linecap="round"/>'.replace('fill="none" fill', "fill")
    if "circle" in part:
        x, y, radius = part["circle"]
        return f'<circle cx="{x}" cy="{y}" r="{radius}" {look}/>'
    if "ellipse" in part:
        x, y, across, down = part["ellipse"]
        return f'<ellipse cx="{x}" cy="{y}" rx="{across}" ry="{down}" {look}/>'
    x, y, width, height, rounded = part["rect"]
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{rounded}" {look}/>'


def _drawn(inner: str, width: float, height: float, browser: Any) -> np.ndarray:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{inner}</svg>'
    return _shot(svg, width, height, browser)


def _shot(svg: str, width: float, height: float, browser: Any) -> np.ndarray:
    """An SVG of so many mm as a picture, ``SCALE`` pixels a millimetre."""
    size = {"width": round(width), "height": round(height)}
    page = browser.new_page(viewport=size, device_scale_factor=SCALE)
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:{width}px;height:{height}px}}</style>{svg}")
    encoded = page.screenshot()
    page.close()
    drawn = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    return np.asarray(drawn, np.uint8)
