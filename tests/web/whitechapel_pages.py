"""Letters from Whitechapel on the page: a table before Jack's first move, and what of its board is in sight."""

from pathlib import Path
from typing import Any

from testkit.night_players import everybody_stays, flee, hunt
from testkit.night_table import NightTable

FRAMED = """(spots) => { const frame = document.getElementById("board").getBoundingClientRect();
  return spots.filter((spot) => { const { left, right, top, bottom } =
    document.querySelector(`.cells [data-spot-id='${spot}'] .plate`).getBoundingClientRect();
    return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom; }); }"""
"""The spots that the board's frame shows, wherever the page is scrolled to."""
IN_SIGHT = FRAMED.replace("top >= frame.top", "top >= Math.max(frame.top, 0) && bottom <= innerHeight")
"""Those of them that are on the screen as well."""
READY = ".piece[data-piece=police-brown]"
"""What is on a page of this game once all of it is drawn."""


def begun(folder: Path, rules: dict[str, Any] | None = None) -> NightTable:
    """A table before Jack's first move."""
    made = NightTable(folder, rules=rules)
    hunt(made)
    return made


def hunted(night: NightTable) -> None:
    """Jack has walked to 86, and the policemen have stayed: the brown one acts first, beside 34 and 55."""
    flee(night, "86")
    everybody_stays(night)
