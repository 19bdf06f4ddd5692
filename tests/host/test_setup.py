"""The set-up as a value: what every step needs, what a change makes worthless, and that nothing starts before its time."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.errors import BadInput
from companion.host import setup as steps
from companion.host.choices import Choices, ClockChoice
from companion.host.setup import BoardFound, CameraChoice, NotYet, Setup

GAME = games.load()
DEMO, WEBCAM = CameraChoice("demo"), CameraChoice("device", "/dev/video0")
SQUARE = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
MARKERS, CORNERS, PICTURES = (BoardFound(way, 0.7, SQUARE) for way in ("markers", "corners", "pictures"))


def fresh() -> Setup:
    return Setup(GAME.id, GAME.editions()[0])


def marked() -> Setup:
    return steps.with_board(steps.with_camera(fresh(), DEMO), MARKERS)


def plain(doubts: tuple[str, ...] = ()) -> Setup:
    taken = steps.with_picture(steps.with_picture(steps.with_camera(fresh(), WEBCAM), "empty"), "start")
    return steps.taught(taken, doubts, PICTURES)


def test_stickers_are_ready_as_soon_as_the_board_is_found() -> None:
    assert [step for step, _ in steps.missing(fresh())] == ["camera", "board", "pieces"]
    assert steps.missing(marked()) == ()
    assert steps.ready(marked()).mode == steps.MARKED


def test_a_plain_copy_needs_both_pictures_in_their_order() -> None:
    watching = steps.with_camera(fresh(), WEBCAM)
    with pytest.raises(NotYet, match="empty board first") as refused:
        steps.with_picture(watching, "start")
    assert refused.value.step == steps.PIECES
    with pytest.raises(NotYet, match="camera first"):
        steps.with_picture(fresh(), "empty")
    assert steps.missing(plain()) == ()
    again = steps.with_picture(plain(), "empty")
    assert again.doubts is None and again.pictures == {"empty"}, "another empty board is another table"


def test_doubts_keep_the_game_back_until_they_are_accepted() -> None:
    doubtful = plain(("holmes is not at g5",))
    assert [step for step, _ in steps.missing(doubtful)] == [steps.PIECES]
    with pytest.raises(NotYet, match="differs"):
        steps.ready(doubtful)
    assert steps.missing(steps.accept(doubtful)) == ()
    assert not steps.with_picture(steps.accept(doubtful), "start").accepted
    with pytest.raises(NotYet, match="both pictures"):
        steps.accept(marked())


def test_a_picture_of_the_other_sides_is_no_need_and_goes_with_the_start_picture() -> None:
    halfway = steps.with_picture(steps.with_picture(steps.with_camera(fresh(), WEBCAM), "empty"), "start")
    with pytest.raises(NotYet, match="both pictures"):
        steps.with_picture(halfway, "sides")
    accepted = steps.accept(plain(("holmes is not at g5",)))
    whole = steps.taught(steps.with_picture(accepted, "sides"), ("holmes is not at g5",), PICTURES)
    assert whole.pictures == {"empty", "start", "sides"}
    assert steps.missing(whole) == (), "what was accepted is not asked again"
    doubtful = steps.taught(steps.with_picture(whole, "sides"), ("another doubt",), PICTURES)
    assert [step for step, _ in steps.missing(doubtful)] == [steps.PIECES]
    assert steps.with_picture(whole, "start").pictures == {"empty", "start"}
    assert steps.with_picture(whole, "empty").pictures == {"empty"}


def test_corners_moved_by_hand_make_what_was_taught_worthless() -> None:
    moved = BoardFound("corners", 1.0, tuple((x + 0.01, y) for x, y in SQUARE))
    assert steps.with_board(plain(), moved).doubts is None
    by_hand = steps.taught(steps.with_board(steps.with_camera(fresh(), WEBCAM), CORNERS), (), PICTURES)
    assert by_hand.board is not None and by_hand.board.way == "corners"
    assert steps.seen(by_hand, PICTURES).board.way == "corners"  # type: ignore[union-attr]
    assert steps.seen(marked(), MARKERS) == marked()


@pytest.mark.parametrize("ready", [marked(), plain()])
def test_another_camera_or_board_begins_to_look_anew(ready: Setup) -> None:
    for changed in (
        steps.with_camera(ready, CameraChoice("phone")),
        steps.with_game(ready, GAME.id, GAME.editions()[1]),
        steps.with_game(ready, games.available()[-1], games.load(games.available()[-1]).editions()[0]),
    ):
        assert (changed.board, changed.mode, changed.doubts, changed.pictures) == (None, "", None, frozenset())
        assert steps.BOARD in dict(steps.missing(changed))
    assert steps.with_game(ready, ready.game, ready.edition).board == ready.board


def test_a_running_game_keeps_its_board_and_its_rules() -> None:
    playing = Setup(GAME.id, GAME.editions()[0], fixed=True)
    with pytest.raises(NotYet):
        steps.with_game(playing, GAME.id, GAME.editions()[1])
    with pytest.raises(NotYet):
        steps.with_choices(playing, Choices(deal=True))
    assert steps.with_choices(playing, playing.choices).passed == {steps.RULES}
    assert steps.with_camera(playing, DEMO).camera == DEMO


def test_a_remembered_table_lacks_only_the_sight_of_its_board() -> None:
    for mode in (steps.MARKED, steps.PLAIN):
        known = steps.remembered(fresh(), GAME.id, GAME.editions()[1], WEBCAM, mode, Choices(deal=True))
        assert known.at == steps.START
        assert steps.BOARD in dict(steps.missing(known))
        assert steps.missing(steps.with_board(known, MARKERS if mode == steps.MARKED else PICTURES)) == ()


def test_words_that_name_nothing_are_refused() -> None:
    for call in (
        lambda: steps.go(fresh(), "moon"), lambda: steps.with_mode(fresh(), "guess"),
        lambda: steps.with_picture(fresh(), "selfie"), lambda: steps.with_board(fresh(), MARKERS),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            call()


MOVES = st.sampled_from(
    [
        *(("go", step) for step in steps.STEPS), ("camera", DEMO), ("camera", WEBCAM), ("board", MARKERS), ("board", CORNERS),
        ("lost", None), ("mode", "marked"), ("mode", "plain"), ("picture", "empty"), ("picture", "start"),
        ("picture", "sides"), ("taught", ()),
        ("taught", ("a doubt",)), ("accept", None), ("game", GAME.editions()[0]), ("game", GAME.editions()[1]),
    ]
)  # fmt: skip


DO: dict[str, Callable[[Setup, Any], Setup]] = {
    "go": steps.go,
    "camera": steps.with_camera,
    "board": steps.with_board,
    "lost": lambda setup, _: steps.without_board(setup),
    "mode": steps.with_mode,
    "picture": steps.with_picture,
    "taught": lambda setup, doubts: steps.taught(setup, doubts, PICTURES) if {"empty", "start"} <= setup.pictures else setup,
    "accept": lambda setup, _: steps.accept(setup),
    "game": lambda setup, edition: steps.with_game(setup, GAME.id, edition),
}


def step(setup: Setup, move: tuple[str, Any]) -> Setup:
    try:
        return DO[move[0]](setup, move[1])
    except NotYet:
        return setup


@given(moves=st.lists(MOVES, max_size=25))
def test_whatever_is_pressed_nothing_starts_without_camera_board_and_pieces(moves: list[tuple[str, Any]]) -> None:
    setup = fresh()
    for move in moves:
        setup = step(setup, move)
        assert (setup.camera is not None) == steps.done(setup, steps.CAMERA)
        if not steps.missing(setup):
            assert setup.camera is not None and setup.board is not None
            by_stickers = setup.mode == steps.MARKED and setup.board.way == "markers"
            by_pictures = setup.mode == steps.PLAIN and setup.doubts is not None and (not setup.doubts or setup.accepted)
            assert by_stickers or by_pictures
        assert setup.doubts is None or setup.pictures - {"sides"} == {"empty", "start"}


def test_choices_travel_as_json_and_know_their_limits() -> None:
    chosen = Choices("sealed", True, ClockChoice(1800, 5), {"escape-in-turn-one": "yes"}, True)
    assert Choices.from_json(chosen.to_json()) == chosen
    chosen.check(GAME)
    for wrong in (
        Choices("told"), Choices(clock=ClockChoice(1)), Choices(clock=ClockChoice(float("nan"))),
        Choices(rules={"moon": "yes"}), Choices(rules={"escape-in-turn-one": "perhaps"}),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            wrong.check(GAME)
    for data in (
        [],
        {"secret": 1, "moon": 2},
        {"deal": "yes"},
        {"clock": 7},
        {"clock": {"seconds": True}},
        {"rules": [1]},
        None,
    ):
        with pytest.raises(BadInput):
            Choices.from_json(data)
