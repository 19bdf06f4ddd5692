"""Tokens below pawns: what shows about a pawn's foot, as bare print or as a token, either mixed with the pawn at its edge."""

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Group, Point
from companion.vision.cards.view import NORMAL, Floats
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
_LN: Floats = np.asarray(np.arange(-6, 2) * 0.08, np.float32)
_LIGHTS: Floats = np.asarray(np.exp(_LN), np.float32)
"""The shares of the light that may fall about a pawn: beside it lies its own shadow. In steps half of which lie well within
the noise: coarser ones made a token in light between two of them as unlikely as print that differs by as much."""
_SECTORS, _UNEVEN = 10, 0.14
"""Directions about a site in each of which one light falls on what lies there and on the print beyond it, but for so much
(standard deviation, natural logarithm) at each pixel."""
_OTHER_LIGHT: Floats = np.asarray(0.5 * np.square((_LN[:, None] - _LN) / _UNEVEN), np.float32)
_ALIKE = 0.5
"""The share of ``alike_mm2`` whose errors are one error once the light is known so: by this it is asked whether a token is
absent. Whether one is told is asked more warily."""
_COARSE_MM, _FINE_MM, _TURNS = 0.8, 0.4, 4
"""The steps (mm) in which a token is looked for about its site, and then about the best of these; its turns at first."""


class Shown(NamedTuple):
    """What shows about the foot of a pawn: pixels (flat numbers), where they are (N×2 board mm), their colours, those of the
    pawn beside them (N×3 Lab), which may be mixed with these, and the log density of each if print lies there, by lights."""

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
    """Log density (lights×N) of colours if each is what lies ``below`` in about that light, and where ``mixed`` in any
    proportion with what lies ``over`` it; and which are none of that in any light."""
    taught, above, now = below / noise, over / noise, seen / noise
    bb, oo, ss, bo, bs, os = (
        np.einsum("nc,nc->n", one, other)
        for one, other in ((taught, taught), (above, above), (now, now), (taught, above), (taught, now), (above, now))
    )
    light = _LIGHTS[:, None]
    long = np.maximum(oo - 2 * light * bo + light**2 * bb, np.float32(1e-3))
    along = os - light * (bo + bs) + light**2 * bb
    share = np.clip(along / long, 0.0, 1.0) * mixed
    apart = np.maximum(ss - 2 * light * bs + light**2 * bb - share * (2 * along - share * long), 0.0)
    cost = np.maximum(0.5 * np.log(long / np.float32(2 * np.pi)), 0.0) * mixed
    each = -0.5 * apart - cost - spread_of(noise) - np.float32(NORMAL)
    about = np.stack([(each - dear[:, None]).max(axis=0) for dear in _OTHER_LIGHT])
    return with_hidden(np.asarray(about, np.float32), settings.hidden), apart.min(axis=0) > settings.odd_sigma**2


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
    odd = odd & canvas.foreground[at]
    mm = view.grid.mm(np.column_stack([x + box.left, y + box.top]).astype(np.float64))
    return Shown(at, mm, seen, over, mixed, nats, np.asarray(odd, np.bool_))


def lying_below(
    canvas: Canvas, group: Group, spot: str, shown: Shown, faces: "tuple[TokenFace, ...]", prior: float = 0.0
) -> list[Lying]:
    """The round tokens of a group that may lie on a site below what stands there, by look. ``prior``: the logarithm of the odds
    that one lies there, before anything was seen."""
    sites, reach = canvas.sites, canvas.settings.off_mm
    room, (x, y) = sites.rooms[group.key, spot], sites.site[spot]
    away = shown.mm - sites.sight.below(np.array([(x, y)]), group.height_mm)
    near = np.hypot(*away.T) < group.size_mm[0] / 2 + 1.5 * reach
    at, mm, seen, over, mixed, bare, odd = shown
    shown = Shown(at[near], mm[near], seen[near], over[near], mixed[near], bare[:, near], odd[near])
    sector = (np.arctan2(away[near, 1], away[near, 0]) % (2 * np.pi) * _SECTORS / (2 * np.pi)).astype(np.intp) % _SECTORS
    sectors = np.eye(_SECTORS, dtype=np.float32)[sector]
    found: dict[str, Lying] = {}
    anywhere: dict[str, float] = {}
    for face in faces:
        key, nearly = face.look.key, -np.inf
        offs, turns = _square(2) * _COARSE_MM, np.arange(0, TURNS, TURNS // _TURNS)
        for step in (_COARSE_MM, _FINE_MM):
            nats, fits, visible = _nats(canvas, group, (x, y), shown, sectors, face, offs, turns)
            astray = -0.5 * np.square(offs).sum(axis=1, keepdims=True) / ASTRAY_MM**2
            # First all of the places where it may lie, then the best one, which may lie between these.
            likely = nats / _ALIKE + astray + np.log(step**2 / (2 * np.pi * ASTRAY_MM**2))
            mean = np.logaddexp.reduce(likely, axis=None) - np.log(_TURNS) if step == _COARSE_MM else likely.max()
            nearly = float(np.logaddexp(nearly, mean))
            place, turn = (int(one) for one in np.unravel_index(np.argmax(nats + astray), nats.shape))
            (a, b), gain = offs[place].tolist(), float(nats[place, turn] + astray[place, 0])
            if key not in found or gain > found[key].gain:
                degrees, fit = float(turns[turn]) * 360 / TURNS, float(fits[place, turn])
                found[key] = Lying(face.look, group, spot, (x + a, y + b), degrees, room, gain, fit, float(visible[place]))
            offs, turns = offs[place] + _square(1) * _FINE_MM, (turns[turn] + np.array([-3, 0, 3])) % TURNS
        anywhere[key] = max(nearly, anywhere.get(key, -np.inf))
    return sorted((replace(one, anywhere=anywhere[key] + prior) for key, one in found.items()), key=lambda one: -one.gain)


def _square(steps: int) -> NDArray[np.float64]:
    """So many steps each way and each across (N×2)."""
    each = np.arange(-steps, steps + 1.0)
    return np.stack(np.meshgrid(each, each), axis=-1).reshape(-1, 2)


def _nats(
    canvas: Canvas, group: Group, site: Point, shown: Shown, sectors: Floats, face: TokenFace, offs: NDArray[np.float64],
    turns: NDArray[np.intp],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """By how many nats (places×turns) tokens so far beside a site (places×2 mm), so turned, explain better what shows about a
    pawn than print does, in the likeliest light of each of the ``sectors`` (pixels×sectors, 0 or 1); which share of what shows
    of each is as taught, and which share of each shows (places)."""
    sites, settings, radius = canvas.sites, canvas.settings, group.size_mm[0] / 2
    larger = sites.sight.height_mm / (sites.sight.height_mm - group.height_mm)
    tops = sites.sight.below(np.add(site, offs), group.height_mm)
    away = np.asarray((shown.mm - tops[:, None]) / larger, np.float32)
    far = np.hypot(away[..., 0], away[..., 1])
    inner = far < radius - _EDGE_MM
    outer = far > radius + _EDGE_MM
    place, at = np.nonzero(inner)
    away, far = away[place, at], far[place, at]
    ring = np.minimum((far / (COMPARED * radius) * RINGS).astype(np.intp), RINGS - 1)
    angle = np.round(np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi) * TURNS).astype(np.intp)
    count, odd = np.bincount(place, minlength=len(offs)), np.empty((len(turns), len(offs)))
    nats = np.empty((len(turns), len(offs)))
    beyond = (shown.bare[:, None] * outer) @ sectors
    bare = ((shown.bare[:, None] * (inner | outer)) @ sectors).max(axis=0)
    slot = place * _SECTORS + sectors.argmax(axis=1)[at]
    for number, turn in enumerate(turns):
        cell = ring, (angle - turn) % TURNS
        density, strange = mixture(
            shown.seen[at], shown.over[at], shown.mixed[at], face.cells[cell], face.noise[cell], settings
        )
        own = np.stack([np.bincount(slot, one, len(offs) * _SECTORS) for one in density]).reshape(beyond.shape)
        nats[number] = ((own + beyond).max(axis=0) - bare).sum(axis=1)
        odd[number] = np.bincount(place, strange, len(offs))
    shows = count / sites.grid.scale**2 / (np.pi * (radius - _EDGE_MM) ** 2)
    return nats.T / sites.per_nat, (1 - odd / np.maximum(count, 1)).T, shows
