"""What every seat keeps secret at a refereed table: its role, and for a villain the hero's role by which it answers."""

from collections.abc import Sequence

from companion.errors import BadInput
from companion.games.expectations import Disproof
from companion.games.get_adler.mat import role_name, seat_name
from companion.games.get_adler.names import VILLAINS, roles_of, same_colour
from companion.games.get_adler.procedure import ROLE, to_open
from companion.games.get_adler.progress import Progress, cover_in, role_in, truth
from companion.games.get_adler.telling import DISPROVED, OWN, TELLS, TRAIT_NAMES
from companion.games.get_adler.viewing import deeds
from companion.games.seats import Choice, Deed, Held, Line, Own, Purpose, Tell
from companion.games.values import Json, Role

PURPOSES = (Purpose(ROLE),)


def values(players: int) -> tuple[str, ...]:
    """What a seat may tell: a role; a villain also the hero by whom the companion answers in its place. One list for all."""
    roles = roles_of(players)
    heroes = [role for role in roles if role not in VILLAINS]
    covers = [f"{role} as {hero}" for role in roles if role in VILLAINS for hero in heroes]
    return (*roles, *covers)


def own(state: Progress, seat: Role, held: Held | None) -> Own | None:
    """A seat's role and what it answers by, and what it may tell now."""
    if state.begun not in ("roles", "start", "mission", "on") or seat not in state.seats:
        return None
    value = held.one(ROLE) if held is not None else None
    lines = _lines(state, value) if value is not None else ()
    if seat in state.told or state.begun != "roles":
        here = (
            tuple(Deed(answer, text) for answer, text in deeds(state, state.seats.index(seat))) if state.begun == "on" else ()
        )
        return Own(lines, deeds=here)
    choices = tuple(_choice(one) for one in values(len(state.seats)))
    return Own(lines, (), (Tell(ROLE, TELLS["role"], choices),))


def _choice(value: str) -> Choice:
    role, cover = role_in(value), cover_in(value)
    if role == cover:
        return Choice(value, "{role}", {"role": role_name(role)})
    return Choice(value, "{role}, answers as {cover}", {"role": role_name(role), "cover": role_name(cover)})


def _lines(state: Progress, value: str) -> tuple[Line, ...]:
    role, cover = role_in(value), cover_in(value)
    found = [Line(OWN["role"], {"role": role_name(role)})]
    if cover != role:
        found.append(Line(OWN["cover"], {"role": role_name(cover)}))
    if state.traits is not None and cover in state.traits:
        found.append(Line(OWN["traits"], dict(state.traits[cover])))
    return tuple(found)


def check_time(state: Progress, seat: Role) -> None:
    """Raises BadInput where this seat cannot tell its role now."""
    if state.begun != "roles" or seat not in state.seats:
        raise BadInput("who a seat is it tells once, before the first turn")


def check_value(state: Progress, value: object) -> None:
    """Raises BadInput where this is no role of this game."""
    if value not in values(len(state.seats)):
        raise BadInput("that is no role of this game")


def check_opened(state: Progress, seat: Role, told: Sequence[object]) -> None:
    """Raises BadInput where these cannot be a seat's secrets, or nobody asked for them."""
    for value in told:
        check_value(state, value)
    if state.phase == "over":
        return
    if state.phase != "reveal" or seat not in to_open(state):
        raise BadInput("roles are opened at the reveal, and at the end")
    role = role_in(str(told[-1])) if told else ""
    if role in [known for other, known in state.opened.items() if other != seat]:
        raise BadInput("another seat has opened that role: ask the arbiter")
    pending = state.books.pending
    accused = pending is not None and pending.target is not None and state.seats[pending.target] == seat
    if accused and not state.books.revealed and role not in VILLAINS:
        raise BadInput("this seat owned up to be a villain, and that is a hero's role: ask the arbiter")


def by_secret(state: Progress, held: Held) -> Json:
    """The answer of a seat that entrusted its role: to a question by the role it answers as, to an accusation the truth."""
    value = held.one(ROLE) or ""
    if state.phase == "verdict":
        return {"kind": "say", "answer": "yes" if role_in(value) in VILLAINS else "no"}
    pending, traits = state.books.pending, state.traits or {}
    if pending is None or pending.trait is None or pending.colour is None or cover_in(value) not in traits:
        raise BadInput("what was entrusted has no answer to that")
    true = same_colour(traits[cover_in(value)][pending.trait], pending.colour)
    return {"kind": "say", "answer": "yes" if true else "no"}


def disproved(state: Progress, opened: Held) -> tuple[Disproof, ...]:
    """Answers that a hero must not have given, and accusations that were answered falsely."""
    value = opened.one(ROLE)
    if value is None or opened.seat not in state.seats:
        return ()
    role, seat = role_in(value), state.seats.index(opened.seat)
    found = []
    for number, said, hour in state.said:
        if said.seat != seat:
            continue
        params = {"who": seat_name(len(state.seats), seat), "trait": TRAIT_NAMES.get(said.trait or "", ""), "hour": hour}
        if said.act == "verdict" and (said.answer == "yes") != (role in VILLAINS):
            text = f"event {number}: {opened.seat} did not own up to what it is"
            found.append(Disproof("false-verdict", number, text, DISPROVED["false-verdict"], params))
        elif said.act == "answer" and role not in VILLAINS and truth(state, role, said.trait, said.colour) not in (
            None, said.answer,
        ):  # fmt: skip
            text = f"event {number}: {opened.seat} is a hero and answered falsely"
            found.append(Disproof("false-answer", number, text, DISPROVED["false-answer"], params))
    return tuple(found)
