"""An event of many tables folded from its record: what each kind of entry means, and what is wrong with one that does not fit.

Nothing on record is changed: a correction is an entry of its own, with its reason and who made it. Kinds of entries:

``event-opened``    the plan, as :meth:`Plan.to_json` gives it
``event-changed``   parts of the plan; not game or seats once a round is paired
``player-entered``  ``number``, ``name``, ``club``, ``rating``, ``since``
``player-changed``  ``number`` and what is new of ``name``, ``club``, ``rating``
``player-left``     ``number``, ``after``: the last round that he plays
``player-back``     ``number``, ``since``: the first round that he plays again
``player-away``     ``number``, ``round``, ``bye``: full, half or zero; empty takes it back
``round-paired``    ``round``, ``how``, ``pairings``, ``byes``
``round-changed``   the same for a round that is paired; games that have a result stay as they are
``round-withdrawn`` ``round``: the last one, as long as it has no result
``result``          ``round``, ``board``, ``marks`` and what else :class:`Result` has; over another one it needs a ``reason``
``result-withdrawn`` ``round``, ``board``, ``reason``

Every entry may have ``by``, who made it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, Faults, quoted
from companion.hub.event.model import (
    BYES,
    CLUB_LENGTH,
    DRAW,
    LOSS,
    MOST_PLAYERS,
    MOST_ROUNDS,
    PAIRING,
    WIN,
    Correction,
    Json,
    Pairing,
    Plan,
    Player,
    Result,
    Round,
    Tournament,
)
from companion.hub.event.reading import REASON_LENGTH, is_whole, name_of, plan_of, result_of, text_of, whole_of

HOW = ("bbpPairings", "round-robin", "hand", "import")


def fold(entries: Iterable[tuple[int, str, Json]]) -> Tournament | None:
    """The event after all entries (number, kind, data); None before it was opened. Raises BadInput for one that does not
    fit."""
    state: Tournament | None = None
    for number, kind, data in entries:
        state = apply(state, number, kind, data)
    return state


def apply(state: Tournament | None, number: int, kind: str, data: Json) -> Tournament:
    """The event after one more entry. Raises BadInput, and :class:`Faults` where several things are wrong."""
    if kind == "event-opened":
        if state is not None:
            raise BadInput("the event is open already")
        return Tournament(plan_of(data))
    if state is None:
        raise BadInput("no event was opened yet")
    take = _KINDS.get(kind)
    if take is None:
        raise BadInput(f"an event has no entry of kind {kind[:40]!r}")
    return take(state, number, data)


def _changed(state: Tournament, _: int, data: Json) -> Tournament:
    plan = plan_of({**state.plan.to_json(), **{key: value for key, value in data.items() if key != "by"}})
    if state.rounds and (plan.game, plan.seats) != (state.plan.game, state.plan.seats):
        raise BadInput("game and seats cannot be changed once a round is paired")
    if plan.rounds < len(state.rounds):
        raise BadInput(f"{len(state.rounds)} rounds are paired already")
    return replace(state, plan=plan)


def _entered(state: Tournament, _: int, data: Json) -> Tournament:
    faults: list[str] = []
    name = name_of(data, faults)
    club = text_of({"club": "", **data}, "club", CLUB_LENGTH, faults)
    rating = whole_of({"rating": 0, **data}, "rating", 0, 9999, faults)
    since = whole_of({"since": state.next_round if state.rounds else 1, **data}, "since", 1, MOST_ROUNDS, faults)
    number = data.get("number", len(state.players) + 1)
    if number != len(state.players) + 1:
        faults.append(f"number: the next player is number {len(state.players) + 1}")
    if len(state.players) >= MOST_PLAYERS:
        faults.append(f"{MOST_PLAYERS} players are the most that an event has")
    if any(one.name.casefold() == name.casefold() for one in state.players.values()):
        faults.append(f"name: {name} is entered already")
    if since < state.next_round and state.rounds:
        faults.append(f"since: round {state.next_round} is the next to be paired")
    if faults:
        raise Faults(faults)
    return _with(state, Player(number, name, club, rating, since))


def _player_changed(state: Tournament, _: int, data: Json) -> Tournament:
    player, faults = _player(state, data), list[str]()
    told = {"name": player.name, "club": player.club, "rating": player.rating, **data}
    name, club = name_of(told, faults), text_of(told, "club", CLUB_LENGTH, faults)
    rating = whole_of(told, "rating", 0, 9999, faults)
    if any(one.name.casefold() == name.casefold() and one is not player for one in state.players.values()):
        faults.append(f"name: {name} is entered already")
    if faults:
        raise Faults(faults)
    return _with(state, replace(player, name=name, club=club, rating=rating))


def _left(state: Tournament, _: int, data: Json) -> Tournament:
    player, faults = _player(state, data), list[str]()
    after = whole_of(data, "after", 0, MOST_ROUNDS, faults)
    if faults:
        raise Faults(faults)
    if after < len(state.rounds):
        raise BadInput(f"{player.name}: round {len(state.rounds)} is paired; whoever leaves now plays no round after it")
    return _with(state, replace(player, until=after))


def _back(state: Tournament, _: int, data: Json) -> Tournament:
    player, faults = _player(state, data), list[str]()
    since = whole_of(data, "since", 1, MOST_ROUNDS, faults)
    if faults:
        raise Faults(faults)
    if player.until is None:
        raise BadInput(f"{player.name} did not leave")
    if since < state.next_round:
        raise BadInput(f"{player.name}: round {state.next_round} is the next to be paired")
    missed = dict.fromkeys(range(player.until + 1, since), "zero")
    return _with(state, replace(player, until=None, away=MappingProxyType({**missed, **player.away})))


def _away(state: Tournament, _: int, data: Json) -> Tournament:
    player, faults = _player(state, data), list[str]()
    number = whole_of(data, "round", 1, MOST_ROUNDS, faults)
    kind = data.get("bye", "")
    if kind not in ("", *BYES[1:]):
        faults.append(f"bye: one of {', '.join(BYES[1:])}")
    if not faults and number < state.next_round:
        faults.append(f"{player.name}: round {number} is paired already")
    if faults:
        raise Faults(faults)
    away = {key: value for key, value in player.away.items() if key != number} | ({number: kind} if kind else {})
    return _with(state, replace(player, away=MappingProxyType(away)))


def _paired(state: Tournament, _: int, data: Json) -> Tournament:
    if data.get("round") != state.next_round:
        raise BadInput(f"round {state.next_round} is the next to be paired")
    if state.rounds and not state.rounds[-1].complete and data.get("how") != "import":
        missing = [str(one.board) for one in state.rounds[-1].pairings if one.board not in state.rounds[-1].results]
        raise BadInput(f"round {len(state.rounds)} has no result yet at board {', '.join(missing)}")
    made = round_of(state, state.next_round, data)
    return replace(state, rounds=(*state.rounds, made))


def _round_changed(state: Tournament, _: int, data: Json) -> Tournament:
    old = _round(state, data)
    made = round_of(state, old.number, {"how": old.how, **data})
    for board in sorted(old.results):
        if made.pairing(board) != old.pairing(board):
            raise BadInput(f"round {old.number}: board {board} has a result; withdraw it before the game is changed")
    return _with_round(state, replace(made, results=old.results))


def _withdrawn(state: Tournament, _: int, data: Json) -> Tournament:
    last = _round(state, data)
    if last.number != len(state.rounds):
        raise BadInput(f"round {len(state.rounds)} is the last that was paired")
    if last.results:
        raise BadInput(f"round {last.number} has results already")
    return replace(state, rounds=state.rounds[:-1])


def round_of(state: Tournament, number: int, data: Json) -> Round:
    """A round as an entry tells it. Raises :class:`Faults` with everything that is wrong with its pairings."""
    faults: list[str] = []
    how = data.get("how", "hand")
    if how not in HOW:
        faults.append(f"how: one of {', '.join(HOW)}")
    pairings: list[Pairing] = []
    told = data.get("pairings")
    for index, one in enumerate(told if isinstance(told, list | tuple) else (), 1):
        if not isinstance(one, Mapping):
            faults.append(f"pairing {index}: an object is expected")
            continue
        board, players, table = one.get("board", index), one.get("players"), one.get("table", "")
        if not is_whole(board, 1, MOST_PLAYERS):
            faults.append(f"pairing {index}: its board is no number from 1 to {MOST_PLAYERS}")
        elif not isinstance(players, list | tuple) or len(players) not in state.plan.sizes:
            faults.append(f"board {board}: {_sizes(state.plan)} players are needed")
        elif not isinstance(table, str) or len(table) > 32:
            faults.append(f"board {board}: its table is no name of a table")
        else:
            pairings.append(Pairing(board, tuple(players), table))
    if not isinstance(told, list | tuple):
        faults.append("pairings: a list is expected")
    byes: dict[int, str] = {}
    given = data.get("byes", {})
    for key, kind in given.items() if isinstance(given, Mapping) else ():
        if not str(key).isascii() or not str(key).isdigit() or kind not in BYES:
            faults.append(f"bye of {str(key)[:20]}: a player's number and one of {', '.join(BYES)} are expected")
        else:
            byes[int(key)] = kind
    faults += _round_faults(state, number, pairings, byes)
    if faults:
        raise Faults(faults)
    return Round(number, tuple(sorted(pairings, key=lambda one: one.board)), MappingProxyType(byes), how)


def _round_faults(state: Tournament, number: int, pairings: list[Pairing], byes: Mapping[int, str]) -> Iterable[str]:
    seen: dict[int, str] = {}
    tables: dict[str, int] = {}
    boards: set[int] = set()
    for pairing in pairings:
        if pairing.board in boards:
            yield f"board {pairing.board} is there twice"
        boards.add(pairing.board)
        if pairing.table:
            if pairing.table in tables:
                yield f"board {pairing.board}: table {pairing.table} has board {tables[pairing.table]} already"
            tables.setdefault(pairing.table, pairing.board)
    places = [(player, f"board {pairing.board}") for pairing in pairings for player in pairing.players]
    for player, where in (*places, *((player, "the byes") for player in byes)):
        known = state.players.get(player) if is_whole(player, 1, MOST_PLAYERS) else None
        if known is None:
            yield f"{where}: there is no player {quoted(player)}"
        elif player in seen:
            yield f"{where}: {known.name} is at {seen[player]} already"
        elif not known.present(number):
            yield f"{where}: {known.name} does not play in round {number}"
        elif where != "the byes" and number in known.away:
            yield f"{where}: {known.name} asked not to be paired in round {number}"
        if known is not None:
            seen.setdefault(player, where)
    for expected in state.players.values():
        if expected.plays(number) and expected.number not in seen:
            yield f"{expected.name} has neither a game nor a bye"


def _result(state: Tournament, number: int, data: Json) -> Tournament:
    one, board = _round(state, data), data.get("board")
    pairing = one.pairing(board) if isinstance(board, int) else None
    if pairing is None:
        raise BadInput(f"round {one.number} has no board {quoted(board)}")
    result = replace(result_of(data, len(pairing.players)), event=number)
    before = one.results.get(pairing.board)
    kept = state.corrections
    if before is not None:
        if not result.reason:
            raise BadInput(f"board {pairing.board} of round {one.number} has a result; say why it is corrected")
        made = Correction(one.number, pairing.board, before, result, result.by, result.reason, number)
        kept = (*kept, made)
    changed = replace(one, results=MappingProxyType({**one.results, pairing.board: result}))
    return replace(_with_round(state, changed), corrections=kept)


def _result_withdrawn(state: Tournament, number: int, data: Json) -> Tournament:
    one, board, faults = _round(state, data), data.get("board"), list[str]()
    before = one.results.get(board) if isinstance(board, int) else None
    if before is None:
        raise BadInput(f"round {one.number} has no result at board {quoted(board)}")
    reason = text_of(data, "reason", REASON_LENGTH, faults, least=1)
    if faults:
        raise Faults(faults)
    if one.number != len(state.rounds):
        raise BadInput(f"round {len(state.rounds)} is paired upon it; correct the result instead")
    made = Correction(one.number, one_board(before, one), before, None, str(data.get("by", ""))[:80], reason, number)
    left = {key: value for key, value in one.results.items() if key != board}
    return replace(_with_round(state, replace(one, results=MappingProxyType(left))), corrections=(*state.corrections, made))


def one_board(result: Result, one: Round) -> int:
    """The board of a round's result."""
    return next(board for board, found in one.results.items() if found is result)


_KINDS: Mapping[str, Callable[[Tournament, int, Json], Tournament]] = MappingProxyType(
    {
        "event-changed": _changed,
        "player-entered": _entered,
        "player-changed": _player_changed,
        "player-left": _left,
        "player-back": _back,
        "player-away": _away,
        "round-paired": _paired,
        "round-changed": _round_changed,
        "round-withdrawn": _withdrawn,
        "result": _result,
        "result-withdrawn": _result_withdrawn,
    }
)
KINDS = ("event-opened", *_KINDS)


def _sizes(plan: Plan) -> str:
    return "2" if plan.pairs else f"2–{len(plan.seats)}"


def outcome_marks(plan: Plan, winner: Any) -> tuple[str, ...] | None:
    """The marks of a game whose outcome names this winner: nobody is a draw. None where the winner is no seat of the plan: then
    somebody has to say it by hand."""
    if winner is None or winner == "":
        return (DRAW,) * len(plan.seats)
    if winner not in plan.seats:
        return None
    return tuple(WIN if seat == winner else LOSS for seat in plan.seats)


def byes_of(state: Tournament, number: int) -> dict[int, str]:
    """The byes that players asked for in a round."""
    return {
        player.number: player.away[number]
        for player in state.players.values()
        if player.present(number) and number in player.away and player.away[number] != PAIRING
    }


def _with(state: Tournament, player: Player) -> Tournament:
    return replace(state, players=MappingProxyType({**state.players, player.number: player}))


def _with_round(state: Tournament, one: Round) -> Tournament:
    return replace(state, rounds=tuple(one if old.number == one.number else old for old in state.rounds))


def _player(state: Tournament, data: Json) -> Player:
    number = data.get("number")
    found = state.players.get(number) if isinstance(number, int) else None
    if found is None:
        raise BadInput(f"there is no player {quoted(number)}")
    return found


def _round(state: Tournament, data: Json) -> Round:
    number: Any = data.get("round")
    found = state.round(number) if is_whole(number, 1, MOST_ROUNDS) else None
    if found is None:
        raise BadInput(f"round {quoted(number)} is not paired")
    return found
