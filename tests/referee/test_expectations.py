"""The referee sees to what a game expects, whatever its procedure: Mr. Jack's, and one without call, cards and tidying."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import pytest
from random_game import legal_play
from scripted_table import GAME, Hands, settled_hands

from companion.errors import BadInput, InvalidRecord
from companion.games.expectations import (
    Arrangement,
    Change,
    Context,
    Disproof,
    Draw,
    Expectation,
    Fact,
    Over,
    Pick,
    Question,
)
from companion.games.game import Json, Outcome, lacking
from companion.games.mr_jack_london import MrJackLondon
from companion.record.events import Event
from companion.referee.audit import audit
from companion.referee.match import Match, apply, fold
from companion.referee.view import view


def kinds(match: Match) -> list[type]:
    return [type(one) for one in match.expects]


def play_a_turn(hands: Hands) -> None:
    for _ in range(4):
        moved = sorted(hands.game.candidates(hands.match.position))[0]
        play = next(one for one in hands.game.plays(hands.match.position, moved, mover=hands.match.mover) if one.ends is None)
        hands.lay(play.position)
        hands.see()
        if hands.match.doubt is not None:
            hands.say(kind="choose", alternative=0)


def test_a_turn_of_mr_jack_is_told_in_expectations() -> None:
    hands = Hands.at_start()
    (laid,) = hands.match.expects
    assert isinstance(laid, Arrangement) and laid.start and laid.target == GAME.start() and laid.reached == "table-agreed"
    hands.see()
    assert hands.match.expects == (Change("detective", 4), Draw(GAME.characters, 4))
    hands.say(kind="cards", characters=["holmes", "watson", "smith", "gull"])
    assert hands.match.expects == (Change("detective", 4),), "cards that were told are not drawn again"
    play_a_turn(hands)
    asked, last = hands.match.expects
    assert isinstance(asked, Question) and (asked.id, asked.seat, asked.certain) == ("call", "jack", True)
    assert asked.form == ({"kind": "call", "seen": True}, {"kind": "call", "seen": False})
    assert last == Change(None, 0), "the last play may still be told otherwise, and nobody may begin a new one"
    hands.say(kind="call", seen=True)
    (tidy,) = hands.match.expects
    assert isinstance(tidy, Arrangement) and not tidy.start and tidy.touched == hands.match.duties and tidy.seats[0] == "jack"
    hands.lay(tidy.target)
    hands.see()
    assert kinds(hands.match)[0] is Change and hands.match.mover == "jack"


def test_every_listed_answer_to_an_open_question_is_taken() -> None:
    hands = settled_hands()
    play_a_turn(hands)
    before = hands.match
    assert before.asked is not None
    for said in before.asked.form:
        again = replace(hands, match=before, events=list(hands.events))
        assert "call" in again.say(**said)


def test_folding_a_fact_changes_nothing_but_its_result() -> None:
    hands = settled_hands()
    before = hands.match.state
    play = hands.game.plays(hands.match.position, "holmes", mover="detective")[0]
    data = {**play.to_json(), "mover": "detective"}
    once, twice = (GAME.apply(before, Fact("play", data, 7)) for _ in range(2))
    assert once == twice != before and before == hands.match.state and before.picks == ()
    assert GAME.apply(before, Fact("notice", {"code": "x"}, 7)) is before, "what does not concern the game leaves it as it is"


# --- a game of another kind: after each play the other seat is asked for the colour of a hat, and two plays end it --------


@dataclass(frozen=True)
class Hats:
    phase: str = "nothing"
    position: Any = None
    picks: tuple[Pick[Any], ...] = ()
    hats: tuple[bool, ...] = ()
    outcome: Json | None = None


class AskingForHats(MrJackLondon):
    """London's pieces and walks under a procedure that shares nothing with its own."""

    id: str = GAME.id
    events: Mapping[str, bool] = MappingProxyType({"hat-asked": False, "hat": True})
    answers: tuple[str, ...] = ("hat", "undo", "accept", "rule")
    no_undo: str = "there is nothing to take back"

    def begin(self) -> Any:
        return Hats()

    def hindsight(self, past: Any, state: Any) -> Any:
        return past

    def apply(self, state: Any, fact: Fact) -> Any:
        data = fact.data
        if fact.kind == "match-opened":
            return replace(state, phase="laying", position=self.position(data["position"]))
        if fact.kind == "table-agreed":
            return replace(state, phase="moving", position=self.position(data["position"]))
        if fact.kind == "play":
            pick = Pick(fact.number, data["character"], data["mover"], state.position, data)
            return replace(state, position=self.position(data["position"]), picks=(*state.picks, pick))
        if fact.kind == "undo":
            return replace(state, phase="moving", position=state.picks[-1].before, picks=state.picks[:-1])
        later = {
            "hat-asked": lambda: replace(state, phase="hat"),
            "hat": lambda: replace(state, phase="moving", hats=(*state.hats, data["black"])),
            "outcome": lambda: replace(state, phase="end", outcome=data),
        }
        return later[fact.kind]() if fact.kind in later else state

    def expects(self, state: Any) -> tuple[Expectation[Any], ...]:
        if state.phase == "laying":
            return (Arrangement(state.position, "table-agreed", start=True),)
        if state.phase == "moving":
            return (Change("detective" if len(state.picks) % 2 == 0 else "jack", 2 - len(state.picks)),)
        if state.phase == "hat":
            form = ({"kind": "hat", "black": True}, {"kind": "hat", "black": False})
            return (Question("hat", "jack", "Is your hat black?", form=form), Change(None, 0))
        return (Over(Outcome("jack", "hats", "All hats are known.")),) if state.phase == "end" else ()

    def due(self, state: Any, context: Context) -> tuple[Fact, ...]:
        if state.phase == "moving" and len(state.picks) > len(state.hats):
            return (Fact("hat-asked", {"text": "Is your hat black?"}),)
        if state.phase == "moving" and len(state.hats) == 2:
            return (Fact("outcome", {"winner": "jack", "code": "hats", "message": "", "text": "", "params": {}}),)
        return ()

    def early(self, state: Any) -> Iterator[Any]:
        return iter(())

    def noted(self, state: Any) -> Json:
        return {}

    def answer(self, state: Any, context: Context, said: Json) -> tuple[Fact, ...]:
        if state.phase != "hat" or not isinstance(said.get("black"), bool):
            raise BadInput("nobody asked for a hat now")
        return (Fact("hat", {"black": said["black"]}),)

    def draws(self, before: Any, after: Any, character: str) -> bool:
        return False

    def drawn(self, state: Any, context: Context, chosen: Sequence[str]) -> tuple[Fact, ...]:
        raise BadInput("nothing is drawn in this game")

    def view(self, state: Any, context: Context, seat: str | None = None) -> Json:
        return {"hats": list(state.hats)}

    def check(self, state: Any, context: Context, fact: Fact) -> tuple[str, ...]:
        return ("a hat that nobody asked for",) if fact.kind == "hat" and state.phase != "hat" else ()

    def disproved(self, state: Any, secret: str) -> tuple[Disproof, ...]:
        return ()

    def remarks(self, context: Context, facts: Iterable[Fact]) -> tuple[str, ...]:
        return ()


HATS: Any = AskingForHats()


def move(hands: Hands, name: str) -> list[str]:
    plays = hands.game.plays(hands.match.position, name, mover=hands.match.mover, rules=hands.match.rules)
    hands.lay(next(play.position for play in plays if play.ends is None))
    return hands.see()


def test_a_game_with_another_procedure_is_refereed_from_its_expectations_alone() -> None:
    hands = Hands.at_start(game=HATS)
    assert hands.match.phase == "laying" and hands.see() == ["table-agreed"]
    assert hands.match.mover == "detective" and view(hands.match)["hats"] == [] and "witness" not in view(hands.match)
    assert move(hands, "smith") == ["play", "hat-asked"] and hands.match.question == {
        "kind": "hat",
        "text": "Is your hat black?",
    }
    with pytest.raises(BadInput, match="there are: hat, undo, accept, rule"):
        hands.say(kind="call", seen=True)
    assert hands.say(kind="undo") == ["undo", "flag"] and hands.match.picks == ()
    hands.lay(hands.match.position)
    hands.see()
    assert move(hands, "smith") == ["play", "hat-asked"]
    hands.move("gull", "f10")
    assert "flag" in hands.see(), "while a question is open nobody may begin a play"
    hands.lay(hands.match.position)
    assert hands.see() == ["flag-cleared"]
    assert hands.say(kind="hat", black=True) == ["hat"] and hands.match.mover == "jack"
    hands.move("gull", None)
    assert hands.see() == ["unfinished"], "one lifted disc waits"
    hands.lay(hands.match.position)
    hands.see()
    assert move(hands, "gull")[-2:] == ["play", "hat-asked"]
    assert hands.say(kind="hat", black=False) == ["hat", "outcome"] and hands.match.over
    assert view(hands.match)["hats"] == [True, False] and fold(HATS, hands.events) == hands.match
    assert audit(HATS, hands.events)[1] == []


def test_an_event_of_another_game_is_refused_and_its_own_check_is_heard() -> None:
    hands = Hands.at_start(game=HATS)
    hands.see()
    with pytest.raises(InvalidRecord, match="'call-asked' is not known"):
        apply(hands.match, Event(9, 0.0, "call-asked", {"text": ""}, ""))
    forged = [*hands.events, Event(len(hands.events) + 1, 0.0, "hat", {"black": True}, "")]
    assert [one.text for one in audit(HATS, forged)[1]] == ["event 3: a hat that nobody asked for"]


def test_nothing_is_drawn_where_a_game_does_not_draw() -> None:
    hands = Hands.at_start(game=HATS)
    hands.see()
    assert hands.match.draw is None and legal_play(hands.match, random.Random(1)) is not None


def test_every_expectation_of_the_shipped_games_names_a_seat_that_there_is() -> None:
    hands = settled_hands()
    play_a_turn(hands)
    said = [one for past in (*hands.match.past, hands.match) for one in past.expects]
    seats = {one.seat for one in said if isinstance(one, Change | Question)}
    assert seats - {None} <= set(GAME.seats)


def test_a_game_that_lacks_an_answer_is_named_with_what_it_lacks() -> None:
    class Half:
        id, name = "half", "Half"

    missing = lacking(Half())
    assert {"apply", "expects", "board", "answers"} <= set(missing) and "id" not in missing
    assert lacking(GAME) == lacking(HATS) == ()
