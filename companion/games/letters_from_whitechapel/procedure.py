"""What may come next, and what follows by itself."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from companion.errors import BadInput
from companion.games.expectations import Arrangement, Change, Draw, Expectation, Fact, Opening, Question
from companion.games.letters_from_whitechapel import acts, judging, police, wretched
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    DOWN,
    FAKE,
    JACK,
    LAST_TIME,
    SPACES,
    WALK,
)
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.sheet import MOVE, PATROLS_OF, WOMEN_OF
from companion.games.letters_from_whitechapel.table import Table, called
from companion.games.letters_from_whitechapel.table_chores import chores, subjects
from companion.games.letters_from_whitechapel.telling import ASKED, LABELS, OUTCOMES, WHO, refusal, told
from companion.games.rounds import RESTING, ended, yes_or_no
from companion.games.values import Json, Role

Expected = tuple[Expectation[Table], ...]
POLICE = "police"
"""The side that wins together."""


def steps(state: Progress) -> Expected:
    """What may come next between set-up and end."""
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
    asked = _question(acts.TURN_UP, JACK, form, tuple(map(called, down)), places=down, pointing=ASKED[acts.TURN_UP])
    return (asked, RESTING)


def _turning(state: Progress) -> Expected:
    seen = {token for _, token in state.books.patrols}
    tokens = [token for token in (*COLOURS, FAKE) if token not in seen]
    form: tuple[Json, ...] = tuple({"kind": "token", "token": token} for token in tokens)
    labels = tuple(WHO.get(token, LABELS[FAKE]) for token in tokens)
    purpose, words = PATROLS_OF[state.books.night - 1], {"crossing": called(state.turning)}
    asked = _question("token", str(state.books.head), form, labels, words=words, purpose=purpose, certain=True)
    return (asked, RESTING)


def _how(state: Progress) -> Expected:
    """What everybody knows to be left, wherever Jack is: nothing is told by what he is offered."""
    books = state.books
    left = [kind for kind, count in books.tokens.items() if count > 0 and SPACES[kind] <= books.left]
    ways = [(WALK, False), (WALK, True), *((kind, False) for kind in left)]
    if not judging.faults(books, Act(acts.TRAPPED)):
        ways.append((acts.TRAPPED, False))
    form: tuple[Json, ...] = tuple({"kind": "moving", "how": kind, "home": home} for kind, home in ways)
    labels = tuple(LABELS[f"{kind} home" if home else kind] for kind, home in ways)
    given = ways.index(state.how) if state.how in ways else None
    return (_question("how", JACK, form, labels, given=given), RESTING)


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
    places = tuple(str(answer.get("circle", "")) for answer in form)
    labels += [*(f"Arrest {circle}" for circle in arrests), LABELS[acts.STOP]]
    asked = _question(
        "act", colour, tuple(form), tuple(labels), places=places, pointing=ASKED["which"], markers=("clues",),
        words={"who": WHO[colour]},
    )  # fmt: skip
    return (asked, RESTING)


def _asked(state: Progress) -> Expected:
    asked = state.asked or {}
    return (yes_or_no(asked["what"], JACK, asked, MOVE, certain=True), RESTING)


_EXPECTED: Mapping[str, Callable[[Progress], Expected]] = {
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
}


# --- what follows -----------------------------------------------------------------------------------------------------


def acted(state: Progress, act: Act, kind: str = "act") -> Fact:
    """The event of an act, with what is to be done on the table. Raises BadInput where the rules forbid it."""
    broken = judging.faults(state.books, act)
    if broken:
        raise BadInput(refusal(act, broken))
    return fact_of(state, act, kind)


def fact_of(state: Progress, act: Act, kind: str = "act") -> Fact:
    """The event of an act that is not judged: what was opened counts, and the audit tells where it does not fit."""
    reached = Table.of(fold(state.books, act))
    todo = [chore.to_json() for chore in chores(reached, state.position, set())]
    data = {"act": act.to_json(), **told(act), "position": reached.to_json(), "chores": todo}
    return Fact(kind, {**data, "by": act.by} if act.by else data)


def due(state: Progress) -> tuple[Fact, ...]:
    """What follows from the record alone."""
    found = _FOLLOWS.get(state.phase)
    act = found(state) if found is not None else None
    if act is not None:
        return (fact_of(state, act),)
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
        return _over(POLICE, "arrested")
    if act.kind == acts.TRAPPED:
        return _over(POLICE, "trapped")
    return _over(JACK, "escaped") if act.yes else _over(POLICE, "too-late")


def _over(winner: Role, code: str) -> Fact:
    return ended(winner, code, OUTCOMES[code])
