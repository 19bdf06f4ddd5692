"""What may come next at a refereed table, and what follows by itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import BadInput
from companion.games.expectations import Arrangement, Change, Counts, Expectation, Fact, Opening, Over, Question
from companion.games.get_adler.acts import Act
from companion.games.get_adler.confronting import AGAINST, claimants
from companion.games.get_adler.deducing import deals
from companion.games.get_adler.folding import fold
from companion.games.get_adler.judging import judged
from companion.games.get_adler.landing import matchers
from companion.games.get_adler.mat import Mat, card_name, role_name, seat_name, still_told
from companion.games.get_adler.names import (
    ARREST,
    ARRESTS_FROM,
    BINOCULARS,
    COPIES,
    GUN,
    QUESTION,
    TRAITS,
    VILLAINS,
    roles_of,
)
from companion.games.get_adler.progress import Progress, truth
from companion.games.get_adler.state import State, Table
from companion.games.get_adler.table_chores import chores, subjects
from companion.games.get_adler.telling import ASKED, EVENTS, JUDGED, LABELS, TRAIT_NAMES, outcome, told, who
from companion.games.get_adler.validation import unseen
from companion.games.values import Json, Outcome, Role

Expected = tuple[Expectation[Mat], ...]
ROLE = "role"
"""The secret that every seat has."""
Form = list[tuple[Json, str]]
"""Answers with what a button says."""


def expects(state: Progress) -> Expected:
    """What may come next; empty before the game is opened."""
    found = _EXPECTED.get(state.phase)
    return () if found is None else found(state)


def change(state: Progress) -> Change:
    """The card that may land now, of whose turn it is. Whose the next ones are hangs on each: they alternate in a fight."""
    books = state.books
    seats, fight = state.seats, books.confrontation
    made = tuple(pick.mover for pick in state.picks)
    if books.step == "confrontation" and fight is not None:
        now = {"match": fight.pursuer, "respond": fight.villain}.get(fight.stage, fight.to)
        now = fight.pursuer if now is None else now
        other = fight.villain if now == fight.pursuer else fight.pursuer
        order: tuple[int, ...] = (now, other) * 3
    else:
        order = tuple(_turns(books))
    return Change(seats[order[0]], len(order), (*made, *(seats[seat] for seat in order)))


def _turns(books: Table) -> list[int]:
    """Whose turns come next, of the seats that play."""
    seats = [books.seat, *books.left_of(books.seat)]
    return [seat for seat in seats if seat == books.seat or (books.seats[seat].alive and not books.seats[seat].skips)]


def _asks(state: Progress, key: str, seat: int, form: Form, *, text: str = "", **more: Any) -> Question:
    template = ASKED[text or key]
    words = {name: value for name, value in more.pop("words", {}).items() if f"{{{name}}}" in template}
    answers, labels = tuple(answer for answer, _ in form), tuple(label for _, label in form)
    return Question(key, state.seats[seat], template, words, answers, labels, **more)


def _name(state: Progress, seat: int) -> str:
    return seat_name(state.books.players, seat)


def _start(state: Progress) -> Expected:
    form: Form = [({"kind": "start", "who": seat}, _name(state, number)) for number, seat in enumerate(state.seats)]
    return (_asks(state, "start", 0, form),)


def _mission(state: Progress) -> Expected:
    return (_asks(state, "mission", 0, []),)


def _drawing(state: Progress) -> Expected:
    seat = state.books.seat
    return (_asks(state, "draw", seat, [({"kind": "drew"}, LABELS["drawn"])], words={"who": _name(state, seat)}), change(state))


def _play(state: Progress) -> Expected:
    books, seat = state.books, state.books.seat
    if may_pass(books):
        adler = next(one for one in books.villains() if one != seat)
        words = {"who": _name(state, seat), "whom": _name(state, adler)}
        return (_asks(state, "pass", seat, [({"kind": "pass"}, LABELS["pass"])], words=words), change(state))
    if may_keep(books):
        words = {"who": _name(state, seat)}
        return (_asks(state, "keep", seat, [({"kind": "keep"}, LABELS["keep"])], words=words), change(state))
    return (change(state),)


def may_pass(books: Table) -> bool:
    """Whether Collins may pass a card now."""
    both = {books.role(seat) for seat in books.villains()}
    fellows = books.revealed and both.issuperset(VILLAINS) and books.role(books.seat) == "collins"
    passed = books.passed and (books.step == "play" or books.rule("collins-pass") == "once")
    return fellows and not passed and books.step in ("draw", "play")


def may_keep(books: Table) -> bool:
    """Whether a hand may be nothing but arrests that must not even be discarded."""
    early = books.hour < ARRESTS_FROM and books.rule("early-arrest") == "forbidden"
    return early and unseen(books)[ARREST] >= books.seats[books.seat].hand


def _acting(state: Progress) -> Expected:
    books, card = state.books, str(state.mat.waiting)
    form: Form = [
        ({"kind": "on", "on": state.seats[other]}, _name(state, other))
        for other in sorted(books.left_of(books.seat))
        if books.seats[other].alive and (card != BINOCULARS or books.seats[other].hand)
    ]
    form.append(({"kind": "on", "on": None}, LABELS["discarded"]))
    words = {"who": _name(state, books.seat), "card": card_name(card)}
    return (_asks(state, "on", books.seat, form, words=words), change(state))


def _asking(state: Progress) -> Expected:
    form: Form = []
    words = {"who": _name(state, state.books.seat), "whom": _name(state, state.on or 0)}
    text = "ask"
    if state.trait is not None and state.traits is not None:
        colours = sorted({state.traits[role][state.trait] for role in roles_of(state.books.players)})
        form = [({"kind": "ask", "trait": state.trait, "colour": one}, one) for one in colours]
        text, words["trait"] = "ask-colour", TRAIT_NAMES[state.trait]
    else:
        form = [({"kind": "ask", "trait": trait}, TRAIT_NAMES[trait]) for trait in TRAITS]
    form.append(({"kind": "ask", "trait": None}, LABELS["not-noted"]))
    return (_asks(state, "ask", state.books.seat, form, text=text, words=words), change(state))


def _yes_no(kind: str = "say") -> Form:
    return [({"kind": kind, "answer": "yes"}, LABELS["yes"]), ({"kind": kind, "answer": "no"}, LABELS["no"])]


def _answer(state: Progress) -> Expected:
    pending = state.books.pending
    assert pending is not None and pending.target is not None
    known = state.traits is not None and pending.trait is not None and pending.colour is not None
    text = "answer" if pending.trait is None else "answer-trait" if pending.colour is None else "answer-colour"
    words = {
        "whom": _name(state, pending.target), "trait": TRAIT_NAMES.get(pending.trait or "", ""),
        "colour": pending.colour or "",
    }  # fmt: skip
    purpose = ROLE if known else None
    asked = _asks(state, "answer", pending.target, _yes_no(), text=text, words=words, purpose=purpose, certain=known)
    return (asked, change(state))


def _verdict(state: Progress) -> Expected:
    pending = state.books.pending
    assert pending is not None and pending.target is not None
    words = {"whom": _name(state, pending.target)}
    return (_asks(state, "verdict", pending.target, _yes_no(), words=words, purpose=ROLE, certain=True), change(state))


def _reveal(state: Progress) -> Expected:
    left = to_open(state)
    return (Opening(left[0], ROLE), change(state)) if left else (change(state),)


def to_open(state: Progress) -> tuple[Role, ...]:
    """The seats whose role is still to be opened at the reveal, the accused first."""
    pending = state.books.pending
    accused = None if pending is None or pending.target is None else state.seats[pending.target]
    order = sorted(state.seats, key=lambda seat: seat != accused)
    return tuple(seat for seat in order if seat not in state.opened)


def _take(state: Progress) -> Expected:
    form: Form = [({"kind": "take", "count": 1}, LABELS["one"]), ({"kind": "take", "count": 2}, LABELS["two"])]
    return (_asks(state, "take", state.books.seat, form, words={"who": _name(state, state.books.seat)}), change(state))


def may_take_two(books: Table) -> bool:
    """Whether the seat on turn may be Gold, who takes two."""
    if not books.advanced or (books.rule("abilities-hidden") == "only-after" and not books.revealed):
        return False
    pending = books.pending
    if pending is None or pending.target is None or books.seats[pending.target].hand < 2:
        return False
    role = books.role(books.seat)
    return role == "gold" if role is not None else all(books.role(seat) != "gold" for seat in range(books.players))


def _respond(state: Progress) -> Expected:
    villain = state.books.fight.villain
    form: Form = [({"kind": "arrested"}, LABELS["arrested"])]
    return (_asks(state, "give-up", villain, form, words={"who": _name(state, villain)}), change(state))


def _match(state: Progress) -> Expected:
    fight = state.books.fight
    words = {"card": card_name(fight.vehicle or "")}
    return (_asks(state, "away", fight.pursuer, [({"kind": "away"}, LABELS["away"])], words=words), change(state))


def _matched(state: Progress) -> Expected:
    form: Form = [({"kind": "matched", "who": state.seats[seat]}, _name(state, seat)) for seat in matchers(state.books)]
    words = {"card": card_name(state.mat.waiting or "")}
    return (_asks(state, "matched", state.books.fight.pursuer, form, words=words), change(state))


def _shoot(state: Progress) -> Expected:
    fight = state.books.fight
    claims = _claims(state)
    if state.books.rule("gunfight") == "sealed":
        words = {"who": _name(state, fight.pursuer), "whom": _name(state, fight.villain)}
        counts = Counts(
            {"kind": "shots"},
            "shots",
            (_name(state, fight.villain), _name(state, fight.pursuer)),
            0,
            COPIES[state.books.players][GUN],
        )
        return (_asks(state, "shots", fight.pursuer, claims, words=words, counts=counts), change(state))
    seat = fight.to if fight.to is not None else fight.pursuer
    form: Form = [({"kind": "stop"}, LABELS["stop"]), *claims]
    return (_asks(state, "stop", seat, form, words={"who": _name(state, seat)}), change(state))


def _claims(state: Progress) -> Form:
    return [({"kind": "claim", "who": state.seats[seat]}, _name(state, seat)) for seat in claimants(state.books)]


def _claim(state: Progress) -> Expected:
    fight = state.books.fight
    form: Form = [*_claims(state), ({"kind": "claim", "who": None}, LABELS["nobody"])]
    words = {"role": role_name(AGAINST[fight.row[-1][1]])}
    return (_asks(state, "claim", fight.pursuer, form, words=words), change(state))


def showing(state: Progress) -> int:
    """The villain who says next whether he holds a document."""
    books = state.books
    said = books.pending.told if books.pending is not None else ()
    order = (books.start, *books.left_of(books.start))
    return next(seat for seat in order if seat in books.villains() and seat not in said)


def _show(state: Progress) -> Expected:
    seat = showing(state)
    return (_asks(state, "show", seat, _yes_no(), words={"whom": _name(state, seat)}),)


def _laying(state: Progress) -> Expected:
    assert state.target is not None
    return (Arrangement(state.target, "laid", touched=subjects(state.position, state.target)),)


def _over(state: Progress) -> Expected:
    data = state.outcome or {}
    return (Over(Outcome(data["winner"], data["code"], data["text"], data["params"])),)


_EXPECTED: Mapping[str, Callable[[Progress], Expected]] = {
    "set-up": lambda state: (Arrangement(state.position, "table-agreed", start=True),),
    "roles": lambda state: (Change(None, 0),),
    "start": _start,
    "mission": _mission,
    "laying": _laying,
    "drawing": _drawing,
    "play": _play,
    "acting": _acting,
    "asking": _asking,
    "answer": _answer,
    "verdict": _verdict,
    "reveal": _reveal,
    "take": _take,
    "respond": _respond,
    "match": _match,
    "matched": _matched,
    "shoot": _shoot,
    "claim": _claim,
    "show": _show,
    "ended": lambda state: (Change(None, 0),),
    "over": _over,
}


# --- what follows -----------------------------------------------------------------------------------------------------


def acted(state: Progress, act: Act, kind: str = "act") -> Fact:
    """The event of an act, with what is to be done on the mat. Raises BadInput where the rules forbid it."""
    if judged(State(state.books), act).act is None:
        raise BadInput("the rules do not allow that now")
    return fact_of(state, act, kind)


def fact_of(state: Progress, act: Act, kind: str = "act") -> Fact:
    """The event of an act that is not judged."""
    after = fold(state.books, act)
    reached = Mat.of(after)
    told_next = f"hour-marker:hour-{after.hour}" if after.hour > state.books.hour else ""  # with the event of the hour (due)
    todo = [chore.to_json() for chore in chores(reached, state.position) if chore.subject != told_next]
    return Fact(kind, {"act": act.to_json(), **told(state.books, act), "position": reached.to_json(), "chores": todo})


def due(state: Progress) -> tuple[Fact, ...]:
    """What follows from the record alone."""
    if state.outcome is not None:
        return () if state.judged or set(state.seats) - set(state.opened) else tuple(_judged(state))
    if state.begun != "on" or state.target is not None:
        return ()
    if state.books.over is not None:
        return (outcome(state.books.over, state.how),)
    return _on_the_mat(state)


def _on_the_mat(state: Progress) -> tuple[Fact, ...]:
    """Cards that have to be moved, an hour that begins, an act that nobody chooses."""
    books, mat = state.books, state.mat
    reached = still_told(mat, replace(Mat.of(books, mat.waiting, mat.last, mat.loose), by=mat.by))
    if reached.laid.cards != mat.laid.cards:
        todo = [chore.to_json() for chore in chores(reached, mat)]
        return (Fact("tidy", {"position": reached.to_json(), "chores": todo}),)
    if books.hour > state.hour:
        return (_hour(books),)
    act = None if mat.waiting is not None else _follows(state, books)
    return () if act is None else (fact_of(state, act),)


def _judged(state: Progress) -> Iterator[Fact]:
    """Which answers were true, by the roles that are open and the owner's table, and who was allowed to lie."""
    for number, said, hour in state.said:
        if said.act != "answer" or said.seat is None:
            continue
        role = state.opened[state.seats[said.seat]]
        true = truth(state, role, said.trait, said.colour)
        if true is None:
            continue
        code = "true" if true == said.answer else "allowed" if role in VILLAINS else "false"
        params = {"who": _name(state, said.seat), "trait": TRAIT_NAMES[str(said.trait)], "hour": hour}
        yield Fact("judged", {"answer": number, "how": code, "text": JUDGED[code], "params": params})


def _hour(books: Table) -> Fact:
    params = {"hour": books.hour}
    place = f"hour-{books.hour}"
    lay = {
        "code": "lay-hour-marker", "subject": f"hour-marker:{place}", "message": f"Lay the marker of hour {books.hour}.",
        "text": "Lay the marker of hour {hour}.", "params": params, "place": None, "to": place,
    }  # fmt: skip
    return Fact("hour", {"hour": books.hour, "opens": True, "text": EVENTS["hour"], "params": params, "chores": [lay]})


def _follows(state: Progress, books: Table) -> Act | None:
    step, seat = books.step, books.seat
    act: Act | None = None
    if step == "draw" and books.skipping(seat):
        act = Act("skip", seat)
    elif step == "draw" and not books.deck and books.discard and state.phase == "play":
        act = Act("draw", seat)
    elif step in ("look", "give"):
        act = Act(step, seat)
    elif step == "take" and not may_take_two(books):
        act = Act("take", seat, count=1)
    elif step == "return":
        act = Act("return", next(one for one in books.villains() if one != seat))
    elif step == "refill":
        act = Act("refill")
    elif state.phase == "reveal" and not to_open(state):
        act = Act("reveal", roles=tuple(state.opened[one] for one in state.seats))
    return act


def deduced(state: Progress) -> Json:
    """Which roles each seat may still have, by what everybody has seen and heard."""
    left = deals(state.books, state.traits)
    roles = roles_of(state.books.players)
    found = [[role for role in roles if any(deal[seat] == role for deal in left)] for seat in range(state.books.players)]
    return {"deals": len(left), "roles": dict(zip(state.seats, found, strict=True)), "judged": state.traits is not None}


__all__ = [
    "QUESTION", "ROLE", "acted", "change", "deduced", "due", "expects", "fact_of", "may_keep", "may_pass", "may_take_two",
    "showing", "to_open", "who",
]  # fmt: skip
