"""``companion calibrate``: the lens, the board, teaching a plain copy, sheets to print."""

import argparse
import json
import sys
from pathlib import Path

from companion import boards
from companion.calibration.board import draw_report, find_board, from_corners
from companion.calibration.lens import calibrate_lens, sheet_pdf, sheet_svg
from companion.calibration.profile import TableProfile
from companion.calibration.stickers import sticker_pages, sticker_pdf
from companion.cli import cards, new_board, teaching
from companion.cli.files import corners_of, keep_picture_apart, read_lens, write_picture
from companion.cli.teaching import board_options
from companion.cli.writing import keep_apart, write_file
from companion.errors import BadInput
from companion.vision.pictures.files import WHOLE, load_picture
from companion.vision.viewing import Viewing


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command group."""
    group = commands.add_parser(
        "calibrate", help="measure the lens, find the board, teach a plain copy, a deck or another board, print sheets"
    )
    parts = group.add_subparsers(title="parts", metavar="PART", required=True)

    sheet = parts.add_parser("sheet", help="write the lens sheet to print (SVG, or PDF by the file's name)")
    sheet.add_argument("file", type=Path, help="FILE.svg or FILE.pdf")
    sheet.set_defaults(run=run_sheet)

    stickers = parts.add_parser("stickers", help="write the sticker pages to print (SVG, or PDF by the file's name)")
    stickers.add_argument("file", type=Path, help="FILE.pdf, or FILE.svg for the first page; further ones get -2, -3 …")
    board_options(stickers)
    stickers.set_defaults(run=run_stickers)

    lens = parts.add_parser("lens", help="measure the lens from three to ten pictures of its sheet")
    lens.add_argument(
        "pictures", metavar="PICTURE", type=Path, nargs="+", help="the lens sheet, lying flat, filling much of the picture"
    )
    lens.add_argument("--out", type=Path, help="write the lens to this JSON file")
    lens.add_argument("--json", action="store_true", help="print JSON")
    lens.set_defaults(run=run_lens)

    board = parts.add_parser("board", help="find the board in a picture, and say to how many mm")
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
    board_options(board)
    board.set_defaults(run=run_board)

    teaching.add_parts(parts)
    cards.add_parts(parts)
    new_board.add_part(parts)


def run_sheet(options: argparse.Namespace) -> int:
    """``companion calibrate sheet``."""
    write_file(options.file, sheet_pdf() if _is_pdf(options.file) else sheet_svg())
    print(options.file)
    return 0


def run_stickers(options: argparse.Namespace) -> int:
    """``companion calibrate stickers``."""
    board, pieces = boards.load(options.board, options.edition), boards.load_pieces(options.board)
    if _is_pdf(options.file):
        write_file(options.file, sticker_pdf(board, pieces))
        print(options.file)
        return 0
    for number, page in enumerate(sticker_pages(board, pieces), start=1):
        path = options.file if number == 1 else options.file.with_name(f"{options.file.stem}-{number}{options.file.suffix}")
        write_file(path, page)
        print(path)
    return 0


def run_lens(options: argparse.Namespace) -> int:
    """``companion calibrate lens``."""
    keep_apart(options.out, *options.pictures)
    report = calibrate_lens(load_picture(path, limits=WHOLE) for path in options.pictures)
    data = {
        "matrix": report.lens.matrix.tolist(), "distortion": report.lens.distortion.tolist(), "size": list(report.lens.size),
        "error_px": report.error_px, "pictures": [{"file": name, "error_px": error} for name, error in report.per_picture],
        "left_out": list(report.left_out),
    }  # fmt: skip
    if options.out is not None:
        write_file(options.out, json.dumps(data, indent=1) + "\n")
    if options.json:
        print(json.dumps(data))
    else:
        print(f"reprojection error {report.error_px:.2f} px over {len(report.per_picture)} pictures")
        for why in report.left_out:
            print(why, file=sys.stderr)
    return 0


def run_board(options: argparse.Namespace) -> int:
    """``companion calibrate board``."""
    if options.corners is not None and options.profile is not None:
        raise BadInput("--corners and --profile are two ways to find the board: leave one of them out")
    keep_picture_apart(options.overlay, options.picture, options.profile, options.lens)
    board, frame = boards.load(options.board, options.edition), load_picture(options.picture, limits=WHOLE)
    pieces = boards.load_pieces(options.board)
    if options.corners is not None:
        report = from_corners(frame, corners_of(options.corners), board, read_lens(options.lens))
    else:
        taught = None
        if options.profile is not None:
            profile = TableProfile.load(options.profile)
            profile.check(board)
            taught = profile.teaching
        report = find_board(frame, board, pieces, read_lens(options.lens), taught)
    if options.overlay is not None:
        write_picture(options.overlay, draw_report(frame.image, report, board))
    viewing = Viewing.of(report.registration, board, pieces)
    if options.json:
        print(
            json.dumps(
                {
                    "way": report.way, "error_mm": report.error_mm, "beside_mm": report.beside_mm, "contrast": report.contrast,
                    "corners": report.corners.tolist(), "viewing": viewing.json(),
                }
            )
        )  # fmt: skip
    else:
        print(report.sentence)
        for text, words in viewing.faults(marked=report.way == "markers") if report.fits else ():
            print(text.format(**words))
    return 0 if report.fits else 1


def _is_pdf(path: Path) -> bool:
    """Whether a PDF is wished, by the file's name. Raises BadInput when it is neither that nor an SVG."""
    if path.suffix.lower() not in (".pdf", ".svg"):
        raise BadInput(f"{path}: a name that ends in .pdf or .svg is allowed")
    return path.suffix.lower() == ".pdf"
