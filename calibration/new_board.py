"""Teach another board: cells placed on a picture of it, their kinds named, become a board file of the same game.

A *plan* is plain JSON that people edit: the corners of the printed frame line in the picture (px), a point and a kind for
every cell, the start set-up; ``gates`` names the cell at which a way out begins, where that is another one.
:func:`plan_like` begins one from a board that is known, :func:`board_file` makes the file.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion import boards
from companion.boards import Board
from companion.boards.surface import HEXES
from companion.errors import BadInput, InvalidBoard, quoted
from companion.vision.frame import Image

Json = Mapping[str, Any]
Point = tuple[float, float]
Array = NDArray[np.float64]
OFF_LATTICE = 0.3
"""Share of a cell's side (0..1) by which a point may miss its place on the lattice: hands click beside it."""
_INK = ((60, 220, 60), (255, 160, 0), (60, 160, 255), (220, 90, 220), (0, 220, 220), (150, 150, 150), (80, 80, 255))


def plan_like(board: Board, corners: ArrayLike, edition: str, label: str) -> dict[str, Any]:
    """A plan that has a known board's cells where they would be in a picture with these four corners (px). Raises BadInput for
    a board whose cells are no hexagons."""
    if board.surface != HEXES:
        raise BadInput(f"the cells of {board.name} are no hexagons: another board of it cannot be placed on a picture")
    from_frame = _homography(_SQUARE, _four(corners))
    cells = {}
    for cell in board.cells.values():
        x, y = _through(from_frame, cell.xy)
        cells[cell.id] = {"at": [round(x, 1), round(y, 1)], "kind": cell.kind, **({"decor": cell.decor} if cell.decor else {})}
    return {
        "like": board.id, "edition": edition, "label": label, "corners": _four(corners).round(1).tolist(),
        "cells": cells, "start": dict(board.start),
    }  # fmt: skip


def board_file(plan: Json, like: Json, source: str = "plan") -> dict[str, Any]:
    """The board file of a plan; ``like`` is the board file whose pieces and rules it is for.

    The same checks as for any board: all cells connected, no two on one spot, every start piece on a cell where it may lie.
    Raises InvalidBoard with every fault, BadInput for a plan that is none.
    """
    cells, corners = plan.get("cells"), plan.get("corners")
    if not isinstance(cells, Mapping) or not cells:
        raise BadInput(f"{source}: names no cells")
    into_frame = _homography(_four(corners), _SQUARE)
    faults = [
        f"cell {name}: needs 'at' (x and y in the picture) and 'kind'" for name, cell in cells.items() if not _whole(cell)
    ]
    if faults:
        raise InvalidBoard(source, faults)
    edition, label = str(plan.get("edition") or "own"), str(plan.get("label") or plan.get("edition") or "own")
    xy = {name: _through(into_frame, cell["at"]) for name, cell in cells.items()}
    left, top, right, bottom = like["printed"]["frame_mm"]
    mm = {name: (left + x * (right - left), top + y * (bottom - top)) for name, (x, y) in xy.items()}
    axial, faults = _lattice(mm)
    kinds = sorted({cell["kind"] for cell in like["cells"].values()} | _edition_kinds(like))
    faults += [f"cell {name}: kind {quoted(cell['kind'])} is not one of {', '.join(kinds)}" for name, cell in cells.items()
               if cell["kind"] not in kinds]  # fmt: skip
    faults += [
        f"cell {name} lies outside the frame line" for name, (x, y) in xy.items() if not (-0.05 < x < 1.05 and -0.05 < y < 1.05)
    ]
    if faults:
        raise InvalidBoard(source, faults)
    layout, gates = dict(like["layout"]), plan.get("gates", {})
    if "one_way" in layout:
        layout["one_way"] = plan.get("one_way", [link for link in layout["one_way"] if {*link[:2]} <= cells.keys()])
    data = {
        **like, "default_edition": edition, "layout": layout,
        "cells": {name: _cell(cell, xy[name], axial.get(name)) for name, cell in cells.items()},
        "places": {name: {**place, **({"gate": gates.get(name, place["gate"])} if "gate" in place else {})}
                   for name, place in like.get("places", {}).items()},
        "editions": {edition: {"label": label, "start": plan.get("start", {})}},
    }  # fmt: skip
    boards.check(data, edition, source)
    return data


def draw_plan(image: Image, plan: Json) -> Image:
    """The picture with every cell's point, name and kind written where the plan has it; each kind has its own colour."""
    drawn = image.copy()
    thick = max(1, round(image.shape[1] / 960))
    corners = _four(plan.get("corners")).round().astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(drawn, [corners], True, (0, 220, 255), thick + 1, cv2.LINE_AA)
    kinds = sorted({str(cell.get("kind")) for cell in plan["cells"].values()})
    for name, cell in plan["cells"].items():
        at = (round(cell["at"][0]), round(cell["at"][1]))
        ink = _INK[kinds.index(str(cell.get("kind"))) % len(_INK)]
        cv2.circle(drawn, at, 4 * thick, ink, -1, cv2.LINE_AA)
        for row, words in enumerate((name, str(cell.get("kind")))):
            for colour, width in (((0, 0, 0), 2 * thick + 1), (ink, thick)):
                place = (at[0] + 5 * thick, at[1] + (10 * row - 2) * thick)
                cv2.putText(drawn, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.36 * thick, colour, width, cv2.LINE_AA)
    return drawn


def _whole(cell: Any) -> bool:
    if not isinstance(cell, Mapping) or not isinstance(cell.get("kind"), str):
        return False
    at = cell.get("at")
    return isinstance(at, list | tuple) and len(at) == 2 and all(isinstance(x, int | float) for x in at)


def _cell(cell: Json, xy: Point, axial: tuple[int, int] | None) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": cell["kind"], "xy": [round(xy[0], 4), round(xy[1], 4)]}
    if axial is not None:
        data |= {"q": axial[0], "r": axial[1]}
    if cell.get("decor"):
        data["decor"] = cell["decor"]
    return data


def _lattice(mm: Mapping[str, Point]) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """Axial coordinates of flat-top hexes with these centres (mm), and what does not fit.

    The side of a hex follows from the distance between neighbours; a cell that touches no other (an island) has no place on
    the lattice. Two passes: a first fit from the middle cell outwards, then a least-squares one over all.
    """
    names, at = list(mm), np.array(list(mm.values()))
    apart = np.linalg.norm(at[:, None] - at[None], axis=2) + np.where(np.eye(len(at)) > 0, np.inf, 0.0)
    step = float(np.median(apart.min(axis=1)))
    if not np.isfinite(step) or step <= 0:
        return {}, ["cells lie on one spot, or there is only one"] if len(names) > 1 else []
    alone = apart.min(axis=1) > 1.5 * step
    origin = at[int(np.argmin(np.linalg.norm(at - at.mean(axis=0), axis=1) + np.where(alone, np.inf, 0.0)))]
    frame = np.array([[1.5, 0.0], [sqrt(3) / 2, sqrt(3)]]) * step / sqrt(3)  # columns: one step in q, one in r
    whole: Array = np.zeros((len(at), 2))
    for _ in range(3):
        found = np.linalg.solve(frame, (at - origin).T).T
        whole = np.asarray(np.round(found), np.float64)
        both = np.column_stack([whole[~alone], np.ones((~alone).sum())])
        fit, *_ = np.linalg.lstsq(both, at[~alone], rcond=None)
        if abs(np.linalg.det(fit[:2])) < 1e-6:
            break
        frame, origin = fit[:2].T, fit[2]
    miss = np.linalg.norm(at - (whole @ frame.T + origin), axis=1) / (step / sqrt(3))
    faults = [
        f"cell {name} lies {off:.0%} of a side beside the place where the other cells would have it"
        for name, off, island in zip(names, miss, alone, strict=True)
        if off > OFF_LATTICE and not island
    ]
    axial = {n: (int(q), int(r)) for n, (q, r), island in zip(names, whole, alone, strict=True) if not island}
    taken: dict[tuple[int, int], str] = {}
    for name, spot in axial.items():
        if spot in taken:
            faults.append(f"cells {taken[spot]} and {name} lie on one spot")
        taken[spot] = name
    return axial, faults


def _edition_kinds(like: Json) -> set[str]:
    return {kind for edition in like["editions"].values() for kind in edition.get("kinds", {})}


_SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def _four(corners: Any) -> Array:
    try:
        found = np.asarray(corners, np.float64).reshape(-1, 2)
    except (TypeError, ValueError) as error:
        raise BadInput("the corners are four points, each x and y in the picture") from error
    if len(found) != 4 or not cv2.isContourConvex(found.astype(np.float32).reshape(-1, 1, 2)):
        raise BadInput("the corners are four points: top left, top right, bottom right and bottom left of the frame line")
    return found


def _homography(source: ArrayLike, target: ArrayLike) -> Array:
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(source, np.float32), np.asarray(target, np.float32)), np.float64)


def _through(matrix: Array, point: Any) -> Point:
    x, y = cv2.perspectiveTransform(np.array([[point]], np.float64), matrix).reshape(2)
    return float(x), float(y)
