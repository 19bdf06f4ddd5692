"""What is wrong with an act, in words that name the way back."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from companion.games.get_adler.acts import Act
from companion.games.get_adler.names import ARRESTS_FROM
from companion.games.get_adler.state import Table

CODES = (
    "arrest-before-hour-4", "wrong-vehicle", "two-cards", "answer-out-of-order", "confrontation-open", "draw-first",
    "skips-this-turn", "out-of-turn", "dead-player", "arrest-on-hero", "arrest-by-villain",
)  # fmt: skip
"""Faults that a table shows."""
HIDDEN_CODES = ("not-held", "vehicle-used", "must-respond", "untrue-answer", "game-over", "not-allowed", "unexplained")
"""Faults that only a secret shows, that only a house rule makes, or that have no rule of their own."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule, by whom, and what to do now."""

    code: str
    seat: int | None
    message: str

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "seat": self.seat, "message": self.message}


def _next(table: Table) -> str:
    """What is awaited instead."""
    pending = table.pending
    if table.step in ("answer", "verdict") and pending is not None:
        return f"seat {pending.target} answers first"
    if table.step == "confrontation" and table.confrontation is not None:
        fight = table.confrontation
        words = {
            "respond": f"seat {fight.villain} responds",
            "match": f"a hero lays {fight.vehicle}, or seat {fight.villain} is away",
            "claim": "a hidden hero turns his role up, or nobody does",
            "shoot": f"seat {fight.to} shoots or stops",
        }
        return words[fight.stage]
    if table.step == "refill":
        return "hands are refilled"
    if table.step == "over":
        return "nothing is to be done any more"
    words = {"draw": "draws a card", "play": "plays one card", "look": "looks at the hand", "take": "takes a card"}
    if table.step in ("reveal", "show"):
        return "roles are turned up" if table.step == "reveal" or not table.revealed else "villains show their documents"
    return f"seat {table.seat} {words.get(table.step, 'gives a card')}"


def _fault(code: str, table: Table, seat: int | None, text: str) -> Fault:
    return Fault(code, seat, f"{text} Now {_next(table)}.")


def arrest_before(table: Table, seat: int) -> Fault:
    text = f"Seat {seat} has played an arrest in hour {table.hour}, but it acts from hour {ARRESTS_FROM} on."
    discard = table.rule("early-arrest") == "discard"
    back = "Take it back, or leave it on the pile as a plain discard." if discard else "Take it back and play another card."
    return _fault("arrest-before-hour-4", table, seat, f"{text} {back}")


def wrong_vehicle(table: Table, seat: int | None, card: str | None) -> Fault:
    vehicle = table.fight.vehicle
    text = f"Seat {seat} has laid {card}, but the escape is {vehicle}. Take it back: only {vehicle} matches."
    return _fault("wrong-vehicle", table, seat, text)


def two_cards(table: Table, seat: int) -> Fault:
    return _fault("two-cards", table, seat, f"Seat {seat} has played a second card in one turn. Take the second one back.")


def drawn_already(table: Table, seat: int) -> Fault:
    text = f"Seat {seat} has drawn a second card in one turn. Put it back on top of the deck."
    return _fault("two-cards", table, seat, text)


def answer_out_of_order(table: Table, seat: int | None, waiting: int | None) -> Fault:
    if waiting is None:
        text = f"Seat {seat} has answered, but nobody asked. Strike the answer out."
    elif seat == waiting:
        text = f"Seat {seat} owes an answer. Take back what was done before it."
    else:
        text = f"Seat {seat} has gone before the answer of seat {waiting}. Take it back until that answer is given."
    return _fault("answer-out-of-order", table, seat, text)


def confrontation_open(table: Table, seat: int | None) -> Fault:
    text = f"Seat {seat} goes on with the turns, but a confrontation is open. Take that back and end it first."
    return _fault("confrontation-open", table, seat, text)


def draw_first(table: Table, seat: int) -> Fault:
    return _fault("draw-first", table, seat, f"Seat {seat} has played before drawing. Take the card back, draw, then play.")


def skips_this_turn(table: Table, seat: int) -> Fault:
    text = f"Seat {seat} has lost this turn and neither draws nor plays. Take back what was done; the next seat goes on."
    return Fault("skips-this-turn", seat, text)


def out_of_turn(table: Table, seat: int) -> Fault:
    return _fault("out-of-turn", table, seat, f"It is the turn of seat {table.seat}, not of seat {seat}. Take it back.")


def dead_player(table: Table, seat: int) -> Fault:
    return _fault("dead-player", table, seat, f"Seat {seat} is out of the game. Take back what was done by or to this seat.")


def arrest_on_hero(table: Table, seat: int, target: int) -> Fault:
    villains = " or ".join(f"seat {each}" for each in table.villains())
    text = f"Seat {target} is known to be a hero. Take the arrest back, discard it, or lay it before {villains}."
    return _fault("arrest-on-hero", table, seat, text)


def arrest_by_villain(table: Table, seat: int) -> Fault:
    text = f"Seat {seat} is a villain, and only heroes arrest. Leave the card on the pile as a plain discard, or take it back."
    return _fault("arrest-by-villain", table, seat, text)


def no_confrontation(table: Table, seat: int | None) -> Fault:
    return _fault("out-of-turn", table, seat, "There is no confrontation to respond in. Take the card back.")


def not_his_stage(table: Table, seat: int | None, seats: Collection[int]) -> Fault:
    if seat in seats:
        return _fault("out-of-turn", table, seat, f"It is up to seat {seat}, but not to do that. Take it back.")
    who = " or ".join(f"seat {each}" for each in seats) or "nobody"
    text = f"In this confrontation it is now up to {who}. Take back what seat {seat} did."
    return _fault("out-of-turn", table, seat, text)


def not_held(table: Table, seat: int | None, card: str) -> Fault:
    return _fault("not-held", table, seat, f"Seat {seat} cannot hold {card}. Look at the card again.")


def other_number(table: Table, seat: int, given: int, due: int) -> Fault:
    """Of cards that go over face down."""
    return _fault("not-allowed", table, seat, f"Seat {seat} gave {given} of his cards, but it must be {due}. Put that right.")


def vehicle_used(table: Table, seat: int, card: str) -> Fault:
    text = f"Seat {seat} has taken {card} in this confrontation already. Take it back and respond with another card."
    return _fault("vehicle-used", table, seat, text)


def must_respond(table: Table, seat: int | None) -> Fault:
    return _fault("must-respond", table, seat, f"Seat {seat} holds a response and must play it.")


def response_kept(table: Table, seat: int, cards: Iterable[str]) -> Fault:
    """Of a hand that lies open after its player was arrested."""
    text = f"Seat {seat} was arrested with {' and '.join(cards)} in his hand, but must respond with what he holds."
    return Fault("must-respond", seat, f"{text} Give him his hand back and let him play one.")


def untrue(table: Table, seat: int | None) -> Fault:
    return _fault("untrue-answer", table, seat, f"Seat {seat} has not told the truth. Put the answer right.")


def game_over(table: Table, seat: int | None) -> Fault:
    return _fault("game-over", table, seat, f"The game is over, {table.over} have won. Leave everything as it was.")


def not_allowed(table: Table, act: Act, seat: int | None) -> Fault:
    who = "Nobody" if seat is None else f"Seat {seat}"
    return _fault("not-allowed", table, seat, f"{who} cannot {act.act} here ({act.notation()}). Take it back.")


def unexplained(table: Table) -> Fault:
    text = "No act explains how the cards lie now. Put them back as they were, and count the deck and the hands."
    return _fault("unexplained", table, None, text)
