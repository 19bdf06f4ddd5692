"""The public snapshot of a match: what any screen may show. Nothing in it depends on a secret that was not opened."""

from collections.abc import Mapping
from typing import Any

from companion.games.expectations import Arrangement, Change, Draw, Expectation, Opening, Over, Question
from companion.games.seats import Held, Told, sole
from companion.games.values import Position, Role
from companion.record.words import words
from companion.referee.corrected_reading import perceive
from companion.referee.match import Match
from companion.referee.pointing import narrowed
from companion.referee.rulings import whose_play
from companion.referee.stepping_back import last_play, needs_arbiter

Json = Mapping[str, Any]


def view(match: Match) -> dict[str, Any]:
    """The match as plain JSON; the keys are the same in every phase."""
    game, position = match.game, match.position
    known = position is not None
    edition = position.edition if known else game.editions()[0]
    own = game.view(match.state, match.context)
    shown = {
        "number": match.number,
        "game": {"id": game.id, "name": game.name, "edition": edition, "label": game.board(edition).label},
        "match": match.id,
        "phase": match.phase if match.begun else "set-up",
        "turn": position.turn if known else 1,
        "pick": len(match.picks),
        "mover": match.mover,
        "movers": list(match.movers),
        "position": position.to_json() if known else None,
        "notation": position.notation() if known else None,
        "table": _table(match),
        "played": list(match.played),
        "flag": match.flag,
        "unfinished": match.unfinished,
        "whose_play": whose_play(match),
        "doubt": match.doubt,
        "chores": [dict(chore) for chore in match.chores],
        "blind": list(match.blind),
        "question": None if match.question is None else dict(match.question),
        "secret": match.secret,
        "commitment": match.commitment,
        "commitment_words": words(match.commitment) if match.commitment else None,
        "outcome": match.outcome,
        "opened": dict(match.opened) if match.opened and match.over else None,
        **_ways(match),
        "seats": list(game.seats_in(match.state)),
        "secrets": [_told(match, one) for one in match.told],
        "seals": _seals(match),
        **_tells(match),
        "expects": [{**expected_json(one), **_pointed_at(match, one)} for one in match.expects],
        "house_rules": dict(match.rules),
        **({"seating": [dict(person) for person in match.people]} if match.people else {}),
        "adjourned": match.adjourned,
        "restoring": match.restoring,
        "clock": match.clock.to_json() if match.clock else None,
        "take_back": [_past(past) for past in match.returns if not match.stands_at(past)],
        "penalties": [dict(penalty) for penalty in match.penalties],
        **_undo(match),
        **own,
    }
    return {key: shown[key] for key in dict.fromkeys((*game.snapshot_order, *shown)) if key in shown}


def _told(match: Match, told: Told) -> dict[str, Any]:
    """A secret as everybody knows it, with its value once it was opened."""
    shown = next((one for one in match.opened_by(told.seat, told.purpose) if one.number == told.number), None)
    return {**told.to_json(), **({} if shown is None else {"value": shown.value})}


def _ways(match: Match) -> dict[str, Any]:
    """``ways``: what was gone in secret, for every screen once the game is over and it was opened."""
    if not match.over or not match.openings:
        return {}
    found = match.game.opened_ways(match.state, [match.held_open(seat) for seat in match.game.seats])
    return {"ways": [way.to_json() for way in found]} if found else {}


def _seals(match: Match) -> list[dict[str, Any]]:
    """The last commitment of every row of secrets that is not opened yet, the newest last: each covers those before it in its
    row. In words as well, to be copied or photographed; none in a game with one secret, which has it in keys of its own."""
    if sole(match.game.purposes) is not None:
        return []
    rows: dict[tuple[Role, str], Told] = {}
    for one in match.told:
        rows.pop((one.seat, one.purpose), None)
        rows[one.seat, one.purpose] = one
    shown = [one for one in rows.values() if one.commitment and not match.opened_by(one.seat, one.purpose)]
    return [{**one.to_json(), "words": words(str(one.commitment))} for one in shown]


def expected_json(expected: Expectation[Position]) -> dict[str, Any]:
    """An expectation as screens read it."""
    match expected:
        case Change():
            return {"kind": "change", "seat": expected.seat, "left": expected.left}
        case Arrangement():
            return {"kind": "arrangement", "start": expected.start, "reached": expected.reached}
        case Question():
            return {
                "kind": "question", "id": expected.id, "seat": expected.seat, "text": expected.text,
                "params": dict(expected.params), "form": [dict(one) for one in expected.form], "labels": list(expected.labels),
                "places": list(expected.places), "pointing": expected.pointing is not None,
                "public": expected.public, "purpose": expected.purpose,
                "counts": None if expected.counts is None else expected.counts.to_json(),
                **({} if expected.given is None else {"given": expected.given}),
            }  # fmt: skip
        case Draw():
            return {"kind": "draw", "pool": list(expected.pool), "count": expected.count}
        case Opening():
            return {"kind": "opening", "seat": expected.seat, "purpose": expected.purpose}
        case Over():
            over = expected.outcome
            return {
                "kind": "over", "winner": over.winner, "code": over.code, "text": over.text, "params": dict(over.params),
            }  # fmt: skip


def _pointed_at(match: Match, expected: Expectation[Position]) -> dict[str, Any]:
    """``pointed``: the spot that was pointed at, beside the question that it does not answer yet."""
    place = narrowed(match) if isinstance(expected, Question) and expected == match.asked else ""
    return {"pointed": place} if place else {}


def private(match: Match, seat: Role, held: Held | None) -> dict[str, Any] | None:
    """What one seat alone is shown, as JSON; None where it sees what everybody sees."""
    own = match.game.private(match.state, match.context, seat, held) if match.begun else None
    return None if own is None else own.to_json()


def _tells(match: Match) -> dict[str, Any]:
    """What each seat may tell now, for the screen that all share, in a game with several secrets: as of seats that entrusted
    nothing, so that nothing told shows in it."""
    if match.sole is not None or not match.game.purposes:
        return {}
    shown = [(seat, private(match, seat, None)) for seat in match.seats]
    return {"tells": [{"seat": seat, **tell} for seat, own in shown if own is not None for tell in own["tells"]]}


def _undo(match: Match) -> dict[str, Any]:
    """``undo``: whose play the players may take back now; ``undo_refused``: why the last one needs the arbiter."""
    last = last_play(match)
    refused = needs_arbiter(match) if last is not None else None
    return {"undo": None if refused else last, "undo_refused": refused}


def _past(past: Match) -> dict[str, Any]:
    """A moment to which the arbiter may take the game back."""
    character = past.picks[-1].character if past.picks else None
    return {"number": past.number, "turn": past.position.turn, "pick": len(past.picks), "character": character}


def _table(match: Match) -> dict[str, Any]:
    if match.table is None or match.position is None:
        return {"state": {}, "unknown": {}, "problems": [], "overrides": []}
    board, pieces = match.game.board(match.position.edition), match.game.pieces()
    sight = perceive(match.table, match.overrides, board, pieces)
    burnt = sight.burnt_for(match.blind)
    return {
        "state": sight.state, "unknown": sight.unknown, "problems": list(sight.problems), "overrides": sorted(match.overrides),
        **({"burnt": list(burnt)} if burnt else {}),
    }  # fmt: skip
