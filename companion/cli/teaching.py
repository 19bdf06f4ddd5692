"""``companion calibrate teach`` and ``piece``: a plain copy learnt from pictures, at once or some more of it later."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from companion import boards, bounded, games
from companion.boards import Board, PieceSet
from companion.calibration.pawns import lessons_of, teach_more, teach_pawns
from companion.calibration.profile import TableProfile
from companion.calibration.repeated_enrolment import EnrolmentUpdate, learn_sides, reteach
from companion.calibration.teaching import teach_table
from companion.cli.files import corners_of, keep_picture_apart, read_lens, write_picture
from companion.cli.writing import keep_apart
from companion.errors import BadInput, quoted
from companion.vision.camera import displayed_mm
from companion.vision.pictures.files import WHOLE, load_picture
from companion.vision.plain.reader import Teaching
from companion.vision.plain.start import laid, other_sides


def add_parts(parts: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parts to ``companion calibrate``."""
    teach = parts.add_parser(
        "teach", help="teach a plain copy from the empty board and the start position",
        usage="%(prog)s [options] EMPTY START PROFILE [--sides PICTURE]\n       %(prog)s PROFILE --sides PICTURE",
        description="EMPTY and START are pictures of the empty board and of the start position, from the same camera in the "
        "same place (where a board names two positions to learn its pieces by, START shows the first and --sides the second); "
        "the table profile is written to PROFILE. A PROFILE alone, with --sides, learns the other sides as well and keeps all "
        "it knew.",
    )  # fmt: skip
    teach.add_argument("files", metavar="FILE", type=Path, nargs="+", help="EMPTY START PROFILE, or PROFILE alone with --sides")
    teach.add_argument("--lens", type=Path, help="a lens file written by 'calibrate lens'")
    teach.add_argument("--corners", help="corners of the frame line in the empty picture, if the board is not found by itself")
    teach.add_argument(
        "--sides",
        type=Path,
        help="picture of the sides that the start position does not show; teaching says what to lay for it",
    )
    teach.add_argument("--overlay", type=Path, help="write the start picture with the board drawn on it")
    teach.add_argument("--json", action="store_true", help="print JSON")
    board_options(teach)
    teach.set_defaults(board=None)  # a PROFILE alone has its own
    teach.set_defaults(run=run_teach)

    piece = parts.add_parser(
        "piece", help="learn one piece of a taught copy again",
        description="Learn one piece again by pointing at it in a new picture of the same table. The profile keeps all else.",
    )  # fmt: skip
    piece.add_argument("profile", type=Path, help="the table profile, as 'calibrate teach' or the lobby wrote it")
    piece.add_argument("picture", type=Path, help="a picture from the same camera, with that piece on the board")
    piece.add_argument("piece", help="the piece's id, as 'companion read' says it")
    piece.add_argument("--at", required=True, metavar="X,Y", help="where it lies in the picture, in pixels from the top left")
    piece.add_argument("--side", help="the side that is up, of a piece with several; of a disc the first if not said")
    piece.add_argument("--facing", help="which way it faces, of a piece that does")
    piece.add_argument("--json", action="store_true", help="print JSON")
    piece.set_defaults(run=run_piece)


def board_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--board`` and ``--edition``."""
    parser.add_argument("--board", default=games.DEFAULT, help=f"a shipped board's id ({games.DEFAULT})")
    parser.add_argument("--edition", help="the printed edition")


def run_teach(options: argparse.Namespace) -> int:
    """``companion calibrate teach``."""
    match options.files:
        case [profile] if options.sides is not None:
            return _add_sides(profile, options)
        case [empty, start, profile]:
            return _teach(empty, start, profile, options)
    raise BadInput("teach takes EMPTY START PROFILE, or --sides with the PROFILE of a table that is taught already")


def _teach(empty: Path, start: Path, path: Path, options: argparse.Namespace) -> int:
    keep_picture_apart(options.overlay, empty, start, path, options.sides, options.lens)
    keep_apart(path, options.lens)
    if path.exists():
        TableProfile.load(path)  # what is no profile, a third picture say, is not written over
    game = options.board or games.DEFAULT
    board, pieces = boards.load(game, options.edition), boards.load_pieces(game)
    corners = None if options.corners is None else corners_of(options.corners)
    first, second = (load_picture(file, limits=WHOLE) for file in (empty, start))
    sides = None if options.sides is None else load_picture(options.sides, limits=WHOLE)
    if board.lessons:
        laid_out = [second] if sides is None else [second, sides]
        report = teach_pawns(first, laid_out, board, pieces, read_lens(options.lens), corners)
    else:
        report = teach_table(first, second, board, pieces, dict(board.start), read_lens(options.lens), corners, sides)
    report.profile.save(path)
    if options.overlay is not None:
        write_picture(options.overlay, report.overlay)
    if options.json:
        print(json.dumps({"ready": report.ready, "error_mm": report.error_mm, "doubts": list(report.sentences)}))
    else:
        _say(f"taught; the board's lines fit to {displayed_mm(report.error_mm)} mm", report.sentences)
        if board.lessons:
            if sides is None:
                wanted = laid_out_words(board, pieces, 1)
                print(
                    f"what that picture does not show is never claimed; to have it known, lay {wanted}, "
                    f"take a picture of it and give that: companion calibrate teach {path} --sides PICTURE"
                )
            return 0 if report.ready else 1
        turned = other_sides(board, pieces, dict(board.start)) if options.sides is None else None
        if turned is not None:
            print(
                "sides not shown are never claimed, or, of discs, only where they look as most do; to have them all known, lay "
                f"{laid(turned, pieces)}, take a picture of it and give that: companion calibrate teach {path} --sides PICTURE"
            )
    return 0 if report.ready else 1


def _add_sides(path: Path, options: argparse.Namespace) -> int:
    if options.lens is not None or options.corners is not None or options.overlay is not None:
        raise BadInput("--lens, --corners and --overlay go with EMPTY START PROFILE; a table that is taught keeps its own")
    keep_apart(path, options.sides)
    kept = TableProfile.load(path)
    for name, given, own in (("--board", options.board, kept.board), ("--edition", options.edition, kept.edition)):
        if given not in (None, own):
            raise BadInput(f"{name} {given}: {path} is of {own}; leave {name} out")
    if kept.pawns is not None:
        return _add_lesson(path, kept, options)
    profile, teaching, board, pieces = _taught(path)
    learnt = learn_sides(teaching, load_picture(options.sides, limits=WHOLE), board, pieces)
    _keep(path, profile, learnt)
    if options.json:
        answer = {"ready": not learnt.sentences, "error_mm": teaching.registration.error_mm, "doubts": list(learnt.sentences)}
        print(json.dumps(answer))
    else:
        _say("the other sides are learnt", learnt.sentences)
    return 1 if learnt.sentences else 0


def _add_lesson(path: Path, profile: TableProfile, options: argparse.Namespace) -> int:
    """Learn the second position of a board that names its lessons."""
    assert profile.pawns is not None, "asked for one that knows pawns and tokens"
    board, pieces = boards.load(profile.board, profile.edition), boards.load_pieces(profile.board)
    report = teach_more(profile.pawns, load_picture(options.sides, limits=WHOLE), board, pieces, 1)
    keep_learnt(path, replace(profile, pawns=report.profile.pawns))
    if options.json:
        print(json.dumps({"ready": report.ready, "error_mm": report.error_mm, "doubts": list(report.sentences)}))
    else:
        _say("the second picture of the pieces is learnt", report.sentences)
    return 0 if report.ready else 1


def laid_out_words(board: Board, pieces: PieceSet, number: int) -> str:
    """What to lay for lesson ``number`` (from 0) of a board, in one line."""
    laid_out = ((one, f" ({one.face})" if one.face else "") for one in lessons_of(board, pieces, number))
    return ", ".join(f"{pieces.pieces[one.piece].name}{side} on {one.place}" for one, side in laid_out)


def run_piece(options: argparse.Namespace) -> int:
    """``companion calibrate piece``."""
    profile, teaching, board, pieces = _taught(options.profile)
    try:
        x, y = (float(part) for part in options.at.split(","))
    except ValueError as error:
        raise BadInput(f"--at {quoted(options.at)}: two numbers are wanted, as 812,430") from error
    frame = load_picture(options.picture, limits=WHOLE)
    if not (0 <= x < frame.size[0] and 0 <= y < frame.size[1]):
        raise BadInput(f"--at {options.at}: the picture has {frame.size[0]}x{frame.size[1]} pixels")
    learnt = reteach(teaching, frame, (x, y), options.piece, board, pieces, options.facing, options.side)
    _keep(options.profile, profile, learnt)
    if options.json:
        print(json.dumps({"ready": not learnt.sentences, "place": learnt.place, "doubts": list(learnt.sentences)}))
    else:
        _say(f"{options.piece} at {learnt.place} is learnt", learnt.sentences)
    return 1 if learnt.sentences else 0


def _taught(path: Path) -> tuple[TableProfile, Teaching, Board, PieceSet]:
    """A profile that knows a plain copy, with its board. Raises BadInput."""
    profile = TableProfile.load(path)
    if profile.teaching is None:
        raise BadInput(f"{path}: {_UNTAUGHT['pawns' if profile.pawns is not None else profile.mode]}")
    return profile, profile.teaching, boards.load(profile.board, profile.edition), boards.load_pieces(profile.board)


_UNTAUGHT = {
    "marked": "is of a table with stickers and knows no unmodified copy; teach one with EMPTY START PROFILE",
    "cards": "is of a deck of cards; show a card again with 'companion calibrate cards'",
    "pawns": "its pieces were learnt together from pictures of two positions; teach it anew with EMPTY START PROFILE",
    "plain": "knows no unmodified copy; teach one with EMPTY START PROFILE",
}


def _keep(path: Path, profile: TableProfile, learnt: EnrolmentUpdate) -> None:
    keep_learnt(path, replace(profile, teaching=learnt.teaching))


def keep_learnt(path: Path, profile: TableProfile) -> None:
    """Write the profile anew; parts of the file that others added, as the lobby does, stay. Raises BadInput."""
    profile.save(path, bounded.read_json(path, bounded.BOUNDS.profile))


def _say(done: str, doubts: tuple[str, ...]) -> None:
    print(done + (", but:" if doubts else ""))
    for sentence in doubts:
        print(f"  {sentence}")
