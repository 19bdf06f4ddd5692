"""A table made of words: positions become readings, and a player's hands move pieces on it."""

from dataclasses import dataclass, field, replace
from typing import Any

from companion.boards import Piece
from companion.games import load
from companion.games.game import Game
from companion.games.seats import Held
from companion.record.commitment import commit
from companion.record.events import Event
from companion.referee.answers import by_secret, entrusted, on_answer
from companion.referee.decide import on_hidden, on_reading, on_record, on_time
from companion.referee.match import Draft, Match, apply, look
from companion.vision.reading import Reading, Sighting

GAME = load("mr-jack-london")
NONCE = bytes(range(32))


def reading_of(state: dict[str, Any], at: float = 0.0, unknown: dict[str, str] | None = None, game: Game = GAME) -> Reading:
    """The reading a perfect camera makes of a state in position keys."""
    pieces, hidden = game.pieces(), unknown or {}
    sightings: list[Sighting] = []
    for group in pieces.groups.values():
        held = state.get(group.key)
        mine = pieces.in_group(group.key)
        if group.layout in ("by-piece", "lone"):
            entries = held if group.layout == "by-piece" else {mine[0].id: held or {}}
            sightings += [
                Sighting(name, entry["hex"], entry.get("side"), entry.get("facing"))
                for name, entry in entries.items()
                if entry.get("hex") and name not in hidden
            ]
        elif group.layout == "by-zone":
            sightings += _in_zones(mine, held, hidden)
        elif group.layout == "value":
            places = game.board(game.editions()[0]).places_of(group.on[0])
            sightings += [Sighting(mine[0].id, place.id) for place in places if place.value == held and held is not None]
        else:
            spots = ["+".join(spot) for spot in held] if group.layout == "pairs" else held
            alike = _alike(mine, [(spot, held[spot] if group.layout == "by-place" else None) for spot in spots])
            sightings += [one for one in alike if f"{group.singular}:{one.place}" not in hidden]
    return Reading(tuple(sightings), hidden, captured_at=at)


def _in_zones(mine: tuple[Piece, ...], held: dict[str, list[str]], hidden: dict[str, str]) -> list[Sighting]:
    """Cards of zones in their order; one that shows a shared side may be any that is not seen."""
    named = {card for cards in held.values() for card in cards}
    free, found = [piece for piece in mine if piece.id not in named], []
    for zone, cards in held.items():
        for rank, card in enumerate(cards):
            if card in {piece.id for piece in mine}:
                found += [Sighting(card, zone, "up", rank=rank)] if card not in hidden else []
            else:
                found.append(Sighting(free.pop().id, zone, card, among=tuple(piece.id for piece in mine), rank=rank))
    return found


def _alike(mine: tuple[Piece, ...], lying: list[tuple[str, Any]]) -> list[Sighting]:
    """Which of the pieces that look alike lies where; one that shows its back may be any that has such a back."""
    free, found = list(mine), []
    for spot, label in sorted(lying, key=lambda one: not any(piece.label == one[1] for piece in mine)):
        fits = [piece for piece in free if label in (*piece.faces, piece.label)]
        piece = next(iter(sorted(fits, key=lambda one: one.label != label)))
        free.remove(piece)
        found.append(Sighting(piece.id, spot, label if piece.faces else None))
    return found


@dataclass
class Hands:
    """A referee with a table under it. Every method that moves something lets the referee look afterwards."""

    game: Game = GAME
    match: Match = field(default_factory=lambda: Match(GAME))
    events: list[Event] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    now: float = 0.0
    unknown: dict[str, str] = field(default_factory=dict)
    burnt: tuple[str, ...] = ()
    jack: str | None = None
    half: set[str] = field(default_factory=set)
    lying: dict[str, str] = field(default_factory=dict)

    @classmethod
    def at_start(cls, edition: str | None = None, game: Game = GAME, **more: Any) -> "Hands":
        start = game.start(edition)
        rules = {rule.name: rule.default for rule in game.house_rules}
        hands = cls(game, Match(game), **more)
        data = {
            "id": "g1", "game": game.id, "edition": start.edition, "label": "", "house_rules": rules,
            "position": start.to_json(),
        }  # fmt: skip
        hands.write([Draft("match-opened", data)])
        hands.lay(start)
        return hands

    def lay(self, position: Any) -> None:
        """Put every piece where a position has it."""
        data = position.to_json()
        self.state = {key: data[key] for key in self.game.pieces().groups}

    def write(self, drafts: list[Draft]) -> list[str]:
        for draft in drafts:
            event = Event.following(self.events[-1] if self.events else None, draft.kind, draft.data, self.now)
            self.events.append(event)
            self.match = apply(self.match, event)
        return [draft.kind for draft in drafts]

    def see(self, seconds: float = 1.0, reading: Reading | None = None) -> list[str]:
        """A settled look; returns the kinds of the events it led to."""
        self.now += seconds
        self.match = look(self.match, reading or self.reading())
        return self.settle()

    def reading(self) -> Reading:
        """What the camera makes of the table as it lies."""
        places = {name: self.lying.get(name) or self.state["characters"][name]["hex"] for name in self.half}
        return replace(reading_of(self.state, self.now, self.unknown, self.game), lying=places, burnt=self.burnt)

    def half_told(self, name: str, why: str = "its side cannot be told") -> None:
        """From now on the camera tells of this disc only where it lies."""
        self.unknown[name] = why
        self.half.add(name)

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

    def shift(self, group: str, origin: str | None, to: str | None, label: Any = None) -> "Hands":
        """Move one tile, without looking; None is the box, out of which one with ``label`` comes."""
        held = self.state[group]
        if isinstance(held, dict):
            label = held.get(origin, label)
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
        (identity,) = self.game.purposes
        bound = commit(self.match.id, str(self.jack), NONCE)
        self.write(entrusted(self.match, "jack", identity, self.jack, Held("jack"), bound))

    def last(self, kind: str) -> Event:
        return next(event for event in reversed(self.events) if event.kind == kind)

    def _by_secret(self) -> list[Draft]:
        question = self.match.question
        if self.jack is None or question is None or question["kind"] != "call":
            return []
        return by_secret(self.match, Held("jack", {"identity": (self.jack,)}))


def settled_hands(**more: Any) -> Hands:
    """A table on which the start set-up was agreed and turn 1 is open."""
    hands = Hands.at_start(**more)
    hands.see()
    return hands


__all__ = ["GAME", "Hands", "reading_of", "replace", "settled_hands"]
