"""A whole table of cards, from composed pictures to the verified record: rulings, questions, corrections, secrets."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from surfaces import MAT_SHOT, Put, shoot
from testkit.sitting import Sitting, brought

from companion.announce.translator import translator
from companion.calibration.training.stickers_composed import pose
from companion.cli import main
from companion.errors import BadInput
from companion.games.game import Game
from companion.host.box_state import fold
from companion.host.boxes import TableBoxes
from companion.record.commitment import Link, commit
from companion.referee.audit import audit
from companion.vision.marked.reader import MarkedReader
from companion.vision.watching.watcher import Watcher
from companion.web.board_json import board_json

NONCE = bytes(range(32))
SHOT = replace(MAT_SHOT, blur=0.4, noise=1.0)


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    with brought("hat-parade", "testkit.cards") as game:
        yield game


class Mat:
    """What lies on the mat, and pictures of it."""

    def __init__(self, game: Game) -> None:
        self.board, self.pieces = game.board("one"), game.pieces()
        self.row: list[str] = []
        self.pile: list[str] = []
        self.extra: list[Put] = []

    def picture(self) -> Any:
        row = [self.card(card, (46.0 + 24.0 * n, 72.0 + n % 2)) for n, card in enumerate(self.row)]
        pile = [self.card(card, (74.0 + n, 222.0 + 0.5 * n)) for n, card in enumerate(self.pile)]
        return shoot(self.board, self.pieces, [*row, *pile, *self.extra], SHOT, 1)

    def card(self, name: str, at: tuple[float, float]) -> Put:
        return Put("east-red", at, "back") if name == "back" else Put(name, at, "up")


def watcher(game: Game) -> Watcher:
    board, pieces = game.board("one"), game.pieces()
    return Watcher(MarkedReader(board, pieces, pose(board, SHOT).lens), board)


class Play(Sitting):
    """A sitting at the mat."""

    def __init__(self, game: Game, folder: Path, rules: dict[str, str] | None = None) -> None:
        self.mat = Mat(game)
        super().__init__(game, folder, lambda: watcher(game), rules)

    def see(self) -> list[str]:
        return self.look(self.mat.picture())

    def shown(self) -> Any:
        return self.table.snapshot()

    def last(self, kind: str) -> Any:
        return next(event.data for event in reversed(self.table.wait_events(0, 0.0)) if event.kind == kind)


def sealed(seat: str, role: str) -> dict[str, str]:
    """What a seat's own device sends when it seals its role."""
    return {"kind": "seal", "seat": seat, "purpose": "role", "commitment": commit("m1", role, NONCE, Link(seat, "role", 1, ""))}


def shown_open(seat: str, role: str) -> dict[str, Any]:
    """What it sends when it opens it."""
    opened = [{"number": 1, "value": role, "nonce": NONCE.hex()}]
    return {"kind": "reveal", "seat": seat, "purpose": "role", "opened": opened}


def begun(game: Game, folder: Path, south: str = "hero-red") -> Play:
    """Three seats: north, a hero in black, and east, a villain in red, have told the companion; south keeps its role itself."""
    play = Play(game, folder, {"players": "3"})
    assert play.see() == ["chores"], "the mat is empty: the host's card is asked for"
    play.mat.pile = ["host-white"]
    assert play.see() == ["table-agreed"]
    assert play.say(kind="entrust", seat="north", purpose="role", value="hero-black") == ["secret"]
    assert play.say(kind="entrust", seat="east", purpose="role", value="villain-red") == ["secret"]
    assert play.say(**sealed("south", south)) == ["secret", "turn-opened"]
    return play


@pytest.fixture
def play(game: Game, tmp_path: Path) -> Play:
    return begun(game, tmp_path)


def laid(play: Play, *row: str) -> list[str]:
    """Lay these cards one after the other at the end of the row, with a look after each; the kinds of the last events."""
    kinds: list[str] = []
    for card in row:
        play.mat.row.append(card)
        kinds = play.see()
    return kinds


def told(play: Play) -> Any:
    """The question that is open, as it stands among what is expected."""
    return next(one for one in play.shown()["expects"] if one["kind"] == "question")


def test_a_parade_from_the_empty_mat_to_the_verified_record(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = begun(game, tmp_path)
    assert play.shown()["seats"] == ["north", "east", "south"] and play.shown()["position"]["cards"] == {"pile": ["host-white"]}
    assert laid(play, "north-red") == ["play"]
    assert laid(play, "east-black") == ["play", "asked"] and told(play)["seat"] == "south"
    assert play.say(**told(play)["form"][1]) == ["answered"], "the page sends an answer as the question lists it"
    play.mat.pile.append("south-white")
    assert play.see() == ["play", "turn-opened"]
    assert play.shown()["position"]["cards"] == {"row": ["north-red", "east-black"], "pile": ["host-white", "south-white"]}
    play.mat.pile.append("north-white")
    assert play.see() == ["play"], "north's turn comes round again, and the pile goes on with its colour"
    assert play.say(kind="accuse", of="south", role="hero-red", seat="east") == ["accused"]
    assert {"kind": "opening", "seat": "south", "purpose": "role"} in play.shown()["expects"]
    with pytest.raises(BadInput, match="does not open commitment 1 of south"):
        play.say(**shown_open("south", "hero-black"))
    kinds = play.say(**shown_open("south", "hero-red"))
    assert kinds == ["opening", "outcome", "opening", "opening"], "at the end what was entrusted opens itself"
    assert play.shown()["outcome"]["winner"] == "east"
    play.record.close()
    assert verified(play) == (0, []) and "chain whole" in capsys.readouterr().out
    assert main(["export", str(tmp_path / "game.record"), "--format", "html"]) == 0
    report = capsys.readouterr().out
    assert "South in white" in report and report.count('data-piece="host-white"') >= 3
    assert "south: host-white" not in report and "pile: Host in white, South in white" in report


def verified(play: Play) -> tuple[int, list[str]]:
    """The exit status of ``companion verify``, and what the rules and the openings say against the record."""
    events = play.table.wait_events(0, 0.0)
    return main(["verify", str(play.folder / "game.record")]), [one.code for one in audit(play.game, events)[1]]


@pytest.mark.parametrize(
    ("south", "answer", "codes"), [("hero-black", False, ["lie"]), ("hero-black", True, []), ("villain-black", False, [])]
)
def test_a_heros_false_answer_is_found_when_it_opens_its_role(
    game: Game, tmp_path: Path, south: str, answer: bool, codes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    play = begun(game, tmp_path, south)
    laid(play, "north-red", "east-black")
    asked = play.shown()["number"]
    assert play.say(kind="say", yes=answer, seat="south") == ["answered"]
    assert play.say(kind="accuse", of="north", role="villain-red", seat="south")[:3] == ["accused", "opening", "outcome"]
    play.say(**shown_open("south", south))
    play.record.close()
    status, found = verified(play)
    assert found == codes and status == (1 if codes else 0)
    if codes:
        assert f"event {asked + 1}: south is a hero and did not answer truly" in capsys.readouterr().out


@pytest.mark.parametrize(("button", "yes"), [("answer-a", True), ("answer-b", False)])
def test_a_question_is_answered_on_the_box_of_the_seat_that_is_asked(play: Play, button: str, yes: bool) -> None:
    boxes = TableBoxes(play.table, clock=lambda: 1000.0 + play.at)
    boxes.start()
    laid(play, "north-red", "east-black")
    assert fold(play.table.wait_events(0, 0.0)).pattern == "ask"
    with pytest.raises(BadInput, match="somebody else is asked now"):
        boxes.press(button, role="north")
    boxes.press(button, role="south")
    assert play.last("answered")["yes"] is yes and play.shown()["question"] is None
    boxes.stop()


def test_an_entrusted_seat_is_answered_for_and_sees_its_own_alone(play: Play) -> None:
    assert laid(play, "north-black") == ["play", "asked", "answered"]
    assert play.last("answered")["of"] == "east" and play.last("answered")["yes"] is False
    assert play.shown()["answers"] == [{"seat": "east", "yes": False}]
    own = play.table.private("east")
    assert own is not None and own["lines"] == [{"text": "You are {role}.", "params": {"role": "villain-red"}}]
    south = play.table.private("south")
    assert south is not None and south["lines"] == [], "what a seat sealed the companion does not know"
    public = repr(play.shown()) + repr([event.data for event in play.table.wait_events(0, 0.0)])
    assert not any(role in public for role in ("villain", "hero")), "and nobody else is told"


def mistake(play: Play) -> list[Any]:
    """What is flagged now: codes of the faults, and what hands must do."""
    flag = play.shown()["flag"]
    return [[fault["code"] for fault in flag["faults"]], [(one["code"], one["subject"], one["to"]) for one in flag["chores"]]]


def test_illegal_plays_are_explained_with_the_way_back(play: Play) -> None:
    laid(play, "north-red")
    assert laid(play, "south-white") == ["flag"]
    assert mistake(play) == [["not-yours"], [("take-card", "south-white", None)]]
    assert play.last("flag")["faults"][0]["message"] == "South in white was laid, but it is the turn of East."
    play.mat.row.pop()
    assert play.see() == ["flag-cleared"]
    assert laid(play, "east-red") == ["flag"] and mistake(play)[0] == ["same-colour"]
    play.mat.row.pop()
    play.see()
    play.mat.row.append("east-white")
    play.mat.pile.append("east-black")
    assert play.see() == ["flag"] and mistake(play)[0] == ["two-cards"] and len(mistake(play)[1]) == 2
    play.mat.row.pop()
    play.mat.pile.pop()
    play.see()
    play.mat.row = ["east-white", "north-red"]
    assert play.see() == ["flag"] and mistake(play)[0] == ["between"]
    play.mat.row = ["north-red", "back"]
    assert play.see() == ["flag"] and mistake(play) == [["face-down"], [("take-card", "card:row", None)]]
    play.mat.row = ["north-red"]
    assert play.see() == ["flag-cleared"] and play.shown()["mover"] == "east"


def test_a_card_taken_away_is_missed_and_may_be_taken_back_only_while_the_pick_is_its_own(play: Play) -> None:
    laid(play, "north-red", "east-white")
    play.mat.row = ["east-white"]
    assert play.see() == ["flag"] and mistake(play) == [["taken"], [("lay-card", "north-red", "row")]]
    play.mat.row = ["north-red"]
    assert play.see() == ["flag"] and mistake(play)[0] == ["put-back-late"], "east's card: the pick has passed to south"
    play.mat.row = ["north-red", "east-white"]
    assert play.see() == ["flag-cleared"]
    assert laid(play, "south-black") == ["play", "asked", "answered", "turn-opened"]


def test_a_card_that_raised_a_question_is_taken_back_by_hand_or_by_word(play: Play) -> None:
    laid(play, "north-red", "east-black")
    play.mat.row.pop()
    assert play.see() == ["undo"] and play.shown()["question"] is None and play.shown()["mover"] == "east"
    assert laid(play, "east-black") == ["play", "asked"]
    assert play.say(kind="undo") == ["undo", "flag"] and mistake(play) == [["taken-back"], [("take-card", "east-black", None)]]
    play.mat.row.pop()
    assert play.see() == ["flag-cleared"]
    play.mat.pile.append("east-white")
    assert play.see() == ["play"], "and something else is played instead"


def test_a_misread_card_is_put_right_by_hand_and_the_play_told_anew(play: Play) -> None:
    laid(play, "north-red")
    assert laid(play, "south-white") == ["flag"], "the sticker of another card, on a card of east"
    answer = {"subject": "east-white", "place": "row", "rank": 1, "also": [{"subject": "south-white", "place": None}]}
    assert play.say(kind="correct", **answer) == ["correction", "flag-cleared", "play"]
    assert play.last("play")["character"] == "east-white"
    assert play.shown()["table"]["state"]["cards"]["row"] == ["north-red", "east-white"]
    assert laid(play, "south-red") == ["play", "turn-opened"], "what was told stays told while other cards come"
    assert play.shown()["position"]["cards"]["row"] == ["north-red", "east-white", "south-red"]
    play.mat.row[1] = "east-white"
    play.see()
    assert play.shown()["table"]["overrides"] == [], "once the camera reads it so itself nothing is told any more"


def test_after_a_kill_the_game_goes_on_from_its_record_with_cards_on_the_mat(play: Play) -> None:
    laid(play, "north-red", "east-black")
    before = play.shown()
    play.sit_down_again()
    after = play.shown()
    keys = ("position", "expects", "secrets", "seats", "mover", "question", "answers", "told")
    assert {key: after[key] for key in keys} == {key: before[key] for key in keys}
    assert play.see() == [], "the table shows what is on record, though this reader never saw the mat empty"
    own = play.table.private("north")
    assert own is not None and own["lines"][0]["params"] == {"role": "hero-black"}
    assert play.say(kind="say", yes=True, seat="south") == ["answered"]
    play.mat.pile.append("south-white")
    assert play.see() == ["play", "turn-opened"]


def test_a_zone_that_something_hides_is_asked_for_and_nobody_is_blamed(play: Play) -> None:
    laid(play, "north-red", "east-white")
    play.mat.row.append("south-red")
    slab = pose(play.mat.board, SHOT).project([(16, 20), (58, 10), (62, 128), (20, 134)], 10.0)
    covered = cv2.fillConvexPoly(play.mat.picture(), np.round(np.asarray(slab)).astype(np.int32), (110, 140, 190))
    assert play.look(covered) == ["cannot-see", "play", "turn-opened"], "of what is hidden each card is where it was last seen"
    assert play.shown()["blind"] == ["card:row"]
    assert "row" in play.last("cannot-see")["reasons"]["card:row"]
    assert play.see() == ["sight-restored"]


def test_what_is_said_is_said_in_the_words_of_its_own_catalogue(play: Play) -> None:
    laid(play, "north-red", "south-white")
    es = translator("es")
    fault, (chore,) = play.last("flag")["faults"][0], play.last("flag")["chores"]
    assert es.say(fault["text"], fault["params"]) == "Se ha puesto South in white, pero es el turno de Este."
    assert es.say(chore["text"], chore["params"]) == "Retira South in white de la fila."


def test_the_page_is_told_of_zones_and_cards(game: Game) -> None:
    drawn = board_json(game.board("one"), game.pieces())
    assert [(zone["id"], zone["order"], zone["masked"]) for zone in drawn["zones"]] == [
        ("row", "row", False), ("pile", "stack", False), ("hand", None, True),
    ]  # fmt: skip
    assert all(piece["shared"] == ["back"] for piece in drawn["pieces"])
