"""Hide and seek: every round the hider walks in secret, both pawns move, and each seeker looks at a circle beside its pawn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from companion.errors import BadInput, IllegalPlay
from companion.games.base import GENERAL_ANSWERS, BaseGame
from companion.games.expectations import (
    Arrangement,
    Change,
    Context,
    Disproof,
    Expectation,
    Fact,
    Opening,
    Over,
    Question,
)
from companion.games.seats import AnswerKind, Choice, Held, Line, Own, Purpose, Tell
from companion.games.values import Chore, Explanation, Json, Outcome, Play, Role
from testkit.paths import chase, judging
from testkit.paths.chase import LAIR, MOVE, Chase
from testkit.paths.judging import NAMES, PAWN_OF, SEEKERS, STAYED
from testkit.paths.streets import CIRCLE, ID, PAWNS, Position, beside, of_kind, position, ways_on

HIDER, LAST_ROUND = "hider", 3
SEAT_NAMES = {"seeker": "The red seeker", "seeker-2": "The blue seeker"}
SAID = {
    "pass": "{seat} looks nowhere.", "walked": "The hider has walked long enough and shows the path.",
    "clue": "Hider: have you been at {site}?", "catch": "Hider: are you at {site} now?",
    "clue-yes": "There is a clue at {site}.", "clue-no": "There is no clue at {site}.",
    "catch-yes": "The hider is found at {site}.", "catch-no": "The hider is not at {site}.",
    "caught": "The hider was found.", "home": "The hider is home.", "away": "The hider is not in the lair.",
}  # fmt: skip


class HideAndSeek(BaseGame[Position, Chase]):
    """The rules of hide and seek."""

    id, name, characters = ID, "Hide and seek", PAWNS
    seats: tuple[Role, ...] = (HIDER, *SEEKERS)
    events: Mapping[str, bool] = {
        "turn-opened": True, "asked": False, "passed": False, "answered": True, "clue-laid": True, "walked": True,
    }  # fmt: skip
    answers: tuple[str, ...] = ("look", "pass", "stay", "say", *GENERAL_ANSWERS, "seal", "reveal")
    answer_kinds: tuple[AnswerKind, ...] = (
        AnswerKind("look", frozenset({"site", "catch"}), SEEKERS, signed=True),
        AnswerKind("pass", seats=SEEKERS, signed=True),
        AnswerKind("stay", seats=SEEKERS, signed=True),
        AnswerKind("say", frozenset({"yes"}), (HIDER,)),
    )
    purposes: tuple[Purpose, ...] = (Purpose(LAIR, HIDER), Purpose(MOVE, HIDER, row=True))
    secret_lost = "What the hider entrusted is not here any more: the hider answers each question."
    no_answer = "what the hider entrusted cannot answer this, so somebody erred: ask the arbiter"

    def position(self, data: Json, *, tolerant: bool = False) -> Position:
        return position(data, tolerant=tolerant)

    def differences(self, expected: Position, state: Json, unknown: tuple[str, ...] = ()) -> tuple[Chore, ...]:
        return judging.chores(expected, self.complete(expected, state, unknown), set(unknown))

    def movers(self, turn: int) -> tuple[Role, ...]:
        return SEEKERS

    def candidates(self, position: Position) -> tuple[str, ...]:
        return PAWNS

    def plays(
        self, position: Position, character: str, *, mover: Role | None = None, rules: Json | None = None
    ) -> tuple[Play, ...]:
        if mover is not None and PAWN_OF.get(mover) != character:
            raise IllegalPlay(f"the {NAMES[character]} pawn is not moved by {mover}")
        return judging.plays(position, character)

    def explain(
        self, before: Position, after: Position, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        return judging.explain(before, after, plays, mover)

    # --- the procedure --------------------------------------------------------------------------------------------

    def begin(self) -> Chase:
        return Chase()

    def apply(self, state: Chase, fact: Fact) -> Chase:
        return chase.apply(state, fact)

    def expects(self, state: Chase) -> tuple[Expectation[Position], ...]:
        found = _EXPECTED.get(state.phase)
        return found(state) if found is not None else ()

    def due(self, state: Chase, context: Context) -> tuple[Fact, ...]:
        last = state.answers[-1][0] if state.answers else {}
        if state.phase == "looking" and last.get("catch") and last["yes"]:
            return (_outcome("seeker", "caught"),)
        if state.phase not in ("agreed", "looking") or state.due:
            return ()
        if state.phase == "looking" and state.position.turn == LAST_ROUND:
            return (Fact("walked", {"text": SAID["walked"], "params": {}}),)
        here = replace(state.position, turn=state.position.turn + (state.phase == "looking"))
        return (Fact("turn-opened", {"turn": here.turn, "movers": list(SEEKERS), "position": here.to_json()}),)

    def answer(self, state: Chase, context: Context, said: Json) -> tuple[Fact, ...]:
        kind, due = said["kind"], state.due
        if kind == "say":
            return self._said(state, said.get("yes"))
        if due is None or (kind == "stay") != (state.phase == "moving") or said.get("seat") not in (None, due):
            raise BadInput(f"it is not for {said.get('seat') or 'anybody'} to say that now")
        if kind == "stay":
            stays = next(play for play in judging.plays(state.position, PAWN_OF[due]) if not play.moves)
            where = {"turn": state.position.turn, "pick": len(state.picks) + 1, "mover": due}
            return (Fact("play", {**where, **stays.to_json(), "text": STAYED, "params": dict(stays.params)}),)
        if kind == "pass":
            return (Fact("passed", {"by": due, "text": SAID["pass"], "params": {"seat": SEAT_NAMES[due]}}),)
        site, catch = said.get("site"), said.get("catch", False)
        sites = beside(state.position.at(PAWN_OF[due]))
        if site not in sites or not isinstance(catch, bool) or (site in state.position.clues and not catch):
            raise BadInput(f"{due} looks at one of the circles {', '.join(sites)} without a clue, not at {site!r}")
        text = SAID["catch" if catch else "clue"]
        return (Fact("asked", {"by": due, "site": site, "catch": catch, "text": text, "params": {"site": site}}),)

    def _said(self, state: Chase, yes: object) -> tuple[Fact, ...]:
        asked = state.asked
        if asked is None or not isinstance(yes, bool):
            raise BadInput("nobody asked the hider anything now" if asked is None else "an answer is 'yes': true or false")
        laid = (asked["site"],) if yes and not asked["catch"] else ()
        target = replace(state.position, clues=tuple(sorted((*state.position.clues, *laid))))
        chores = [chore.to_json() for chore in judging.chores(target, state.position, set())]
        text = SAID[f"{'catch' if asked['catch'] else 'clue'}-{'yes' if yes else 'no'}"]
        return (Fact("answered", {**asked, "yes": yes, "text": text, "expected": target.to_json(), "chores": chores}),)

    def allowed(self, state: Chase, position: Position, character: str) -> Position:
        if state.phase != "moving" or PAWN_OF.get(state.due or "") != character:
            raise BadInput(f"the {NAMES.get(character, character)} pawn cannot have been moved now")
        return position

    def reset(self, state: Chase, position: Position) -> Position:
        return replace(position, turn=state.position.turn)

    def view(self, state: Chase, context: Context, seat: Role | None = None) -> Json:
        return {
            "places": len(state.steps),
            "answers": [{key: told[key] for key in ("site", "catch", "yes")} for told, *_ in state.answers],
        }

    def check(self, state: Chase, context: Context, fact: Fact) -> tuple[str, ...]:
        data, told = fact.data, len(state.steps) if state.phase == "hiding" else -1
        wrong = (
            (fact.kind == "asked" and (not state.due or data["site"] not in beside(state.position.at(PAWN_OF[state.due]))))
            or (fact.kind == "answered" and (not state.asked or data["site"] != state.asked["site"]))
            or (fact.kind == "clue-laid" and not data.get("accepted") and self.position(data["position"]) != state.target)
            or (fact.kind == "secret" and (state.lair if data["purpose"] == LAIR else told != state.position.turn - 1))
        )
        return (f"{fact.kind}: that could not be then",) if wrong else ()

    # --- what the hider keeps secret ------------------------------------------------------------------------------

    def may_tell(self, state: Chase, context: Context, seat: Role, purpose: Purpose) -> None:
        if state.phase != "hiding" or (state.lair if purpose.name == LAIR else len(state.steps) == state.position.turn):
            raise BadInput(f"the {purpose.name} cannot be told now")

    def may_be(self, state: Chase, seat: Role, purpose: Purpose, value: object, held: Held) -> None:
        possible = self._ways(state, purpose.name, held)
        if value not in possible:
            raise BadInput(f"{value!r} cannot be the {purpose.name}; there are: {', '.join(possible) or 'none'}")

    def _ways(self, state: Chase, purpose: str, held: Held | None) -> tuple[str, ...]:
        last = held.one(MOVE) if held is not None and purpose == MOVE else None
        return of_kind(CIRCLE) if last is None else ways_on(last, state.position.pawns)

    def private(self, state: Chase, context: Context, seat: Role, held: Held | None) -> Own | None:
        """The hider's lair and path, and where it may go on; one who seals picks among all circles, no path of his is known."""
        if seat != HIDER:
            return None
        lair = held.one(LAIR) if held is not None else None
        lines = (Line("Your lair is {place}.", {"place": lair}),) if lair else ()
        open_ones = {LAIR: "Choose your lair.", MOVE: "Where do you go?"} if state.phase == "hiding" else {}
        done = {LAIR: state.lair, MOVE: len(state.steps) == state.position.turn}
        tells = (
            Tell(purpose, text, tuple(Choice(site, place=site) for site in self._ways(state, purpose, held)))
            for purpose, text in open_ones.items()
            if not done[purpose]
        )
        return Own(lines, held.row(MOVE) if held is not None else (), tuple(tells))

    def by_secret(self, state: Chase, held: Held) -> Json:
        assert state.asked is not None
        row = held.row(MOVE)
        return {"kind": "say", "yes": state.asked["site"] in (row[-1:] if state.asked["catch"] else row)}

    def may_open(self, state: Chase, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        if state.phase not in ("walked", "over") or not set(values) <= set(of_kind(CIRCLE)):
            raise BadInput("the path is opened at the end, as circles")

    def verdict(self, state: Chase, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        """Once the lair is opened after the path: whether the hider is there."""
        home = state.opened.get(MOVE, ())[-1:] == tuple(values)
        return (_outcome(HIDER, "home") if home else _outcome("seeker", "away"),) if purpose.name == LAIR else ()

    def disproved(self, state: Chase, opened: Held) -> tuple[Disproof, ...]:
        row, found = opened.row(MOVE), []
        for (here, there), (number, pawns) in zip(pairwise(row), state.steps[1:], strict=False):
            if there not in ways_on(here, pawns):
                found.append(Disproof("jump", number, f"event {number}: nobody gets from {here} to {there} in one move"))
        for told, number, places in state.answers if row else ():
            if told["yes"] != (told["site"] in (row[places - 1 : places] if told["catch"] else row[:places])):
                found.append(Disproof("false-answer", number, f"event {number}: the answer about {told['site']} is false"))
        return tuple(found)


def _look(state: Chase) -> tuple[Expectation[Position], ...]:
    if state.due is None:
        return ()
    sites = beside(state.position.at(PAWN_OF[state.due]))
    looks = [(site, catch) for catch in (False, True) for site in sites]
    form: list[Json] = [{"kind": "look", "site": site, "catch": catch} for site, catch in looks]
    labels = [f"{'Catch' if catch else 'Clue'} at {site}" for site, catch in looks]
    text, params = "{seat}: where do you look?", {"seat": SEAT_NAMES[state.due]}
    return (Question("look", state.due, text, params, (*form, {"kind": "pass"}), (*labels, "Nowhere")), RESTING)


def _asked(state: Chase) -> tuple[Expectation[Position], ...]:
    asked = state.asked or {}
    both = ({"kind": "say", "yes": True}, {"kind": "say", "yes": False})
    return (Question("asked", HIDER, asked["text"], asked["params"], both, ("Yes", "No"), purpose=MOVE, certain=True), RESTING)


def _clue(state: Chase) -> tuple[Expectation[Position], ...]:
    return (Arrangement(state.target, "clue-laid", touched=(f"clue:{state.answers[-1][0]['site']}",)),) if state.target else ()


def _over(state: Chase) -> tuple[Expectation[Position], ...]:
    told = state.outcome or {}
    return (Over(Outcome(told["winner"], told["code"], told["text"], told["params"])),)


RESTING = Change(None, 0)
_EXPECTED: Mapping[str, Callable[[Chase], tuple[Expectation[Position], ...]]] = {
    "set-up": lambda state: (Arrangement(state.position, "table-agreed", start=True),),
    "hiding": lambda state: (RESTING,),
    "moving": lambda state: (Change(state.due, len(SEEKERS) - len(state.picks)),),
    "looking": _look,
    "asked": _asked,
    "clue": _clue,
    "walked": lambda state: (Opening(HIDER, LAIR if MOVE in state.opened else MOVE), RESTING),
    "over": _over,
}


def _outcome(winner: Role, code: str) -> Fact:
    return Fact("outcome", {"winner": winner, "code": code, "message": SAID[code], "text": SAID[code], "params": {}})


GAME = HideAndSeek()
