"""Positions of Get Adler! for tests: made of hands, pile and row, the rest of the cards being the deck."""

from collections import Counter
from typing import Any

from companion.games.get_adler.acts import parsed
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.judging import judged
from companion.games.get_adler.names import COPIES, kind_of
from companion.games.get_adler.position import read_state
from companion.games.get_adler.secrets import apply
from companion.games.get_adler.state import State

ROLES = ("gold", "adler", "sharpe", "townsend", "collins", "tarasov")
"""By seat, in these positions: 1 is Adler, 4 is Collins."""


def position(
    players: int = 4, *, hands: dict[int, tuple[str, ...]] | None = None, discard: tuple[str, ...] = (),
    revealed: bool = False, seats: dict[int, dict[str, Any]] | None = None, known: bool = True, deck: tuple[str, ...] = (),
    traits: Any = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A position as JSON. ``hands``: by seat, those that matter; the others are seven cards of what is left. ``deck``: its
    top. ``known``: with its secret. ``more``: keys of a position as they are."""
    row = [card for _, card in (more.get("confrontation") or {}).get("row", ())]
    apart = ["arrest"] if more.get("step") in ("verdict", "reveal") and more.get("pending") else []
    left = Counter(COPIES[players])
    for card in (*discard, *row, *apart, *deck, *(card for hand in (hands or {}).values() for card in hand)):
        left[kind_of(card)] -= 1
    assert min(left.values()) >= 0, left
    rest = sorted(left.elements(), key=lambda card: (card in ("question", "gun", "arrest"), card))
    held = []
    for seat in range(players):
        alive = (seats or {}).get(seat, {}).get("alive", True)
        given = (hands or {}).get(seat)
        if given is None:
            given = [rest.pop() for _ in range(7 if alive else 0)]
        held.append(list(given))
    entry = {"alive": True, "skips": 0, "cleared": False, "shown": None}
    table = {
        "game": "get-adler", "edition": "first-2016", "players": players, "variant": {"advanced": False, "expert": False},
        "rules": {}, "hour": 4 if revealed else 1, "start": 0, "seat": 0, "step": "draw", "passed": False,
        "seats": [
            {**entry, "hand": len(hand), "role": ROLES[seat] if revealed else None, **(seats or {}).get(seat, {})}
            for seat, hand in enumerate(held)
        ],
        "deck": len(rest) + len(deck), "discard": list(discard), "revealed": revealed, "wanted": None, "pending": None,
        "confrontation": None, "answers": [], "over": None,
    }  # fmt: skip
    table.update(more)
    if known:
        secret = {
            "roles": list(ROLES[:players]),
            "hands": held,
            "deck": [*deck, *rest],
            "seed": 1,
            "shuffles": 0,
            "removed": [],
        }
        table["secret"] = {**secret, "traits": traits}
    return table


def fight(by: int = 0, villain: int = 1, **more: Any) -> dict[str, Any]:
    """A confrontation as JSON: the arrest lies there and the villain is to respond."""
    usual = {"by": by, "villain": villain, "pursuer": by, "joined": [by], "row": [[by, "arrest"]], "stage": "respond"}
    return {**usual, "to": None, "vehicle": None, "shots": [0, 0], "held": False, **more}


def confronted(players: int = 4, **more: Any) -> dict[str, Any]:
    """A position in a confrontation of seat 0 with Adler at seat 1."""
    more.setdefault("confrontation", fight())
    return position(players, revealed=True, step="confrontation", **more)


def state_of(data: Any) -> State:
    return data if isinstance(data, State) else read_state(data)


def legal(data: Any) -> set[str]:
    """The legal acts of a position, as lines of notation."""
    return {act.notation() for act in expects(state_of(data)).acts}


def after(data: Any, *lines: str) -> State:
    """The game after these acts, each of them legal."""
    state = state_of(data)
    for line in lines:
        judgement = judged(state, parsed(line))
        assert judgement.act is not None, (line, [fault.message for fault in judgement.faults])
        state = apply(state, judgement.act)
    return state


def codes(data: Any, line: str) -> set[str]:
    """The codes of what is wrong with an act; empty for a legal one."""
    return {fault.code for fault in judged(state_of(data), parsed(line)).faults}


def hand(state: State, seat: int) -> list[str]:
    assert state.secret.hands is not None
    return sorted(state.secret.hands[seat])
