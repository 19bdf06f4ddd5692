"""What cells and pieces look like in a report's diagram: the page's shapes and day colours, told apart without colour, too.

Each function gives SVG around the origin, in board millimetres; nothing here knows where things lie.
"""

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

PLATES: Mapping[str, str] = MappingProxyType(
    {
        "street": "#ece6d9", "manhole": "#ece6d9", "gaslight": "#d3cab8", "obstacle": "#a2967f", "building": "#a2967f",
        "garden": "#a9bd8c", "subway": "#d3cab8", "pier": "#c9a877", "statue": "#b7d0b0", "port": "#a9cfe2", "exit": "#f1ecdf",
    }
)  # fmt: skip
"""The ground of a cell, by its kind or by what is printed on it."""
PAINTS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "red": ("#c9362d", "#fff", "#7c1712"), "brown": ("#7d4f2f", "#fff", "#452914"),
        "tan": ("#d3a768", "#221503", "#7d5a24"),
        "yellow": ("#f4cf2e", "#201a02", "#94790a"), "blue": ("#2c63c4", "#fff", "#143775"),
        "green": ("#23804a", "#fff", "#0e4a27"), "black": ("#1d2025", "#fff", "#808a96"),
        "purple": ("#7d45ad", "#fff", "#47216a"), "orange": ("#ee8420", "#201002", "#93490a"),
        "white": ("#f4f1ea", "#1b2128", "#8b8578"), "grey": ("#868e97", "#10141a", "#4d545c"),
        "pink": ("#e487ad", "#2a0818", "#93375f"),
    }
)  # fmt: skip
"""A disc's colour, the ink on it and its rim, by the name of the colour."""
_PLAIN = ("#6d7682", "#fff", "#3d444d")
_DARK = "#1b2128"


def _path(way: str, **style: object) -> str:
    shown = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<path d="{way}"{shown}/>'


def _line(way: str, colour: str = _DARK, width: float = 1.6) -> str:
    return _path(way, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")


def _tree(x: float, y: float, size: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{size}" fill="#5c8a52" stroke="#2c4a2a" stroke-width=".8"/>'


def _rect(x: float, y: float, width: float, height: float, fill: str, edge: str = "none", corner: float = 0) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}" fill="{fill}" stroke="{edge}"/>'


def _roof(x: float, y: float) -> str:
    faces = '<path d="M-8-6H8L5 0H-5z" fill="#c9735a"/><path d="M-8 6H8L5 0H-5z" fill="#b45e46"/>'
    return f'<g transform="translate({x} {y})">{faces}</g>'


_ROOFS = _roof(-7, -6) + _roof(7, -5) + _roof(-3, 8)
_STAIRS = (
    _rect(-10.5, -11, 21, 22, "#2b3138", "#4c555e", 2.5)
    + _rect(-8, 6.2, 16, 3.4, "#e8eef5") + _rect(-8, 1.4, 16, 3.4, "#b6c0cc")
    + _rect(-8, -3.4, 16, 3.4, "#7f8b99") + _rect(-8, -8.2, 16, 3.4, "#4d5763")
)  # fmt: skip
_FLAME = "M0-9C4-4 6-1 6 3A6 6 0 0 1-6 3C-6 0-3-2-3-5C-1.5-4 0-6 0-9z"
_LAMP = (
    _line("M0-15V-12M-9-11.5-7-9.5M9-11.5 7-9.5M-12.5-4H-9.5M12.5-4H9.5", "#6b4a05")
    + _line("M0 14V3M-4.5 14H4.5", "#2a1d02", 2.4)
    + _path("M-5.5-8H5.5L3.8 3H-3.8zM-6.5-8.4H6.5", fill="#fff3c4", stroke="#2a1d02", stroke_width=1.7)
)
_HOUSE = (
    _rect(-11, -12, 22, 25, "#f0ddc8", "#3a1712", 1)
    + _path("M-8.3-8h3.6v4h-3.6zM-1.8-8h3.6v4h-3.6zM4.7-8h3.6v4H4.7zM-8.3-2h3.6v4h-3.6zM-1.8-2h3.6v4h-3.6zM4.7-2h3.6v4H4.7z",
            fill="#3a4654")
    + _line("M-13-12.5H13", "#3a1712", 2.6)
    + _rect(-2.4, 5, 4.8, 8, "#3a1712")
)  # fmt: skip
_PARK = '<ellipse cx="4" cy="7" rx="7" ry="3.4" fill="#7fb2cb"/>' + _tree(-7, -4, 6) + _tree(6, -6, 5) + _tree(-3, 7.5, 4.4)

PRINTED: Mapping[str, str] = MappingProxyType(
    {
        "obstacle": _ROOFS,
        "building": _ROOFS,
        "garden": '<ellipse rx="6.5" ry="4.2" fill="#7fb2cb"/>' + _tree(-11, -4, 4.5) + _tree(-4, -11, 4) + _tree(8, -8, 5)
        + _tree(11, 4, 4.4) + _tree(0, 11, 4.6) + _tree(-9, 8, 4),
        "manhole": '<circle r="11.2" fill="#4c555e"/><circle r="9" fill="#2b3138"/>'
        + _line("M-6-6.5V6.5M-2-8.5V8.5M2-8.5V8.5M6-6.5V6.5", "#8a939c", 1.3),
        "gaslight": _line("M0 13V-3M-5 13H5M-4.5 3H4.5", "#4c555e", 2)
        + _path("M-4.5-12.5H4.5L3-3H-3zM-5.5-12.5H5.5M0-12.5V-15", fill="#2b3138", stroke="#4c555e", stroke_width=1.5),
        "subway": _STAIRS,
        "pier": _line("M-15-9H15M-18-3H18M-18 3H18M-15 9H15", "#6d5230", 1),
        "port": _line("M0-8V10M-6-3H6M-9 3C-8 9-3 11 0 11S8 9 9 3M-11 5-9 3-7 5M7 5 9 3 11 5", "#1f3f57", 1.9)
        + '<circle cy="-10.5" r="2.6" fill="none" stroke="#1f3f57" stroke-width="1.9"/>',
        "statue": _path("M-8 15H8L6.5 8H-6.5zM-4.5 8-3-3.5C-5-5-3.5-8 0-8S5-5 3-3.5L4.5 8zM2-5 6.5-13.5 8.3-12.5 4.4-3z",
                        fill="#6f9a86", stroke="#17352a", stroke_width=0.9) + '<circle cy="-9.5" r="3" fill="#6f9a86"/>',
        "exit": _line("M-18-7H12M-18 7H12M-14 0H-8M-4 0H2") + _path("M4-10 17 0 4 10z", fill=_DARK),
    }
)  # fmt: skip
"""What is printed on a cell, by its kind or its decoration; a street is bare."""

FACES: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "lamp": ("#ffcb48", "#8a6211", _LAMP), "subway": ("#2f3f8f", "#e8eef5", _STAIRS),
        "building": ("#9a4a3c", "#3a1712", _HOUSE), "park": ("#8fbf7d", "#17402a", _PARK),
    }
)  # fmt: skip
"""The side of a tile that is up: its ground, its edge and its picture."""

_SPEECH = "M-7-7.5H7A2.5 2.5 0 0 1 9.5-5V2A2.5 2.5 0 0 1 7 4.5H0L-4.5 9V4.5H-7A2.5 2.5 0 0 1-9.5 2V-5A2.5 2.5 0 0 1-7-7.5z"
_BUBBLE = _path(_SPEECH, fill="#fff", stroke="#14181d", stroke_width=1.4)
TOKENS: Mapping[str, str] = MappingProxyType(
    {
        "talkative": _BUBBLE + _line("M-5.5-3.6H5.5M-5.5.4H2", "#14181d", 1.7),
        "silent": _BUBBLE + _line("M-8.5 6.5 8.5-9.5", "#b3261b", 3),
    }
)
"""What stands on a disc in place of letters, by the side that is up."""


def disc(mark: str, colour: str | None, radius: float, *, turned: bool, token: str = "", turn: float | None = None) -> str:
    """A disc with its letters; turned over it is light with a ring of its colour. ``turn``: degrees its lantern points at."""
    paint, ink, rim = PAINTS.get(colour or "", _PLAIN)
    beam = wedge = ""
    if turn is not None:
        beam = _path("M0 0 58-26A64 64 0 0 1 58 26z", fill="#ffd75e", fill_opacity=0.55, transform=f"rotate({turn:.1f})")
        tip = f"M{radius + 6:.1f} 0 {radius - 3.5:.1f}-7.5V7.5z"
        wedge = _path(tip, fill="#fff", stroke=_DARK, stroke_width=0.9, transform=f"rotate({turn:.1f})")
    body = (
        f'<circle r="{radius - 2:.1f}" fill="#fbf8f1" stroke="{paint}" stroke-width="4.6"/>'
        f'<circle r="{radius:.1f}" fill="none" stroke="{rim}" stroke-width=".8"/>'
        if turned
        else f'<circle r="{radius - 0.8:.1f}" fill="{paint}" stroke="{rim}" stroke-width="2.2"/>'
    )
    size = 18 if len(mark) < 2 else 14.5
    letters = (
        f'<text y="{size * 0.36:.1f}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'fill="{_DARK if turned else ink}">{escape(mark)}</text>'
    )
    return beam + body + (token or letters) + wedge


def tile(label: object, width: float, height: float, *, covers: bool = False) -> str:
    """A hexagonal tile: planks where it ``covers`` something, a side that is up, or a lamp with its number or none."""
    outline = " ".join(f"{x * width / 2:.1f},{y * height / 2:.1f}" for x, y in _HEXAGON)
    ground, edge, picture = FACES.get(str(label), ("#ffcb48", "#8a6211", ""))
    if covers:
        planks = _line("M-15-6H15M-18 0H18M-15 6H15", "#4a3419", 1)
        cross = _line("M-10-12 10 12M10-12-10 12", "#4a3419", 6.6) + _line("M-10-12 10 12M10-12-10 12", "#a67d4c", 5)
        ground, edge, picture = "#b98f5d", "#4a3419", planks + cross
    elif not picture and label in (None, "blank"):
        picture = _path(_FLAME, fill="#2a1d02", fill_opacity=0.8, transform="scale(1.1)")
    elif not picture:
        flame = _path(_FLAME, fill="#8a6211", transform="translate(-8.5 .5) scale(.62)")
        style = 'x="3.5" y="7" font-size="19" font-weight="700" text-anchor="middle" fill="#2a1d02"'
        picture = f"{flame}<text {style}>{escape(str(label))}</text>"
    return f'<polygon points="{outline}" fill="{ground}" stroke="{edge}" stroke-width="1.6"/>{picture}'


def card(width: float, height: float, mark: str = "", name: str = "", colour: str | None = None) -> str:
    """A card with its letters in the corner that shows when it is staggered, and its name; striped where neither is known."""
    if not mark:
        stripes = "".join(
            _line(f"M{x * width / 12:.1f} {-height / 2 + 4:.1f}v{height - 8:.1f}", "#8b8578") for x in range(-5, 6)
        )
        return _rect(-width / 2, -height / 2, width, height, "#fbf8f1", _DARK, 4) + stripes
    paint, ink, rim = PAINTS.get(colour or "", ("#fbf8f1", _DARK, _DARK))
    lines = name.split()
    size = min(9.0, 1.7 * width / max(len(line) + 2 for line in lines))
    style = f'font-weight="700" fill="{ink}"'
    corner = f'<text x="{-width / 2 + 5:.1f}" y="{-height / 2 + 13:.1f}" font-size="11" {style}>{escape(mark)}</text>'
    told = "".join(
        f'<text y="{(n - (len(lines) - 1) / 2) * size * 1.2 + size * 0.36:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f"{style}>{escape(line)}</text>"
        for n, line in enumerate(lines)
    )
    return _rect(-width / 2, -height / 2, width, height, paint, rim, 4) + corner + told


def cordon(width: float, height: float, turn: float) -> str:
    """A strip with three helmets."""
    helmet = "M-4.6 3.6H4.6V2.3H3.5A3.5 5.6 0 0 0-3.5 2.3H-4.6zM-.7-4.5H.7V-3H-.7z"
    helmets = "".join(_path(helmet, fill="#fff", transform=f"translate({x} 0)") for x in (-11, 0, 11))
    strip = _rect(-width / 2 - 1, -height / 2, width + 2, height, "#3f4fa8", "#fff", 2.5)
    return f'<g transform="rotate({turn:.1f})">{strip}{helmets}</g>'


def barricade(width: float, height: float, turn: float) -> str:
    """Striped planks across touching cells, with a trestle at each end."""
    low = height - 9.6
    stripes = "".join(
        _path(f"M{n * 12 - 5} {height / 2 - 4.8:.1f}l6-{low:.1f}h5l-6 {low:.1f}z", fill="#b3261b") for n in range(-2, 3)
    )
    feet = _line(f"M{-width / 2 + 6} {-height / 2}V{height / 2}M{width / 2 - 6} {-height / 2}V{height / 2}", _DARK, 3)
    body = _rect(-width / 2, -height / 2 + 4, width, height - 8, "#fffaf0", _DARK, 2)
    return f'<g transform="rotate({turn:.1f})">{body}{stripes}{feet}</g>'


def steamboat() -> str:
    """A steamboat from the side."""
    return (
        _rect(-1.5, -10.5, 5, 7, "#b3261b", "#14181d")
        + _rect(-9, -4, 18, 5.5, "#fdfbf5", "#14181d", 1)
        + _path(
            "M-16 1.5H17C16 7 13 9.5 9 9.5H-10C-13.5 9.5-15.5 6-16 1.5z", fill="#fdfbf5", stroke="#14181d", stroke_width=1.3
        )
    )


def clock(value: int | None, *, now: bool) -> str:
    """A place of the turn track; the one of this turn is filled and ringed."""
    ring = '<circle r="17.5" fill="none" stroke="#a8231a" stroke-width="3.4"/>' if now else ""
    face = f'<circle r="15.5" fill="{"#ffcf62" if now else "#f8f3e6"}" stroke="#2a2620" stroke-width="1.2"/>'
    return f'{face}<text y="5.4" font-size="15" font-weight="700" text-anchor="middle" fill="#2a2620">{value}</text>{ring}'


_HEXAGON = ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))
