"""What an answer of the game's own leads to: facts, or a refusal that names nothing secret."""

from collections.abc import Callable, Mapping

from companion.errors import BadInput
from companion.games.expectations import Fact
from companion.games.letters_from_whitechapel import acts, judging, police
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import COLOURS, DOWN, FAKE, POLICE_MOVE
from companion.games.letters_from_whitechapel.procedure import acted
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.table import called
from companion.games.letters_from_whitechapel.table_chores import chores
from companion.games.letters_from_whitechapel.table_explaining import stays
from companion.games.letters_from_whitechapel.telling import ACTS, ASKED, refusal
from companion.games.rounds import played
from companion.games.values import Json


def answer(state: Progress, said: Json) -> tuple[Fact, ...]:
    """What an answer of the game's own leads to. Raises BadInput where it cannot be taken now."""
    if said["kind"] == "retract":
        return _retracted(state)
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
    return (Fact("turning", {"crossing": crossing, "text": ASKED["token"], "params": {"crossing": called(str(crossing))}}),)


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
    return (Fact("moving", {"how": how, "home": home}),)


def _retracted(state: Progress) -> tuple[Fact, ...]:
    back = state.before
    if back is None:
        raise BadInput("the last move cannot be taken back any more")
    todo = [chore.to_json() for chore in chores(back.position, state.position, set())]
    return (Fact("retracted", {"text": ACTS["retracted"], "params": {}, "position": back.position.to_json(), "chores": todo}),)


def _stay(state: Progress, said: Json) -> tuple[Fact, ...]:
    turn = police.turn(state.books)
    colour = said.get("seat") or turn[0]
    if colour not in turn:
        raise BadInput("it is another policeman's turn")
    play = stays(state.position, colour)
    return (played(state, play, turn[0]),)


def _ask(state: Progress, said: Json) -> tuple[Fact, ...]:
    kind, circle, turn = said["kind"], said.get("circle"), police.turn(state.books)
    colour = said.get("seat") or turn[0]
    if colour not in turn or not isinstance(circle, int) or isinstance(circle, bool):
        raise BadInput("it is another policeman's turn")
    act = Act(kind, by=colour, circles=(circle,), yes=False)
    broken = judging.faults(state.books, act)
    if broken:
        raise BadInput(refusal(act, broken, dict(state.books.police)[colour]))
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
