"""``companion calibrate``: the lens, the board, teaching a plain copy, sheets to print."""

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

from calibration.board import draw_report, find_board, from_corners
from calibration.lens import calibrate_lens, sheet_pdf, sheet_svg
from calibration.profile import TableProfile
from calibration.stickers import sticker_pages, sticker_pdf
from calibration.teaching import teach_table
from companion import boards, games
from companion.cli import new_board
from companion.errors import BadInput
from companion.vision.camera import Lens
from companion.vision.frame import Frame, Image
from companion.vision.plain.start import laid, other_sides

DEFAULT_BOARD = games.DEFAULT


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command group."""
    group = commands.add_parser("calibrate", help="measure the lens, find the board, teach a plain copy, print stickers")
    parts = group.add_subparsers(title="parts", metavar="PART", required=True)

    sheet = parts.add_parser("sheet", help="write the lens sheet to print (SVG, or PDF by the file's name)")
    sheet.add_argument("file", type=Path, help="FILE.svg or FILE.pdf")
    sheet.set_defaults(run=run_sheet)

    stickers = parts.add_parser("stickers", help="write the sticker pages to print (SVG, or PDF by the file's name)")
    stickers.add_argument("file", type=Path, help="FILE.pdf, or FILE.svg for the first page; further ones get -2, -3 …")
    _board_options(stickers)
    stickers.set_defaults(run=run_stickers)

    lens = parts.add_parser("lens", help="intrinsics from three to ten pictures of the lens sheet")
    lens.add_argument(
        "pictures", metavar="PICTURE", type=Path, nargs="+", help="the lens sheet, lying flat, filling much of the picture"
    )
    lens.add_argument("--out", type=Path, help="write the lens to this JSON file")
    lens.add_argument("--json", action="store_true", help="print JSON")
    lens.set_defaults(run=run_lens)

    board = parts.add_parser("board", help="find the board in a picture; what is left over in mm")
    board.add_argument("picture", type=Path, help="the whole board from the camera")
    board.add_argument(
        "--corners",
        help="where the frame line's corners roughly are, if the board is not found by its markers: x,y of top left, top "
        "right, bottom right, bottom left, eight numbers",
    )
    board.add_argument("--profile", type=Path, help="find a plain copy by this table profile's taught picture")
    board.add_argument("--overlay", type=Path, help="write the picture with the board and what is left over drawn on it")
    board.add_argument("--lens", type=Path, help="a lens file written by 'calibrate lens'")
    board.add_argument("--json", action="store_true", help="print JSON")
    _board_options(board)
    board.set_defaults(run=run_board)

    teach = parts.add_parser("teach", help="teach a plain copy from the empty board and the start position")
    teach.add_argument("empty", type=Path, help="picture of the empty board")
    teach.add_argument("start", type=Path, help="picture of the start position, from the same camera in the same place")
    teach.add_argument("profile", type=Path, help="the table profile to write")
    teach.add_argument("--lens", type=Path, help="a lens file written by 'calibrate lens'")
    teach.add_argument("--corners", help="corners of the frame line in the empty picture, if the board is not found by itself")
    teach.add_argument("--sides", type=Path, help="picture of the sides that the start position does not show, see the manual")
    teach.add_argument("--overlay", type=Path, help="write the start picture with the board drawn on it")
    teach.add_argument("--json", action="store_true", help="print JSON")
    _board_options(teach)
    teach.set_defaults(run=run_teach)
    new_board.add_part(parts)


def _board_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--board", default=DEFAULT_BOARD, help="a shipped board's id")
    parser.add_argument("--edition", help="the printed edition")


def run_sheet(options: argparse.Namespace) -> int:
    """``companion calibrate sheet``."""
    _write(options.file, sheet_pdf() if _is_pdf(options.file) else sheet_svg())
    return 0


def run_stickers(options: argparse.Namespace) -> int:
    """``companion calibrate stickers``."""
    board, pieces = boards.load(options.board, options.edition), boards.load_pieces(options.board)
    if _is_pdf(options.file):
        _write(options.file, sticker_pdf(board, pieces))
        print(options.file)
        return 0
    for number, page in enumerate(sticker_pages(board, pieces), start=1):
        path = options.file if number == 1 else options.file.with_name(f"{options.file.stem}-{number}{options.file.suffix}")
        _write(path, page)
        print(path)
    return 0


def run_lens(options: argparse.Namespace) -> int:
    """``companion calibrate lens``."""
    report = calibrate_lens([_frame(path) for path in options.pictures])
    data = {
        "matrix": report.lens.matrix.tolist(), "distortion": report.lens.distortion.tolist(), "size": list(report.lens.size),
        "error_px": report.error_px, "pictures": [{"file": name, "error_px": error} for name, error in report.per_picture],
        "left_out": list(report.left_out),
    }  # fmt: skip
    if options.out is not None:
        _write(options.out, json.dumps(data, indent=1) + "\n")
    if options.json:
        print(json.dumps(data))
    else:
        print(f"reprojection error {report.error_px:.2f} px over {len(report.per_picture)} pictures")
        for why in report.left_out:
            print(why, file=sys.stderr)
    return 0


def run_board(options: argparse.Namespace) -> int:
    """``companion calibrate board``."""
    board, frame = boards.load(options.board, options.edition), _frame(options.picture)
    if options.corners is not None:
        report = from_corners(frame, _corners(options.corners), board, _lens(options.lens))
    else:
        teaching = None
        if options.profile is not None:
            profile = TableProfile.load(options.profile)
            profile.check(board)
            teaching = profile.teaching
        report = find_board(frame, board, boards.load_pieces(options.board), _lens(options.lens), teaching)
    if options.overlay is not None:
        _write_picture(options.overlay, draw_report(frame.image, report, board))
    if options.json:
        print(
            json.dumps(
                {
                    "way": report.way, "error_mm": report.error_mm, "beside_mm": report.beside_mm, "contrast": report.contrast,
                    "corners": report.corners.tolist(),
                }
            )
        )  # fmt: skip
    else:
        print(report.sentence)
    return 0 if report.fits else 1


def run_teach(options: argparse.Namespace) -> int:
    """``companion calibrate teach``."""
    board, pieces = boards.load(options.board, options.edition), boards.load_pieces(options.board)
    corners = None if options.corners is None else _corners(options.corners)
    report = teach_table(
        _frame(options.empty), _frame(options.start), board, pieces, dict(board.start), _lens(options.lens), corners,
        None if options.sides is None else _frame(options.sides),
    )  # fmt: skip
    report.profile.save(options.profile)
    if options.overlay is not None:
        _write_picture(options.overlay, report.overlay)
    if options.json:
        print(json.dumps({"ready": report.ready, "error_mm": report.error_mm, "doubts": list(report.sentences)}))
    else:
        print(f"taught; the board's lines fit to {report.error_mm:.1f} mm" + ("" if report.ready else ", but:"))
        for sentence in report.sentences:
            print(f"  {sentence}")
        turned = other_sides(board, pieces, dict(board.start)) if options.sides is None else None
        if turned is not None:
            print(f"sides not shown are never claimed; to have them read, give --sides a picture of {laid(turned, pieces)}")
    return 0 if report.ready else 1


def _frame(path: Path) -> Frame:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise BadInput(f"{path}: is not a picture")
    return Frame(np.asarray(image, np.uint8), 0.0, str(path))


def _corners(text: str) -> list[tuple[float, float]]:
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError as error:
        raise BadInput(f"--corners {text!r}: only numbers, please") from error
    if len(numbers) != 8:
        raise BadInput(f"--corners needs eight numbers (four points), got {len(numbers)}")
    return [(numbers[i], numbers[i + 1]) for i in range(0, 8, 2)]


def _lens(path: Path | None) -> Lens | None:
    if path is None:
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Lens(
            np.array(data["matrix"], np.float64).reshape(3, 3), np.array(data["distortion"], np.float64), tuple(data["size"])
        )
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: is not a lens file") from error


def _is_pdf(path: Path) -> bool:
    return path.suffix.lower() == ".pdf"


def _write(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from error


def _write_picture(path: Path, image: Image) -> None:
    done, data = cv2.imencode(path.suffix if path.suffix in (".jpg", ".png") else ".png", image)
    if not done:
        raise BadInput(f"{path}: cannot be written")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from error


__all__ = ["TableProfile", "add"]
