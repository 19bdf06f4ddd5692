"""What a set-up sees: the board by its markers, by corners or by what was taught; a plain copy taught from pictures."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion import games
from companion.boards import Board, PieceSet
from companion.boards.placement import decode
from companion.calibration.board import draw, from_corners
from companion.calibration.cards import CardTeacher
from companion.calibration.pawns import teach_more, teach_pawns
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import EnrolmentUpdate, learn_sides, reteach
from companion.calibration.teaching import TeachReport, teach_table
from companion.errors import BadInput
from companion.host import overlay as drawing
from companion.host import setup as steps
from companion.host.masking import masked
from companion.host.setup import CARDS, EMPTY, MARKED, PLAIN, SIDES, START_PICTURE, BoardFound, Line, NotYet, Point
from companion.vision.camera import Lens, Registration
from companion.vision.cards.faces import DeckFace, deck_faces
from companion.vision.cards.reader import CardReader
from companion.vision.frame import Frame, Image
from companion.vision.marked.markers import MarkerDetector
from companion.vision.marked.reader import MarkedReader
from companion.vision.observation import Observation
from companion.vision.pawns.reader import PawnReader
from companion.vision.plain.reader import PlainReader, Teaching
from companion.vision.plain.start import other_sides, sides_laid
from companion.vision.plain.teach import check_picture
from companion.vision.reader import Reader
from companion.vision.viewing import Viewing

MANY_DOUBTS = 4
"""So many pieces not where they belong, and the board may have been taken the wrong way round."""

ENOUGH_OF_FRAME = 2
"""So many frame markers of another game are no chance: they find its board as well."""


@dataclass(frozen=True)
class BoardDetection:
    """One look at the table: where the board is (None: not found, ``why`` says so), how many pieces are recognised, how many
    are ``hidden``, and at how many places it is ``untold`` whether one of those lies there that the start position has besides
    (0: it has no more than are recognised, and what other pieces lie upon is no matter yet);
    ``other``: the game whose frame markers lie there instead, empty when none does."""

    board: BoardFound | None
    seen: int = 0
    hidden: int = 0
    untold: int = 0
    why: str = ""
    other: str = ""


class SetupVision:
    """The eyes of one set-up: one game, edition and camera. Not for several threads at once."""

    def __init__(self, board: Board, pieces: PieceSet, lens: Lens | None = None, profile: TableProfile | None = None) -> None:
        """``lens`` and ``profile``: what is known beforehand. Raises BadInput for a profile of another board."""
        if profile is not None:
            profile.check(board)
        self.board, self.pieces = board, pieces
        self._starting = len(decode(board.start, board, pieces))
        self._lens = profile.lens if profile is not None else lens
        self._profile = profile if profile is not None and profile.taught else None
        self._given = self._profile
        self._cards = profile.cards if profile is not None else None
        self._teacher: CardTeacher | None = None
        self._marked = MarkedReader(board, pieces, self._lens)
        self._plain: Reader | None = None
        self._pictures: dict[str, Frame] = {}
        self._of_start: tuple[str, ...] = ()
        self._corners: NDArray[np.float64] | None = None
        self._registration: Registration | None = None

    # --- finding the board --------------------------------------------------------------------------------------

    def look(self, frame: Frame, mode: str) -> BoardDetection:
        """Read the table as it would be read in the game. Without a teaching only stickers can be looked for."""
        try:
            observation = self._looking(mode).read(frame)
        except BadInput as error:
            return BoardDetection(None, why=str(error))
        if observation.registration is None:
            return BoardDetection(None, why=_first(observation), other=self._other_game(frame))
        self._registration = observation.registration
        found = self._found("pictures" if mode == PLAIN else "markers", frame.size)
        seen, unknown = len(observation.reading.sightings), observation.reading.unknown
        hidden = sum(name in self.pieces.pieces for name in unknown)  # others are places of pieces that look alike
        return BoardDetection(found, seen, hidden, len(unknown) - hidden if seen < self._starting else 0)

    def _other_game(self, frame: Frame) -> str:
        """The game whose frame markers are in a picture that does not show this one's board; empty when there is none."""
        seen = {id_: len(detector.detect(frame.image)) for id_, detector in self._others.items()}
        best = max(seen, key=lambda id_: seen[id_], default="")
        return best if best and seen[best] >= ENOUGH_OF_FRAME else ""

    @cached_property
    def _others(self) -> dict[str, MarkerDetector]:
        """What finds the frame markers of every other game."""
        found = {}
        for id_ in games.available():
            pieces = games.load(id_).pieces()
            ids = frozenset(pieces.frame_markers) - frozenset(self.pieces.frame_markers)
            if id_ != self.board.id and ids:
                found[id_] = MarkerDetector(pieces.dictionary, ids)
        return found

    def place(self, frame: Frame, corners: tuple[Point, ...]) -> BoardFound:
        """The board from four corners of its frame line, each snapped to the line. Raises BadInput when they are none."""
        size = np.array(frame.size, np.float64)
        report = from_corners(frame, np.array(corners, np.float64) * size, self.board, self._lens)
        if not report.fits:
            raise BadInput(report.sentence)
        self._registration = report.registration
        return self._found("corners", frame.size)

    def overlay(self, frame: Frame, *, lines: bool, private: bool = False) -> bytes:
        """The picture as JPEG, with the board's lines drawn where it was found, if wished; ``private``: black beside the
        board where the game asks for that."""
        image: Image = frame.image
        known = self._registration if self._registration is not None and self._registration.lens.size == frame.size else None
        if private and known is not None and self.board.masked_outside:
            image = masked(image, known, self.board)
        if lines and known is not None:
            image = draw(image, known, self.board)
        return drawing.jpeg(drawing.shrink(image)[0])

    def forget_board(self) -> None:
        """Draw nothing until the board is found again."""
        self._registration = None

    # --- teaching -----------------------------------------------------------------------------------------------

    def take(self, kind: str, frame: Frame) -> None:
        """Keep a picture for teaching. One of the other sides belongs to the start picture before it, and goes with that.

        Raises BadInput for a picture that cannot show a board (black, torn, too small); what was kept before stays then.
        """
        check_picture(frame.image, "empty board" if kind == EMPTY else "start position")
        self._pictures.pop(SIDES, None)
        self._pictures[kind] = Frame(frame.image.copy(), frame.captured_at, kind)

    def taken(self, kind: str) -> Frame | None:
        """A picture that was kept; that of the empty board is known of a table of an earlier session, too."""
        known = (self._profile.teaching or self._profile.pawns) if self._profile is not None else None
        if kind == EMPTY and kind not in self._pictures and known is not None:
            return Frame(known.empty, 0.0, kind)
        return self._pictures.get(kind)

    def teach(self, corners: tuple[Point, ...] | None) -> tuple[tuple[str, ...], BoardFound]:
        """Learn the copy from both pictures: every doubt as a sentence, and where the board was found.

        A board photographed from its far side looks nearly alike: when much differs, the other way round is tried.
        Raises BadInput when nothing can be learnt.
        """
        empty, start = self._pictures[EMPTY], self._pictures[START_PICTURE]
        given = None if corners is None else np.array(corners, np.float64) * np.array(empty.size, np.float64)
        if self.board.lessons:
            self._corners = given
            return self._learnt(teach_pawns(empty, [start], self.board, self.pieces, self._lens, given))
        state = dict(self.board.start)
        report = teach_table(empty, start, self.board, self.pieces, state, self._lens, given)
        if given is not None and len(report.sentences) >= MANY_DOUBTS:
            try:
                turned = teach_table(empty, start, self.board, self.pieces, state, self._lens, np.roll(given, 2, axis=0))
                if len(turned.sentences) < len(report.sentences):
                    report, given = turned, np.roll(given, 2, axis=0)
            except BadInput:
                pass
        self._corners = given
        return self._learnt(report)

    def teach_sides(self, frame: Frame) -> tuple[tuple[str, ...], BoardFound]:
        """Learn the sides that the start position does not show as well, from a picture of what ``sides`` says; as ``teach``.
        A table of an earlier session learns them too: what it was taught then is enough.

        Raises BadInput when nothing can be learnt of it; what was learnt before stays then.
        """
        if self._profile is not None and self._profile.pawns is not None:
            report = teach_more(self._profile.pawns, frame, self.board, self.pieces, 1)
            self._pictures[SIDES] = Frame(frame.image.copy(), frame.captured_at, SIDES)
            return self._learnt(report)
        learnt = learn_sides(self._sharp(), frame, self.board, self.pieces)
        self._more(learnt)
        self._pictures[SIDES] = Frame(frame.image.copy(), frame.captured_at, SIDES)
        self._of_start = tuple(words for words in self._of_start if words not in learnt.mended)
        return (*self._of_start, *learnt.sentences), self._taught_board()

    def teach_piece(self, frame: Frame, at: Point, piece: str, side: str | None, facing: str | None) -> EnrolmentUpdate:
        """Learn one piece again that lies ``at`` a point of the picture (shares of its size).

        Raises BadInput, one sentence, when it cannot be learnt; nothing has changed then.
        """
        pixels = at[0] * frame.size[0], at[1] * frame.size[1]
        learnt = reteach(self._sharp(), frame, pixels, piece, self.board, self.pieces, facing, side)
        self._more(learnt)
        return learnt

    # --- a deck of cards ----------------------------------------------------------------------------------------

    def begin_deck(self, frame: Frame) -> tuple[str, ...]:
        """Begin to learn a deck, or go on, from a picture of the empty mat. Raises BadInput where the mat is not in sight."""
        self._teacher = CardTeacher(frame, self.board, self.pieces, self._lens, self._cards)
        return self.deck_doubts()

    def show_face(self, face: str, frame: Frame) -> tuple[str, ...]:
        """Learn one face that lies alone on the mat: every doubt about the deck as a sentence. Raises BadInput when nothing
        can be learnt of it; what was known stays then."""
        if self._teacher is None:
            raise NotYet(steps.PIECES, steps.MAT_FIRST)
        told = self._teacher.show(face, frame)
        self._cards, self._lens = self._teacher.teaching, self._teacher.lens
        return (*told, *self.deck_doubts())

    @property
    def deck(self) -> tuple[tuple[DeckFace, bool], ...]:
        """The faces of the game's cards, each with whether it is known."""
        known = {one.key for one in self._cards.faces} if self._cards is not None else set()
        return tuple((face, face.key in known) for face in deck_faces(self.pieces))

    @property
    def knows_cards(self) -> bool:
        """Whether some face is known."""
        return self._cards is not None

    def deck_doubts(self) -> tuple[str, ...]:
        """What is missing, else which faces look alike: compared only once all are there."""
        missing = [face.name for face, known in self.deck if not known]
        if missing:
            return (f"not shown yet: {', '.join(missing)}",)
        return self._teacher.report().sentences if self._teacher is not None else ()

    @property
    def taught_here(self) -> bool:
        """Whether a picture was taken, or something learnt, that was not known beforehand."""
        return bool(self._pictures) or self._teacher is not None or self._profile is not self._given

    @property
    def profile_now(self) -> TableProfile | None:
        """What an unmodified copy is known by at the moment; another object whenever something more was learnt."""
        return self._profile

    def forget_since(self, profile: TableProfile | None) -> None:
        """Know the copy again as it was known before (``profile_now`` of then)."""
        self._profile, self._plain = profile, None

    def rest(self) -> None:
        """Let go of what only looking needs, some 100 MB for an unmodified copy, once a game has its own reader; the next look
        makes it anew."""
        self._plain = None
        self._marked = MarkedReader(self.board, self.pieces, self._lens)

    @property
    def sides(self) -> tuple[Line, ...] | None:
        """What to lay for the third picture; None where the start position shows every side."""
        if self.board.lessons:
            return ()  # drawn, not told
        turned = self._other_sides
        return None if turned is None else tuple(Line(text, words) for text, words in sides_laid(turned, self.pieces))

    @cached_property
    def _other_sides(self) -> dict[str, Any] | None:
        return other_sides(self.board, self.pieces, dict(self.board.start))

    def _learnt(self, report: TeachReport) -> tuple[tuple[str, ...], BoardFound]:
        self._profile, self._plain, self._of_start = report.profile, None, report.sentences
        return report.sentences, self._taught_board()

    def _more(self, learnt: EnrolmentUpdate) -> None:
        assert self._profile is not None, "something was learnt before"
        self._profile, self._plain = replace(self._profile, teaching=learnt.teaching), None

    def _sharp(self) -> Teaching:
        """What the copy is known by. Raises NotYet."""
        teaching = self._profile.teaching if self._profile is not None else None
        if teaching is None:
            raise NotYet(steps.PIECES, steps.BOTH_FIRST)
        return teaching

    def _taught_board(self) -> BoardFound:
        """Where the board lies in the picture of the empty board."""
        pawns = self._profile.pawns if self._profile is not None else None
        self._registration = self._sharp().registration if pawns is None else pawns.registration
        size = self._registration.lens.size
        return self._found("pictures" if self._corners is None else "corners", size)

    # --- playing ------------------------------------------------------------------------------------------------

    def reader(self, mode: str) -> Reader:
        """Who reads the table during the game."""
        if self._cards is not None and mode != MARKED:
            return CardReader(self.board, self.pieces, self._cards, self._lens)
        taught = self._taught_reader() if mode == PLAIN else None
        return taught or MarkedReader(self.board, self.pieces, self._lens)

    def profile(self, mode: str) -> TableProfile | None:
        """What to keep of this table; None while nothing is known."""
        if mode == PLAIN:
            return self._profile
        lens = self._lens if self._lens is not None else self._registration.lens if self._registration is not None else None
        if lens is None:
            return None
        cards = self._cards if mode != MARKED else None
        return TableProfile(self.board.id, self.board.edition, MARKED if cards is None else CARDS, lens, cards=cards)

    def _looking(self, mode: str) -> Reader:
        """A reader of this set-up's own, so that the game begins with a fresh one."""
        if mode == PLAIN and self._plain is None:
            self._plain = self._taught_reader()
        return self._plain if mode == PLAIN and self._plain is not None else self._marked

    def _taught_reader(self) -> Reader | None:
        """A reader of the unmodified copy, as far as it was taught."""
        known = self._profile
        if known is not None and known.pawns is not None:
            return PawnReader(self.board, self.pieces, known.pawns)
        if known is not None and known.teaching is not None:
            return PlainReader(self.board, self.pieces, known.teaching)
        return None

    def _found(self, way: str, size: tuple[int, int]) -> BoardFound:
        registration = self._registration
        assert registration is not None, "called once the board is registered"
        pixels = registration.project(self.board.frame_corners_mm)
        shares = pixels / np.array(size, np.float64)
        corners = tuple((float(x), float(y)) for x, y in shares)
        return BoardFound(way, float(registration.error_mm), corners, Viewing.of(registration, self.board, self.pieces))


def _first(observation: Observation) -> str:
    return observation.problems[0] if observation.problems else "the board is not in sight"
