"""``companion calibrate mat`` and ``cards``: a mat to print, and a deck of unmodified cards taught from pictures."""

import argparse
import json
from pathlib import Path

from companion import boards
from companion.calibration.cards import CardTeacher
from companion.calibration.mat import PAPERS, mat_pdf
from companion.calibration.profile import TableProfile
from companion.cli.files import read_lens
from companion.cli.teaching import board_options
from companion.cli.writing import write_file
from companion.errors import BadInput, quoted
from companion.vision.cards.faces import card_groups, deck_faces
from companion.vision.pictures.files import WHOLE, load_picture


def add_parts(parts: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the parts to ``companion calibrate``."""
    mat = parts.add_parser(
        "mat", help="write the mat of a card game to print (PDF)",
        description="The zones in which cards are laid and the frame stickers around them, in true size. 'a3' is one page, "
        "'a4' pages to lay edge to edge, 'stickers' the four frame stickers alone, to cut out and lay on a plain table.",
    )  # fmt: skip
    mat.add_argument("file", type=Path, help="FILE.pdf")
    mat.add_argument("--paper", choices=PAPERS, default=PAPERS[0], help="what to print (%(default)s)")
    board_options(mat)
    mat.set_defaults(run=run_mat)

    cards = parts.add_parser(
        "cards", help="teach a deck of unmodified cards, each face shown once",
        description="EMPTY is a picture of the mat without cards; each FACE=PICTURE shows one face, upright and alone on "
        "the mat, from the same camera in the same place. A face named again is another print of it. Faces that PROFILE knows "
        "already are kept. Without any FACE=PICTURE the faces of the deck are listed.",
    )  # fmt: skip
    cards.add_argument("profile", type=Path, help="the table profile to write, or to add to")
    cards.add_argument("empty", type=Path, nargs="?", help="a picture of the empty mat")
    cards.add_argument("faces", metavar="FACE=PICTURE", nargs="*", help="a face's name and a picture of it")
    cards.add_argument("--lens", type=Path, help="a lens file written by 'calibrate lens'")
    cards.add_argument("--json", action="store_true", help="print JSON")
    board_options(cards)
    cards.set_defaults(run=run_cards)


def _decks() -> list[str]:
    return [name for name in boards.available() if card_groups(boards.load_pieces(name))]


def run_mat(options: argparse.Namespace) -> int:
    """``companion calibrate mat``."""
    if options.file.suffix.lower() != ".pdf":
        raise BadInput(f"{options.file}: a name that ends in .pdf is allowed")
    board, pieces = boards.load(options.board, options.edition), boards.load_pieces(options.board)
    if not card_groups(pieces):
        raise BadInput(f"{board.name} has no mat to print; name a game of cards with --board, of: {', '.join(_decks())}")
    write_file(options.file, mat_pdf(board, pieces, options.paper))
    print(options.file)
    return 0


def run_cards(options: argparse.Namespace) -> int:
    """``companion calibrate cards``."""
    board, pieces = boards.load(options.board, options.edition), boards.load_pieces(options.board)
    if not card_groups(pieces):
        raise BadInput(
            f"{board.name} has no cards that lie in zones; name a game of cards with --board, of: {', '.join(_decks())}"
        )
    if options.empty is None:
        for face in deck_faces(pieces):
            one = {"face": face.key, "name": face.name, "count": len(face.pieces)}
            print(json.dumps(one, ensure_ascii=False) if options.json else "{face}: {name}, {count} in the deck".format(**one))
        return 0
    kept = None
    if options.profile.exists():
        profile = TableProfile.load(options.profile)
        profile.check(board)
        kept = profile.cards
    empty = load_picture(options.empty, limits=WHOLE)
    teacher = CardTeacher(empty, board, pieces, read_lens(options.lens), kept)
    doubts, shown = [], set()
    for entry in options.faces:
        key, sign, file = entry.partition("=")
        if not sign:
            raise BadInput(f"{quoted(entry)} is no FACE=PICTURE")
        try:
            doubts += [
                f"{file}: {words}" for words in teacher.show(key, load_picture(Path(file), limits=WHOLE), more=key in shown)
            ]
        except BadInput as error:
            raise BadInput(f"{file}: {error}") from error
        shown.add(key)
    report = teacher.report()
    if not report.teaching.faces:
        raise BadInput("no face was shown: name at least one FACE=PICTURE")
    TableProfile(board.id, board.edition, "cards", teacher.lens, cards=report.teaching).save(options.profile)
    if options.json:
        alike = [{"faces": [one, other], "told": told} for one, other, told in report.alike]
        missing = list(report.missing)
        print(json.dumps({"size_mm": report.teaching.size_mm, "doubts": doubts, "alike": alike, "missing": missing}))
        return 0
    for words in (*doubts, *report.sentences):
        print(words)
    if report.missing:
        print(f"not shown yet: {', '.join(report.missing)}")
    print(f"{len({face.key for face in report.teaching.faces})} faces are known; written to {options.profile}")
    return 0
