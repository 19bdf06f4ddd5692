"""Hide and seek behind the port that every game answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from testkit.paths import judging, procedure, streets
from testkit.paths.judging import NAMES, PAWN_OF, SEAT_OF, SEEKERS, STAYED
from testkit.paths.procedure import CIRCLES, HIDER, LAIR, MOVE, ROUNDS, Chase
from testkit.paths.streets import EDITION, ID, PAWNS, Position, ways_on

from companion.boards import Board, PieceSet
from companion.errors import BadInput, IllegalPlay
from companion.games.expectations import Arrangement, Change, Context, Disproof, Expectation, Fact, Opening, Over, Question
from companion.games.game import Chore, Explanation, Fault, HouseRule, Json, Outcome, Play, Role, Rules
from companion.games.layouts import completed
from companion.games.seats import AnswerKind, Choice, Held, Line, Own, Purpose, Tell

LOOK, PASSED = "{seat} looks at the circle {site}.", "{seat} looks nowhere."
CLUE, CATCH = "Hider: have you been at {site}?", "Hider: are you at {site} now?"
TOLD = {
    (False, True): "There is a clue at {site}.", (False, False): "There is no clue at {site}.",
    (True, True): "The hider is found at {site}.", (True, False): "The hider is not at {site}.",
}  # fmt: skip
CAUGHT, HOME, AWAY = "The hider was found.", "The hider is home.", "The hider is not in the lair."


class HideAndSeek:
    """The rules of hide and seek."""

    id, name = ID, "Hide and seek"
    seats: tuple[Role, ...] = (HIDER, *SEEKERS)
    characters: tuple[str, ...] = PAWNS
    house_rules: tuple[HouseRule, ...] = ()
    events: Mapping[str, bool] = procedure.EVENTS
    answers: tuple[str, ...] = (
        "look", "pass", "stay", "say", "guide", "choose", "correct", "undo", "accept", "rule", "clock", "entrust", "seal", "reveal",
    )  # fmt: skip
    answer_kinds: tuple[AnswerKind, ...] = (
        AnswerKind("look", frozenset({"site", "catch"}), SEEKERS, signed=True),
        AnswerKind("pass", frozenset(), SEEKERS, signed=True),
        AnswerKind("stay", frozenset(), SEEKERS, signed=True),
        AnswerKind("say", frozenset({"yes"}), (HIDER,)),
    )
    purposes: tuple[Purpose, ...] = (Purpose(LAIR, HIDER), Purpose(MOVE, HIDER, row=True))
    no_undo: str = "no pawn was moved in this round, or somebody looked since"
    snapshot_order: tuple[str, ...] = ()

    # --- positions ------------------------------------------------------------------------------------------------

    def editions(self) -> tuple[str, ...]:
        return (EDITION,)

    def board(self, edition: str) -> Board:
        return streets.board()

    def pieces(self) -> PieceSet:
        return streets.pieces()

    def start(self, edition: str | None = None) -> Position:
        return self.position(streets.board().start)

    def position(self, data: Json, *, tolerant: bool = False) -> Position:
        return streets.position(data, tolerant=tolerant)

    def parse(self, notation: str, *, tolerant: bool = False) -> Position:
        return self.position(streets.parse(notation), tolerant=tolerant)

    def complete(self, before: Position, state: Json, unknown: tuple[str, ...] = ()) -> Position:
        return self.position(completed(before.to_json(), state, unknown, self.pieces()), tolerant=True)

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
            raise IllegalPlay(f"{NAMES[character]} is not moved by {mover}")
        return judging.plays(position, character)

    def explain(
        self, before: Position, after: Position, *, plays: int = 1, mover: Role | None = None, rules: Json | None = None
    ) -> Explanation:
        return judging.explain(before, after, plays, mover)

    def begun(
        self, before: Position, after: Position, *, mover: Role | None = None, rules: Json | None = None
    ) -> tuple[Fault, ...]:
        return ()

    def draws(self, before: Position, after: Position, character: str) -> bool:
        return False

    def deduce(self, position: Position) -> Json:
        return {}

    # --- the procedure --------------------------------------------------------------------------------------------

    def begin(self) -> Chase:
        return Chase()

    def apply(self, state: Chase, fact: Fact) -> Chase:
        return procedure.apply(state, fact)

    def seats_in(self, state: Chase) -> tuple[Role, ...]:
        return self.seats

    def expects(self, state: Chase) -> tuple[Expectation[Position], ...]:
        resting = Change(None, 0)
        match state.phase:
            case "set-up":
                return (Arrangement(state.position, "table-agreed", start=True),)
            case "hiding":
                return (resting,)
            case "moving":
                return (Change(SEEKERS[len(state.picks)], len(SEEKERS) - len(state.picks)),)
            case "looking" if state.seeker is not None:
                return (self._look(state, state.seeker), resting)
            case "asked" if state.question is not None:
                form: tuple[Json, ...] = ({"kind": "say", "yes": True}, {"kind": "say", "yes": False})
                said = state.question
                asked = Question("asked", HIDER, said["text"], said["params"], form, purpose=MOVE, certain=True, labels=("Yes", "No"))
                return (asked, resting)
            case "clue" if state.target is not None:
                site = (set(state.target.clues) - set(state.position.clues)).pop()
                return (Arrangement(state.target, "clue-laid", touched=(f"clue:{site}",)),)
            case "walked":
                return (Opening(HIDER, LAIR if MOVE in state.opened else MOVE), resting)
            case "over" if state.outcome is not None:
                told = state.outcome
                return (Over(Outcome(told["winner"], told["code"], told["text"], told["params"])),)
        return ()

    def _look(self, state: Chase, seat: Role) -> Question:
        form: list[Json] = [{"kind": "look", "site": site, "catch": catch} for catch in (False, True) for site in state.sites(seat)]
        labels = [f"{'Catch' if one['catch'] else 'Clue'} at {one['site']}" for one in form]
        text = "{seat}: where do you look?"
        return Question("look", seat, text, {"seat": seat}, (*form, {"kind": "pass"}), labels=(*labels, "Nowhere"))

    def due(self, state: Chase, context: Context) -> tuple[Fact, ...]:
        if state.caught and state.phase == "looking":
            return (_outcome("seeker", "caught", CAUGHT),)
        if state.phase == "agreed":
            return (_opened(state.position),)
        if state.phase == "looking" and state.seeker is None:
            if state.position.turn < ROUNDS:
                return (_opened(replace(state.position, turn=state.position.turn + 1)),)
            return (Fact("walked", {"text": "The hider shows the path.", "params": {}}),)
        return ()

    def noted(self, state: Chase) -> Json:
        return {}

    def early(self, state: Chase) -> Iterator[Position]:
        return iter(())

    def answer(self, state: Chase, context: Context, said: Json) -> tuple[Fact, ...]:
        if said["kind"] == "say":
            return self._said(state, said)
        due = (state.seeker if said["kind"] != "stay" else None) or (
            SEEKERS[len(state.picks)] if said["kind"] == "stay" and state.phase == "moving" else None
        )
        if due is None or said.get("seat") not in (None, due):
            raise BadInput(f"it is not for {said.get('seat') or 'anybody'} to say that now")
        if said["kind"] == "stay":
            pawn = PAWN_OF[due]
            stays = next(play for play in judging.plays(state.position, pawn) if not play.moves)
            data = {**stays.to_json(), "turn": state.position.turn, "pick": len(state.picks) + 1, "mover": due}
            return (Fact("play", {**data, "text": STAYED, "params": dict(stays.params)}),)
        if said["kind"] == "pass":
            return (Fact("passed", {"by": due, "text": PASSED, "params": {"seat": due}}),)
        site, catch = said.get("site"), said.get("catch", False)
        if site not in state.sites(due) or not isinstance(catch, bool):
            raise BadInput(f"{due} looks at one of the circles {', '.join(state.sites(due))}, not at {site!r}")
        if not catch and site in state.position.clues:
            raise BadInput(f"there is a clue at {site} already")
        return (Fact("asked", {"by": due, "site": site, "catch": catch, "text": CATCH if catch else CLUE, "params": {"site": site}}),)

    def _said(self, state: Chase, said: Json) -> tuple[Fact, ...]:
        asked, yes = state.question, said.get("yes")
        if asked is None or not isinstance(yes, bool):
            raise BadInput("nobody asked the hider anything now" if asked is None else "an answer is 'yes': true or false")
        clue = yes and not asked["catch"]
        target = replace(state.position, clues=tuple(sorted((*state.position.clues, asked["site"])))) if clue else state.position
        chores = judging.chores(target, state.position, set())
        data = {**asked, "yes": yes, "expected": target.to_json(), "chores": [chore.to_json() for chore in chores]}
        return (Fact("answered", {**data, "text": TOLD[asked["catch"], yes]}),)

    def drawn(self, state: Chase, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
        raise BadInput("nothing is drawn in this game")

    def allowed(self, state: Chase, position: Position, character: str) -> Position:
        if state.phase != "moving" or SEAT_OF[character] != SEEKERS[len(state.picks)]:
            raise BadInput(f"{NAMES[character]} cannot have been moved now")
        return position

    def reset(self, state: Chase, position: Position) -> Position:
        return replace(position, turn=state.position.turn)

    def view(self, state: Chase, context: Context, seat: Role | None = None) -> Json:
        asked = [{"site": one.site, "catch": one.catch, "yes": one.yes} for one in state.answers]
        return {"places": len(state.steps), "answers": asked}

    def check(self, state: Chase, context: Context, fact: Fact) -> tuple[str, ...]:
        wrong = {
            "asked": lambda: state.seeker is None or fact.data["site"] not in state.sites(state.seeker),
            "answered": lambda: state.question is None or fact.data["site"] != state.question["site"],
            "clue-laid": lambda: not fact.data.get("accepted") and self.position(fact.data["position"]) != state.target,
            "secret": lambda: state.phase != "hiding" or (fact.data["purpose"] == MOVE and len(state.steps) == state.position.turn),
        }
        return (f"{fact.kind} that could not be then",) if fact.kind in wrong and wrong[fact.kind]() else ()

    # --- what the hider keeps secret ------------------------------------------------------------------------------

    def may_tell(self, state: Chase, context: Context, seat: Role, purpose: str) -> None:
        told = state.lair if purpose == LAIR else len(state.steps) == state.position.turn
        if state.phase != "hiding" or told:
            raise BadInput("that cannot be told now")

    def may_be(self, state: Chase, seat: Role, purpose: str, value: object, held: Held) -> None:
        last = held.one(MOVE) if purpose == MOVE else None
        possible = ways_on(last, state.position.pawns.values()) if last is not None else CIRCLES
        if value not in possible:
            raise BadInput(f"{value!r} cannot be it; there are: {', '.join(possible) or 'none'}")

    def may_tell_anew(self, context: Context) -> None:
        raise BadInput("the hider's path stays as it was told")

    def may_go_back(self, context: Context) -> None:
        if context.opened is not None:
            raise BadInput("the hider's path was opened; the game cannot be taken back any more")

    def private(self, state: Chase, context: Context, seat: Role, held: Held | None) -> Own | None:
        """The hider's lair and path, and where it may go on; who seals picks among all circles, the companion knows no path."""
        if seat != HIDER:
            return None
        lair, last = (held.one(LAIR), held.one(MOVE)) if held is not None else (None, None)
        lines = (Line("Your lair is {place}.", {"place": lair}),) if lair else ()
        tells = []
        if state.phase == "hiding" and not state.lair:
            tells.append(Tell(LAIR, "Choose your lair.", tuple(Choice(site, place=site) for site in CIRCLES)))
        if state.phase == "hiding" and len(state.steps) < state.position.turn:
            ways = ways_on(last, state.position.pawns.values()) if last else CIRCLES
            tells.append(Tell(MOVE, "Where do you go?", tuple(Choice(site, place=site) for site in ways)))
        return Own(lines, held.row(MOVE) if held is not None else (), tuple(tells))

    def by_secret(self, state: Chase, held: Held) -> Json:
        assert state.question is not None
        site, row = state.question["site"], held.row(MOVE)
        return {"kind": "say", "yes": row[-1:] == (site,) if state.question["catch"] else site in row}

    def may_open(self, state: Chase, context: Context, seat: Role, purpose: str, values: Sequence[str]) -> None:
        if not set(values) <= set(CIRCLES) or len(values) != (1 if purpose == LAIR else len(state.steps)):
            raise BadInput("what is opened is one circle for every one that was told")

    def verdict(self, state: Chase, seat: Role, purpose: str, values: Sequence[str]) -> tuple[Fact, ...]:
        if state.phase != "walked" or purpose != LAIR:
            return ()
        home = state.opened[MOVE][-1] == values[0]
        return (_outcome(HIDER, "home", HOME) if home else _outcome("seeker", "away", AWAY),)

    def disproved(self, state: Chase, held: Held) -> tuple[Disproof, ...]:
        row, found = held.row(MOVE), []
        for (here, there), step in zip(pairwise(row), state.steps[1:], strict=False):
            if there not in ways_on(here, step.pawns):
                found.append(Disproof("jump", step.number, f"event {step.number}: nobody goes from {here} to {there} in one move"))
        for told in state.answers if row else ():
            path = row[: told.places]
            if told.yes != (told.site == path[-1] if told.catch else told.site in path):
                found.append(Disproof("false-answer", told.number, f"event {told.number}: the answer about {told.site} is false"))
        return tuple(found)

    def remarks(self, context: Context, facts: Iterable[Fact]) -> tuple[str, ...]:
        return ()


def _opened(position: Position) -> Fact:
    return Fact("turn-opened", {"turn": position.turn, "movers": list(SEEKERS), "position": position.to_json()})


def _outcome(winner: Role, code: str, text: str) -> Fact:
    return Fact("outcome", {"winner": winner, "code": code, "message": text, "text": text, "params": {}})


GAME: Any = HideAndSeek()
if TYPE_CHECKING:
    _ANSWERS: Rules[Position, Chase] = HideAndSeek()  # all of the port, with this game's own types
