"""An event of many tables as values: players, rounds, pairings, results. Pure and frozen; :mod:`folding` makes them of what is
on record.

Points are whole tenths of a point (a draw is usually 5), so that nothing is rounded. A player is known by the number with which
he entered; numbers begin at 1 and have no gaps. What seats a game has is the plan's to say: ``seats``, of which the first is
the one whose turns are kept even (:mod:`balance`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Json = Mapping[str, Any]
WIN, DRAW, LOSS = "win", "draw", "loss"
MARKS = (WIN, DRAW, LOSS)
PAIRING, FULL, HALF, ZERO = "pairing", "full", "half", "zero"
BYES = (PAIRING, FULL, HALF, ZERO)
"""Rounds without a game: allocated by the pairing, or asked for and worth a win, a draw or nothing."""
MOST_PLAYERS, MOST_ROUNDS, MOST_SEATS = 999, 40, 12
"""Bounds of one event, 2 to 9999, 1 to 99 and 2 to 12: what the format TRF can write, and more than a hall holds."""
NAME_LENGTH, CLUB_LENGTH = 32, 24
"""Letters of a name and a club; TRF has 33 columns for a name."""
DIRECT, BUCHHOLZ, WINS = "direct", "buchholz", "wins"
TIE_BREAKS = (BUCHHOLZ, WINS, DIRECT)


@dataclass(frozen=True, slots=True)
class Points:
    """What a round is worth, in tenths of a point. ``codes`` says it for an outcome's code: winner's and loser's points."""

    win: int = 10
    draw: int = 5
    loss: int = 0
    bye: int = 10
    """Of a bye that the pairing allocates."""
    codes: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, mark: str, code: str = "", played: bool = True) -> int:
        """The points of one seat's mark in a game that ended with this code."""
        if code in self.codes and played and mark in (WIN, LOSS):
            return self.codes[code][0 if mark == WIN else 1]
        return {WIN: self.win, DRAW: self.draw, LOSS: self.loss}[mark]

    def of_bye(self, kind: str) -> int:
        """The points of a round without a game."""
        return {PAIRING: self.bye, FULL: self.win, HALF: self.draw, ZERO: 0}[kind]

    def to_json(self) -> dict[str, Any]:
        codes = {code: list(pair) for code, pair in self.codes.items()}
        return {"win": self.win, "draw": self.draw, "loss": self.loss, "bye": self.bye, "codes": codes}


@dataclass(frozen=True, slots=True)
class Plan:
    """What was settled for the whole event. ``terms`` are the clocks and house rules every table plays with, in the form of
    :class:`companion.host.choices.Choices`."""

    name: str
    game: str
    seats: tuple[str, ...]
    rounds: int
    points: Points = field(default_factory=Points)
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    terms: Json = field(default_factory=lambda: MappingProxyType({}))

    @property
    def sizes(self) -> range:
        """How many players a game may have: both, or two and more where a game has more seats."""
        return range(2, len(self.seats) + 1)

    @property
    def pairs(self) -> bool:
        """Whether a game is one player against another, as Swiss and round robin need it."""
        return len(self.seats) == 2

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name, "game": self.game, "seats": list(self.seats), "rounds": self.rounds,
            "points": self.points.to_json(), "tie_breaks": list(self.tie_breaks), "terms": dict(self.terms),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays. ``since``: his first round, later than 1 for who came late; ``until``: his last one, None as long as
    he plays; ``away``: rounds for which he asked not to be paired, with the kind of bye."""

    number: int
    name: str
    club: str = ""
    rating: int = 0
    since: int = 1
    until: int | None = None
    away: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def plays(self, number: int) -> bool:
        """Whether he is to be paired in this round."""
        return self.present(number) and number not in self.away

    def present(self, number: int) -> bool:
        """Whether he takes part in this round, with a game or a bye."""
        return number >= self.since and (self.until is None or number <= self.until)

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number, "name": self.name, "club": self.club, "rating": self.rating, "since": self.since,
            "until": self.until, "away": {str(number): kind for number, kind in sorted(self.away.items())},
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round: ``players`` by the order of the plan's seats; ``table`` is a table of the hall, empty where none was
    given to it."""

    board: int
    players: tuple[int, ...]
    table: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"board": self.board, "players": list(self.players), "table": self.table}


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: a mark for each seat. ``played`` is False where somebody did not come. ``source`` is ``"table"`` or
    ``"hand"``; what came from a table names its ``match``, the ``head`` of its record and, where it was signed, the ``signer``.
    ``event``: the number under which it is on record."""

    marks: tuple[str, ...]
    played: bool = True
    code: str = ""
    source: str = "hand"
    by: str = ""
    match: str = ""
    head: str = ""
    signer: str = ""
    reason: str = ""
    event: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "marks": list(self.marks), "played": self.played, "code": self.code, "source": self.source, "by": self.by,
            "match": self.match, "head": self.head, "signer": self.signer, "reason": self.reason, "event": self.event,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its games, byes by player, and the results by board that are in so far. ``how``: by what it was paired."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    how: str = "hand"
    results: Mapping[int, Result] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def complete(self) -> bool:
        """Whether every game of it has a result."""
        return all(pairing.board in self.results for pairing in self.pairings)

    def pairing(self, board: int) -> Pairing | None:
        """The game at a board, or None."""
        return next((one for one in self.pairings if one.board == board), None)

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number, "how": self.how, "complete": self.complete,
            "pairings": [pairing.to_json() for pairing in self.pairings],
            "byes": {str(player): kind for player, kind in sorted(self.byes.items())},
            "results": {str(board): result.to_json() for board, result in sorted(self.results.items())},
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Correction:
    """A result that counts no more: what stood before, what replaced it (None: nothing yet), by whom and why."""

    round: int
    board: int
    before: Result
    after: Result | None
    by: str
    reason: str
    event: int


@dataclass(frozen=True, slots=True)
class Game:
    """One round of one player: ``seat`` is the index of the seat he had, None in a bye; ``mark`` is None while there is no
    result;
    ``bye`` names the kind of a round without a game."""

    round: int
    seat: int | None = None
    others: tuple[int, ...] = ()
    mark: str | None = None
    played: bool = False
    points: int = 0
    bye: str = ""

    @property
    def voluntary(self) -> bool:
        """A round that he did not play of his own will: a bye he asked for, or a game he did not come to."""
        return self.bye in (FULL, HALF, ZERO) or (self.seat is not None and self.mark == LOSS and not self.played)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that is known of an event, folded from its record."""

    plan: Plan
    players: Mapping[int, Player] = field(default_factory=lambda: MappingProxyType({}))
    rounds: tuple[Round, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def next_round(self) -> int:
        """The number of the round that would be paired now."""
        return len(self.rounds) + 1

    def round(self, number: int) -> Round | None:
        """A round, or None when it was not paired yet."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def games(self, player: int, through: int | None = None) -> tuple[Game, ...]:
        """Every round of one player, up to and with ``through``; a round in which he was not there counts as a bye of
        nought."""
        return tuple(self._game(player, one) for one in self.rounds[:through])

    def _game(self, player: int, one: Round) -> Game:
        points = self.plan.points
        for pairing in one.pairings:
            if player in pairing.players:
                seat = pairing.players.index(player)
                others = tuple(other for other in pairing.players if other != player)
                result = one.results.get(pairing.board)
                if result is None:
                    return Game(one.number, seat, others)
                mark = result.marks[seat]
                earned = points.of(mark, result.code, result.played)
                return Game(one.number, seat, others, mark, result.played, earned)
        kind = one.byes.get(player, ZERO)
        return Game(one.number, bye=kind, points=points.of_bye(kind))

    def score(self, player: int, through: int | None = None) -> int:
        """His points so far, in tenths."""
        return sum(game.points for game in self.games(player, through))

    def seat_counts(self, player: int, through: int | None = None) -> tuple[int, ...]:
        """How often he had each of the plan's seats, in games that were paired."""
        counts = [0] * len(self.plan.seats)
        for game in self.games(player, through):
            if game.seat is not None:
                counts[game.seat] += 1
        return tuple(counts)

    def met(self) -> frozenset[frozenset[int]]:
        """Every two players who were paired against each other."""
        return frozenset(frozenset(two) for one in self.rounds for pairing in one.pairings for two in _twos(pairing.players))

    def to_json(self) -> dict[str, Any]:
        return {
            "plan": self.plan.to_json(), "players": [player.to_json() for player in self.players.values()],
            "rounds": [one.to_json() for one in self.rounds],
        }  # fmt: skip


def _twos(players: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    return ((a, b) for i, a in enumerate(players) for b in players[i + 1 :])


def shown(points: int) -> str:
    """Points as people write them: "3", "2.5"."""
    return f"{points // 10}" if points % 10 == 0 else f"{points / 10:.1f}"
