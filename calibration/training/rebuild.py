"""Rebuild the plain reader's networks and weights from nothing (``make networks``).

    python -m companion.calibration.training.rebuild [FOLDER [STAGE…]]

FOLDER (``build/networks``) keeps what every stage makes; a stage that was run whole there is passed over, so a run that was
broken off goes on where it stood. STAGE: only these and what they need. What is shipped is exchanged at the end of the stage
that makes it. ``lock.json`` beside this file names, for every stage, the SHA-256 of what it made when it was last run whole,
and the versions it was run with: with the same ones, on the same kind of processor, a stage makes the same bytes. A stage that
was never run whole in this way has no entry.

Needs PyTorch, Pillow and SciPy (``pip install -e '.[training]'``). All stages take about eight hours of one core of 2026,
measured by parts, and ``face.pt`` ten to twenty more: the shipped one was trained on a graphics processor.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from companion.calibration.training.shipped import PLAIN

LOCK = Path(__file__).with_name("lock.json")
VERSIONS = ("numpy", "opencv-python-headless", "torch", "pillow", "scipy")
PACKAGE = "companion.calibration.training"
FONTS = "/usr/share/fonts"


@dataclass(frozen=True)
class Stage:
    """Calls of a module of this package. In ``words``, ``{NAME}`` is the output of stage NAME, ``{}`` its own, and ``FIRST``
    and ``LAST`` are a range of seeds; it is called once for each range and adds to its output."""

    name: str
    module: str
    words: str
    output: str
    """In the folder, or ``ship:NAME`` for a file that the wheel brings."""
    seeds: tuple[tuple[int, int], ...] = ((0, 0),)

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(found for found in re.findall(r"{([^}]*)}", self.words) if found)


def trained(name: str, module: str, words: str, export: str) -> tuple[Stage, Stage]:
    """A stage that trains weights and one that exports them."""
    return (
        Stage(f"{name}.pt", module, words, f"{name}.pt"),
        Stage(name, module, f"{export} {{{name}.pt}} {{}}", f"ship:{name}.onnx"),
    )


STAGES: tuple[Stage, ...] = (
    # Patches of whole pictures.
    Stage(
        "gathered", "gather", "gather FIRST LAST {}", "gathered.pkl",
        ((8000, 8143), (8150, 8230), (8500, 8648), (8674, 8740), (9100, 9234), (9320, 9462)),
    ),
    Stage("wedged", "gather", "gather FIRST LAST {}", "wedged.pkl", ((9100, 9110),)),
    Stage("weighed", "gather", "gather FIRST LAST {}", "weighed.pkl", ((9600, 9660), (8660, 8740))),
    Stage("both-sides", "train_faces", "gather 70000 70139 {}", "both-sides.pkl"),
    Stage("below-patches", "train_below", "gather 8300 8320 {}", "below"),
    # Drawings.
    Stage("faces", "train_pairs", "bank {} 450", "faces.npz"),
    Stage("taught-faces", "train_faces", "bank {} 900", "taught-faces.pkl"),
    Stage("marks", "train_fine", "bank {} 5000", "marks.npy"),
    Stage("numbers", "train_number", f"bank {{}} 1600 {FONTS}", "numbers.npy"),
    Stage("wedges", "train_wedge", "bank {} 3000", "wedges.npz"),
    # Networks.
    *trained("disc", "train_pairs", "disc {faces} {gathered} {} 10000", "export disc"),
    *trained("face", "train_faces", "train {taught-faces} {both-sides} {} 8600", "export"),
    *trained("tile", "train_pairs", "tile {faces} {gathered} {} 9000", "export tile"),
    *trained("place", "train_pairs", "place {gathered} {} 6000", "export place"),
    *trained("mark", "train_fine", "mark {marks} {gathered} {} 6500", "export mark"),
    *trained("facing", "train_fine", "facing {faces} {gathered} {} 6500", "export facing"),
    *trained("number", "train_number", "train {numbers} {} 6500", "export"),
    *trained("wedge", "train_wedge", "train {wedges} {wedged} {} 12000", "export"),
    *trained("below", "train_below", "train {below-patches} {} 6000 from={place.pt}", "export"),
    # Weights.
    Stage("fitting", "fit_scorers", "gather 0 200 {}", "fitting.pkl"),
    Stage("held", "fit_scorers", "gather 1000 1040 {}", "held.pkl"),
    Stage("scorers", "fit_scorers", "fit all {fitting} -- {held}", "ship:weights.json"),
    Stage("blends", "gather", "blend {weighed}", "ship:weights.json"),
    Stage("sides-patches", "fit_new_york", "gather 8300 8318 {}", "sides"),
    Stage("sides", "fit_new_york", "fit {sides-patches}", "ship:sides.json"),
    Stage("covered-patches", "fit_new_york", "gather 8330 8354 {}", "covered"),
    Stage("covered", "fit_new_york", "fit {covered-patches} covered", "ship:sides.json"),
    Stage("open-patches", "fit_new_york", "gather 8330 8362 {}", "open"),
    Stage("open", "fit_new_york", "fit {open-patches} open", "ship:sides.json"),
    Stage("wary-patches", "fit_new_york", "gather FIRST LAST {}", "wary", ((8330, 8362), (8370, 8386))),
    Stage("wary", "fit_new_york", "fit {wary-patches} wary", "ship:sides.json"),
    Stage("first-side", "fit_sides", "fit first_side", "ship:first_side.json"),
    Stage("which-side", "fit_sides", "fit which_side", "ship:which_side.json"),
)  # fmt: skip


def chosen(names: Sequence[str]) -> tuple[Stage, ...]:
    """The stages of these names with what they need, in order; all without a name. Raises SystemExit for an unknown one."""
    by_name = {stage.name: stage for stage in STAGES}
    wanted: set[str] = set()

    def want(name: str) -> None:
        if name not in by_name:
            raise SystemExit(f"there is no stage {name}; there are {', '.join(by_name)}")
        if name not in wanted:
            wanted.add(name)
            for needed in by_name[name].needs:
                want(needed)

    for name in names or by_name:
        want(name)
    return tuple(stage for stage in STAGES if stage.name in wanted)


def output(stage: Stage, folder: Path) -> Path:
    """Where a stage's output lies."""
    return PLAIN / stage.output[5:] if stage.output.startswith("ship:") else folder / stage.output


def calls(stage: Stage, folder: Path) -> Iterator[list[str]]:
    """The words of every call of a stage."""
    made = {other.name: str(output(other, folder)) for other in STAGES} | {"": str(output(stage, folder))}
    for first, last in stage.seeds:
        words = re.sub(r"{([^}]*)}", lambda found: made[found[1]], stage.words)
        yield words.replace("FIRST", str(first)).replace("LAST", str(last)).split()


def digest(path: Path) -> str:
    """SHA-256 of a file, or of all files of a folder in the order of their names."""
    found = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            found.update(file.read_bytes())
    return found.hexdigest()


def run(stages: Sequence[Stage], folder: Path) -> None:
    """Run what is not there yet, and note in ``lock.json`` what it made. Raises CalledProcessError where a stage fails; what it
    left is removed, so that the next run begins it anew."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "done"
    done.mkdir(exist_ok=True)
    for stage in stages:
        made, mark = output(stage, folder), done / stage.name
        if mark.exists() and made.exists():
            print(f"{stage.name}: is there")
            continue
        if not stage.output.startswith("ship:") and made.is_file():
            made.unlink()
        for words in calls(stage, folder):
            print(stage.name, *words, flush=True)
            subprocess.run([sys.executable, "-m", f"{PACKAGE}.{stage.module}", *words], check=True)
        mark.touch()
        lock = json.loads(LOCK.read_text("utf-8"))
        lock[stage.name] = {
            "sha256": digest(made),
            "made with": {name: version for name in VERSIONS if (version := _version(name))},
            "machine": platform.machine(),
        }
        LOCK.write_text(json.dumps(lock, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/networks").absolute()
    run(chosen(sys.argv[2:]), folder)


if __name__ == "__main__":
    main()
