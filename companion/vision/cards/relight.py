"""Taught pictures in the light of those that are seen."""

from functools import cache

import numpy as np

from companion.vision.cards.view import Floats

_LIGHT_GAINS, _COLOUR_GAINS = (0.8, 1.25), (0.5, 1.6)
"""How much less and more contrast, and colour, a card may show than when it was taught; dusk is taken out before. Of 654 looks
at known cards under glare two had a gain of light below 0.86, none one above 1.11; at 0.52 to 0.62 plusses passed for discs."""
_HOLD_LIGHT = np.array([100.0, 0.02, 0.04, 0.04], np.float32)
_HOLD_COLOUR = np.array([60.0, 0.1], np.float32)
_NEAR = np.array([1.0, 0.0, 0.0, 0.0], np.float32)
"""How the light is held near that in which a card was taught (one over variances: a gain of 1.1, an offset of 7 levels of
light and 3 of colour, a slope of 5): a face with little on it must not be made of any other one, nor of the bare mat."""


def lit(
    taught: Floats, seen: Floats, weight: Floats, rounds: int, noise: Floats | None = None, every: int = 1
) -> tuple[Floats, Floats]:
    """Taught pictures (T×h×w×3) in the light of those that are seen (h×w×3, or one each): light has a gain, an offset and a
    slope, colour a gain and an offset; what does not fit counts less. ``weight``: h×w, or one each; ``every``: of so many
    pixels one is asked for the light. And how unlikely (nats) that light is."""
    many, rows, columns = taught.shape[:3]
    flat = (many, rows * columns)
    y = np.broadcast_to(seen, taught.shape).reshape(*flat, 3)
    t = taught.reshape(*flat, 3)
    level = np.broadcast_to(weight.reshape(-1, rows * columns), flat)
    inverse: Floats | None = None if noise is None else np.asarray(1 / np.square(noise.reshape(*flat, 3)), np.float32)
    terms = _terms(rows, columns)
    few = (slice(None), slice(None, None, every))
    own = None if inverse is None else inverse[..., 0][few]
    fit, cost = _light_of(t[..., 0][few], y[..., 0][few], level[few], rounds, own, terms[::every], _HOLD_LIGHT, _LIGHT_GAINS)
    light = _under(fit, t[..., 0], terms)
    t, y, level = (np.concatenate(pair) for pair in ((t[..., 1], t[..., 2]), (y[..., 1], y[..., 2]), (level, level)))
    own = None if inverse is None else np.concatenate([inverse[..., 1], inverse[..., 2]])[few]
    fit, more = _light_of(t[few], y[few], level[few], rounds, own, terms[::every, :1], _HOLD_COLOUR, _COLOUR_GAINS)
    colour = _under(fit, t, terms[:, :1])
    found = np.stack([light, colour[:many], colour[many:]], axis=-1)
    return found.reshape(taught.shape), cost + more[:many] + more[many:]


def _under(fit: Floats, t: Floats, terms: Floats) -> Floats:
    """One channel of taught pictures (T×N) in a light (T×1+K), see :func:`_light_of`."""
    return np.asarray(t * fit[:, :1] + fit[:, 1:] @ terms.T, np.float32)


def _light_of(
    t: Floats,
    y: Floats,
    level: Floats,
    rounds: int,
    inverse: Floats | None,
    terms: Floats,
    hold: Floats,
    gains: tuple[float, float],
) -> tuple[Floats, Floats]:
    """The light (T×1+K: gain, and the ``terms``, N×K, the first is 1, of an offset) in which one channel of taught pictures
    (T×N) looks like what is seen; and how unlikely (nats) that is. ``inverse``: one over the noise's variance."""
    many, extra = len(t), terms.shape[1]
    squares = (terms[:, :, None] * terms[:, None, :]).reshape(len(terms), -1)
    near = _NEAR[: 1 + extra]
    root = None if inverse is None else np.sqrt(inverse)
    w = level if inverse is None else np.asarray(level * inverse, np.float32)
    # What the light of the lesson explains counts from the first: a glare over a third of a card must not be taken for light.
    astray = np.asarray(y - t, np.float32)
    trust = _trusted(np.asarray(astray - _middles(astray), np.float32), root)
    w = np.asarray(w * trust, np.float32)
    normal = np.empty((many, 1 + extra, 1 + extra), np.float32)
    right = np.empty((many, 1 + extra), np.float32)
    for number in range(rounds):
        wt = w * t
        normal[:, 0, 0] = np.einsum("ij,ij->i", wt, t)
        normal[:, 0, 1:] = normal[:, 1:, 0] = wt @ terms
        normal[:, 1:, 1:] = (w @ squares).reshape(many, extra, extra)
        right[:, 0] = np.einsum("ij,ij->i", wt, y)
        right[:, 1:] = (w * y) @ terms
        fit = np.linalg.solve(normal + np.diag(hold), (right + hold * near)[..., None])[..., 0]
        gain = np.clip(fit[:, 0], *gains)
        off = gain != fit[:, 0]
        if off.any():
            total = w[off].sum(axis=1) + 1e-9
            fit[off, 0] = gain[off]
            fit[off, 1] = ((y[off] - t[off] * gain[off, None]) * w[off]).sum(axis=1) / total
            fit[off, 2:] = 0
        if number < rounds - 1:
            w = np.asarray(level * _trusted(np.asarray(y - _under(fit, t, terms), np.float32), root), np.float32)
            w = w if inverse is None else np.asarray(w * inverse, np.float32)
    return np.asarray(fit, np.float32), np.asarray(0.5 * (np.square(fit - near) * hold).sum(axis=1), np.float32)


def _trusted(rest: Floats, root: Floats | None) -> Floats:
    """How much each cell counts in a fit of the light by what is left of it (T×N; ``root``: one over the noise)."""
    rest = rest if root is None else np.asarray(rest * root, np.float32)
    spread = 1.5 * _middles(np.abs(rest)) + 1.0
    return np.asarray(1 / np.square(1 + np.square(rest / (2 * spread))), np.float32)


def middle(values: Floats) -> float:
    """The median of some values, at least one."""
    return float(_middles(values[None])[0, 0])


def _middles(values: Floats) -> Floats:
    """The median of each row (T×N), as a column."""
    half, odd = divmod(values.shape[1], 2)
    # NumPy parts values at one place several times as fast as at two, and the greatest of the lower half is soon found.
    parted = np.partition(values, half, axis=1)
    middle = parted[:, half : half + 1]
    if not odd:
        middle = (parted[:, :half].max(axis=1, keepdims=True) + middle) / 2
    return np.asarray(middle, np.float32)


@cache
def _terms(rows: int, columns: int) -> Floats:
    """What a slope of light is made of (N×3): 1, and -1 to 1 across and down a picture."""
    down, across = np.meshgrid(
        np.linspace(-1, 1, rows, dtype=np.float32), np.linspace(-1, 1, columns, dtype=np.float32), indexing="ij"
    )
    return np.stack([np.ones(rows * columns, np.float32), across.reshape(-1), down.reshape(-1)], axis=1)
