"""The fold of two cameras over one table: what both see, without pictures."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.boards import load_pieces
from companion.vision.reading import Reading, Sighting
from companion.vision.watching.frame_analysis import FrameAnalysis, Notice
from companion.vision.watching.merging import merge
from companion.vision.watching.pair import PairSettings, PairState, SeenFrame, WatchedPair, pair_step

PAIR = WatchedPair(("left", "right"), load_pieces("mr-jack-london"))
HOME, AWAY = Reading((Sighting("holmes", "g5", "suspect"),)), Reading((Sighting("holmes", "e6", "suspect"),))
HIDDEN = Reading((), {"holmes": "a hand is over it"})


class Told:
    """Runs the fold over what the watchers of both cameras say."""

    def __init__(self, pair: WatchedPair = PAIR) -> None:
        self.state, self._number, self._pair = PairState(), 0, pair

    def show(
        self, at: float, left: FrameAnalysis | str | None = None, right: FrameAnalysis | str | None = None
    ) -> FrameAnalysis:
        self._number += 1
        seen = [
            SeenFrame(camera, self._number, refused=said) if isinstance(said, str) else SeenFrame(camera, self._number, said)
            for camera, said in enumerate((left, right))
            if said is not None
        ]
        self.state, analysis = pair_step(self.state, seen, 0 if left is not None else 1, at, self._pair)
        return analysis


def said_at(analysis: FrameAnalysis) -> list[str] | None:
    """Where the pieces lie that are said now; None where nothing is said."""
    return None if analysis.settled is None else [one.place for one in analysis.settled.sightings]


def steady(reading: Reading) -> FrameAnalysis:
    return FrameAnalysis(settled=reading, steady=True)


REST, MOVING = FrameAnalysis(steady=True), FrameAnalysis(moving=True)


def test_one_camera_says_what_the_other_cannot_see_for_a_hand() -> None:
    told = Told()
    assert said_at(told.show(0.0, steady(HOME), steady(HOME))) == ["g5"]
    moved = told.show(1.0, MOVING, steady(AWAY))
    assert said_at(moved) == ["e6"]
    assert not moved.moving, "one of both sees the table at rest"


def test_cameras_that_contradict_each_other_wait_and_are_doubt_in_the_end() -> None:
    told = Told()
    told.show(0.0, steady(HOME), steady(HOME))
    assert told.show(1.0, REST, steady(AWAY)).settled is None
    assert said_at(told.show(1.5, steady(AWAY), REST)) == ["e6"], "the slower one settles on it, too"
    assert told.show(3.0, REST, steady(HOME)).settled is None
    late = told.show(3.0 + PairSettings().patience_s, REST, REST).settled
    assert late is not None
    assert late.unknown.keys() == {"holmes"}


def test_a_camera_that_is_silent_counts_as_blind() -> None:
    told = Told()
    told.show(0.0, steady(HOME), steady(HOME))
    assert told.show(1.0, steady(AWAY)).settled is None, "the other one's word still counts"
    assert said_at(told.show(0.1 + PairSettings().stale_s, REST)) == ["e6"]


def test_a_knock_is_told_once_and_a_refusal_once() -> None:
    knock = FrameAnalysis(moving=True, notices=(Notice("camera-moved", "The camera was moved."),))
    told = Told()
    assert [notice.params["source"] for notice in told.show(0.0, knock, knock).notices] == ["left"]
    assert [notice.params["source"] for notice in told.show(0.1 + PairSettings().echo_s, None, knock).notices] == ["right"]
    codes = [[notice.code for notice in told.show(10.0 + at, REST, "too small").notices] for at in range(3)]
    assert codes == [["picture-unusable"], [], []]
    assert told.show(13.5, FrameAnalysis(lost="no markers"), "too small").lost.count("does not see the board") == 2


def test_a_finger_is_told_once_and_once_that_it_stayed_unless_the_other_camera_sees_it_elsewhere() -> None:
    def on(place: str, pointed: bool = False, stayed: bool = False) -> FrameAnalysis:
        return FrameAnalysis(moving=True, pointed=place if pointed else "", stayed=stayed, pointing=place)

    def words(*shown: FrameAnalysis) -> list[tuple[str, bool]]:
        return [(one.pointed, one.stayed) for one in shown if one.pointed]

    told = Told()
    first = told.show(10.0, on("86", pointed=True), on("86")), told.show(10.3, on("86"), on("86", pointed=True))
    again = told.show(11.0, on("86", True, True), on("86")), told.show(11.3, on("86"), on("86", True, True))
    assert words(*first, *again) == [("86", False), ("86", True)]
    told = Told()
    assert words(told.show(10.0, on("86", pointed=True), on("87")), told.show(11.0, on("86", True, True), on("87"))) == []


analyses = st.one_of(
    st.builds(
        FrameAnalysis,
        moving=st.booleans(),
        settled=st.sampled_from((None, HOME, AWAY, HIDDEN)),
        steady=st.booleans(),
        lost=st.sampled_from(("", "", "no markers")),
    ),
    st.sampled_from((None, "too small")),
)


@given(st.lists(st.tuples(st.sampled_from((0.03, 0.4, 2.5)), analyses, analyses), max_size=40))
def test_only_what_a_steady_camera_settled_on_is_said(frames: list[tuple[float, FrameAnalysis, FrameAnalysis]]) -> None:
    told, now, said = Told(), 0.0, []
    for apart, left, right in frames:
        now += apart
        before = told.state
        analysis = told.show(now, left, right)
        if analysis.settled is None:
            assert told.state.said == before.said
            continue
        seeing = [view for view in told.state.cameras if view.analysis is not None and view.analysis.steady]
        assert any(now - view.seen_at <= PairSettings().stale_s and view.settled is not None for view in seeing)
        places = {one.place for view in seeing if view.settled is not None for one in view.settled.sightings}
        assert {one.place for one in analysis.settled.sightings} <= places
        said.append(analysis.settled)
    assert all(one != other for one, other in pairwise(said)), "nothing is said twice in a row"


CARDS = WatchedPair(("left", "right"), load_pieces("get-adler"))
GUN = Sighting("gun-1", "pile", "gun", among=tuple(f"gun-{n}" for n in range(1, 11)), rank=0)
ONE_GUN, TWO_GUNS = Reading((GUN,)), Reading((GUN, replace(GUN, piece="gun-2", rank=1)))
PERHAPS = replace(ONE_GUN, again=("pile",))


def again_at(told: Told, at: float, left: FrameAnalysis, right: FrameAnalysis) -> tuple[int, tuple[str, ...]] | None:
    """How many cards are said to lie there, and where one may have been laid once more; None where nothing is said."""
    settled = told.show(at, left, right).settled
    return None if settled is None else (len(settled.sightings), settled.again)


def test_a_hand_over_an_upmost_card_is_told_once_whichever_cameras_saw_it() -> None:
    told = Told(CARDS)
    assert again_at(told, 0.0, steady(ONE_GUN), steady(ONE_GUN)) == (1, ())
    assert again_at(told, 1.0, steady(PERHAPS), REST) == (1, ("pile",)), "the other sees no more cards than it"
    assert again_at(told, 1.5, REST, steady(PERHAPS)) is None, "the same hand"
    assert again_at(told, 2.5, steady(PERHAPS), REST) == (1, ("pile",)), "another one"
    assert again_at(told, 2.7, REST, REST) is None
    assert again_at(told, 9.0, steady(PERHAPS), steady(PERHAPS)) == (1, ("pile",))


def test_a_camera_that_sees_a_card_laid_once_more_answers_what_the_other_asks() -> None:
    told, later = Told(CARDS), PairSettings().patience_s
    again_at(told, 0.0, steady(ONE_GUN), steady(ONE_GUN))
    assert again_at(told, 1.0, steady(PERHAPS), MOVING) is None, "the hand is over the card for the other one still"
    assert again_at(told, 1.4, REST, steady(TWO_GUNS)) == (2, ())
    told = Told(CARDS)
    again_at(told, 0.0, steady(ONE_GUN), steady(ONE_GUN))
    assert again_at(told, 1.0, steady(PERHAPS), MOVING) is None
    assert again_at(told, 1.0 + later, REST, MOVING) == (1, ("pile",)), "it stays blind"


def test_merged_readings_keep_where_a_card_may_have_been_laid_once_more() -> None:
    for one, other in ((PERHAPS, ONE_GUN), (ONE_GUN, PERHAPS), (PERHAPS, PERHAPS)):
        assert merge(one, other, CARDS.pieces).again == ("pile",)
    for one, other in ((PERHAPS, TWO_GUNS), (TWO_GUNS, PERHAPS)):
        merged = merge(one, other, CARDS.pieces)
        assert (len(merged.sightings), merged.again, merged.unknown) == (2, (), {})
    other_card = replace(ONE_GUN, sightings=(GUN, Sighting("bomb-1", "pile", "bomb", rank=1)))
    merged = merge(PERHAPS, other_card, CARDS.pieces)
    assert merged.unknown.keys() == {"card:pile"} and merged.again == (), "another card is no card once more"
