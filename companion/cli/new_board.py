"""``companion calibrate new-board``: another printing or a fan's map, placed on a picture and saved as a board file."""

import argparse
import json
from pathlib import Path

from companion import boards, games
from companion.boards import own
from companion.calibration.new_board import board_file, draw_plan, plan_like
from companion.cli.files import corners_of, keep_picture_apart, write_picture
from companion.cli.writing import keep_apart, write_file
from companion.errors import BadInput, quoted
from companion.vision.pictures.files import WHOLE, load_picture


def add_part(parts: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the part to ``companion calibrate``."""
    part = parts.add_parser(
        "new-board",
        help="teach another board: cells placed on a picture become a board file",
        description="First with --corners: writes a plan that has every cell of a known board on the picture. Edit the plan "
        "(points, kinds, start), look at it with --overlay, then make the board file with --out.",
    )
    part.add_argument("picture", type=Path, help="the empty board from above")
    part.add_argument("plan", type=Path, help="the plan, JSON: written with --corners, read without")
    part.add_argument("--like", default=games.DEFAULT, help="the game whose pieces and rules it is for (%(default)s)")
    part.add_argument("--edition", help="what the new edition is called, in a plan that begins (own)")
    part.add_argument("--label", help="its name as people read it, in a plan that begins")
    part.add_argument("--corners", help="begin a plan: x,y of the frame line's corners, from top left clockwise: eight numbers")
    part.add_argument("--out", type=Path, help="write the board file")
    part.add_argument("--overlay", type=Path, help="write the picture with every cell, its name and kind")
    part.set_defaults(run=run_new_board)


def run_new_board(options: argparse.Namespace) -> int:
    """``companion calibrate new-board``."""
    keep_apart(options.plan, options.picture)
    keep_apart(options.out, options.picture, options.plan)
    keep_picture_apart(options.overlay, options.picture, options.plan)
    image = load_picture(options.picture, limits=WHOLE).image
    if options.corners is not None:
        edition = options.edition or "own"
        begun = plan_like(boards.load(options.like), corners_of(options.corners), edition, options.label or edition)
        write_file(options.plan, json.dumps(begun, indent=1, ensure_ascii=False))
        print(f"{options.plan}: {len(begun['cells'])} cells to be put right")
    elif options.edition is not None or options.label is not None:
        raise BadInput(f"--edition and --label go with --corners; {options.plan} has its own: write them into it")
    plan = own.read(options.plan)
    data = board_file(plan, boards.shipped(str(plan.get("like", options.like))), str(options.plan))
    if options.overlay is not None:
        write_picture(options.overlay, draw_plan(image, plan))
    if options.out is not None:
        write_file(options.out, json.dumps(data, indent=1, ensure_ascii=False))
        edition = data["default_edition"]
        print(f"{options.out}: edition {quoted(edition)}; play it with 'companion run SOURCE --board {options.out}'")
    else:
        print(f"{options.plan}: nothing is wrong with it")
    return 0
