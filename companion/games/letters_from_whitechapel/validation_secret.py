"""From JSON to the secret of a position, listing every fault in words: it must fit what everybody sees."""

from collections.abc import Mapping
from typing import Any

from companion.errors import InvalidPosition, quoted
from companion.games.letters_from_whitechapel import secret as secrets
from companion.games.letters_from_whitechapel.names import (
    BLANK,
    COLOURS,
    DOWN,
    FAKE,
    FAKE_TOKENS,
    MARKED,
    PATROLS,
    REVEAL,
    WALK,
    WOMEN,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.secret import JackSecret, PoliceSecret, Secret
from companion.games.letters_from_whitechapel.validation import is_number

_PARTS: Mapping[str, tuple[str, ...]] = {"jack": ("hideout", "row", "women"), "police": ("patrols",)}


def secret_of(data: Any, position: Position) -> Secret:
    """The secret part that goes with a position; what is absent is unknown. Raises InvalidPosition with every fault."""
    faults: list[str] = []
    halves = {}
    for name, half in _object(data, "secret", tuple(_PARTS), faults).items():
        if half is not None and name in _PARTS:
            halves[name] = _object(half, f"secret.{name}", _PARTS[name], faults)
    jack = _jack(halves["jack"], position, faults) if "jack" in halves else None
    police = _police(halves["police"], position, faults) if "police" in halves else None
    if faults:
        raise InvalidPosition(faults)
    return Secret(jack, police)


def _object(data: Any, what: str, keys: tuple[str, ...], faults: list[str]) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        faults.append(f"{what}: must be an object, not {quoted(data)}")
        return {}
    faults += [f"{what}: {quoted(key)} is not part of it; there are: {', '.join(keys)}" for key in data if key not in keys]
    return data


def _jack(data: Mapping[str, Any], position: Position, faults: list[str]) -> JackSecret:
    return JackSecret(
        _hideout(data.get("hideout"), position, faults),
        _row(data, position, faults),
        _women(data.get("women") or {}, position, faults),
    )


def _hideout(given: Any, position: Position, faults: list[str]) -> int | None:
    last = len(position.streets.circles)
    if given is None:
        return None
    if not is_number(given, 1, last):
        faults.append(f"secret.jack.hideout: {quoted(given)} is not a circle from 1 to {last}")
        return None
    rule = position.rule("hideout")
    if given not in secrets.hideouts(position.streets, rule):
        said = "is red" if given in position.streets.red else "is next to a red circle"
        faults.append(f"secret.jack.hideout: {given} {said}, where the hideout may not be")
    return int(given)


def _row(data: Mapping[str, Any], position: Position, faults: list[str]) -> tuple[int, ...]:
    """Empty where it is unknown. Left out it is known all the same as long as Jack stands at the night's only scene."""
    given, last = data.get("row"), len(position.streets.circles)
    if given is None:
        return position.scenes if len(position.scenes) == 1 and not position.track else ()
    if not isinstance(given, list | tuple) or not all(is_number(circle, 1, last) for circle in given):
        faults.append(f"secret.jack.row: {quoted(given)} is not a list of circles from 1 to {last}")
        return ()
    row, scenes = tuple(given), position.scenes
    wanted = len(scenes) + position.used
    if len(row) != wanted:
        faults.append(
            f"secret.jack.row: {len(row)} circles, but {len(scenes)} scenes and {position.used} spaces used make {wanted}"
        )
    elif tuple(sorted(row[: len(scenes)])) != scenes:
        faults.append(f"secret.jack.row: begins with {_told(row[: len(scenes)])}, but tonight's scenes are {_told(scenes)}")
    else:
        faults += _jumps(row, data.get("hideout"), position)
    for clue in position.clues:
        if clue not in row:
            faults.append(f"clues: one on {clue}, which is not on tonight's row")
    for circle in position.missed:
        if circle in row:
            faults.append(f"missed: {circle} is on tonight's row, so the answer was not true")
    return row


def _jumps(row: tuple[int, ...], hideout: Any, position: Position) -> list[str]:
    """Moves that no street, coach or alley makes (where policemen stood meanwhile is not known), and arrivals not announced
    though they must be."""
    faults = []
    moves = secrets.legs(row, len(position.scenes), position.track)
    for number, (kind, origin, written) in enumerate(moves, 1):
        said = secrets.leg_fault(position.streets, kind, origin, written)
        if said:
            faults.append(f"secret.jack.row: move {number}: {said}")
        home = kind == WALK and written[-1] == hideout
        if home and position.rule("arrival") == "must" and not (position.over and number == len(moves)):
            faults.append(f"secret.jack.row: move {number} walked to the hideout, which must be announced")
    return faults


def _women(given: Any, position: Position, faults: list[str]) -> Mapping[int, str]:
    """Looked at while the tokens lie face down; afterwards everybody has seen them."""
    if position.phase not in (WOMEN, PATROLS):
        return {}
    if not isinstance(given, Mapping):
        faults.append(f"secret.jack.women: must be an object, not {quoted(given)}")
        return {}
    found: dict[int, str] = {}
    for circle, mark in given.items():
        number = int(circle) if isinstance(circle, str) and circle.isdecimal() else circle
        if number not in position.women:
            faults.append(f"secret.jack.women: no token lies on {circle}")
        if mark not in (MARKED, BLANK):
            faults.append(f"secret.jack.women: {quoted(mark)} on {circle} is not {MARKED} or {BLANK}")
        found[number] = mark
    marked, most = list(found.values()).count(MARKED), position.tonight.marked
    whole = position.phase == PATROLS and found
    if marked > most or (whole and marked != most):
        faults.append(f"secret.jack.women: {marked} marked, but night {position.night} has {most}")
    if whole and len(found) != len(position.women):
        faults.append(f"secret.jack.women: {len(found)} of the {len(position.women)} tokens on the board")
    return found


def _police(data: Mapping[str, Any], position: Position, faults: list[str]) -> PoliceSecret:
    """Looked at while patrol tokens lie on the board."""
    given = data.get("patrols") or {}
    if not isinstance(given, Mapping):
        faults.append(f"secret.police.patrols: must be an object, not {quoted(given)}")
        return PoliceSecret()
    on_board = dict(position.patrols)
    if position.phase in (PATROLS, REVEAL) or on_board:
        _patrols(given, on_board, faults)
    return PoliceSecret(dict(given))


def _patrols(given: Mapping[str, Any], on_board: Mapping[str, str], faults: list[str]) -> None:
    for crossing, token in given.items():
        if crossing not in on_board:
            faults.append(f"secret.police.patrols: no token lies on {crossing}")
        elif token not in (*COLOURS, FAKE):
            faults.append(f"secret.police.patrols: {quoted(token)} on {crossing} is not {FAKE} or one of {', '.join(COLOURS)}")
        elif on_board[crossing] not in (DOWN, token):
            faults.append(f"secret.police.patrols: {token} on {crossing}, which shows {on_board[crossing]}")
    tokens = list(given.values())
    counted = {colour: tokens.count(colour) for colour in COLOURS if given}
    faults += [
        f"secret.police.patrols: {count} tokens of {colour}, but there is one"
        for colour, count in counted.items()
        if count != 1
    ]
    if tokens.count(FAKE) > FAKE_TOKENS:
        faults.append(f"secret.police.patrols: {tokens.count(FAKE)} fake tokens, but there are {FAKE_TOKENS}")


def _told(values: tuple[int, ...]) -> str:
    return " and ".join(map(str, values)) or "nothing"
