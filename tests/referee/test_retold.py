"""A play that was explained wrongly is explained anew from the alternatives on record; nothing is edited, the head moves."""

from typing import Any

import pytest
from scripted_table import GAME, Hands, settled_hands

from companion.errors import BadInput
from companion.games.game import Play
from companion.referee.audit import audit
from companion.referee.match import Draft, fold
from companion.referee.plays import Story, alternative


def played(before: Any, *names: str) -> tuple[Play, ...]:
    """Plays in this order that leave Stealthy on k7 and Bert on k9, a cover moved from c2 to h6."""
    plays: list[Play] = []
    goals = {"stealthy": "k7", "bert": "k9"}
    for name in names:
        position = plays[-1].position if plays else before
        legal = GAME.plays(position, name, mover=("detective", "jack")[len(plays)])
        covers = {"h6", "l12"} if name == "bert" else set(position.covers)
        plays.append(next(one for one in legal if one.position.hex(name) == goals[name] and set(one.position.covers) == covers))
    return tuple(plays)


def chosen_wrongly() -> Hands:
    """Two plays seen at once can be told in either order, and somebody chose the wrong one."""
    hands = settled_hands()
    before = hands.match.position
    stories = [Story(played(before, "stealthy", "bert")), Story(played(before, "bert", "stealthy"))]
    hands.move("bert", "k9").shift("covers", "c2", "h6").move("stealthy", "k7")
    hands.write([Draft("doubt", {"alternatives": [alternative(hands.match, i, story) for i, story in enumerate(stories)]})])
    hands.say(kind="choose", alternative=0)
    assert hands.match.doubt is None and hands.match.played == ("stealthy", "bert")
    return hands


def test_another_way_of_telling_it_is_chosen_afterwards() -> None:
    hands = chosen_wrongly()
    count, told = len(hands.events), hands.match.played
    offered = hands.match.picks[-1].play["alternatives"]
    index, names = next(
        (one["index"], tuple(play["character"] for play in one["plays"]))
        for one in offered
        if tuple(play["character"] for play in one["plays"]) != told
    )
    kinds = hands.say(kind="choose", alternative=index)
    assert kinds[: 2 * len(told)] == ["undo"] * len(told) + ["play"] * len(told)
    assert hands.match.played == names
    assert [event.number for event in hands.events[:count]] == list(range(1, count + 1)), "what was said stays on record"
    assert fold(GAME, hands.events) == hands.match and audit(GAME, hands.events)[1] == []
    back = next(
        one["index"]
        for one in hands.match.picks[-1].play["alternatives"]
        if tuple(play["character"] for play in one["plays"]) == told
    )
    hands.say(kind="choose", alternative=back)
    assert hands.match.played == told, "and back again"


def test_what_was_not_offered_cannot_be_chosen() -> None:
    hands = chosen_wrongly()
    for index in (-1, 99, True, "0"):
        with pytest.raises(BadInput):
            hands.say(kind="choose", alternative=index)
