"""What to say of a piece whose marker was not found: under a disc, absent, or unknown.

*Absent* needs evidence: every place the piece could lie on is in sight, large enough, and bare. Where the bare board was not
taught only tiles that leave the table in the course of a game can be absent, only while nothing else is missing, and only
where the places look like others of their kind. Tiles with two sides come from a supply beside the board: that many of
them are missing is nothing strange, and one that lies under a disc is claimed only when its side is known, too.
"""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from companion.boards import PAIR, Group
from companion.vision.marked.claims import Claimant, Draft
from companion.vision.marked.closer import Closer
from companion.vision.marked.covered import Rim, bare_light, compare_rim
from companion.vision.marked.evidence import Evidence, two_sided
from companion.vision.marked.likeness import bare_by_likeness
from companion.vision.marked.rectify import in_picture
from companion.vision.marked.scene import Scene
from companion.vision.marked.shade import shade_over
from companion.vision.marked.taught_place import Beneath, beneath, looks_bare, print_shows, surroundings_show
from companion.vision.marked.tile_sides import ring_colour
from companion.vision.plain.evidence import BARE
from companion.vision.reading import Reading, Sighting, covers, named_by_piece, subject

_BY_PLACE = ("by-place", "places", "pairs")
_STAYING = ("places", "pairs")
"""Layouts of pieces that lie on the table all the time and are named by their place."""
_UNDER_CONFIDENCE, _SURELY = 0.99, 0.999


def hidden_spots(draft: Draft, evidence: Evidence) -> frozenset[str]:
    """Spots something unknown lies or hangs over, and spots outside the picture."""
    scene, settings = evidence.scene, evidence.settings.bare
    taken = {cell for sighting in draft.sightings.values() for cell in sighting.place.split(PAIR)}
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
    hides = {group.key: _hiding(draft, claimant, group, evidence, occluded) for group in pieces.groups.values()}
    doubts = {group.key: _claim_under(draft, claimant, group, evidence, hides[group.key]) for group in pieces.groups.values()}
    lost = claimant.lost(draft)
    # While a piece that cannot leave the table is nowhere, something may be hiding more than that piece.
    unsure = not nothing_lies_here and any(pieces.group_of(piece).layout != "by-place" for piece in lost)
    for group in pieces.groups.values():
        mine = [piece for piece in lost if pieces.pieces[piece].group == group.key]
        if not mine:
            continue
        why_not = doubts[group.key]
        strange = _strange(draft, claimant, group, evidence, hides[group.key], why_not)
        if named_by_piece(group) and _may_be_covered(draft, group, evidence):
            why_not.setdefault("", "another piece may lie on it")
        for spot in claimant.free(draft, group):
            why = "" if spot in why_not else _why_not_bare(spot, group, evidence, hides[group.key], unsure, strange)
            if why:
                why_not[spot] = why
        reasons = {spot: why for spot, why in why_not.items() if why}
        if group.layout in _STAYING and not nothing_lies_here and len(reasons) < len(mine):
            # Such a tile never leaves the table: if no place seems to hide it, then what seems bare is not to be trusted.
            missing = f"a {group.singular} is nowhere in sight"
            reasons = {spot: reasons.get(spot, missing) for spot in claimant.free(draft, group)}
        _say_unknown(draft, group, mine, reasons, unsure and evidence.foreign is None)


def _hiding(draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]) -> frozenset[str]:
    """Of the spots something seems to lie or hang over, those where that can hide a piece of this group.

    Where a place shows its own print no tile lies: what changed its looks is light, a lamp's reflection say. So it is where the
    print around it shows, and nothing with a sticker is seen on it.
    """
    scene, bare, settings = evidence.scene, evidence.bare, evidence.settings.taught
    lost = any(scene.pieces.pieces[piece].group == group.key for piece in claimant.lost(draft))
    if bare is None or not lost or group.shape != "hexagon" or group.layout not in _BY_PLACE:
        return occluded
    mine, sightings = occluded.intersection(claimant.free(draft, group)), tuple(draft.sightings.values())
    radius = group.marker_mm / 2 + group.quiet_mm
    lit = {
        spot
        for spot in mine
        if print_shows(scene, spot, bare, settings)
        or (surroundings_show(scene, spot, sightings, bare, settings) and looks_bare(scene, spot, bare, radius, settings))
    }
    return occluded - lit


def _claim_under(
    draft: Draft, claimant: Claimant, group: Group, evidence: Evidence, occluded: frozenset[str]
) -> dict[str, str]:
    """Claim lost tiles that surely lie under taller pieces. Returns why each other such place cannot be called empty
    (an empty reason where it surely is)."""
    mine = [piece for piece in claimant.lost(draft) if evidence.scene.pieces.pieces[piece].group == group.key]
    if not mine:
        return {}
    under, rims = _under_taller(draft, claimant, group, evidence)
    closer, before = Closer(evidence, group, rims, occluded), _known_before(evidence.prior, group, evidence.scene)
    if not two_sided(group, evidence):
        denied = {spot for spot, lies in under.items() if lies and spot not in before and closer.denies(draft, spot)}
        under |= dict.fromkeys(denied, None)
    sure = [spot for spot, lies in under.items() if lies]
    elsewhere = any(_any_in(spot, occluded) and spot not in under for spot in claimant.free(draft, group))
    if elsewhere:  # the tile may as well lie under the arm, whose shadow makes rims look otherwise
        under = {spot: None if lies and spot not in before else lies for spot, lies in under.items()}
        sure = [spot for spot in sure if spot in before]
    if len(sure) > len(mine):  # more rims differ than tiles are missing: no single one can be trusted
        under, sure = {spot: None if lies else lies for spot, lies in under.items()}, []
    if two_sided(group, evidence):
        return _claim_sides(draft, claimant, group, evidence, under, closer)
    if len(sure) < len(mine) and group.layout == "places" and not elsewhere:
        sure += _by_elimination(draft, claimant, group, under, len(mine) - len(sure), closer)
    for piece, spot in zip(mine, sure, strict=False):
        draft.keep([Sighting(piece, spot, None, None, _UNDER_CONFIDENCE, None)])
    # A rim that looks bare still makes no place empty while a tile is missing that cannot have left the table.
    return {
        spot: _hides(draft, spot, group, evidence)
        for spot, lies in under.items()
        if spot not in sure and (lies is None or (lies is False and group.layout != "by-place"))
    } | {spot: "" for spot, lies in under.items() if lies is False and group.layout == "by-place"}


def _by_elimination(
    draft: Draft, claimant: Claimant, group: Group, under: dict[str, bool | None], count: int, closer: Closer
) -> list[str]:
    """The places below taller pieces where ``count`` lost tiles must lie that never leave the table: every place in sight is
    bare, and what shows around those pieces speaks for it."""
    doubtful = [spot for spot, lies in under.items() if lies is None]
    evidence, radius = closer.evidence, min(group.size_mm) / 2
    bare = evidence.bare
    if bare is None or len(doubtful) < count:
        return []
    for spot in claimant.free(draft, group):
        if spot not in under and (
            _why_not_bare(spot, group, evidence, frozenset(), False, frozenset())
            or not looks_bare(evidence.scene, spot, bare, radius, evidence.settings.taught)
        ):
            return []
    likely = closer.left_at(draft, doubtful, count)
    shown = {spot: _shown(spot, draft, group, evidence) for spot in likely}
    # In a shadow bare print may look like such a tile: something must have changed as no shadow changes it.
    speaks = {spot for spot, shows in shown.items() if shows and shows.unshadowed >= evidence.settings.taught.speaks}
    return [spot for spot, sure in likely.items() if sure >= _SURELY or spot in speaks]


def _shown(spot: str, draft: Draft, group: Group, evidence: Evidence) -> Beneath | None:
    """What shows of a place around the pieces on it, None where the bare place is not known."""
    if evidence.bare is None:
        return None
    return beneath(evidence.scene, spot, group, draft.sightings.values(), evidence.bare, evidence.settings.taught)


def _claim_sides(
    draft: Draft,
    claimant: Claimant,
    group: Group,
    evidence: Evidence,
    under: dict[str, bool | None],
    closer: Closer,
) -> dict[str, str]:
    """Claim the two-sided tiles under other pieces whose side is known; the reasons why not of the other places."""
    scene, why_not = evidence.scene, dict[str, str]()
    before = {s.place: s for s in evidence.prior.sightings if scene.pieces.group_of(s.piece) is group} if evidence.prior else {}
    looks = evidence.looks
    if evidence.bare is not None and any(under.values()):
        looks = looks.with_tiles(scene, draft.sightings.values(), evidence.bare, evidence.settings.sides)
    found: dict[str, tuple[str, float]] = {}
    for spot, lies in under.items():
        known = before.get(spot)
        if lies is False:
            # A tile that was there and is gone from under a disc: somebody lifted both. Or the rim deceives us.
            why_not[spot] = "" if known is None else _hides(draft, spot, group, evidence)
            continue
        ring = None
        if lies and evidence.bare is not None:
            hiding = tuple(draft.sightings.values())
            ring = ring_colour(scene, spot, group, hiding, evidence.bare, evidence.settings.sides)
        expected = known.face if known is not None else None
        side = looks.side_of(ring, evidence.settings.sides, expected) if ring is not None else None
        if side is None and known is not None and (ring is None or known.face not in looks.rings):
            side = known.face
        if lies and side is not None:
            stays = known is not None and known.face == side
            told = (side, _UNDER_CONFIDENCE) if stays or closer.allows(draft, spot, side) else None
        else:
            told = closer.told(draft, spot)
        if told is not None and told[0] == BARE and known is None and (not lies or closer.only_darker(spot)):
            why_not[spot] = ""
        elif told is None or told[0] == BARE:
            why_not[spot] = _hides(draft, spot, group, evidence, bool(lies))
        else:
            found[spot] = told

    def with_side(side: str) -> list[str]:
        mine = (piece for piece in claimant.lost(draft) if scene.pieces.pieces[piece].group == group.key)
        return [piece for piece in mine if side in scene.pieces.pieces[piece].faces]

    # A side that is on the back of every tile must not use up the last tile of another kind.
    for spot, (side, sure) in sorted(found.items(), key=lambda entry: len(with_side(entry[1][0]))):
        left, known = with_side(side), before.get(spot)
        if not left:
            why_not[spot] = _hides(draft, spot, group, evidence, True)
            continue
        piece = known.piece if known is not None and known.piece in left else left[0]
        draft.keep([Sighting(piece, spot, side, None, min(sure, _UNDER_CONFIDENCE), None)])
    return why_not


def _hides(draft: Draft, spot: str, group: Group, evidence: Evidence, lies: bool = False) -> str:
    """What a piece on a place keeps from being seen."""
    if lies:
        return f"another piece hides which side of the {group.singular} on {spot} is up"
    tops = [evidence.scene.pieces.group_of(s.piece) for s in draft.sightings.values() if covers(s.place, spot)]
    if any(top.shape == "strip" for top in tops):
        return f"another piece hides whether a {group.singular} lies on {spot}"
    return f"a disc hides whether a {group.singular} lies on {spot}"


def _may_be_covered(draft: Draft, group: Group, evidence: Evidence) -> bool:
    """Whether a flat piece of this kind could lie under a taller one, or under a strip."""
    pieces, board = evidence.scene.pieces, evidence.scene.board
    for sighting in draft.sightings.values():
        top = pieces.group_of(sighting.piece)
        over = top.height_mm > group.height_mm or (top.cells == 2 and top.height_mm >= group.height_mm)
        cells = [cell for cell in sighting.place.split(PAIR) if cell in board.cells]
        if over and any(board.kind(cell) in group.on for cell in cells):
            return True
    return False


def _any_in(spot: str, spots: Collection[str]) -> bool:
    """Whether a place, or one of the cells of a pair, is among ``spots``."""
    return any(cell in spots for cell in spot.split(PAIR))


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
    if group.layout not in _BY_PLACE or (nothing_lies_here and (group.layout != "by-place" or two_sided(group, evidence))):
        return frozenset()
    scene, bare, radius = evidence.scene, evidence.bare, evidence.settings.likeness.radius_mm
    board = scene.board
    free = [spot for spot in claimant.free(draft, group) if not _any_in(spot, occluded) and spot not in judged]
    taught = {spot for spot in free if bare is not None and bare.shows(board.mm(spot), radius)}
    if len(taught) == len(free):
        return frozenset()
    everywhere = claimant.placer.allowed(group)
    kinds = {spot: claimant.placer.kind(spot) for spot in everywhere}
    strange: set[str] = set()
    for kind in {kinds[spot] for spot in free}:
        here = [spot for spot in free if kinds[spot] == kind]
        others = [spot for spot in everywhere if kinds[spot] == kind]
        looks = bare_by_likeness(scene, here, bare, others, evidence.settings.likeness)
        strange |= {spot for spot in here if spot not in taught and not looks[spot]}
    return frozenset(strange)


def _why_not_bare(
    spot: str, group: Group, evidence: Evidence, occluded: frozenset[str], unsure: bool, strange: frozenset[str]
) -> str | None:
    """Why a place without a known piece cannot be called empty; None when it can."""
    registration, mm = evidence.scene.registration, evidence.scene.board.mm(spot)
    smallest = evidence.settings.search.small_cell_px * 8 / group.marker_mm
    if not in_picture(registration, mm, group.marker_mm / 2 + group.quiet_mm, group.height_mm):
        return f"{spot} lies outside the picture"
    if registration.pixels_per_mm(mm, group.height_mm) < smallest:
        return f"{spot} is too small in the picture"
    if _any_in(spot, occluded):
        return f"something hides {spot}"
    if spot in strange:
        return f"{spot} looks like no other place of its kind, and was never shown bare"
    # Places read by what lies on them have been compared with their like; on a street there is nothing to compare.
    if unsure and evidence.foreign is None and group.layout not in _BY_PLACE:
        return f"a {group.singular} is missing, and what the bare board looks like at {spot} is not known"
    return _unread(spot, group, evidence, unsure)


def _unread(spot: str, group: Group, evidence: Evidence, unsure: bool) -> str | None:
    """Why a place in sight may bear a piece whose sticker was not read. ``unsure``: one that must be there is missing."""
    bare, scene, settings = evidence.bare, evidence.scene, evidence.settings.taught
    radius = max(group.size_mm) / 2 if named_by_piece(group) else group.marker_mm / 2 + group.quiet_mm
    if bare is None:
        return None
    if named_by_piece(group):
        bears = unsure and not looks_bare(scene, spot, bare, radius, settings)
    elif group.layout == "by-place" and bare.shows(scene.board.mm(spot), radius):
        # Of tiles with two sides there is nearly always one missing, and there are many streets: a glance comes first.
        glance = not two_sided(group, evidence) or evidence.foreign is None or evidence.foreign.redrawn_at(scene.board.mm(spot))
        bears = glance and not looks_bare(scene, spot, bare, radius, settings)
    else:
        bears = False
    return f"something may lie on {spot} that cannot be read" if bears else None


def _under_taller(
    draft: Draft, claimant: Claimant, group: Group, evidence: Evidence
) -> tuple[dict[str, bool | None], dict[str, Rim]]:
    """For each free place with a taller piece of another kind on it: whether a tile of this group lies under that; and
    the rims."""
    scene = evidence.scene
    everything = list(draft.sightings.values())
    tops = {cell: s for s in everything if lies_over(s, group, scene) and s.at_mm for cell in s.place.split(PAIR)}
    free = claimant.free(draft, group)
    known_before = _known_before(evidence.prior, group, scene)
    under: dict[str, bool | None] = {}
    rims: dict[str, Rim] = {}
    for spot in free:
        top = next((tops[cell] for cell in spot.split(PAIR) if cell in tops), None)
        if top is None:
            continue
        if group.cells == 2:  # its ends stick out under the disc, but where exactly is anybody's guess
            under[spot] = None
            continue
        others = [sighting for sighting in everything if sighting is not top]
        lies, rim = _by_rim(spot, top, others, group, evidence)
        rims |= {spot: rim} if rim is not None else {}
        if not two_sided(group, evidence):
            shown = _shown(spot, draft, group, evidence)
            # A rim alone does not tell a tile from a disc's shadow: without the taught place to compare nothing is claimed.
            lies = shown.lies_under(evidence.settings.taught, lies) if shown is not None else None
            if lies and rim is not None and rim.only_darker(evidence.settings.rim):
                lies = None
        under[spot] = lies
    doubtful = {spot: rim for spot, rim in rims.items() if under[spot] is None and two_sided(group, evidence)}
    under |= dict.fromkeys(_only_shaded(doubtful, everything, group, evidence), False)
    # The tile that lay here before the disc came still does, unless it is seen to be gone.
    return {spot: True if lies is None and spot in known_before else lies for spot, lies in under.items()}, rims


def _by_rim(
    spot: str, top: Sighting, others: Sequence[Sighting], group: Group, evidence: Evidence
) -> tuple[bool | None, Rim | None]:
    """Whether the rim around a piece is that of a tile of this group, None where that cannot be told; and the rim, None where
    it cannot be compared with the bare place."""
    scene = evidence.scene
    rim = evidence.settings.sides.rim if two_sided(group, evidence) else evidence.settings.rim
    if evidence.bare is None or scene.registration.error_mm > rim.tint_error_mm:
        return None, None
    taught = bare_light(evidence.bare, scene.board.mm(spot), group, rim)
    compared = None if taught is None else compare_rim(scene, spot, top, group, others, taught, rim)
    if scene.registration.error_mm > rim.error_mm:
        return None, compared
    lies = None if compared is None else compared.lies_under(rim)
    if taught is None or not two_sided(group, evidence):
        return lies, compared
    # Nearly every disc stands where a tile may lie: there the light must not decide.
    settings = evidence.settings.shade
    if lies is False and compared is not None and compared.changed <= settings.slight:
        return False, compared
    shade = shade_over(scene, spot, group, [top, *others], evidence.bare, settings, evidence.settings.taught)
    if shade is not None and shade.print_survives(settings):
        return False, compared
    doubtful = shade is not None and shade.print_may_be_gone(settings)
    return (None if lies is False and doubtful else lies), compared


def _only_shaded(rims: Mapping[str, Rim], sightings: Sequence[Sighting], group: Group, evidence: Evidence) -> list[str]:
    """The spots whose rims show bare print under a shadow, by what the sides of all tiles look like."""
    scene, settings = evidence.scene, evidence.settings.sides
    may = {spot: rim for spot, rim in rims.items() if rim.only_shaded(math.inf, settings.rim)}
    if evidence.bare is None or not may or scene.registration.error_mm > settings.rim.error_mm:
        return []
    faces = {face for piece in scene.pieces.in_group(group.key) for face in piece.faces}
    least = evidence.looks.with_tiles(scene, sightings, evidence.bare, settings).least_tint(sorted(faces))
    return [spot for spot, rim in may.items() if least is not None and rim.only_shaded(least, settings.rim)]


def lies_over(sighting: Sighting, group: Group, scene: Scene) -> bool:
    """Whether a piece lies on top of pieces of a group that are on the same cell."""
    top = scene.pieces.group_of(sighting.piece)
    return top is not group and _LAYERS[top.shape] > _LAYERS[group.shape]


_LAYERS = {"hexagon": 0, "strip": 1, "disc": 2}
"""Tiles lie on the board, strips on tiles, discs on both."""


def _known_before(prior: Reading | None, group: Group, scene: Scene) -> frozenset[str]:
    if prior is None:
        return frozenset()
    return frozenset(s.place for s in prior.sightings if scene.pieces.pieces[s.piece].group == group.key)
