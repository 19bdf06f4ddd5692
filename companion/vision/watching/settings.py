"""The tunables of the watcher in one value. Shares are of the spacing of sites (``Board.spacing_mm``) unless said otherwise;
what that is on hexes 40 mm apart, where they were measured, is given with each."""

from dataclasses import dataclass, field

from companion.vision.pointing import HoldingSettings, RasterSettings, ShapeSettings
from companion.vision.watching.motion import MotionSettings


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Tunables of the watcher.

    quiet_s
        0.1..0.5 s without motion before a reading may settle. A hand in sight never settles, however long it rests; this is
        for fingers that leave the watched region and come back at once, which takes about 0.1 s.
    readings
        2..5 equal readings, from different frames.
    still
        0.025..0.075 of the spacing of sites (1.5 mm on hexes) a piece may seem to move between these readings.
    found
        0.075..0.15 of it (4 mm) the same where no marker says where it lies: the edge of a disc in a small picture may be found
        at two places.
    patience_s
        1..5 s after which a reading with doubts settles too: something really lies over the board.
    brief_s
        0.3..0.8 s of motion that interrupt this waiting but do not end it, if the same is seen before and after: a keyframe of
        a coded film pulses.
    unrest_s
        5..20 s in which the picture was never quiet, and changed as it does when the camera trembles or has too little light,
        before that is said.
    unrest_share
        0.6..0.95 of the frames in that time that change so: hands change a part of the picture, and much of that part.
    most_flickers
        2..5 times in a row that two readings differ only in what one of them cannot tell, after which what both claim counts.
    retry_s
        0.1..0.5 s between readings while something lies over the board: they are the dearest, and nothing is lost.
    whole_s
        0.4..2 s between readings of the whole board in that time; the others look at what changed.
    hand_spots
        2..6 hidden spots beyond which an arm is over the board even if every piece is in sight.
    shaken_share
        0.3..0.7 of the watched region changed at once: the camera, the board or the light, not a piece.
    many_share
        0.3..0.8 of all spots changed at once: before they are looked at, it is checked whether the board has moved.
    check_s
        0.2..1 s between checks of the frame markers while the picture is shaken or still.
    moved_px
        1.5..6 pixels the board must have moved in the picture to be said.
    refined_errors
        2..4 standard errors of a registration by which a surer one may put the board elsewhere without its having moved.
    lost_s
        0.5..2 s without the board, or of another reason for that, before it is said.
    verify_every
        2..10: one spot is read again on every so-manieth quiet frame.
    rebase_s
        1..5 s between refreshes of the picture of the last look, so that fading daylight never adds up to a change.
    beside_s
        0.5..3 s of motion beside the board and never on it, after which it is a screen or a candle and not an arm coming in.
    beside_rest_s
        2..20 s without such motion, after which what moves there counts again.
    recheck_s
        5..60 s between readings of a whole table at rest, for readers that cannot read single spots, or not for less.
    reach
        0.45..0.8 of the spacing (20 mm) around a change within which spots are looked at again by a reader to which every spot
        is costly: as much of them as it looks at.
    bare_s
        2..6 s at rest, with nothing over the board, after which the picture counts as the one without a hand that pointing is
        told from: longer than a finger is held.
    hand_mm
        15..30 mm about the middle of an upmost card of which half must be covered for a hand to have been there.
    open_s
        5..30 s after which cards that came into view beside the board, and left it, are said again.
    brim
        0.2..0.4 of a spot's room (11 mm) around it that must be in the picture, else the spot is said to be out of it: half a
        disc's marker.
    """

    quiet_s: float = 0.15
    readings: int = 2
    still: float = 0.0375
    found: float = 0.1
    patience_s: float = 2.0
    brief_s: float = 0.6
    unrest_s: float = 8.0
    unrest_share: float = 0.8
    most_flickers: int = 3
    retry_s: float = 0.25
    whole_s: float = 0.6
    hand_spots: int = 3
    shaken_share: float = 0.35
    many_share: float = 0.5
    check_s: float = 0.4
    moved_px: float = 3.0
    refined_errors: float = 3.0
    lost_s: float = 0.8
    verify_every: int = 4
    rebase_s: float = 2.0
    beside_s: float = 1.0
    beside_rest_s: float = 5.0
    recheck_s: float = 10.0
    reach: float = 0.5
    bare_s: float = 3.0
    hand_mm: float = 22.0
    open_s: float = 10.0
    brim: float = 0.275
    motion: MotionSettings = field(default_factory=MotionSettings)
    raster: RasterSettings = field(default_factory=RasterSettings)
    shape: ShapeSettings = field(default_factory=ShapeSettings)
    holding: HoldingSettings = field(default_factory=HoldingSettings)
