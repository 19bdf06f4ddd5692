"""One-to-one assignment, exactly: how probable each piece is at each place when every piece exists once.

The places are independent given who is where, so the sum over *all* assignments is a forward and a backward pass over
the places with, as state, how many pieces of each kind have been used. Eight different pieces make 256 states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """What the evidence says of one place: weight of "no piece" and of every kind of piece, in any common unit."""

    spot: str
    none: float
    kinds: Mapping[str, float]


@dataclass(frozen=True)
class Marginals:
    """``at[spot][kind]`` probability that a piece of the kind lies there; ``missing[kind]`` that at least one lies nowhere."""

    at: Mapping[str, Mapping[str, float]]
    missing: Mapping[str, float]


def marginals(places: Sequence[Place], counts: Mapping[str, int], missing: Mapping[str, float]) -> Marginals:
    """Posterior over all assignments. ``counts`` pieces exist of each kind; ``missing`` is the weight of one of the kind
    being nowhere among the places (off the board, or hidden), against its being at one given place unseen."""
    kinds = tuple(counts)
    shape = tuple(counts[kind] + 1 for kind in kinds)
    end = np.ones(shape)
    for axis, kind in enumerate(kinds):
        absent = counts[kind] - np.arange(counts[kind] + 1)
        end = end * (missing[kind] ** absent).reshape([-1 if a == axis else 1 for a in range(len(kinds))])
    backward = [end]
    for place in reversed(places):
        here = backward[0]
        total = place.none * here
        for axis, kind in enumerate(kinds):
            weight = place.kinds.get(kind, 0.0)
            if weight > 0:
                total = total + weight * _earlier(here, axis)
        backward.insert(0, total / total.max())
    forward = np.zeros(shape)
    forward[(0,) * len(kinds)] = 1.0
    at: dict[str, dict[str, float]] = {}
    for index, place in enumerate(places):
        after = backward[index + 1]
        parts = {
            kind: weight * float((forward * _earlier(after, axis)).sum())
            for axis, kind in enumerate(kinds)
            if (weight := place.kinds.get(kind, 0.0)) > 0
        }
        whole = place.none * float((forward * after).sum()) + sum(parts.values())
        at[place.spot] = {kind: part / whole for kind, part in parts.items()}
        total = place.none * forward
        for axis, kind in enumerate(kinds):
            weight = place.kinds.get(kind, 0.0)
            if weight > 0:
                total = total + weight * _later(forward, axis)
        forward = total / total.max()
    final = forward * end
    final = final / final.sum()
    gone = {kind: float(1 - np.take(final, counts[kind], axis=axis).sum()) for axis, kind in enumerate(kinds)}
    return Marginals(at, gone)


def _earlier(values: Array, axis: int) -> Array:
    """``values`` as seen before one piece of this kind was used: element k holds what k + 1 held; the last is 0."""
    shifted = np.zeros_like(values)
    _put(shifted, axis, slice(None, -1), _get(values, axis, slice(1, None)))
    return shifted


def _later(values: Array, axis: int) -> Array:
    shifted = np.zeros_like(values)
    _put(shifted, axis, slice(1, None), _get(values, axis, slice(None, -1)))
    return shifted


def _get(values: Array, axis: int, part: slice) -> Array:
    return values[tuple(part if a == axis else slice(None) for a in range(values.ndim))]


def _put(values: Array, axis: int, part: slice, content: Array) -> None:
    values[tuple(part if a == axis else slice(None) for a in range(values.ndim))] = content
