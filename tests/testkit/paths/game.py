"""Hide and seek: every round the hider walks in secret, both pawns move, and each seeker looks at a circle beside its pawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.errors import BadInput
from companion.games.base import GENERAL_ANSWERS
from companion.games.expectations import Arrangement, Change, Context, Disproof, Expectation, Fact, Opening, Question
from companion.games.laid import Laid, LaidGame
from companion.games.rounds import AGREED, PLAYING, RESTING, Mark, RoundState, ended, played, said_yes, turn_opened, yes_or_no
from companion.games.seats import AnswerKind, Held, Line, Purpose
from companion.games.values import Fault, Json, Play, Role
from testkit.paths import judging
from testkit.paths.judging import NAMES, PAWN_OF, SEEKERS, pawns_of
from testkit.paths.streets import CIRCLE, CLUES, ID, PAWNS, beside, of_kind, ways_on

HIDER, LAIR, MOVE, LAST_ROUND = "hider", "lair", "move", 3
SEAT_NAMES = {"seeker": "The red seeker", "seeker-2": "The blue seeker"}
SAID = {
    "pass": "{seat} looks nowhere.", "walked": "The hider has walked long enough and shows the path.",
    "clue": "Hider: have you been at {site}?", "catch": "Hider: are you at {site} now?",
    "clue-yes": "There is a clue at {site}.", "clue-no": "There is no clue at {site}.",
    "catch-yes": "The hider is found at {site}.", "catch-no": "The hider is not at {site}.",
    "caught": "The hider was found.", "home": "The hider is home.", "away": "The hider is not in the lair.",
}  # fmt: skip


@dataclass(frozen=True)
class Chase(RoundState):
    """``looked``: the seekers who have looked in this round; ``walked``: whether the last round is over."""

    looked: tuple[Role, ...] = ()
    walked: bool = False

    @property
    def phase(self) -> str:
        if self.stage != PLAYING:
            return self.stage
        if self.walked or self.target is not None:
            return "walked" if self.walked else "clue"
        if self.untold:
            return "hiding"
        return "looking" if self.looked or len(self.picks) == len(SEEKERS) else "moving"

    @property
    def steps(self) -> tuple[Mark, ...]:
        """The events of the secret path."""
        return self.told(HIDER, MOVE)

    @property
    def untold(self) -> tuple[str, ...]:
        """What the hider has still to tell in this round."""
        missing = {LAIR: not self.told(HIDER, LAIR), MOVE: len(self.steps) < self.position.turn}
        return tuple(purpose for purpose, lacking in missing.items() if lacking)

    @property
    def due(self) -> Role | None:
        """The seeker who moves or looks now."""
        done = {"moving": tuple(pick.mover for pick in self.picks), "looking": self.looked}.get(self.phase, SEEKERS)
        return next((seat for seat in SEEKERS if seat not in done), None)


class HideAndSeek(LaidGame[Chase]):
    """The rules of hide and seek."""

    id, name, characters, first, chores = ID, "Hide and seek", PAWNS, Chase(), judging.CHORES
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

    # --- plays ----------------------------------------------------------------------------------------------------

    def players(self, rules: Json) -> tuple[Role, ...]:
        return SEEKERS

    def seat_of(self, piece: str) -> Role | None:
        return next((seat for seat, pawn in PAWN_OF.items() if pawn == piece), None)

    def ways(self, here: Laid, piece: str) -> Iterable[Play]:
        return judging.ways(here, piece)

    def faults(self, before: Laid, after: Laid, mover: Role | None) -> Iterable[Fault]:
        return judging.faults(before, after, PAWN_OF[mover or SEEKERS[0]])

    def words(self, subject: str) -> Json:
        return {"pawn": NAMES.get(subject, "")}

    # --- the procedure --------------------------------------------------------------------------------------------

    def fold(self, state: Chase, fact: Fact) -> Chase:
        data = fact.data
        if fact.kind == "turn-opened":
            return replace(state, looked=())
        if fact.kind in ("passed", "answered"):
            target = self.position(data["expected"]) if data.get("yes") and not data["catch"] else None
            return replace(state, target=target, picks=(), looked=(*state.looked, data["by"]))
        if fact.kind == "clue-laid":
            return replace(state, position=self.position(data["position"], tolerant=True), target=None)
        return replace(state, walked=True) if fact.kind == "walked" else state

    def steps(self, state: Chase) -> tuple[Expectation[Laid], ...]:
        if state.phase == "moving":
            return (Change(state.due, len(SEEKERS) - len(state.picks)),)
        if state.phase == "looking" and state.due is not None:
            return (_look(state, state.due), RESTING)
        if state.asked is not None:
            return (yes_or_no("asked", HIDER, state.asked, MOVE, certain=True), RESTING)
        if state.target is not None:
            return (Arrangement(state.target, "clue-laid", touched=(f"clue:{state.replies[-1].data['site']}",)),)
        if state.phase == "walked":
            return (Opening(HIDER, LAIR if (HIDER, MOVE) in state.opened else MOVE), RESTING)
        return (RESTING,) if state.phase == "hiding" else ()

    def due(self, state: Chase, context: Context) -> tuple[Fact, ...]:
        last = state.replies[-1].data if state.replies else {}
        if state.phase == "looking" and last.get("catch") and last["yes"]:
            return (ended("seeker", "caught", SAID["caught"]),)
        if state.phase not in (AGREED, "looking") or state.due:
            return ()
        if state.phase == "looking" and state.position.turn == LAST_ROUND:
            return (Fact("walked", {"text": SAID["walked"], "params": {}}),)
        return (turn_opened(replace(state.position, turn=state.position.turn + (state.phase == "looking")), SEEKERS),)

    def answer(self, state: Chase, context: Context, said: Json) -> tuple[Fact, ...]:
        kind, due = said["kind"], state.due
        if kind == "say":
            return self._said(state, yes=said_yes(state, said, HIDER))
        if due is None or (kind == "stay") != (state.phase == "moving") or said.get("seat") not in (None, due):
            raise BadInput(f"it is not for {said.get('seat') or 'anybody'} to say that now")
        if kind == "stay":
            stays = next(play for play in judging.ways(state.position, PAWN_OF[due]) if not play.moves)
            return (played(state, stays, due),)
        if kind == "pass":
            return (Fact("passed", {"by": due, "text": SAID["pass"], "params": {"seat": SEAT_NAMES[due]}}),)
        site, catch = said.get("site"), said.get("catch", False)
        sites = beside(state.position.site(PAWN_OF[due]))
        if site not in sites or not isinstance(catch, bool) or (site in state.position.sites(CLUES) and not catch):
            raise BadInput(f"{due} looks at one of the circles {', '.join(sites)} without a clue, not at {site!r}")
        text = SAID["catch" if catch else "clue"]
        return (Fact("asked", {"by": due, "site": site, "catch": catch, "text": text, "params": {"site": site}}),)

    def _said(self, state: Chase, *, yes: bool) -> tuple[Fact, ...]:
        asked, target = state.asked or {}, state.position
        if yes and not asked["catch"]:
            target = target.lay(CLUES, asked["site"], "clue")
        text = SAID[f"{'catch' if asked['catch'] else 'clue'}-{'yes' if yes else 'no'}"]
        told = {**asked, "yes": yes, "text": text, "expected": target.to_json()}
        return (Fact("answered", {**told, "chores": self.todo(target, state.position)}),)

    def allowed(self, state: Chase, position: Laid, character: str) -> Laid:
        if state.due is None or PAWN_OF[state.due] != character:
            raise BadInput(f"the {NAMES.get(character, character)} pawn cannot have been moved now")
        return super().allowed(state, position, character)

    def view(self, state: Chase, context: Context, seat: Role | None = None) -> Json:
        answers = [{key: told.data[key] for key in ("site", "catch", "yes")} for told in state.replies]
        return {"places": len(state.steps), "answers": answers}

    def check(self, state: Chase, context: Context, fact: Fact) -> tuple[str, ...]:
        if fact.kind == "asked":
            pawn = PAWN_OF.get(state.due or "", "")
            return () if fact.data["site"] in beside(state.position.site(pawn)) else ("asked: that could not be then",)
        return super().check(state, context, fact)

    # --- what the hider keeps secret ------------------------------------------------------------------------------

    def tells(self, state: Chase, seat: Role) -> Mapping[str, str]:
        asked = {LAIR: "Choose your lair.", MOVE: "Where do you go?"}
        return {one: asked[one] for one in state.untold} if seat == HIDER and state.phase == "hiding" else {}

    def possible(self, state: Chase, seat: Role, purpose: str, held: Held | None) -> tuple[str, ...]:
        """One who seals picks among all circles: no path of his is known."""
        last = held.one(MOVE) if held is not None and purpose == MOVE else None
        return of_kind(CIRCLE) if last is None else ways_on(last, pawns_of(state.position))

    def lines(self, state: Chase, seat: Role, held: Held) -> tuple[Line, ...]:
        lair = held.one(LAIR)
        return (Line("Your lair is {place}.", {"place": lair}),) if lair else ()

    def by_secret(self, state: Chase, held: Held) -> Json:
        asked, row = state.asked or {}, held.row(MOVE)
        return {"kind": "say", "yes": asked["site"] in (row[-1:] if asked["catch"] else row)}

    def may_open(self, state: Chase, context: Context, seat: Role, purpose: Purpose, values: Sequence[object]) -> None:
        if state.phase not in ("walked", "over") or not set(values) <= set(of_kind(CIRCLE)):
            raise BadInput("the path is opened at the end, as circles")

    def verdict(self, state: Chase, seat: Role, purpose: Purpose, values: Sequence[str]) -> tuple[Fact, ...]:
        """Once the lair is opened after the path: whether the hider is there."""
        if purpose.name != LAIR:
            return ()
        home = state.opened.get((HIDER, MOVE), ())[-1:] == tuple(values)
        return (ended(HIDER, "home", SAID["home"]) if home else ended("seeker", "away", SAID["away"]),)

    def disproved(self, state: Chase, opened: Held) -> tuple[Disproof, ...]:
        row, found = opened.row(MOVE), []
        for (here, there), step in zip(pairwise(row), state.steps[1:], strict=False):
            if there not in ways_on(here, pawns_of(step.position)):
                why = f"event {step.number}: nobody gets from {here} to {there} in one move"
                found.append(Disproof("jump", step.number, why))
        for told in state.replies if row else ():
            been = row[: sum(step.number < told.number for step in state.steps)]
            if told.data["yes"] != (told.data["site"] in (been[-1:] if told.data["catch"] else been)):
                why = f"event {told.number}: the answer about {told.data['site']} is false"
                found.append(Disproof("false-answer", told.number, why))
        return tuple(found)


def _look(state: Chase, due: Role) -> Question:
    looks = [(site, catch) for catch in (False, True) for site in beside(state.position.site(PAWN_OF[due]))]
    form: list[Json] = [{"kind": "look", "site": site, "catch": catch} for site, catch in looks]
    labels = [f"{'Catch' if catch else 'Clue'} at {site}" for site, catch in looks]
    params = {"seat": SEAT_NAMES[due]}
    return Question("look", due, "{seat}: where do you look?", params, (*form, {"kind": "pass"}), (*labels, "Nowhere"))


GAME = HideAndSeek()
