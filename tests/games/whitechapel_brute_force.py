"""A second, deliberately simple engine for Letters from Whitechapel: JSON in, JSON out, every rule written out by hand.

It shares nothing with the first but the board file: streets are walked line by line with the tees in place, positions are plain
dicts, and whether a change is lawful is found by listing every lawful act and comparing what each leads to.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

from companion.games import letters_from_whitechapel

Json = dict[str, Any]
BOARD = json.loads((Path(letters_from_whitechapel.__file__).parent / "board.json").read_text(encoding="utf-8"))
RED = {entry["n"] for entry in BOARD["circles"] if entry.get("red")}
YELLOW = {entry["id"] for entry in BOARD["crossings"] if entry.get("yellow")}
VICTIMS, TOKENS, MARKED = [1, 1, 2, 1], [8, 7, 6, 4], [5, 4, 3, 1]
STOCK = [(3, 2), (2, 2), (2, 1), (1, 1)]
LINES: dict[str, list[str]] = {}
for street in BOARD["streets"]:
    LINES.setdefault(street["a"], []).append(street["b"])
    LINES.setdefault(street["b"], []).append(street["a"])
TEE = next(node for node, ends in LINES.items() if node[0] == "t" and {"c44", "x059", "x073"} <= set(ends))


def rule(position: Json, name: str, default: str) -> str:
    return position["house_rules"].get(name, default)


def onward(came: str, node: str, closed: bool) -> list[str]:
    """Where lines lead from a node, having come from another; turning round leads nowhere new."""
    ends = LINES[node]
    if closed and node == TEE and {came} & {"c44", "x073"}:
        ends = [end for end in ends if end not in ("c44", "x073")]
    return ends


def met(start: str, stops: str, through: str, barred: frozenset[str], closed: bool) -> set[str]:
    """Nodes of the kind ``stops`` met first along lines through nodes of the kinds ``through`` that are not barred."""
    found, seen = set(), set()
    trail = [(start, end) for end in onward("", start, closed)]
    while trail:
        came, node = trail.pop()
        if (came, node) in seen:
            continue
        seen.add((came, node))
        if node[0] in stops:
            found.add(node)
        elif node[0] in through and node not in barred:
            trail += [(node, end) for end in onward(came, node, closed)]
    return found - {start}


@cache
def walk(circle: int, barred: frozenset[str] = frozenset(), closed: bool = False) -> tuple[int, ...]:
    return tuple(sorted(int(node[1:]) for node in met(f"c{circle}", "c", "xt", barred, closed)))


@cache
def look(crossing: str, closed: bool = False) -> tuple[int, ...]:
    return tuple(sorted(int(node[1:]) for node in met(crossing, "c", "t", frozenset(), closed)))


@cache
def stride(crossing: str, closed: bool = False) -> frozenset[str]:
    once = met(crossing, "x", "ct", frozenset(), closed)
    return frozenset({crossing} | once | {to for one in once for to in met(one, "x", "ct", frozenset(), closed)})


@cache
def alley(circle: int) -> tuple[int, ...]:
    rims = [{int(node[1:]) for node in block["boundary"] if node[0] == "c"} for block in BOARD["blocks"]]
    return tuple(sorted({other for rim in rims if circle in rim for other in rim} - {circle}))


def is_closed(position: Json) -> bool:
    return rule(position, "edge-44", "open") == "closed"


def tonight(position: Json) -> list[int]:
    scenes = position["crime_scenes"]
    return scenes[position["night"] - 1] if len(scenes) >= position["night"] else []


def police_first(position: Json) -> bool:
    return position["night"] == 3 and rule(position, "double-event", "police-first") == "police-first"


def left(position: Json) -> int:
    used = sum(2 if kind == "coach" else 1 for kind in position["track"])
    return 14 + position["time"] - used - police_first(position)


def tokens(position: Json) -> dict[str, int]:
    coaches, alleys = STOCK[position["night"] - 1]
    return {"coach": coaches - position["track"].count("coach"), "alley": alleys - position["track"].count("alley")}


def jack_moves(position: Json, row: list[int], hideout: int) -> list[tuple[str, tuple[int, ...], bool]]:
    here, closed = row[-1], is_closed(position)
    found = [("walk", (to,), to == hideout) for to in walk(here, frozenset(position["police"].values()), closed)]
    if not found and rule(position, "trapped", "any-move") == "walk":
        return []
    if tokens(position)["coach"] > 0 and left(position) >= 2:
        for middle in walk(here, frozenset(), closed):
            found += [("coach", (middle, end), False) for end in walk(middle, frozenset(), closed) if end != here]
    if tokens(position)["alley"] > 0:
        found += [("alley", (to,), False) for to in alley(here)]
    return found


def order(position: Json) -> list[str]:
    seats = position["seats"]
    first = seats.index(position["head"])
    return [seats[(first + number) % 5] for number in range(5)]


def turn(position: Json) -> list[str]:
    done = position["moved"] if position["phase"] == "police-move" else position["acted"]
    waiting = [colour for colour in order(position) if colour not in done]
    if rule(position, "police-order", "clockwise") == "clockwise":
        return waiting[:1]
    missed = set(position["missed"]) if position["phase"] == "police-act" else set()
    return [colour for colour in waiting if missed <= set(look(position["police"][colour], is_closed(position)))]


def move_targets(position: Json, colour: str) -> set[str]:
    others = {spot for other, spot in position["police"].items() if other != colour}
    shared = rule(position, "shared-crossing", "no") == "yes"
    return set(stride(position["police"][colour], is_closed(position))) - (set() if shared else others)


def search_targets(position: Json, colour: str) -> set[int]:
    found = set(look(position["police"][colour], is_closed(position))) - set(position["missed"])
    choice = rule(position, "search-scenes", "earlier")
    if choice == "earlier":
        found -= set(tonight(position))
    if choice == "none":
        found -= {circle for night in position["crime_scenes"] for circle in night}
    return found if rule(position, "search-found", "no") == "yes" else found - set(position["clues"])


def arrest_targets(position: Json, colour: str) -> set[int]:
    return set() if position["missed"] else set(look(position["police"][colour], is_closed(position)))


def woman_targets(position: Json, circle: int, wretched: list[int]) -> set[int]:
    patrols = frozenset(position["patrols"])
    scenes = {scene for night in position["crime_scenes"] for scene in night}
    beside = {near for crossing in patrols for near in look(crossing, is_closed(position))}
    return set(walk(circle, patrols, is_closed(position))) - scenes - beside - set(wretched)


def scatterings(position: Json) -> Iterator[list[int]]:
    """Every arrangement the Wretched can be in once each has had her turn, in whatever order."""
    for turns in set(permutations(position["wretched"])):
        stack = [(list(turns), list(position["wretched"]))]
        while stack:
            waiting, stand = stack.pop()
            if not waiting:
                yield sorted(stand)
                continue
            circle, *rest = waiting
            targets = woman_targets(position, circle, stand)
            if not targets:
                stack.append((rest, stand))
            stack += [(rest, [to if one == circle else one for one in stand]) for to in targets]


# --- acts: dicts with "act" and what goes with it ---------------------------------------------------------------------


def after(position: Json, act: Json) -> Json:
    """The position an act leads to, lawful or not."""
    new: Json = json.loads(json.dumps(position))
    getattr(_After, act["act"].replace("-", "_"))(new, act)
    return new


class _After:
    """One function for each act; each changes the copy it is given."""

    @staticmethod
    def kill(new: Json, act: Json) -> None:
        new["wretched"] = [circle for circle in new["wretched"] if circle not in act["circles"]]
        new["crime_scenes"].append(sorted(act["circles"]))
        new["phase"] = "reveal"

    @staticmethod
    def wait(new: Json, _: Json) -> None:
        new["time"] += 1
        new["phase"] = "wretched"

    @staticmethod
    def wretched(new: Json, act: Json) -> None:
        for origin, to in act["moves"]:
            new["wretched"] = sorted([circle for circle in new["wretched"] if circle != origin] + [to])
        new["phase"] = "reveal"

    @staticmethod
    def turn_up(new: Json, act: Json) -> None:
        new["patrols"][act["crossing"]] = act["token"]
        if act["token"] == "fake":
            del new["patrols"][act["crossing"]]
        new["phase"] = "kill"

    @staticmethod
    def reveal(new: Json, act: Json) -> None:
        new.update(patrols={}, wretched=[], police=dict(act["police"]), phase="police-move" if police_first(new) else "jack")

    @staticmethod
    def escape(new: Json, act: Json) -> None:
        new["track"].append(act["act"])
        new.update(moved=[], acted=[], missed=[], phase="police-move")
        if act["home"] and new["night"] < 4:
            new.update(night=new["night"] + 1, phase="women", time=1, track=[], clues=[])
        elif act["home"] or left(new) <= 0:
            new["phase"] = "over"

    walk = coach = alley = escape

    @staticmethod
    def trapped(new: Json, _: Json) -> None:
        new["phase"] = "over"

    @staticmethod
    def move(new: Json, act: Json) -> None:
        new["police"][act["by"]] = act["crossing"]
        new["moved"].append(act["by"])
        if len(new["moved"]) >= 5:
            new.update(phase="police-act", moved=[], acted=[])

    @staticmethod
    def done(new: Json, act: Json) -> None:
        new["missed"] = []
        new["acted"].append(act["by"])
        if len(new["acted"]) >= 5:
            new.update(phase="jack", moved=[], acted=[])

    @staticmethod
    def search(new: Json, act: Json) -> None:
        if act["clue"]:
            new["clues"] = sorted({*new["clues"], act["circle"]})
            _After.done(new, act)
        else:
            new["missed"] = sorted({*new["missed"], act["circle"]})

    @staticmethod
    def arrest(new: Json, act: Json) -> None:
        if act["arrested"]:
            new.update(phase="over", moved=[], acted=[], missed=[])
        else:
            _After.done(new, act)

    stop = done


def lawful_acts(position: Json) -> Iterator[Json]:
    """Every lawful act of a phase from the murder on, but for those of the Wretched and of the patrols' reveal."""
    phase = position["phase"]
    if phase == "kill":
        count = VICTIMS[position["night"] - 1]
        for dead in permutations(position["wretched"], count):
            yield {"act": "kill", "circles": sorted(dead)}
        if position["time"] < 5:
            yield {"act": "wait"}
    if phase == "reveal" and not tonight(position):
        yield from _turning_up(position)
    if phase == "jack":
        yield from _escapes(position)
    if phase == "police-move":
        for colour in turn(position):
            yield from ({"act": "move", "by": colour, "crossing": to} for to in move_targets(position, colour))
    if phase == "police-act":
        for colour in turn(position):
            yield from _actions(position, colour)


def _turning_up(position: Json) -> Iterator[Json]:
    shown = position["patrols"].values()
    for crossing, token in position["patrols"].items():
        if token == "down":
            colours = [colour for colour in position["seats"] if colour not in shown]
            fakes = ["fake"] if len(position["patrols"]) > 5 else []
            yield from ({"act": "turn-up", "crossing": crossing, "token": token} for token in colours + fakes)


def _actions(position: Json, colour: str) -> Iterator[Json]:
    yield {"act": "stop", "by": colour}
    for circle in search_targets(position, colour):
        yield from ({"act": "search", "by": colour, "circle": circle, "clue": clue} for clue in (False, True))
    for circle in arrest_targets(position, colour):
        yield from ({"act": "arrest", "by": colour, "circle": circle, "arrested": made} for made in (False, True))


def _escapes(position: Json) -> Iterator[Json]:
    """By what everybody sees: at the scene of the crime it is known where Jack stands, later not."""
    starts = tonight(position) if not position["track"] else []
    closed, police = is_closed(position), frozenset(position["police"].values())
    on_foot = rule(position, "trapped", "any-move") == "walk"
    ways = [bool(walk(start, police, closed)) for start in starts]
    if not starts or any(ways):
        yield from ({"act": "walk", "home": home} for home in (False, True))
    coach = tokens(position)["coach"] > 0 and left(position) >= 2
    stuck = on_foot and bool(starts) and not any(ways)
    if coach and not stuck:
        yield {"act": "coach", "home": False}
    lane = tokens(position)["alley"] > 0 and (not starts or any(alley(start) for start in starts))
    if lane and not stuck:
        yield {"act": "alley", "home": False}
    if not (bool(starts) and all(ways)) if on_foot else not (coach or (lane and starts)):
        yield {"act": "trapped"}


def lawful(position: Json, new: Json) -> bool:
    """Whether one lawful act leads from one position to the other."""
    if position["phase"] == "wretched":
        arranged = any(stand == new["wretched"] for stand in scatterings(position))
        return arranged and {**position, "wretched": new["wretched"], "phase": "reveal"} == new
    if position["phase"] == "reveal" and tonight(position):
        return _unmasked(position, new)
    return any(after(position, act) == new for act in lawful_acts(position))


def _unmasked(position: Json, new: Json) -> bool:
    police, patrols = new["police"], position["patrols"]
    shown = all(police.get(token) == spot for spot, token in patrols.items() if token != "down")
    places = len(police) == 5 and len(set(police.values())) == 5 and set(police.values()) <= set(patrols)
    return shown and places and after(position, {"act": "reveal", "police": police}) == new
