"""What an answer of the game's own leads to: facts, or a refusal that names nothing secret."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import BadInput, quoted
from companion.games.expectations import Fact
from companion.games.get_adler.acts import ANSWERS, Act
from companion.games.get_adler.mat import role_name
from companion.games.get_adler.names import TRAITS, roles_of
from companion.games.get_adler.procedure import acted, change, may_keep, may_pass, may_take_two, showing
from companion.games.get_adler.progress import Progress, apply
from companion.games.get_adler.telling import ACTS, EVENTS, TRAIT_NAMES, who
from companion.games.get_adler.viewing import MINE_IN
from companion.games.values import Json

NOT_NOW = "that cannot be said now"
MOST = 40
"""The longest word for a colour or a service, in characters."""


def answer(state: Progress, said: Json) -> tuple[Fact, ...]:
    """What an answer of the game's own leads to. Raises BadInput where it cannot be taken now."""
    phases, take = _ANSWERS[said["kind"]]
    if phases and state.phase not in phases:
        raise BadInput(NOT_NOW)
    return take(state, said)


def _seat(state: Progress, name: object) -> int:
    if name not in state.seats:
        raise BadInput(f"there is no seat {quoted(name)} in this game; there are: {', '.join(state.seats)}")
    return state.seats.index(str(name))


def _signed(state: Progress, said: Json, seat: int | None) -> None:
    """Raises BadInput where another seat than this one answers; the shared screen answers for everybody."""
    given = said.get("seat")
    if given is not None and (seat is None or given != state.seats[seat]):
        raise BadInput("somebody else answers that")


def _word(value: object, what: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MOST:
        raise BadInput(f"{what}: one word or a few, at most {MOST} characters")
    return value.strip()


def _start(state: Progress, said: Json) -> tuple[Fact, ...]:
    seat = _seat(state, said.get("who"))
    params = {"who": who(state.books, seat)}
    return (Fact("start", {"start": said["who"], "text": EVENTS["start"], "params": params}),)


def _mission(state: Progress, said: Json) -> tuple[Fact, ...]:
    service = _word(said.get("service"), "service")
    return (Fact("mission", {"service": service, "text": EVENTS["mission"], "params": {"service": service}}),)


def _traits(state: Progress, said: Json) -> tuple[Fact, ...]:
    """The owner's table, every fault of it at once."""
    table, roles = said.get("traits"), roles_of(len(state.seats))
    if not isinstance(table, Mapping):
        raise BadInput("traits: a table of the four traits of each role")
    faults = [f"{quoted(role)} is no role of this game" for role in table if role not in roles]
    kept: dict[str, dict[str, str]] = {}
    for role in roles:
        row = table.get(role)
        if not isinstance(row, Mapping):
            faults.append(f"{role_name(role)} has no traits")
            continue
        faults += [f"{role_name(role)}: {quoted(trait)} is no trait" for trait in row if trait not in TRAITS]
        for trait in TRAITS:
            colour = row.get(trait)
            if not isinstance(colour, str) or not colour.strip() or len(colour) > MOST:
                faults.append(f"{role_name(role)}, {TRAIT_NAMES[trait]}: say its colour")
            else:
                kept.setdefault(role, {})[trait] = colour.strip()
    if faults:
        raise BadInput(f"traits: {'; '.join(faults)}")
    return (Fact("traits", {"traits": kept, "text": EVENTS["traits"], "params": {}}),)


def _drew(state: Progress, said: Json) -> tuple[Fact, ...]:
    _signed(state, said, state.books.seat)
    return (acted(state, Act("draw", state.books.seat)),)


def _mine(state: Progress, said: Json) -> tuple[Fact, ...]:
    """Whose a card is: of the last play, where nothing has followed from it yet, else of the next one."""
    name = said.get("seat") or said.get("who")
    seat = _seat(state, name)
    last = bool(state.picks) and state.picks[-1].mover != name and change(state).seat != name
    if said.get("last") is False:
        last = False  # said before it is laid
    params = {"who": who(state.books, seat)}
    return (Fact("mine", {"seat": name, "last": last, "text": EVENTS["mine"], "params": params}),)


def _on(state: Progress, said: Json) -> tuple[Fact, ...]:
    books, card = state.books, str(state.mat.waiting)
    _signed(state, said, books.seat)
    on = said.get("on")
    if on is None:
        return (acted(state, Act("discard", books.seat, card)),)
    target = _seat(state, on)
    if card == "question":
        acted(state, Act("play", books.seat, card, target))
        params = {"who": who(books, books.seat), "whom": who(books, target)}
        return (Fact("pointed", {"on": target, "text": ACTS["question-free"], "params": params}),)
    return (acted(state, Act("play", books.seat, card, target)),)


def _ask(state: Progress, said: Json) -> tuple[Fact, ...]:
    books = state.books
    _signed(state, said, books.seat)
    trait, colour = said.get("trait"), said.get("colour")
    if trait is not None and trait not in TRAITS:
        raise BadInput(NOT_NOW)
    if trait is None and colour is not None:
        raise BadInput(NOT_NOW)
    if trait is not None and colour is None and state.traits is not None:
        params = {"who": who(books, books.seat), "whom": who(books, state.on), "trait": TRAIT_NAMES[str(trait)]}
        return (Fact("pointed", {"on": state.on, "trait": trait, "text": ACTS["question"], "params": params}),)
    act = Act("play", books.seat, "question", state.on, trait, None if colour is None else _word(colour, "colour"))
    return (acted(state, act, "asked"),)


def _say(state: Progress, said: Json) -> tuple[Fact, ...]:
    pending, phase = state.books.pending, state.phase
    word = said.get("answer")
    if word not in ANSWERS:
        raise BadInput(NOT_NOW)
    seat = showing(state) if phase == "show" else pending.target if pending is not None else None
    _signed(state, said, seat)
    return (acted(state, Act(phase, seat, answer=str(word)), "act" if phase == "show" else "answered"),)


def _take(state: Progress, said: Json) -> tuple[Fact, ...]:
    _signed(state, said, state.books.seat)
    count = said.get("count")
    if count not in (1, 2) or (count == 2 and not may_take_two(state.books)):
        raise BadInput(NOT_NOW)
    return (acted(state, Act("take", state.books.seat, count=count)),)


def _matched(state: Progress, said: Json) -> tuple[Fact, ...]:
    seat = _seat(state, said.get("who"))
    return (acted(state, Act("match", seat, state.mat.waiting)),)


def _away(state: Progress, said: Json) -> tuple[Fact, ...]:
    return (acted(state, Act("unmatched")),)


def _arrested(state: Progress, said: Json) -> tuple[Fact, ...]:
    villain = state.books.fight.villain
    _signed(state, said, villain)
    return (acted(state, Act("arrested", villain)),)


def _stop(state: Progress, said: Json) -> tuple[Fact, ...]:
    if state.books.rule("gunfight") == "sealed":
        raise BadInput(NOT_NOW)
    _signed(state, said, state.books.fight.to)
    return (acted(state, Act("hold", state.books.fight.to)),)


def _shots(state: Progress, said: Json) -> tuple[Fact, ...]:
    given = said.get("shots")
    if state.books.rule("gunfight") != "sealed" or not isinstance(given, list) or len(given) != 2:
        raise BadInput(NOT_NOW)
    if not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= 20 for one in given):
        raise BadInput(NOT_NOW)
    return (acted(state, Act("shoot", shots=(given[0], given[1]))),)


def _claim(state: Progress, said: Json) -> tuple[Fact, ...]:
    name = said.get("who")
    if name is None:
        return (acted(state, Act("claim", answer="no")),)
    seat = _seat(state, name)
    _signed(state, said, seat)
    return (acted(state, Act("claim", seat, answer="yes")),)


def _pass(state: Progress, said: Json) -> tuple[Fact, ...]:
    books = state.books
    _signed(state, said, books.seat)
    if not may_pass(books):
        raise BadInput(NOT_NOW)
    return _after_draw(state, Act("pass", books.seat))


def _keep(state: Progress, said: Json) -> tuple[Fact, ...]:
    _signed(state, said, state.books.seat)
    if not may_keep(state.books):
        raise BadInput(NOT_NOW)
    return _after_draw(state, Act("keep", state.books.seat))


def _after_draw(state: Progress, act: Act) -> tuple[Fact, ...]:
    """An act of a turn that needs the draw before it: where draws are not told, it says that one was drawn."""
    if state.books.step == "play":
        return (acted(state, act),)
    drawn = acted(state, Act("draw", state.books.seat))
    return (drawn, acted(apply(state, drawn), act))


_ANSWERS: Mapping[str, tuple[tuple[str, ...], Callable[[Progress, Json], tuple[Fact, ...]]]] = {
    "start": (("start",), _start),
    "mission": (("mission",), _mission),
    "traits": (("roles", "start", "mission"), _traits),
    "drew": (("drawing",), _drew),
    "mine": (MINE_IN, _mine),
    "on": (("acting",), _on),
    "ask": (("asking",), _ask),
    "say": (("answer", "verdict", "show"), _say),
    "take": (("take",), _take),
    "matched": (("matched",), _matched),
    "away": (("match",), _away),
    "arrested": (("respond",), _arrested),
    "stop": (("shoot",), _stop),
    "shots": (("shoot",), _shots),
    "claim": (("claim", "shoot"), _claim),
    "pass": (("play",), _pass),
    "keep": (("play",), _keep),
}


def kinds() -> Mapping[str, Any]:
    """Every kind of answer, with the stages in which it can be given."""
    return {kind: phases for kind, (phases, _) in _ANSWERS.items()}
