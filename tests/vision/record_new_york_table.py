"""Writes the bundled table of Mr. Jack in New York; run by hand when its story changes.

``python tests/vision/record_new_york_table.py``: composed pictures from the empty board to the second turn, with their
truth, and the script by which the demo plays them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
from demo_files import frame_markers, places, write
from demo_files import scene as shown

from companion.calibration.training.new_york_stickers import BOARD, GAME, PIECES
from companion.calibration.training.stickers_composed import Scene, Shot, compose, pose

FOLDER = Path(__file__).resolve().parents[2] / "companion" / "demo" / GAME.id
ART = 13102
SHOT = Shot(tilt=14, roll=0.8, px_per_mm=2.0, noise=0.0, blur=0.5, vignette=0.15, slope=(0.1, -0.06), quality=100)
ARM = {"grab": [447, 47], "speed": 2600, "dwell": 0.22, "reach": 62}
Json = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One picture: its kind, its words, the state on the table, the places hands visit before it, and the rest after."""

    kind: str
    note: str
    state: Json
    tiles: tuple[tuple[str, str], ...]
    touch: tuple[str, ...] = ()
    rest: float = 4.0
    more: Json | None = None


def story() -> Iterator[Step]:
    """The pictures in their order. Every play is one the game knows; the illegal one is flagged by it."""
    start = replace(GAME.start(), available=("beach", "latimer", "grant", "callahan"), played=())
    tiles = {"B9": "subway-a", "K4": "subway-b", "L13": "subway-c", "C10": "lamp-a", "M12": "lamp-b"}
    strips, boats = [["E4", "F3"], ["K14", "L15"]], ["E2", "K16"]
    whole = (
        "LIBERTY",
        "B9",
        "C10",
        "E2",
        "E4",
        "E8",
        "E10",
        "F9",
        "H5",
        "H11",
        "I8",
        "J7",
        "J9",
        "K4",
        "L13",
        "M12",
        "L15",
        "K16",
    )

    def told(position: Any) -> Json:
        state = {key: value for key, value in position.to_json().items() if key in (*PIECES.groups,)}
        return state | {"barricades": [list(pair) for pair in strips], "steamboats": list(boats)}

    def lies() -> tuple[tuple[str, str], ...]:
        return tuple(tiles.items())

    empty = {"characters": {}, "tiles": {}, "barricades": [], "steamboats": [], "informant": None, "turn": None}
    yield Step("empty", "the bare board with its four frame markers", empty, (), rest=4.0)
    yield Step("start", "the start set-up, first-2009; turn 1", told(start), lies(), (*whole, "turn-1"), 5.0)

    beach = played(start, "beach", lambda p: p.hex("beach") == "G12" and dict(p.tiles).get("E12") == "subway")
    tiles["E12"] = "subway-d"
    yield Step("move", "pick 1: Beach E10 to G12, a subway on E12", told(beach), lies(), ("E10", "G12", "E12"), 4.5)

    latimer = played(beach, "latimer", lambda p: p.hex("latimer") == "D5" and dict(p.tiles).get("F7") == "lamp")
    tiles["C8"] = "lamp-c"
    wrong = replace(latimer, tiles=tuple(sorted({**dict(beach.tiles), "C8": "lamp"}.items())))
    yield Step("illegal", "pick 2, wrong: Latimer builds a lamp beside a lamp", told(wrong), lies(), ("E8", "D5", "C8"), 7.0)
    tiles["F7"] = tiles.pop("C8")
    yield Step("move", "the same pick put right: the lamp from C8 to F7", told(latimer), lies(), ("C8", "F7"), 4.5)

    grant = played(latimer, "grant", lambda p: p.hex("grant") == "K8" and dict(p.tiles).get("M12") == "park")
    yield Step(
        "move", "pick 3: Grant J7 to K8, the lamp on M12 turned to a park", told(grant), lies(), ("J7", "K8", "M12"), 4.5
    )
    yield Step("hand", "an arm reaches over the middle; nothing has moved", told(grant), lies(), ("H9",), 1.5)

    callahan = played(grant, "callahan", lambda p: p.hex("callahan") == "F11" and ("L11", "M10") in p.barricades)
    strips[0] = ["L11", "M10"]
    way = ("F9", "F11", "E4", "M10")
    yield Step("move", "pick 4: Callahan F9 to F11, a barricade before the land exit", told(callahan), lies(), way, 6.0)

    seen = GAME.witness(callahan)
    cleared = [name for name in seen.unseen if name in GAME.suspects(callahan)]
    called = GAME.call(callahan, True)
    more = {"phase": "witness", "witness": {"jack": "seen", "seen": sorted(seen.seen), "unseen": sorted(seen.unseen)}}
    more["witness"]["cleared"] = sorted(cleared)
    turned = tuple(str(called.hex(name)) for name in cleared)
    yield Step("position", "the witness call of turn 1; the cleared turned over", told(called), lies(), turned, 5.0, more)
    closed = replace(GAME.close_turn(called), available=None, played=None)
    tidy = {"phase": "cleanup"}
    yield Step("position", "the end of turn 1: the turn marker to 2", told(closed), lies(), ("turn-1", "turn-2"), 5.0, tidy)


def played(before: Any, character: str, wish: Callable[[Any], bool]) -> Any:
    """The position after the one play of a character that is wished for."""
    return next(play.position for play in GAME.plays(before, character) if play.ends is None and wish(play.position))


def main() -> None:
    folder = FOLDER / "table"
    folder.mkdir(parents=True, exist_ok=True)
    registration = pose(BOARD, SHOT)
    frames, scenes = [], []
    for number, step in enumerate(story()):
        file = f"{number:03}.jpg"
        scene = Scene(BOARD, PIECES, step.state, art=ART, jitter=8, sloppy_mm=3.5, tiles=step.tiles, steady=True, specks=60)
        left = [p.id for p in PIECES.in_group("tiles") if p.id not in dict(step.tiles).values()]
        piles = [[name for name in left if name.startswith(kind)][-1] for kind in ("subway", "lamp", "building")]
        beside = tuple((name, PIECES.pieces[name].label, (150.0 + 60 * i, -38.0)) for i, name in enumerate(piles))
        hand = (("arm", (300.0, 560.0, *BOARD.mm("H9"))),) if step.kind == "hand" else ()
        image = compose(replace(scene, beside=beside, extras=hand), SHOT)
        cv2.imwrite(str(folder / file), image, [cv2.IMWRITE_JPEG_QUALITY, 84])
        frames.append({"file": file, "kind": step.kind, "note": step.note, "state": step.state, **(step.more or {})})
        if step.kind != "hand":
            scenes.append(shown(file, places(registration, BOARD, step.touch, 4.0), step.rest))
    stickers = PIECES.stickers.values()
    faces = dict.fromkeys(sticker.face for sticker in stickers if sticker.face)
    sides = {str(face): {str(s.marker): s.piece for s in stickers if s.face == face} for face in faces}
    table = {"mode": "marked", "markers": frame_markers(PIECES) | sides, "frames": frames}
    told = {"kind": "entrust", "character": "smith"}
    write(FOLDER, GAME.id, BOARD, registration, table, {"told": told, "arm": ARM, "scenes": scenes})


if __name__ == "__main__":
    main()
