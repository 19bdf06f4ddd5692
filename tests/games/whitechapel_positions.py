"""Positions of Letters from Whitechapel as JSON, made from a few words, and the questions asked of them."""

from typing import Any

from companion.games.letters_from_whitechapel.queries import QUERIES

Json = dict[str, Any]
GAME = "letters-from-whitechapel"
POLICE = {"blue": "x042", "yellow": "x044", "brown": "x058", "red": "x137", "green": "x143"}
YELLOW = ["x042", "x044", "x058", "x137", "x143", "x156", "x181"]
RED = [3, 21, 27, 65, 84, 147, 149, 158]


def position(phase: str, **changes: Any) -> Json:
    """The first night in that phase, with what a phase needs and the changes."""
    base: Json = {"game": GAME, "edition": "revised-2012", "night": 1, "phase": phase, "time": 1, "head": "blue"}
    if phase in ("patrols",):
        base |= {"women": RED}
    if phase in ("kill", "wretched", "reveal"):
        base |= {"wretched": [3, 21, 27, 65, 84], "patrols": dict.fromkeys(YELLOW, "down")}
    if phase in ("wretched", "reveal"):
        base |= {"time": 2}
    if phase in ("jack", "police-move", "police-act", "over"):
        base |= {"crime_scenes": [[147]], "police": dict(POLICE)}
    if phase in ("police-move", "police-act"):
        base |= {"track": ["walk"]}
    return base | changes


def ask(command: str, value: Any) -> Json:
    return dict(QUERIES.commands[command](value).data)


def jack(data: Json, row: list[int], hideout: int = 1) -> Json:
    """``moves`` of Jack."""
    return ask("moves", {"position": data, "secret": {"jack": {"hideout": hideout, "row": row}}})


def moves(data: Json, row: list[int], kind: str, hideout: int = 1) -> set[tuple[int, ...]]:
    """What Jack's moves of one kind write."""
    return {tuple(move["by"]) for move in jack(data, row, hideout)["jack"] if move["kind"] == kind}


def police(data: Json, colour: str = "blue") -> Json:
    """What one policeman may do."""
    return dict(ask("moves", data)["police"][colour])


def explained(before: Json, after: Json) -> tuple[str, list[str]]:
    """The verdict, and the codes of its faults or the acts told."""
    told = ask("explain", [before, after])
    said = [fault["code"] for fault in told["faults"]] or [play["act"] for play in told["plays"]]
    return told["verdict"], said
