"""What to say of a piece whose marker was not found: under a disc, absent, or unknown.

*Absent* needs evidence: every place the piece could lie on is in sight, large enough, and bare. Where the bare board was not
taught only tiles that leave the table in the course of a game can be absent, only while nothing else is missing, and only
where the places look like others of their kind.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from companion.boards import Group
from companion.vision.marked.bare import BareBoard, BareSettings, Foreign
from companion.vision.marked.claims import Claimant, Draft
from companion.vision.marked.covered import RimSettings, bare_patch, compare_rim, rim_patch
from companion.vision.marked.likeness import LikenessSettings, bare_by_likeness
from companion.vision.marked.rectify import in_picture, pixels_per_mm
from companion.vision.marked.scene import Scene
from companion.vision.reading import Reading, Sighting, subject

_BY_PIECE = ("by-piece", "value")
_BY_PLACE = ("by-place", "places")
_UNDER_CONFIDENCE = 0.99


@dataclass(frozen=True)
class Evidence:
    """What a picture says beyond its markers. ``foreign`` is None without a bare board to compare with."""

    scene: Scene
    bare: BareBoard | None
    foreign: Foreign | None
    prior: Reading | None
    smallest_cell_px: float
    bare_settings: BareSettings
    rim_settings: RimSettings
    likeness_settings: LikenessSettings


def hidden_spots(draft: Draft, evidence: Evidence) -> frozenset[str]:
    """Spots something unknown lies or hangs over, and spots outside the picture."""
    scene, settings = evidence.scene, evidence.bare_settings
    taken = {sighting.place for sighting in draft.sightings.values()}
    spots = [spot for spot in (*scene.board.cells, *scene.board.places) if spot not in taken]
    mm = np.array([scene.board.mm(spot) for spot in spots])
    pixels = scene.registration.project(mm)
    inside = (pixels >= 0) & (pixels <= np.array(scene.registration.lens.size) - 1.0)
    out = np.asarray(~inside.all(axis=1), np.bool_)
    if evidence.foreign is not None:
        out |= evidence.foreign.shares(mm, settings.around_mm) > settings.hidden_share
    return frozenset(spot for spot, hidden in zip(spots, out, strict=True) if hidden)


def judge_missing(draft: Draft, claimant: Claimant, evidence: Evidence, occluded: frozenset[str]) -> None:
    """Complete a draft: every lost piece is claimed under a disc, left out as absent, or unknown."""
    pieces = evidence.scene.pieces
    nothing_lies_here = not draft.sightings and not draft.unknown
    doubts = {group.key: _claim_under(draft, claimant, group, evidence, occluded) for group in pieces.groups.values()}
    lost = claimant.lost(draft)
    # While a piece that cannot leave the table is nowhere, something may be hiding more than that piece.
    unsure = not nothing_lies_here and any(pieces.group_of(piece).layout != "by-place" for piece in lost)
    for group in pieces.groups.values():
        mine = [piece for piece in lost if pieces.pieces[piece].group == group.key]
        if not mine:
            continue
        why_not = doubts[group.key]
        strange = _strange(draft, claimant, group, evidence, occluded, why_not)
        for spot in claimant.free(draft, group):
            why = "" if spot in why_not else _why_not_bare(spot, group, evidence, occluded, unsure, strange)
            if why:
                why_not[spot] = why
        reasons = {spot: why for spot, why in why_not.items() if why}
        if group.layout == "places" and not nothing_lies_here and len(reasons) < len(mine):
            # Such a tile never leaves the table: if no place seems to hide it, then what seems bare is not to be trusted.
            missing = f"a {group.singular} is nowhere in sight"
            reasons = {spot: reasons.get(spot, missing) for spot in claimant.free(draft, group)}
        _say_unknown(draft, group, mine, reasons, unsure and evidence.foreign is None)


def _claim_under(
    draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]
) -> dict[str, str]:
    """Claim lost tiles that surely lie under taller pieces. Returns why each other such place cannot be called empty
    (an empty reason where it surely is)."""
    mine = [piece for piece in claimant.lost(draft) if evidence.scene.pieces.pieces[piece].group == group.key]
    if not mine:
        return {}
    under = _under_taller(draft, claimant, group, evidence, occluded)
    sure = [spot for spot, lies in under.items() if lies]
    before = _known_before(evidence.prior, group, evidence.scene)
    elsewhere = any(spot in occluded and spot not in under for spot in claimant.free(draft, group))
    if elsewhere:  # the tile may as well lie under the arm, whose shadow makes rims look otherwise
        under = {spot: None if lies and spot not in before else lies for spot, lies in under.items()}
        sure = [spot for spot in sure if spot in before]
    if len(sure) > len(mine):  # more rims differ than tiles are missing: no single one can be trusted
        under, sure = {spot: None if lies else lies for spot, lies in under.items()}, []
    for piece, spot in zip(mine, sure, strict=False):
        draft.keep([Sighting(piece, spot, None, None, _UNDER_CONFIDENCE, None)])
    # A rim that looks bare still makes no place empty while a tile is missing that cannot have left the table.
    return {
        spot: f"a disc hides whether a {group.singular} lies on {spot}"
        for spot, lies in under.items()
        if lies is None or (lies is False and group.layout != "by-place")
    } | {spot: "" for spot, lies in under.items() if lies is False and group.layout == "by-place"}


def _say_unknown(draft: Draft, group: Group, left: Sequence[str], doubts: dict[str, str], nowhere: bool) -> None:
    if not doubts:
        return
    if group.layout in _BY_PIECE:
        why = "it is nowhere in sight" if nowhere else next(iter(doubts.values()))
        for piece in left:
            draft.unknown[subject(piece, group)] = f"its marker was not found: {why}"
    else:
        for spot, why in doubts.items():
            draft.unknown.setdefault(subject(spot, group), why)


def _strange(
    draft: Draft,
    claimant: Claimant,
    group: Group,
    evidence: Evidence,
    occluded: frozenset[str],
    judged: Collection[str],
) -> frozenset[str]:
    """Places that nobody showed bare and that look like no other of their kind."""
    nothing_lies_here = not draft.sightings and not draft.unknown
    if group.layout not in _BY_PLACE or (nothing_lies_here and group.layout != "by-place"):
        return frozenset()
    scene, bare, radius = evidence.scene, evidence.bare, evidence.likeness_settings.radius_mm
    board = scene.board
    free = [spot for spot in claimant.free(draft, group) if spot not in occluded and spot not in judged]
    taught = {spot for spot in free if bare is not None and bare.shows(board.mm(spot), radius)}
    if len(taught) == len(free):
        return frozenset()
    everywhere = claimant.placer.allowed(group)
    kinds = {spot: claimant.placer.kind(spot) for spot in everywhere}
    strange: set[str] = set()
    for kind in {kinds[spot] for spot in free}:
        here = [spot for spot in free if kinds[spot] == kind]
        others = [spot for spot in everywhere if kinds[spot] == kind]
        looks = bare_by_likeness(scene, here, bare, others, evidence.likeness_settings)
        strange |= {spot for spot in here if spot not in taught and not looks[spot]}
    return frozenset(strange)


def _why_not_bare(
    spot: str, group: Group, evidence: Evidence, occluded: frozenset[str], unsure: bool, strange: frozenset[str]
) -> str | None:
    """Why a place without a known piece cannot be called empty; None when it can."""
    registration, mm = evidence.scene.registration, evidence.scene.board.mm(spot)
    smallest = evidence.smallest_cell_px * 8 / group.marker_mm
    if not in_picture(registration, mm, group.marker_mm / 2 + group.quiet_mm, group.height_mm):
        return f"{spot} lies outside the picture"
    if pixels_per_mm(registration, mm, group.height_mm) < smallest:
        return f"{spot} is too small in the picture"
    if spot in occluded:
        return f"something hides {spot}"
    if spot in strange:
        return f"{spot} looks like no other place of its kind, and was never shown bare"
    # Places read by what lies on them have been compared with their like; on a street there is nothing to compare.
    if evidence.foreign is None and unsure and group.layout not in _BY_PLACE:
        return f"a {group.singular} is missing, and what the bare board looks like at {spot} is not known"
    return None


def _under_taller(
    draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]
) -> dict[str, bool | None]:
    """For each free place with a taller piece of another kind on it: whether a tile of this group lies under that."""
    scene, rim = evidence.scene, evidence.rim_settings
    everything = list(draft.sightings.values())
    tops = {s.place: s for s in everything if scene.pieces.group_of(s.piece).height_mm > group.height_mm and s.at_mm}
    free = claimant.free(draft, group)
    known_before = _known_before(evidence.prior, group, scene)
    under: dict[str, bool | None] = {}
    for spot in free:
        top = tops.get(spot)
        if top is None:
            continue
        if scene.registration.error_mm > rim.error_mm:
            # The rim's few millimetres are not where we would look.
            under[spot] = True if spot in known_before else None
            continue
        taught = bare_patch(evidence.bare, scene.board.mm(spot), group, rim) if evidence.bare is not None else None
        if taught is not None:
            references = [taught]
        else:
            elsewhere = [other for other in free if other not in tops and other not in occluded]
            references = [rim_patch(scene, other, group, rim) for other in elsewhere]
        others = [sighting for sighting in everything if sighting is not top]
        compared = compare_rim(scene, spot, top, group, others, references, rim)
        lies = None if compared is None else compared.lies_under(rim)
        # The tile that lay here before the disc came still does, unless the rim says it is gone.
        under[spot] = True if lies is None and spot in known_before else lies
    return under


def _known_before(prior: Reading | None, group: Group, scene: Scene) -> frozenset[str]:
    if prior is None:
        return frozenset()
    return frozenset(s.place for s in prior.sightings if scene.pieces.pieces[s.piece].group == group.key)
