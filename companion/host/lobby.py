"""The lobby: a table being set up, step by step, with a camera looking at it; then the game begins, and may be set up again.

What was chosen is one frozen value (``setup.py``). Here are the effects: cameras are opened, boards looked for, copies taught,
tables kept. One thing is done at a time. Nothing here knows of pages.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion import games
from companion.boards import Board, PieceSet
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import knows_other_sides
from companion.devices.cameras.push import PushCamera
from companion.errors import BadInput, CompanionError
from companion.games.game import Game
from companion.games.values import Role
from companion.host import setup as steps
from companion.host.camera_state import ENDED, LOST, SILENT
from companion.host.choices import Choices
from companion.host.lobby_parts import Beginning, LobbySettings, OpenedCamera, Sources
from companion.host.preview import Preview, SharedCamera
from companion.host.profile_store import KnownTable, ProfileStore
from companion.host.resuming import Resumable
from companion.host.setup import CameraChoice, Line, NotYet, Setup
from companion.host.setup_vision import BoardDetection, SetupVision
from companion.host.table_proxy import NoTableYet
from companion.vision.cards.faces import DeckFace
from companion.vision.frame import Frame

Json = Mapping[str, Any]
NO_PICTURE = Line("The camera has not given a picture yet. Wait a moment, or look whether it is covered or in use.")
OLD_PICTURE = Line("The camera gives no pictures now, and its last one is old. Wait until it is back, or choose another one.")
NO_GAME = Line("There is no game yet that another could follow.")
PIECE_LEARNT = Line("{name} at {place} is learnt.")
NOTHING_TO_RESUME = Line("There is no game here to go on with.")
NOT_KEPT = Line("It is not known what this game's table was set up with. Choose its camera.")
CAMERA_AWAY = Line("The camera of this table gives no picture. Switch it on and try again, or choose another one.")
EXCHANGED = Line("This recording was made of this board, which is chosen now: {board}.")
RECORDING_LEFT = Line("The recording that was chosen shows another board. Choose a camera.")
NO_PHONE = Line("This table is not watched by a phone. Choose the phone as camera first.")


@dataclass(frozen=True)
class _RunningGame:
    """What the running game was set up with; ``known``: what its copy was known by."""

    setup: Setup
    vision: SetupVision
    preview: Preview
    known: TableProfile | None


class Lobby:
    """One set-up. Every method may be called from any thread."""

    def __init__(
        self,
        sources: Sources,
        profiles: ProfileStore,
        begin: Callable[[Beginning], None],
        first: Setup | None = None,
        settings: LobbySettings | None = None,
        *,
        renew: Callable[[Setup, SetupVision | None], None] | None = None,
        vision: SetupVision | None = None,
        resumable: Resumable | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``begin`` starts the game, or lets it go on with another set-up. ``first``: what was chosen beforehand.
        ``renew`` ends this session, and lets another begin with the same set-up and ``vision``, and a record of its own.
        ``resumable``: the game that is on record already, to go on with."""
        self._sources, self.profiles, self._begin = sources, profiles, begin
        self._renew, self.resumable = renew, resumable
        self._settings, self._clock = settings or LobbySettings(), clock
        self.setup = first or Setup(games.DEFAULT, games.load().editions()[0])
        self.preview: Preview | None = None
        self._vision: SetupVision | None = None
        self._playing: _RunningGame | None = None
        self._brings: dict[CameraChoice, OpenedCamera] = {}
        self.detection: BoardDetection | None = None
        self.learnt: Line | None = None
        self.exchanged: Line | None = None
        self._looked = self._found_at = float("-inf")
        self._lock, self._closed = threading.RLock(), False
        if vision is not None and self.setup.camera is not None:
            self._go_on(self.setup.camera, vision)

    # --- asking -------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether a game is on."""
        return self._playing is not None

    @property
    def changed(self) -> bool:
        """Whether something differs from what the running game was set up with."""
        mine, vision = self._playing, self._vision
        return mine is None or (mine.vision, mine.known, _seen(mine.setup)) != (
            vision,
            vision and vision.profile_now,
            _seen(self.setup),
        )

    @property
    def sides(self) -> tuple[Line, ...] | None:
        """What to lay for a third picture; None where none is of use."""
        return self._vision.sides if self._vision is not None else None

    @property
    def deck(self) -> tuple[tuple[DeckFace, bool], ...]:
        """The faces of the chosen game's cards, each with whether it is known."""
        return self._vision.deck if self._vision is not None else ()

    @property
    def game(self) -> Game:
        """The game that was chosen."""
        return games.load(self.setup.game)

    @property
    def seats(self) -> tuple[Role, ...]:
        """The seats of a match as it is chosen now."""
        return self.game.seats_by(self.setup.choices.rules)

    def taken(self, kind: str) -> bool:
        """Whether there is a picture to show that was taken for teaching."""
        return self._vision is not None and self._vision.taken(kind) is not None

    @property
    def losable(self) -> bool:
        """Whether another camera, board or table would lose pictures that somebody took, not those that a recording brings."""
        brings = self._brings.get(self.setup.camera) if self.setup.camera is not None else None
        brought = brings is not None and brings.profile is not None
        return bool(self.setup.pictures) and not (brought and self._vision is not None and not self._vision.taught_here)

    def picture(self, *, lines: bool, taken: str = "") -> bytes | None:
        """The newest picture as JPEG, with the board's lines if wished, or one that was ``taken`` for teaching."""
        with self._lock:
            vision, preview = self._vision, self.preview
        if vision is None or preview is None:
            return None
        frame = vision.taken(taken) if taken else preview.newest()
        return None if frame is None else vision.overlay(frame, lines=lines, private=self.playing and not taken)

    def look(self) -> None:
        """Look for the board, if somebody waits for it and the last look was long enough ago. Cheap to call often."""
        now = self._clock()
        if self._vision is None or self.preview is None or now - self._looked < self._settings.look_every_s:
            return
        if self.setup.at not in _LOOKING or not self._lock.acquire(blocking=False):
            return
        if self.playing and self.setup.at == steps.START and not self.changed:
            self._lock.release()
            return  # the game's own reader looks; a lobby's page left open needs no second one
        try:
            frame = self.preview.newest() if self.preview is not None and self._vision is not None else None
            if frame is not None:
                self._looked = now
                self._take_in(frame)
        finally:
            self._lock.release()

    # --- doing --------------------------------------------------------------------------------------------------

    def do(self, command: str, given: Json) -> None:
        """Do one thing. Raises CompanionError, one sentence, when it cannot be done; nothing has changed then."""
        handler: Callable[[Json], None] | None = getattr(self, f"_do_{command}", None) if command in COMMANDS else None
        if handler is None:
            raise BadInput(f"the lobby knows no {command[:20]!r}; there are: {', '.join(COMMANDS)}")
        with self._lock:
            if self._closed:  # a camera that is opened now would stay open, and be in use for the session after this one
                raise NoTableYet
            self.learnt = None
            handler(given)

    def push(self, data: bytes, *, still: bool = False) -> tuple[int, int]:
        """A picture of a phone. Raises BadInput when no phone was chosen, or it is no picture."""
        preview = self.preview
        if preview is None or not isinstance(preview.camera, PushCamera):
            raise NotYet(steps.CAMERA, NO_PHONE)
        return preview.camera.push(data, still=still)

    def close(self) -> None:
        """Let go of every camera; nothing can be done any more."""
        with self._lock:
            self._closed = True
            for preview in (self.preview, self._playing.preview if self._playing else None):
                if preview is not None:
                    preview.close()

    def _do_go(self, given: Json) -> None:
        self.setup = steps.go(self.setup, given["step"])

    def _do_game(self, given: Json) -> None:
        game = games.load(given["game"])
        if given["edition"] not in game.editions():
            raise BadInput(f"edition {given['edition'][:30]!r} is not known; there are: {', '.join(game.editions())}")
        before, self.setup = self.setup, steps.with_game(self.setup, game.id, given["edition"])
        camera = self.setup.camera
        if (before.game, before.edition) == (self.setup.game, self.setup.edition) or camera is None:
            return
        self.exchanged = None
        if camera.kind == "demo" and before.game != self.setup.game:
            self._other_recording()
        elif camera in self._brings and self._brings[camera].board is not None:
            self._no_camera()  # a recording of the board that was chosen before
        else:
            self._vision = SetupVision(game.board(self.setup.edition), game.pieces())
            self._unsee()

    def _other_recording(self) -> None:
        """Each game has a bundled recording of its own: watch that of the game that is chosen now, or none where it shows
        another board."""
        edition = self.setup.edition
        self._watch(CameraChoice("demo", self.setup.game))
        if self.setup.edition != edition:
            self.setup = steps.with_game(self.setup, self.setup.game, edition)
            self._no_camera()

    def _no_camera(self) -> None:
        if self.preview is not None:
            self.preview.close()
        self.preview = self._vision = None
        self.setup = replace(self.setup, camera=None)
        self.exchanged = RECORDING_LEFT

    def _do_camera(self, given: Json) -> None:
        if given["kind"] not in steps.KINDS:
            raise BadInput(f"camera {given['kind'][:20]!r} is not known; there are: {', '.join(steps.KINDS)}")
        address = given.get("address", "").strip() if given["kind"] in ("device", "address") else ""
        if given["kind"] == "demo":
            address = self.setup.game  # the recording of the game that is played, where there is one
        if given.get("trust"):
            self._sources.trust(given["trust"])
        choice = CameraChoice(given["kind"], address)
        if choice == self.setup.camera and self._vision is not None:
            self._open(choice)  # tried again: what it was taught fits it as before
        else:
            self._forget_begun()
            self._watch(choice)
            self._go_on_teaching(choice)

    def _go_on_teaching(self, choice: CameraChoice) -> None:
        """Know what was shown of a deck before this camera, and whose game did not begin before the companion ended."""
        vision = self._sharp_eyes()
        if vision.knows_cards or self.playing:
            return
        begun = self.profiles.begun(vision.board.id, vision.board.edition, choice)
        if begun is not None and begun.cards is not None:
            self._vision = SetupVision(vision.board, vision.pieces, profile=begun)
            self.setup = steps.with_faces(self.setup, self._vision.deck_doubts())

    def _forget_begun(self) -> None:
        """What was shown of a deck is kept with its game now, or was given up for another camera."""
        if self.losable and self._vision is not None:
            self.profiles.forget_begun(self._vision.board.id, self._vision.board.edition)

    def _do_onward(self, given: Json) -> None:
        if self.preview is not None:
            self.preview.advance(self._settings.first_picture_s)

    def _do_corners(self, given: Json) -> None:
        corners = tuple((float(x), float(y)) for x, y in given["corners"])
        self.setup = steps.with_board(self.setup, self._sharp_eyes().place(self._frame(), corners))

    def _do_find(self, given: Json) -> None:
        """Give up the corners that were set by hand."""
        self.setup = steps.without_board(self.setup)
        self._unsee()

    def _do_mode(self, given: Json) -> None:
        self.setup = steps.with_mode(self.setup, given["mode"])
        self._looked = float("-inf")

    def _do_take(self, given: Json) -> None:
        vision, frame = self._sharp_eyes(), self._frame()
        after = steps.with_picture(self.setup, given["picture"])
        if given["picture"] == steps.SIDES:
            self.setup = steps.taught(after, *vision.teach_sides(frame))
            return
        vision.take(given["picture"], frame)
        self.setup = after
        if given["picture"] == steps.START_PICTURE:
            board = self.setup.board
            corners = board.corners if board is not None and board.way == "corners" else None
            try:
                doubts, found = vision.teach(corners)
            except BadInput:
                self.setup = replace(after, pictures=after.pictures - {steps.START_PICTURE})
                raise
            self.setup = steps.taught(self.setup, doubts, found)

    def _do_piece(self, given: Json) -> None:
        """One piece is learnt again, by pointing at it in the newest picture."""
        if self.setup.doubts is None:
            raise NotYet(steps.PIECES, steps.BOTH_FIRST)
        x, y = given["at"]
        side, facing = (given.get(word) or None for word in ("side", "facing"))
        learnt = self._sharp_eyes().teach_piece(self._frame(), (float(x), float(y)), given["piece"], side, facing)
        self.setup = steps.taught_piece(self.setup, given["piece"], learnt.sentences)
        self.learnt = Line(PIECE_LEARNT.text, {"name": learnt.name or given["piece"], "place": learnt.place})

    def _do_deck(self, given: Json) -> None:
        """The deck is taught: this is the mat without cards."""
        self.setup = steps.with_faces(self.setup, self._sharp_eyes().begin_deck(self._frame()))

    def _do_face(self, given: Json) -> None:
        """One face of the deck is learnt, or learnt again: its card lies alone on the mat in the newest picture."""
        vision = self._sharp_eyes()
        self.setup = steps.with_faces(self.setup, vision.show_face(given["face"], self._frame()))
        profile, camera = vision.profile(steps.CARDS), self.setup.camera
        if profile is not None and camera is not None and not self.playing:
            self.profiles.keep_begun(profile, camera)

    def _do_accept(self, given: Json) -> None:
        self.setup = steps.accept(self.setup)

    def _do_choices(self, given: Json) -> None:
        choices = Choices.from_json(given["choices"])
        choices.check(self.game)
        self.setup = steps.with_choices(self.setup, choices)

    def _do_again(self, given: Json) -> None:
        """Play on a table that is known: everything as it was, and the game begins if the board is in sight. With ``step`` it
        does not begin: the table is opened there, to be changed."""
        table = self.profiles.table(given["table"])
        profile, game = self.profiles.profile(table.id), games.load(table.game)
        table.choices.check(game)
        after = steps.remembered(
            self.setup, table.game, table.edition, table.camera, _mode(table.mode, profile), table.choices, table.name,
            _taught_by(profile, game.board(table.edition), game.pieces()),
        )  # fmt: skip
        if given.get("step"):
            after = replace(after, at=steps.go(after, given["step"]).at)
        self._open_known(after, table.camera, profile)
        if given.get("step"):
            return
        if steps.missing(self.setup):
            self.setup = replace(self.setup, at=steps.missing(self.setup)[0][0])
            return
        self.profiles.touch(table.id)
        self._do_start({})

    def _do_resume(self, given: Json) -> None:
        """Go on with the game that is on record, before the table it was played on. The board need not be in sight just now:
        the running table looks for it, and whoever has a link comes in meanwhile."""
        if self.resumable is None or self.playing:
            raise NotYet(steps.GAME, NOTHING_TO_RESUME)
        kept = self.resumable.kept
        if kept is None:
            raise NotYet(steps.CAMERA, NOT_KEPT)
        pieces = games.load(self.setup.game).pieces()
        pictures = _taught_by(kept.profile, self.game.board(self.setup.edition), pieces) if kept.profile else frozenset()
        setup = replace(self.setup, choices=kept.choices)
        after = steps.remembered(
            setup, setup.game, setup.edition, kept.camera, _mode(kept.mode, kept.profile), kept.choices, kept.name, pictures
        )  # fmt: skip
        self._open_known(after, kept.camera, kept.profile)
        assert self.preview is not None, "just opened"
        if kept.camera.kind != "phone" and self.preview.newest() is None:
            self.setup = replace(self.setup, at=steps.CAMERA)
            raise NotYet(steps.CAMERA, CAMERA_AWAY)
        self._play(self.setup)

    def _do_forget(self, given: Json) -> None:
        self.profiles.forget(given["table"])

    def _do_remember(self, given: Json) -> None:
        self.profiles.remember(given["table"])

    def _do_start(self, given: Json) -> None:
        """Begin the game, or let the running one go on with what was changed."""
        chosen = steps.ready(self.setup)
        if not self.changed:
            return
        profile = self._sharp_eyes().profile(chosen.mode)
        if given.get("name") and profile is not None and chosen.camera is not None:
            chosen = replace(chosen, name=self.profiles.keep(given["name"], profile, chosen.camera, chosen.choices).name)
        self._play(chosen)
        self._forget_begun()

    def _do_back(self, given: Json) -> None:
        """Back to the running game, as it was set up."""
        mine = self._playing
        if mine is None:
            return
        if self.preview is not None and self.preview is not mine.preview:
            self.preview.close()
        mine.vision.forget_since(mine.known)
        self.setup, self._vision, self.preview = mine.setup, mine.vision, mine.preview

    def _do_new(self, given: Json) -> None:
        """Another game at this table, with a record of its own; that of the one before is kept, before a restart too."""
        if self._renew is None or not (self.playing or self.resumable):
            raise NotYet(steps.START, NO_GAME)
        self._renew(replace(self.setup, fixed=False, at=steps.GAME), self._vision)

    # --- parts --------------------------------------------------------------------------------------------------

    def _open_known(self, after: Setup, camera: CameraChoice, profile: TableProfile | None) -> None:
        """Open the camera of a table that is known, with the eyes it was known by, and look at it once."""
        before = self.setup
        self.setup = replace(self.setup, game=after.game, edition=after.edition)
        try:
            self._watch(camera)
            if profile is not None:
                self._vision = SetupVision(self._sharp_eyes().board, self._sharp_eyes().pieces, profile=profile)
        except CompanionError:
            self.setup = before
            raise
        self.setup = after
        assert self.preview is not None, "just opened"
        frame = self.preview.newest(0.0 if camera.kind == "phone" and after.fixed else self._settings.first_picture_s)
        if frame is not None:
            self._take_in(frame)

    def _play(self, chosen: Setup) -> None:
        """Hand camera and eyes to the game."""
        vision, preview, camera = self._sharp_eyes(), self.preview, chosen.camera
        assert preview is not None and camera is not None, "a set-up that is ready has a camera"
        before = self._playing
        preview.rest()
        if preview.recorded and (before is None or preview is not before.preview):  # a recording begins at its beginning
            preview.close()
            preview = self.preview = Preview(self._sources.open(camera, preview=False).camera, look=False)
        lent = SharedCamera(preview.camera, preview)
        try:
            self._begin(
                Beginning(
                    self.game, vision.board, lent, vision.reader(chosen.mode), chosen.choices, camera, chosen.mode, chosen.name,
                    vision.profile(chosen.mode),
                )
            )  # fmt: skip
        except CompanionError:
            preview.close()
            self.preview, self.setup = None, replace(chosen, camera=None)
            raise
        vision.rest()
        self.setup = replace(chosen, fixed=True, at=steps.START)
        self._playing = _RunningGame(self.setup, vision, preview, vision.profile_now)
        if before is not None and before.preview is not preview:
            before.preview.close()

    def _go_on(self, choice: CameraChoice, vision: SetupVision) -> None:
        """Take over what a session before this one was set up with; a camera that is gone meanwhile is chosen again."""
        try:
            opened = self._sources.open(choice, preview=True)
        except CompanionError:
            self.setup = replace(self.setup, camera=None, board=None)
            return
        self.preview, self._vision, self._brings = Preview(opened.camera), vision, {choice: opened}

    def _open(self, choice: CameraChoice) -> None:
        """Open a camera and let go of the one before, unless a game looks through it. One that is lost and cannot be opened yet
        stays: it is tried again by itself."""
        mine = self._playing
        idle = self.preview if mine is None or self.preview is not mine.preview else None
        if mine is not None and choice == mine.setup.camera:
            if idle is not None:
                idle.close()
            self.preview = mine.preview
        elif idle is None or choice != self.setup.camera or idle.state in (LOST, ENDED):
            if idle is not None and choice == self.setup.camera and idle.over:
                idle.close()  # nothing looks through it any more, and a device can be opened once only
            opened = self._sources.open(choice, preview=True)
            try:
                self._of_board(opened)
            except CompanionError:
                opened.camera.close()
                raise
            if idle is not None:
                idle.close()
            self.preview = Preview(opened.camera)
            self._brings = {**self._brings, choice: opened}

    def _watch(self, choice: CameraChoice) -> None:
        """Open a camera, and see the board through it anew."""
        self._open(choice)
        brings = self._brings[choice]
        before, self.setup = self.setup, self._of_board(brings)
        same = (before.game, before.edition) == (self.setup.game, self.setup.edition)
        self.exchanged = None if same or brings.board is None else Line(EXCHANGED.text, {"board": brings.board.label})
        self.setup = steps.with_camera(self.setup, choice)
        board = brings.board or self.game.board(self.setup.edition)
        self._vision = SetupVision(board, brings.pieces or self.game.pieces(), brings.lens, brings.profile)
        if self._vision.knows_cards:
            self.setup = steps.with_faces(self.setup, ())
        self._unsee()

    def _of_board(self, brings: OpenedCamera) -> Setup:
        """The set-up with the board that a recording was made of. Raises NotYet where a game is on that has another one."""
        board = brings.board
        return self.setup if board is None else steps.with_game(self.setup, board.id, board.edition)

    def _take_in(self, frame: Frame) -> None:
        vision, chosen = self._sharp_eyes(), self.setup
        if chosen.board is not None and chosen.board.way == "corners" and chosen.doubts is None:
            return  # set by hand, and nothing taught yet that could find it
        mode = chosen.mode if chosen.mode != steps.PLAIN or chosen.doubts is not None else steps.MARKED
        self.detection = vision.look(frame, mode)
        found, now = self.detection.board, self._clock()
        if found is not None:
            self._found_at = now
            if chosen.mode == steps.PLAIN and found.way == "markers":
                return
            self.setup = steps.seen(chosen, found)
        elif now - self._found_at > self._settings.board_kept_s and chosen.doubts is None:
            self.setup = steps.without_board(self.setup)
            vision.forget_board()

    def _frame(self) -> Frame:
        frame = self.preview.newest() if self.preview is not None else None
        if frame is None:
            raise NotYet(steps.CAMERA, NO_PICTURE)
        if self.preview is not None and self.preview.state in (LOST, SILENT):
            raise NotYet(steps.CAMERA, OLD_PICTURE)  # the table may have changed since
        return frame

    def _sharp_eyes(self) -> SetupVision:
        if self._vision is None:
            raise NotYet(steps.CAMERA, steps.CAMERA_FIRST)
        return self._vision

    def _unsee(self) -> None:
        self.detection, self._looked, self._found_at = None, float("-inf"), float("-inf")
        if self._vision is not None:
            self._vision.forget_board()


def _mode(mode: str, profile: TableProfile | None) -> str:
    """How the pieces of a kept table are known: by their faces where a deck was taught."""
    return steps.CARDS if profile is not None and profile.cards is not None else mode


def _taught_by(profile: TableProfile, board: Board, pieces: PieceSet) -> frozenset[str]:
    """The pictures that a kept table was taught by."""
    if profile.cards is not None:
        return frozenset({steps.EMPTY})
    if profile.pawns is not None:
        both = len(profile.pawns.lessons) > 1
        return frozenset({steps.EMPTY, steps.START_PICTURE} | ({steps.SIDES} if both else set()))
    if profile.teaching is None:
        return frozenset()
    sides = knows_other_sides(profile.teaching, board, pieces)
    return frozenset({steps.EMPTY, steps.START_PICTURE} | ({steps.SIDES} if sides else set()))


def _seen(setup: Setup) -> tuple[Any, ...]:
    return setup.camera, setup.mode, setup.pictures, setup.doubts, setup.game, setup.edition


_LOOKING = frozenset({steps.CAMERA, steps.BOARD, steps.PIECES, steps.START})
COMMANDS = (
    "go", "game", "camera", "onward", "corners", "find", "mode", "take", "piece", "deck", "face", "accept", "choices", "again",
    "resume", "forget", "remember", "start", "back", "new",
)  # fmt: skip

__all__ = ["COMMANDS", "Beginning", "KnownTable", "Lobby", "LobbySettings", "OpenedCamera", "Sources"]
