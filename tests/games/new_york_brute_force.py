"""A second, deliberately simple rules engine for New York, used only to check the first one.

It works on plain dicts and walks one step at a time over axial coordinates; it shares no table and no path search with
the product. It knows the default house rules only. It is slow, and that is all right.
"""

import json
from importlib import resources

DATA = json.loads((resources.files("companion.boards") / "data" / "mr-jack-new-york.json").read_text(encoding="utf-8"))
SIX = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
AT = {(cell["q"], cell["r"]): name for name, cell in DATA["cells"].items() if "q" in cell}
KIND = {name: cell["kind"] for name, cell in DATA["cells"].items()}
ARROWS = {"A8": ["LIBERTY"], "C6": ["LIBERTY"], "LIBERTY": ["G2", "E16"]}
STREETS = [name for name, kind in KIND.items() if kind == "street"]
PORTS = [name for name, kind in KIND.items() if kind == "port"]
WALKABLE = ("street", "subway", "pier", "statue")
BUILDS = {"beach": "subway", "cloud_rider": "building", "latimer": "lamp"}


def touching(cell):
    if "q" not in DATA["cells"][cell]:
        return []
    q, r = DATA["cells"][cell]["q"], DATA["cells"][cell]["r"]
    return [AT[q + dq, r + dr] for dq, dr in SIX if (q + dq, r + dr) in AT]


def under(state):
    return [cell for pair in state["barricades"] for cell in pair]


def trains(state):
    found = [c for c, kind in KIND.items() if kind == "subway"] + [c for c, t in state["tiles"].items() if t == "subway"]
    return [c for c in found if c not in under(state)]


def is_house(state, cell):
    return KIND[cell] == "building" or state["tiles"].get(cell) == "building"


def open_ground(state, cell):
    free = state["tiles"].get(cell) not in ("lamp", "building") and cell not in under(state)
    return KIND[cell] in WALKABLE and free


def roofs(state, cells):
    """Houses reachable from these cells over houses alone."""
    found, edge = set(), set(cells)
    while edge:
        edge = {c for cell in edge for c in touching(cell) if is_house(state, c) and c not in found}
        found |= edge
    return found


def walk(state, name, on_foot=False):
    """(hexes where a walk can end, occupied or not; exits), step by step."""
    start = state["characters"][name]["hex"]
    flies = name == "cloud_rider" and not on_foot
    here, stops, out = {start}, set(), set()
    for _ in range(3):
        around = here | (roofs(state, here) if flies else set())
        near = {c for cell in around for c in touching(cell) + ARROWS.get(cell, [])}
        out |= {c for c in near if KIND[c] == "exit" or c in state["steamboats"]}
        step = {c for c in near if open_ground(state, c)}
        if not on_foot and here & set(trains(state)):
            step |= set(trains(state))
        here = step
        stops |= step
    return stops - {start}, out


def copy(state):
    return json.loads(json.dumps(state))


def moved(state, name, cell):
    new = copy(state)
    new["characters"][name]["hex"] = cell
    return new


def standing(state, cell):
    return [name for name, disc in state["characters"].items() if disc["hex"] == cell]


def walked(state, name, role, on_foot=False):
    """All (state, end) after this character walks."""
    stops, out = walk(state, name, on_foot)
    informant = state["informant"]
    for cell in stops:
        there = standing(state, cell)
        if there:
            if role != "jack" and not on_foot and state["characters"][there[0]]["side"] == "suspect":
                yield moved(state, name, cell), "accusation"
        elif cell != informant["hex"]:
            yield moved(state, name, cell), None
        elif informant["side"] == "talkative":
            new = moved(state, name, cell)
            for goal in KIND:
                if open_ground(new, goal) and not standing(new, goal) and goal != cell:
                    after = copy(new)
                    after["informant"] = {"hex": goal, "side": "silent"}
                    yield after, None
    may = state["witness_card"] == "unseen" and state["turn"] > 1 and role != "detective"
    if out and may and state["characters"][name]["side"] == "suspect":
        yield moved(state, name, None), "escape"


def empty_street(state, cell):
    taken = [disc["hex"] for disc in state["characters"].values()] + [state["informant"]["hex"]]
    return KIND[cell] == "street" and cell not in state["tiles"] and cell not in under(state) and cell not in taken


def ability(state, name):
    """All states after the ability."""
    if name in BUILDS:
        yield from built(state, BUILDS[name])
    elif name == "grant":
        yield from parked(state)
    elif name == "callahan":
        yield from barricaded(state)
    elif name == "smith":
        yield from shipped(state)
    elif name == "tumblety":
        yield from swapped(state)


def built(state, kind):
    limit = {"subway": 7, "lamp": 6, "building": 4}[kind]
    if list(state["tiles"].values()).count(kind) >= limit or len(state["tiles"]) >= 17:
        return
    same = [c for c, t in state["tiles"].items() if t == kind] + (["G8"] if kind == "subway" else [])
    for cell in STREETS:
        if empty_street(state, cell) and (kind == "building" or not any(c in same for c in touching(cell))):
            new = copy(state)
            new["tiles"][cell] = kind
            yield new


def parked(state):
    for cell, kind in state["tiles"].items():
        if kind != "park" and not (kind == "subway" and cell in under(state)):
            new = copy(state)
            new["tiles"][cell] = "park"
            yield new


def shipped(state):
    for number in range(2):
        for port in PORTS:
            if port not in state["steamboats"]:
                new = copy(state)
                new["steamboats"][number] = port
                yield new


def swapped(state):
    near = touching(state["characters"]["tumblety"]["hex"])
    for one in state["characters"]:
        for other in state["characters"]:
            a, b = state["characters"][one]["hex"], state["characters"][other]["hex"]
            if one != other and "tumblety" not in (one, other) and a in near and b:
                yield moved(moved(state, one, b), other, a)


def barricaded(state):
    taken = [disc["hex"] for disc in state["characters"].values()] + [state["informant"]["hex"]]
    for number in range(2):
        for one in KIND:
            for other in touching(one):
                pair = sorted((one, other))
                if all(
                    KIND[c] in ("street", "subway")
                    and state["tiles"].get(c) not in ("lamp", "building")
                    and c not in taken
                    and c not in state["barricades"][1 - number]
                    for c in pair
                ) and pair != sorted(state["barricades"][number]):
                    new = copy(state)
                    new["barricades"][number] = pair
                    yield new


def like(state, name):
    """Whether two characters are seen alike: lamps and neighbours, parks and the island apart."""

    def seen(who):
        spot = state["characters"][who]["hex"]
        dark = lambda cell: state["tiles"].get(cell) == "park" or cell == "LIBERTY"  # noqa: E731
        if spot is None or dark(spot):
            return False
        lamps = any(state["tiles"].get(c) == "lamp" for c in touching(spot))
        return lamps or any(
            disc["hex"] in touching(spot) and not dark(disc["hex"])
            for other, disc in state["characters"].items()
            if other != who and disc["hex"]
        )

    return seen(name) == seen("eastman")


def plays(state, name, role):
    """All (state, end) of one play of ``name``; ``role`` None: either side may be moving."""
    if name == "eastman":
        outcomes = list(walked(state, name, role))
        stuck = not any(end is None for _, end in outcomes)
        for other in state["characters"]:
            if other != "eastman" and state["characters"][other]["hex"] and like(state, other):
                outcomes += walked(state, other, role, on_foot=True)
        yield from outcomes
        if stuck:
            yield state, None
        return
    optional = name == "tumblety"
    first = list(ability(state, name))
    out = list(walked(state, name, role))
    for new, end in out:
        if end:
            yield new, end
            continue
        later = list(ability(new, name))
        if optional or not (later or first):
            yield new, None
        yield from ((after, None) for after in later)
    for new in first:
        yield from walked(new, name, role)
    if not any(end is None for _, end in out):
        yield from ((new, None) for new in first)
        if optional or not first:
            yield state, None


def key(state, end):
    """A canonical key: what stands where, and how it ended (cards left aside)."""
    discs = {n: (d["hex"], d.get("side")) for n, d in state["characters"].items()}
    barricades = sorted(sorted(pair) for pair in state["barricades"])
    return json.dumps(
        [sorted(discs.items()), sorted(state["tiles"].items()), barricades, sorted(state["steamboats"]),
         sorted(state["informant"].items()), end]
    )  # fmt: skip


def all_keys(position, name, role):
    """The keys of every legal play, from a position's JSON."""
    return {key(state, end) for state, end in plays(position, name, role)}
