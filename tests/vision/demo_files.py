"""The two files of a bundled table, as the programs that make one write them: what its pictures show, and how it is played."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.boards import Board, PieceSet
from companion.vision.camera import Registration

Json = dict[str, Any]
NOTE = "How the bundled table is played, as for every game's: times in seconds, places in pixels. Written by a program."


def scene(file: str, touch: Sequence[Sequence[int]], rest: float, says: Iterable[tuple[float, Json]] = ()) -> Json:
    """One picture of the script: where hands go before it (pixels), how long it rests (s), and what recorded players say while
    it does (s after it came, answer)."""
    said = [{"after": round(after, 2), "answer": answer} for after, answer in says]
    return {"picture": file, **({"touch": touch} if touch else {}), "rest": rest, **({"says": said} if said else {})}


def places(registration: Registration, board: Board, spots: Iterable[str], height_mm: float) -> list[list[int]]:
    """Where spots of the board are seen (pixels), so high above it."""
    return [[round(float(v)) for v in registration.project([board.mm(spot)], height_mm)[0]] for spot in spots]


def frame_markers(pieces: PieceSet) -> Json:
    """The frame's stickers as a table file has them; those of the pieces are the board file's."""
    keys = ("corner", "centre_mm", "height_mm", "side_mm", "quiet_mm")
    return {
        "dictionary": pieces.dictionary,
        "frame": {str(m.marker): {key: getattr(m, key) for key in keys} for m in pieces.frame_markers.values()},
        "frame_tolerance_mm": pieces.frame_tolerance_mm,
    }


def write(
    folder: Path, game: str, board: Board, registration: Registration, table: Mapping[str, Any], script: Mapping[str, Any]
) -> None:
    """``table/table.json`` and ``demo.json`` of a game's folder. ``table``: from its mode on, in order; ``script``: all but the
    note and the rate."""
    size = registration.lens.size
    lens = {"K": registration.lens.matrix.tolist(), "D": registration.lens.distortion.tolist()}
    mode = {key: table[key] for key in ("mode", "deck") if key in table}
    told = {
        "game": game, "edition": board.edition, **mode, "image_size": size, "camera": lens, "board_mm": board.size_mm,
        "markers": table["markers"], "frames": table["frames"],
    }  # fmt: skip
    (folder / "table" / "table.json").write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    (folder / "demo.json").write_text(json.dumps({"note": NOTE, "rate": 20, **script}, indent=1) + "\n", "utf-8")
