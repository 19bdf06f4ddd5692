"""Compare readings with the truth piece by piece: exact, surely wrong, or honestly unknown."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from companion.boards import PAIR, Group, PieceSet
from companion.vision.reading import Json, about_place
from companion.vision.reading import subject as doubt_about
from companion.vision.viewing import Viewing

EXACT, WRONG, UNKNOWN = "exact", "wrong", "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One compared subject: what is there, what was read, and with which confidence it was claimed (None: not claimed)."""

    kind: str
    subject: str
    truth: object
    read: object
    verdict: str
    confidence: float | None = None


def compare(
    truth: Json, read: Json, unknown: Iterable[str], pieces: PieceSet, confidences: Mapping[str, float] | None = None
) -> tuple[Verdict, ...]:
    """Every piece of the truth and every claim that is in no truth. A subject in ``unknown`` is never wrong.

    ``confidences``: subject to confidence, as :func:`companion.vision.table_sets.reading_metrics.confidences` gives them.
    """
    sure = confidences or {}
    doubts = frozenset(unknown)
    verdicts: list[Verdict] = []
    for group in pieces.groups.values():
        there, seen = (entries(state.get(group.key), group, pieces) for state in (truth, read))
        for entry in sorted(there.keys() | seen.keys()):
            subject = doubt_about(entry, group)
            verdict = UNKNOWN if subject in doubts else _judged(there.get(entry), seen.get(entry), group, doubts)
            confidence = sure.get(subject) if entry in seen and verdict != UNKNOWN else None
            verdicts.append(Verdict(group.key, subject, there.get(entry), seen.get(entry), verdict, confidence))
    named = {verdict.subject for verdict in verdicts}
    # A doubt about a place that is in fact empty is a piece unknown, too: it keeps the picture from being exact.
    verdicts += [Verdict(_kind_of(subject, pieces), subject, None, None, UNKNOWN) for subject in sorted(doubts - named)]
    return tuple(verdicts)


def _judged(there: object, seen: object, group: Group, doubts: Collection[str]) -> str:
    """Whether a claim is true. A card of a zone in which something cannot be read may be anywhere in its order, and need not
    have been found; nor need one be told that comes before it."""
    if group.layout == "by-zone" and isinstance(there, Mapping):
        doubted = about_place(str(there["hex"]), group) in doubts
        if doubted and seen is None:
            return UNKNOWN
        if isinstance(seen, Mapping) and (doubted or there.get("after") in doubts):
            return EXACT if there["hex"] == seen["hex"] else WRONG
    return EXACT if there == seen else WRONG


def entries(value: object, group: Group, pieces: PieceSet) -> dict[str, object]:
    """A group's part of a state as comparable entries, by piece or by place."""
    if not value:
        return {}
    if group.layout == "value":
        return {pieces.in_group(group.key)[0].id: value}
    if group.layout == "by-zone" and isinstance(value, Mapping):
        return _cards_of(value, group, pieces)
    return _entries(value, group, pieces)


def _entries(value: object, group: Group, pieces: PieceSet) -> dict[str, object]:
    if group.layout == "lone" and isinstance(value, Mapping):
        return {} if value.get("hex") is None else {pieces.in_group(group.key)[0].id: dict(value)}
    if isinstance(value, Mapping):
        lying = {key: entry for key, entry in value.items() if not (isinstance(entry, Mapping) and _nowhere(entry))}
        return {str(key): dict(entry) if isinstance(entry, Mapping) else entry for key, entry in lying.items()}
    if group.layout == "pairs" and isinstance(value, Iterable):
        return {PAIR.join(sorted(map(str, pair))): True for pair in value}
    return {str(entry): True for entry in value} if isinstance(value, Iterable) else {}


def _nowhere(entry: Mapping[str, object]) -> bool:
    """Whether a piece lies beside the board, as a state may say outright; a reading then says nothing of it."""
    return "hex" in entry and entry["hex"] is None


def _cards_of(value: Mapping[str, Sequence[str]], group: Group, pieces: PieceSet) -> dict[str, object]:
    """Named cards by their zone and the named card before them there; cards that show a shared side by their number in a zone.

    What is compared is what shows: the truth leaves out what lies covered, as a reading does.
    """
    found: dict[str, object] = {}
    for zone, cards in value.items():
        named = [card for card in cards if card in pieces.pieces]
        for before, card in zip((None, *named), named, strict=False):
            found[card] = {"hex": zone, "after": before}
        for side in dict.fromkeys(card for card in cards if card not in pieces.pieces):
            found[f"{about_place(zone, group)} {side}"] = {
                "hex": zone,
                "ranks": [n for n, one in enumerate(cards) if one == side],
            }
    return found


def _kind_of(subject: str, pieces: PieceSet) -> str:
    if subject in pieces.pieces:
        return pieces.pieces[subject].group
    singular = subject.partition(":")[0]
    return next((group.key for group in pieces.groups.values() if group.singular == singular), "other")


@dataclass(frozen=True, slots=True)
class Scored:
    """One picture's comparison. ``counts`` is False for pictures with an arm, which cannot be exact. ``confusion``: how often
    (kind, truth, read) met on one place."""

    file: str
    verdicts: tuple[Verdict, ...]
    counts: bool = True
    confusion: Mapping[tuple[str, str, str], int] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        """Nothing wrong and nothing unknown."""
        return all(verdict.verdict == EXACT for verdict in self.verdicts)


@dataclass(frozen=True)
class Score:
    """The sum over pictures. ``by_kind``: piece kind to counts of exact, wrong and unknown; pictures with an arm count for
    ``wrong`` only. ``confusion``: (kind, truth, read) to how often, without them. ``claims``: every claim's confidence and
    whether it was true, with them. ``hand_frames``: how many pictures with an arm were left out of ``frames``. ``viewing``: the
    steepest and smallest the board was seen in these pictures, None where it was not found or several sets are summed up;
    ``faults``: what of that is less than a camera is asked for, in sentences."""

    frames: int = 0
    exact_frames: int = 0
    by_kind: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    differing: tuple[Scored, ...] = ()
    confusion: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    claims: tuple[tuple[float, bool], ...] = ()
    hand_frames: int = 0
    viewing: Viewing | None = None
    faults: tuple[str, ...] = ()

    @property
    def unknown_share(self) -> float:
        """Share of the pieces that were not claimed, 0..1."""
        pieces = sum(self.total(verdict) for verdict in (EXACT, WRONG, UNKNOWN))
        return self.total(UNKNOWN) / pieces if pieces else 0.0

    def total(self, verdict: str) -> int:
        """How many pieces got a verdict, over all kinds."""
        return sum(counts.get(verdict, 0) for counts in self.by_kind.values())

    def json(self) -> Json:
        """Plain data for ``companion evaluate --json``."""
        pieces = sum(self.total(verdict) for verdict in (EXACT, WRONG, UNKNOWN))
        return {
            "frames": self.frames,
            "exact": self.exact_frames,
            "hand_frames": self.hand_frames,
            "pieces": pieces,
            "wrong": self.total(WRONG),
            "unknown": self.total(UNKNOWN),
            "kinds": {kind: {v: counts.get(v, 0) for v in (EXACT, WRONG, UNKNOWN)} for kind, counts in self.by_kind.items()},
            "differing": [
                {
                    "file": scored.file,
                    "hand": not scored.counts,
                    "pieces": [
                        {
                            "subject": v.subject,
                            "truth": v.truth,
                            "read": v.read,
                            "verdict": v.verdict,
                            "confidence": v.confidence,
                        }
                        for v in scored.verdicts
                        if v.verdict != EXACT
                    ],
                }
                for scored in self.differing
            ],
            "confusion": nested(self.confusion),
            "reliability": [entry.json() for entry in reliability(self.claims)],
            "viewing": None if self.viewing is None else self.viewing.json(),
            "faults": list(self.faults),
        }


@dataclass(frozen=True, slots=True)
class Bin:
    """The claims whose confidence lies from ``low`` up to (not with) ``high``: how sure they were, how often they were true."""

    low: float
    high: float
    claims: int
    true: int
    claimed: float

    def json(self) -> Json:
        """Plain data; ``true_share`` is what ``claimed`` should be."""
        share = self.true / self.claims if self.claims else None
        return {
            "from": self.low,
            "to": self.high,
            "claims": self.claims,
            "claimed": round(self.claimed, 5),
            "true_share": None if share is None else round(share, 5),
        }


_EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.000001)


def reliability(claims: Iterable[tuple[float, bool]]) -> tuple[Bin, ...]:
    """The reliability curve: claims sorted into bins by confidence; empty bins are left out."""
    known = tuple(claims)
    bins = []
    for low, high in pairwise(_EDGES):
        mine = [(sure, true) for sure, true in known if low <= sure < high]
        if mine:
            bins.append(Bin(low, min(high, 1.0), len(mine), sum(true for _, true in mine), sum(s for s, _ in mine) / len(mine)))
    return tuple(bins)


def nested(confusion: Mapping[tuple[str, str, str], int]) -> dict[str, dict[str, dict[str, int]]]:
    """A confusion table as kind → truth → read → how often."""
    table: dict[str, dict[str, dict[str, int]]] = {}
    for (kind, truth, read), count in sorted(confusion.items()):
        table.setdefault(kind, {}).setdefault(truth, {})[read] = count
    return table


def score(pictures: Iterable[Scored]) -> Score:
    """Sum up pictures."""
    all_pictures = tuple(pictures)
    kinds: dict[str, Counter[str]] = {}
    for picture in all_pictures:
        for verdict in picture.verdicts:
            if picture.counts or verdict.verdict == WRONG:
                kinds.setdefault(verdict.kind, Counter())[verdict.verdict] += 1
    counted = [picture for picture in all_pictures if picture.counts]
    differing = tuple(p for p in all_pictures if (p.counts and not p.exact) or any(v.verdict == WRONG for v in p.verdicts))
    confusion: Counter[tuple[str, str, str]] = Counter()
    for picture in counted:
        confusion.update(picture.confusion)
    claims = tuple(
        (verdict.confidence, verdict.verdict == EXACT)
        for picture in all_pictures
        for verdict in picture.verdicts
        if verdict.confidence is not None
    )
    exact = sum(picture.exact for picture in counted)
    return Score(len(counted), exact, kinds, differing, confusion, claims, len(all_pictures) - len(counted))


def merged(scores: Iterable[Score]) -> Score:
    """Several sets together."""
    total, kinds = Score(), Counter[tuple[str, str]]()
    frames = exact = hands = 0
    differing: list[Scored] = []
    confusion, claims = Counter[tuple[str, str, str]](), list[tuple[float, bool]]()
    for part in scores:
        confusion.update(part.confusion)
        claims += part.claims
        frames, exact, hands = frames + part.frames, exact + part.exact_frames, hands + part.hand_frames
        differing += part.differing
        for kind, counts in part.by_kind.items():
            for verdict, count in counts.items():
                kinds[kind, verdict] += count
    by_kind: dict[str, dict[str, int]] = {}
    for (kind, verdict), count in kinds.items():
        by_kind.setdefault(kind, {})[verdict] = count
    return type(total)(frames, exact, by_kind, tuple(differing), confusion, tuple(claims), hands)
