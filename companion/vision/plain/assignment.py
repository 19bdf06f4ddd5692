"""One-to-one assignment, exactly: how probable each piece is at each place when every piece exists once.

The places are independent given who is where, so the sum over *all* assignments is a forward and a backward pass over
the places with, as state, how many pieces of each kind have been used. Eight different pieces make 256 states.
"""

import math
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
    states = np.indices(shape).reshape(len(kinds), math.prod(shape))
    # For every kind and state the state with one piece more and one piece less; one past the last where there is none.
    number = np.arange(states.shape[1]).reshape(shape)
    more, less = (np.full(states.shape, states.shape[1]) for _ in range(2))
    for axis, kind in enumerate(kinds):
        upper, lower = states[axis] < counts[kind], states[axis] > 0
        more[axis, upper] = np.take(number, range(1, counts[kind] + 1), axis=axis).reshape(-1)
        less[axis, lower] = np.take(number, range(counts[kind]), axis=axis).reshape(-1)
    absent = np.array([counts[kind] for kind in kinds])[:, None] - states
    end = np.prod(np.array([missing[kind] for kind in kinds])[:, None] ** absent, axis=0)
    weights = np.array([[place.kinds.get(kind, 0.0) for kind in kinds] for place in places]).reshape(len(places), len(kinds))
    weights = np.maximum(weights, 0.0)
    backward = [end]
    onwards: list[Array] = []  # of every place: what follows when it takes one piece of each kind
    for place, weight in zip(reversed(places), weights[::-1], strict=True):
        here = backward[-1]
        onwards.append(np.append(here, 0.0)[more])
        total = place.none * here + weight @ onwards[-1]
        backward.append(total / total.max())
    forward = np.zeros(states.shape[1])
    forward[0] = 1.0
    at: dict[str, dict[str, float]] = {}
    for index, (place, weight) in enumerate(zip(places, weights, strict=True)):
        after = len(places) - 1 - index
        parts = weight * (onwards[after] @ forward)
        whole = place.none * float(forward @ backward[after]) + float(parts.sum())
        at[place.spot] = {kind: float(part / whole) for kind, part, w in zip(kinds, parts, weight, strict=True) if w > 0}
        total = place.none * forward + weight @ np.append(forward, 0.0)[less]
        forward = total / total.max()
    final = forward * end
    final = final / final.sum()
    gone = {kind: float(1 - final[states[axis] == counts[kind]].sum()) for axis, kind in enumerate(kinds)}
    return Marginals(at, gone)
