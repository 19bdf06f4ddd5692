"""Tokens below pawns: what shows about a pawn's foot, as bare print or as a token, either mixed with the pawn at its edge."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group, Point
from companion.vision.cards.view import Floats
from companion.vision.frame import Mask
from companion.vision.pawns.canvas import Canvas
from companion.vision.pawns.settings import PawnSettings
from companion.vision.pawns.sites import ASTRAY_MM, Lying, Standing
from companion.vision.pawns.taught import COMPARED, RINGS, TURNS, TokenFace
from companion.vision.pawns.view import Box, spread_of, with_hidden

_WITHIN_MM, _BLURRED_MM = 0.7, 1.1
"""How far (mm) within a pawn its colours are its own, and how far beyond its edge they may be mixed with what it stands on."""
_EDGE_MM = 0.3
"""How far (mm) about a token's outline nothing speaks for it or against it."""
_SHADES = (1.0, 0.8, 0.6)
"""The shares of the light that a shadow may leave: beside a pawn lies its own, in which all is as likely as outside it."""
_COARSE_MM, _FINE_MM, _TURNS = 0.8, 0.4, 4
"""The steps (mm) in which a token is looked for about its site, and then about the best of these; its turns at first."""


class Shown(NamedTuple):
    """What shows about the foot of a pawn: pixels (flat numbers), where they are (N×2 board mm), their colours, those of the
    pawn beside them (N×3 Lab), which may be mixed with these, and the log density of each if print lies there."""

    at: NDArray[np.intp]
    mm: NDArray[np.float64]
    seen: Floats
    over: Floats
    mixed: Mask
    bare: Floats
    odd: Mask


def mixture(
    seen: Floats, over: Floats, mixed: Mask, below: Floats, noise: Floats, settings: PawnSettings
) -> tuple[Floats, Mask]:
    """Log density (…×N) of colours if each is what lies ``below``, lit or in shadow, and where ``mixed`` in any proportion with
    what lies ``over`` it; and which are none of that."""
    best, nearest = None, None
    spread = spread_of(noise)
    for light in _SHADES:
        lit = below * np.float32(light)
        way, off = (over - lit) / noise, (seen - lit) / noise
        long = np.maximum(np.einsum("...c,...c->...", way, way), np.float32(1e-3))
        share = np.clip(np.einsum("...c,...c->...", way, off) / long, 0.0, 1.0) * mixed
        rest = off - share[..., None] * way
        apart = np.einsum("...c,...c->...", rest, rest)
        cost = np.where(mixed, np.maximum(0.5 * np.log(long / np.float32(2 * np.pi)), 0.0), np.float32(0.0))
        density = -0.5 * apart - cost
        best = density if best is None else np.maximum(best, density)
        nearest = apart if nearest is None else np.minimum(nearest, apart)
    assert best is not None and nearest is not None
    return with_hidden(np.asarray(best - spread - 2.757, np.float32), settings.hidden), nearest > settings.odd_sigma**2


def shown_about(canvas: Canvas, pawn: Standing, room: NDArray[np.int32]) -> Shown | None:
    """What shows about a pawn within the reach of a token whose outline is ``room``."""
    sites, view, settings = canvas.sites, canvas.view, canvas.settings
    scale, width = sites.grid.scale, canvas.width
    rows, columns = np.divmod(np.concatenate([pawn.own, room]), width)
    box = Box(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
    box = box.grown(round((settings.off_mm + _BLURRED_MM) * scale) + 1, view.grid.size)
    height, across = box.bottom - box.top, box.right - box.left

    def mask_of(own: NDArray[np.int32]) -> NDArray[np.uint8]:
        mask = np.zeros((height, across), np.uint8)
        r, c = np.divmod(own, width)
        mask[r - box.top, c - box.left] = 1
        return mask

    def sided(mm: float) -> NDArray[np.uint8]:
        side = 2 * round(mm * scale) + 1
        return np.ones((side, side), np.uint8)

    depth = canvas.depth.reshape(-1, width)[box.within]
    mask, reach = mask_of(pawn.own), cv2.dilate(mask_of(room), sided(settings.off_mm))
    inner = cv2.erode(mask, sided(_WITHIN_MM), borderValue=0) * (depth == np.float32(pawn.depth))
    near = cv2.dilate(mask, sided(_BLURRED_MM)) > 0
    some = ((reach > 0) | near) & (depth < 0) & view.inside[box.within]
    if not inner.any() or not some.any():
        return None
    _, labels = cv2.distanceTransformWithLabels(1 - inner.astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    colours = view.colours(box)
    of_label = np.zeros((int(labels.max()) + 1, 3), np.float32)
    of_label[labels[inner > 0]] = colours[inner > 0]
    seen, over, mixed = colours[some], of_label[labels[some]], near[some]
    bare, noise = view.print_about(box)
    nats, odd = mixture(seen, over, mixed, bare[some], noise[some], settings)
    y, x = np.nonzero(some)
    at = (y + box.top) * width + x + box.left
    nats = np.maximum(nats, canvas.value[at])
    odd = odd & canvas.foreground[at]
    mm = view.grid.mm(np.column_stack([x + box.left, y + box.top]).astype(np.float64))
    return Shown(at, mm, seen, over, mixed, np.asarray(nats, np.float32), np.asarray(odd, np.bool_))


def lying_below(canvas: Canvas, group: Group, spot: str, shown: Shown, faces: "tuple[TokenFace, ...]") -> list[Lying]:
    """The round tokens of a group that may lie on a site below what stands there, by look."""
    sites, reach = canvas.sites, canvas.settings.off_mm
    room, (x, y) = sites.rooms[group.key, spot], sites.site[spot]
    near = np.hypot(*(shown.mm - sites.sight.below(np.array([(x, y)]), group.height_mm)).T) < group.size_mm[0] / 2 + 1.5 * reach
    shown = Shown(*(one[near] for one in shown))
    found: dict[str, Lying] = {}
    for face in faces:
        steps = np.arange(-2, 3) * _COARSE_MM
        tries = [(float(a), float(b), t) for a in steps for b in steps for t in range(0, TURNS, TURNS // _TURNS)]
        for _ in range(2):
            offs, turns = np.array([one[:2] for one in tries]), np.array([one[2] for one in tries], np.intp)
            gains, fits, visible = _gains(canvas, group, (x, y), shown, face, offs, turns)
            top = int(np.argmax(gains))
            a, b, turn = tries[top]
            had = found.get(face.look.key)
            if had is None or gains[top] > had.gain:
                degrees, gain, fit, shows = turn * 360 / TURNS, float(gains[top]), float(fits[top]), float(visible[top])
                found[face.look.key] = Lying(face.look, group, spot, (x + a, y + b), degrees, room, gain, fit, shows)
            steps = np.array((-_FINE_MM, 0.0, _FINE_MM))
            tries = [(float(a + c), float(b + d), (turn + t) % TURNS) for c in steps for d in steps for t in (-3, 0, 3)]
    return sorted(found.values(), key=lambda one: -one.gain)


def _gains(
    canvas: Canvas, group: Group, site: Point, shown: Shown, face: TokenFace, offs: NDArray[np.float64], turns: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """By how many nats tokens so far beside a site (N×2 mm), so turned, explain better what shows about a pawn than print does;
    which share of what shows of each is as taught, and which share of each shows."""
    sites, settings, radius = canvas.sites, canvas.settings, group.size_mm[0] / 2
    larger = sites.sight.height_mm / (sites.sight.height_mm - group.height_mm)
    tops = sites.sight.below(np.add(site, offs), group.height_mm)
    away = np.asarray((shown.mm[None] - tops[:, None]) / larger, np.float32)
    far = np.hypot(away[..., 0], away[..., 1])
    which, at = np.nonzero(far < radius - _EDGE_MM)
    away, far = away[which, at], far[which, at]
    ring = np.minimum((far / (COMPARED * radius) * RINGS).astype(np.intp), RINGS - 1)
    angle = np.round(np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) * TURNS).astype(np.intp) - turns[which]
    below, noise = face.cells[ring, angle % TURNS], face.noise[ring, angle % TURNS]
    nats, odd = mixture(shown.seen[at], shown.over[at], shown.mixed[at], below, noise, settings)
    count = np.bincount(which, minlength=len(offs))
    gains = (
        np.bincount(which, nats - shown.bare[at], len(offs)) / sites.per_nat - 0.5 * np.square(offs).sum(axis=1) / ASTRAY_MM**2
    )
    fits = 1 - np.bincount(which, odd, len(offs)) / np.maximum(count, 1)
    return gains, fits, count / sites.grid.scale**2 / (np.pi * (radius - _EDGE_MM) ** 2)
