"""One-to-one assignment: how probable each piece is at each place when every piece exists once.

The places are independent given who is where, so the sum over *all* assignments is a forward and a backward pass over
the places with, as state, how many pieces of each kind have been used. Eight different pieces make 256 states. Most places are
as good as surely empty: some of them at once count as one place, as if none of them held two pieces together.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

EMPTY = 1e-5
"""Weight of all pieces together, against that of none, up to which a place is as good as surely empty."""
TOGETHER = 12
"""How many such places count as one. That two pieces lie on two of them is left out: no probability changes by more than a
hundred-thousandth while every piece is found, by 0.0002 while two of them may be nowhere."""


@dataclass(frozen=True)
class PlaceWeights:
    """What the evidence says of one place: weight of "no piece" and of every kind of piece, in any common unit."""

    spot: str
    none: float
    kinds: Mapping[str, float]


@dataclass(frozen=True)
class Marginals:
    """``at[spot][kind]`` probability that a piece of the kind lies there; ``missing[kind]`` that at least one lies nowhere."""

    at: Mapping[str, Mapping[str, float]]
    missing: Mapping[str, float]


def marginals(places: Sequence[PlaceWeights], counts: Mapping[str, int], missing: Mapping[str, float]) -> Marginals:
    """Posterior over all assignments. ``counts`` pieces exist of each kind; ``missing`` is the weight of one of the kind
    being nowhere among the places (off the board, or hidden), against its being at one given place unseen."""
    kinds = tuple(counts)
    states, more, less = _states(tuple(counts[kind] + 1 for kind in kinds))
    absent = np.array([counts[kind] for kind in kinds])[:, None] - states
    end = np.prod(np.array([missing[kind] for kind in kinds])[:, None] ** absent, axis=0)
    steps, none, weights = _steps(places, kinds)
    backward = [end]
    onwards: list[Array] = []  # of every step: what follows when it takes one piece of each kind
    for bare, weight in zip(reversed(none), weights[::-1], strict=True):
        here = backward[-1]
        onwards.append(np.append(here, 0.0)[more])
        total = bare * here + weight @ onwards[-1]
        backward.append(total / total.max())
    forward = np.zeros(states.shape[1])
    forward[0] = 1.0
    found: dict[str, dict[str, float]] = {}
    for index, (members, bare, weight) in enumerate(zip(steps, none, weights, strict=True)):
        after = len(steps) - 1 - index
        unit = onwards[after] @ forward
        whole = bare * float(forward @ backward[after]) + float(weight @ unit)
        for place in members:
            own = bare / place.none if len(members) > 1 else 1.0
            found[place.spot] = {
                kind: float(value * own * part / whole)
                for kind, part in zip(kinds, unit, strict=True)
                if (value := place.kinds.get(kind, 0.0)) > 0
            }
        total = bare * forward + weight @ np.append(forward, 0.0)[less]
        forward = total / total.max()
    final = forward * end
    final = final / final.sum()
    gone = {kind: float(1 - final[states[axis] == counts[kind]].sum()) for axis, kind in enumerate(kinds)}
    return Marginals({place.spot: found[place.spot] for place in places}, gone)


@lru_cache(maxsize=16)
def _states(shape: tuple[int, ...]) -> tuple[Array, NDArray[np.intp], NDArray[np.intp]]:
    """How many pieces of each kind have been used (K×S) in every state, and the state with one piece of a kind more and one
    less (K×S each); S, one past the last, where there is none."""
    size = math.prod(shape)
    states = np.indices(shape).reshape(len(shape), size)
    number = np.arange(size).reshape(shape)
    more, less = (np.full(states.shape, size) for _ in range(2))
    for axis, end in enumerate(shape):
        upper, lower = states[axis] < end - 1, states[axis] > 0
        more[axis, upper] = np.take(number, range(1, end), axis=axis).reshape(-1)
        less[axis, lower] = np.take(number, range(end - 1), axis=axis).reshape(-1)
    return np.asarray(states, np.float64), more, less


def _steps(places: Sequence[PlaceWeights], kinds: Sequence[str]) -> tuple[list[list[PlaceWeights]], list[float], Array]:
    """The places one after another, those as good as surely empty some at a time: which, the weight of none (S), and of every
    kind (S×K)."""
    empty = [place for place in places if 0 < sum(place.kinds.values()) <= EMPTY * place.none]
    known = {place.spot for place in empty}
    steps = [[place] for place in places if place.spot not in known]
    steps += [empty[first : first + TOGETHER] for first in range(0, len(empty), TOGETHER)]
    none = [members[0].none if len(members) == 1 else 1.0 for members in steps]
    weights = np.array(
        [
            [
                sum(place.kinds.get(kind, 0.0) * (bare / place.none if len(some) > 1 else 1.0) for place in some)
                for kind in kinds
            ]
            for some, bare in zip(steps, none, strict=True)
        ]
    ).reshape(len(steps), len(kinds))
    return steps, none, np.maximum(weights, 0.0)
