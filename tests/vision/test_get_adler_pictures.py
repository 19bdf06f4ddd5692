"""Get Adler! from composed pictures of an unmodified deck: taught, watched, refereed."""

from pathlib import Path

import cv2
import pytest
from surfaces import MAT_SHOT
from testkit.adler_table import GAME
from testkit.sitting import Sitting

from companion.calibration.cards import CardTeacher
from companion.calibration.training import card_decks
from companion.calibration.training.card_table import CARD_MM, CardTable, Light
from companion.calibration.training.stickers_composed import pose
from companion.cli.bench import table_reader
from companion.demo import table_of
from companion.vision.cards.faces import CardTeaching
from companion.vision.cards.reader import CardReader
from companion.vision.frame import Frame, Image
from companion.vision.pictures.files import load_picture
from companion.vision.reader import Region
from companion.vision.reading_comparison import same_claims
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher

DECK, SIZE = card_decks.deck(3), (59.0, 91.0)
ARTS = {"cards:document": "face-0", "cards:gun": "face-4", "cards:question": "face-9", "cards:back": "back"}
ROLES = {"seat-1": "gold", "seat-2": "sharpe", "seat-4": "adler", "seat-5": "townsend"}
TRAITS = {
    role: {"hat": "red", "hair": "red", "eyes": "blue", "coat": "grey"} for role in ("adler", "gold", "sharpe", "townsend")
}
BOARD, PIECES = GAME.board(GAME.editions()[0]), GAME.pieces()


class Cards:
    """The mat with what was laid on it, as the camera sees it."""

    def __init__(self) -> None:
        self.table = CardTable(BOARD, MAT_SHOT, 6, pieces=PIECES)
        self.lens = pose(BOARD, self.table.shot).lens
        self.pictures = 0
        self.laid: dict[str, int] = {}

    def picture(self) -> Frame:
        self.pictures += 1
        return Frame(self.table.picture(Light(), self.pictures), 0.0, "made", self.pictures)

    def lay(self, key: str, at: tuple[float, float], turn: float = 2.0, height: float = 0.0) -> None:
        art = cv2.resize(DECK.faces[ARTS[key]], (round(SIZE[0] * 4), round(SIZE[1] * 4)), interpolation=cv2.INTER_AREA)
        self.table.lay(art, at, turn, height, size_mm=SIZE)

    def upon(self, key: str, zone: str, turn: float = 2.0) -> None:
        """Lay a card upon those of a zone, not quite upon the last one."""
        count = self.laid[zone] = self.laid.get(zone, 0) + 1
        x, y = BOARD.zones[zone].middle
        self.lay(key, (x + 1.7 * (-1) ** count, y + 1.2 * (count % 3 - 1)), turn + count, CARD_MM * count)

    def teaching(self) -> CardTeaching:
        bare = self.table.film()
        teacher = CardTeacher(self.picture(), BOARD, PIECES, self.lens)
        for key in ARTS:
            self.table.restore(bare)
            self.lay(key, (160.0, 148.0))
            assert teacher.show(key, self.picture()) == ()
        self.table.restore(bare)
        return teacher.teaching


@pytest.fixture(scope="module")
def taught() -> CardTeaching:
    return Cards().teaching()


def test_cards_of_an_unmodified_deck_are_played_from_pictures(taught: CardTeaching, tmp_path: Path) -> None:
    mat = Cards()
    sitting = Sitting(GAME, tmp_path, lambda: Watcher(CardReader(BOARD, PIECES, taught, mat.lens), BOARD))
    assert "table-agreed" in [*sitting.look(mat.picture().image), *sitting.look(mat.picture().image)]
    for seat, role in ROLES.items():
        sitting.say(kind="entrust", seat=seat, purpose="role", value=role)
    sitting.say(kind="traits", traits=TRAITS)
    sitting.say(kind="start", who="seat-1")
    seen = []
    for key in ("cards:document", "cards:gun", "cards:gun"):
        mat.upon(key, "pile")
        seen.append(sitting.look(mat.picture().image))
    state = sitting.table.snapshot()["position"]
    assert state["cards"]["pile"] == ["document", "gun", "gun"], seen
    assert seen == [["play"]] * 3, "the second gun is a card more, though it looks like the first"


def seconds_until_told(watcher: Watcher, image: Image, begin: float) -> float:
    """How long a picture of the bundled table is shown, 30 times a second, until what lies there is told."""
    for number in range(120):
        if watcher.see(Frame(image, begin + number / 30, "made", number)).settled is not None:
            return number / 30
    raise AssertionError("what lies there was not told in four seconds")


def test_the_bundled_table_is_told_soon_after_each_change_once_its_places_were_seen_bare() -> None:
    """A doubt about places that only one of two looks has would keep a change waiting for ever, one of both for two seconds."""
    table = load_table_set(table_of(GAME.id))
    pictures = [load_picture(table.folder / file).image for file in table.files[:3]]
    watcher = Watcher(table_reader(table), table.board)
    begin = 0.0
    for image in pictures:
        waited = seconds_until_told(watcher, image, begin)
        assert waited < 0.5
        begin += waited + 1.0
        watcher.see(Frame(image, begin - 0.5, "made"))  # at rest: the bare places are learnt
    watcher = Watcher(table_reader(table), table.board)
    waited = seconds_until_told(watcher, pictures[1], 0.0)
    assert 1.9 < waited < 3.0, "places never shown bare are in doubt, and do not keep all waiting"


def test_a_look_at_one_place_of_the_bundled_table_doubts_what_a_look_at_everything_does() -> None:
    table = load_table_set(table_of(GAME.id))
    reader = table_reader(table)
    bare, frame = (load_picture(table.folder / file) for file in table.files[:2])
    before, whole = reader.read(bare), reader.read(frame)
    assert not before.reading.unknown and whole.reading.unknown, "places never shown bare are in doubt once a marker lies there"
    for spots in ({"hour-1"}, {"hour-1", "deck"}, set(table.board.spots)):
        part = reader.read(frame, region=Region(before, frozenset(spots)))
        assert part.reading.unknown == whole.reading.unknown and same_claims(part.reading, whole.reading, None), spots
