"""The board as a graph: circles 1..195, crossings ``x001..x234``, dotted lines between them.

Tees (``t01..t17``) are places where dotted lines meet and nobody can stand; their arms are joined pairwise. The data lie in
``board.json`` beside this module; coordinates there are fractions of the printed board, for drawing only.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import combinations
from types import MappingProxyType
from typing import Any

Near = tuple[int, ...]


@cache
def board_data() -> Mapping[str, Any]:
    """What the board file holds, not to be changed."""
    return MappingProxyType(json.loads((resources.files(__package__) / "board.json").read_text(encoding="utf-8")))


@dataclass(frozen=True)
class Streets:
    """Who can reach what. Circles are numbers, crossings ids; every tuple is sorted."""

    circles: tuple[int, ...]
    red: frozenset[int]
    crossings: tuple[str, ...]
    yellow: frozenset[str]
    edges: frozenset[frozenset[str]]
    """The graph to play on, between ``c7`` and ``x042``; 593 of them."""
    doors: Mapping[int, tuple[str, ...]]
    """Circle -> crossings joined to it with nothing between."""
    looks: Mapping[str, tuple[int, ...]]
    """Crossing -> circles that a policeman there may search or arrest at."""
    links: Mapping[str, tuple[str, ...]]
    """Crossing -> crossings joined to it with nothing between."""
    direct: Mapping[int, tuple[int, ...]]
    """Circle -> circles joined to it with no crossing between: nobody can bar that way."""
    steps: Mapping[str, tuple[str, ...]]
    """Crossing -> crossings one step of a policeman away, circles ignored."""
    blocks: tuple[tuple[int, ...], ...]
    """The circles on the rim of each block."""
    alleys: Mapping[int, tuple[int, ...]]
    """Circle -> other circles on the rim of a block that it lies on."""
    walks: Mapping[int, tuple[int, ...]]
    """Circle -> circles one walk away on an empty board."""
    zones: Mapping[str, frozenset[int]]
    """Crossing -> circles whose walks on an empty board may pass it."""

    def flood(self, circle: int, occupied: Collection[str]) -> Near:
        """Circles one walk away: along dotted lines through any number of free crossings to the first circle."""
        found, seen = set(self.direct[circle]), set(occupied)
        edge = [crossing for crossing in self.doors[circle] if crossing not in seen]
        seen.update(edge)
        while edge:
            crossing = edge.pop()
            found.update(self.looks[crossing])
            for link in self.links[crossing]:
                if link not in seen:
                    seen.add(link)
                    edge.append(link)
        found.discard(circle)
        return tuple(sorted(found))

    def reach(self, crossing: str, steps: int) -> tuple[str, ...]:
        """Crossings at most ``steps`` steps of a policeman away, the crossing itself included."""
        reached = {crossing}
        for _ in range(steps):
            reached |= {step for place in reached for step in self.steps[place]}
        return tuple(sorted(reached))

    def distance(self, origin: str, to: str) -> int:
        """Steps of a policeman between two crossings."""
        reached, steps = {origin}, 0
        while to not in reached:
            reached |= {step for place in reached for step in self.steps[place]}
            steps += 1
        return steps


@lru_cache(maxsize=1024)
def walks_among(line_44: bool, occupied: frozenset[str]) -> Mapping[int, Near]:
    """Circle -> circles one walk away with pieces on the ``occupied`` crossings; only circles near these are flooded anew."""
    streets = load(line_44)
    near = {circle for crossing in occupied for circle in streets.zones[crossing]}
    return {**streets.walks, **{circle: streets.flood(circle, occupied) for circle in near}}


@cache
def load(line_44: bool = True) -> Streets:
    """The graph, with or without the contested line between circle 44 and crossing x073 (house rule ``edge-44``)."""
    data = board_data()
    circles = tuple(entry["n"] for entry in data["circles"])
    crossings = tuple(entry["id"] for entry in data["crossings"])
    edges = _edges(data, line_44)
    near: dict[str, set[str]] = {f"c{n}": set() for n in circles} | {crossing: set() for crossing in crossings}
    for a, b in map(tuple, edges):
        near[a].add(b)
        near[b].add(a)
    doors = {n: _crossings(near[f"c{n}"]) for n in circles}
    looks = {crossing: _circles(near[crossing]) for crossing in crossings}
    links = {crossing: _crossings(near[crossing]) for crossing in crossings}
    direct = {n: _circles(near[f"c{n}"]) for n in circles}
    blocks = tuple(_circles(entry["boundary"]) for entry in data["blocks"])
    bare = Streets(
        circles,
        frozenset(entry["n"] for entry in data["circles"] if entry.get("red")),
        crossings,
        frozenset(entry["id"] for entry in data["crossings"] if entry.get("yellow")),
        edges, doors, looks, links, direct,
        {crossing: _step(crossing, near) for crossing in crossings},
        blocks,
        {n: tuple(sorted({other for rim in blocks if n in rim for other in rim} - {n})) for n in circles},
        {}, {},
    )  # fmt: skip
    walks = {n: bare.flood(n, ()) for n in circles}
    return Streets(**{**vars(bare), "walks": walks, "zones": _zones(bare)})


def _edges(data: Mapping[str, Any], line_44: bool) -> frozenset[frozenset[str]]:
    """Drawn lines with every tee replaced by lines between its arms."""
    arms: dict[str, set[str]] = {entry["id"]: set() for entry in data["tees"]}
    edges: set[frozenset[str]] = set()
    for street in data["streets"]:
        ends = {street["a"], street["b"]}
        tees = ends & arms.keys()
        for tee in tees:
            arms[tee] |= ends - {tee}
        if not tees:
            edges.add(frozenset(ends))
    for ends in arms.values():
        edges |= {frozenset(pair) for pair in combinations(sorted(ends), 2)}
    return frozenset(edges if line_44 else edges - {frozenset(data["contested"])})


def _circles(nodes: Collection[str]) -> tuple[int, ...]:
    return tuple(sorted({int(node[1:]) for node in nodes if node.startswith("c")}))


def _crossings(nodes: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(node for node in nodes if node.startswith("x")))


def _step(crossing: str, near: Mapping[str, set[str]]) -> tuple[str, ...]:
    """The crossings met first along lines through any number of circles."""
    found, seen, edge = set(), {crossing}, [crossing]
    while edge:
        for node in near[edge.pop()] - seen:
            seen.add(node)
            if node.startswith("x"):
                found.add(node)
            else:
                edge.append(node)
    return tuple(sorted(found))


def _zones(streets: Streets) -> Mapping[str, frozenset[int]]:
    """For each crossing the circles round the cluster of crossings, joined without a circle between, that it belongs to."""
    zones: dict[str, frozenset[int]] = {}
    for start in streets.crossings:
        if start in zones:
            continue
        cluster, edge = {start}, [start]
        while edge:
            fresh = set(streets.links[edge.pop()]) - cluster
            cluster |= fresh
            edge += fresh
        around = frozenset(circle for crossing in cluster for circle in streets.looks[crossing])
        zones |= dict.fromkeys(cluster, around)
    return zones
