"""What may come next, what follows by itself, and what an answer leads to."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from companion.errors import BadInput
from companion.games.expectations import Arrangement, Change, Draw, Expectation, Fact, Opening, Over, Question
from companion.games.letters_from_whitechapel import acts, judging, police, wretched
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    DOWN,
    FAKE,
    JACK,
    LAST_TIME,
    POLICE_MOVE,
    WALK,
)
from companion.games.letters_from_whitechapel.progress import MOVE, PATROLS_OF, WOMEN_OF, Progress
from companion.games.letters_from_whitechapel.table import Table
from companion.games.letters_from_whitechapel.table_chores import chores, subjects
from companion.games.letters_from_whitechapel.table_explaining import stays
from companion.games.letters_from_whitechapel.telling import ASKED, LABELS, WHO, outcome, told
from companion.games.values import Json, Outcome, Role

Expected = tuple[Expectation[Table], ...]
POLICE = "police"
"""The side that wins together."""
RESTING = Change(None, 0)
"""Nobody moves a piece; the last play may still be told otherwise."""


def expects(state: Progress) -> Expected:
    """What may come next; empty before the game is opened."""
    found = _EXPECTED.get(state.phase)
    return found(state) if found is not None else ()


def _arrangement(state: Progress) -> Expected:
    assert state.target is not None
    return (Arrangement(state.target, "laid", touched=subjects(state.position, state.target)),)


def _question(key: str, seat: Role, form: tuple[Json, ...], labels: tuple[str, ...], **more: Any) -> Question:
    return Question(key, seat, ASKED[key], more.pop("words", {}), form, labels, **more)


def _head(state: Progress) -> Expected:
    left = tuple(colour for colour in COLOURS if colour not in state.heads)
    form: tuple[Json, ...] = tuple({"kind": "head", "colour": colour} for colour in left)
    asked = _question(acts.DRAW_HEAD, COLOURS[0], form, tuple(WHO[colour] for colour in left))
    return (asked, Draw(left, 1), RESTING)


def _kill(state: Progress) -> Expected:
    books = state.books
    form: list[Json] = [{"kind": "kill", "circles": list(some)} for some in combinations(books.wretched, books.tonight.victims)]
    labels = [" + ".join(map(str, answer["circles"])) for answer in form]
    if books.time < LAST_TIME:
        form, labels = [{"kind": "wait"}, *form], [LABELS[acts.WAIT], *labels]
    return (_question(acts.MURDER, JACK, tuple(form), tuple(labels)), RESTING)


def _turn_up(state: Progress) -> Expected:
    down = tuple(crossing for crossing, token in state.books.patrols if token == DOWN)
    form: tuple[Json, ...] = tuple({"kind": "turn-up", "crossing": crossing} for crossing in down)
    return (_question(acts.TURN_UP, JACK, form, down), RESTING)


def _turning(state: Progress) -> Expected:
    seen = {token for _, token in state.books.patrols}
    tokens = [token for token in (*COLOURS, FAKE) if token not in seen]
    form: tuple[Json, ...] = tuple({"kind": "token", "token": token} for token in tokens)
    labels = tuple(WHO.get(token, LABELS[FAKE]) for token in tokens)
    purpose, words = PATROLS_OF[state.books.night - 1], {"crossing": state.turning}
    asked = _question("token", str(state.books.head), form, labels, words=words, purpose=purpose, certain=True)
    return (asked, RESTING)


def _how(state: Progress) -> Expected:
    """The same answers on every move, wherever Jack is: nothing is told by what he is offered."""
    ways = [(WALK, False), (WALK, True), *((kind, False) for kind, count in state.books.tokens.items() if count > 0)]
    ways.append((acts.TRAPPED, False))
    form: tuple[Json, ...] = tuple({"kind": "moving", "how": kind, "home": home} for kind, home in ways)
    return (_question("how", JACK, form, tuple(LABELS[f"{kind} home" if home else kind] for kind, home in ways)), RESTING)


def _by_hand(seat: Role) -> Expected:
    """What one seat lays or moves until it is done."""
    return (Change(seat, 1, (seat,)),)


def _police_move(state: Progress) -> Expected:
    books = state.books
    order = (*books.moved, *(one for one in police.order(books) if one not in books.moved))
    return (Change(police.turn(books)[0], len(COLOURS) - len(books.moved), order),)


def _police_act(state: Progress) -> Expected:
    books = state.books
    colour = police.turn(books)[0]
    form: list[Json] = [{"kind": "search", "circle": circle} for circle in police.searches(books, colour)]
    labels = [f"Search {answer['circle']}" for answer in form]
    arrests = police.arrests(books, colour)
    form += [{"kind": "arrest", "circle": circle} for circle in arrests] + [{"kind": "stop"}]
    labels += [*(f"Arrest {circle}" for circle in arrests), LABELS[acts.STOP]]
    return (_question("act", colour, tuple(form), tuple(labels), words={"who": WHO[colour]}), RESTING)


def _asked(state: Progress) -> Expected:
    asked = state.asked or {}
    form: tuple[Json, ...] = ({"kind": "say", "yes": True}, {"kind": "say", "yes": False})
    words = {"circle": asked["circle"]}
    return (
        _question(asked["what"], JACK, form, (LABELS["yes"], LABELS["no"]), words=words, purpose=MOVE, certain=True),
        RESTING,
    )


def _over(state: Progress) -> Expected:
    data = state.outcome or {}
    return (Over(Outcome(data["winner"], data["code"], data["text"], data["params"])),)


_EXPECTED: Mapping[str, Callable[[Progress], Expected]] = {
    "set-up": lambda state: (Arrangement(state.position, "table-agreed", start=True),),
    "laying": _arrangement,
    "women": lambda state: _by_hand(JACK),
    "women-told": lambda state: (RESTING,),
    "head": _head,
    "patrols": lambda state: _by_hand(str(state.books.head)),
    "patrols-told": lambda state: (RESTING,),
    "victims": lambda state: (Opening(JACK, WOMEN_OF[state.books.night - 1]), RESTING) if state.victims is None else (RESTING,),
    "kill": _kill,
    "wretched": lambda state: _by_hand(str(state.books.head)),
    "turn-up": _turn_up,
    "turning": _turning,
    "order": lambda state: (RESTING,),
    "reveal": lambda state: (
        (Opening(str(state.books.head), PATROLS_OF[state.books.night - 1]), RESTING) if state.turned is None else (RESTING,)
    ),
    "escape": _how,
    "telling": lambda state: _how(state) if not state.entries else (RESTING,),
    "told": lambda state: (RESTING,),
    "police-move": _police_move,
    "police-act": _police_act,
    "asked": _asked,
    "ended": lambda state: (RESTING,),
    "over": _over,
}


# --- what follows -----------------------------------------------------------------------------------------------------


def acted(state: Progress, act: Act, kind: str = "act") -> Fact:
    """The event of an act, with what is to be done on the table. Raises BadInput where the rules forbid it."""
    broken = judging.faults(state.books, act)
    if broken:
        raise BadInput("the rules do not allow that now")
    reached = Table.of(fold(state.books, act))
    todo = [chore.to_json() for chore in chores(reached, state.position, set())]
    data = {"act": act.to_json(), **told(act), "position": reached.to_json(), "chores": todo}
    return Fact(kind, {**data, "by": act.by} if act.by else data)


def due(state: Progress) -> tuple[Fact, ...]:
    """What follows from the record alone."""
    found = _FOLLOWS.get(state.phase)
    act = found(state) if found is not None else None
    if act is not None:
        return (acted(state, act),)
    return (_end(state),) if state.phase == "ended" else ()


def _turned_up(state: Progress) -> Act | None:
    return None if state.victims is None else Act(acts.VICTIMS, circles=state.victims)


def _unmasked(state: Progress) -> Act | None:
    stand = state.turned
    return None if stand is None else Act(acts.UNMASK, police=tuple((colour, stand[colour]) for colour in COLOURS))


def _nobody_moves(state: Progress) -> Act | None:
    books = state.books
    return None if any(wretched.targets(books, circle) for circle in books.wretched) else Act(acts.SCATTER)


def _gone(state: Progress) -> Act | None:
    return None if state.how is None else Act(state.how[0], yes=state.how[1])


def _nothing_near(state: Progress) -> Act | None:
    colour = police.turn(state.books)[0]
    near = police.searches(state.books, colour) or police.arrests(state.books, colour)
    return None if near else Act(acts.STOP, by=colour)


_FOLLOWS: Mapping[str, Callable[[Progress], Act | None]] = {
    "victims": _turned_up,
    "reveal": _unmasked,
    "wretched": _nobody_moves,
    "told": _gone,
    "police-act": _nothing_near,
}
"""Acts that follow by themselves, by stage."""


def _end(state: Progress) -> Fact:
    act = state.last
    assert act is not None
    if act.kind == acts.ARREST:
        return outcome(POLICE, "arrested")
    if act.kind == acts.TRAPPED:
        return outcome(POLICE, "trapped")
    return outcome(JACK, "escaped") if act.yes else outcome(POLICE, "too-late")


# --- answers ----------------------------------------------------------------------------------------------------------


def answer(state: Progress, said: Json) -> tuple[Fact, ...]:
    """What an answer of the game's own leads to. Raises BadInput where it cannot be taken now."""
    phases, take = _ANSWERS[said["kind"]]
    if state.phase not in phases:
        raise BadInput("that cannot be said now")
    return take(state, said)


def drawn(state: Progress, chosen: str) -> tuple[Fact, ...]:
    """The head of tonight's investigation was drawn. Raises BadInput."""
    if state.phase != "head" or chosen not in COLOURS or chosen in state.heads:
        raise BadInput("this tile cannot be drawn as the head of tonight's investigation")
    return (acted(state, Act(acts.DRAW_HEAD, by=chosen)),)


def _killed(state: Progress, said: Json) -> tuple[Fact, ...]:
    listed = said.get("circles")
    if not isinstance(listed, list) or not all(isinstance(one, int) for one in listed):
        raise BadInput("the rules do not allow that now")
    return (acted(state, Act(acts.MURDER, circles=tuple(sorted(listed)))),)


def _chosen(state: Progress, said: Json) -> tuple[Fact, ...]:
    crossing = said.get("crossing")
    if dict(state.books.patrols).get(str(crossing)) != DOWN:
        raise BadInput("no patrol token lies face down there")
    return (Fact("turning", {"crossing": crossing, "text": ASKED["token"], "params": {"crossing": crossing}}),)


def _token(state: Progress, said: Json) -> tuple[Fact, ...]:
    token = said.get("token")
    if token not in (*COLOURS, FAKE) or said.get("seat") not in (None, state.books.head):
        raise BadInput("that cannot be said now")
    return (acted(state, Act(acts.TURN_UP, crossing=state.turning, token=str(token))),)


def _moving(state: Progress, said: Json) -> tuple[Fact, ...]:
    how, home = said.get("how"), said.get("home", False)
    if state.entries or not isinstance(home, bool):
        raise BadInput("that cannot be said now")
    if how == acts.TRAPPED:
        return (acted(state, Act(acts.TRAPPED)),)
    if how not in acts.JACKS_MOVES:
        raise BadInput("the rules do not allow that now")
    acted(state, Act(str(how), yes=home))  # refused at once where the rules forbid it
    return (Fact("moving", {"how": how, "home": home, "text": LABELS[f"{how} home" if home else str(how)], "params": {}}),)


def _stay(state: Progress, said: Json) -> tuple[Fact, ...]:
    turn = police.turn(state.books)
    colour = said.get("seat") or turn[0]
    if colour not in turn:
        raise BadInput("it is another policeman's turn")
    play = stays(state.position, colour)
    where = {"turn": state.position.turn, "pick": len(state.picks) + 1, "mover": turn[0]}
    return (Fact("play", {**where, **play.to_json(), "text": play.text, "params": dict(play.params)}),)


def _ask(state: Progress, said: Json) -> tuple[Fact, ...]:
    kind, circle, turn = said["kind"], said.get("circle"), police.turn(state.books)
    colour = said.get("seat") or turn[0]
    if colour not in turn or not isinstance(circle, int) or isinstance(circle, bool):
        raise BadInput("it is another policeman's turn")
    broken = judging.faults(state.books, Act(kind, by=colour, circles=(circle,), yes=False))
    if broken:
        raise BadInput("the rules do not allow that now")
    return (Fact("asked", {"by": colour, "what": kind, "circle": circle, "text": ASKED[kind], "params": {"circle": circle}}),)


def _said(state: Progress, said: Json) -> tuple[Fact, ...]:
    asked, yes = state.asked or {}, said.get("yes")
    if not isinstance(yes, bool):
        raise BadInput("that cannot be said now")
    return (acted(state, Act(asked["what"], by=asked["by"], circles=(asked["circle"],), yes=yes), "answered"),)


def _stopped(state: Progress, said: Json) -> tuple[Fact, ...]:
    return (acted(state, Act(acts.STOP, by=said.get("seat") or police.turn(state.books)[0])),)


_ANSWERS: Mapping[str, tuple[tuple[str, ...], Callable[[Progress, Json], tuple[Fact, ...]]]] = {
    "head": (("head",), lambda state, said: drawn(state, str(said.get("colour")))),
    "kill": (("kill",), _killed),
    "wait": (("kill",), lambda state, said: (acted(state, Act(acts.WAIT)),)),
    "turn-up": (("turn-up",), _chosen),
    "token": (("turning",), _token),
    "moving": (("escape", "telling"), _moving),
    "stay": ((POLICE_MOVE,), _stay),
    "search": (("police-act",), _ask),
    "arrest": (("police-act",), _ask),
    "stop": (("police-act",), _stopped),
    "say": (("asked",), _said),
}
