"""What to say of a piece whose marker was not found: under a disc (``occluded_tiles.py``), absent, or unknown.

*Absent* needs evidence: every place the piece could lie on is in sight, large enough, and bare. Where the bare board was not
taught only tiles that leave the table in the course of a game can be absent, only while nothing else is missing, and only
where the places look like others of their kind. Tiles with two sides come from a supply beside the board: that many of
them are missing is nothing strange, and one that lies under a disc is claimed only when its side is known, too.
"""

from collections.abc import Collection, Sequence

import numpy as np

from companion.boards import PAIR, Group
from companion.boards.surface import HEXES
from companion.vision.marked.background import unlike_ground
from companion.vision.marked.claims import Claimant, Draft
from companion.vision.marked.crowded import beside_found
from companion.vision.marked.empty_place import any_in, why_not_empty, why_zone_unread
from companion.vision.marked.evidence import Evidence, two_sided
from companion.vision.marked.occluded_tiles import claim_occluded
from companion.vision.marked.place_similarity import bare_by_similarity
from companion.vision.marked.print_visibility import print_shows, surroundings_show
from companion.vision.marked.rectify import are_in_picture
from companion.vision.reading import about_place, named_by_piece, subject

_STAYING = ("places", "pairs")
"""Layouts of pieces that lie on the table all the time, unless they come from a supply, and are named by their place."""


def hidden_spots(draft: Draft, evidence: Evidence) -> frozenset[str]:
    """Spots something unknown lies or hangs over, and spots outside the picture."""
    registered, settings, board = evidence.registered, evidence.settings.bare, evidence.registered.board
    taken = {cell for sighting in draft.sightings.values() for cell in sighting.place.split(PAIR)}
    spots = [spot for spot in (*board.cells, *board.places) if spot not in taken]
    mm = np.array([board.mm(spot) for spot in spots], np.float64).reshape(-1, 2)
    out = ~are_in_picture(registered.registration, mm, 0.0)
    if evidence.foreground is not None:
        out |= (
            evidence.foreground.shares_at(mm, [settings.around * board.room_mm(spot) for spot in spots]) > settings.hidden_share
        )
    hidden = {spot for spot, over in zip(spots, out, strict=True) if over}
    for zone in (zone.id for zone in board.zones.values() if not zone.masked):  # a hand over a part of one may hide a card
        samples = np.array(board.samples(zone), np.float64)
        over = ~are_in_picture(registered.registration, samples, 0.0)
        if evidence.foreground is not None:
            over |= evidence.foreground.shares(samples, settings.around * board.spacing_mm) > settings.hidden_share
        if over.any() and (zone not in taken or over.mean() > settings.hidden_share):
            hidden.add(zone)
    return frozenset(hidden)


def judge_missing(
    draft: Draft, claimant: Claimant, evidence: Evidence, occluded: frozenset[str], afresh: frozenset[str] | None = None
) -> None:
    """Complete a draft: every lost piece is claimed under a disc, left out as absent, or unknown. ``afresh``: the sites of a
    graph that a look at a region is about; of the others what was doubted before still is."""
    pieces = evidence.registered.pieces
    nothing_lies_here = not draft.sightings and not draft.unknown
    hides = {group.key: _hiding(draft, claimant, group, evidence, occluded) for group in pieces.groups.values()}
    doubts: dict[str, dict[str, str]] = {}
    for group in pieces.groups.values():  # what is claimed of one group lies on the table for the next
        doubts[group.key] = claim_occluded(draft, claimant, group, evidence, hides[group.key])
    # While a piece that cannot leave the table is nowhere, something may be hiding more than that piece.
    unsure = not nothing_lies_here and any(not pieces.group_of(piece).leaves for piece in claimant.lost(draft))
    for group in pieces.groups.values():
        if group.layout == "by-zone":
            _doubt_zones(draft, claimant, group, evidence, occluded)
            continue
        mine = claimant.lost_of(draft, group)
        if not mine:
            continue
        why_not = doubts[group.key]
        if afresh is not None and not unsure and not named_by_piece(group) and (group.leaves or group.layout not in _STAYING):
            why_not |= _doubted_before(claimant.free(draft, group), group, evidence, afresh.union(why_not))
        at_its_word = nothing_lies_here and _taken_at_its_word(draft, group, evidence)
        strange = frozenset[str]() if at_its_word else _strange(draft, claimant, group, evidence, hides[group.key], why_not)
        if named_by_piece(group) and _may_be_covered(draft, group, evidence):
            why_not.setdefault("", "another piece may lie on it")
        known = tuple(draft.sightings.values())
        known = evidence.registered.may_occlude_neighbours(known)
        open_ones = [spot for spot in claimant.free(draft, group) if spot not in why_not]
        why_not |= why_not_empty(open_ones, group, evidence, hides[group.key], strange, unsure, known)
        crowd = beside_found(evidence.registered, evidence.bare, group, draft.sightings.values(), evidence.settings.bare)
        why_not.update({spot: f"something may lie on {spot} that cannot be read" for spot, _ in crowd})
        reasons = {spot: why for spot, why in why_not.items() if why}
        if group.layout in _STAYING and not group.leaves and not nothing_lies_here and len(reasons) < len(mine):
            # Such a tile never leaves the table: if no place seems to hide it, then what seems bare is not to be trusted.
            missing = f"a {group.singular} is nowhere in sight"
            reasons = {spot: reasons.get(spot, missing) for spot in claimant.free(draft, group)}
        _say_unknown(draft, group, mine, reasons, unsure and evidence.foreground is None)


def _doubted_before(spots: Sequence[str], group: Group, evidence: Evidence, afresh: Collection[str]) -> dict[str, str]:
    """Why it was not known of the sites that are not looked at ``afresh`` whether a piece of a group lies there; empty where it
    was."""
    before = evidence.prior.unknown if evidence.prior is not None else {}
    return {spot: before.get(about_place(spot, group), "") for spot in spots if spot not in afresh}


def _doubt_zones(draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]) -> None:
    """Say in which zones a card of this group may lie that cannot be read. Where each card is that shows in no zone nobody
    claims: under another, in a hand, in the box."""
    known = evidence.foreground.compared if evidence.foreground is not None else None
    unlike = None
    if draft.sightings or known is not None:  # where nothing at all is in sight the mat is taken for an empty one
        unlike = unlike_ground(evidence.registered, draft.sightings.values(), known, evidence.settings.bare)
    for zone in (spot for spot in claimant.placer.allowed(group) if spot in evidence.registered.board.zones):
        why = why_zone_unread(zone, group, evidence, unlike, occluded)
        if why is not None:
            draft.unknown.setdefault(about_place(zone, group), why)


def _hiding(draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]) -> frozenset[str]:
    """Of the spots something seems to lie or hang over, those where that can hide a piece of this group.

    Where a place shows its own print no tile lies: what changed its looks is light, a lamp's reflection say. So it is where the
    print around it shows, and nothing with a sticker is seen on it.
    """
    registered, bare = evidence.registered, evidence.bare
    settings, laying = evidence.settings.prints, evidence.settings.laid
    if bare is None or not claimant.lost_of(draft, group) or group.shape != "hexagon" or named_by_piece(group):
        return occluded
    mine, sightings = occluded.intersection(claimant.free(draft, group)), tuple(draft.sightings.values())
    radius = group.marker_mm / 2 + group.quiet_mm
    lit = {
        spot
        for spot in mine
        if print_shows(registered, spot, bare, settings, laying)
        or (surroundings_show(registered, spot, sightings, bare, settings, laying) and evidence.looks_bare(spot, radius))
    }
    return occluded - lit


def _taken_at_its_word(draft: Draft, group: Group, evidence: Evidence) -> bool:
    """Whether places of a board on which nothing is found at all need not look like others of their kind. Sites of a graph
    carry numbers and colours of their own; on hexes what has two sides is compared later, once nothing hides anything."""
    if evidence.registered.board.surface != HEXES:
        return True
    return not draft.unknown and (group.layout != "by-place" or two_sided(group, evidence))


def _strange(
    draft: Draft,
    claimant: Claimant,
    group: Group,
    evidence: Evidence,
    occluded: frozenset[str],
    judged: Collection[str],
) -> frozenset[str]:
    """Places that nobody showed bare and that look like no other of their kind."""
    if named_by_piece(group):
        return frozenset()
    registered, bare, radius = evidence.registered, evidence.bare, evidence.settings.likeness.radius_mm
    board = registered.board
    free = [spot for spot in claimant.free(draft, group) if not any_in(spot, occluded) and spot not in judged]
    taught = {spot for spot in free if bare is not None and bare.shows(board.mm(spot), radius)}
    if len(taught) == len(free):
        return frozenset()
    everywhere = claimant.placer.allowed(group)
    kinds = {spot: claimant.placer.kind(spot) for spot in everywhere}
    strange: set[str] = set()
    for kind in {kinds[spot] for spot in free}:
        here = [spot for spot in free if kinds[spot] == kind]
        others = [spot for spot in everywhere if kinds[spot] == kind]
        looks = bare_by_similarity(registered, here, bare, others, evidence.settings.likeness)
        strange |= {spot for spot in here if spot not in taught and not looks[spot]}
    return frozenset(strange)


def _may_be_covered(draft: Draft, group: Group, evidence: Evidence) -> bool:
    """Whether a flat piece of this kind could lie under a taller one, or under a strip."""
    pieces, board = evidence.registered.pieces, evidence.registered.board
    for sighting in draft.sightings.values():
        top = pieces.group_of(sighting.piece)
        if group.covered_by is not None and top.key not in group.covered_by:
            continue
        over = top.height_mm > group.height_mm or (top.cells == 2 and top.height_mm >= group.height_mm)
        cells = [cell for cell in sighting.place.split(PAIR) if cell in board.cells]
        if over and any(board.kind(cell) in group.on for cell in cells):
            return True
    return False


def _say_unknown(draft: Draft, group: Group, left: Sequence[str], doubts: dict[str, str], nowhere: bool) -> None:
    if not doubts:
        return
    if named_by_piece(group):
        why = "it is nowhere in sight" if nowhere else next(iter(doubts.values()))
        for piece in left:
            draft.unknown[subject(piece, group)] = f"its marker was not found: {why}"
    else:
        for spot, why in doubts.items():
            draft.unknown.setdefault(subject(spot, group), why)
