"""Compare readings with the truth piece by piece: exact, surely wrong, or honestly unknown."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.boards import Group, PieceSet
from companion.vision.reading import Json

EXACT, WRONG, UNKNOWN = "exact", "wrong", "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One compared subject: what is there, what was read."""

    kind: str
    subject: str
    truth: object
    read: object
    verdict: str


def compare(truth: Json, read: Json, unknown: Iterable[str], pieces: PieceSet) -> tuple[Verdict, ...]:
    """Every piece of the truth and every claim that is in no truth. A subject in ``unknown`` is never wrong."""
    doubts = frozenset(unknown)
    verdicts: list[Verdict] = []
    for group in pieces.groups.values():
        there, seen = _entries(truth.get(group.key), group), _entries(read.get(group.key), group)
        for entry in sorted(there.keys() | seen.keys()):
            subject = entry if group.layout in ("by-piece", "value") else f"{group.singular}:{entry}"
            claimed = EXACT if there.get(entry) == seen.get(entry) else WRONG
            verdict = UNKNOWN if subject in doubts else claimed
            verdicts.append(Verdict(group.key, subject, there.get(entry), seen.get(entry), verdict))
    named = {verdict.subject for verdict in verdicts}
    # A doubt about a place that is in fact empty is a piece unknown, too: it keeps the picture from being exact.
    verdicts += [Verdict(_kind_of(subject, pieces), subject, None, None, UNKNOWN) for subject in sorted(doubts - named)]
    return tuple(verdicts)


def _entries(value: object, group: Group) -> dict[str, object]:
    """A group's part of a state as comparable entries by name."""
    if group.layout == "value":
        return {} if value is None else {group.key: value}
    if isinstance(value, Mapping):
        return {str(key): dict(entry) if isinstance(entry, Mapping) else entry for key, entry in value.items()}
    return {str(entry): True for entry in value} if isinstance(value, Iterable) else {}


def _kind_of(subject: str, pieces: PieceSet) -> str:
    if subject in pieces.pieces:
        return pieces.pieces[subject].group
    singular = subject.partition(":")[0]
    return next((group.key for group in pieces.groups.values() if group.singular == singular), "other")


@dataclass(frozen=True, slots=True)
class Scored:
    """One picture's comparison. ``counts`` is False for pictures with an arm, which cannot be exact."""

    file: str
    verdicts: tuple[Verdict, ...]
    counts: bool = True

    @property
    def exact(self) -> bool:
        """Nothing wrong and nothing unknown."""
        return all(verdict.verdict == EXACT for verdict in self.verdicts)


@dataclass(frozen=True)
class Score:
    """The sum over pictures. ``by_kind``: piece kind to counts of exact, wrong and unknown; pictures with an arm count for
    ``wrong`` only."""

    frames: int = 0
    exact_frames: int = 0
    by_kind: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    differing: tuple[Scored, ...] = ()

    def total(self, verdict: str) -> int:
        """How many pieces got a verdict, over all kinds."""
        return sum(counts.get(verdict, 0) for counts in self.by_kind.values())

    def json(self) -> Json:
        """Plain data for ``companion evaluate --json``."""
        pieces = sum(self.total(verdict) for verdict in (EXACT, WRONG, UNKNOWN))
        return {
            "frames": self.frames,
            "exact": self.exact_frames,
            "pieces": pieces,
            "wrong": self.total(WRONG),
            "unknown": self.total(UNKNOWN),
            "kinds": {kind: {v: counts.get(v, 0) for v in (EXACT, WRONG, UNKNOWN)} for kind, counts in self.by_kind.items()},
            "differing": [
                {
                    "file": scored.file,
                    "hand": not scored.counts,
                    "pieces": [
                        {"subject": v.subject, "truth": v.truth, "read": v.read, "verdict": v.verdict}
                        for v in scored.verdicts
                        if v.verdict != EXACT
                    ],
                }
                for scored in self.differing
            ],
        }


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
    return Score(len(counted), sum(picture.exact for picture in counted), kinds, differing)


def merged(scores: Iterable[Score]) -> Score:
    """Several sets together."""
    total, kinds = Score(), Counter[tuple[str, str]]()
    frames = exact = 0
    differing: list[Scored] = []
    for part in scores:
        frames, exact = frames + part.frames, exact + part.exact_frames
        differing += part.differing
        for kind, counts in part.by_kind.items():
            for verdict, count in counts.items():
                kinds[kind, verdict] += count
    by_kind: dict[str, dict[str, int]] = {}
    for (kind, verdict), count in kinds.items():
        by_kind.setdefault(kind, {})[verdict] = count
    return type(total)(frames, exact, by_kind, tuple(differing))
