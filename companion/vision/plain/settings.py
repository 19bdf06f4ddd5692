"""Every tunable of the plain reader, each with its unit, range and reason."""

from dataclasses import dataclass, field

from companion.vision.plain.colourless import ColourSettings


@dataclass(frozen=True, slots=True)
class SurfaceSettings:
    """Sampling the board out of the picture.

    scale
        1..2 samples per millimetre. At 1.5 a portrait line of half a millimetre still shows, and a 60-cell read stays
        within a few milliseconds.
    patch_mm
        Side of the square cut out around a cell: a 33 mm disc that lies 5 mm off its place, with a rim of board around it.
    densest
        2..4 picture pixels per sample: a denser picture is averaged down first, or sampling would alias.
    grid_mm
        2..4 mm: spacing of the coarse samples from which light is estimated.
    block_mm
        25..50 mm: one light estimate per block of this side, about one cell.
    white_percent
        95..99.5: percentile of the bare board's print, per channel, that counts as white paper.
    floor
        0.01..0.05 of local white: added before taking logarithms, so that noise in black does not count. Part of the fit:
        refit when changed.
    """

    scale: float = 1.5
    patch_mm: float = 48.0
    densest: float = 2.0
    grid_mm: float = 3.0
    block_mm: float = 33.0
    white_percent: float = 98.0
    floor: float = 0.03


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """Finding the board by what the start position added to the empty one, and by its printed lattice.

    width
        640..1280 px: working width of the search; a 30 px disc is then still 15 px.
    change
        0.1..0.3, natural logarithm of colour ratio that counts as changed.
    noise
        1..4: how many times the neighbourhood's grain is taken off a change; even the darkest corner is then mostly still.
    most_spots
        16..40: how many changed spots are tried as pieces.
    most_poses
        8..40: how many poses that lay pieces on most spots are compared by what changed where they have pieces and where none.
    near_mm
        8..15 mm: how far a spot may lie from the piece it stands for (hand-laid 5 mm, shadow and blob error).
    enough
        0.6..0.9: part of the start position's pieces that must be found where they belong.
    search_mm
        4..8 mm: how far the lattice fit looks for a printed line; beyond half a hex it would lock on to the next one.
    rounds, settled_mm
        3..5 and 0.5..1.5 mm: how often the pose is drawn to the print at most, and by how much it moved when that is enough.
    """

    width: int = 960
    change: float = 0.16
    noise: float = 2.0
    most_spots: int = 30
    most_poses: int = 24
    near_mm: float = 12.0
    enough: float = 0.7
    search_mm: float = 6.0
    rounds: int = 4
    settled_mm: float = 1.0


@dataclass(frozen=True, slots=True)
class TrackSettings:
    """Finding the board again in later pictures.

    width
        640..1280 px: features are sought in a picture of this width.
    features
        600..2500: strongest SIFT features kept of a picture.
    ratio
        0.7..0.85: Lowe's ratio between best and second-best match.
    fewest
        12..30 agreeing matches below which the board counts as not found.
    agreement
        0.3..0.6: median local correlation of the printed picture with the taught one. A different board of the same style
        gives dozens of feature matches but no correlation.
    all_over
        0.7..0.85: share of the check patches that must agree in the first picture that is read with what was taught. Of made-up
        boards below an arm 0.86 and more agree; of others, drawn in part like the taught one, 0.42 to 0.78.
    patch_mm, spots
        side of a check patch and how many are used.
    still_px
        0.5..1.5 px: a check patch whose best match lies further off says that the camera moved.
    glance_px
        20..50 samples: how far each check patch is sought to say how far a knocked board lies off.
    """

    width: int = 960
    features: int = 1500
    ratio: float = 0.8
    fewest: int = 16
    agreement: float = 0.45
    all_over: float = 0.8
    patch_mm: float = 26.0
    spots: int = 36
    still_px: float = 1.0
    glance_px: int = 40


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """From patches to likelihoods. The fitted numbers lie in ``weights.json`` beside this file.

    reach_mm
        5..8 mm: how far from its printed centre a piece may lie.
    busy
        0.05..0.3: a cell less changed than this is bare without a closer look.
    """

    reach_mm: float = 7.0
    busy: float = 0.08


@dataclass(frozen=True, slots=True)
class BareSettings:
    """Comparing a place with its own picture on the empty board.

    floor
        0.02..0.06 of white: added before taking logarithms, so that noise in black does not count.
    fewest
        20..80 visible samples below which a comparison says nothing.
    shrink, grow
        0.85..0.97 and 1.05..1.2: the footprint within its edge and the ring beyond it, so that a piece a little off its
        place is neither missed nor counted as ring.
    """

    floor: float = 0.04
    fewest: int = 30
    shrink: float = 0.93
    grow: float = 1.12


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """From probabilities of single places to claims about all of them.

    quiet
        1e-6..1e-4: probability that a place which looks exactly like bare board has a piece on it after all.
    alike
        0.01..0.1: when a place at rest is verified, a posterior that changed by less is the same; 0.97 is a claim.
    hardly
        1e-4..1e-2: a place less probably a tile than this is not asked which one it is.
    stranger
        0.02..1: how much rarer strange things on a cell are in play than in the made-up pictures that were fitted on.
    strange
        0.3..0.7: a cell taken by something strange with this probability is looked at as if a disc stood there.
    under, under_left
        0.97..0.999 and 0.9..0.97: how sure a flat piece under a disc must be by what shows of it (and by what lay there
        before), the latter where it must lie somewhere and every other place is settled by itself. Of 237 made-up ones
        claimed at 0.97 two were not there; 0.99 leaves eleven of 104 true ones on path-traced tables untold.
    most_under
        0.985..0.995: no flat piece under a disc is surer than this by what shows of it: of those 237 claims 99.2 % were true.
    own
        0.5..0.9: how sure a tile's number must be by its own looks, whatever the other tiles leave over: one misread tile
        elsewhere must not name this one. Of 113 true claims on path-traced tables two were less sure than 0.5.
    doubtless
        0.985..0.995: what is this probable is settled. A cell this probably bare by its outline and colours is not shown to the
        portrait network; a place this probably bare, or taken by a flat piece, is not compared with the taught drawings; where
        every disc stands this probably at some cell, no cover is sought below; which way a disc looks is not asked again a
        little beside where it was found. So sure must be: a tile's number by its own looks where the number read on it is
        another than that of the tile it looks most like, and by all tiles while the number of some open tile cannot be told;
        that a place with sides in sight is bare (in glare a tile was called bare at 0.97 on one of eight copies), and what lies
        below what may be a disc.
    drawn_lead
        0.2..0.4: by how much the correlation with a taught piece's drawing must exceed that with the bare print's for the piece
        to be in sight, and the other way round. On composed copies open covers have 0.54 to 0.99 with a cover, discs and bare
        print at most 0.49. With no lead one of 540 pieces was read wrongly that is unknown with it.
    drawn_weight
        5..50: how much less probable anything but the bare print becomes where its drawing shows.
    foreign, foreign_strip, foreign_share
        0.4..0.5, 0.35..0.4 and 0.9..0.99: correlation with the taught pieces' drawings below which what lies open at a place
        is none of them, of tiles and markers and of strips (which lie further off their places), and how much of what was
        believed of them goes to something foreign then.
    elsewhere, elsewhere_cells
        1..5 and 2..12: at how many other places in a cell a disc is looked for when nobody was recognised on it, and on how
        many cells that or a look a little beside is tried, the least bare ones (half as many where only some spots are looked
        at again); each place costs about as much as the first look at a cell.
    side_even, side_weight
        -3..0 and 0.2..0.8: by how much the portrait network's log-likelihood of a known piece's first face exceeds its second
        one's where both are as probable, and what more than the blend gives it each unit beyond counts. Of 1153 first faces on
        55 composed copies two had less than 0, of 1092 second ones one had more.
    pale
        0.3..0.6: by how much the log odds of a piece's two faces are cut where the first one is as white as paper.
    recognised
        0.3..0.8: how probable a piece must be by its looks alone for it to be said which way it faces. One found only because
        all others were elsewhere had been looked for 3 mm beside its place, and its way was sure and false.
    same_side
        0.88..0.92: how much of what such a piece looks like, whoever that is, must lie the same side up for its side to
        be said. Of twelve such pieces on six path-traced tables the eleven right ones had 0.92 and more, a false one 0.86.
    faint
        0.5..1: what of the chance that a disc is another piece than the likeliest goes to one that was taught too faint to be
        known.
    others_side, paper
        0.5..1 and 2..4: how much the log odds count of which way up the others would lie that such a piece looks like, and
        that it shows paper or not.
    wedge
        0.3..1: how much it counts for who a doubtful disc is that a wedge is printed on it or not.
    odd
        0.05..0.2: how probable something strange must be on a flat piece's place for it to be said that it may bear one.
    gone, lost, lost_unseen
        Weights of a flat piece lying on no place in sight: of one that comes and goes in a game (0.3..0.7), of one that never
        does (0.001..0.01), and how much more for each place out of sight (0.05..0.2).
    astray, astray_unseen
        The same of a movable piece (1e-4..1e-2), and how much more for each place out of sight or taken by something strange
        (0.02..0.1).
    hides
        0.2..0.5: a place taken by something strange with this probability may hide a piece.
    trust
        1..2: what the log odds count of who stands on a cell and which side is up: the fits say less than is true (of 16 discs
        said with 0.7 to 0.85 one was false). The numbers of tiles count as they are.
    """

    quiet: float = 2e-6
    alike: float = 0.02
    hardly: float = 1e-3
    stranger: float = 0.15
    strange: float = 0.5
    under: float = 0.975
    under_left: float = 0.9
    most_under: float = 0.99
    own: float = 0.6
    doubtless: float = 0.99
    drawn_lead: float = 0.3
    drawn_weight: float = 20.0
    foreign: float = 0.45
    foreign_strip: float = 0.37
    foreign_share: float = 0.97
    elsewhere: int = 3
    elsewhere_cells: int = 6
    side_even: float = -1.5
    side_weight: float = 0.4
    pale: float = 0.5
    recognised: float = 0.5
    same_side: float = 0.9
    faint: float = 1.0
    others_side: float = 0.7
    paper: float = 3.5
    wedge: float = 0.5
    odd: float = 0.1
    gone: float = 0.5
    lost: float = 0.002
    lost_unseen: float = 0.1
    astray: float = 0.001
    astray_unseen: float = 0.05
    hides: float = 0.3
    trust: float = 1.5


@dataclass(frozen=True, slots=True)
class SideSettings:
    """Flat pieces with sides, over two cells, or alone of their kind. The fitted numbers lie in ``sides.json``.

    middle_mm
        6..10 mm: radius about a cell's middle over which it is asked whether anything lies there at all.
    busy
        0.1..0.4: a cell less changed there than this has no lone piece on it; between two cells no strip that was not found.
    strip_busy
        0.08..0.2: a cell less changed about its middle has no strip on it; nor have two cells right between them, where every
        strip lies, but discs and tiles leave a gap. A strip may be about as light and coloured as the street.
    strip_edge_mm
        1..4 mm of a strip's edge that are not compared: it may lie that far off its place in the picture that taught it.
    strip_reach_mm, strip_tilts
        4..8 mm and degrees: how far from the middle between its cells, and from their line, a strip may lie.
    shows_bare
        1..2: log odds by the network alone below which a place in sight is not called bare. Of 7,804 bare streets on 32 made-up
        copies nine had less, of 1,654 tiles none had more than 1.0: the two with most lay in glare that left nothing of them.
    shows_print
        0.2..0.3 and 0.85..0.95: how much of the print's drawing must show, and by how much less a place must have changed than
        a tile would have changed it, for it to be plainly seen whatever the network says: one tile had 0.2 and 0.5.
    faded
        0.25..0.4: by how much less than any tile would have changed a place it may have changed for a side to be named there.
        Light that lies on a tile takes its colours and drawing away, and it looks like another. Of 689 sides in sight on 30
        made-up copies one had 0.54, the others 0.2 at most; the one that was called another had 0.47.
    foreign
        0.3..0.45: correlation with the taught sides' drawings below which what lies open at a place is no tile, whatever its
        colours.
    seen
        0.02..0.1: share of a tile's area that must be in sight for anything to be said of what lies there. Of 18 copies with
        tiles below a quarter of the discs, none was called bare of the few with 0.02 to 0.04 of it in sight.
    glance, most_strips
        0.2..0.4 and 6..20: correlation at half the detail below which two cells are not looked at closely for a strip, and how
        many at most are.
    off_colour, off_unseen
        0.5..1 and 0.2..0.4 units of colour distance by which the lone piece may be off its shown side where the other is less
        so, and where the other was never shown. Of 24 pieces whose sides bore one drawing two lay 0.46 and 0.53 from the wrong
        one, the others 0.78 and more; of 382 three in five lay within 0.3 of their own.
    left_over
        0.001..0.01: while a strip is not found it may lie wherever it is at least this probable. In glare one lay where 0.02
        said so.
    lost
        1e-3..0.05: weight of a piece that cannot leave the board being nowhere, askew or hidden, against its being where one
        speaks neither for nor against it.
    """

    middle_mm: float = 8.0
    busy: float = 0.3
    strip_busy: float = 0.12
    strip_edge_mm: float = 3.0
    strip_reach_mm: float = 6.0
    strip_tilts: tuple[float, ...] = (-6.0, 0.0, 6.0)
    shows_bare: float = 1.5
    shows_print: tuple[float, float] = (0.2, 0.9)
    faded: float = 0.3
    foreign: float = 0.35
    seen: float = 0.02
    glance: float = 0.3
    most_strips: int = 12
    off_colour: float = 0.7
    off_unseen: float = 0.35
    left_over: float = 0.003
    lost: float = 0.02


@dataclass(frozen=True, slots=True)
class PlainSettings:
    """All stages of the plain reader.

    claim
        0.9..0.999: a claim less probable than this is reported as unknown. A place at least this probably bare hides no piece
        that is found nowhere, a piece that is this probably nowhere may be called absent, and a disc that is less surely not on
        a place may hide what lies there.
    stay
        0.5..0.98: probability, before looking, that a piece is where the prior reading had it.
    spots_a_frame, sided_spots_a_frame
        8..24 and 2..12 changed spots looked at in one frame; a moved piece changes about 10. The latter where pieces are told
        by their sides or lie over two cells, which makes a spot twice as costly.
    """

    surface: SurfaceSettings = field(default_factory=SurfaceSettings)
    finder: FinderSettings = field(default_factory=FinderSettings)
    track: TrackSettings = field(default_factory=TrackSettings)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    bare: BareSettings = field(default_factory=BareSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    sides: SideSettings = field(default_factory=SideSettings)
    colour: ColourSettings = field(default_factory=ColourSettings)
    claim: float = 0.97
    stay: float = 0.9
    spots_a_frame: int = 12
    sided_spots_a_frame: int = 6
