"""Setting a table up, as one frozen value folded by steps: what was chosen, what follows, what is still missing.

Pure: no picture, camera, clock or page is known here. Whoever does the work (opens a camera, finds a board, teaches a copy)
lays its result in with one of the functions below; each throws away what the change has made worthless.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from companion.errors import BadInput
from companion.host.choices import Choices
from companion.vision.viewing import Viewing

GAME, CAMERA, BOARD, PIECES, RULES, SOUND, SEATS, START = (
    "game", "camera", "board", "pieces", "rules", "sound", "seats", "start",
)  # fmt: skip
STEPS = (GAME, CAMERA, BOARD, PIECES, RULES, SOUND, SEATS, START)
MARKED, PLAIN = "marked", "plain"
PICTURES = EMPTY, START_PICTURE, SIDES = "empty", "start", "sides"
KINDS = ("device", "address", "phone", "demo")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence: English template and its words."""

    text: str
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def to_json(self) -> dict[str, Any]:
        """As every sentence travels, so that it is told in the reader's language."""
        return {"text": self.text, "params": dict(self.params)}


class NotYet(BadInput):
    """A step that cannot be done now; ``line`` says why, ``step`` where to go first."""

    def __init__(self, step: str, line: Line) -> None:
        self.step, self.line = step, line
        super().__init__(line.text.format(**line.params))


_FIXED = Line("This game keeps its board. Begin a new game to choose another.")
CAMERA_FIRST = Line("Choose a camera first.")
_EMPTY_FIRST = Line("Take the picture of the empty board first.")
BOTH_FIRST = Line("Take both pictures first.")
_RULES_FIXED = Line("How this game is played stays as it began; the table's menu has what can still change.")
_DIFFERS = Line("The start picture differs from the start position.")


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """Which camera: ``kind`` is one of ``KINDS``, ``address`` what it is opened by (empty for a phone and the demo)."""

    kind: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class BoardFound:
    """Where the board lies: ``way`` "markers", "corners" or "pictures"; ``error_mm`` is left over on the board; ``corners``
    of the frame line (top left, top right, bottom right, bottom left) as shares of the picture's width and height;
    ``viewing``: from how steep and how large the camera sees it, None where that was not measured."""

    way: str
    error_mm: float
    corners: tuple[Point, ...]
    viewing: Viewing | None = None


@dataclass(frozen=True)
class Setup:
    """Everything chosen so far. ``at`` is the step that is shown; ``passed`` those that somebody only had to look at;
    ``doubts`` is None until both pictures were compared; ``name``: what the table is kept under, empty while it is not;
    ``fixed``: a game is on, its game and edition stay."""

    game: str
    edition: str
    camera: CameraChoice | None = None
    board: BoardFound | None = None
    mode: str = ""
    pictures: frozenset[str] = frozenset()
    doubts: tuple[str, ...] | None = None
    accepted: bool = False
    choices: Choices = field(default_factory=Choices)
    passed: frozenset[str] = frozenset()
    at: str = GAME
    name: str = ""
    fixed: bool = False


def with_game(setup: Setup, game: str, edition: str) -> Setup:
    """Another game or edition: its board lies elsewhere, its pieces are others, its house rules too."""
    if (game, edition) == (setup.game, setup.edition):
        return _passed(setup, GAME)
    if setup.fixed:
        raise NotYet(GAME, _FIXED)
    fresh = replace(_unlooked(setup), game=game, edition=edition)
    choices = replace(setup.choices, rules=MappingProxyType({}), seating=()) if game != setup.game else setup.choices
    return _passed(replace(fresh, choices=choices), GAME)


def with_camera(setup: Setup, camera: CameraChoice) -> Setup:
    """Another camera sees the board elsewhere, and sees other colours."""
    return replace(_passed(_unlooked(setup), GAME), camera=camera)


def with_board(setup: Setup, board: BoardFound) -> Setup:
    """The board was found, or found anew: corners that moved make what was taught with them worthless."""
    if setup.camera is None:
        raise NotYet(CAMERA, CAMERA_FIRST)
    moved = board.way == "corners" and (setup.board is None or setup.board.corners != board.corners)
    mode = setup.mode or (MARKED if board.way == "markers" else "")
    fresh = replace(setup, doubts=None, accepted=False) if moved else setup
    return replace(fresh, board=board, mode=mode)


def seen(setup: Setup, board: BoardFound) -> Setup:
    """The board was found by looking. Corners that were set by hand stay known as such."""
    by_hand = setup.board is not None and setup.board.way == "corners"
    return replace(setup, board=replace(board, way="corners") if by_hand else board, mode=setup.mode or MARKED)


def without_board(setup: Setup) -> Setup:
    """The board is not where it was, and not found again."""
    return replace(setup, board=None)


def with_mode(setup: Setup, mode: str) -> Setup:
    """Pieces with stickers, or an unmodified copy."""
    if mode not in (MARKED, PLAIN):
        raise BadInput(f"mode {mode[:20]!r} is not known; there are: {MARKED}, {PLAIN}")
    return replace(setup, mode=mode)


def with_picture(setup: Setup, kind: str) -> Setup:
    """A picture for teaching was taken, or taken again; what was learnt from the one before is gone.

    That of the other sides only adds to what the first two taught.
    """
    if kind not in PICTURES:
        raise BadInput(f"picture {kind[:20]!r} is not known; there are: {', '.join(PICTURES)}")
    if setup.camera is None:
        raise NotYet(CAMERA, CAMERA_FIRST)
    if kind == START_PICTURE and EMPTY not in setup.pictures:
        raise NotYet(PIECES, _EMPTY_FIRST)
    if kind == SIDES:
        if setup.doubts is None:
            raise NotYet(PIECES, BOTH_FIRST)
        return replace(setup, pictures=setup.pictures | {SIDES})
    # An empty board photographed again is another table: the start picture has to fit it. The other sides fit both.
    kept = frozenset() if kind == EMPTY else setup.pictures - {SIDES}
    return replace(setup, mode=PLAIN, pictures=kept | {kind}, doubts=None, accepted=False)


def taught(setup: Setup, doubts: tuple[str, ...], board: BoardFound) -> Setup:
    """The pictures were compared: every doubt as a sentence, and where the board was found in them."""
    kept = setup.board if setup.board is not None and setup.board.way == "corners" else board
    accepted = setup.accepted and set(doubts) <= set(setup.doubts or ())
    return replace(setup, mode=PLAIN, doubts=doubts, accepted=accepted, board=replace(kept, error_mm=board.error_mm))


def taught_piece(setup: Setup, piece: str, doubts: tuple[str, ...]) -> Setup:
    """One piece was learnt again: what was doubted of it before is gone."""
    if setup.doubts is None:
        raise NotYet(PIECES, BOTH_FIRST)
    kept = tuple(line for line in setup.doubts if not line.startswith(f"{piece} "))
    return replace(setup, doubts=tuple(dict.fromkeys(kept + doubts)), accepted=setup.accepted and not doubts)


def accept(setup: Setup) -> Setup:
    """Play on in spite of the doubts."""
    if setup.doubts is None:
        raise NotYet(PIECES, BOTH_FIRST)
    return replace(setup, accepted=True)


def with_choices(setup: Setup, choices: Choices) -> Setup:
    """How the session is played; fixed with the first event of a game."""
    if setup.fixed and choices != setup.choices:
        raise NotYet(RULES, _RULES_FIXED)
    return _passed(replace(setup, choices=choices), RULES)


def remembered(
    setup: Setup, game: str, edition: str, camera: CameraChoice, mode: str, choices: Choices, name: str = "",
    pictures: frozenset[str] = frozenset(),
) -> Setup:  # fmt: skip
    """A table of an earlier session, ready but for its board, which a look at it finds; ``pictures``: what it was taught by."""
    fresh = with_camera(with_game(setup, game, edition), camera)
    choices = setup.choices if setup.fixed else choices  # a game that was begun goes on as it is played
    doubts = () if mode == PLAIN else None
    seen = replace(fresh, mode=mode, doubts=doubts, pictures=pictures, choices=choices, name=name)
    return replace(seen, passed=frozenset({GAME, RULES, SOUND, SEATS}), at=START)


def go(setup: Setup, step: str) -> Setup:
    """Look at another step; the one that is left counts as seen."""
    if step not in STEPS:
        raise BadInput(f"step {step[:20]!r} is not known; there are: {', '.join(STEPS)}")
    return replace(_passed(setup, setup.at), at=step)


def done(setup: Setup, step: str) -> bool:
    """Whether a step needs nothing more."""
    match step:
        case "camera":
            return setup.camera is not None
        case "board":
            return setup.board is not None
        case "pieces":
            if setup.mode == MARKED:
                return setup.board is not None and setup.board.way == "markers"
            return setup.mode == PLAIN and setup.doubts is not None and (not setup.doubts or setup.accepted)
        case "start":
            return False
    return step in setup.passed


_MISSING: Mapping[str, Line] = MappingProxyType(
    {
        CAMERA: Line("No camera is chosen."),
        BOARD: Line("The board is not found yet."),
        PIECES: Line("The companion does not know the pieces yet."),
    }
)


def missing(setup: Setup) -> tuple[tuple[str, Line], ...]:
    """What keeps the game from starting, each with the step that mends it, in their order."""
    found = [(step, line) for step, line in _MISSING.items() if not done(setup, step)]
    if setup.doubts and not setup.accepted:
        found = [(step, line) for step, line in found if step != PIECES]
        found.append((PIECES, _DIFFERS))
    return tuple(found)


def ready(setup: Setup) -> Setup:
    """The set-up, when a game can start with it. Raises NotYet with the first thing that is missing."""
    for step, line in missing(setup):
        raise NotYet(step, line)
    return setup


def _passed(setup: Setup, step: str) -> Setup:
    return replace(setup, passed=setup.passed | {step})


def _unlooked(setup: Setup) -> Setup:
    """Nothing that depends on what the camera sees."""
    return replace(setup, board=None, mode="", pictures=frozenset(), doubts=None, accepted=False, name="")
