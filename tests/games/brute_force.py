"""A second, deliberately simple rules engine, used only to check the first one.

It works on plain dicts and walks one step at a time over axial coordinates; it shares no table, no path search and no
set of final hexes with the product. It knows the default house rules only. It is slow, and that is all right.
"""

import json
from importlib import resources
from itertools import permutations

DATA = json.loads((resources.files("companion.boards") / "data" / "mr-jack-london.json").read_text(encoding="utf-8"))
SIX = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
AT = {(cell["q"], cell["r"]): name for name, cell in DATA["cells"].items()}
KIND = {name: cell["kind"] for name, cell in DATA["cells"].items()}
GATES = {name: place["gate"] for name, place in DATA["places"].items() if place["kind"] == "exit"}


def beside(cell):
    q, r = DATA["cells"][cell]["q"], DATA["cells"][cell]["r"]
    return [AT[q + dq, r + dr] for dq, dr in SIX.values() if (q + dq, r + dr) in AT]


def steps_from(state, cells, crossing):
    """Where one more step leads from any of these cells."""
    manholes = DATA["editions"][state["edition"]]["kinds"]["manhole"]
    found = set()
    for cell in cells:
        found |= {c for c in beside(cell) if crossing or KIND[c] == "street"}
        if cell in manholes and cell not in state["covers"]:
            found |= {c for c in manholes if c not in state["covers"] and c != cell}
    return found


def walk(state, name):
    """(hexes a character can stop on, exits it can leave by), step by step."""
    crossing, limit = name == "stealthy", 4 if name == "stealthy" else 3
    start = state["characters"][name]["hex"]
    here, stops, ways_out = {start}, set(), set()
    for _ in range(limit):
        ways_out |= {e for e, gate in GATES.items() if gate in here and e not in state["cordons"]}
        here = steps_from(state, here, crossing)
        stops |= {c for c in here if KIND[c] == "street"}
    return stops - {start}, ways_out


def changed(state, name=None, **keys):
    new = json.loads(json.dumps(state))
    new.update(keys)
    return new


def moved(state, name, cell):
    new = changed(state)
    new["characters"][name]["hex"] = cell
    return new


def faced(state, facing):
    new = changed(state)
    new["characters"]["watson"]["facing"] = facing
    return new


def standing(state, cell):
    return [name for name, disc in state["characters"].items() if disc["hex"] == cell]


def walked(state, name, role):
    """All (state, end) after this character walks: free hexes, accusations, exits."""
    stops, ways_out = walk(state, name)
    for cell in stops:
        there = standing(state, cell)
        if not there:
            yield moved(state, name, cell), None
        elif role != "jack" and state["characters"][there[0]]["side"] == "suspect":
            yield moved(state, name, cell), "accusation"
    allowed = state["witness_card"] == "unseen" and state["turn"] > 1 and role != "detective"
    if ways_out and allowed and state["characters"][name]["side"] == "suspect":
        gone = moved(state, name, None)
        if name == "watson":
            del gone["characters"]["watson"]["facing"]
        yield gone, "escape"


def pieces(state, name):
    """All states after the ability of Smith, Lestrade or Bert."""
    if name == "smith":
        for spot, label in state["gaslights"].items():
            for goal in (c for c, kind in KIND.items() if kind == "gaslight" and c not in state["gaslights"]):
                yield changed(state, gaslights={**{s: x for s, x in state["gaslights"].items() if s != spot}, goal: label})
    if name == "lestrade":
        for one in state["cordons"]:
            for goal in GATES:
                if goal not in state["cordons"]:
                    yield changed(state, cordons=[c for c in state["cordons"] if c != one] + [goal])
    if name == "bert":
        for one in state["covers"]:
            for goal in DATA["editions"][state["edition"]]["kinds"]["manhole"]:
                if goal not in state["covers"]:
                    yield changed(state, covers=[c for c in state["covers"] if c != one] + [goal])


def foot_distance(start):
    """Street steps from a cell to every street."""
    found, edge = {start: 0}, [start]
    while edge:
        edge = [c for cell in edge for c in beside(cell) if KIND[c] == "street" and c not in found]
        for cell in edge:
            found.setdefault(cell, 1 + min(found[c] for c in beside(cell) if c in found))
    return found


def whistled(state):
    """All states after the whistle: people are called one after the other, each to a hex that is free at that moment."""
    centre = state["characters"]["goodley"]["hex"]
    towards = foot_distance(centre)
    others = [name for name, disc in state["characters"].items() if name != "goodley" and disc["hex"]]
    apart = {name: foot_distance(state["characters"][name]["hex"]) for name in others}
    near = {
        name: [(c, d) for c, d in apart[name].items() if 0 < d <= 3 and towards[c] < towards[state["characters"][name]["hex"]]]
        for name in others
    }
    results = {}

    def call(now, queue, points, called):
        key = json.dumps(now, sort_keys=True)
        results[key] = (now, points, called)
        if queue:
            name = queue[0]
            for cell, steps in near[name]:
                if points + steps <= 3 and not standing(now, cell):
                    call(moved(now, name, cell), queue[1:], points + steps, (*called, name))

    for count in range(4):
        for queue in permutations(others, count):
            call(state, queue, 0, ())
    most = max(points for _, points, _ in results.values())
    for now, points, called in results.values():
        if points == most:
            if "watson" in called:
                yield from (faced(now, facing) for facing in SIX)
            else:
                yield now


def aimed(outcomes):
    """Watson walked: the game goes on with the lantern pointing anywhere."""
    for new, end in outcomes:
        yield from [(new, end)] if end else ((faced(new, facing), None) for facing in SIX)


def swapped(state):
    """All states after Gull's swap."""
    here = state["characters"]["gull"]["hex"]
    for other in state["characters"]:
        if other != "gull":
            new = moved(moved(state, "gull", state["characters"][other]["hex"]), other, here)
            yield from ((faced(new, facing) for facing in SIX) if other == "watson" else [new])


def plays(state, name, role):
    """All (state, end) of one play of ``name``; ``role`` None: either side may be moving."""
    if name == "gull":
        yield from ((new, None) for new in swapped(state))
    if name in ("gull", "holmes", "stealthy"):
        yield from walked(state, name, role)
    elif name == "watson":
        yield from aimed(walked(state, name, role))
    else:
        ability = whistled if name == "goodley" else lambda now: pieces(now, name)
        for first in ability(state):
            yield from walked(first, name, role)
        for new, end in walked(state, name, role):
            yield from [(new, end)] if end else ((after, None) for after in ability(new))


def key(state, end):
    """A canonical key: what stands where, and how it ended (cards left aside)."""
    discs = {n: (d["hex"], d.get("side"), d.get("facing")) for n, d in state["characters"].items()}
    return json.dumps(
        [sorted(discs.items()), sorted(state["gaslights"].items()), sorted(state["covers"]), sorted(state["cordons"]), end]
    )


def all_keys(position, name, role):
    """The keys of every legal play, from a position's JSON."""
    return {key(state, end) for state, end in plays(position, name, role)}
