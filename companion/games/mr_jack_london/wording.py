"""Every sentence this game alone says, as English templates; translation keys and the one place where prose lives.

Params hold display names and places only, so that a sentence can be put into another language word by word. Composite
lists (who was whistled where) are built of names, places and arrows and need no grammar.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.game import Chore, Fault, Move
from companion.games.mr_jack.deduction import ACCUSATION, ESCAPE
from companion.games.mr_jack.sayings import COMMON_CHORES, COMMON_FAULTS, COMMON_PENDING, Sayings
from companion.games.mr_jack_london.names import ABILITY, BERT, BLANK, GOODLEY, GULL, LESTRADE, NAMES, SMITH, WATSON

PLAYED: Mapping[str, str] = MappingProxyType(
    {
        "move": "{character} goes from {origin} to {to}.",
        "draw_alibi": "{character} goes from {origin} to {to} and looks at an alibi card.",
        "aim_lantern": "{character} goes from {origin} to {to} and points the lantern {facing}.",
        "move_gaslight": "{character} goes from {origin} to {to} and moves gaslight {lamp} from {piece_from} to {piece_to}.",
        "move_gaslight/blank": "{character} goes from {origin} to {to} and moves a blank gaslight from {piece_from} "
        "to {piece_to}.",
        "move_cordon": "{character} goes from {origin} to {to} and moves the police cordon from {piece_from} to {piece_to}.",
        "cross_obstacles": "{character} slips across houses and gardens from {origin} to {to}.",
        "whistle": "{character} goes from {origin} to {to} and whistles: {whistled}.",
        "whistle-nobody": "{character} goes from {origin} to {to} and whistles, but nobody can come nearer.",
        "swap": "{character} on {origin} changes places with {other} on {to}.",
        "move_manhole_cover": "{character} goes from {origin} to {to} and moves a cover from {piece_from} to {piece_to}.",
        ACCUSATION: "{character} goes from {origin} to {to} and accuses {accused}.",
        "whistle-accusation": "{character} whistles: {whistled}. That accuses {accused}.",
        ESCAPE: "{character} leaves the district by the exit {exit}.",
    }
)

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        **COMMON_FAULTS,
        "not-moved/gull": "{character} was played but did not leave {origin}: move {character} 1 to {limit} steps or change "
        "places with somebody.",
        "off-street/gaslight": "{character} stands on the gaslight hex {to}, only streets and manholes can be stood on: put "
        "{character} back on {origin} or on a street within reach.",
        "off-street/obstacle": "{character} stands on the building or garden {to}, only streets and manholes can be stood on: "
        "put {character} back on {origin} or on a street within reach.",
        "occupied/whistle": "{character} was whistled onto {to}, where {other} stands; nobody is accused by whistle: put "
        "{character} on a free hex nearer to Goodley or back on {origin}.",
        "ability-missing/smith": "{character} must move one lit gaslight to a dark one, before or after walking: do it now.",
        "ability-missing/lestrade": "{character} must move one cordon to a free exit, before or after walking: do it now.",
        "ability-missing/bert": "{character} must move one cover to an open manhole, before or after walking: do it now.",
        "whistle-missing": "{character} must whistle, before or after walking: bring others {points} steps nearer in all.",
        "whistle-points-left": "{character} whistled for {used} steps, {points} must be used: bring others nearer by the rest.",
        "whistle-too-many": "{character} whistled for {used} steps, {points} are allowed: take the whistle moves back.",
        "whistle-not-nearer": "{character} was whistled from {origin} to {to}, which is no nearer to Goodley on foot: put "
        "{character} back on {origin} or on a nearer hex.",
        "whistle-too-far": "{character} was whistled {used} steps from {origin} to {to}, {points} are allowed in all: put "
        "{character} back on {origin} or nearer to it.",
        "whistle-off-street": "{character} was whistled onto {to}, only streets and manholes can be stood on: put {character} "
        "back on {origin} or on a nearer street.",
        "lamp-moved": "Gaslight {lamp} was moved from {origin} to {to}, which {player} cannot do: put it back on {origin}.",
        "lamp-moved/blank": "The blank gaslight was moved from {origin} to {to}, which {player} cannot do: put it back on "
        "{origin}.",
        "lamps-several": "{count} gaslights were moved, {player} moves one: put the others back.",
        "lamp-removed": "Gaslight {lamp} is gone from {origin}: put it back on {origin}.",
        "lamp-removed/blank": "The blank gaslight is gone from {origin}: put it back on {origin}.",
        "lamp-added": "Gaslight {lamp} lies on {to} and was not lit before: take it away.",
        "lamp-added/blank": "A blank gaslight lies on {to} and was not lit before: take it away.",
        "lamp-renumbered": "The gaslight on {origin} showed {lamp} and now shows {other}: lay {lamp} there again.",
        "lamp-misplaced": "Gaslight {lamp} lies on {to}, which is no gaslight hex: lay it on a dark gaslight.",
        "lamp-misplaced/blank": "The blank gaslight lies on {to}, which is no gaslight hex: lay it on a dark gaslight.",
        "cover-moved": "A manhole cover was moved from {origin} to {to}, which {player} cannot do: put it back on {origin}.",
        "covers-several": "{count} manhole covers were moved, {player} moves one: put the other back.",
        "cover-removed": "The manhole cover is gone from {origin}: put it back on {origin}.",
        "cover-added": "A manhole cover lies on {to} and was not there before: take it away.",
        "cover-misplaced": "The manhole cover from {origin} lies on {to}, which is no manhole: lay it on an open manhole.",
        "cordon-moved": "A police cordon was moved from {origin} to {to}, which {player} cannot do: put it back on {origin}.",
        "cordons-several": "{count} police cordons were moved, {player} moves one: put the other back.",
        "cordon-removed": "The police cordon is gone from {origin}: put it back on {origin}.",
        "cordon-added": "A police cordon lies on {to} and was not there before: take it away.",
        "cordon-doubled": "The police cordon from {origin} lies on {to}, where one is already: lay it on a free exit.",
        "cover-doubled": "The manhole cover from {origin} lies on {to}, where one is already: lay it on an open manhole.",
        "lantern-turned": "Watson's lantern was turned from {origin} to {to}, but Watson was not moved: turn it to {origin}.",
        "lantern-same": "Watson's lantern still points {to}: point it elsewhere.",
    }
)

# What going on with the same play still heals (the shared ones are in companion.games.mr_jack.sayings).
PENDING = COMMON_PENDING | {
    "whistle-missing", "whistle-points-left", "lantern-same", "lamp-removed", "cover-removed", "cordon-removed",
}  # fmt: skip

CHORES: Mapping[str, str] = MappingProxyType(
    {
        **COMMON_CHORES,
        "turn-lantern": "Turn Watson's lantern to {facing}.",
        "take-lamp": "Take gaslight {lamp} away from {place}.",
        "take-lamp/blank": "Take the blank gaslight away from {place}.",
        "lay-lamp": "Lay gaslight {lamp} on {to}.",
        "lay-lamp/blank": "Lay a blank gaslight on {to}.",
        "move-lamp": "Move gaslight {lamp} from {place} to {to}.",
        "move-lamp/blank": "Move the blank gaslight from {place} to {to}.",
        "take-cover": "Take the manhole cover away from {place}.",
        "lay-cover": "Lay a manhole cover on {to}.",
        "move-cover": "Move the manhole cover from {place} to {to}.",
        "take-cordon": "Take the police cordon away from {place}.",
        "lay-cordon": "Lay a police cordon on {to}.",
        "move-cordon": "Move the police cordon from {place} to {to}.",
    }
)

SAYINGS = Sayings(NAMES, FAULTS, CHORES, PENDING)


def fault(
    code: str, character: str | None = None, *, cells: Sequence[str] = (), allowed: Sequence[str] = (), **params: Any
) -> Fault:
    """The fault of that code, a gaslight without a number told as what it is."""
    return SAYINGS.fault(_kind(code, params.get("lamp"), FAULTS), character, cells=cells, allowed=allowed, **params)


def chore(code: str, subject: str, *, place: str | None = None, to: str | None = None, **params: Any) -> Chore:
    """The chore of that code, a gaslight without a number told as what it is."""
    return SAYINGS.chore(_kind(code, params.get("lamp"), CHORES), subject, place=place, to=to, **params)


def _kind(code: str, lamp: object, templates: Mapping[str, str]) -> str:
    blank = f"{code}/{BLANK}"
    return blank if lamp == BLANK and blank in templates else code


def played(
    character: str,
    moves: Sequence[Move],
    ability: str | None,
    ends: str | None = None,
    *,
    accuser: str | None = None,
    accused: str | None = None,
) -> tuple[str, dict[str, Any]]:
    """The sentence that tells a play, and its words. ``accuser`` is the one that was moved onto ``accused``."""
    own = next((move for move in moves if move.piece == character), None)
    others = [move for move in moves if move.piece != character]
    params: dict[str, Any] = {"character": NAMES[character]}
    if own is not None:
        params |= {"origin": own.origin, "to": own.to}
    if ability == ABILITY[GOODLEY]:
        params["whistled"] = ", ".join(f"{NAMES[move.piece]} {move.origin}→{move.to}" for move in others)
    if ends == ESCAPE:
        return PLAYED[ESCAPE], {**params, "exit": own.path[-1] if own is not None and own.path else ""}
    if ends == ACCUSATION:
        params["accused"] = NAMES[accused] if accused else ""
        return PLAYED[ACCUSATION if accuser == character else "whistle-accusation"], params
    if ability is None:
        return PLAYED["move"], params
    if character in (SMITH, LESTRADE, BERT) and others:
        lamp = others[0].piece.partition(" ")[2]
        params |= {"piece_from": others[0].origin, "piece_to": others[0].to, "lamp": lamp}
    elif character == WATSON and own is not None:
        params["facing"] = own.facing
    elif character == GULL and others:
        params["other"] = NAMES[others[0].piece]
    elif character == GOODLEY and not others:
        return PLAYED["whistle-nobody"], params
    return PLAYED[_kind(ability, params.get("lamp"), PLAYED)], params
