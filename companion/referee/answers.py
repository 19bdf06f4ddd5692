"""What people tell the companion at any table: a choice, a correction, a step back, a secret, an arbiter's word.

``on_answer`` returns the drafts an answer leads to, or raises BadInput saying in one line why it cannot be taken now.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput, quoted
from companion.games.seats import ENTRUSTED, SEALED, Held, Purpose, key_of, purpose_of
from companion.games.values import Role
from companion.record.commitment import Link, opens, parse_commitment
from companion.referee.clock import clock_data
from companion.referee.comparison import TableComparison
from companion.referee.corrected_reading import perceive
from companion.referee.corrections import Corrector
from companion.referee.match import Draft, Match
from companion.referee.plays import TOO_MUCH, led_back, undo_data
from companion.referee.rulings import accept, rule
from companion.referee.stepping_back import REFUSED, last_play, needs_arbiter

Json = Mapping[str, Any]


def on_answer(match: Match, answer: Json) -> list[Draft]:
    """The drafts of one answer. Raises BadInput."""
    game, kind = match.game, answer.get("kind") if isinstance(answer, Mapping) else None
    if not isinstance(kind, str) or kind not in game.answers:
        raise BadInput(f"answer {quoted(kind)} is not known; there are: {', '.join(game.answers)}")
    if match.adjourned and kind not in ("rule", "seal", "clock"):
        raise BadInput("the game is adjourned; it has to be resumed first")
    take = _ANSWERS.get(kind)
    return take(match, answer) if take is not None else list(game.answer(match.state, match.context, answer))


def by_secret(match: Match, held: Held, nonce: str | None = None) -> list[Draft]:
    """What the secrets of a seat answer to the open question. ``nonce`` opens the one secret of a game with one only. Raises
    BadInput."""
    said = match.game.by_secret(match.state, held)
    if said["kind"] in _ANSWERS:
        return on_answer(match, {**said, "nonce": nonce})
    return list(match.game.answer(match.state, match.context, said))


def _guide(match: Match, answer: Json) -> list[Draft]:
    """People want to be led back, piece by piece, to what is on record."""
    flag = match.flag
    if match.table is None or flag is None or flag["faults"][0]["code"] != TOO_MUCH:
        raise BadInput("there is nothing to be led back from now: that is offered when many pieces differ from the record")
    return led_back(TableComparison.of(match, match.table))


def _choose(match: Match, answer: Json) -> list[Draft]:
    offered = match.doubt or (match.picks[-1].play if match.picks and match.change is not None else {})
    choices = offered.get("alternatives", ())
    index = answer.get("alternative")
    if not choices:
        raise BadInput("there is nothing to choose from now")
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(choices):
        raise BadInput(f"alternative {quoted(index)} is not one of 0 to {len(choices) - 1}")
    chosen = choices[index]
    if match.doubt is None:
        return _retold(match, chosen)
    if not chosen["plays"]:
        return [Draft("flag-cleared", {"how": "nothing"})]
    first = dict(chosen["plays"][0])
    if not chosen["redo"]:
        return _told_as(chosen, choices)
    correction = Draft("correction", {"what": "play", "supersedes": match.picks[-1].number, **first})
    return [correction, *(Draft("play", play) for play in chosen["plays"][1:])]


def _retold(match: Match, chosen: Json) -> list[Draft]:
    """Another explanation of what was accepted: step back over the plays it replaces, then tell them anew."""
    if chosen["redo"] or len(chosen["plays"]) > len(match.picks):
        raise BadInput("that explanation can no longer be taken; undo the play instead")
    picks = match.picks[-len(chosen["plays"]) :]
    undone = [
        Draft("undo", {"undone": p.number, "character": p.character, "cause": "retold", "position": p.before.to_json()})
        for p in reversed(picks)
    ]
    return [*undone, *_told_as(chosen, match.picks[-1].play["alternatives"])]


def _told_as(chosen: Json, choices: Sequence[Json]) -> list[Draft]:
    """The chosen plays; the last keeps the other ways to tell as many plays, so that a wrong choice can be put right."""
    others = [
        choice for choice in choices if choice["plays"] and not choice["redo"] and len(choice["plays"]) == len(chosen["plays"])
    ]
    *first, last = chosen["plays"]
    if len(others) > 1:
        last = {**last, "alternatives": [{**choice, "index": index} for index, choice in enumerate(others)]}
    return [Draft("play", play) for play in (*first, last)]


def _correct(match: Match, answer: Json) -> list[Draft]:
    reading = match.table
    if reading is None or match.position is None:
        raise BadInput("nothing was seen yet that could be corrected")
    board, pieces = match.game.board(match.position.edition), match.game.pieces()
    sight = perceive(reading, match.overrides, board, pieces)
    corrector = Corrector(board, pieces, reading, sight, match.position.to_json())
    also = answer.get("also", [])
    if not isinstance(also, list) or not all(isinstance(one, Mapping) for one in also):
        raise BadInput("what is corrected as well ('also') is a list of corrections")
    # All at once: two discs taken for each other must not stand on one cell in between.
    fixes = [fix for one in (answer, *also) for fix in corrector.fixes(one)]
    return [Draft("correction", {"what": "sight", "fixes": fixes})]


def _undo(match: Match, answer: Json) -> list[Draft]:
    """Steps back over the last play where players may (:mod:`.stepping_back`)."""
    if last_play(match) is None:
        raise BadInput(match.game.no_undo)
    late = needs_arbiter(match)
    if late is not None:
        raise BadInput(REFUSED[late])
    return [Draft("undo", undo_data(match, "answer"))]


def may_deal(match: Match) -> bool:
    """Whether the companion may draw or deal now."""
    return match.draw is not None and not match.adjourned


def dealt(match: Match, chosen: Sequence[str]) -> list[Draft]:
    """The event of the companion drawing these. Raises BadInput when nothing is to be drawn."""
    return list(match.game.drawn(match.state, match.context, chosen))


def _clock(match: Match, answer: Json) -> list[Draft]:
    """The players' clocks: set before or during the game, stopped and started by an arbiter's word."""
    if match.over:
        raise BadInput("the game is over")
    return [Draft("clock", clock_data(match, answer))]


# --- secrets ----------------------------------------------------------------------------------------------------------


DISPROVED = "disproved"
"""Key of an opening at the end: what it proves wrong of what was said before, in order, as templates with their words."""


def concerned(match: Match, answer: Json) -> tuple[Role, Purpose]:
    """The seat and the kind of secret that an answer is about; in a game with one secret it need not say. Raises BadInput."""
    game, name = match.game, answer.get("purpose")
    purpose = match.sole if name is None else purpose_of(game.purposes, name)
    if purpose is None:
        raise BadInput(
            f"there is no secret {quoted(name)} in this game; there are: {', '.join(one.name for one in game.purposes)}"
        )
    seat = answer.get("seat", purpose.seat)
    seats = (purpose.seat,) if purpose.seat is not None else game.seats_in(match.state)
    if seat not in seats:
        raise BadInput(f"{quoted(purpose.name)} is told by {', '.join(map(str, seats))}, not by {quoted(seat)}")
    return str(seat), purpose


def next_link(match: Match, seat: Role, purpose: Purpose) -> Link | None:
    """Where the next secret of a seat would stand; None in a game with one secret only."""
    if match.sole is not None:
        return None
    row = match.row(seat, purpose.name) if purpose.row else ()
    return Link(seat, purpose.name, len(row) + 1, row[-1].commitment or "" if row else "")


def _told(match: Match, seat: Role, purpose: Purpose, mode: str, commitment: str) -> Draft:
    link = next_link(match, seat, purpose)
    where = {} if link is None else {"seat": seat, "purpose": purpose.name, "number": link.number}
    return Draft("secret", {"mode": mode, "commitment": commitment, **where, **_sentence(purpose.told)})


def _sentence(text: str | None, values: Sequence[str] = ()) -> dict[str, Any]:
    """What is said of a secret, as an event holds it; nothing where general words are."""
    return {} if text is None else {"text": text, "params": {"values": ", ".join(values)} if values else {}}


def _seal(match: Match, answer: Json) -> list[Draft]:
    seat, purpose = concerned(match, answer)
    match.game.may_tell(match.state, match.context, seat, purpose)
    return [_told(match, seat, purpose, SEALED, parse_commitment(str(answer.get("commitment", ""))))]


def entrusted(match: Match, seat: Role, purpose: Purpose, value: object, held: Held, commitment: str) -> list[Draft]:
    """The event of a secret told to the companion in private; it does not say what, but binds whoever told it by a commitment
    that is opened later. ``held``: what the seat entrusted before. Raises BadInput (heard by that seat alone)."""
    match.game.may_tell(match.state, match.context, seat, purpose)
    match.game.may_be(match.state, seat, purpose, value, held)
    return [_told(match, seat, purpose, ENTRUSTED, commitment)]


def _reveal(match: Match, answer: Json) -> list[Draft]:
    """Secrets are opened by whoever has them: to answer a question, when they are due, or after the game so that they can be
    verified."""
    seat, purpose = concerned(match, answer)
    given = answer.get("opened", [{"value": answer.get(key_of(purpose, match.game.purposes)), "nonce": answer.get("nonce")}])
    if not isinstance(given, list) or not given or not all(isinstance(one, Mapping) for one in given):
        raise BadInput("what is opened is a list of values, each with its random bytes ('nonce')")
    values = [one.get("value") for one in given]
    match.game.may_open(match.state, match.context, seat, purpose, values)
    opening = _opening(match, seat, purpose, [(str(one.get("value")), one.get("nonce")) for one in given])
    return [opening] if match.over else [opening, *match.game.verdict(match.state, seat, purpose, list(map(str, values)))]


def _opening(match: Match, seat: Role, purpose: Purpose, given: Sequence[tuple[str, Any]]) -> Draft:
    """The event of an opening; at the end with what it proves wrong of what was said before.

    Raises BadInput where what is given does not open every commitment of the seat.
    """
    opening = _opened_with(match, seat, purpose, given)
    if not match.over:
        return opening
    before = [past for past in match.openings if match.concerns(past)[0] == seat and DISPROVED in past]
    known = {(one.code, one.number) for past in before for one in match.disproved(past)}
    found = [one for one in match.disproved(opening.data) if (one.code, one.number) not in known]
    wrong = [{"text": one.said, "params": dict(one.params)} for one in sorted(found, key=lambda one: one.number)]
    return Draft("opening", {**opening.data, DISPROVED: wrong}) if wrong else opening


def _opened_with(match: Match, seat: Role, purpose: Purpose, given: Sequence[tuple[str, Any]]) -> Draft:
    bound = match.row(seat, purpose.name)
    if match.sole is not None:
        return _opening_of_one(match, bound[-1].commitment if bound else None, *given[-1])
    if len(given) != max(len(bound), 1):
        raise BadInput(f"{seat} told {len(bound)} secrets of {quoted(purpose.name)}, and opens {len(given)}")
    previous, opened = "", list[dict[str, Any]]()
    for number, (value, nonce) in enumerate(given, start=1):
        told = bound[number - 1].commitment if bound else None
        link = Link(seat, purpose.name, number, previous)
        if told is not None and not (isinstance(nonce, str) and opens(told, match.id, value, nonce, link)):
            raise BadInput(f"this does not open commitment {number} of {seat}: another value, or other random bytes")
        opened.append({"number": number, "value": value, "nonce": nonce.lower() if isinstance(nonce, str) else ""})
        previous = told or ""
    said = _sentence(purpose.shown, [value for value, _ in given])
    return Draft("opening", {"seat": seat, "purpose": purpose.name, "opened": opened, **said})


def _opening_of_one(match: Match, commitment: str | None, value: str, nonce: Any) -> Draft:
    assert match.sole is not None
    key = match.sole.key
    if commitment is None:
        return Draft("opening", {key: value})
    if not isinstance(nonce, str) or not opens(commitment, match.id, value, nonce):
        raise BadInput(f"this does not open the commitment: another {key}, or other random bytes")
    return Draft("opening", {key: value, "nonce": nonce.lower(), "commitment": commitment})


def opened(match: Match, seat: Role, purpose: Purpose, given: Sequence[tuple[str, str | None]]) -> list[Draft]:
    """After the end, or when it is due: secrets as the companion was told them (value and nonce, in order), even if an answer
    or a ruling says that they cannot be; that is for the audit to find. Raises BadInput where they open no commitment."""
    opening = _opening(match, seat, purpose, given)
    due = () if match.over else match.game.verdict(match.state, seat, purpose, [value for value, _ in given])
    return [opening, *due]


_ANSWERS: Mapping[str, Callable[[Match, Json], list[Draft]]] = MappingProxyType(
    {
        "guide": _guide,
        "choose": _choose,
        "correct": _correct,
        "undo": _undo,
        "accept": accept,
        "rule": rule,
        "clock": _clock,
        "reveal": _reveal,
        "seal": _seal,
    }
)
ANSWER_KINDS = tuple(_ANSWERS)
"""Kinds of answers that any game may take; a game names those of its table (:attr:`Rules.answers`)."""
