"""A deck of unmodified cards taught face by face, kept in a table profile, and read with it."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from surfaces import MAT_SHOT

from companion import boards
from companion.calibration.cards import CardTeacher, look_alikes
from companion.calibration.profile import TableProfile
from companion.calibration.training import card_decks
from companion.calibration.training.card_campaign import surface
from companion.calibration.training.card_table import CardTable, Light
from companion.cli import main
from companion.errors import BadInput
from companion.vision.cards.faces import deck_faces
from companion.vision.cards.reader import CardReader
from companion.vision.frame import Frame

DECK = card_decks.deck(5)  # its faces 0 and 1, 2 and 3, 4 and 5 look alike
BOARD, PIECES = surface(DECK)
NAMES = ("face-2", "face-3", "face-7", "back")
KEYS = {str(face.side): face.key for face in deck_faces(PIECES)}


@pytest.fixture(scope="module")
def shown() -> dict[str, Frame]:
    """The empty mat, and pictures of some faces on it, each at another place and somewhat turned."""
    table = CardTable(BOARD, MAT_SHOT, 2, pieces=PIECES)
    bare, found = table.film(), {"": Frame(table.picture(Light(), 0), 0.0, "made", 0)}
    for number, name in enumerate(NAMES, start=1):
        table.restore(bare)
        table.lay(DECK.faces[name], (120.0 + 30 * number, 130.0 + 8 * number), 4.0 * number - 8)
        found[name] = Frame(table.picture(Light(1.0 - 0.1 * number), number), 0.0, "made", number)
    table.restore(bare)
    table.lay(DECK.faces["face-7"], (327.0, 72.0), 182.0)
    found["game"] = Frame(table.picture(Light(0.8), 9), 0.0, "made", 9)
    return found


def test_each_face_is_shown_once_and_look_alikes_are_named(shown: dict[str, Frame], tmp_path: Path) -> None:
    teacher = CardTeacher(shown[""], BOARD, PIECES)
    with pytest.raises(BadInput, match="no card is seen on the mat"):
        teacher.show(KEYS["face-2"], shown[""])
    with pytest.raises(BadInput, match="'joker' is no face of this game's cards"):
        teacher.show("joker", shown["face-2"])
    assert [teacher.show(KEYS[name], shown[name]) for name in NAMES] == [()] * 4
    report = teacher.report()
    assert report.teaching.size_mm == pytest.approx((63, 88), abs=1.5)
    assert [pair[:2] for pair in report.alike] == [(KEYS["face-2"], KEYS["face-3"])]
    assert "face-2 and face-3" in report.sentences[0] and not report.ready and KEYS["face-9"] in report.missing
    reader = CardReader(BOARD, PIECES, report.teaching, teacher.lens)
    empty = reader.read(shown[""])
    reading = reader.read(shown["game"], empty.reading).reading
    assert reading.state(BOARD, PIECES)["cards"] == {"pile": ["face-7"]} and not reading.unknown


def test_several_cards_or_a_book_are_no_lesson(shown: dict[str, Frame]) -> None:
    teacher = CardTeacher(shown[""], BOARD, PIECES)
    image = shown[""].image.copy()
    cv2.rectangle(image, (500, 400), (800, 620), (40, 60, 200), -1)
    with pytest.raises(BadInput, match="lay one card alone"):
        teacher.show(KEYS["face-2"], Frame(image, 0.0, "made", 0))
    bare = CardTable(BOARD, MAT_SHOT, 2)  # without frame stickers
    with pytest.raises(BadInput, match="frame stickers must lie flat and in sight"):
        CardTeacher(Frame(bare.picture(Light(), 1), 0.0, "made", 0), BOARD, PIECES)


@pytest.mark.parametrize("drawn", [0.0, 0.6])
def test_a_card_as_pale_as_the_mat_is_no_lesson_and_the_mat_is_to_be_darker(drawn: float) -> None:
    table = CardTable(BOARD, MAT_SHOT, 2, pieces=PIECES)
    empty = Frame(table.picture(Light(), 0), 0.0, "made", 0)
    teacher = CardTeacher(empty, BOARD, PIECES)
    face = np.full_like(DECK.faces["face-2"], 0)
    face[..., :3] = np.median(table.picture(Light(slope=(0.0, 0.0), noise=0.0), 0)[430:470, 600:640], axis=(0, 1))
    height, width = face.shape[:2]
    middle, half = (width // 2, height // 2), (round(width * drawn / 2), round(height * drawn / 2))
    if drawn:
        cv2.rectangle(
            face, (middle[0] - half[0], middle[1] - half[1]), (middle[0] + half[0], middle[1] + half[1]), (60, 40, 160), -1
        )
    table.lay(face, (150.0, 140.0), 3.0)
    with pytest.raises(BadInput, match="as pale as the mat, and the four frame stickers must lie on something darker"):
        teacher.show(KEYS["face-2"], Frame(table.picture(Light(), 1), 0.0, "made", 1))
    assert not teacher.teaching.faces


@pytest.fixture
def shipped() -> str:
    return "get-adler"


def test_a_deck_is_taught_at_the_prompt_and_kept_in_the_profile(
    shipped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, pieces = boards.load(shipped), boards.load_pieces(shipped)
    table = CardTable(board, MAT_SHOT, 3, pieces=pieces)
    bare = table.film()

    def picture(name: str, art: np.ndarray | None) -> str:
        table.restore(bare)
        if art is not None:
            table.lay(cv2.resize(art, (236, 364)), (160.0, 148.0), 0.0, size_mm=(59.0, 91.0))
        path = tmp_path / f"{name}.png"
        cv2.imwrite(str(path), table.picture(Light(), 1))
        return str(path)

    assert main(["calibrate", "cards", str(tmp_path / "none.json"), "--board", shipped]) == 0
    keys = [line.partition(": ")[0] for line in capsys.readouterr().out.splitlines()]
    assert len(keys) == len(deck_faces(pieces)) > 14
    profile, empty = str(tmp_path / "table.json"), picture("empty", None)
    faces = [f"{keys[n]}={picture(f'f{n}', DECK.faces[f'face-{7 + n}'])}" for n in range(2)]
    assert main(["calibrate", "cards", profile, empty, faces[0], "--board", shipped, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (
        first["doubts"] == [] and set(first["missing"]) == set(keys[1:]) and first["size_mm"][0] == pytest.approx(59, abs=3.5)
    )
    assert main(["calibrate", "cards", profile, empty, faces[1], "--board", shipped]) == 0
    assert "2 faces are known" in capsys.readouterr().out
    kept = TableProfile.load(Path(profile))
    assert kept.mode == "cards" and kept.cards is not None
    assert [face.key for face in kept.cards.faces] == keys[:2] and kept.teaching is None
    again = tmp_path / "again.json"
    kept.save(again)
    assert again.read_text() == Path(profile).read_text()
    assert look_alikes(kept.cards, pieces) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda cards: cards["faces"][0].update(face="joker"), "'joker', which is no face"),
        (lambda cards: cards.update(size_mm=[5, 8]), "no size that can be"),
        (lambda cards: cards.update(ground=[0, 0, 0]), "no colour that can be"),
        (lambda cards: cards["faces"].clear(), "0 pictures of cards"),
        (lambda cards: cards["faces"][0].update(png="nothing"), "damaged"),
    ],
)
def test_a_damaged_lesson_is_refused(change: object, words: str, tmp_path: Path) -> None:
    lens = {"matrix": [[900.0, 0, 639.5], [0, 900.0, 479.5], [0, 0, 1]], "distortion": [0.0] * 5, "size": [1280, 960]}
    png = cv2.imencode(".png", np.full((160, 112, 3), 99, np.uint8))[1].tobytes()
    import base64  # noqa: PLC0415

    cards = {
        "size_mm": [59, 91],
        "ground": [200, 210, 220],
        "faces": [{"face": "cards:gun", "png": base64.b64encode(png).decode()}],
    }
    document = {
        "format": "table-profile/5", "board": "get-adler", "edition": "first-2016", "mode": "cards", "note": "", "lens": lens,
        "teaching": None, "cards": cards,
    }  # fmt: skip
    path = tmp_path / "table.json"
    path.write_text(json.dumps(document))
    assert TableProfile.load(path).cards is not None
    change(cards)  # type: ignore[operator]
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput, match=words):
        TableProfile.load(path)
