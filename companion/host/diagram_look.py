"""What cells and pieces look like in a report's diagram, as the board file says: the page's shapes in its colours by day.

Each function gives SVG around the origin, in board millimetres; nothing here knows where things lie, nor what a kind is called.
"""

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Any

from companion.boards import Board
from companion.boards.pieces import Group, Piece

Json = Mapping[str, Any]
STREET, LINE, INK = "#ece6d9", "#b9af9c", "#1b2128"
GENERAL: Mapping[str, str] = MappingProxyType(
    {
        "street": STREET, "street-2": "#e6dfd0", "street-3": "#f1ecdf", "street-line": LINE, "street-ink": INK,
        "pond": "#7fb2cb", "tree": "#5c8a52", "tree-2": "#77a468", "water": "#a9cadd",
    }
)  # fmt: skip
"""Colours that every board may name, by day."""
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
_PLAIN, _CARD = ("#6d7682", "#fff", "#3d444d"), ("#fbf8f1", INK, INK)

BUILT = "roofs"
"""The pattern of ground that is built over: nobody stands there, so it needs no name."""


def _roof(x: float, y: float) -> str:
    faces = '<path d="M-8-6H8L5 0H-5z" fill="#c9735a"/><path d="M-8 6H8L5 0H-5z" fill="#b45e46"/>'
    return f'<g transform="translate({x} {y})">{faces}</g>'


def _tree(x: float, y: float, size: float) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{size}" fill="#5c8a52" stroke="#2c4a2a" stroke-width=".8"/>'


PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        BUILT: _roof(-7, -6) + _roof(7, -5) + _roof(-3, 8),
        "trees": '<ellipse rx="6.5" ry="4.2" fill="#7fb2cb"/>' + _tree(-11, -4, 4.5) + _tree(-4, -11, 4) + _tree(8, -8, 5)
        + _tree(11, 4, 4.4) + _tree(0, 11, 4.6) + _tree(-9, 8, 4),
    }
)  # fmt: skip
"""What fills a cell; stones are left out at this size."""
_FULL = 15.0
"""The radius of the smallest disc on which letters have their full size; on smaller pieces they shrink with them."""
_HEXAGON = ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))


class Look:
    """How one board is drawn."""

    def __init__(self, board: Board) -> None:
        self._drawing: Json = board.drawing

    def colour(self, name: object) -> str:
        """A colour of the board's own or a general one, by day; or as it is written."""
        pair = self._drawing.get("colours", {}).get(name)
        return str(pair[1] if pair is not None else GENERAL.get(str(name), name))

    def ground(self, kind: str, decor: str | None) -> Json:
        """How a cell is drawn: what the file says of what is printed on it, else of its kind; nothing for plain ground."""
        told: Json = self._drawing.get("ground", {})
        found: Json = told.get(decor or "") or told.get(kind) or {}
        return found

    def face(self, group: Group, face: object = None) -> Json:
        """How one side of a piece is drawn: what the file says of the side before what it says of the group."""
        told: Json = self._drawing.get("pieces", {}).get(group.key, {})
        faces = told.get("faces", {})
        side: Json = faces.get(str(face)) or faces.get("*") or {}
        return {**told, **side, "body": {**told.get("body", {}), **side.get("body", {})}}

    def faces(self, group: Group) -> tuple[str, ...]:
        """The sides of a group's pieces that have a look each of their own; empty where some are drawn alike."""
        told = self._drawing.get("pieces", {}).get(group.key, {}).get("faces", {})
        return () if "*" in told else tuple(told)

    # --- drawing --------------------------------------------------------------------------------------------------

    def plate(self, points: str, ground: Json) -> str:
        """The ground of a cell of that outline, without what is printed on it."""
        fill = ground.get("fill", "street")
        plain = {**ground, "fill": fill[0] if isinstance(fill, list) else fill}
        return f'<polygon points="{points}"{self._body(plain, LINE, 0.8)}/>'

    def printed(self, ground: Json) -> str:
        """What is printed on a cell; empty where it is bare."""
        return PATTERNS.get(ground.get("pattern", ""), "") + self.symbol(ground.get("symbol"))

    def symbol(self, name: str | None, body: Json | None = None) -> str:
        """The shapes of a symbol; ``body`` is the look of those that are a piece's body."""
        shapes = self._drawing.get("symbols", {}).get(name or "", ())
        return "".join(self._shape(shape, body or {}) for shape in shapes)

    def tile(self, group: Group, face: object) -> str:
        """A hexagonal piece with its side that is up."""
        look, (wide, high) = self.face(group, face), group.size_mm
        outline = " ".join(f"{x * wide / 2:.1f},{y * high / 2:.1f}" for x, y in _HEXAGON)
        return f'<polygon points="{outline}"{self._body(look["body"], INK, 1.6)}/>{self._on(look, face)}'

    def strip(self, group: Group, turn: float) -> str:
        """A strip, turned by so many degrees; the body too where the symbol is not all of it."""
        look, (wide, high) = self.face(group), group.size_mm
        form = f'x="{-wide / 2 - 1}" y="{-high / 2}" width="{wide + 2}" height="{high}" rx="2.5"'
        body = "" if look.get("whole") else f"<rect {form}{self._body(look['body'], INK, 1.4)}/>"
        return f'<g transform="rotate({turn:.1f})">{body}{self._on(look, None)}</g>'

    def disc(self, piece: Piece, group: Group, mark: str, *, side: str | None, turn: float | None = None) -> str:
        """A disc with its letters; turned over it is light with a ring of its colour. ``turn``: degrees it faces."""
        radius, turned = group.size_mm[0] / 2, len(piece.faces) > 1 and side == piece.faces[1]
        paint, ink, rim = PAINTS.get(piece.colour or "", _PLAIN)
        beam = wedge = ""
        if turn is not None:
            shine = f'fill="#ffd75e" fill-opacity="0.55" transform="rotate({turn:.1f})"'
            beam = f'<path d="M0 0 58-26A64 64 0 0 1 58 26z" {shine}/>'
            tip = f"M{radius + 6:.1f} 0 {radius - 3.5:.1f}-7.5V7.5z"
            wedge = f'<path d="{tip}" fill="#fff" stroke="{INK}" stroke-width="0.9" transform="rotate({turn:.1f})"/>'
        body = (
            f'<circle r="{radius - 2:.1f}" fill="#fbf8f1" stroke="{paint}" stroke-width="4.6"/>'
            f'<circle r="{radius:.1f}" fill="none" stroke="{rim}" stroke-width=".8"/>'
            if turned
            else f'<circle r="{radius - 0.8:.1f}" fill="{paint}" stroke="{rim}" stroke-width="2.2"/>'
        )
        size = float(f"{(18 if len(mark) < 2 else 14.5) * min(1.0, radius / _FULL):.1f}")
        letters = (
            f'<text y="{size * 0.36:.1f}" font-size="{size:g}" font-weight="700" text-anchor="middle" '
            f'fill="{INK if turned else ink}">{escape(mark)}</text>'
        )
        return beam + body + (self._on(self.face(group, side), side) or letters) + wedge

    def card(self, piece: Piece | None, group: Group, mark: str = "", face: str | None = None) -> str:
        """A card with its letters in the corner that shows when it is staggered, and its name; one that shows a side which
        several share (``piece`` None) as the file draws that side, striped where it says nothing."""
        wide, high = group.size_mm
        form, look = f'x="{-wide / 2}" y="{-high / 2}" width="{wide}" height="{high}" rx="4"', self.face(group, face)
        paint, ink, rim = PAINTS.get((piece.colour if piece is not None else None) or "", _CARD)
        body = f"<rect {form}{self._body({'fill': paint, 'edge': rim, **look['body']}, INK, 1.4)}/>"
        shown = self._on(look, face)
        if piece is None or shown:
            stripes = "".join(f"M{x * wide / 12:.1f} {-high / 2 + 4:.1f}v{high - 8:.1f}" for x in range(-5, 6))
            return body + (shown or f'<path d="{stripes}" stroke="#8b8578" stroke-width="1.6"/>')
        lines = piece.name.split()
        size, style = min(9.0, 1.7 * wide / max(len(line) + 2 for line in lines)), f'font-weight="700" fill="{ink}"'
        corner = f'<text x="{-wide / 2 + 5:.1f}" y="{-high / 2 + 13:.1f}" font-size="11" {style}>{escape(mark)}</text>'
        told = "".join(
            f'<text y="{(n - (len(lines) - 1) / 2) * size * 1.2 + size * 0.36:.1f}" font-size="{size:.1f}" '
            f'text-anchor="middle" {style}>{escape(line)}</text>'
            for n, line in enumerate(lines)
        )
        return body + corner + told

    # --- small things ---------------------------------------------------------------------------------------------

    def _on(self, look: Json, face: object) -> str:
        """What is on a body: its symbol, and its side as text where the file asks for it."""
        shown, text = self.symbol(look.get("symbol"), look["body"]), look.get("text")
        if text is None:
            return shown
        size = text.get("size", 18)
        place = f'x="{text.get("x", 0)}" y="{text.get("y", 0) + size * 0.34:.1f}" font-size="{size}"'
        style = f'font-weight="700" text-anchor="middle" fill="{self.colour(text.get("fill", INK))}"'
        return f"{shown}<text {place} {style}>{escape(str(face))}</text>"

    def _body(self, look: Json, edge: str, width: float) -> str:
        told = {
            "fill": self.colour(look.get("fill", "#ddd")), "stroke": self.colour(look.get("edge", edge)),
            "stroke-width": look.get("width", width), "stroke-dasharray": look.get("dash"), "stroke-linejoin": look.get("join"),
        }  # fmt: skip
        return _attributes(told)

    def _shape(self, shape: Json, body: Json) -> str:
        own = {
            "fill": self.colour(shape["fill"]) if "fill" in shape else None,
            "stroke": self.colour(shape["stroke"]) if "stroke" in shape else None,
            "stroke-width": shape.get("width"), "stroke-linecap": shape.get("cap"), "stroke-linejoin": shape.get("join"),
            "opacity": shape.get("opacity"), "transform": shape.get("at"),
        }  # fmt: skip
        look = self._body(body, INK, 1.3) if shape.get("body") else _attributes(own)
        for form, names in _FORMS.items():
            if form in shape:
                return f"<{form}{_attributes(dict(zip(names, shape[form], strict=False)))}{look}/>"
        return f'<path d="{escape(str(shape["path"]))}"{look}/>'


_FORMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"circle": ("cx", "cy", "r"), "ellipse": ("cx", "cy", "rx", "ry"), "rect": ("x", "y", "width", "height", "rx")}
)


def _attributes(told: Json) -> str:
    return "".join(f' {name}="{escape(str(value))}"' for name, value in told.items() if value is not None)


def clock(value: int | None, *, now: bool) -> str:
    """A place of the turn track; the one of this turn is filled and ringed."""
    ring = '<circle r="17.5" fill="none" stroke="#a8231a" stroke-width="3.4"/>' if now else ""
    face = f'<circle r="15.5" fill="{"#ffcf62" if now else "#f8f3e6"}" stroke="#2a2620" stroke-width="1.2"/>'
    return f'{face}<text y="5.4" font-size="15" font-weight="700" text-anchor="middle" fill="#2a2620">{value}</text>{ring}'
