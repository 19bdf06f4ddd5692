"""What a table may tune about the referee."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RefereeSettings:
    """``grace_s``: seconds (5 to 600) a play may stay unfinished (an ability still to use, a disc lifted) before it is
    flagged. 45 because players think between moving a disc and using its ability, and a flag then would only nag."""

    grace_s: float = 45.0


DEFAULTS = RefereeSettings()
