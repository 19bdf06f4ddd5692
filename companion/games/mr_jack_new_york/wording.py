"""Every sentence this game alone says, as English templates; translation keys and the one place where prose lives.

A tile's kind is part of the sentence and not a word put into it, so that every template can be put into another language
as a whole: hence the loops over kinds.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.game import Move
from companion.games.mr_jack.deduction import ACCUSATION, ESCAPE
from companion.games.mr_jack.sayings import COMMON_CHORES, COMMON_FAULTS, COMMON_PENDING, Sayings
from companion.games.mr_jack_new_york.names import (
    ABILITY,
    BUILDING,
    CALLAHAN,
    CHARACTERS,
    EASTMAN,
    INFORMANT,
    LAMP,
    NAMES,
    PARK,
    SMITH,
    SUBWAY,
    TILES,
    TUMBLETY,
)

_DONE = {
    **{f"build/{label}": f" and builds a {label} on {{built}}" for label in (SUBWAY, BUILDING, LAMP)},
    **{f"park/{label}": f" and turns the {label} on {{built}} into a park" for label in (SUBWAY, BUILDING, LAMP)},
    ABILITY[CALLAHAN]: " and moves the barricade from {piece_from} to {piece_to}",
    ABILITY[SMITH]: " and moves the steamboat from {piece_from} to {piece_to}",
    ABILITY[TUMBLETY]: " and lets {one} and {other} change places",
    "nothing": "",
}
_MET = " {contact} meets the informant, who goes from {informant_from} to {informant_to}; an alibi card is drawn."

PLAYED: Mapping[str, str] = MappingProxyType(
    {
        **{f"go/{key}": f"{{character}} goes from {{origin}} to {{to}}{done}." for key, done in _DONE.items()},
        **{f"meet/{key}": f"{{character}} goes from {{origin}} to {{to}}{done}.{_MET}" for key, done in _DONE.items()},
        **{f"stay/{key}": f"{{character}} stays on {{origin}}{done}." for key, done in _DONE.items()},
        "send": "{character} has {other} go from {origin} to {to}.",
        "send/meet": "{character} has {other} go from {origin} to {to}." + _MET,
        ACCUSATION: "{character} goes from {origin} to {to} and accuses {accused}.",
        ESCAPE: "{character} leaves Manhattan by {exit}.",
        "send/escape": "{character} has {other} leave Manhattan by {exit}.",
    }
)

_BACK = "put {character} back on {origin} or on a free hex within reach."

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        **COMMON_FAULTS,
        "not-moved/eastman": "{character} was played but did not leave {origin}: move {character} 1 to {limit} steps, or "
        "another character in the same state instead.",
        "too-far/on-foot": "{character} was moved by Eastman and cannot get from {origin} to {to} in {limit} steps on foot, "
        "without the subway: put {character} back on {origin} or within reach.",
        "no-way": "{character} cannot get from {origin} to {to}: " + _BACK,
        **{
            f"off-street/{kind}": f"{{character}} stands on {{to}}, {words}, where nobody can stand: {_BACK}"
            for kind, words in (
                ("building", "a building"),
                ("lamp", "a lamp"),
                ("barricade", "a barricaded hex"),
                ("port", "a port"),
                ("exit", "the land exit"),
            )
        },
        "occupied/eastman": "{character} was moved by Eastman onto {to}, where {other} stands; nobody is accused that way: "
        + _BACK,
        "occupied/silent": "{character} stands on {to} with the informant, who is silent in this turn: " + _BACK,
        "not-like-state": "Eastman may only move somebody in his own state: he is {state}, {character} is not. Put "
        "{character} back on {origin}.",
        # --- the informant
        "informant-not-moved": "{character} met the informant on {to}: take an alibi card, turn him silent and move him to "
        "another free hex.",
        "informant-not-turned": "The informant was met and moved to {to}: turn him to his silent side.",
        "informant-misplaced": "The informant was moved to {to}, where he cannot stand: move him to another free hex.",
        "informant-moved": "The informant was moved from {origin} to {to} though nobody met him: put him back on {origin}.",
        "informant-turned": "The informant was turned over though nobody met him: turn him back ({side}).",
        "informant-gone": "The informant is gone from {origin}: put him back on the board.",
        # --- tiles
        **{
            code: text.replace("TILE", label)
            for label in (SUBWAY, BUILDING, LAMP)
            for code, text in (
                (f"ability-missing/{label}", "{character} must build a TILE on an empty street, before or after walking."),
                (f"build-misplaced/{label}", "{character} built a TILE on {to}, which is no empty street: build it elsewhere."),
                (f"build-occupied/{label}", "{character} built a TILE on {to}, where {other} stands: build it elsewhere."),
                (f"build-touching/{label}", "{character} built a TILE on {to} beside the TILE on {other}: build it elsewhere."),
                (f"builds-several/{label}", "{character} builds one TILE, {count} were laid: take the others away."),
                (f"tile-added/{label}", "A TILE lies on {to}, which {player} cannot build: take it away."),
                (f"tile-removed/{label}", "The TILE is gone from {origin}: lay it on {origin} again."),
                (f"tile-turned/{label}", "The TILE on {origin} was turned over, which {player} cannot do: turn it back."),
                (f"supply/{label}", "There is no TILE tile left to build: take the one on {to} away."),
            )
        },
        "tile-added/park": "A park lies on {to}; parks are made by turning a tile that lies there already: take it away.",
        "tile-removed/park": "The park is gone from {origin}: lay it on {origin} again.",
        "tile-turned/park": "The park on {origin} was turned over; parks stay parks: turn it back.",
        "tile-changed": "The tile on {origin} was replaced by another: lay the old one there again.",
        "ability-missing/grant": "{character} must turn a subway, lamp or building tile into a park, before or after walking: "
        "do it now.",
        "parks-several": "{character} makes one park, {count} tiles were turned: turn the others back.",
        "park-covered": "The subway on {to} lies under a barricade and may not be turned: turn it back, turn another.",
        # --- barricades and steamboats
        "ability-missing/callahan": "{character} must move one barricade, before or after walking: do it now.",
        "barricade-short": "The barricade lies on {to}, but covers two touching hexes: lay it on two.",
        "barricade-misplaced": "The barricade lies on {to}; {cell} is no street, park or subway: lay it elsewhere.",
        "barricade-occupied": "The barricade lies on {to}, but {other} stands on {cell}: lay it on two empty hexes.",
        "barricade-doubled": "The barricade lies on {to}, but the other one covers {cell}: lay it elsewhere.",
        "barricades-several": "{count} barricades were moved, {character} moves one: put the other back.",
        "barricade-moved": "A barricade was moved from {origin} to {to}, which {player} cannot do: put it back on {origin}.",
        "barricade-removed": "The barricade is gone from {origin}: put it back on {origin}.",
        "barricade-added": "A barricade lies on {to} and was not there before: take it away.",
        "ability-missing/smith": "{character} must move one steamboat to a free port, before or after walking: do it now.",
        "steamboat-misplaced": "The steamboat from {origin} lies on {to}, which is no port: put it into a free port.",
        "steamboat-doubled": "The steamboat from {origin} lies in {to}, where one is already: put it into a free port.",
        "steamboats-several": "{count} steamboats were moved, {character} moves one: put the other back.",
        "steamboat-moved": "A steamboat was moved from {origin} to {to}, which {player} cannot do: put it back in {origin}.",
        "steamboat-removed": "The steamboat is gone from {origin}: put it back in {origin}.",
        "steamboat-added": "A steamboat lies in {to} and was not there before: take it away.",
        # --- Tumblety
        "swap-not-beside": "{one} and {other} changed places, but neither of them stood beside Tumblety: put both back.",
        "swap-or-move": "{character} both moved and let {one} and {other} change places, only one of the two is allowed: take "
        "one back.",
    }
)  # fmt: skip

# What going on with the same play still heals (the shared ones are in companion.games.mr_jack.sayings).
PENDING = COMMON_PENDING | {
    "informant-not-moved", "informant-not-turned", "informant-gone", "tile-removed", "barricade-removed", "barricade-short",
    "steamboat-removed",
}  # fmt: skip

CHORES: Mapping[str, str] = MappingProxyType(
    {
        **COMMON_CHORES,
        **{
            f"{code}/{label}": text.replace("TILE", label)
            for label in TILES
            for code, text in (
                ("take-tile", "Take the TILE away from {place}."),
                ("lay-tile", "Lay a TILE on {to}."),
                ("move-tile", "Move the TILE from {place} to {to}."),
                ("turn-tile", "Turn the tile on {place} to its TILE side."),
            )
        },
        **{
            f"{verb}-{word}": text.replace("PIECE", word)
            for word in ("barricade", "steamboat")
            for verb, text in (
                ("take", "Take the PIECE away from {place}."),
                ("lay", "Lay a PIECE on {to}."),
                ("move", "Move the PIECE from {place} to {to}."),
            )
        },
        "informant-back": "Put the informant on {to}.",
        "turn-informant/talkative": "Turn the informant to his talkative side.",
        "turn-informant/silent": "Turn the informant to his silent side.",
    }
)

SAYINGS = Sayings(NAMES, FAULTS, CHORES, PENDING)
fault = SAYINGS.fault
chore = SAYINGS.chore


def played(
    character: str,
    origin: str,
    moves: Sequence[Move],
    ability: str | None,
    ends: str | None = None,
    accused: str | None = None,
) -> tuple[str, dict[str, Any]]:
    """The sentence that tells a play, and its words."""
    swapped = ability == ABILITY[TUMBLETY]  # then those without a path were put in each other's place
    walks = [move for move in moves if move.piece in CHARACTERS and (move.path or not swapped)]
    met = next((move for move in moves if move.piece == INFORMANT), None)
    params: dict[str, Any] = {"character": NAMES[character], "origin": origin}
    walk = walks[0] if walks else None
    if walk is not None:
        params |= {"origin": walk.origin, "to": walk.to}
        if walk.piece != character:
            params["other"] = NAMES[walk.piece]
    if met is not None and walk is not None:
        params |= {"contact": NAMES[walk.piece], "informant_from": met.origin, "informant_to": met.to}
    if ends == ESCAPE and walk is not None and walk.path:
        return PLAYED[ESCAPE if walk.piece == character else "send/escape"], {**params, "exit": walk.path[-1]}
    if ends == ACCUSATION:
        return PLAYED[ACCUSATION], {**params, "accused": NAMES[accused] if accused else ""}
    if character == EASTMAN and walk is not None and walk.piece != EASTMAN:
        return PLAYED["send/meet" if met else "send"], params
    key = "nothing" if ability is None else _ability_words(moves, ability, params)
    head = "stay" if walk is None else "meet" if met else "go"
    return PLAYED[f"{head}/{key}"], params


def _ability_words(moves: Sequence[Move], ability: str, params: dict[str, Any]) -> str:
    """The key of what was done besides walking, its words put into ``params``."""
    if ability == ABILITY[TUMBLETY]:
        one, other = [move.piece for move in moves if move.piece in CHARACTERS and not move.path][:2]
        params |= {"one": NAMES[one], "other": NAMES[other]}
        return ability
    piece = next(move for move in moves if move.piece not in CHARACTERS and move.piece != INFORMANT)
    kind, _, label = piece.piece.partition(" ")
    if kind == PARK:
        params["built"] = piece.origin
        return f"park/{label}"
    if kind == "tile":
        params["built"] = piece.to
        return f"build/{label}"
    params |= {"piece_from": piece.origin, "piece_to": piece.to}
    return ability
