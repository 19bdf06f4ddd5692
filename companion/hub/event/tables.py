"""Players, pairings with their results, and standings as CSV; read with all their faults at once. Pure.

The first line names the columns, in any order; columns that are not known are a fault, missing ones are empty. A field that a
spreadsheet would take for a formula has an apostrophe in front, which is taken off again.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.errors import Faults
from companion.hub.event.model import (
    BYES,
    CLUB_LENGTH,
    DRAW,
    LOSS,
    MOST_PLAYERS,
    MOST_ROUNDS,
    NAME_LENGTH,
    WIN,
    Result,
    Round,
    Tournament,
    shown,
)
from companion.hub.event.standings import standings

PLAYER_COLUMNS = ("number", "name", "club", "rating", "since", "until")
GAME_COLUMNS = ("round", "board", "table", "players", "result", "code", "source", "by", "reason")
MOST_BYTES = 2**20
_MARKS = {WIN: "1", DRAW: "=", LOSS: "0"}
_READ = {"1": WIN, "=": DRAW, "½": DRAW, "0": LOSS}
Entry = tuple[str, dict[str, Any]]


def players_csv(state: Tournament) -> str:
    """Everybody who is entered, a line each."""
    rows = [
        (one.number, one.name, one.club, one.rating, one.since, "" if one.until is None else one.until)
        for one in state.players.values()
    ]
    return _written(PLAYER_COLUMNS, rows)


def games_csv(state: Tournament) -> str:
    """Every pairing and bye of every round. ``players`` are numbers in the order of the seats, ``result`` their marks: ``1
    0``, ``= =``;
    ``+ -`` where somebody did not come; of a bye its kind."""
    rows: list[tuple[Any, ...]] = []
    for one in state.rounds:
        for pairing in one.pairings:
            result = one.results.get(pairing.board)
            told = (marks_text(result), result.code, result.source, result.by, result.reason) if result else ("",) * 5
            rows.append((one.number, pairing.board, pairing.table, " ".join(map(str, pairing.players)), *told))
        rows += [(one.number, "", "", player, kind, "", "", "", "") for player, kind in sorted(one.byes.items())]
    return _written(GAME_COLUMNS, rows)


def standings_csv(state: Tournament, through: int | None = None) -> str:
    """The standings, a line each; how often everybody had each seat stands behind."""
    columns = ("place", "number", "name", "club", "points", "buchholz", "wins", "direct", "played", *state.plan.seats)
    rows = []
    for line in standings(state, through):
        player = state.players[line.player]
        measures = (shown(line.points), shown(line.buchholz), line.wins, line.direct or "", line.played)
        rows.append((line.place, player.number, player.name, player.club, *measures, *line.seats))
    return _written(columns, rows)


def marks_text(result: Result) -> str:
    """A result's marks as people write them: ``1 0``, ``= =``, ``+ -``."""
    signs = _MARKS if result.played else {WIN: "+", DRAW: "=", LOSS: "-"}
    return " ".join(signs[mark] for mark in result.marks)


def score(result: Result) -> str:
    """A result as the keys of the page write it: ``1 – 0``, ``½ – ½``, ``+ –``; with more than two players the marks alone."""
    signs = [sign.replace("=", "½").replace("-", "–") for sign in marks_text(result).split(" ")]
    return (" – " if len(signs) == 2 and result.played else " ").join(signs)


def marks_of(text: str) -> tuple[list[str], bool] | None:
    """Marks, and whether it was played, of what people write; None for anything else."""
    signs = text.replace("–", "-").replace(":", " ").split()
    if len(signs) == 1 and signs[0] in ("1-0", "0-1", "=-=", "½-½"):
        signs = signs[0].split("-")
    if signs and set(signs) <= {"+", "-"}:
        return [WIN if sign == "+" else LOSS for sign in signs], False
    if signs and set(signs) <= set(_READ):
        return [_READ[sign] for sign in signs], True
    return None


def read_players(text: str) -> tuple[Entry, ...]:
    """Entries of kind ``player-entered``. Raises :class:`Faults`, a sentence with line and field each."""
    faults: list[str] = []
    entries: list[Entry] = []
    left: list[Entry] = []
    names: dict[str, int] = {}
    for at, row in _rows(text, PLAYER_COLUMNS, ("name",), faults):
        name = " ".join(row["name"].split())
        if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
            faults.append(f"line {at}, name: 1 to {NAME_LENGTH} letters are allowed, not {row['name'][:40]!r}")
        elif name.casefold() in names:
            faults.append(f"line {at}, name: {name} stands in line {names[name.casefold()]} already")
        names.setdefault(name.casefold(), at)
        club = " ".join(row["club"].split())
        if len(club) > CLUB_LENGTH or not club.isprintable():
            faults.append(f"line {at}, club: at most {CLUB_LENGTH} letters are allowed, not {row['club'][:40]!r}")
        rating = _whole(row["rating"], 0, 9999, 0, f"line {at}, rating", faults)
        since = _whole(row["since"], 1, MOST_ROUNDS, 1, f"line {at}, since", faults)
        until = _whole(row["until"], 0, MOST_ROUNDS, -1, f"line {at}, until", faults)
        number = _whole(row["number"], 1, MOST_PLAYERS, len(entries) + 1, f"line {at}, number", faults)
        if number != len(entries) + 1:
            faults.append(f"line {at}, number: players are numbered in their order, so this is number {len(entries) + 1}")
        entries.append(("player-entered", {"name": name, "club": club, "rating": rating, "since": since}))
        if until >= 0:
            left.append(("player-left", {"number": number, "after": until}))
    if len(entries) > MOST_PLAYERS:
        faults.append(f"{MOST_PLAYERS} players are the most that are read")
    if not entries and not faults:
        faults.append("line 2: there is no player in this file")
    if faults:
        raise Faults(faults)
    return (*entries, *left)


@dataclass
class _Told:
    """What a file tells of one round; ``line`` is its first."""

    line: int
    pairings: list[dict[str, Any]] = field(default_factory=list)
    byes: dict[str, str] = field(default_factory=dict)
    results: list[dict[str, Any]] = field(default_factory=list)


def read_games(text: str, state: Tournament) -> tuple[Entry, ...]:
    """Entries that bring rounds and results of a file into an event: rounds that it does not have are paired, results that it
    does not have are entered, those that differ are corrected. Raises :class:`Faults`."""
    faults: list[str] = []
    rounds: dict[int, _Told] = {}
    for at, row in _rows(text, GAME_COLUMNS, ("round", "players"), faults):
        number = _whole(row["round"], 1, MOST_ROUNDS, 0, f"line {at}, round", faults)
        if number:
            _game(at, row, state, number, rounds.setdefault(number, _Told(at)), faults)
        elif not row["round"].strip():
            faults.append(f"line {at}, round: a number is needed")
    entries: list[Entry] = []
    for number in sorted(rounds):
        told, known = rounds[number], state.round(number)
        if known is None:
            data = {"round": number, "how": "import", "pairings": told.pairings, "byes": told.byes}
            entries.append(("round-paired", data))
            entries += [("result", result) for result in told.results]
        else:
            entries += _new_results(told, known, faults)
    if faults:
        raise Faults(faults)
    return tuple(entries)


def _game(at: int, row: Mapping[str, str], state: Tournament, number: int, told: _Told, faults: list[str]) -> None:
    """One line: a game, its result if it has one, or a bye."""
    players = [_whole(word, 1, MOST_PLAYERS, 0, f"line {at}, players", faults) for word in row["players"].split()]
    strangers = [player for player in players if player and player not in state.players]
    faults.extend(f"line {at}, players: there is no player {player}" for player in strangers)
    result = row["result"].strip()
    if len(players) == 1:
        if result not in BYES:
            faults.append(f"line {at}, result: of one player alone it is {', '.join(BYES)}, not {result[:20]!r}")
        told.byes[str(players[0])] = result
        return
    if len(players) not in state.plan.sizes:
        faults.append(f"line {at}, players: {max(state.plan.sizes)} numbers are needed, or one for a bye")
        return
    board = _whole(row["board"], 1, MOST_PLAYERS, len(told.pairings) + 1, f"line {at}, board", faults)
    told.pairings.append({"board": board, "players": players, "table": row["table"].strip()[:32]})
    marks = marks_of(result)
    if result and (marks is None or len(marks[0]) != len(players)):
        faults.append(f"line {at}, result: as 1 0, = =, 0 1 or + -, not {result[:20]!r}")
    elif marks is not None:
        # Only a table itself can say that a result is the table's.
        words = {key: row[key].strip() for key in ("code", "by", "reason") if row[key].strip()}
        shared = {"round": number, "board": board, "source": "import"}
        told.results.append({**shared, "marks": marks[0], "played": marks[1], **words})


def _new_results(told: _Told, known: Round, faults: list[str]) -> Iterator[Entry]:
    """The results of a file that a round does not have, or has otherwise."""
    for one in told.pairings:
        pairing = known.pairing(one["board"])
        if pairing is None or list(pairing.players) != one["players"]:
            faults.append(f"line {told.line} and on, players: board {one['board']} of round {known.number} is another game")
    for data in told.results:
        before = known.results.get(data["board"])
        if before is None:
            yield "result", data
        elif (list(before.marks), before.played) != (data["marks"], data["played"]):
            yield "result", {"reason": "Corrected by a file.", **data}


def _written(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_harmless(cell) for cell in row])
    return out.getvalue()


def _harmless(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r", "'")) else cell


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell


def _rows(
    text: str, columns: Sequence[str], needed: Sequence[str], faults: list[str]
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each line that holds something, as fields by column, with its number; empty where a column is missing."""
    if len(text) > MOST_BYTES:
        faults.append(f"the file holds more than {MOST_BYTES // 2**20} MiB")
        return
    text = text.removeprefix("\ufeff")
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        head = [cell.strip().lower() for cell in next(reader, [])]
        strange = [cell for cell in head if cell not in columns]
        if strange:
            faults.append(f"line 1: there is no column {strange[0][:40]!r}; there are: {', '.join(columns)}")
        faults.extend(f"line 1: column {name} is missing" for name in needed if name not in head)
        if strange or not set(needed) <= set(head):
            return
        for row in reader:
            at = reader.line_num
            if not any(cell.strip() for cell in row):
                continue
            if len(row) > len(head):
                faults.append(f"line {at}: {len(row)} fields, and line 1 names {len(head)}")
                continue
            told = dict(zip(head, map(_plain, row), strict=False))
            yield at, {name: told.get(name, "") for name in columns}
    except csv.Error as error:
        faults.append(f"line {reader.line_num}: no CSV ({error})")


def _whole(text: str, least: int, most: int, usual: int, what: str, faults: list[str]) -> int:
    text = text.strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most):
        faults.append(f"{what}: a whole number from {least} to {most} is expected, not {text[:20]!r}")
        return usual if usual > 0 else 0
    return int(text)
