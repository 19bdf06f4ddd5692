"""Who is where: points, then tie-breaks. Pure.

Formulas are those of the FIDE Handbook, C.07 Tie-Break Regulations (effective from 1 August 2024,
https://handbook.fide.com/chapter/TieBreakRegulations082024):

* ``buchholz`` (8.1): the sum of the scores of one's opponents. An unplayed round of one's own counts as one against an
  opponent with as many points as oneself at the end (16.4). Of an opponent's rounds, a bye that was asked for counts as a draw
  where nothing but voluntarily unplayed rounds comes after it (16.2.5, 16.3.2); everything else counts what it gave (16.3.1).
* ``wins`` (7.2): games won over the board; neither byes nor games that somebody did not come to.
* ``direct`` (6): the points of the games among those who are tied. If all of them met, those decide (6.1); otherwise only who
  is first whatever the games that were not played would have brought, then the next (6.2).

Who is tied after all of them shares a place, and is listed by his number.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.hub.event.model import BUCHHOLZ, DIRECT, FULL, HALF, WIN, WINS, ZERO, Game, Tournament, shown


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. ``place`` is shared by who is tied; ``points`` and Buchholz are tenths; ``direct`` is the
    order among those who were tied before it, 1 first, 0 where it told nothing; ``seats``: how often he had each seat."""

    place: int
    player: int
    points: int
    buchholz: int
    wins: int
    direct: int
    played: int
    seats: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "place": self.place, "player": self.player, "points": shown(self.points), "buchholz": shown(self.buchholz),
            "wins": self.wins, "direct": self.direct, "played": self.played, "seats": list(self.seats),
        }  # fmt: skip


def standings(state: Tournament, through: int | None = None) -> tuple[Standing, ...]:
    """The standings after a round, by default after all that is known, the first first."""
    games = {number: state.games(number, through) for number in state.players}
    points = {number: sum(game.points for game in rows) for number, rows in games.items()}
    adjusted = {number: _adjusted(state, rows) for number, rows in games.items()}
    buchholz = {number: _buchholz(rows, points[number], adjusted) for number, rows in games.items()}
    wins = {number: sum(game.mark == WIN and game.played for game in rows) for number, rows in games.items()}
    direct: dict[int, int] = {}
    measures: dict[str, Callable[[int], int]] = {BUCHHOLZ: lambda one: buchholz[one], WINS: lambda one: wins[one]}
    groups = _split([sorted(state.players)], lambda one: points[one])
    for name in state.plan.tie_breaks:
        if name == DIRECT:
            groups = [part for group in groups for part in _direct(state, group, games, direct)]
        else:
            groups = _split(groups, measures[name])
    lines, place = [], 1
    for group in groups:
        for number in group:
            played = sum(game.played for game in games[number])
            seats = state.seat_counts(number, through)
            lines.append(
                Standing(place, number, points[number], buchholz[number], wins[number], direct.get(number, 0), played, seats)
            )
        place += len(group)
    return tuple(lines)


def _split(groups: Iterable[Sequence[int]], measure: Callable[[int], int]) -> list[list[int]]:
    """Each group in parts of the same measure, the highest first."""
    parts: list[list[int]] = []
    for group in groups:
        values = sorted({measure(one) for one in group}, reverse=True)
        parts += [[one for one in group if measure(one) == value] for value in values]
    return parts


def _adjusted(state: Tournament, rows: Sequence[Game]) -> int:
    """What a player's score counts for his opponents."""
    total, trailing = 0, True
    for game in reversed(rows):
        asked = game.bye in (FULL, HALF, ZERO)
        total += state.plan.points.draw if trailing and asked else game.points
        trailing = trailing and game.voluntary
    return total


def _buchholz(rows: Sequence[Game], own: int, adjusted: dict[int, int]) -> int:
    return sum(
        sum(adjusted[other] for other in game.others) if game.seat is not None and (game.played or game.mark is None) else own
        for game in rows
        if game.bye or game.mark is not None
    )


def _direct(
    state: Tournament, group: Sequence[int], games: dict[int, tuple[Game, ...]], told: dict[int, int]
) -> list[list[int]]:
    """A group in the order of the games among its members; parts that those leave tied stay together."""
    if len(group) < 2:
        return [list(group)]
    parts: list[list[int]] = []
    rest = list(group)
    while len(rest) > 1:
        among = {one: [game for game in games[one] if game.played and set(game.others) & set(rest)] for one in rest}
        least = {one: sum(game.points for game in rows) for one, rows in among.items()}
        missing = {one: len(set(rest) - {one} - {other for game in among[one] for other in game.others}) for one in rest}
        if not any(missing.values()):
            split = _split([rest], least.__getitem__)
            if len(split) == 1:
                break
            # Those who are still tied are compared anew among themselves alone.
            parts += [again for part in split for again in _direct(state, part, games, {})]
            rest = []
            break
        best = state.plan.points.win
        most = {one: least[one] + missing[one] * best for one in rest}
        first = next((one for one in rest if all(least[one] > most[other] for other in rest if other != one)), None)
        if first is None:
            break
        parts.append([first])
        rest.remove(first)
    if rest:
        parts.append(rest)
    if len(parts) > 1:
        order = 1
        for part in parts:
            for one in part:
                told[one] = order
            order += len(part)
    return parts
