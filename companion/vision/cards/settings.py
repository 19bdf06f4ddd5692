"""The tunables of reading unmodified cards."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LikenessSettings:
    """How a card's picture is compared with the taught ones. Colours are CIE Lab, each of its axes in units of its own.

    noise_light, noise_colour
        2..5 and 1.5..4: how far (standard deviation) a cell of a card seen again lies from the taught one, light fitted.
    astray_px
        0.4..1 canonical pixels by which two pictures of one card lie beside each other after the fit.
    loosely_px
        1..2 canonical pixels of the same, where it is asked whether a face is one of the taught ones at all.
    hidden
        0.02..0.1: the share of cells that something may hide, or glare washes out, whatever the card.
    alike
        2..6: neighbouring cells err alike, so that so many count for one.
    roughly_px
        1.5..4 canonical pixels of the same before it.
    ahead
        20..60 nats by which a hypothesis may be less likely before the fit and still be the right one.
    shortlist
        4..10 hypotheses (face and way round) that are fitted closely.
    steps
        4..12 rounds of the fit of a pose.
    margin
        8..16 nats between the best face and the next one, below which which of the two lies there is not said.
    covered, covered_exact, covered_steeply, covered_most
        Nats by which the margin must be larger the less of a card is in sight (all of it hidden: this many), for of a part that
        most taught faces have alike (a corner with a number) one that was never taught may show as much: 40..140 where no
        drawing can be asked for; 10..60 where what is drawn there is just as taught (``exact_detail`` and ``exact_spot``);
        300..900, but 60..120 at most, where it is only much like it.
    exact_detail, exact_spot
        0.94..0.98 and 3..5: as ``detail`` and ``spot``, of a drawing that is just as taught. Of 599 looks at parts of faces
        never taught on 32 decks none with more than 0.935 led by the margin.
    over_bare
        250..350 nats by which a part of a card must be likelier than the bare mat, were all of it in sight, where its drawing
        is only much like the taught one: 384 and more in 77 such parts told rightly on 36 decks, 112 to 162 where the signs
        of another face lay a row beside.
    under_bare
        20..60 nats by which the bare mat may be likelier than a card whose outline shows, were all of it in sight: 7 of the
        palest back of 8 decks, 116 to 152 where a back was none but the bare mat from which cards were taken.
    spent
        -8..-3 nats: the log probability beside other faces of one of which all printed cards lie there already; clear evidence
        overrules it, and the card too many is said.
    fit
        0.75..0.95 of the cells in sight, those washed out by glare apart, that must be as taught.
    fit_undrawn
        0.94..0.98 of the same of a card on which too little is drawn, or in sight, for ``detail`` to be asked: a blank part of
        another one is much like a fine pattern.
    fit_whole
        0.975..0.985 of the same of a card that lies open and whose drawing is not just as taught: of 1,243 looks at known cards
        under glare, most by dusk, on 90 decks none had less than 0.989; shields, weaves and pips never taught, sure but for
        this, had 0.928 to 0.968. Of a known one that landed together with another upon it 0.96.
    lump
        4..8 cells side by side that are not as taught and not washed out: another card, or something lies on it.
    detail
        0.66..0.72: the correlation of what is drawn finely with the taught drawing. Of 413 looks at cards rightly told on 30
        decks three had less than 0.72 (all fitted amiss); of 15 looks at another face, or one never taught, that were sure but
        for this, none had more than 0.65: cards full of text, big letters in one layout. Two faces never taught had
        0.77 and 0.8.
    plain_detail, poorly
        0.9..0.93 of the same, below which glare must show and the lead be larger, and 400..1,200 nats for each whole of it:
        of 1,831 looks at known cards under glare some five led by less, 55 to 111 with 0.8 to 0.855; plusses where the taught
        face has discs had 0.79 to 0.89 and led by 16 to 68, without glare 0.894 and 115. Where nothing was washed out one of
        418 such looks and one of 70 at parts had less, of 120 without glare none less than 0.96.
    redrawn
        0.35..0.65: the correlation of the same where a card lay and a little has changed, below which another one lies upon
        it: 0.15 to 0.26 of text upon text in eight looks, 0.91 and more in hundreds at cards that lay there.
    spot
        6..8 levels of light by which a spot of half a centimetre may be darker than the face is near there, veiled by glare:
        other signs in the layout of a taught face. Of 654 looks at whole cards rightly told under glare three had more than
        7, of 258 at parts none; of 31 at other faces that were alike but for this 23 had 9 to 42.
    visible
        0.25..0.5 of a card that must be in sight to be read.
    washed
        0.2..0.5 of the cells in sight that glare may wash out.
    """

    noise_light: float = 3.2
    noise_colour: float = 2.6
    astray_px: float = 0.7
    loosely_px: float = 1.5
    hidden: float = 0.04
    alike: float = 2.5
    roughly_px: float = 2.5
    ahead: float = 60.0
    shortlist: int = 6
    steps: int = 8
    margin: float = 12.0
    covered: float = 90.0
    covered_exact: float = 20.0
    covered_steeply: float = 600.0
    covered_most: float = 100.0
    exact_detail: float = 0.96
    exact_spot: float = 4.0
    over_bare: float = 300.0
    under_bare: float = 40.0
    spent: float = -5.0
    fit: float = 0.88
    fit_undrawn: float = 0.96
    fit_whole: float = 0.975
    lump: int = 6
    detail: float = 0.7
    plain_detail: float = 0.91
    poorly: float = 1000.0
    redrawn: float = 0.5
    spot: float = 7.0
    visible: float = 0.33
    washed: float = 0.4

    def lead(self, visible: float, exact: bool | None, detail: float = 1.0) -> float:
        """The nats by which a face must lead of which this share is in sight; ``exact``: whether what is drawn there is just as
        taught, None where no drawing can be asked for; ``detail``: how well it agrees with that."""
        hidden = 1 - visible
        if exact is None:
            return self.margin + self.covered * hidden
        if exact:
            return self.margin + self.covered_exact * hidden
        amiss = self.poorly * max(0.0, self.plain_detail - detail)
        return self.margin + min(self.covered_most, max(amiss, self.covered_steeply * hidden))


@dataclass(frozen=True, slots=True)
class LandingSettings:
    """How a card that has been laid is found.

    scale
        1..2.5 pixels a millimetre of the mat seen from straight above; never more than 1.15 times what the picture has.
    changed
        8..16 levels of light or colour that count as a change, above the noise.
    noise_factor
        3..6 times the measured noise, when that is more.
    least
        0.02..0.1 of a card's area that counts as a change of what lies there.
    size
        0.06..0.15 of its size by which a card may seem larger or smaller than it is, by height and by sleeves.
    moved_mm, turned_deg
        0.4..1 mm, or 0.5..1.5 degrees, by which a card laid again lies beside the one it covers.
    moved_nats
        3..8 nats by which it must be likelier where it was fitted than where it lay before, and in the view before the other
        way round: 12 and more of 136 cards laid 1 mm off and more on 20 decks, 2.2 and less where nothing was laid.
    """

    scale: float = 1.6
    changed: float = 11.0
    noise_factor: float = 5.0
    least: float = 0.05
    size: float = 0.1
    moved_mm: float = 0.6
    turned_deg: float = 1.0
    moved_nats: float = 5.0


@dataclass(frozen=True, slots=True)
class BesideSettings:
    """How cards that come into view beside the mat are noticed.

    scale
        0.8..1.2 pixels a millimetre.
    filled
        0.7..0.9 of a card's area that must have changed: a rim may look like the table.
    beyond
        0.1..0.3 of what has changed that may lie outside it: an arm reaches on.
    rim_mm
        4..10 mm about a card that its shadow, or others below it, may take.
    taken
        0.2..0.5 of its area that changes when it is taken away.
    """

    scale: float = 1.0
    filled: float = 0.75
    beyond: float = 0.15
    rim_mm: float = 8.0
    taken: float = 0.3


@dataclass(frozen=True, slots=True)
class CardSettings:
    """All tunables of the reader."""

    likeness: LikenessSettings = field(default_factory=LikenessSettings)
    landing: LandingSettings = field(default_factory=LandingSettings)
    beside: BesideSettings = field(default_factory=BesideSettings)
