"""Small trained networks, run by OpenCV: is this the same portrait, tile, number, way of looking; which figure is it; is this
place bare, in sight or below a disc?

They were trained on made-up copies only, every one with other drawings (``calibration/training``, ``train_pairs`` and the
other ``train_…``), so but for figures what they know is how likeness
survives light, blur and glare, not what any print looks like.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plain.stacks import (
    DISC_MM,
    DISC_SIDE,
    PLACE_MM,
    PLACE_SIDE,
    TILE_MM,
    TILE_SIDE,
    Bytes,
    Floats,
    crop,
    drawn,
    lay_planes,
    mark_pair,
    planes,
)

Array = NDArray[np.float64]
Point = tuple[float, float]
CLEAR = (0.0, 6.0)
"""By how much a taught tile's own mark must fit better than another's to be trusted not at all and wholly. Laid exactly, the
right one of two marks fitted better in 79 of 100 where that was 1 or less, up to 7 in 95, above in 99."""

HERE = ((0.0, 0.0),)
_STEP = 2 / 3
AROUND = tuple((x, y) for x in (0.0, -_STEP, _STEP) for y in (0.0, -_STEP, _STEP))
"""Where (mm from its middle) a place is looked at, once, and where little of it is in sight: what a network says should not
hang on a fraction of a millimetre, but does. Of 69 places below discs on six path-traced copies what is true cost 0.079 nats by
one look, 0.040 by the mean of five, 0.038 by that of these; of 821 on composed ones 0.049, 0.042, 0.041."""
MOST_AT_ONCE = 8
"""Pictures shown to a network in one go: it keeps the layers of the largest batch it ever saw, about 0.13 MB a picture, and all
ways round of all taught tiles are some two hundred."""
MOST_TURNED = 600
"""Turned pictures of taught pieces kept at once; 16 to 20 kB each."""


Turned = tuple[Bytes, Floats]
"""A turned picture and its drawing, of which its planes are made: half as much as those themselves."""


class Nets:
    """The shipped networks. Not for several threads at once: OpenCV keeps the last pictures in a network."""

    def __init__(self, scale: float) -> None:
        """``scale``: samples per millimetre of the patches that will be shown."""
        self._scale = scale
        self._taught: dict[tuple[int, tuple[float, float], float], tuple[Bytes, Turned]] = {}

    def _load(self, name: str) -> "cv2.dnn.Net":
        data = (resources.files("companion.vision.plain") / f"{name}.onnx").read_bytes()
        return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    @cached_property
    def _disc(self) -> "cv2.dnn.Net":
        return self._load("disc")

    @cached_property
    def _face(self) -> "cv2.dnn.Net":
        return self._load("face")

    @cached_property
    def _tile(self) -> "cv2.dnn.Net":
        return self._load("tile")

    @cached_property
    def _mark(self) -> "cv2.dnn.Net":
        return self._load("mark")

    @cached_property
    def _number(self) -> "cv2.dnn.Net":
        return self._load("number")

    @cached_property
    def _facing(self) -> "cv2.dnn.Net":
        return self._load("facing")

    @cached_property
    def _wedge(self) -> "cv2.dnn.Net":
        return self._load("wedge")

    @cached_property
    def _place(self) -> "cv2.dnn.Net":
        return self._load("place")

    @cached_property
    def _below(self) -> "cv2.dnn.Net":
        return self._load("below")

    def same_face(self, seen: Bytes, faces: Sequence[Bytes], turns: Array) -> Array:
        """Log-likelihood ratios (T×2: first face, the same in grey) of every taught portrait against "none of them", from crops
        of the disc now and of the taught faces, and the likeliest turns (T×K radians)."""
        return self._like(self._disc, seen, faces, turns)

    def shows(self, seen: Bytes, faces: Sequence[Bytes], turns: Array) -> Array:
        """The same (T) of taught faces, first or second ones of whatever art, each by itself."""
        return self._like(self._face, seen, faces, turns)[:, 0]

    def _like(self, net: "cv2.dnn.Net", seen: Bytes, faces: Sequence[Bytes], turns: Array) -> Array:
        steps = DISC_SIDE / DISC_MM
        shown = [
            self._turned(face, (0.0, 0.0), float(t), DISC_SIDE, DISC_MM, steps)
            for face, some in zip(faces, turns, strict=True)
            for t in some
        ]
        return self._best(net, seen, shown, turns.shape[1])

    def same_tile(
        self, seen: Bytes, offset_mm: tuple[float, float], exemplars: Sequence[tuple[Bytes, tuple[float, float]]], turns: Array
    ) -> Array:
        """The same (P×1) of taught tiles (patch, where in it the tile lies) on a patch whose tile lies at an offset."""
        here = crop(seen, offset_mm, 0.0, TILE_SIDE, TILE_MM, self._scale)
        shown = [
            self._turned(patch, at, float(t), TILE_SIDE, TILE_MM, self._scale)
            for (patch, at), some in zip(exemplars, turns, strict=True)
            for t in some
        ]
        return self._best(self._tile, here, shown, turns.shape[1])

    def same_mark(
        self,
        seen: Bytes,
        offset_mm: tuple[float, float],
        exemplars: Sequence[tuple[Bytes, tuple[float, float]]],
        marks_mm: Sequence[tuple[float, float]],
        turns: Array,
    ) -> Array:
        """Scores (P) of taught tiles (close-up, where in it the tile lies) by the spot alone that tells them apart (mm from a
        tile's middle), on a close-up whose tile lies at an offset: they only compare the taught tiles with one another."""
        pairs = [
            mark_pair(seen, offset_mm, float(t), patch, at, mark)
            for (patch, at), mark, some in zip(exemplars, marks_mm, turns, strict=True)
            for t in some
        ]
        scores = _in_batches(self._mark, _side_by_side(pairs)).reshape(turns.shape)
        return np.asarray(np.logaddexp.reduce(scores, axis=1), np.float64)

    def figures(self, pairs: Sequence[tuple[Bytes, Bytes]]) -> Array:
        """Log-probabilities (N×6) of no figure, 1, 2, 3, 4 and something else on spots that are shown upright
        (``mark_pair``), each beside the same spot of a tile without any."""
        batches = [pairs[first : first + MOST_AT_ONCE] for first in range(0, len(pairs), MOST_AT_ONCE)]
        scores = np.concatenate([_answers(self._number, _side_by_side(batch)) for batch in batches])
        return np.asarray(scores - np.logaddexp.reduce(scores, axis=1)[:, None], np.float64)

    def telling(
        self, exemplars: Sequence[tuple[Bytes, tuple[float, float]]], marks_mm: Sequence[tuple[float, float]], angles: Array
    ) -> Array:
        """How far the marks of a taught copy, with tiles turned by ``angles`` (P radians), can be trusted to tell every two of
        them apart (P×P, 0..1): each is shown for a seen one. Where the spot that differs was not found, or two numbers were
        taught too small or too burnt out to be told apart, they look the same."""
        gaps = np.empty((len(exemplars), len(exemplars)))
        for index, (patch, at) in enumerate(exemplars):
            scores = self.same_mark(patch, at, exemplars, marks_mm, (angles[index] - angles)[:, None])
            gaps[index] = scores[index] - scores
        return np.asarray(np.clip((np.minimum(gaps, gaps.T) - CLEAR[0]) / (CLEAR[1] - CLEAR[0]), 0, 1), np.float64)

    def ways(self, seen: Bytes, face: Bytes, turns: Array, side: int) -> Array:
        """Scores (D) of the ways a piece may look, from crops of the disc now and of its taught first face, and the turns of
        that face for every way (D×K radians); ``side`` 0 or 1 is the face seen now."""
        steps = DISC_SIDE / DISC_MM
        shown = [self._turned(face, (0.0, 0.0), float(t), DISC_SIDE, DISC_MM, steps) for t in turns.ravel()]
        return self._best(self._facing, seen, shown, turns.shape[1])[:, side]

    def wedges(self, seen: Sequence[Bytes], turns: Array) -> Array:
        """Log-likelihood ratios (N×D) of a disc with a light wedge printed on it that points each way against one without any,
        from N crops, and how far the printed board's x axis is turned to each way (D×K radians, a little to either side
        too)."""
        back = [-float(turn) for turn in turns.ravel()]
        crops = [crop(one, (0.0, 0.0), turn, DISC_SIDE, DISC_MM, DISC_SIDE / DISC_MM) for one in seen for turn in back]
        scores = _in_batches(self._wedge, planes(crops)).reshape(len(seen), *turns.shape)
        return np.asarray(np.logaddexp.reduce(scores, axis=2) - np.log(turns.shape[1]), np.float64)

    def _turned(self, patch: Bytes, at_mm: tuple[float, float], turn: float, side: int, span_mm: float, scale: float) -> Turned:
        """A taught patch, turned. Pieces stay as they lie and turns come in steps: most come again."""
        key = (id(patch), at_mm, turn)
        if key not in self._taught:
            if len(self._taught) >= MOST_TURNED:
                self._taught.clear()
            picture = crop(patch, at_mm, turn, side, span_mm, scale)
            # The patch is kept as well, so that its id stays its own.
            self._taught[key] = patch, (picture, drawn(picture))
        return self._taught[key][1]

    @staticmethod
    def _best(net: "cv2.dnn.Net", seen: Bytes, shown: Sequence[Turned], turns: int) -> Array:
        here = planes([seen])
        scores = []
        for first in range(0, len(shown), MOST_AT_ONCE):
            some = shown[first : first + MOST_AT_ONCE]
            stacks = np.empty((len(some), 2 * here.shape[1], *here.shape[2:]), np.float32)
            stacks[:, : here.shape[1]] = here
            for stack, (picture, drawing) in zip(stacks, some, strict=True):
                lay_planes(stack[here.shape[1] :], picture, drawing)
            scores.append(_answers(net, stacks))
        found = np.concatenate(scores).reshape(len(shown) // turns, turns, -1)
        return np.asarray(np.logaddexp.reduce(found, axis=1), np.float64)

    def place(
        self, seen: Bytes, bare: Bytes, hidden: NDArray[np.bool_] | None, colour: Floats, at: Sequence[Point] = HERE
    ) -> Array:
        """Log-probabilities (3) of bare print, a piece, something strange at a place, from its patch, its bare print, what
        of it a disc hides, and the taught pieces' mean colour (``stacks.slot_colour``); on average over looks ``at`` points
        (mm from its middle)."""
        return np.asarray(self.places(seen, bare, hidden, [colour], at)[0], np.float64)

    def places(
        self, seen: Bytes, bare: Bytes, hidden: NDArray[np.bool_] | None, colours: Sequence[Floats], at: Sequence[Point] = HERE
    ) -> Array:
        """The same (C×3) for pieces of every one of several colours."""
        return self._lying(self._place, seen, bare, hidden, colours, at)

    def below(
        self, seen: Bytes, bare: Bytes, hidden: NDArray[np.bool_], colours: Sequence[Floats], at: Sequence[Point] = HERE
    ) -> Array:
        """Log-probabilities (C×3) of bare print, a piece whose edge has each colour, anything else, at a place of which only
        the edge is in sight: the rest is ``hidden`` (H×W) by what stands there, whose shadows fall on it."""
        return self._lying(self._below, seen, bare, hidden, colours, at)

    def _lying(
        self,
        net: "cv2.dnn.Net",
        seen: Bytes,
        bare: Bytes,
        hidden: NDArray[np.bool_] | None,
        colours: Sequence[Floats],
        at: Sequence[Point],
    ) -> Array:
        side = PLACE_SIDE
        shown = None if hidden is None else np.repeat(hidden[..., None].astype(np.uint8) * 255, 3, 2)
        stacks = np.empty((len(at), len(colours), 12, side, side), np.float32)
        stacks[:, :, 9:] = (np.asarray(colours, np.float32) * 2 - 1)[:, :, None, None]
        for stack, point in zip(stacks, at, strict=True):
            mask = np.zeros((side, side), np.float32)
            if shown is not None:
                mask[crop(shown, point, 0.0, side, PLACE_MM, self._scale)[..., 0] > 64] = 1
            both = planes([crop(patch, point, 0.0, side, PLACE_MM, self._scale) for patch in (seen, bare)])
            stack[:, :8] = (both * (1 - mask)).reshape(8, side, side)
            stack[:, 8] = mask
        scores = _in_batches(net, stacks.reshape(-1, 12, side, side)).reshape(len(at), len(colours), -1)
        return np.asarray((scores - np.logaddexp.reduce(scores, axis=2)[..., None]).mean(axis=0), np.float64)


def _in_batches(net: "cv2.dnn.Net", stacks: Floats) -> Array:
    """What a network says of stacks (N×C×H×W), shown a few at a time."""
    return np.concatenate(
        [_answers(net, stacks[first : first + MOST_AT_ONCE]) for first in range(0, len(stacks), MOST_AT_ONCE)]
    )


def _answers(net: "cv2.dnn.Net", stacks: Floats) -> Array:
    """What a network says of stacks (N×C×H×W), as an array of its own."""
    net.setInput(stacks)
    return np.array(net.forward(), np.float64)


def _side_by_side(pairs: Sequence[tuple[Bytes, Bytes]]) -> Floats:
    """Stacks (N×8×H×W) of pairs of pictures."""
    return np.concatenate([planes(pictures) for pictures in zip(*pairs, strict=True)], axis=1)
