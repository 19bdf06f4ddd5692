"""What a copy's pawns and tokens look like, learnt from pictures of known positions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, Group, PieceSet, Point
from companion.errors import BadInput
from companion.vision.cards.view import NORMAL, NOWHERE, Floats, MatGrid, lab
from companion.vision.pawns.flat_field import FlatField
from companion.vision.pawns.looks import PawnTeaching, PieceLook, called, laid_looks, looks
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.shape import PawnForm, Sightline, forms, pixels
from companion.vision.pawns.view import MARGIN_MM, BareBoard, BoardView, Box, log_density, spread_of, with_hidden
from companion.vision.plain.tracking import Tracker

RINGS, TURNS = 7, 40
"""Rings and directions at which a token is compared: a turn by one direction is 9 degrees."""
_INNER = (np.arange(RINGS - 2) + 0.5) / (np.arange(RINGS - 2) + 0.5).sum()
"""The shares of the area of all rings but the outer two."""
COMPARED = 0.93
"""The share of a token's radius within which it is compared: its edge is mixed with what lies about it."""
_PAINTS, _LEAST_PAINT = 5, 0.04
"""Colours by which a pawn is known at most, and the share of it that one must have."""
_LEAST_SHOWN = 0.12
"""The share of a piece's outline that must not look like bare print when it is learnt."""


LIGHTS: Floats = np.array([0.12, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0, 1.35, 1.8, 2.4], np.float32)
"""The shares of the taught light in which a pawn's colours are known: a lamp behind it leaves an eighth."""
_SHADED, _BRIGHTER = 0.85, 0.7
"""How much (standard deviations, natural logarithm) a spot of a pawn may be darker and brighter than it was taught."""
_UNEVEN, _LIT = 0.35, 0.2
"""The same of a spot beside the light of its pawn, and of a pawn's light beside the taught one."""
_LN: Floats = np.asarray(np.log(LIGHTS), np.float32)
_DARKER: Floats = np.asarray(0.5 * np.square(_LN / np.where(_LN < 0, _SHADED, _BRIGHTER)), np.float32)
_SAME = 0.6
"""Standard deviations between two colours of a paint that count as one."""


@dataclass(frozen=True, eq=False)
class Paint:
    """The colours a pawn shows: in each of :data:`LIGHTS` (``lit``, lights×K×3 Lab), and those of them that differ (``means``,
    M×3), with by how many nats each of these (``costs``, M) is less likely than those that were taught."""

    lit: Floats
    means: Floats
    costs: Floats

    @classmethod
    def of(cls, taught: Floats, settings: PawnSettings) -> "Paint":
        """A paint by the few colours (K×3 Lab) that were taught of it."""
        noise = _paint_noise(settings)
        lit = np.stack([taught if share == 1.0 else _brighter(taught, share) for share in LIGHTS.tolist()])
        means, costs = np.empty((0, 3), np.float32), np.empty(0, np.float32)
        for number in np.argsort(_DARKER, kind="stable"):
            for one in lit[number]:
                if not (np.square((means - one) / noise).sum(axis=1) < _SAME**2).any():
                    means, costs = np.vstack([means, one]), np.append(costs, _DARKER[number])
        return cls(lit, np.asarray(means, np.float32), np.asarray(costs, np.float32))

    def density(self, colours: Floats, settings: PawnSettings) -> Floats:
        """Log density (nats) of colours (N×3) by the likeliest one, each in whatever light, without what may hide it."""
        noise = _paint_noise(settings)
        means = self.means / noise
        held = (np.square(means).sum(axis=1) + 2 * self.costs)[:, None]
        apart = np.empty(len(colours), np.float32)
        for first in range(0, len(colours), _AT_ONCE):
            own = np.ascontiguousarray((colours[first : first + _AT_ONCE] / noise).T)
            apart[first : first + _AT_ONCE] = (held - 2 * means @ own).min(axis=0) + np.square(own).sum(axis=0)
        return np.asarray(-0.5 * np.maximum(apart, 0.0) - np.log(noise).sum() - NORMAL, np.float32)

    def by_light(self, colours: Floats, settings: PawnSettings) -> Floats:
        """The same of a few colours in each of the lights (lights×N)."""
        noise = _paint_noise(settings)
        means, own = self.lit.reshape(-1, 3) / noise, (colours / noise).T
        apart = np.square(means).sum(axis=1)[:, None] - 2 * means @ own
        nearest = apart.reshape(len(LIGHTS), -1, len(colours)).min(axis=1) + np.square(own).sum(axis=0)
        density = -0.5 * np.maximum(nearest, 0.0) - _DARKER[:, None] - np.log(noise).sum() - NORMAL
        return np.asarray(density, np.float32)

    def clipped(self, white: Floats) -> "Paint":
        """The same in a picture that shows no level (3 BGR, in the light of the taught one) beyond ``white``."""
        return replace(self, lit=_clipped(self.lit, white), means=_clipped(self.means, white))


def _paint_noise(settings: PawnSettings) -> Floats:
    return np.array([settings.paint_light, settings.paint_colour, settings.paint_colour], np.float32)


def in_one_light(by_light: Floats) -> Iterator[tuple[Floats, float]]:
    """The log density (N) of the colours of one pawn in each light that may fall on it, given those of its spots in each
    (:meth:`Paint.by_light`), and by how many nats that light is less likely than the taught one."""
    for light in _LN:
        uneven = 0.5 * np.square((_LN - light) / np.float32(_UNEVEN))
        yield (by_light - uneven[:, None]).max(axis=0), float(0.5 * (light / _LIT) ** 2)


def _clipped(colours: Floats, white: Floats) -> Floats:
    """Colours (…×3 Lab) as far as a picture shows them in which no level (3 BGR) is beyond ``white``."""
    level = cv2.cvtColor(colours.reshape(1, -1, 3), cv2.COLOR_Lab2BGR) * np.float32(255)
    return lab(np.minimum(level, white)).reshape(colours.shape) if (level > white).any() else colours


_AT_ONCE = 8192
"""Colours that are compared at once, so that what is in between stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class TokenFace:
    """A token's upper side by rings and directions (RINGS×TURNS×3 Lab), and how far (standard deviation) each cell seen again
    lies from it."""

    look: PieceLook
    cells: Floats
    noise: Floats

    @cached_property
    def turned(self) -> tuple[Floats, Floats, Floats]:
        """The same at all turns (TURNS×RINGS×TURNS×3), and the logarithm of what the noise spans (TURNS×RINGS×TURNS)."""
        every = [np.stack([np.roll(one, turn, axis=1) for turn in range(TURNS)]) for one in (self.cells, self.noise)]
        return every[0], every[1], spread_of(every[1])

    @property
    def brightness(self) -> float:
        """The natural logarithm of the mean level (BGR) of its inner rings."""
        inner = np.ascontiguousarray(self.cells[:-2])
        return float(np.log(cv2.cvtColor(inner, cv2.COLOR_Lab2BGR).mean(axis=(1, 2)) @ _INNER * 255 + 1))

    def clipped(self, white: Floats) -> "TokenFace":
        """The same in a picture that shows no level (3 BGR, in the light of the taught one) beyond ``white``."""
        cells = _clipped(self.cells, white)
        return self if cells is self.cells else replace(self, cells=cells)


@dataclass(frozen=True, eq=False)
class TaughtCopy:
    """All that is known of a copy: ``form`` of its pawns, paints by look, faces of tokens by group; ``doubts``: what of the
    lessons could not be learnt, in words; ``printed``: the affine map (2×3) from the board file's sites to the copy's;
    ``flat_field``: how the light of the taught picture is made even, in which paints and faces are known."""

    teaching: PawnTeaching
    form: PawnForm
    paints: Mapping[str, Paint]
    faces: Mapping[str, tuple[TokenFace, ...]]
    doubts: tuple[str, ...] = ()
    missing: tuple[PieceLook, ...] = field(default=())
    printed: NDArray[np.float64] = field(default_factory=lambda: np.array([[1.0, 0, 0], [0, 1.0, 0]]))
    flat_field: FlatField | None = None

    def site(self, mm: Point) -> Point:
        """Where the site that the board file puts at ``mm`` lies on this copy: the pieces of the lessons tell."""
        x, y = self.printed @ (*mm, 1.0)
        return float(x), float(y)


def rings_mm(group: Group) -> tuple[NDArray[np.float64], Floats]:
    """Where a token is compared (RINGS×TURNS×2 mm from its middle) and the area (RINGS×1 mm²) each sample stands for."""
    return _rings_mm(COMPARED * min(group.size_mm) / 2)


@lru_cache(maxsize=16)
def _rings_mm(radius: float) -> tuple[NDArray[np.float64], Floats]:
    edges = np.linspace(0, radius, RINGS + 1)
    middles = (edges[1:] + edges[:-1]) / 2
    angles = np.arange(TURNS) * 2 * np.pi / TURNS
    offsets = middles[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    area = np.pi * (edges[1:] ** 2 - edges[:-1] ** 2) / TURNS
    return offsets, np.asarray(area[:, None], np.float32)


class Patch(NamedTuple):
    """The colours (Lab) of a part of a view."""

    box: Box
    colours: Floats

    @classmethod
    def of(cls, view: BoardView, own: NDArray[np.int32], room_mm: float) -> "Patch":
        """What lies about some pixels (flat numbers)."""
        width, room = view.grid.size[0], round(room_mm * view.grid.scale) + 2
        rows, columns = np.divmod(own, width)
        edges = (int(edge) for edge in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1))
        box = Box(*edges).grown(room, view.grid.size)
        return cls(box, np.ascontiguousarray(view.colours(box)))


def sampled(view: BoardView, patch: Patch, group: Group, sight: Sightline, mm: Point) -> tuple[Floats, NDArray[np.intp]]:
    """The colours (RINGS×TURNS×3 Lab) of a token that lies at ``mm``, within a patch of a view, and the pixels (flat) they are
    taken at."""
    offsets, _ = rings_mm(group)
    at = sight.below(offsets.reshape(-1, 2) + mm, group.height_mm)
    px = view.grid.px(at).astype(np.float32)
    width, height = view.grid.size
    px = np.clip(px, 0, [width - 1, height - 1]).astype(np.float32)
    across, down = px[None, :, 0] - patch.box.left, px[None, :, 1] - patch.box.top
    found = cv2.remap(patch.colours, across, down, cv2.INTER_LINEAR)
    whole = np.round(px).astype(np.intp)
    flat = whole[:, 1] * width + whole[:, 0]
    return np.asarray(found.reshape(RINGS, TURNS, 3), np.float32), flat.reshape(RINGS, TURNS)


def not_shown(look: PieceLook, spot: str, board: Board, pieces: PieceSet) -> str:
    """That a piece does not show where a lesson has it, as people call it and its place: a space of a track with its kind."""
    place = board.places.get(spot)
    where = f"{place.kind} {place.name or place.value}" if place is not None else board.called(spot)
    return f"{called(look, pieces)} does not show at {where}: lay it there and take the picture again"


_Lesson = tuple[BoardView, Sightline, Mapping[str, object]]
"""A lesson's picture, how it is seen, and what lies there."""


def learn(teaching: PawnTeaching, board: Board, pieces: PieceSet, tracker: Tracker, settings: PawnSettings) -> TaughtCopy:
    """Learn a copy from its lessons. What cannot be learnt is said, and missing.

    Raises BadInput where a picture shows what another one should, the empty board too.
    """
    doubts: list[str] = []
    views: list[_Lesson] = []
    for image, state in teaching.lessons:
        found = tracker.follow(image, teaching.registration.lens, teaching.registration)
        if found is None:
            doubts.append("the taught board is not in the picture of the pieces: show all of it")
            continue
        grid = MatGrid.over(found, board.size_mm, MARGIN_MM, settings.scale)
        bare = BareBoard.of(teaching.empty, teaching.registration, grid)
        views.append((BoardView.of(image, grid, bare, settings), Sightline.of(found), state))
    form = _form(views, board, pieces)
    _check_apart(views, board, pieces, form)
    offs: list[tuple[Point, Point]] = []
    paints: dict[str, list[tuple[Floats, Point]]] = {}
    faces: dict[str, list[tuple[TokenFace, Point]]] = {}
    for view, sight, state in views:
        for look, one in laid_looks(board, pieces, state):
            group = pieces.groups[look.group]
            shown, mm = _where(view, sight, group, one.mm, form)
            if shown < _LEAST_SHOWN:
                doubts.append(not_shown(look, one.place, board, pieces))
                continue
            offs.append((one.mm, mm))
            if group.shape == "pawn":
                paints.setdefault(look.key, []).append((_painted(view, sight, group, mm, form), mm))
            else:
                faces.setdefault(look.group, []).append((_face(view, sight, group, mm, look, settings), mm))
    known = {face.look.key for own in faces.values() for face, _ in own} | paints.keys()
    flat_field = FlatField.of(
        board.size_mm, [(face.look.key, mm, face.brightness) for own in faces.values() for face, mm in own]
    )
    missing = tuple(look for look in looks(pieces) if look.key not in known)
    return TaughtCopy(
        teaching, form,
        {key: _paint(np.vstack([flat_field.flattened(*one) for one in own]), settings) for key, own in paints.items()},
        {
            key: tuple(replace(face, cells=flat_field.flattened(face.cells, mm)) for face, mm in own)
            for key, own in faces.items()
        },
        tuple(doubts), missing, _printed(offs), flat_field,
    )  # fmt: skip


_LIES = 0.45
"""0.4..0.5: the share of the outlines of a lesson's pieces, on average, that must not be bare print for it to lie there. On 8
made-up copies, the lamp elsewhere in each picture, its own have 0.71 to 0.88, those of another lesson 0.00; on two more, with
a hard shadow, a strong lamp, a cast of colour, or one picture out of focus or overexposed, 0.55 and more, and at most 0.30."""


def _check_apart(views: "Sequence[_Lesson]", board: Board, pieces: PieceSet, form: PawnForm) -> None:
    """Raises BadInput where what one lesson has shows in the picture of another, at sites that this one leaves free. If its own
    pieces show as well, the picture of the empty board had the others on it, or they were left there."""
    laid = [laid_looks(board, pieces, state) for *_, state in views]
    sites = [{one.place for _, one in own} for own in laid]
    alone = [
        [
            (pieces.groups[look.group], one.mm)
            for look, one in own
            if all(one.place not in other for other in sites[:n] + sites[n + 1 :])
        ]
        for n, own in enumerate(laid)
    ]
    for number, (view, sight, _) in enumerate(views):
        lies = [float(np.mean([_shown(view, sight, *one, form) for one in its] or [0.0])) > _LIES for its in alone]
        if any(lies[:number] + lies[number + 1 :]):
            raise BadInput(_NOT_BARE if lies[number] else _ANOTHER)


_NOT_BARE = (
    "pieces lie in the picture of the empty board, or stayed from one picture to the next: take the pictures again, the first "
    "with nothing on the board, each other one with its own pieces alone"
)
_ANOTHER = "a picture shows another position than it should: lay out what is drawn for it, and take it again"


_HELD = 6.0
"""As how many pieces it counts that a board lies as its file says, for each number of the map."""


def _printed(offs: Sequence[tuple[Point, Point]]) -> NDArray[np.float64]:
    """The affine map from where sites should be to where pieces laid on them are: least squares, held near none."""
    same = np.array([[1.0, 0, 0], [0, 1.0, 0]])
    if len(offs) < _FEWEST:
        return same
    sites, found = (np.array(part, np.float64) for part in zip(*offs, strict=True))
    middle, span = sites.mean(axis=0), float(np.abs(sites - sites.mean(axis=0)).max())
    design = np.column_stack([(sites - middle) / span, np.ones(len(sites))])
    rest = found - sites
    fit = np.linalg.solve(design.T @ design + np.diag([_HELD / 3, _HELD / 3, _HELD / 6]), design.T @ rest)
    linear = fit[:2].T / span
    return np.asarray(same + np.column_stack([linear, fit[2] - linear @ middle]), np.float64)


_FEWEST = 12
"""Pieces below which nothing is said of where the sites are printed."""


_TURNED_DEG = 15
"""Steps (degrees) in which it is tried how a token lies that is no disc."""


def _where(view: BoardView, sight: Sightline, group: Group, mm: Point, form: PawnForm) -> tuple[float, Point]:
    """Where a piece lies that was laid at a site: the share of its outline that is not bare print, and its foot."""
    _, shown, (dx, dy) = max(_covering(view, outline) for outline in _outlines(sight, group, mm, form))
    larger = 1 - group.height_mm * (group.shape != "pawn") / sight.height_mm
    return shown, (mm[0] + dx * larger, mm[1] + dy * larger)


def _outlines(sight: Sightline, group: Group, mm: Point, form: PawnForm) -> "list[list[NDArray[np.float64]]]":
    """The outlines that a piece at a site may have: a token that is no disc lies at any turn."""
    if group.shape == "pawn":
        return [sight.pawn(mm, group, form)]
    turns = (0,) if group.size_mm[0] == group.size_mm[1] else range(0, 180, _TURNED_DEG)
    return [sight.token(mm, group, turn) for turn in turns]


def _shown(view: BoardView, sight: Sightline, group: Group, mm: Point, form: PawnForm) -> float:
    """The share of a piece's outline at a site that is not bare print, at its likeliest turn."""
    grid, flat = view.grid, view.foreground.reshape(-1)
    outlines = _outlines(sight, group, mm, form)
    return max(float(flat[pixels(one, grid.scale, grid.origin_mm, grid.size)].mean()) for one in outlines)


def _covering(view: BoardView, parts: "list[NDArray[np.float64]]") -> tuple[float, float, Point]:
    """How well an outline covers what is not bare print, at the best of some shifts; the share of it that it covers, and that
    shift (mm)."""
    grid = view.grid
    inner = pixels(parts, grid.scale, grid.origin_mm, grid.size)
    grown = pixels([_grown(part, 1.2) for part in parts], grid.scale, grid.origin_mm, grid.size)
    width, flat = grid.size[0], view.foreground.reshape(-1)
    reach = round(2.2 * grid.scale)
    best = (-np.inf, 0.0, (0.0, 0.0))
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            step = dy * width + dx
            own, around = (np.clip(one + step, 0, flat.size - 1) for one in (inner, grown))
            inside = float(flat[own].mean())
            rim = (float(flat[around].sum()) - inside * len(own)) / max(1, len(around) - len(own))
            value = inside - 0.5 * rim - 0.012 * float(np.hypot(dx, dy)) / grid.scale
            if value > best[0]:
                best = value, inside, (dx / grid.scale, dy / grid.scale)
    return best


def _grown(part: NDArray[np.float64], by_mm: float) -> NDArray[np.float64]:
    middle = part.mean(axis=0)
    away = part - middle
    return np.asarray(middle + away * (1 + by_mm / np.maximum(np.hypot(*away.T), 0.1))[:, None], np.float64)


def _form(views: "Sequence[_Lesson]", board: Board, pieces: PieceSet) -> PawnForm:
    """The form of a copy's pawns that covers best what is not bare print about them."""
    standing = []
    for view, sight, state in views:
        flat = view.foreground.reshape(-1)
        for look, one in laid_looks(board, pieces, state):
            group = pieces.groups[look.group]
            if group.shape == "pawn":
                about = sight.pawn(one.mm, group, PawnForm(1.4, 1.5, 1.0, 1.0))
                room = np.zeros(flat.size, np.bool_)
                room[pixels(about, view.grid.scale, view.grid.origin_mm, view.grid.size)] = True
                room &= flat
                standing.append((view.grid, sight, group, one.mm, room, int(room.sum())))
    tried = {form: sum(_overlap(form, *one) for one in standing) for form in forms()}
    return max(tried, key=lambda form: tried[form]) if standing else PawnForm()


def _overlap(
    form: PawnForm, grid: MatGrid, sight: Sightline, group: Group, site: Point, shown: NDArray[np.bool_], count: int
) -> float:
    """How well a form covers what stands about a site (``shown``, ``count`` pixels; intersection over union), at the best of a
    few feet near it."""
    inner = pixels(sight.pawn(site, group, form), grid.scale, grid.origin_mm, grid.size)
    best, step = 0.0, round(grid.scale)
    for dy in (-step, 0, step):
        for dx in (-step, 0, step):
            both = float(shown[np.clip(inner + dy * grid.size[0] + dx, 0, shown.size - 1)].sum())
            best = max(best, both / (count + len(inner) - both) - 0.01 * float(np.hypot(dx, dy)) / grid.scale)
    return best


_WITHIN_MM, _LEAST_WITHIN = 0.9, 0.2
"""How far (mm) within a pawn its colours are taken, since those at its edge are mixed with the print's, where at least this
share of it lies so far within."""


def _painted(view: BoardView, sight: Sightline, group: Group, mm: Point, form: PawnForm) -> Floats:
    """The colours (N×3 Lab) of a pawn that stands at ``mm``, well within what is not bare print of its outline."""
    grid = view.grid
    own = pixels(sight.pawn(mm, group, form), grid.scale, grid.origin_mm, grid.size)
    shown, side = np.zeros(view.foreground.shape, np.uint8), 2 * round(_WITHIN_MM * grid.scale) + 1
    shown.reshape(-1)[own] = view.foreground.reshape(-1)[own]
    within = cv2.erode(shown, np.ones((side, side), np.uint8)).reshape(-1)[own] > 0
    if within.sum() < _LEAST_WITHIN * len(own):
        within = shown.reshape(-1)[own] > 0
    return view.colours_at(own[within])


def _paint(colours: Floats, settings: PawnSettings) -> Paint:
    """The few colours that a pawn shows, and those under other lamps, which light other parts of it."""
    kept = colours if len(colours) else np.zeros((1, 3), np.float32)
    if len(colours) > _PAINTS:
        criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.2)
        cv2.setRNGSeed(1)
        _, labels, means = cv2.kmeans(colours, _PAINTS, np.empty(0, np.int32), criteria, 3, cv2.KMEANS_PP_CENTERS)
        counts = np.bincount(labels.reshape(-1), minlength=_PAINTS)
        kept = np.asarray(means[counts >= _LEAST_PAINT * len(colours)], np.float32)
    return Paint.of(kept, settings)


def _brighter(colours: Floats, share: float) -> Floats:
    """Colours (N×3 Lab) under so much of the light."""
    bgr = cv2.cvtColor(colours[None], cv2.COLOR_Lab2BGR) ** 2.2 * share
    lit = cv2.cvtColor(np.clip(bgr, 0, 1).astype(np.float32) ** np.float32(1 / 2.2), cv2.COLOR_BGR2Lab)
    return np.asarray(lit[0], np.float32)


def _face(view: BoardView, sight: Sightline, group: Group, mm: Point, look: PieceLook, settings: PawnSettings) -> TokenFace:
    """The face of a token that lies at ``mm``."""
    own = pixels(sight.token(mm, group), view.grid.scale, view.grid.origin_mm, view.grid.size)
    cells, _ = sampled(view, Patch.of(view, own, 0.0), group, sight, mm)
    level = np.array([settings.noise_light, settings.noise_colour, settings.noise_colour], np.float32)
    radii = np.hypot(*np.moveaxis(rings_mm(group)[0], -1, 0)).mean(axis=1)
    across = np.gradient(cells, radii, axis=0)
    around = (np.roll(cells, -1, axis=1) - np.roll(cells, 1, axis=1)) / 2 / (2 * np.pi * radii / TURNS)[:, None, None]
    astray = 0.5 / view.grid.scale + settings.astray_mm
    noise = np.sqrt(level**2 + (across**2 + around**2) * astray**2)
    return TokenFace(look, cells, np.asarray(noise, np.float32))


def face_nats(
    seen: Floats, face: TokenFace, weight: Floats, settings: PawnSettings, turns: Sequence[int] | None = None
) -> tuple[int, float, float]:
    """The likeliest turn (of TURNS, or of ``turns``) of a face, the log likelihood (nats) of what is seen by it, and the share
    of what is in sight that is as taught."""
    asked = range(TURNS) if turns is None else turns
    cells, noise, spread = face.turned if turns is None else (one[list(turns)] for one in face.turned)
    density = log_density(seen - cells, noise, spread)
    nats = (with_hidden(density, settings.hidden) * weight).sum(axis=(1, 2)) / settings.alike_mm2
    best = int(np.argmax(nats))
    shown = density[best] > np.float32(np.log(settings.hidden)) + NOWHERE
    return asked[best], float(nats[best]), float((shown * weight).sum() / max(1e-6, float(weight.sum())))
