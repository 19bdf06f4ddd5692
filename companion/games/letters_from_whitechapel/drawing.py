"""The board as an SVG text: blocks, streets, numbered circles, crossings, the move track. A scheme of our own; places come from
``board.json``. Units are millimetres of a board 840 mm wide, y down."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.streets import board_data

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes in mm, colours as SVG has them."""

    width: float = 840.0
    """600..900: the printed board is some 840 mm wide; its height follows from its proportions."""
    circle: float = 6.4
    """5..7: radius; the nearest circles are 16 mm apart."""
    crossing: float = 2.1
    """1.5..2.5: half a side; the nearest crossings are 8 mm apart, a circle and a crossing 9.6 mm."""
    figures: float = 6.0
    """5..7: height of the numbers; three figures fit into a circle."""
    pawn: float = 3.6
    """3..4: radius of a policeman; two beside each other just touch."""
    paper: str = "#efe6d2"
    block: str = "#e0d2b4"
    street: str = "#8a7a5c"
    ink: str = "#2b2620"
    white: str = "#fffdf7"
    red: str = "#b3261e"
    yellow: str = "#f2c230"
    clue: str = "#fbe9a0"
    colours: tuple[tuple[str, str], ...] = (
        ("blue", "#2f62b3"), ("yellow", "#e2b100"), ("brown", "#7a4a26"), ("red", "#c2352b"), ("green", "#2f8a4b"),
    )  # fmt: skip


STYLE = Style()


def board_svg(position: Position | None = None, style: Style = STYLE) -> str:
    """The board, with the pieces of a position where there is one. Nothing secret can be in it."""
    data = board_data()
    draw = _Drawing(data, style)
    size = f"{style.width:g} {draw.height:.1f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" text-anchor="middle">',
        f'<rect width="{style.width:g}" height="{draw.height:.1f}" fill="{style.paper}"/>',
        *draw.blocks(),
        *draw.streets(),
        *draw.crossings(),
        *draw.circles(frozenset(position.clues) if position else frozenset()),
        *draw.track(position),
        *(draw.pieces(position) if position else ()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Drawing:
    """Parts of the picture, as SVG elements."""

    def __init__(self, data: Mapping[str, Any], style: Style) -> None:
        self.data = data
        self.style = style
        self.height = style.width / data["frame"]["aspect"]
        named = [*data["crossings"], *data["tees"]]
        self.places: dict[str, Point] = {entry["id"]: self.at(entry["xy"]) for entry in named}
        self.places |= {f"c{entry['n']}": self.at(entry["xy"]) for entry in data["circles"]}
        self.bends = {frozenset((s["a"], s["b"])): [self.at(xy) for xy in s.get("via", ())] for s in data["streets"]}
        self.starts = {frozenset((s["a"], s["b"])): s["a"] for s in data["streets"]}

    def at(self, xy: tuple[float, float]) -> Point:
        """Fractions of the printed board in millimetres."""
        return round(xy[0] * self.style.width, 1), round(xy[1] * self.height, 1)

    def between(self, origin: str, to: str) -> list[Point]:
        """The bends of the street from one place to another, in that order."""
        street = frozenset((origin, to))
        bends = self.bends.get(street, [])
        return bends if self.starts.get(street) == origin else bends[::-1]

    def blocks(self) -> list[str]:
        """The ground between streets. A loop inside a block is drawn with it: its rim runs there and back."""
        drawn = []
        for block in self.data["blocks"]:
            rim: list[Point] = []
            for origin, to in zip(block["boundary"], [*block["boundary"][1:], block["boundary"][0]], strict=True):
                rim += [self.places[origin], *self.between(origin, to)]
            points = " ".join(f"{x:g},{y:g}" for x, y in rim)
            drawn.append(f'<polygon id="{block["id"]}" points="{points}" fill="{self.style.block}"/>')
        return drawn

    def streets(self) -> list[str]:
        """Dotted lines."""
        lines = []
        for street in self.data["streets"]:
            ends = [self.places[street["a"]], *self.between(street["a"], street["b"]), self.places[street["b"]]]
            lines.append("M" + " L".join(f"{x:g} {y:g}" for x, y in ends))
        pen = f'fill="none" stroke="{self.style.street}" stroke-width="1.3" stroke-linecap="round" stroke-dasharray="0.1 2.6"'
        road = f'fill="none" stroke="{self.style.paper}" stroke-width="6" stroke-linejoin="round" stroke-linecap="round"'
        whole = " ".join(lines)
        return [f'<path d="{whole}" {road}/>', f'<path d="{whole}" {pen}/>']

    def crossings(self) -> list[str]:
        """Squares; those where patrols start have a yellow border."""
        half, drawn = self.style.crossing, []
        for entry in self.data["crossings"]:
            x, y = self.places[entry["id"]]
            rim = f' stroke="{self.style.yellow}" stroke-width="2" paint-order="stroke"' if entry.get("yellow") else ""
            square = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:g}" height="{2 * half:g}"'
            drawn.append(f'<rect id="{entry["id"]}" {square} fill="{self.style.ink}"{rim}/>')
        return drawn

    def circles(self, clues: frozenset[int]) -> list[str]:
        """Numbered circles; where a clue lies they are filled."""
        style, drawn = self.style, []
        for entry in self.data["circles"]:
            number, (x, y) = entry["n"], self.places[f"c{entry['n']}"]
            fill = style.red if entry.get("red") else style.clue if number in clues else style.white
            rim, pen = (style.yellow, 1.4) if entry.get("red") or number in clues else (style.ink, 0.7)
            drawn.append(
                f'<circle id="c{number}" cx="{x:g}" cy="{y:g}" r="{style.circle:g}" fill="{fill}" stroke="{rim}" '
                f'stroke-width="{pen:g}"/>'
            )
            drawn.append(self.text(x, y, str(number), style.white if entry.get("red") else style.ink))
        return drawn

    def text(self, x: float, y: float, said: str, colour: str) -> str:
        """A word with its middle there."""
        size = self.style.figures
        return f'<text x="{x:g}" y="{y + size * 0.36:.1f}" font-size="{size:g}" fill="{colour}">{escape(said)}</text>'

    def track(self, position: Position | None) -> list[str]:
        """The spaces of the crime and of the moves; used ones are filled, special ones named."""
        style, drawn = self.style, []
        used = _used(position) if position else {}
        for space in self.data["move_track"]:
            x, y = self.at(space["xy"])
            roman = not space["label"].isdecimal()
            fill = style.street if space["label"] in used else style.yellow if roman else style.white
            circle = f'cx="{x:g}" cy="{y:g}" r="{style.circle + 2:g}"'
            drawn.append(f'<circle {circle} fill="{fill}" stroke="{style.ink}" stroke-width="0.7"/>')
            mark = used.get(space["label"])
            drawn.append(self.text(x, y, mark or space["label"], style.white if mark else style.ink))
        for spot in self.data["night_spots"]:
            x, y = self.at(spot["xy"])
            now = position is not None and position.night == spot["night"]
            square = f'x="{x - 6:.1f}" y="{y - 6:.1f}" width="12" height="12" rx="2"'
            fill = style.yellow if now else style.white
            drawn.append(f'<rect {square} fill="{fill}" stroke="{style.ink}" stroke-width="0.7"/>')
            drawn.append(self.text(x, y, "I" * spot["night"] if spot["night"] < 4 else "IV", style.ink))
        return drawn

    def pieces(self, position: Position) -> list[str]:
        """Scenes, women, patrols and policemen."""
        style, colours, drawn = self.style, dict(self.style.colours), []
        for circle in sorted(position.all_scenes):
            x, y = self.places[f"c{circle}"]
            ring = f'cx="{x:g}" cy="{y:g}" r="{style.circle + 2:g}" fill="none"'
            drawn.append(f'<circle {ring} stroke="{style.ink}" stroke-width="1.6"/>')
            drawn.append(f'<path d="M{x + 5:.1f} {y - 10:.1f}l5 5m0 -5l-5 5" stroke="{style.red}" stroke-width="1.8"/>')
        for circle in (*position.women, *position.wretched):
            x, y = self.places[f"c{circle}"]
            drawn.append(self.disc(x, y - style.circle, style.white if circle in position.wretched else style.ink))
        hunted = position.phase not in ("women", "patrols", "kill", "wretched", "reveal")
        for colour, crossing in position.police if hunted else ():
            drawn.append(self.disc(*self.places[crossing], colours[colour]))
        for crossing, token in position.patrols:
            drawn.append(self.disc(*self.places[crossing], colours.get(token, style.street)))
        return drawn

    def disc(self, x: float, y: float, fill: str) -> str:
        """A pawn or a token."""
        style = self.style
        return f'<circle cx="{x:g}" cy="{y:.1f}" r="{style.pawn:g}" fill="{fill}" stroke="{style.white}" stroke-width="0.9"/>'


def _used(position: Position) -> dict[str, str]:
    """Label of each used space of the track -> what is written on it."""
    labels = [space["label"] for space in board_data()["move_track"]]
    at = labels.index("I") + 1 - position.time
    marks = ["×", *(["×"] if position.police_first and position.murder_done else [])]
    for kind in position.track:
        marks += {"walk": ["•"], "coach": ["C", "C"], "alley": ["A"]}[kind]
    return dict(zip(labels[at:], marks, strict=False)) if position.murder_done else {}
