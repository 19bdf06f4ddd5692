"""Tournament report files (TRF16) of an event of games for two: written, and read with all their faults at once. Pure.

Format: FIDE Handbook C.04.A2, TRF16, with the lines that pairing programs added: ``XXR`` (rounds), ``XXC`` (who has the first
seat in the first round), ``BBW``, ``BBD``, ``BBL``, ``BBU`` (what rounds are worth). Columns are counted from 1. The first
seat of the plan stands where white does, the other where black does. Lines whose code is not known are skipped, as the format
asks for.

A player's line has his number (columns 5-8), name (15-47), rating (49-52), club (54-56, three letters; the whole club stands
in a line ``### club``, which is a comment to others), points (81-84), place (86-89), and ten columns a round from 92 on: the
opponent, ``w`` or ``b``, and the result. Results: ``1``, ``=``, ``0``; ``+``, ``-`` where somebody did not come; ``U`` a bye
that the pairing allocated,
``F``, ``H``, ``Z`` one that was asked for, worth a win, a draw, nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import BadInput, Faults, quoted
from companion.hub.event.folding import byes_of
from companion.hub.event.model import (
    CLUB_LENGTH,
    DRAW,
    FULL,
    HALF,
    LOSS,
    MOST_PLAYERS,
    MOST_ROUNDS,
    NAME_LENGTH,
    PAIRING,
    WIN,
    ZERO,
    Game,
    Tournament,
)
from companion.hub.event.standings import standings

MOST_BYTES = 4 * 2**20
"""Of a file that is read, 64 KiB to 64 MiB: 999 players with 40 rounds have half a megabyte."""
_BYES = {PAIRING: "U", FULL: "F", HALF: "H", ZERO: "Z"}
_RESULTS = {(WIN, True): "1", (DRAW, True): "=", (LOSS, True): "0", (WIN, False): "+", (LOSS, False): "-"}
_READ_BYES = {letter: kind for kind, letter in _BYES.items()} | {"-": ZERO, " ": ZERO, "+": PAIRING}
_READ_RESULTS = {letter: mark for mark, letter in _RESULTS.items()} | {
    "W": (WIN, True), "D": (DRAW, True), "L": (LOSS, True), "w": (WIN, True), "d": (DRAW, True), "l": (LOSS, True),
}  # fmt: skip
_FIRST, _WIDTH = 91, 10  # where the first round begins, counted from 0, and how wide a round is
_CLUB = "### club "
_BOARD = "### boards "


def written(state: Tournament, *, for_pairing: bool = False, arbiter: str = "") -> str:
    """The event as TRF16. ``for_pairing`` adds what the pairing program needs to know of the next round: who does not play in
    it. Raises BadInput for a game of more than two."""
    if not state.plan.pairs:
        raise BadInput("TRF knows games of two players only")
    plan, places = state.plan, {one.player: one.place for one in standings(state)}
    lines = [f"012 {plan.name}", f"062 {len(state.players)}"]
    lines += [f"072 {sum(player.rating > 0 for player in state.players.values())}", "092 Individual"]
    if arbiter:
        lines.append(f"102 {arbiter}")
    lines += [f"XXR {plan.rounds}"]
    worth = (("BBW", plan.points.win), ("BBD", plan.points.draw), ("BBL", plan.points.loss), ("BBU", plan.points.bye))
    lines += [f"{code} {value / 10:4.1f}" for code, value in worth]
    if not state.rounds:
        lines.append("XXC white1")
    if not for_pairing:
        lines += [f"{_BOARD}{one.number} {' '.join(f'{p.board}:{p.players[0]}' for p in one.pairings)}" for one in state.rounds]
    coming = byes_of(state, state.next_round) if for_pairing else {}
    for player in state.players.values():
        points = _counted(state, player.number)
        head = f"001 {player.number:>4}  {'':3} {player.name:<33} {player.rating or '':>4} {player.club[:3]:<3}"
        line = f"{head:<80}{points / 10:>4.1f} {places[player.number]:>4}"
        cells = [_cell(game) for game in state.games(player.number)]
        if for_pairing and not player.plays(state.next_round):
            cells.append(f"0000 - {_BYES[coming.get(player.number, ZERO)]}")
        lines.append("  ".join([f"{line:<{_FIRST - 2}}", *cells]).rstrip())
        if player.club and not for_pairing:
            lines.append(f"{_CLUB}{player.number} {player.club}")
    return "\n".join(lines) + "\n"


def _counted(state: Tournament, number: int) -> int:
    """Points as the letters of the line give them: a program that reads the line adds them up itself."""
    points = state.plan.points
    return sum(game.points if game.bye else points.of(game.mark) if game.mark else 0 for game in state.games(number))


def _cell(game: Game) -> str:
    if game.seat is None:
        return f"0000 - {_BYES[game.bye]}"
    letter = " " if game.mark is None else _RESULTS[game.mark, game.played]
    return f"{game.others[0]:>4} {'wb'[game.seat]} {letter}"


@dataclass(frozen=True, slots=True)
class _Cell:
    line: int
    columns: str
    other: int
    seat: int | None
    mark: tuple[str, bool] | None
    bye: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a file tells: entries for :func:`folding.apply`, after ``event-opened``; ``name``, ``rounds`` and ``points``
    (tenths) as far as they are told."""

    name: str
    rounds: int
    points: Mapping[str, int]
    entries: tuple[tuple[str, dict[str, Any]], ...]


def read(text: str) -> Report:
    """An event from TRF16. Raises :class:`Faults`: every fault is one sentence with its line and columns."""
    faults: list[str] = []
    name, rounds, points = "", 0, dict[str, int]()
    players: dict[int, tuple[int, str, str, int]] = {}
    cells: dict[int, list[_Cell]] = {}
    clubs: dict[int, str] = {}
    boards: dict[int, dict[int, int]] = {}
    if len(text) > MOST_BYTES:
        raise Faults([f"the file holds more than {MOST_BYTES // 2**20} MiB"])
    for at, line in enumerate(text.splitlines(), 1):
        code, rest = line[:3], line[4:].strip()
        if code == "###":
            _comment(line, clubs, boards)
        elif code == "012":
            name = " ".join(rest.split())[:80]
        elif code in ("XXR", "142"):
            rounds = _whole(rest, 1, MOST_ROUNDS, f"line {at}, columns 5 and on: the number of rounds", faults)
        elif code in ("BBW", "BBD", "BBL", "BBU"):
            _worth(code, rest, at, points, faults)
        elif code == "001":
            _player(line, at, players, cells, faults)
    if not players and not faults:
        faults.append("line 1: there is no player's line (code 001) in this file")
    games = _rounds(players, cells, boards, faults)
    if faults:
        raise Faults(faults)
    order = sorted(players)
    renumbered = {number: index for index, number in enumerate(order, 1)}
    entries: list[tuple[str, dict[str, Any]]] = []
    for number in order:
        _, called, short, rating = players[number]
        entries.append(("player-entered", {"name": called, "club": clubs.get(number, short), "rating": rating, "since": 1}))
    for index, made in enumerate(games, 1):
        entries += _entries(index, made, renumbered)
    return Report(name, max(rounds, len(games), 1), points, tuple(entries))


def _comment(line: str, clubs: dict[int, str], boards: dict[int, dict[int, int]]) -> None:
    """What a line says that is a comment to other programs."""
    if line.startswith(_BOARD):
        _boards(line[len(_BOARD) :], boards)
    elif line.startswith(_CLUB):
        number, _, club = line[len(_CLUB) :].partition(" ")
        if number.isascii() and number.isdigit():
            clubs[int(number[:6])] = " ".join(club.split())[:CLUB_LENGTH]


def _boards(told: str, boards: dict[int, dict[int, int]]) -> None:
    words = told.split()
    if words and words[0].isascii() and words[0].isdigit():
        pairs = [word.split(":") for word in words[1:]]
        fit = all(len(pair) == 2 and all(one.isascii() and one.isdigit() and len(one) < 5 for one in pair) for pair in pairs)
        if fit and len(words[0]) < 4:
            boards[int(words[0])] = {int(player): int(board) for board, player in pairs}


def _worth(code: str, rest: str, at: int, points: dict[str, int], faults: list[str]) -> None:
    key = {"BBW": "win", "BBD": "draw", "BBL": "loss", "BBU": "bye"}[code]
    try:
        value = round(float(rest) * 10)
    except (ValueError, OverflowError):
        value = -1
    if not 0 <= value <= 990:
        faults.append(f"line {at}, columns 5 and on: points from 0.0 to 99.0 are expected, not {rest[:20]!r}")
    else:
        points[key] = value


def _player(
    line: str, at: int, players: dict[int, tuple[int, str, str, int]], cells: dict[int, list[_Cell]], faults: list[str]
) -> None:
    before = len(faults)
    number = _whole(line[4:8].strip(), 1, 9999, f"line {at}, columns 5-8: a player's number", faults)
    called = " ".join(line[14:47].split())
    if not 1 <= len(called) <= NAME_LENGTH or not called.isprintable():
        faults.append(f"line {at}, columns 15-47: a name of 1 to {NAME_LENGTH} letters is expected, not {called[:40]!r}")
    rating = line[48:52].strip()
    rated = _whole(rating, 0, 9999, f"line {at}, columns 49-52: a rating", faults) if rating else 0
    if len(faults) == before and number in players:
        faults.append(f"line {at}, columns 5-8: player {number} stands in line {players[number][0]} already")
    elif len(faults) == before and any(called.casefold() == other[1].casefold() for other in players.values()):
        faults.append(f"line {at}, columns 15-47: {called} stands in the file already")
    if len(players) >= MOST_PLAYERS:
        faults.append(f"line {at}: {MOST_PLAYERS} players are the most that are read")
        return
    if number:
        players.setdefault(number, (at, called, line[53:56].strip(), rated))
    found = []
    for index in range(MOST_ROUNDS):
        start = _FIRST + _WIDTH * index
        cell = line[start : start + 8]
        if not line[start:].strip():
            break
        found.append(_cell_of(cell, at, f"{start + 1}-{start + 8}", faults))
    if number:
        cells.setdefault(number, found)


def _cell_of(cell: str, at: int, columns: str, faults: list[str]) -> _Cell:
    where = f"line {at}, columns {columns}"
    opponent, colour, letter = cell[:4].strip(), cell[5:6] or " ", cell[7:8] or " "
    empty = _Cell(at, columns, 0, None, None, ZERO)
    if not cell.strip() or opponent in ("", "0000", "0"):
        if letter not in _READ_BYES:
            faults.append(f"{where}: a round without an opponent has U, F, H or Z for its result, not {quoted(letter)}")
            return empty
        return _Cell(at, columns, 0, None, None, _READ_BYES[letter])
    other = _whole(opponent, 1, 9999, f"{where}: the opponent's number", faults)
    if colour not in "wb":
        faults.append(f"{where}: the seat is w or b, not {quoted(colour)}")
        return empty
    if letter != " " and letter not in _READ_RESULTS:
        faults.append(f"{where}: the result is one of 1 = 0 + -, not {quoted(letter)}")
        return empty
    return _Cell(at, columns, other, "wb".index(colour), _READ_RESULTS.get(letter), "")


@dataclass(frozen=True, slots=True)
class _Round:
    games: tuple[tuple[int, int, _Cell, _Cell], ...]
    byes: Mapping[int, str]


def _rounds(
    players: Mapping[int, tuple[int, str, str, int]],
    cells: Mapping[int, Sequence[_Cell]],
    boards: Mapping[int, Mapping[int, int]],
    faults: list[str],
) -> list[_Round]:
    rounds = []
    for index in range(max((len(row) for row in cells.values()), default=0)):
        games: list[tuple[int, int, _Cell, _Cell]] = []
        byes: dict[int, str] = {}
        for number, row in cells.items():
            cell = row[index] if index < len(row) else None
            if cell is None or cell.seat is None:
                byes[number] = ZERO if cell is None else cell.bye
                continue
            theirs = cells.get(cell.other)
            answer = theirs[index] if theirs is not None and index < len(theirs) else None
            where = f"line {cell.line}, columns {cell.columns}"
            if cell.other not in players:
                faults.append(f"{where}: there is no player {cell.other} in this file")
            elif cell.other == number:
                faults.append(f"{where}: player {number} plays against himself")
            elif answer is None or answer.seat is None or answer.other != number:
                faults.append(f"{where}: player {cell.other} has no game against player {number} in this round")
            elif number < cell.other:
                faults.extend(f"{where}: {fault}" for fault in _fit(number, cell, cell.other, answer))
                first, second = (number, cell.other) if cell.seat == 0 else (cell.other, number)
                games.append((first, second, *((cell, answer) if cell.seat == 0 else (answer, cell))))
        order = boards.get(index + 1, {})
        games.sort(key=lambda game: (order.get(game[0], MOST_PLAYERS), min(game[:2])))
        rounds.append(_Round(tuple(games), byes))
    return rounds


def _fit(number: int, cell: _Cell, other: int, answer: _Cell) -> Iterable[str]:
    if cell.seat == answer.seat:
        yield f"players {number} and {other} have the same seat"
    if (cell.mark is None) != (answer.mark is None):
        yield f"one of players {number} and {other} has a result and the other has none"
    elif cell.mark is not None and answer.mark is not None:
        marks = tuple(sorted((cell.mark[0], answer.mark[0])))
        played = {cell.mark[1], answer.mark[1]}
        allowed = {(LOSS, WIN), (DRAW, DRAW)} if played == {True} else {(LOSS, WIN), (LOSS, LOSS)}
        if marks not in allowed or len(played) != 1:
            letters = f"{_RESULTS[cell.mark]} and {_RESULTS[answer.mark]}"
            yield f"the results of players {number} and {other} do not fit ({letters})"


def _entries(index: int, one: _Round, renumbered: Mapping[int, int]) -> Iterable[tuple[str, dict[str, Any]]]:
    pairings = [
        {"board": board, "players": [renumbered[first], renumbered[second]], "table": ""}
        for board, (first, second, _, _) in enumerate(one.games, 1)
    ]
    byes = {str(renumbered[number]): kind for number, kind in sorted(one.byes.items())}
    yield "round-paired", {"round": index, "how": "import", "pairings": pairings, "byes": byes}
    for board, (_, _, cell, answer) in enumerate(one.games, 1):
        if cell.mark is not None and answer.mark is not None:
            marks = [cell.mark[0], answer.mark[0]]
            yield "result", {"round": index, "board": board, "marks": marks, "played": cell.mark[1], "source": "import"}


def _whole(text: str, least: int, most: int, what: str, faults: list[str]) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and least <= int(text) <= most):
        faults.append(f"{what} is a whole number from {least} to {most}, not {text[:20]!r}")
        return 0
    return int(text)
