"""Tiles, barricades and steamboats under judgement: what may be the played character's doing, and what cannot be."""

from companion.boards import PAIR
from companion.games.mr_jack.casework import FOREIGN, SLIP, WRONG_PLACE, alike_moved, marked
from companion.games.mr_jack_new_york.actions import (
    Action,
    Rules,
    barricade_pairs,
    build,
    build_cells,
    in_supply,
    make_park,
    move_barricade,
    move_steamboat,
    park_cells,
    why_not_barricade,
    why_not_build,
)
from companion.games.mr_jack_new_york.case import Case
from companion.games.mr_jack_new_york.names import BUILDS, CALLAHAN, GRANT, INFORMANT, NAMES, PARK, SMITH
from companion.games.mr_jack_new_york.position import Position
from companion.games.mr_jack_new_york.streets import streets_of
from companion.games.mr_jack_new_york.wording import fault

Use = tuple[str, ...]
"""One use of an ability: ``("build", cell)``, ``("park", cell)``, ``("barricade", old, new)``, ``("boat", old, new)``."""


def claimed_use(case: Case) -> tuple[Use | None, bool]:
    """(what the ability seems to have done, whether pieces of its kind were touched); blames all that nobody's ability did."""
    uses = [*_tiles(case), *_barricades(case), *_boats(case)]
    return (uses[0] if len(uses) == 1 else None), bool(uses) or _touched(case)


def _touched(case: Case) -> bool:
    changes, name = case.changes, case.character
    if name in BUILDS:
        return any(label == BUILDS[name] for _, label in (*changes.tiles_new, *changes.tiles_gone))
    if name == GRANT:
        return bool(changes.shown)
    if name == CALLAHAN:
        return bool(changes.barricades_gone or changes.barricades_new)
    return name == SMITH and bool(changes.boats_gone or changes.boats_new)


def _tiles(case: Case) -> list[Use]:
    changes, name = case.changes, case.character
    player = NAMES[name]
    own = BUILDS.get(name)
    built = [cell for cell, label in changes.tiles_new if label == own]
    for cell, label in changes.tiles_new:
        if label != own:
            case.blame(FOREIGN, fault(f"tile-added/{label}", None, cells=(cell,), to=cell, player=player))
    for cell, label in changes.tiles_gone:
        case.blame(FOREIGN, fault(f"tile-removed/{label}", None, cells=(cell,), allowed=(cell,), origin=cell))
    parks = []
    for cell, was, now in changes.shown:
        if now == PARK and name == GRANT:
            parks.append(cell)
        elif PARK in (was, now):
            case.blame(FOREIGN, fault(f"tile-turned/{was}", None, cells=(cell,), origin=cell, player=player))
        else:
            case.blame(FOREIGN, fault("tile-changed", None, cells=(cell,), origin=cell))
    if len(built) > 1:
        found = fault(f"builds-several/{own}", name, cells=tuple(built), count=len(built))
        case.blame(SLIP + FOREIGN * (len(built) - 2), found)
    if len(parks) > 1:
        case.blame(SLIP + FOREIGN * (len(parks) - 2), fault("parks-several", name, cells=tuple(parks), count=len(parks)))
    if len(built) == 1 and not in_supply(case.before, str(own)):
        case.blame(WRONG_PLACE, fault(f"supply/{own}", name, cells=tuple(built), to=built[0]))
        return []
    return [("build", cell) for cell in built[:1] if len(built) == 1] + [
        ("park", cell) for cell in parks[:1] if len(parks) == 1
    ]


def _barricades(case: Case) -> list[Use]:
    changes = case.changes
    gone, new = [PAIR.join(pair) for pair in changes.barricades_gone], [PAIR.join(pair) for pair in changes.barricades_new]
    return _alike(case, "barricade", CALLAHAN, gone, new)


def _boats(case: Case) -> list[Use]:
    return _alike(case, "steamboat", SMITH, list(case.changes.boats_gone), list(case.changes.boats_new))


def _alike(case: Case, word: str, owner: str, gone: list[str], new: list[str]) -> list[Use]:
    """The use that the owner seems to have made of pieces that look alike. One that slid by a hex is paired with itself."""
    gone.sort(key=lambda spot: not any(set(spot.split(PAIR)) & set(other.split(PAIR)) for other in new))
    pair = alike_moved(case, word, owner, gone, new)
    return [("boat" if word == "steamboat" else word, *pair)] if pair and len(gone) == len(new) else []


# --- one use of an ability, before or after the walk --------------------------------------------------------------------


def use(case: Case, position: Position, used: Use, rules: Rules) -> Action | None:
    """The ability used in this position; blames the case and answers None when it cannot be used so."""
    kind, cell = used[0], used[1]
    if kind == "build":
        return _build(case, position, cell, rules)
    if kind == "park":
        if cell in park_cells(position):
            return make_park(position, cell)
        allowed = tuple(park_cells(case.before))
        case.blame(WRONG_PLACE, fault("park-covered", case.character, cells=(cell,), allowed=allowed, to=cell))
        return None
    if kind == "barricade":
        return _barricade(case, position, used, rules)
    free = tuple(sorted(streets_of(position.edition).ports.difference(position.steamboats)))
    if used[2] in free:
        return move_steamboat(position, cell, used[2])
    code = "steamboat-doubled" if used[2] in position.steamboats else "steamboat-misplaced"
    words = {"origin": cell, "to": used[2]}
    case.blame(WRONG_PLACE, fault(code, case.character, cells=(used[2], cell), allowed=free, **words))
    return None


def _build(case: Case, position: Position, cell: str, rules: Rules) -> Action | None:
    label = BUILDS[case.character]
    reason = why_not_build(position, label, cell, rules)
    if reason is None:
        return build(position, label, cell)
    code, other = reason
    allowed = build_cells(case.walked(case.before), label, rules)
    cells = marked(cell, other if other in streets_of(position.edition).board else None)
    found = fault(f"{code}/{label}", case.character, cells=cells, allowed=tuple(allowed), to=cell, other=_called(other))
    case.blame(WRONG_PLACE, found)
    return None


def _barricade(case: Case, position: Position, used: Use, rules: Rules) -> Action | None:
    old, new = tuple(used[1].split(PAIR)), tuple(used[2].split(PAIR))
    reason = why_not_barricade(position, old, new, rules)
    if reason is None:
        return move_barricade(position, old, new)
    code, cell, who = reason
    allowed = sorted({c for pair in barricade_pairs(case.walked(case.before), old, rules) for c in pair})
    words = {"to": used[2], "cell": cell, "other": _called(who)}
    case.blame(WRONG_PLACE, fault(code, case.character, cells=new, allowed=tuple(allowed), **words))
    return None


def _called(who: str) -> str:
    return "the informant" if who == INFORMANT else NAMES.get(who, who)
