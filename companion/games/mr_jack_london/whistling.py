"""Goodley's whistle: three points shared among others, each of whom ends nearer to him by walking distance."""

from collections.abc import Iterator
from functools import lru_cache

from companion.games.mr_jack_london.house_rules import Rules
from companion.games.mr_jack_london.names import CHARACTERS, GOODLEY, INDEX, WHISTLE_POINTS
from companion.games.mr_jack_london.streets import Streets

Hexes = tuple[str | None, ...]
Called = tuple[tuple[int, str], ...]
GOODLEY_INDEX = INDEX[GOODLEY]
OTHERS = tuple(index for index in range(len(CHARACTERS)) if index != GOODLEY_INDEX)


@lru_cache(maxsize=16384)
def nearer(net: Streets, centre: str, origin: str) -> tuple[tuple[str, int], ...]:
    """Hexes nearer to ``centre`` than ``origin``, at most three street steps away, with those steps."""
    towards = net.on_foot[centre]
    now = towards[origin]
    return tuple((cell, steps) for cell, steps in net.nearby[origin] if towards[cell] < now and cell != centre)


def whistles(net: Streets, hexes: Hexes, centre: str, limit: int = WHISTLE_POINTS) -> Iterator[tuple[Called, int]]:
    """Every way to share at most ``limit`` points, as (who goes where, points), nobody ending on an occupied hex.

    The order among the called is free: one may step onto a hex that another leaves, because whoever stands nearer can
    always go first. ``centre`` is where Goodley stands when he whistles; no one can end there.
    """
    options = [
        (index, nearer(net, centre, spot))
        for index in OTHERS
        for spot in (hexes[index],)
        if spot is not None and spot in net.streets and spot != centre
    ]
    standing = {spot: index for index, spot in enumerate(hexes) if index != GOODLEY_INDEX and spot is not None}

    def nearest_first(call: tuple[int, str]) -> int:
        return net.on_foot[centre][hexes[call[0]] or centre]

    def share(number: int, points: int, called: Called) -> Iterator[tuple[Called, int]]:
        if number == len(options) or points == limit:
            if _all_free(called, standing):
                yield tuple(sorted(called, key=nearest_first)), points
            return
        yield from share(number + 1, points, called)
        index, targets = options[number]
        for cell, steps in targets:
            if points + steps <= limit and all(cell != other for _, other in called):
                yield from share(number + 1, points + steps, (*called, (index, cell)))

    yield from share(0, 0, ())


def _all_free(called: Called, standing: dict[str, int]) -> bool:
    leaving = {index for index, _ in called}
    return all(cell not in standing or standing[cell] in leaving for _, cell in called)


def most_points(net: Streets, hexes: Hexes, centre: str) -> int:
    """The largest number of points up to three that can legally be used."""
    best = 0
    for _, points in whistles(net, hexes, centre):
        best = max(best, points)
        if best == WHISTLE_POINTS:
            break
    return best


def least_points(net: Streets, hexes: Hexes, centre: str, rules: Rules) -> int:
    """How many points must be used under the house rules."""
    rule = rules["whistle-points"]
    if rule == "none-needed":
        return 0
    most = most_points(net, hexes, centre)
    return most if rule == "spend-all" else min(1, most)


def allowed_whistles(net: Streets, hexes: Hexes, centre: str, rules: Rules) -> list[Called]:
    """Every whistle that the house rules let pass."""
    found = list(whistles(net, hexes, centre))
    rule = rules["whistle-points"]
    most = max(points for _, points in found)
    least = {"spend-all": most, "any": min(1, most), "none-needed": 0}[rule]
    return [called for called, points in found if points >= least]


def whistled_accusations(net: Streets, hexes: Hexes, centre: str, accusable: tuple[int, ...]) -> Iterator[tuple[Called, int]]:
    """Whistles that end with one character pulled onto a suspect (house rule), as (who goes where, accused)."""
    for called, points in whistles(net, hexes, centre):
        moved = dict(called)
        now = tuple(moved.get(index, spot) for index, spot in enumerate(hexes))
        for index in OTHERS:
            spot = now[index]
            if index in moved or spot is None or spot == centre:
                continue
            for cell, steps in nearer(net, centre, spot):
                accused = next(
                    (a for a in accusable if now[a] == cell and a not in moved and a not in (index, GOODLEY_INDEX)), None
                )
                if accused is not None and points + steps <= WHISTLE_POINTS:
                    yield (*called, (index, cell)), accused
