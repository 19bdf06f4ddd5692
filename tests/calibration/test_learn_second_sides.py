"""The second side of a disc is learnt by pointing at it: it is compared with itself then, and no longer told from the first."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from glare import in_glare

from companion import boards
from companion.calibration import repeated_enrolment
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import learn_sides, reteach
from companion.calibration.teaching import teach_table
from companion.calibration.training.composed import Table
from companion.errors import BadInput
from companion.vision.frame import Frame
from companion.vision.plain.reader import PlainReader, Teaching
from companion.vision.reader import Shown

BOARD, PIECES = boards.load("mr-jack-london"), boards.load_pieces("mr-jack-london")
START: dict[str, Any] = dict(BOARD.start)
TURNED = {**START, "characters": {who: {**entry, "side": "innocent"} for who, entry in START["characters"].items()}}


@pytest.fixture(scope="module")
def pictures() -> dict[str, Frame]:
    copy = Table(BOARD, PIECES, 2003, size=(1280, 720), tilt_most=30.0)
    shown = {"empty": {}, "start": START, "turned": TURNED, "again": TURNED}
    return {name: Frame(copy.shoot(state)[0], 0.0, name) for name, state in shown.items()}


@pytest.fixture(scope="module")
def profile(pictures: dict[str, Frame]) -> TableProfile:
    return teach_table(pictures["empty"], pictures["start"], BOARD, PIECES, START).profile


@pytest.fixture(scope="module")
def taught(profile: TableProfile) -> Teaching:
    assert profile.teaching is not None
    return profile.teaching


def at(teaching: Teaching, who: str) -> tuple[float, float]:
    x, y = teaching.registration.project([BOARD.mm(START["characters"][who]["hex"])], 4.0)[0]
    return float(x), float(y)


def learn(teaching: Teaching, frame: Frame, who: str, side: str | None = "innocent") -> Teaching:
    facing = START["characters"][who].get("facing")
    return reteach(teaching, frame, at(teaching, who), who, BOARD, PIECES, facing, side).teaching


def alike(teaching: Teaching, frame: Frame, who: str) -> Any:
    """What the portrait network says of both sides of a disc where it lies at the start."""
    reader = PlainReader(BOARD, PIECES, teaching)
    memory: Any = reader.read(frame).memory
    clue = memory.movable[START["characters"][who]["hex"]]
    return reader._judge._estimator.portraits(clue)[list(BOARD.start["characters"]).index(who)]


@pytest.mark.parametrize("who", ["goodley", pytest.param("watson", marks=pytest.mark.slow)])
def test_a_second_side_is_learnt_kept_and_recognised(
    profile: TableProfile, taught: Teaching, pictures: dict[str, Frame], who: str, tmp_path: Path
) -> None:
    learnt = learn(taught, pictures["turned"], who)
    assert [exemplar.face for exemplar in learnt.of(who)] == ["suspect", "innocent"]
    before = [exemplar for exemplar in learnt.exemplars if exemplar.face != "innocent"]
    assert [(one.piece, one.place) for one in before] == [(one.piece, one.place) for one in taught.exemplars]
    TableProfile(profile.board, profile.edition, profile.mode, profile.lens, learnt).save(tmp_path / "kitchen.json")
    kept = TableProfile.load(tmp_path / "kitchen.json").teaching
    assert kept is not None
    for name, side in (("again", "innocent"), ("start", "suspect")):
        seen = PlainReader(BOARD, PIECES, kept).read(pictures[name]).reading
        assert {sighting.face for sighting in seen.sightings if sighting.piece in START["characters"]} == {side}
        found = seen.of(who)
        assert found is not None and found.facing == START["characters"][who].get("facing")


@pytest.mark.slow
def test_the_first_side_stays_what_it_is_whichever_is_learnt_last(taught: Teaching, pictures: dict[str, Frame]) -> None:
    learnt = learn(learn(taught, pictures["turned"], "bert"), pictures["start"], "bert", None)
    assert sorted(str(exemplar.face) for exemplar in learnt.of("bert")) == ["innocent", "suspect"]
    seen = PlainReader(BOARD, PIECES, learnt).read(pictures["again"]).reading.of("bert")
    assert seen is not None and seen.face == "innocent"


@pytest.mark.slow
def test_a_second_side_that_was_learnt_speaks_for_itself(taught: Teaching, pictures: dict[str, Frame]) -> None:
    learnt = learn(taught, pictures["turned"], "smith")
    for name in ("again", "start"):
        apart = {key: float(ratios[1] - ratios[0]) for key, ratios in (
            ("told", alike(taught, pictures[name], "smith")), ("learnt", alike(learnt, pictures[name], "smith")),
        )}  # fmt: skip
        assert apart["told"] != apart["learnt"]
        assert (apart["learnt"] > 0) == (name == "again")


def test_a_first_side_is_not_learnt_as_the_second(taught: Teaching, pictures: dict[str, Frame]) -> None:
    with pytest.raises(BadInput, match=r"bert at .* lies as it was learnt with its other side up: turn it over"):
        learn(taught, pictures["start"], "bert")


def test_who_teaches_a_first_side_that_lies_turned_over_is_asked(taught: Teaching, pictures: dict[str, Frame]) -> None:
    """It is not refused: that the side was taken for the other may be what is to be put right."""
    told = reteach(taught, pictures["turned"], at(taught, "bert"), "bert", BOARD, PIECES).sentences
    place = START["characters"]["bert"]["hex"]
    assert f"what lies at {place} was taken for innocent so far: make sure that it is suspect" in told


@pytest.mark.slow
def test_a_disc_that_looks_bare_is_learnt_where_the_reader_finds_it(
    pictures: dict[str, Frame], taught: Teaching, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dark discs on dark streets were said not to lie there, in the third picture and by who points at them (84100, dimmed)."""
    monkeypatch.setattr(repeated_enrolment, "looks_bare", lambda prepared, place: place.piece == "bert")
    found = learn_sides(taught, pictures["turned"], BOARD, PIECES)
    assert found.sentences == () and ("bert", "innocent") in {(one.piece, one.face) for one in found.teaching.exemplars}
    assert ("bert", "innocent") in {(one.piece, one.face) for one in learn(taught, pictures["turned"], "bert").exemplars}
    with pytest.raises(BadInput, match="it looks like the bare board"):
        learn(taught, pictures["empty"], "bert")


@pytest.mark.slow
def test_a_disc_never_taught_keeps_no_other_side_from_being_learnt(pictures: dict[str, Frame], taught: Teaching) -> None:
    """The third picture was refused with an error of the program where a disc had been hidden in the picture of the start."""
    without = replace(taught, exemplars=tuple(one for one in taught.exemplars if one.piece != "bert"))
    found = learn_sides(without, pictures["turned"], BOARD, PIECES)
    assert found.sentences == ()
    learnt = {one.piece for one in found.teaching.exemplars if one.face == "innocent"}
    assert learnt == set(START["characters"])
    reader = PlainReader(BOARD, PIECES, found.teaching)
    look = reader.read(pictures["again"])
    assert look.reading.of("bert") is None and "bert" in look.reading.unknown
    place = START["characters"]["bert"]["hex"]
    assert reader.enrol(pictures["again"], look, Shown("bert", place, "innocent")) == "bert: this side is known"


@pytest.mark.parametrize(("odds", "unturned"), [(2.3, ("bert",)), pytest.param(-4.0, (), marks=pytest.mark.slow)])
def test_a_second_side_under_a_reflection_that_may_look_like_the_first_is_not_told_from_it(
    pictures: dict[str, Frame], taught: Teaching, monkeypatch: pytest.MonkeyPatch, odds: float, unturned: tuple[str, ...]
) -> None:
    """The first side of a disc showed with log odds of 2.3 under the reflection, later of 2.8 without one, and was claimed."""
    shows = PlainReader.first_side_shows
    monkeypatch.setattr(PlainReader, "first_side_shows", lambda *asked: odds if asked[2] == "bert" else shows(*asked))
    spoilt = in_glare(pictures["turned"], at(taught, "bert"), 0.9, 26.0)
    found = learn_sides(taught, spoilt, BOARD, PIECES)
    place = START["characters"]["bert"]["hex"]
    assert f"bert at {place} lies under a reflection in the picture of the other sides" in found.sentences
    assert found.teaching.unturned == unturned
    told = PlainReader(BOARD, PIECES, found.teaching).read(pictures["start"]).reading
    assert ("bert" in told.unknown) is bool(unturned)


def test_pictures_of_the_other_sides_add_up(pictures: dict[str, Frame], taught: Teaching) -> None:
    """Somebody moved the lamp because of one disc, and was then asked for another on which its reflection lay now, for ever."""
    spoilt = {who: in_glare(pictures["turned"], at(taught, who), 0.9, 26.0) for who in ("bert", "goodley")}
    first = learn_sides(taught, spoilt["bert"], BOARD, PIECES)
    assert [words.split()[0] for words in first.sentences] == ["bert"]
    second = learn_sides(first.teaching, spoilt["goodley"], BOARD, PIECES)
    assert second.sentences == () and second.teaching.warnings == taught.warnings and second.teaching.unturned == ()
    assert {one.piece for one in second.teaching.exemplars if one.face == "innocent"} == set(START["characters"])


def test_the_one_disc_that_was_not_turned_is_named_each_time(
    pictures: dict[str, Frame], taught: Teaching, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It alone is asked for: the others are known from the first picture on."""
    shows = PlainReader.first_side_shows
    monkeypatch.setattr(PlainReader, "first_side_shows", lambda *asked: 9.0 if asked[2] == "bert" else shows(*asked))
    place = START["characters"]["bert"]["hex"]
    named = (f"bert at {place} looks as at the start in the picture of the other sides",)
    first = learn_sides(taught, pictures["turned"], BOARD, PIECES)
    second = learn_sides(first.teaching, pictures["again"], BOARD, PIECES)
    for one in (first, second):
        assert (one.sentences, one.teaching.unturned, one.teaching.warnings[-1:]) == (named, ("bert",), named)


@pytest.mark.parametrize(
    ("before", "now", "unturned"),
    [
        pytest.param(3.4, 0.0, ("bert",), id="both-sides-look-alike"),
        pytest.param(3.4, -4.0, (), id="it-plainly-shows-something-else", marks=pytest.mark.slow),
        pytest.param(9.0, 0.0, (), id="it-was-not-turned-over-before", marks=pytest.mark.slow),
    ],
)
def test_a_disc_whose_sides_looked_alike_is_learnt_only_where_it_plainly_shows_something_else(
    pictures: dict[str, Frame], profile: TableProfile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: float,
    now: float, unturned: tuple[str, ...],
) -> None:  # fmt: skip
    """Learnt by another lamp, in which it was like neither side, its second side was called the first later (0.99)."""
    shows, kept = PlainReader.first_side_shows, tmp_path / "mine.json"
    profile.save(kept)
    for odds in (before, now):
        monkeypatch.setattr(PlainReader, "first_side_shows", lambda *a, odds=odds: odds if a[2] == "bert" else shows(*a))
        teaching = TableProfile.load(kept).teaching
        assert teaching is not None
        replace(profile, teaching=learn_sides(teaching, pictures["turned"], BOARD, PIECES).teaching).save(kept)
    learnt = TableProfile.load(kept).teaching
    assert learnt is not None and learnt.unturned == unturned


@pytest.mark.parametrize("hidden", ["gone", pytest.param("covered", marks=pytest.mark.slow)])
def test_that_both_sides_look_alike_is_not_forgotten_under_a_hand(
    pictures: dict[str, Frame], taught: Teaching, monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    """Its second side was told from the first again after a further picture in which it could not be seen."""
    alike = replace(taught, unturned=("bert",))
    if hidden == "gone":
        monkeypatch.setattr(repeated_enrolment, "looks_bare", lambda prepared, place: place.piece == "bert")
        monkeypatch.setattr(repeated_enrolment, "_found", lambda observation, place: False)
    else:
        found = repeated_enrolment.covered_discs

        def covered(prepared: Any, discs: Any, *rest: Any) -> Any:
            return [*found(prepared, discs, *rest), *(one for one in discs if one.piece == "bert")]

        monkeypatch.setattr(repeated_enrolment, "covered_discs", covered)
    assert learn_sides(alike, pictures["turned"], BOARD, PIECES).teaching.unturned == ("bert",)


@pytest.mark.slow
def test_a_disc_taught_under_a_reflection_is_named_until_its_sides_can_be_told(
    pictures: dict[str, Frame], taught: Teaching
) -> None:
    glare = in_glare(pictures["start"], at(taught, "bert"), 0.75, 45.0)
    report = teach_table(pictures["empty"], glare, BOARD, PIECES, START)
    hardly = [words for words in report.sentences if "can hardly be made out" in words or "as white as" in words]
    assert len(hardly) == 1 and hardly[0].startswith("bert can hardly be made out: move the lamp") and not report.ready
    poor = report.profile.teaching
    assert poor is not None
    still = reteach(poor, glare, at(taught, "bert"), "bert", BOARD, PIECES).sentences
    both = reteach(poor, pictures["turned"], at(taught, "bert"), "bert", BOARD, PIECES, face="innocent").sentences
    assert [any("can hardly be made out" in words for words in told) for told in (still, both)] == [True, False]
