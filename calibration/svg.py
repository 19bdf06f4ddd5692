"""Pages to print, in millimetres: nothing but rectangles, lines to cut along and words. Written as SVG here, as PDF in
:mod:`companion.calibration.pdf`."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

import cv2
import numpy as np


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle: ``x``, ``y`` its top left, ``fill`` a grey, "#000" to "#fff"."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "#000"


@dataclass(frozen=True, slots=True)
class CutLine:
    """A thin dashed outline to cut along; ``round`` makes it a circle as wide as the rectangle."""

    x: float
    y: float
    width: float
    height: float
    round: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words; ``y`` is its base line, ``anchor`` start, middle or end."""

    x: float
    y: float
    words: str
    size_mm: float = 3.0
    anchor: str = "start"


Mark = Rectangle | CutLine | Words
CUT_LINE_MM = 0.15
DASHES_MM = (1.2, 1.2)


class Sheet:
    """One page. Coordinates in mm from the top left; ``marks`` in the order they are laid on each other."""

    def __init__(self, width_mm: float, height_mm: float, title: str) -> None:
        self.size_mm = width_mm, height_mm
        self.title = title
        self.marks: list[Mark] = []

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str = "#000") -> None:
        """A filled rectangle."""
        self.marks.append(Rectangle(x, y, width, height, fill))

    def cut_line(self, x: float, y: float, width: float, height: float, round_: bool = False) -> None:
        """A thin dashed outline to cut along; ``round_`` makes it a circle of that width."""
        self.marks.append(CutLine(x, y, width, height, round_))

    def text(self, x: float, y: float, words: str, size_mm: float = 3.0, anchor: str = "start") -> None:
        """A line of words; ``y`` is its base line."""
        self.marks.append(Words(x, y, words, size_mm, anchor))

    def marker(self, dictionary: str, number: int, x: float, y: float, side_mm: float) -> None:
        """A marker's black square with its white modules, ``side_mm`` wide (quiet zone not included)."""
        known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
        modules = known.markerSize + 2
        bits = np.asarray(cv2.aruco.generateImageMarker(known, number, modules, borderBits=1))
        step = side_mm / modules
        self.rectangle(x, y, side_mm, side_mm)
        for row in range(modules):
            for column in range(modules):
                if bits[row, column] > 0:
                    self.rectangle(x + column * step, y + row * step, step, step, "#fff")

    def ruler(self, x: float, y: float, length_mm: float = 100.0) -> None:
        """A line of known length: measure it on the print."""
        self.rectangle(x, y, length_mm, 0.3)
        for end in (x, x + length_mm - 0.3):
            self.rectangle(end, y - 2, 0.3, 4)
        self.text(x + length_mm / 2, y - 1, f"{length_mm:.0f} mm", 2.5, "middle")

    def svg(self) -> str:
        """The whole page."""
        width, height = self.size_mm
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
            f"<title>{escape(self.title)}</title>"
            f'<rect width="{width}" height="{height}" fill="#fff"/>' + "".join(map(_svg, self.marks)) + "</svg>\n"
        )


def _svg(mark: Mark) -> str:
    if isinstance(mark, Words):
        return (
            f'<text x="{mark.x:.3f}" y="{mark.y:.3f}" font-family="sans-serif" font-size="{mark.size_mm:.2f}" '
            f'text-anchor="{mark.anchor}">{escape(mark.words)}</text>'
        )
    box = f'x="{mark.x:.3f}" y="{mark.y:.3f}" width="{mark.width:.3f}" height="{mark.height:.3f}"'
    if isinstance(mark, Rectangle):
        return f'<rect {box} fill="{mark.fill}"/>'
    dashes = " ".join(f"{dash:g}" for dash in DASHES_MM)
    style = f'fill="none" stroke="#888" stroke-width="{CUT_LINE_MM}" stroke-dasharray="{dashes}"'
    if not mark.round:
        return f"<rect {box} {style}/>"
    radius = mark.width / 2
    return f'<circle cx="{mark.x + radius:.3f}" cy="{mark.y + mark.height / 2:.3f}" r="{radius:.3f}" {style}/>'
