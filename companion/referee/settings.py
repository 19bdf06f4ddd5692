"""What a table may tune about the referee."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """``grace_s``: seconds (5 to 600) a play may stay unfinished (an ability still to use, a disc lifted) before it is
    flagged. 45 because players think between moving a disc and using its ability, and a flag then would only nag.
    ``begun_s``: seconds (0 to 60) a change that is no play yet may stay so, when a play that moves several discs can begin with
    it. 10 because hands that lay such a play piece by piece are at the next one by then.
    ``ending_s``: seconds (0 to 60) a play that ends the game must rest on the table before it counts. 5 because a disc
    that is lifted, or laid on another by chance, must not end a game, and nobody minds waiting for the end.
    ``ask_again_s``: seconds (5 to 120) a hidden piece may keep the game waiting before it is asked for again (then twice as
    long, and so on up to ``ask_again_most_s``). 20 because a hand or a sleeve is gone by then. ``most_guesses``: places of
    hidden pieces that are tried (0 to 10 000) before nobody can tell: enough for one piece with a front, or two tiles.
    ``most_differing``: pieces (4 to 30) that may differ from the record before no single play is blamed for it. 8 because the
    play that moves most (one that pulls others along) and a slip beside it stay below, and another table's set-up does not."""

    grace_s: float = 45.0
    begun_s: float = 10.0
    ending_s: float = 5.0
    ask_again_s: float = 20.0
    ask_again_most_s: float = 300.0
    most_guesses: int = 1000
    most_differing: int = 8


DEFAULTS = RefereeSettings()
