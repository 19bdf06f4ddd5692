"""The tunables of reading unmodified pawns and tokens."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PawnSettings:
    """Colours are CIE Lab, each of its axes in units of its own; likelihoods are natural logarithms (nats).

    scale
        1.5..3 pixels a millimetre of the board seen from straight above; never more than 1.15 times what the picture has.
    light_mm
        30..60 mm: one estimate of the light per block of this side; more than half of each must be bare print.
    noise_light, noise_colour
        1.5..3 and 1..2.5: how far (standard deviation) bare print seen again lies from the taught one at least.
    astray_mm
        0.15..0.4 mm by which two pictures of one board lie beside each other.
    odd_sigma
        2.5..4 standard deviations from bare print from which a pixel counts as something else.
    shadow
        1..4 nats by which print darkened by a piece's shadow is less likely than lit print.
    darkest
        0.4..0.7: the share of the light that a shadow leaves.
    paint_light, paint_colour
        4..9 and 3..6: how far a pawn's paint seen elsewhere lies from the nearest of its taught colours.
    hidden
        0.02..0.1: the share of pixels that something may hide, whatever lies there.
    alike_mm2
        3..8 mm² of picture whose errors are one error.
    off_mm
        1.5..3 mm that a piece may be laid off the middle of its site.
    margin
        8..16 nats by which a claim must be likelier than any other.
    named
        20..40 nats by which a pawn that only its paint names must be likelier than any other, and a token in full sight.
    fit
        0.65..0.85: the share of what is in sight of a piece that must be as taught.
    visible
        0.2..0.4: the share of a piece that must be in sight.
    bare
        0.05..0.2: the share in sight of the room of a piece, below which nobody knows whether one lies there.
    odd
        0.2..0.4: the share of what is in sight of that room that may be neither bare nor a piece that was told.
    """

    scale: float = 2.2
    light_mm: float = 45.0
    noise_light: float = 2.0
    noise_colour: float = 1.7
    astray_mm: float = 0.25
    odd_sigma: float = 3.3
    shadow: float = 2.0
    darkest: float = 0.5
    paint_light: float = 6.0
    paint_colour: float = 4.0
    hidden: float = 0.04
    alike_mm2: float = 4.0
    off_mm: float = 2.2
    margin: float = 12.0
    named: float = 30.0
    fit: float = 0.7
    visible: float = 0.3
    bare: float = 0.05
    odd: float = 0.3
