"""The page of ``companion evaluate --report``: one file, with every piece that was read wrong or not at all cut out."""

import base64
import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards import PAIR, Board, Group, PieceSet
from companion.vision.frame import Image
from companion.vision.observation import Observation
from companion.vision.table_sets.scoring import EXACT, UNKNOWN, WRONG, Bin, Score, Scored, Verdict, nested, reliability
from companion.vision.viewing import ASKED

_HALF_MM, _SIDE_PX, _MOST = 42.0, 150, 400


@dataclass(frozen=True, slots=True)
class Cutting:
    """One differing piece: where it truly lies and where it was read, each as a JPEG (None: nowhere, or out of sight)."""

    file: str
    hand: bool
    verdict: Verdict
    why: str
    there: bytes | None
    seen: bytes | None


def cuttings(scored: Scored, image: Image, observation: Observation, board: Board, pieces: PieceSet) -> tuple[Cutting, ...]:
    """Cut every differing piece of one picture (H×W×3 BGR) out of it."""
    cut = []
    for verdict in scored.verdicts:
        group = pieces.groups.get(verdict.kind)
        if verdict.verdict == EXACT or group is None:
            continue
        there, seen = (_place(verdict.subject, value, group, board) for value in (verdict.truth, verdict.read))
        if verdict.truth is None and verdict.read is None:
            there = _place(verdict.subject, True, group, board)
        why = observation.reading.unknown.get(verdict.subject, "")
        first = _crop(image, observation, board, there)
        second = None if seen == there else _crop(image, observation, board, seen)
        cut.append(Cutting(scored.file, not scored.counts, verdict, why, first, second))
    return tuple(cut)


def _place(subject: str, value: object, group: Group, board: Board) -> str | None:
    """The place a value of a state is about."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return str(value.get("hex"))
    if group.layout == "value":
        return next((place.id for place in board.places.values() if place.kind in group.on and place.value == value), None)
    return subject.partition(":")[2]


def _crop(image: Image, observation: Observation, board: Board, place: str | None) -> bytes | None:
    spots = place.split(PAIR) if place is not None else []
    if place is None or observation.registration is None or not all(spot in board.spots for spot in spots):
        return None
    around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _HALF_MM + board.mm(place)
    square = np.array(board.zones[place].outline_mm) if place in board.zones else around
    pixels = observation.registration.project(square, 4.0)
    limit = np.array([image.shape[1], image.shape[0]])
    low, high = (np.clip(edge, 0, limit).astype(int) for edge in (pixels.min(axis=0), pixels.max(axis=0)))
    if (high - low < 4).any():
        return None
    crop = image[low[1] : high[1], low[0] : high[0]]
    scale = _SIDE_PX / max(crop.shape[:2])
    small = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


def page(scores: Mapping[str, Score], total: Score, cut: Mapping[str, Iterable[Cutting]]) -> str:
    """The whole page as one HTML text without anything outside it."""
    parts = [_HEAD, "<h1>Readings compared with the truth</h1>", _sets(scores, total), _kinds(scores, total)]
    parts += [_curve(reliability(total.claims)), _confusion(total)]
    for name, entries in cut.items():
        mine = list(entries)
        if mine:
            parts.append(f"<h2>{html.escape(name)}: what differs</h2>")
            parts.append(_rows(mine[:_MOST]))
            if len(mine) > _MOST:
                parts.append(f"<p>and {len(mine) - _MOST} more</p>")
    if not any(list(entries) for entries in cut.values()):
        parts.append("<p>Nothing differs.</p>")
    return "\n".join([*parts, "</body></html>\n"])


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    top = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _sets(scores: Mapping[str, Score], total: Score) -> str:
    named = [*scores.items(), ("all", total)] if len(scores) > 1 else [*scores.items()]
    rows = [
        (
            name, part.frames, f"{part.exact_frames} ({_percent(part.exact_frames, part.frames)})", part.hand_frames,
            part.total(WRONG), f"{part.total(UNKNOWN)} ({100 * part.unknown_share:.2f} %)", *_seen(part),
        )
        for name, part in named
    ]  # fmt: skip
    head = (
        "set", "pictures without an arm", "of these read exactly", "pictures with an arm", "pieces surely wrong (arms too)",
        "pieces unknown", "seen from", "discs, stickers at least", "seen as asked",
    )  # fmt: skip
    note = (
        "<p>A picture with an arm cannot be read exactly; it counts for what is surely wrong, and for nothing else. What is "
        f"asked of a camera: at most {ASKED.steepest_deg:.0f}° from straight above, and where they are smallest a disc's "
        f"sticker of {ASKED.sticker_px:.0f} px, or without stickers discs of {ASKED.disc_px:.0f} px.</p>"
    )
    return note + _table(head, rows)


def _seen(part: Score) -> tuple[str, str, str]:
    """How the camera saw a set's board, and whether that is what is asked of it."""
    if part.viewing is None:
        return "–", "–", "–"
    sizes = f"{part.viewing.disc_px:.0f} px, {part.viewing.sticker_px:.0f} px"
    return f"{part.viewing.tilt_deg:.0f}°", sizes, "no" if part.faults else "yes"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _kinds(scores: Mapping[str, Score], total: Score) -> str:
    named = [*scores.items(), ("all", total)] if len(scores) > 1 else [*scores.items()]
    rows = [
        (name, kind, *(counts.get(v, 0) for v in (EXACT, WRONG, UNKNOWN)))
        for name, part in named
        for kind, counts in part.by_kind.items()
    ]
    return "<h2>By kind of piece</h2>" + _table(("set", "kind", "exact", "wrong", "unknown"), rows)


def _curve(bins: Sequence[Bin]) -> str:
    rows = [
        (f"{b.low:g} to {b.high:g}", b.claims, f"{b.claimed:.4f}", f"{b.true / b.claims:.4f}", b.claims - b.true) for b in bins
    ]
    table = _table(("confidence", "claims", "claimed", "true", "false"), rows)
    return f"<h2>How far confidences can be trusted</h2>{_drawn_curve(bins) if bins else ''}{table}"


_NINES = (0.0, 0.5, 0.9, 0.99, 0.999, 0.9999)


def _drawn_curve(bins: Sequence[Bin]) -> str:
    """Claimed against true share, both in nines (0.9, 0.99, 0.999 are as far apart as they are in trouble). The bar reaches
    down to what the number of claims still allows with 95 % certainty (Wilson's interval)."""

    def at(share: float) -> float:
        return 40 + 320 * min(1.0, -math.log10(max(1 - share, 1e-4)) / 4)

    parts = [f'<svg viewBox="-12 0 412 400" width="412" role="img" aria-label="reliability curve"><rect {_FRAME}/>']
    for nine in _NINES:
        x = at(nine)
        parts.append(f'<path d="M{x:.1f} 40V360M40 {400 - x:.1f}H360" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="376" text-anchor="middle">{nine:g}</text>')
        parts.append(f'<text x="36" y="{404 - x:.1f}" text-anchor="end">{nine:g}</text>')
    parts.append('<path d="M40 360L360 40" class="ideal"/>')
    for one in bins:
        x, low = at(one.claimed), _at_least(one.true, one.claims)
        y = 400 - at(one.true / one.claims)
        parts.append(f'<path d="M{x:.1f} {400 - at(low):.1f}V{y:.1f}" class="bar"/><circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
    parts.append('<text x="200" y="394" text-anchor="middle">claimed</text>')
    return "".join(parts) + '<text x="6" y="28">true</text></svg>'


def _at_least(true: int, claims: int) -> float:
    """Lower end of Wilson's 95 % interval of a share."""
    z, share = 1.96, true / claims
    middle = share + z * z / (2 * claims)
    reach = z * ((share * (1 - share) + z * z / (4 * claims)) / claims) ** 0.5
    return float(max(0.0, (middle - reach) / (1 + z * z / claims)))


def _confusion(total: Score) -> str:
    parts = ["<h2>What was read as what</h2>"]
    for kind, truths in nested(total.confusion).items():
        rows = [(truth, read, count) for truth, reads in truths.items() for read, count in reads.items() if read != truth]
        right = sum(count for truth, reads in truths.items() for read, count in reads.items() if read == truth)
        parts.append(f"<h3>{html.escape(kind)}: {right} read as what they are</h3>")
        if rows:
            parts.append(_table(("lies there", "was read", "times"), rows))
    return "\n".join(parts)


def _rows(entries: Iterable[Cutting]) -> str:
    rows = []
    for entry in entries:
        verdict = entry.verdict
        text = (f"{entry.file}{' (arm in the picture)' if entry.hand else ''}", verdict.subject, verdict.verdict)
        sure = "" if verdict.confidence is None else f" (confidence {verdict.confidence:.4f})"
        said = f"{_words(verdict.read)}{sure}" + (f": {entry.why}" if entry.why else "")
        cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in (*text, _words(verdict.truth)))
        images = f"<td>{_image(entry.there, 'where it lies')}</td><td>{html.escape(said)}</td>"
        rows.append(f'<tr class="{verdict.verdict}">{cells}{images}<td>{_image(entry.seen, "where it was read")}</td></tr>')
    head = ("picture", "piece", "verdict", "truth", "there", "read", "read there")
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _words(value: object) -> str:
    if value is None:
        return "nothing"
    if value is True:
        return "there"
    return " ".join(str(part) for part in value.values()) if isinstance(value, Mapping) else str(value)


def _image(data: bytes | None, words: str) -> str:
    return "" if data is None else f'<img alt="{words}" src="data:image/jpeg;base64,{base64.b64encode(data).decode()}">'


_FRAME = 'x="40" y="40" width="320" height="320" fill="none" stroke="currentColor"'
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Readings compared with the truth</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
th, td { border: 1px solid #8888; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
tr.wrong td:nth-child(3) { background: #b00020; color: #fff; }
img { display: block; }
svg text { font-size: 11px; fill: currentColor; }
svg .grid { stroke: #8886; fill: none; }
svg .ideal { stroke: #8888; stroke-dasharray: 5 4; fill: none; }
svg .bar { stroke: #1565c0; stroke-width: 3; fill: none; }
svg circle { fill: #1565c0; }
</style></head><body>"""
