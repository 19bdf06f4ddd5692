"""The public table over one act. Nothing here looks at a secret: whoever does not know it folds to the same table.

An act is taken as legal; whether it is one is said by :mod:`.expecting`."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.errors import IllegalPlay
from companion.games.get_adler import confronting
from companion.games.get_adler.acts import Act
from companion.games.get_adler.names import ARREST, BINOCULARS, MAGNIFIER, QUESTION, VILLAINS
from companion.games.get_adler.state import Answered, Pending, Table
from companion.games.get_adler.turns import drawn, lose_turn, next_turn, one_skip_less


def fold(table: Table, act: Act) -> Table:
    """The table after the act. Raises IllegalPlay when the act lacks what the table needs to know."""
    return _FOLDS[act.act](table, act)


def actor(table: Table, act: Act) -> int:
    """Whose act it is: the seat it names, else the one on turn."""
    return table.seat if act.seat is None else act.seat


def _pending(table: Table) -> Pending:
    if table.pending is None:
        raise IllegalPlay(f"nothing is pending in step {table.step}")
    return table.pending


def _target(table: Table, act: Act) -> int:
    """The target of the act or of what is pending."""
    target = act.target if act.target is not None or table.pending is None else table.pending.target
    if target is None:
        raise IllegalPlay(f"{act.act}: to whom is not said")
    return target


def _more(table: Table, seat: int, cards: int) -> Table:
    return table.with_seat(seat, hand=table.seats[seat].hand + cards)


def _onto_pile(table: Table, seat: int, card: str | None) -> Table:
    if card is None:
        raise IllegalPlay(f"seat {seat}: which card is not said")
    table = _more(table, seat, -1)
    return replace(table, discard=(*table.discard, card))


# --- the turn -----------------------------------------------------------------------------------------------------


def _draw(table: Table, act: Act) -> Table:
    table, got = drawn(table, 1)
    table = _more(table, table.seat, got)
    return replace(table, step="play", passed=table.passed and table.rule("collins-pass") == "once")


def _discard(table: Table, act: Act) -> Table:
    return next_turn(_onto_pile(table, table.seat, act.card))


def _play(table: Table, act: Act) -> Table:
    seat = table.seat
    if act.card == ARREST:
        return _arrest(_more(table, seat, -1), _target(table, act))
    table = _onto_pile(table, seat, act.card)
    if act.card == QUESTION and table.revealed:
        return replace(table, step="draw")
    step = {QUESTION: "answer", MAGNIFIER: "look", BINOCULARS: "take"}[str(act.card)]
    return replace(table, step=step, pending=Pending(str(act.card), seat, _target(table, act), act.trait, act.colour))


def _arrest(table: Table, target: int) -> Table:
    if table.revealed:
        return confronting.opened(table, table.seat, target)
    return replace(table, step="verdict", pending=Pending(ARREST, table.seat, target, apart=True))


def _answer(table: Table, act: Act) -> Table:
    pending = _pending(table)
    if act.answer is None:
        raise IllegalPlay("the answer is not said")
    trait, colour = act.trait or pending.trait, act.colour or pending.colour
    entry = Answered(table.hour, pending.by, _target(table, Act("answer")), trait, colour, act.answer)
    return next_turn(replace(table, answers=(*table.answers, entry)))


def _look(table: Table, act: Act) -> Table:
    return next_turn(table)


def _take(table: Table, act: Act) -> Table:
    count, target = act.count or 1, _target(table, Act("take"))
    if count == 2:
        table = table.with_seat(table.seat, shown=table.seats[table.seat].shown or "gold")
    table = _more(_more(table, target, -count), table.seat, count)
    return replace(table, step="give", pending=replace(_pending(table), taken=count))


def _give(table: Table, act: Act) -> Table:
    pending = _pending(table)
    table = _more(_more(table, table.seat, -pending.taken), _target(table, Act("give")), pending.taken)
    return next_turn(table)


def _skip(table: Table, act: Act) -> Table:
    return next_turn(one_skip_less(table, table.seat))


# --- accusing -----------------------------------------------------------------------------------------------------


def _verdict(table: Table, act: Act) -> Table:
    pending, target = _pending(table), _target(table, Act("verdict"))
    if act.answer == "yes":
        return replace(table, step="reveal")
    if act.answer is None:
        raise IllegalPlay("what the accused is is not said")
    table = table.with_seat(target, cleared=True)
    if pending.apart:
        table = replace(table, discard=(*table.discard, ARREST))
    for seat in (pending.by, target):
        table = lose_turn(table, seat)
    return next_turn(table)


def _reveal(table: Table, act: Act) -> Table:
    if len(act.roles) != table.players:
        raise IllegalPlay("roles are turned up, but not all of them are said")
    everybody = table.rule("reveal-all") == "all"
    table = replace(table, revealed=True)
    for seat, role in enumerate(act.roles):
        if everybody or role in VILLAINS:
            table = table.with_seat(seat, role=role)
    if table.pending is None and table.confrontation is None:
        return replace(table, step="show")
    by, target = _accusation(table)
    if table.villainous(by) and table.rule("villain-accuses-villain") == "reveal-only":
        table = replace(table, discard=(*_without_arrest(table).discard, ARREST), confrontation=None)
        return next_turn(table)
    return confronting.opened(_without_arrest(table), by, target)


def _accusation(table: Table) -> tuple[int, int]:
    """Who accused whom."""
    if table.pending is not None:
        return table.pending.by, _target(table, Act("reveal"))
    return table.fight.by, table.fight.villain


def _without_arrest(table: Table) -> Table:
    """The accusing card taken up again, from wherever it lies."""
    apart = table.pending is not None and table.pending.apart
    if apart or table.confrontation is not None or not table.discard or table.discard[-1] != ARREST:
        return table
    return replace(table, discard=table.discard[:-1])


# --- Collins ------------------------------------------------------------------------------------------------------


def _pass(table: Table, act: Act) -> Table:
    adler = next(seat for seat in table.villains() if seat != table.seat)
    table = _more(_more(table, table.seat, -1), adler, 1)
    return replace(table, step="return", passed=True, pending=Pending("pass", table.seat, adler))


def _return(table: Table, act: Act) -> Table:
    adler = next(seat for seat in table.villains() if seat != table.seat)
    table = _more(_more(table, adler, -1), table.seat, 1)
    return replace(table, step="play", pending=None)


def _keep(table: Table, act: Act) -> Table:
    if table.step == "play":  # a hand of nothing that may be laid down: the turn is over
        return next_turn(table)
    return replace(table, step="play", passed=True)


# --- the end ------------------------------------------------------------------------------------------------------


def _show(table: Table, act: Act) -> Table:
    told = (*(table.pending.told if table.pending else ()), actor(table, act))
    if act.answer == "yes":
        return replace(table, step="over", over="villains", pending=None)
    if act.answer is None:
        raise IllegalPlay("whether he holds a document is not said")
    if set(table.villains()) <= set(told):
        return replace(table, step="over", over="heroes", pending=None)
    return replace(table, pending=Pending("show", table.seat, told=told))


_FOLDS: Mapping[str, Callable[[Table, Act], Table]] = {
    "draw": _draw,
    "play": _play,
    "discard": _discard,
    "answer": _answer,
    "look": _look,
    "take": _take,
    "give": _give,
    "skip": _skip,
    "verdict": _verdict,
    "reveal": _reveal,
    "pass": _pass,
    "return": _return,
    "keep": _keep,
    "show": _show,
    **confronting.FOLDS,
}
