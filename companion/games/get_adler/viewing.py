"""What everybody sees of a refereed game beside the general snapshot: the ring of seats, the row, the clock, the answers."""

from collections.abc import Callable
from typing import Any

from companion.games.get_adler import expecting
from companion.games.get_adler.confronting import AGAINST
from companion.games.get_adler.landing import matchers
from companion.games.get_adler.mat import card_name, role_name
from companion.games.get_adler.names import HOURS, VILLAINS
from companion.games.get_adler.procedure import change, deduced, showing, to_open
from companion.games.get_adler.progress import Progress, truth
from companion.games.get_adler.state import State
from companion.games.get_adler.telling import LABELS, MAY, NOTES, TRAIT_NAMES
from companion.games.values import Json

MINE_IN = ("play", "drawing", "acting", "answer", "verdict", "respond", "match", "shoot", "claim")
"""The stages in which a seat may say that a card is its own."""
INTO_ROW = ("respond", "match", "shoot")
"""The acts that lay a card into the row of a confrontation."""

Line = dict[str, Any]
"""A sentence template and its words."""


def view(state: Progress) -> Json:
    """``ring``: seats in order; ``row``: the cards of a confrontation; ``clock``: the hour of how many; ``answers``: what was
    asked and said; ``deduced``: who everybody may be, where all agreed to be shown that."""
    if state.position is None:
        return {}
    return {
        "ring": [_seat(state, number) for number in range(len(state.seats))],
        "row": _row(state),
        "clock_face": {"at": state.books.hour, "of": HOURS},
        "deck": state.books.deck,
        "answers": _answers(state),
        "deduced": deduced(state) if state.rules.get("memory") == "players" and state.begun == "on" else None,
        "wanted": state.books.wanted,
    }


def watched(state: Progress) -> Json:
    """``deduced`` for spectators, who may be shown it whatever the players agreed on."""
    return {"deduced": deduced(state)} if state.position is not None and state.begun == "on" else {}


def _line(text: str, **words: object) -> Line:
    return {"text": text, "params": {name: value for name, value in words.items() if f"{{{name}}}" in text}}


def _seat(state: Progress, number: int) -> Json:
    books = state.books
    player = books.seats[number]
    notes: list[Line] = []
    role = books.role(number)
    if role is not None:
        notes.append(_line(NOTES["role"], role=role_name(role)))
    elif player.cleared:
        notes.append(_line(NOTES["cleared"]))
    if not player.alive:
        notes.append(_line(NOTES["out"]))
    elif player.skips:
        notes.append(_line(NOTES["skips-one" if player.skips == 1 else "skips"], count=player.skips))
    may = may_do(state, number)
    turn = state.begun == "on" and number == books.seat and books.over is None
    said = deeds(state, number) if books.confrontation is not None else ()
    return {
        "seat": state.seats[number], "turn": turn, "hand": player.hand, "out": not player.alive, "notes": notes, "may": may,
        "deeds": [{"answer": dict(answer), **_line(text)} for answer, text in said],
    }  # fmt: skip


def deeds(state: Progress, number: int) -> tuple[tuple[Json, str], ...]:
    """What a seat may say although nobody asks: that a card is its own which everybody takes for another seat's. In a
    confrontation it is the next one, before it is laid, of the seats that may lay one now; in the turns the last one."""
    seat, books = state.seats[number], state.books
    if state.phase not in MINE_IN or not books.seats[number].alive or change(state).seat == seat:
        return ()
    if books.confrontation is not None:
        lays = any(act.seat == number and act.act in INTO_ROW for act in expecting.expects(State(books)).acts)
        return (({"kind": "mine", "who": seat, "last": False}, LABELS["mine-next"]),) if lays else ()
    if not state.picks or state.picks[-1].mover == seat:
        return ()
    return (({"kind": "mine", "who": seat}, LABELS["mine-last"]),)


def may_do(state: Progress, number: int) -> Line | None:
    """What a seat may do now, by what everybody knows; None where it waits."""
    phase, books = state.phase, state.books
    if number not in _awaited(state):
        return None
    key = {"reveal": "opens", "matched": "match"}.get(phase, phase)
    if phase in ("play", "drawing"):
        key = "draw" if phase == "drawing" or books.step == "draw" else "play"
    words: dict[str, object] = {}
    if key == "match":
        words["card"] = card_name(books.fight.vehicle or "")
    elif key == "claim":
        words["role"] = role_name(AGAINST[books.fight.row[-1][1]])
    return _line(MAY[key], **words)


def _awaited(state: Progress) -> tuple[int, ...]:
    """Who may do something now, by the rules' numbers."""
    phase, books = state.phase, state.books
    pending, fight = books.pending, books.confrontation
    by_phase: dict[str, Callable[[], tuple[int | None, ...]]] = {
        "roles": lambda: tuple(number for number, seat in enumerate(state.seats) if seat not in state.told),
        "reveal": lambda: tuple(state.seats.index(seat) for seat in to_open(state)),
        "answer": lambda: (pending.target if pending is not None else None,),
        "verdict": lambda: (pending.target if pending is not None else None,),
        "match": lambda: matchers(books),
        "matched": lambda: matchers(books),
        "respond": lambda: (books.fight.villain,),
        "shoot": lambda: (books.fight.to,),
        "claim": lambda: (books.fight.pursuer,) if fight is not None else (),
        "show": lambda: (showing(state),),
        **dict.fromkeys(("play", "drawing", "acting", "asking", "take"), lambda: (books.seat,)),
    }
    found = by_phase.get(phase)
    return () if found is None else tuple(one for one in found() if one is not None)


def _row(state: Progress) -> Json | None:
    """The confrontation as it grows, and who may answer its last card."""
    fight = state.books.confrontation
    if fight is None:
        return None
    cards = [
        {"seat": state.seats[seat], "card": card_name(card), **_line("{card}", card=card_name(card))}
        for seat, card in fight.row
    ]
    may = [state.seats[number] for number in range(len(state.seats)) if may_do(state, number) is not None]
    return {
        "villain": state.seats[fight.villain], "pursuer": state.seats[fight.pursuer], "cards": cards, "may": may,
        "shots": list(fight.shots),
    }  # fmt: skip


def _answers(state: Progress) -> list[Json]:
    """Answers on record; once roles are open also whether each was true, and who was allowed to lie."""
    found: list[Json] = []
    for number, act, hour in state.said:
        if act.act != "answer" or act.seat is None:
            continue
        seat = state.seats[act.seat]
        role = state.opened.get(seat)
        true = None if role is None else truth(state, role, act.trait, act.colour)
        found.append(
            {
                "number": number,
                "hour": hour,
                "of": seat,
                "trait": TRAIT_NAMES.get(act.trait or ""),
                "colour": act.colour,
                "answer": act.answer,
                "true": None if true is None else true == act.answer,
                "may_lie": None if role is None else role in VILLAINS,
            }
        )
    return found
