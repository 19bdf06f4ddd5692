"""The table and its secret as frozen values, and their JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.get_adler.house_rules import BY_NAME
from companion.games.get_adler.names import EDITION, GAME, GUN, VILLAINS

STEPS = (
    "draw", "play", "answer", "look", "take", "give", "verdict", "reveal", "pass", "return", "confrontation", "refill", "show",
    "over",
)  # fmt: skip
STAGES = ("respond", "match", "shoot", "claim")
"""``claim``: only where heroes stay hidden at the reveal: whose ability counts may turn his role up."""
ENDS = ("away", "bomb", "arrested", "death")
"""How a confrontation ended: its stage while hands are refilled."""
Traits = Mapping[str, Mapping[str, str]]
"""The owner's table: by role, by trait, a colour."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player. ``role`` once it is up; ``cleared`` by a false arrest; ``shown`` a role that a play has shown.
    ``since``: the hour in which the turns to be skipped were lost, where that decides which ones they are."""

    hand: int
    alive: bool = True
    skips: int = 0
    role: str | None = None
    cleared: bool = False
    shown: str | None = None
    since: int | None = None

    def to_json(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in ("hand", "alive", "skips", "role", "cleared", "shown")}
        return data if self.since is None else {**data, "since": self.since}


@dataclass(frozen=True, slots=True)
class Pending:
    """What has been begun with a card and not ended: who (``by``) to whom (``target``). ``apart``: the card, an arrest, lies
    before its suspect and not on the pile. ``taken``: cards to be given back. ``told``: villains who showed no document."""

    card: str
    by: int
    target: int | None = None
    trait: str | None = None
    colour: str | None = None
    taken: int = 1
    apart: bool = False
    told: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"card": self.card, "by": self.by, "target": self.target}
        for name, absent in (("trait", None), ("colour", None), ("taken", 1), ("apart", False), ("told", ())):
            value = getattr(self, name)
            if value != absent:
                data[name] = list(value) if isinstance(value, tuple) else value
        return data


@dataclass(frozen=True, slots=True)
class Confrontation:
    """``row``: who laid which card, the arrest first. ``to``: whose shot is next. ``shots``: villain's, hero's. ``held``: the
    other side has stopped at a tie. ``stage``: what is awaited, or during the refill how it ended."""

    by: int
    villain: int
    pursuer: int
    joined: tuple[int, ...]
    row: tuple[tuple[int, str], ...]
    stage: str = "respond"
    to: int | None = None
    vehicle: str | None = None
    shots: tuple[int, int] = (0, 0)
    held: bool = False

    @property
    def shooters(self) -> list[int]:
        """Who laid each gun of the shoot-out with this villain. One with another villain, where the arrest counts for both,
        may lie before it in the row: that one began with the other's gun, this one with his own."""
        guns = [seat for seat, card in self.row if card == GUN]
        other = guns[:1] not in ([], [self.villain], [self.pursuer])
        return guns[guns.index(self.villain) :] if other and self.villain in guns else guns

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "villain": self.villain,
            "pursuer": self.pursuer,
            "joined": list(self.joined),
            "row": [list(entry) for entry in self.row],
            "stage": self.stage,
            "to": self.to,
            "vehicle": self.vehicle,
            "shots": list(self.shots),
            "held": self.held,
        }


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer to one question. ``trait`` and ``colour`` are None where nobody wrote down what was asked."""

    hour: int
    by: int
    of: int
    trait: str | None
    colour: str | None
    answer: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("hour", "by", "of", "trait", "colour", "answer")}


@dataclass(frozen=True, slots=True)
class Table:
    """All that lies open."""

    players: int
    advanced: bool
    expert: bool
    hour: int
    start: int
    seat: int
    step: str
    seats: tuple[Seat, ...]
    deck: int
    discard: tuple[str, ...]
    rules: tuple[tuple[str, str], ...] = ()
    passed: bool = False
    revealed: bool = False
    wanted: str | None = None
    pending: Pending | None = None
    confrontation: Confrontation | None = None
    answers: tuple[Answered, ...] = ()
    over: str | None = None

    def rule(self, name: str) -> str:
        """The choice of a house rule."""
        return dict(self.rules).get(name, BY_NAME[name].default)

    @property
    def fight(self) -> Confrontation:
        """The confrontation that is going on. Raises ValueError when there is none."""
        if self.confrontation is None:
            raise ValueError("there is no confrontation")
        return self.confrontation

    def role(self, seat: int) -> str | None:
        """The role that everybody knows this seat to have."""
        return self.seats[seat].role or self.seats[seat].shown

    def villainous(self, seat: int) -> bool | None:
        """Whether the seat is a villain; None as long as nobody can know."""
        role = self.role(seat)
        if role is not None:
            return role in VILLAINS
        return False if self.seats[seat].cleared or self.revealed else None

    def living(self) -> list[int]:
        return [seat for seat, player in enumerate(self.seats) if player.alive]

    def heroes(self) -> list[int]:
        """The living heroes, once that is public."""
        return [seat for seat in self.living() if self.villainous(seat) is False]

    def villains(self) -> list[int]:
        """The living villains, once that is public."""
        return [seat for seat in self.living() if self.villainous(seat)]

    def left_of(self, seat: int) -> list[int]:
        """All other seats, clockwise."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    def skipping(self, seat: int) -> bool:
        """Whether the turn of this seat in this hour is lost."""
        player = self.seats[seat]
        return player.skips > 0 and (player.since is None or self.hour > player.since)

    def with_seat(self, seat: int, **changes: Any) -> "Table":
        """The same with one player changed."""
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], **changes)
        return replace(self, seats=tuple(seats))

    def to_json(self) -> dict[str, Any]:
        return {
            "game": GAME,
            "edition": EDITION,
            "players": self.players,
            "variant": {"advanced": self.advanced, "expert": self.expert},
            "rules": dict(self.rules),
            "hour": self.hour,
            "start": self.start,
            "seat": self.seat,
            "step": self.step,
            "passed": self.passed,
            "seats": [seat.to_json() for seat in self.seats],
            "deck": self.deck,
            "discard": list(self.discard),
            "revealed": self.revealed,
            "wanted": self.wanted,
            "pending": None if self.pending is None else self.pending.to_json(),
            "confrontation": None if self.confrontation is None else self.confrontation.to_json(),
            "answers": [answer.to_json() for answer in self.answers],
            "over": self.over,
        }


@dataclass(frozen=True, slots=True)
class Secret:
    """What the table hides; a part that is not known is None. ``deck``: top first. ``seed`` and ``shuffles`` (how often chance
    was asked so far) decide what chance brings. ``removed``: cards that left the game unseen."""

    roles: tuple[str, ...] | None = None
    hands: tuple[tuple[str, ...], ...] | None = None
    deck: tuple[str, ...] | None = None
    seed: int = 1
    shuffles: int = 0
    removed: tuple[str, ...] = ()
    wanted: str | None = None
    traits: Traits | None = field(default=None, hash=False)

    @property
    def cards(self) -> bool:
        """Whether hands and deck are known."""
        return self.hands is not None and self.deck is not None

    def to_json(self) -> dict[str, Any]:
        """For tests: the program itself never writes a secret."""
        return {
            "roles": list(self.roles or ()),
            "hands": [list(hand) for hand in self.hands or ()],
            "deck": list(self.deck or ()),
            "seed": self.seed,
            "shuffles": self.shuffles,
            "removed": list(self.removed),
            "traits": self.traits,
            **({} if self.wanted is None else {"wanted": self.wanted}),
        }


@dataclass(frozen=True, slots=True)
class State:
    """A game: its table, and its secret as far as it is known."""

    table: Table
    secret: Secret = field(default_factory=Secret)

    def to_json(self) -> dict[str, Any]:
        """The public part."""
        return self.table.to_json()
