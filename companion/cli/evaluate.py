"""``companion evaluate``: table sets read and compared with their truth."""

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from companion.cli.evaluation_page import Cutting, cuttings, page
from companion.cli.other_sides import learn_other_sides
from companion.cli.writing import write_file
from companion.errors import BadInput
from companion.vision.pictures.files import load_picture
from companion.vision.table_sets.read_set import read_set
from companion.vision.table_sets.reading_metrics import confidences, confused
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, Score, Scored, compare, merged, score
from companion.vision.table_sets.table_set import is_table_set, load_table_set
from companion.vision.table_sets.truth import check_truth, load_truth
from companion.vision.viewing import Viewing


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command of this module."""
    evaluate = commands.add_parser(
        "evaluate",
        help="read table sets and compare with their truth",
        description="Read table sets and compare with their truth: exact pictures, pieces wrong and unknown, what was taken "
        "for what, and how far the confidences can be trusted.",
    )
    evaluate.add_argument("paths", metavar="DIR", nargs="+", type=Path, help="table set")
    evaluate.add_argument("--json", action="store_true", help="print JSON")
    evaluate.add_argument(
        "--report", type=Path, default=None, metavar="FILE.html", help="write a page with every wrong or unknown piece cut out"
    )
    evaluate.set_defaults(run=run_evaluate)


def run_evaluate(options: argparse.Namespace) -> int:
    """Read table sets and compare. Returns 1 when anything differs."""
    evaluated = {str(path): evaluate_set(path, options.report is not None) for path in _table_sets(options.paths)}
    scores = {name: entry.score for name, entry in evaluated.items()}
    total = merged(scores.values())
    if options.report is not None:
        write_file(
            options.report, page(scores, total, {name: entry.cuttings for name, entry in evaluated.items()}), "the report"
        )
    if options.json:
        print(
            json.dumps(
                {"sets": {name: part.json() for name, part in scores.items()}, "total": total.json()}, ensure_ascii=False
            )
        )
    else:
        for name, part in scores.items():
            _print_score(name, part)
        if len(scores) > 1:
            _print_score("all sets", total)
            seen_well = merged(part for part in scores.values() if not part.faults)
            if seen_well.frames != total.frames:
                _print_line("sets seen as a camera is asked to see", seen_well)
        _print_reliability(total)
    return 0 if total.exact_frames == total.frames and total.total(WRONG) == 0 else 1


@dataclass(frozen=True)
class Evaluated:
    """One set's score, and the pieces that differ cut out of their pictures (when asked for)."""

    score: Score
    cuttings: tuple[Cutting, ...] = ()


def evaluate_set(path: Path, cut: bool = False) -> Evaluated:
    """Read one table set and compare it with its truth; with ``cut`` keep a cutting of everything that differs."""
    table = load_table_set(path)
    truth = {entry.file: entry for entry in load_truth(path)}
    for told in truth.values():
        check_truth(told, table)
    pictures: list[Scored] = []
    viewing: Viewing | None = None
    cut_out: list[Cutting] = []
    for reading in read_set(table, learn_other_sides, None):
        if isinstance(reading, BadInput):
            raise reading
        entry = truth.get(reading.file)
        if entry is None:
            continue  # a picture in the folder that nobody told the truth of
        if reading.observation.registration is not None:
            viewing = Viewing.of(reading.observation.registration, table.board, table.pieces).worst(viewing)
        doubts = reading.observation.reading.unknown
        sure = confidences(reading.observation.reading, table.pieces)
        verdicts = compare(entry.state, reading.state, doubts, table.pieces, sure)
        confusion = confused(entry.state, reading.state, doubts, table.pieces)
        pictures.append(Scored(reading.file, verdicts, not entry.hand, confusion))
        if cut and any(verdict.verdict != EXACT for verdict in verdicts):
            image = load_picture(table.folder / reading.file).image
            cut_out += cuttings(pictures[-1], image, reading.observation, table.board, table.pieces)
    faults = [text.format(**words) for text, words in viewing.faults(marked=table.marked)] if viewing is not None else []
    return Evaluated(replace(score(pictures), viewing=viewing, faults=tuple(faults)), tuple(cut_out))


def _table_sets(paths: list[Path]) -> list[Path]:
    """The table sets among the paths. A shell's ``tables/*`` may name a README too: a file is passed over, and said."""
    for path in paths:
        if not is_table_set(path) and not path.is_file():
            raise BadInput(f"{path}: is not a table set (a folder with a table.json)")
    sets = [path for path in paths if is_table_set(path)]
    if not sets:
        raise BadInput(f"{paths[0]}: is not a table set (a folder with a table.json)")
    for path in sets:
        if load_table_set(path).deck is not None:
            raise BadInput(
                f"{path}: is a table of unmodified cards, which are followed from picture to picture: none of them is compared "
                "by itself"
            )
    for path in paths:
        if path not in sets:
            print(f"companion: {path} is a file, not a table set: passed over", file=sys.stderr)
    return sets


def _print_line(name: str, part: Score) -> None:
    exact = f"{part.exact_frames} of {part.frames} pictures exact"
    print(f"{name}: {exact}, {part.total(WRONG)} pieces wrong, {part.total(UNKNOWN)} unknown")


def _print_score(name: str, part: Score) -> None:
    _print_line(name, part)
    if part.viewing is not None:
        seen = part.viewing
        sizes = f"{'discs' if seen.discs else 'pieces'} {seen.disc_px:.0f} px wide, their stickers {seen.sticker_px:.0f} px"
        print(f"  seen from {seen.tilt_deg:.0f} degrees; {sizes}")
    for fault in part.faults:
        print(f"  {fault}")
    for kind, counts in part.by_kind.items():
        print(f"  {kind}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    for scored in part.differing:
        for verdict in scored.verdicts:
            if verdict.verdict != EXACT:
                print(f"  {scored.file} {verdict.subject}: is {verdict.truth}, read {verdict.read} ({verdict.verdict})")


def _print_reliability(total: Score) -> None:
    for entry in total.json()["reliability"]:
        print(
            f"confidence {entry['from']:g} to {entry['to']:g}: {entry['claims']} claims, "
            f"claimed {entry['claimed']:.4f}, true {entry['true_share']:.4f}"
        )
