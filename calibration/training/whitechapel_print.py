"""The printed board of a made-up copy of Letters from Whitechapel: streets over a photograph, houses, sites, and decoys: beside
every red circle and yellow crossing a pawn is printed."""

from functools import cache
from typing import Any

import cv2
import numpy as np

from companion.calibration.training.stickers_composed import SCALE
from companion.calibration.training.whitechapel_copy import BOARD, PIECES, Copy, Image, hsv, texture


@cache
def printed(copy: Copy) -> Image:
    """The board's print, ``SCALE`` pixels a mm."""
    rng, look = copy.rng("print"), copy.look
    width, height = (round(side * SCALE) for side in BOARD.size_mm)
    light = rng.uniform(*look.light)
    paper = np.array(hsv(rng.uniform(8, 30), rng.uniform(25, 80), light), np.float32)
    sheet = np.broadcast_to(paper, (height, width, 3)).copy()
    sheet += texture(rng, look.prints, (height, width), look.contrast)
    image = np.clip(sheet, 0, 255).astype(np.uint8)
    dark, pale = tuple(int(v) for v in paper * 0.35), tuple(int(v) for v in np.minimum(255, paper * 1.25 + 12))

    def at(mm: Any) -> tuple[int, int]:
        return round(mm[0] * SCALE), round(mm[1] * SCALE)

    for _ in range(260):  # houses
        x, y = rng.uniform(0, BOARD.size_mm[0]), rng.uniform(0, BOARD.size_mm[1])
        w, h = rng.uniform(6, 22, 2)
        tone = np.clip(paper * rng.uniform(0.7, 1.2) + rng.normal(0, 10, 3), 0, 255)
        block = image[round(y * SCALE) : round((y + h) * SCALE), round(x * SCALE) : round((x + w) * SCALE)]
        block[:] = np.clip(block * 0.5 + tone * 0.5, 0, 255).astype(np.uint8)
    for cell, links in BOARD.links.items():
        for other in links.values():
            cv2.line(image, at(BOARD.mm(cell)), at(BOARD.mm(other)), pale, 3 * SCALE, cv2.LINE_AA)
            cv2.line(image, at(BOARD.mm(cell)), at(BOARD.mm(other)), dark, SCALE // 3, cv2.LINE_AA)
    gold, red = hsv(26, 190, min(240, light + 60)), hsv(178, 170, min(190, light + 25))
    for cell in BOARD.cells:
        kind, middle = BOARD.kind(cell), at(BOARD.mm(cell))
        if kind in ("circle", "red circle"):
            fill = red if kind == "red circle" else tuple(float(v) for v in np.minimum(255, paper * 1.3 + 25))
            cv2.circle(image, middle, round(6.2 * SCALE), fill, -1, cv2.LINE_AA)
            cv2.circle(image, middle, round(6.2 * SCALE), dark, SCALE // 2, cv2.LINE_AA)
            size = cv2.getTextSize(cell, cv2.FONT_HERSHEY_DUPLEX, 0.24 * SCALE / 2, SCALE // 3)[0]
            at_text = middle[0] - size[0] // 2, middle[1] + size[1] // 2
            cv2.putText(image, cell, at_text, cv2.FONT_HERSHEY_DUPLEX, 0.24 * SCALE / 2, dark, max(1, SCALE // 3), cv2.LINE_AA)
        else:
            half = round((2.8 if kind == "yellow crossing" else 2.1) * SCALE)
            fill = gold if kind == "yellow crossing" else dark
            cv2.rectangle(image, (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half), fill, -1)
        if kind in ("red circle", "yellow crossing"):
            _decoy(image, copy, cell, middle, kind == "yellow crossing")
    for place in BOARD.places.values():
        sides = (13, 9) if place.kind == "track" else (9, 9)
        box = [round(v + sign * side * SCALE) for sign in (-1, 1) for v, side in zip(at(place.mm), sides, strict=True)]
        cv2.rectangle(image, (box[0], box[1]), (box[2], box[3]), pale, -1)
        cv2.rectangle(image, (box[0], box[1]), (box[2], box[3]), dark, SCALE // 2)
        middle = at(place.mm)
        cv2.putText(
            image, str(place.value), (middle[0] - 10, middle[1] + 8), cv2.FONT_HERSHEY_DUPLEX, 0.8, dark, 2, cv2.LINE_AA
        )
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def _decoy(image: Image, copy: Copy, cell: str, middle: tuple[int, int], police: bool) -> None:
    """A pawn drawn on the board beside a place, as tall as a real one lying on its side."""
    rng = copy.rng(f"decoy {cell}")
    angle = rng.uniform(0, 2 * np.pi)
    x, y = (round(v + 11.5 * SCALE * f(angle)) for v, f in zip(middle, (np.cos, np.sin), strict=True))
    piece = rng.choice([p.id for p in PIECES.in_group("police" if police else "wretched")])
    colour = tuple(float(v) * 0.8 for v in copy.pawn_colour(str(piece)))
    body = np.array(
        [(x - 4 * SCALE, y + 5 * SCALE), (x + 4 * SCALE, y + 5 * SCALE), (x + SCALE, y - 2 * SCALE), (x - SCALE, y - 2 * SCALE)]
    )
    cv2.fillPoly(image, [body.astype(np.int32)], colour, cv2.LINE_AA)
    cv2.circle(image, (x, y - 3 * SCALE), round(2.5 * SCALE), colour, -1, cv2.LINE_AA)
