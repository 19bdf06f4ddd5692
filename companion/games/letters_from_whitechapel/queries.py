"""Questions to these rules as JSON: what ``moves``, ``answer``, ``deduce`` and ``explain`` take and tell.

A position comes bare or as ``{"position": {…}, "secret": {"jack": {"hideout", "row", "women"}, "police": {"patrols"}}}``; a
secret, where it comes, is checked against the position. No answer holds one.

``moves``: of Jack ``jack`` (``kind``, ``by``, ``home``: whether the move ends where he may announce that he is home), ``left``
(spaces of the track), ``tokens``, ``trapped``; of the police ``turn``, who may act now, and under ``police`` for each of the
five where he may ``move``, ``search``, ``arrest`` in this step (nothing once he is done); of the Wretched, under
``wretched``, the targets of each; in other phases ``expects``.
``answer``: with ``ask`` ``{"by", "kind", "circle"}`` whether the question is ``legal``, and ``clue`` or ``arrested``, which an
unlawful question never gets. ``deduce``: :mod:`.history`. ``explain``: :mod:`.explaining`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.bounded import json_kind
from companion.errors import BadInput, quoted
from companion.games.letters_from_whitechapel import deducing, explaining, history, jack, night, police, wretched
from companion.games.letters_from_whitechapel.acts import ARREST, SEARCH
from companion.games.letters_from_whitechapel.names import COLOURS, ESCAPE, ID, OVER, POLICE_ACT, POLICE_MOVE, WRETCHED
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.secret import NOTHING_KNOWN, JackSecret, Secret
from companion.games.letters_from_whitechapel.validation import is_number, position_of
from companion.games.letters_from_whitechapel.validation_secret import secret_of
from companion.games.queries import Queries, Reply


def recognises(data: Any) -> bool:
    """Whether a value is about this game: it names it, or has nights or a night's phase as no other question has."""
    if isinstance(data, list | tuple):
        return bool(data) and recognises(data[0])
    if not isinstance(data, Mapping):
        return False
    position = data.get("position", data)
    if not isinstance(position, Mapping):
        return False
    game = data.get("game", position.get("game"))
    return game == ID or (game is None and ("nights" in data or {"night", "phase"} <= position.keys()))


def read(data: Any, *, more: tuple[str, ...] = ()) -> tuple[Position, Secret]:
    """The position and the secret in a value that may have ``more`` keys. Raises BadInput, InvalidPosition."""
    if not isinstance(data, Mapping):
        raise BadInput(f"must be a JSON object, not {json_kind(data)}")
    if "position" not in data:
        return position_of({key: value for key, value in data.items() if key not in more}), NOTHING_KNOWN
    keys = ("position", "secret", *more)
    for key in data:
        if key not in (*keys, "game"):
            raise BadInput(f"{quoted(key)} is not part of it; there are: {', '.join(keys)}")
    position = position_of(data["position"])
    secret = data.get("secret")
    return position, NOTHING_KNOWN if secret is None else secret_of(secret, position)


def moves(data: Any) -> Reply:
    """What may be done now."""
    position, secret = read(data)
    if position.phase == ESCAPE:
        return _jacks_moves(position, _known(secret, "moves of Jack"))
    if position.phase in (POLICE_MOVE, POLICE_ACT):
        return _police_moves(position)
    if position.phase == WRETCHED:
        targets = {str(circle): list(wretched.targets(position, circle)) for circle in position.wretched}
        said = tuple(f"{circle}: {', '.join(map(str, to)) or 'stays'}" for circle, to in targets.items())
        return Reply({"wretched": targets}, lines=said)
    expected = [{"who": entry.who, "acts": list(entry.acts)} for entry in night.expects(position)]
    told = tuple(f"{entry['who']}: {', '.join(entry['acts'])}" for entry in expected) or ("the game is over",)
    return Reply({"expects": expected}, yes=position.phase != OVER, lines=told)


def _known(secret: Secret, what: str) -> JackSecret:
    """Jack's half, with his row."""
    if secret.jack is None:
        raise BadInput(f"{what} cannot be told without Jack's secret: secret.jack is missing")
    if not secret.jack.row:
        raise BadInput(f"{what} cannot be told without tonight's row: secret.jack.row is missing")
    return secret.jack


def _jacks_moves(position: Position, secret: JackSecret) -> Reply:
    if secret.hideout is None:
        raise BadInput("moves of Jack cannot be told without his hideout: secret.jack.hideout is missing")
    found = jack.moves(position, secret)
    data = {
        "jack": [move.to_json() for move in found],
        "left": position.left,
        "tokens": dict(position.tokens),
        "trapped": not found,
    }
    told = [f"{move.kind} {' '.join(map(str, move.by))}{' (home)' if move.home else ''}" for move in found]
    return Reply(data, yes=bool(found), lines=tuple(told) or ("Jack is trapped",))


def _police_moves(position: Position) -> Reply:
    turn = police.turn(position)
    options = {colour: _options(position, colour, colour in turn) for colour, _ in position.police}
    told = tuple(
        f"{colour}: {kind} {', '.join(map(str, places))}"
        for colour in turn
        for kind, places in options[colour].items()
        if places
    )
    return Reply({"turn": list(turn), "police": options}, lines=told)


def _options(position: Position, colour: str, now: bool) -> dict[str, list[Any]]:
    """What a policeman may do in this step: the one whose turn it is ``now``, the others when theirs comes, were the board the
    same by then; nothing once he is done."""
    done = colour in police.done(position)
    moving = position.phase == POLICE_MOVE
    if not now:
        position = replace(position, missed=())
    return {
        "move": list(police.moves(position, colour)) if moving and not done else [],
        "search": [] if moving or done else list(police.searches(position, colour)),
        "arrest": [] if moving or done else list(police.arrests(position, colour)),
    }


def answer(data: Any) -> Reply:
    """What Jack must answer to a search or an arrest."""
    position, secret = read(data, more=("ask",))
    by, kind, circle = _ask(data.get("ask"))
    row = _known(secret, "an answer")
    legal = position.phase == POLICE_ACT and by in police.turn(position)
    if kind == SEARCH:
        legal = legal and circle in police.searches(position, by)
        name, yes = "clue", legal and circle in row.row
    else:
        legal = legal and circle in police.arrests(position, by)
        name, yes = "arrested", legal and circle == row.place
    said = ("yes" if yes else "no") if legal else f"{by} may not {kind} {circle} now"
    return Reply({"legal": legal, name: yes}, yes=legal, lines=(said,))


def _ask(given: Any) -> tuple[str, str, int]:
    if not isinstance(given, Mapping) or set(given) != {"by", "kind", "circle"}:
        raise BadInput(f"ask: {quoted(given)} is not an object with by, kind and circle")
    by, kind, circle = given["by"], given["kind"], given["circle"]
    if by not in COLOURS:
        raise BadInput(f"ask: {quoted(by)} is not a policeman; there are five: {', '.join(COLOURS)}")
    if kind not in (SEARCH, ARREST):
        raise BadInput(f"ask: {quoted(kind)} is not {SEARCH} or {ARREST}")
    if not is_number(circle, 1, 195):
        raise BadInput(f"ask: {quoted(circle)} is not a circle from 1 to 195")
    return by, kind, circle


def deduce(data: Any) -> Reply:
    """Where Jack and his hideout may be, by the public events of the nights."""
    found = deducing.deduce(history.history_of(data))
    lines = (f"places: {', '.join(map(str, found.places))}", f"hideouts: {', '.join(map(str, found.hideouts))}")
    return Reply({"places": list(found.places), "hideouts": list(found.hideouts)}, lines=lines)


def explain(data: Any) -> Reply:
    """Which public act turned the first position into the second, or why none did."""
    if not isinstance(data, list | tuple) or len(data) != 2:
        raise BadInput("must be a JSON array of two positions, [before, after]")
    before, _ = read(data[0])
    after = data[1].get("position", data[1]) if isinstance(data[1], Mapping) else data[1]
    verdict = explaining.explain(before, explaining.goal_of(before, after), far=True)
    told = verdict.to_json()
    lines = (verdict.verdict, *(f"  {play['text']}" for play in told["plays"]), *(f"  {f['message']}" for f in told["faults"]))
    return Reply(told, yes=verdict.verdict in ("legal", "unchanged"), lines=lines)


QUERIES = Queries(recognises, {"moves": moves, "answer": answer, "deduce": deduce, "explain": explain})
