"""What has been decided about a picture so far."""

from dataclasses import dataclass, field

from companion.vision.reading import Reading, Sighting


@dataclass
class Claims:
    """Sightings, what is unknown and why, where unknown pieces lie for all that and which way they face."""

    sightings: list[Sighting] = field(default_factory=list)
    unknown: dict[str, str] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)
    facings: dict[str, str] = field(default_factory=dict)


def pick_alike(free: list[str], spot: str, prior: Reading | None) -> str:
    """Of pieces that look alike, the one that lay here before, else the next; it is taken out of ``free``."""
    chosen = free[0]
    if prior is not None:
        before = {s.piece for s in prior.sightings if s.place == spot}
        elsewhere = {s.piece for s in prior.sightings if s.place != spot}
        chosen = next((p for p in free if p in before), next((p for p in free if p not in elsewhere), free[0]))
    free.remove(chosen)
    return chosen


def capped(value: float) -> float:
    """A confidence: nothing fitted on some thousand places is surer than this."""
    return min(value, 0.999)
