"""A table made of words: positions become readings, and a player's hands move pieces on it."""

from dataclasses import dataclass, field, replace
from typing import Any

from companion.games import load
from companion.record.events import Event
from companion.referee.answers import call, entrusted, on_answer
from companion.referee.decide import on_hidden, on_reading, on_record, on_time
from companion.referee.match import Draft, Match, apply, look
from companion.vision.reading import Reading, Sighting

GAME = load("mr-jack-london")


def reading_of(state: dict[str, Any], at: float = 0.0, unknown: dict[str, str] | None = None) -> Reading:
    """The reading a perfect camera makes of a state in position keys."""
    pieces = GAME.pieces()
    places = GAME.board(GAME.editions()[0]).places
    hidden = unknown or {}
    sightings: list[Sighting] = []
    for group in pieces.groups.values():
        held = state.get(group.key)
        ids = [piece.id for piece in pieces.in_group(group.key)]
        if group.layout == "by-piece":
            sightings += [
                Sighting(name, entry["hex"], entry.get("side"), entry.get("facing"))
                for name, entry in held.items()
                if entry.get("hex") and name not in hidden
            ]
        elif group.layout == "value":
            spots = [place.id for place in places.values() if place.kind in group.on and place.value == held]
            sightings += [Sighting(ids[0], spot) for spot in spots if held is not None]
        else:
            free = list(ids)
            for spot in held:
                if f"{group.singular}:{spot}" in hidden:
                    continue
                label = held[spot] if group.layout == "by-place" else None
                chosen = next(name for name in free if label is None or pieces.pieces[name].label == label)
                free.remove(chosen)
                sightings.append(Sighting(chosen, spot))
    return Reading(tuple(sightings), hidden, captured_at=at)


@dataclass
class Hands:
    """A referee with a table under it. Every method that moves something lets the referee look afterwards."""

    match: Match = field(default_factory=lambda: Match(GAME))
    events: list[Event] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    now: float = 0.0
    unknown: dict[str, str] = field(default_factory=dict)
    jack: str | None = None

    @classmethod
    def at_start(cls, edition: str = "first-2006", **more: Any) -> "Hands":
        start = GAME.start(edition)
        rules = {rule.name: rule.default for rule in GAME.house_rules}
        hands = cls(**more)
        data = {
            "id": "g1", "game": GAME.id, "edition": edition, "label": "", "house_rules": rules, "position": start.to_json(),
        }  # fmt: skip
        hands.write([Draft("match-opened", data)])
        hands.lay(start)
        return hands

    def lay(self, position: Any) -> None:
        """Put every piece where a position has it."""
        data = position.to_json()
        self.state = {key: data[key] for key in GAME.pieces().groups}

    def write(self, drafts: list[Draft]) -> list[str]:
        for draft in drafts:
            event = Event.following(self.events[-1] if self.events else None, draft.kind, draft.data, self.now)
            self.events.append(event)
            self.match = apply(self.match, event)
        return [draft.kind for draft in drafts]

    def see(self, seconds: float = 1.0, reading: Reading | None = None) -> list[str]:
        """A settled look; returns the kinds of the events it led to."""
        self.now += seconds
        self.match = look(self.match, reading or reading_of(self.state, self.now, self.unknown))
        return self.settle()

    def settle(self) -> list[str]:
        kinds: list[str] = []
        for _ in range(60):
            drafts = self._by_secret() or (
                on_reading(self.match, self.match.table) if self.match.table else on_record(self.match)
            )
            if not drafts:
                return kinds
            kinds += self.write(drafts)
        raise AssertionError(f"never at rest: {kinds[-6:]}")

    def wait(self, seconds: float) -> list[str]:
        self.now += seconds
        return self.write(on_time(self.match, self.now)) + self.settle()

    def ponder(self, seconds: float) -> list[str]:
        """Time goes by until hidden pieces are thought about, and they are, to the end."""
        self.now += seconds
        thought = on_hidden(self.match, self.now)
        while True:
            try:
                next(thought)
            except StopIteration as end:
                return self.write(end.value) + self.settle()

    def say(self, **answer: Any) -> list[str]:
        return self.write(on_answer(self.match, answer)) + self.settle()

    def move(self, name: str, to: str | None, **more: Any) -> "Hands":
        """Move one disc, without looking."""
        entry = {**self.state["characters"].get(name, {}), "hex": to, **more}
        self.state = {**self.state, "characters": {**self.state["characters"], name: entry}}
        return self

    def turn(self, *names: str, side: str = "innocent") -> "Hands":
        for name in names:
            self.move(name, self.state["characters"][name]["hex"], side=side)
        return self

    def shift(self, group: str, origin: str | None, to: str | None) -> "Hands":
        """Move one tile, without looking; None is the box."""
        held = self.state[group]
        if isinstance(held, dict):
            label = held.get(origin)
            kept = {spot: tile for spot, tile in held.items() if spot != origin}
            self.state = {**self.state, group: {**kept, to: label} if to else kept}
        else:
            kept_spots = [spot for spot in held if spot != origin]
            self.state = {**self.state, group: sorted([*kept_spots, to] if to else kept_spots)}
        return self

    def mark_turn(self, turn: int) -> "Hands":
        self.state = {**self.state, "turn": turn}
        return self

    def write_secret(self) -> None:
        """Jack entrusts who he is (the hands know it as ``jack``)."""
        self.write(entrusted(self.match, self.jack))

    def last(self, kind: str) -> Event:
        return next(event for event in reversed(self.events) if event.kind == kind)

    def _by_secret(self) -> list[Draft]:
        question = self.match.question
        if self.jack is None or question is None or question["kind"] != "call":
            return []
        return call(self.match, self.jack in GAME.witness(self.match.position).seen)


def settled_hands(**more: Any) -> Hands:
    """A table on which the start set-up was agreed and turn 1 is open."""
    hands = Hands.at_start(**more)
    hands.see()
    return hands


__all__ = ["GAME", "Hands", "reading_of", "replace", "settled_hands"]
