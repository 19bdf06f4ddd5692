"""Pages to print, written as SVG in millimetres: nothing but rectangles, lines and words."""

from xml.sax.saxutils import escape

import cv2
import numpy as np


class Sheet:
    """One page. Coordinates in mm from the top left."""

    def __init__(self, width_mm: float, height_mm: float, title: str) -> None:
        self._size = width_mm, height_mm
        self._title = title
        self._parts: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str = "#000") -> None:
        """A filled rectangle."""
        self._parts.append(f'<rect x="{x:.3f}" y="{y:.3f}" width="{width:.3f}" height="{height:.3f}" fill="{fill}"/>')

    def cut_line(self, x: float, y: float, width: float, height: float, round_: bool = False) -> None:
        """A thin dashed outline to cut along; ``round_`` makes it a circle of that width."""
        style = 'fill="none" stroke="#888" stroke-width="0.15" stroke-dasharray="1.2 1.2"'
        if round_:
            self._parts.append(f'<circle cx="{x + width / 2:.3f}" cy="{y + width / 2:.3f}" r="{width / 2:.3f}" {style}/>')
        else:
            self._parts.append(f'<rect x="{x:.3f}" y="{y:.3f}" width="{width:.3f}" height="{height:.3f}" {style}/>')

    def text(self, x: float, y: float, words: str, size_mm: float = 3.0, anchor: str = "start") -> None:
        """A line of words; ``y`` is its base line."""
        self._parts.append(
            f'<text x="{x:.3f}" y="{y:.3f}" font-family="sans-serif" font-size="{size_mm:.2f}" '
            f'text-anchor="{anchor}">{escape(words)}</text>'
        )

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
        width, height = self._size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
            f"<title>{escape(self._title)}</title>"
            f'<rect width="{width}" height="{height}" fill="#fff"/>' + "".join(self._parts) + "</svg>\n"
        )
