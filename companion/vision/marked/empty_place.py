"""Can a place on which nothing was found be called empty? Only where it is in sight, large enough, and looks bare."""

from collections.abc import Collection, Sequence

import numpy as np

from companion.boards import PAIR, Group
from companion.vision.marked.background import Foreground
from companion.vision.marked.evidence import Evidence, two_sided
from companion.vision.marked.markers import cells_across
from companion.vision.marked.rectify import are_in_picture
from companion.vision.marked.sharpness import MOST_SPREAD_PX, spread_px
from companion.vision.marked.tall import would_show
from companion.vision.reading import Sighting, covers, named_by_piece


def any_in(spot: str, spots: Collection[str]) -> bool:
    """Whether a place, or one of the cells of a pair, is among ``spots``."""
    return any(cell in spots for cell in spot.split(PAIR)) if PAIR in spot else spot in spots


def why_not_empty(
    spots: Sequence[str],
    group: Group,
    evidence: Evidence,
    occluded: Collection[str] = (),
    strange: Collection[str] = (),
    unsure: bool = False,
    sightings: Collection[Sighting] = (),
) -> dict[str, str]:
    """Why places without a known piece of a group cannot be called empty, by place; those that can are left out.

    ``occluded``: the spots something lies or hangs over; ``strange``: those that look like no other of their kind; ``unsure``:
    a piece that must be there is missing; ``sightings``: the pieces that were found, which may hide what is behind them.
    """
    why = _why_unseen(spots, group, evidence, occluded, sightings)
    compared: list[str] = []
    for spot in (spot for spot in spots if spot not in why):
        if spot in strange:
            why[spot] = f"{spot} looks like no other place of its kind, and was never shown bare"
        # Places read by what lies on them have been compared with their like; on a street there is nothing to compare.
        elif unsure and evidence.foreground is None and named_by_piece(group):
            why[spot] = f"a {group.singular} is missing, and what the bare board looks like at {spot} is not known"
        else:
            compared.append(spot)
    why |= {spot: f"something may lie on {spot} that cannot be read" for spot in _unread(compared, group, evidence, unsure)}
    return {spot: why[spot] for spot in spots if spot in why}


def _why_unseen(
    spots: Sequence[str], group: Group, evidence: Evidence, occluded: Collection[str], sightings: Collection[Sighting]
) -> dict[str, str]:
    """Why places cannot be seen well enough for a sticker to be read, by place; those that can are left out."""
    registered = evidence.registered
    registration, board = registered.registration, registered.board
    mm = np.array([board.mm(spot) for spot in spots], np.float64).reshape(-1, 2)
    cells = cells_across(registered.pieces.dictionary)
    settings = evidence.settings.search
    inside = are_in_picture(registration, mm, group.marker_mm / 2 + group.quiet_mm, group.height_mm)
    cell_px = registration.scales(mm, group.height_mm) * group.marker_mm / cells
    large, sharp = cell_px >= settings.small_cell_px, cell_px >= settings.small_spreads * MOST_SPREAD_PX
    if (large & ~sharp).any():
        # However many pixels a cell has: where the camera spreads a point as widely, no sticker would have been read.
        sharp = cell_px >= settings.small_spreads * (spread_px(registered) or 0.0)
    why: dict[str, str] = {}
    for spot, is_inside, is_large, is_sharp in zip(spots, inside, large, sharp, strict=True):
        if not is_inside:
            why[spot] = f"{spot} lies outside the picture"
        elif not is_large:
            why[spot] = f"{spot} is too small in the picture"
        elif not is_sharp:
            why[spot] = f"the picture is too blurred to read a sticker on {spot}"
        elif any_in(spot, occluded):
            why[spot] = f"something hides {spot}"
    leaning: dict[str, Sighting] = {}
    for sighting in sightings:  # one hides a place of which it hides so much that a sticker there would not be read: a quarter
        hidden = registered.hides(sighting, mm, group.marker_mm / 4)
        for spot in (spot for spot, is_hidden in zip(spots, hidden, strict=True) if is_hidden):
            if not covers(sighting.place, spot):
                leaning.setdefault(spot, sighting)
    for spot, sighting in leaning.items():
        if spot not in why and not would_show(spot, group, evidence):
            why[spot] = f"a {registered.pieces.group_of(sighting.piece).singular} on {sighting.place} hides {spot}"
    return why


def why_zone_unread(
    zone: str, group: Group, evidence: Evidence, unlike: Foreground | None, occluded: Collection[str] = ()
) -> str | None:
    """Why a card may show in a zone that was not read; None where all that shows there was: all of the zone is in sight, and
    beside the cards found there less than a card shows looks otherwise than the bare zone; where that was never shown
    (``unlike``), otherwise than most of the zone. What lies in a masked zone is not asked for."""
    outline = evidence.registered.board.zones[zone].outline_mm
    if evidence.registered.board.zones[zone].masked:
        return None
    if zone in occluded:
        return f"something hides a part of {zone}, or it lies partly outside the picture"
    # Around the cards found there a rim may differ, by their shadows and edges.
    differing = sum(found.area_mm2(outline) for found in (evidence.foreground, unlike) if found is not None)
    unread = differing > evidence.settings.bare.card_share * group.size_mm[0] * group.size_mm[1]
    return f"something may lie in {zone} that cannot be read" if unread else None


def _unread(spots: Sequence[str], group: Group, evidence: Evidence, unsure: bool) -> list[str]:
    """Those of some places in sight that may bear a piece whose sticker was not read."""
    if evidence.bare is None or not spots:
        return []
    found, board = evidence.foreground, evidence.registered.board
    foreign = redrawn = np.zeros(len(spots), np.bool_)
    if found is not None:
        mm = np.array([board.mm(spot) for spot in spots], np.float64)
        if group.supply:
            # A plain token on a plain site looks like the site in another light, but light does not end at a token's edge.
            foreign = found.square_shares(mm, group.marker_mm / 2) > evidence.settings.bare.hidden_share
        redrawn = found.redrawn_at(mm)
    drawn = zip(spots, foreign.tolist(), redrawn.tolist(), strict=True)
    return [
        spot for spot, is_foreign, is_redrawn in drawn if is_foreign or _bears_unread(spot, group, evidence, unsure, is_redrawn)
    ]


def _bears_unread(spot: str, group: Group, evidence: Evidence, unsure: bool, redrawn: bool) -> bool:
    """Whether a place in sight may bear a piece whose sticker was not read, by what is drawn there; ``redrawn``: more or less
    than on the bare board, at a glance."""
    bare, mm = evidence.bare, evidence.registered.board.mm(spot)
    radius = max(group.size_mm) / 2 if named_by_piece(group) else group.marker_mm / 2 + group.quiet_mm
    if bare is None:
        return False
    if named_by_piece(group):
        # One of a supply may be in the box: only where something is drawn that the bare board does not have is it looked for.
        looked_for = unsure or (group.supply and redrawn)
        return looked_for and not evidence.looks_bare(spot, radius)
    if group.layout == "places" and not group.leaves and bare.shows(mm, radius):
        # One that must lie somewhere is missing: a pencil over its sticker hides it and leaves the place in sight all round.
        return not evidence.looks_bare(spot, radius)
    if not group.leaves:
        return False
    # Of tiles with two sides, and of a supply, there is nearly always one missing, and there are many places: a glance comes
    # first.
    glance = redrawn or evidence.foreground is None or not (group.supply or two_sided(group, evidence))
    return glance and bare.shows(mm, radius) and not evidence.looks_bare(spot, radius)
