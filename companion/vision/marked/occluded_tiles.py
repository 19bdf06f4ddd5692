"""Claim the tiles that lie below other pieces. Their stickers are hidden; what shows around those pieces tells.

``occlusion_rules.py`` judges each place by itself. Here what is seen is gathered, and the verdicts are weighed against each
other: more tiles cannot lie below pieces than are missing, and while something hides other places a tile may as well lie there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.boards import PAIR, Group
from companion.vision.marked.changed_area import ChangedArea, changed_area
from companion.vision.marked.claims import Claimant, Draft
from companion.vision.marked.empty_place import any_in, why_not_empty
from companion.vision.marked.evidence import Evidence, two_sided
from companion.vision.marked.occlusion_refinement import OcclusionRefinement
from companion.vision.marked.occlusion_rules import VisibleSurround, rim_hardly_changed, tile_presence
from companion.vision.marked.registered_image import RegisteredImage
from companion.vision.marked.rim_comparison import Rim, bare_light, compare_rim
from companion.vision.marked.shade import shade_over
from companion.vision.marked.tile_sides import ring_colour
from companion.vision.plain.evidence import BARE
from companion.vision.reading import Sighting, covers

_CONFIDENCE, _SURELY = 0.99, 0.999
Under = dict[str, bool | None]
"""For each place with a taller piece on it whether a tile lies there, None where that cannot be told."""


def claim_occluded(
    draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]
) -> dict[str, str]:
    """Claim lost tiles that surely lie under taller pieces. Returns why each other such place cannot be called empty
    (an empty reason where it surely is)."""
    mine = claimant.lost_of(draft, group)
    if not mine:
        return {}
    if group.shape in ("token", "tile", "card"):  # nobody has measured how their rims show: what stands on them hides them
        return _merely_hidden(draft, claimant, group, evidence)
    seen = _look_around(draft, claimant, group, evidence)
    closer = OcclusionRefinement(
        evidence, group, {spot: one.rim for spot, one in seen.items() if one.rim is not None}, occluded
    )
    elsewhere = any(any_in(spot, occluded) and spot not in seen for spot in claimant.free(draft, group))
    under = _weighed(seen, draft, closer, len(mine), elsewhere)
    if two_sided(group, evidence):
        return _claim_sides(draft, claimant, under, closer)
    sure = [spot for spot, lies in under.items() if lies]
    if len(sure) < len(mine) and group.layout == "places" and not group.leaves and not elsewhere:
        sure += _by_elimination(draft, claimant, under, len(mine) - len(sure), closer)
    for piece, spot in zip(mine, sure, strict=False):
        draft.keep([Sighting(piece, spot, None, None, _CONFIDENCE, None)])
    # A rim that looks bare still makes no place empty while a tile is missing that cannot have left the table.
    staying = not group.leaves
    return {
        spot: _hides(draft, spot, closer)
        for spot, lies in under.items()
        if spot not in sure and (lies is None or (lies is False and staying))
    } | {spot: "" for spot, lies in under.items() if lies is False and not staying}


def _merely_hidden(draft: Draft, claimant: Claimant, group: Group, evidence: Evidence) -> dict[str, str]:
    """By place with a taller piece on it, the reason why it cannot be called empty."""
    registered = evidence.registered
    below = _below(draft.sightings.values(), claimant.free(draft, group), group, registered)
    return {
        spot: f"a {registered.pieces.group_of(top.piece).singular} hides whether a {group.singular} lies on {spot}"
        for spot, top in below.items()
        if spot not in registered.board.zones
    }


def _below(
    sightings: Iterable[Sighting], spots: Iterable[str], group: Group, registered: RegisteredImage
) -> dict[str, Sighting]:
    """Those of some places on which a taller piece lies than those of a group, and which."""
    tops = {cell: one for one in sightings if registered.lies_over(one, group) for cell in one.place.split(PAIR)}
    found = ((spot, next((tops[cell] for cell in spot.split(PAIR) if cell in tops), None)) for spot in spots)
    return {spot: top for spot, top in found if top is not None}


# --- what is seen -------------------------------------------------------------------------------------------------


def _look_around(draft: Draft, claimant: Claimant, group: Group, evidence: Evidence) -> dict[str, VisibleSurround]:
    """What shows of each free place with a taller piece of another kind on it."""
    everything, before = list(draft.sightings.values()), _known_before(group, evidence)
    measured = (one for one in everything if one.at_mm)
    below = _below(measured, claimant.free(draft, group), group, evidence.registered)
    return {
        spot: replace(_look_around_one(spot, top, everything, group, evidence), before=spot in before)
        for spot, top in below.items()
    }


def _look_around_one(
    spot: str, top: Sighting, everything: Sequence[Sighting], group: Group, evidence: Evidence
) -> VisibleSurround:
    """What shows of one place around the piece on ``top`` of it."""
    if group.cells == 2:  # its ends stick out under the disc, but where exactly is anybody's guess
        return VisibleSurround()
    settings, error_mm = evidence.settings, evidence.registered.registration.error_mm
    own = settings.sides.rim if two_sided(group, evidence) else settings.rim
    rim = _rim(spot, top, everything, group, evidence) if error_mm <= own.tint_error_mm else None
    around = VisibleSurround(rim, in_place=error_mm <= own.error_mm)
    if not two_sided(group, evidence):
        return replace(around, changed_area=_sticking_out(spot, everything, group, evidence))
    if evidence.bare is None or not around.in_place or rim_hardly_changed(around, settings):
        return around
    pieces = [top, *(one for one in everything if one is not top)]
    return replace(
        around, shade=shade_over(evidence.registered, spot, group, pieces, evidence.bare, settings.shade, settings.laid)
    )


def _rim(spot: str, top: Sighting, everything: Sequence[Sighting], group: Group, evidence: Evidence) -> Rim | None:
    """How the rim around the piece on ``top`` of a place differs from the bare place's, None where that cannot be compared."""
    registered, bare = evidence.registered, evidence.bare
    settings = evidence.settings.sides.rim if two_sided(group, evidence) else evidence.settings.rim
    light = None if bare is None else bare_light(bare, registered.board.mm(spot), group, settings)
    others = [one for one in everything if one is not top]
    return None if light is None else compare_rim(registered, spot, top, group, others, light, settings)


def _sticking_out(spot: str, everything: Sequence[Sighting], group: Group, evidence: Evidence) -> ChangedArea | None:
    """What shows of a place around the pieces on it, None where the bare place is not known."""
    if evidence.bare is None:
        return None
    settings = evidence.settings
    return changed_area(evidence.registered, spot, group, everything, evidence.bare, settings.changed_area, settings.laid)


def _known_before(group: Group, evidence: Evidence) -> frozenset[str]:
    """Where tiles of a group lay in the reading before."""
    before, pieces = evidence.prior.sightings if evidence.prior is not None else (), evidence.registered.pieces.pieces
    return frozenset(one.place for one in before if pieces[one.piece].group == group.key)


# --- what follows for all of them ---------------------------------------------------------------------------------


def _weighed(
    seen: Mapping[str, VisibleSurround], draft: Draft, closer: OcclusionRefinement, missing: int, elsewhere: bool
) -> Under:
    """The verdicts of all places, where ``missing`` tiles are lost that may lie ``elsewhere``, out of sight."""
    both = two_sided(closer.group, closer.evidence)
    under = {spot: tile_presence(around, both, closer.evidence.settings).lies for spot, around in seen.items()}
    doubted: set[str] = set()
    for spot, around in seen.items():
        if under[spot] and not around.before and ((not both and closer.denies(draft, spot)) or elsewhere):
            # If it may lie elsewhere, under an arm say: that one's shadow makes rims look otherwise.
            doubted.add(spot)
    under |= dict.fromkeys(doubted, None)
    if sum(lies is True for lies in under.values()) > missing:  # no single one can be trusted
        under = {spot: None if lies else lies for spot, lies in under.items()}
    return under


def _by_elimination(draft: Draft, claimant: Claimant, under: Under, count: int, closer: OcclusionRefinement) -> list[str]:
    """The places below taller pieces where ``count`` lost tiles must lie that never leave the table: every place in sight is
    bare, and what shows around those pieces speaks for it."""
    doubtful = [spot for spot, lies in under.items() if lies is None]
    evidence, group, radius = closer.evidence, closer.group, min(closer.group.size_mm) / 2
    if evidence.bare is None or len(doubtful) < count:
        return []
    for spot in claimant.free(draft, group):
        if spot not in under and (why_not_empty([spot], group, evidence) or not evidence.looks_bare(spot, radius)):
            return []
    likely = closer.left_at(draft, doubtful, count)
    shown = {spot: _sticking_out(spot, list(draft.sightings.values()), group, evidence) for spot in likely}
    # In a shadow bare print may look like such a tile: something must have changed as no shadow changes it.
    speaks = {spot for spot, shows in shown.items() if shows and shows.unshadowed >= evidence.settings.changed_area.speaks}
    return [spot for spot, sure in likely.items() if sure >= _SURELY or spot in speaks]


# --- tiles with two sides -----------------------------------------------------------------------------------------


def _claim_sides(draft: Draft, claimant: Claimant, under: Under, closer: OcclusionRefinement) -> dict[str, str]:
    """Claim the two-sided tiles under other pieces whose side is known; the reasons why not of the other places."""
    evidence, group = closer.evidence, closer.group
    registered, why_not = evidence.registered, dict[str, str]()
    before = (
        {s.place: s for s in evidence.prior.sightings if registered.pieces.group_of(s.piece) is group} if evidence.prior else {}
    )
    looks = evidence.looks
    if evidence.bare is not None and any(under.values()):
        looks = looks.with_tiles(registered, draft.sightings.values(), evidence.bare, evidence.settings.sides)
    closer = replace(closer, evidence=replace(evidence, looks=looks))
    found: dict[str, tuple[str, float]] = {}
    for spot, lies in under.items():
        known = before.get(spot)
        if lies is False:
            # A tile that was there and is gone from under a disc: somebody lifted both. Or the rim deceives us.
            why_not[spot] = "" if known is None else _hides(draft, spot, closer)
            continue
        told = _side_told(draft, spot, bool(lies), known, closer)
        if told is not None and told[0] == BARE and known is None and (not lies or closer.only_darker(spot)):
            why_not[spot] = ""
        elif told is None or told[0] == BARE:
            why_not[spot] = _hides(draft, spot, closer, bool(lies))
        else:
            found[spot] = told
    return why_not | _claim_found(draft, claimant, found, before, closer)


def _side_told(
    draft: Draft, spot: str, lies: bool, known: Sighting | None, closer: OcclusionRefinement
) -> tuple[str, float] | None:
    """The side that is up on a place, or bare print, and how surely; None where that cannot be told. Whether a tile ``lies``
    there for sure, and the one ``known`` to have lain there before."""
    evidence, settings = closer.evidence, closer.evidence.settings.sides
    ring = None
    if lies and evidence.bare is not None:
        ring = ring_colour(evidence.registered, spot, closer.group, tuple(draft.sightings.values()), evidence.bare, settings)
    expected = known.face if known is not None else None
    side = evidence.looks.side_of(ring, settings, expected) if ring is not None else None
    if side is None and known is not None and (ring is None or known.face not in evidence.looks.rings):
        side = known.face
    if not lies or side is None:
        return closer.told(draft, spot)
    stays = known is not None and known.face == side
    return (side, _CONFIDENCE) if stays or closer.allows(draft, spot, side) else None


def _claim_found(
    draft: Draft,
    claimant: Claimant,
    found: Mapping[str, tuple[str, float]],
    before: Mapping[str, Sighting],
    closer: OcclusionRefinement,
) -> dict[str, str]:
    """Claim tiles whose sides were ``found``, as far as there are such tiles left; the reasons why not of the other places."""
    pieces, why_not = closer.evidence.registered.pieces.pieces, dict[str, str]()

    def with_side(side: str) -> list[str]:
        return [piece for piece in claimant.lost_of(draft, closer.group) if side in pieces[piece].faces]

    # A side that is on the back of every tile must not use up the last tile of another kind.
    for spot, (side, sure) in sorted(found.items(), key=lambda entry: len(with_side(entry[1][0]))):
        left, known = with_side(side), before.get(spot)
        if not left:
            why_not[spot] = _hides(draft, spot, closer, True)
            continue
        piece = known.piece if known is not None and known.piece in left else left[0]
        draft.keep([Sighting(piece, spot, side, None, min(sure, _CONFIDENCE), None)])
    return why_not


def _hides(draft: Draft, spot: str, closer: OcclusionRefinement, lies: bool = False) -> str:
    """What a piece on a place keeps from being seen."""
    tile, pieces = closer.group.singular, closer.evidence.registered.pieces
    if lies:
        return f"another piece hides which side of the {tile} on {spot} is up"
    tops = [pieces.group_of(s.piece) for s in draft.sightings.values() if covers(s.place, spot)]
    if any(top.shape == "strip" for top in tops):
        return f"another piece hides whether a {tile} lies on {spot}"
    return f"a disc hides whether a {tile} lies on {spot}"
