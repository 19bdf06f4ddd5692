"""Teaching a deck of unmodified cards: each face shown once on the mat, alone; faces that look alike are named."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, PieceSet, Point
from companion.errors import BadInput, quoted
from companion.vision.camera import Lens, Registration
from companion.vision.cards.changes import patches_of, unlike
from companion.vision.cards.faces import FINE, CardTeaching, DeckFace, TaughtFace, card_groups, deck_faces, patches
from companion.vision.cards.ground import evened, ground_colour
from companion.vision.cards.likeness import FaceBank
from companion.vision.cards.settings import CardSettings
from companion.vision.cards.view import CardPose, Floats, MatGrid, lab
from companion.vision.frame import Frame, Image, Mask
from companion.vision.marked.frame_stickers import registered
from companion.vision.plain.teach import check_picture

Array = NDArray[np.float64]

SCALE = 3.0
"""Pixels a millimetre at most at which cards are measured and kept."""
LEAST_PX = 45.0
"""40..60 pixels that a card must be wide in the picture: below them faces cannot be told apart."""
WRONG_SIZE = 0.12
"""0.08..0.15 of its size by which a card may differ from what the game's file says."""


@dataclass(frozen=True, eq=False)
class CardTeachReport:
    """A taught deck, what was doubtful in words, and the faces that look alike: two keys, and whether they can be told."""

    teaching: CardTeaching
    sentences: tuple[str, ...]
    alike: tuple[tuple[str, str, bool], ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether every face was taught and nothing is doubtful."""
        return not self.sentences and not self.missing


class CardTeacher:
    """Takes the pictures of one lesson, one face at a time. ``empty``: the mat without any card, from the same camera in the
    same place. Raises BadInput where the mat is not in sight or the game has no cards."""

    def __init__(
        self, empty: Frame, board: Board, pieces: PieceSet, lens: Lens | None = None, kept: CardTeaching | None = None
    ) -> None:
        check_picture(empty.image, "empty mat")
        if not card_groups(pieces):
            raise BadInput(f"{board.name} has no cards that lie in zones")
        self.board, self.pieces, self.settings = board, pieces, CardSettings()
        self.faces: dict[str, DeckFace] = {face.key: face for face in deck_faces(pieces)}
        self._registration = _registered(empty, board, pieces, lens)
        self._grid = MatGrid.over(self._registration, board.size_mm, 30.0, SCALE)
        self._mat: Mask = self._grid.mat(board.size_mm)
        seen = self._grid.seen(empty.image)
        ground = ground_colour(seen, self._mat)
        if kept is not None:
            ground = np.asarray(kept.ground, np.float32)
        self._ground = ground
        self._bare: Floats = lab(evened(seen, ground, self._mat, self._grid))
        self._lessons: list[tuple[str, Image, CardPose, Point]] = []
        size = card_groups(pieces)[0].size_mm if kept is None else kept.size_mm
        self._nominal = size
        colour = (float(ground[0]), float(ground[1]), float(ground[2]))
        self._kept = kept or CardTeaching(board.id, board.edition, size, colour)

    @property
    def lens(self) -> Lens:
        """The lens that the mat was found with."""
        return self._registration.lens

    @property
    def teaching(self) -> CardTeaching:
        """What was taught so far. A face whose rim has the colour of the mat seems smaller than it is: the cards are as
        large as most of the larger ones seem."""
        if not self._lessons:
            return self._kept
        width, height = np.percentile([size for _, _, _, size in self._lessons], _LARGER, axis=0)
        found = replace(self._kept, size_mm=(float(width), float(height)))
        shown = {key for key, _, _, _ in self._lessons}
        faces = [one for one in self._kept.faces if one.key not in shown]
        cut = self._grid.cut_colour
        faces += [TaughtFace(key, cut(seen, pose, found.size_mm, FINE)) for key, seen, pose, _ in self._lessons]
        return replace(found, faces=tuple(faces))

    @property
    def missing(self) -> tuple[DeckFace, ...]:
        """The faces that were not shown yet."""
        known = {one.key for one in self.teaching.faces}
        return tuple(face for key, face in self.faces.items() if key not in known)

    def find(self, frame: Frame) -> tuple[CardPose, Point]:
        """Where the one card of a picture lies, and its size (mm). Raises BadInput for none or another thing."""
        check_picture(frame.image, "card")
        view = lab(evened(self._grid.seen(frame.image), self._ground, self._mat, self._grid))
        found = _rectangle(view, self._bare, self._grid, self._mat, self._nominal, self.settings)
        if found is None:
            raise BadInput(
                "no card is seen on the mat: lay one face on the bare mat and take your hand away; if one lies there, it is as "
                "pale as the mat, and the four frame stickers must lie on something darker"
            )
        pose, size = found
        (wide, tall), (width, height) = size, self._nominal
        if max(wide / width, tall / height) > 1 + WRONG_SIZE:
            raise BadInput(
                f"what lies on the mat is {wide:.0f} x {tall:.0f} mm, a card is {width:.0f} x {height:.0f} mm: lay one card "
                "alone, with nothing beside it"
            )
        if min(wide / width, tall / height) < 1 - WRONG_SIZE:
            raise BadInput(
                f"what stands out from the mat is {wide:.0f} x {tall:.0f} mm, a card is {width:.0f} x {height:.0f} mm: lay "
                "one card alone, all of it in sight; if it does so, it is as pale as the mat, and the four frame stickers must "
                "lie on something darker"
            )
        return pose, size

    def show(self, key: str, frame: Frame, *, more: bool = False) -> tuple[str, ...]:
        """Learn a face from a picture of it, the card lying upright for whoever looks at the picture, alone on the mat. With
        ``more`` it is another print of a face that was learnt already. What is doubtful is said. Raises BadInput when nothing
        can be learnt of it; what was known stays then."""
        if key not in self.faces:
            raise BadInput(f"{quoted(key)} is no face of this game's cards; there are: {', '.join(self.faces)}")
        pose, size = self.find(frame)
        seen = np.asarray(np.clip(evened(self._grid.seen(frame.image), self._ground, self._mat, self._grid), 0, 255), np.uint8)
        kept = self._lessons if more else [lesson for lesson in self._lessons if lesson[0] != key]
        self._lessons = [*kept, (key, seen, pose, size)]
        picture = self._grid.cut_colour(seen, pose, size, FINE)
        told = []
        wide = self._registration.pixels_per_mm((pose.x, pose.y)) * size[0]
        if wide < LEAST_PX:
            told.append(f"the card is only {wide:.0f} pixels wide: bring the camera nearer, {LEAST_PX:.0f} are needed")
        burnt = float((picture.min(axis=2) > _BURNT).mean())
        if burnt > _MOST_BURNT:
            told.append(
                f"{round(100 * burnt)} % of {self.faces[key].name} are washed out by a reflection: turn it or move the lamp"
            )
        return tuple(told)

    def report(self) -> CardTeachReport:
        """What was taught so far."""
        alike = look_alikes(self.teaching, self.pieces, self.settings)
        sentences = [
            f"{self.faces[one].name} and {self.faces[other].name} "
            + ("look alike: they are told apart only where all of them is in sight" if told else "cannot be told apart")
            for one, other, told in alike
        ]
        return CardTeachReport(self.teaching, tuple(sentences), alike, tuple(face.key for face in self.missing))


_LARGER = 75
"""Which of the measured sizes, in per cent of the lessons, counts."""
_BURNT, _MOST_BURNT = 252, 0.35
"""The level at which a pixel counts as washed out, and the share of a card that may be: some faces are white paper."""


def look_alikes(
    teaching: CardTeaching, pieces: PieceSet, settings: CardSettings | None = None
) -> tuple[tuple[str, str, bool], ...]:
    """The pairs of taught faces that are hard to tell apart (keys), and whether they can be told when all of them is in sight:
    each is compared with the other as if it had been seen."""
    settings = settings or CardSettings()
    faces = deck_faces(pieces)
    taught = patches(teaching, faces)
    bank = FaceBank(taught, teaching.size_mm, settings.likeness)
    leads = bank.leads()
    found = []
    for number, (one, _) in enumerate(taught):
        for further, (other, _) in enumerate(taught[:number]):
            lead = min(leads[number, further], leads[further, number])
            if one != other and lead < _ALIKE * settings.likeness.margin:
                found.append((faces[other].key, faces[one].key, bool(lead >= settings.likeness.margin)))
    return tuple(dict.fromkeys(found))


_ALIKE = 10.0
"""Faces whose lead over each other is less than so many times the margin that is asked are said to look alike."""


def _registered(frame: Frame, board: Board, pieces: PieceSet, lens: Lens | None) -> Registration:
    found = registered(frame, board, pieces, lens)
    if found is None:
        raise BadInput("the mat is not found: its four frame stickers must lie flat and in sight")
    return found


def _rectangle(
    view: Floats, bare: Floats, grid: MatGrid, mat: Mask, nominal: Point, settings: CardSettings
) -> tuple[CardPose, Point] | None:
    """The one rectangle that lies on the mat: where, and its size (mm)."""
    mask = unlike(view, bare, settings.landing) & mat
    parts = sorted(patches_of(mask, grid, nominal, settings.landing), key=lambda part: -part.area_mm2)
    for part in parts[:1]:
        rows, columns = (found.astype(np.float64) for found in np.nonzero(part.mask))
        low = [_edges(columns, rows, turn, grid) for turn in np.arange(-45.0, 45.0, 0.5)]
        best = min(range(len(low)), key=lambda index: float(np.prod(low[index][1] - low[index][0])))
        turn = -45.0 + 0.5 * best
        start, end = low[best]
        wide, tall = end - start
        if (wide > tall) != (nominal[0] > nominal[1]):
            turn, wide, tall = turn + (90 if turn < 0 else -90), tall, wide
        angle = np.radians(-45.0 + 0.5 * best)
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        x, y = (start[0] + end[0]) / 2 * across + (start[1] + end[1]) / 2 * down
        return CardPose(float(x), float(y), float(turn)), (float(wide), float(tall))
    return None


def _edges(columns: Array, rows: Array, turn: float, grid: MatGrid) -> tuple[Array, Array]:
    """The range (mm) of pixels along two directions; what a few of them reach beyond it is left out."""
    mm = grid.mm(np.column_stack([columns, rows]))
    angle = np.radians(turn)
    along = mm @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = 0.5 / grid.scale
    return np.percentile(along, 0.3, axis=0) - half, np.percentile(along, 99.7, axis=0) + half
