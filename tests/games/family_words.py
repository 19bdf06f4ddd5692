"""Where words of single games, or of a family of games, stand outside their packages: what the guard counts.

A line counts once, comments and docstrings included. Left out: the packages of the games, their board data and bundled tables,
sentences in all languages, tests, and the product's own name.
"""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FAMILY = (
    "jack", "detective", r"suspect\w*", "innocent", r"witness\w*", "alibis?", "unseen", r"accus\w*", "recall(?!ed)",
    "call-asked", "lamps?", "gaslights?", "lanterns?", r"manholes?", "cordons?", "barricades?", "whistles?", "escapes?",
)  # fmt: skip
"""Words of Mr. Jack, both games of it."""
GAMES = (
    "lestrade", "stealthy", "goodley", "gull", "watson", "holmes", "tumblety", "eastman", "callahan", "latimer", "cloud_rider",
    "mr_jack\\w*", "adler", "townsend", "tarasov", "sharpe", "binoculars?", "handcuffs", "get_adler\\w*",
)  # fmt: skip
"""Names of single games and of who plays in them."""
ORDINARY = {"vision": ("lamps?", "unseen"), "calibration": ("lamps?",)}
"""Words that mean what they mean everywhere, by room: the lamp over the table, a face that was not seen."""
NOT_MEANT = re.compile(
    r"table[-_ ]?witness\w*|(?:html|markupsafe)\.escape|import escape|\bescape\(|escape sequences?|\"Escape\"|'Escape'",
    re.IGNORECASE,
)
"""The name of the product, and the ``escape`` of text and of keyboards."""
SKIPPED = (
    "companion/boards/data/", "companion/demo/mr-jack", "companion/announce/phrases", "companion/announce/patterns",
    "companion/announce/languages/", "companion/announce/locale", "web/static/vendor/", "firmware/build",
    "calibration/training/",  # made-up copies of each game; not shipped, and nothing that is shipped needs it
)  # fmt: skip
KINDS = {".py", ".js", ".html", ".css", ".c", ".h", ".cpp", ".ino"}

ROOMS = {
    "referee": "companion/referee",
    "games": "companion/games",
    "record": "companion/record",
    "boards": "companion/boards",
    "vision": "companion/vision",
    "devices": "companion/devices",
    "announce": "companion/announce",
    "host": "companion/host",
    "demo": "companion/demo",
    "cli": "companion/cli",
    "calibration": "calibration",
    "web": "web",
    "web/templates": "web/templates",
    "web/static": "web/static",
    "firmware": "firmware",
}
"""Name of a room to its folder. Of ``games`` only what lies at its top, of ``web`` only Python."""


def sources(room: str) -> Iterator[Path]:
    """The files of a room that are looked at."""
    folder = ROOT / ROOMS[room]
    found = folder.glob("*") if room == "games" else folder.rglob("*.py" if room == "web" else "*")
    for path in sorted(found):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and path.suffix in KINDS and not name.startswith(SKIPPED) and "node_modules" not in path.parts:
            yield path


def lines_with_family_words(room: str) -> list[str]:
    """``file:line: text`` of every line of a room that has such a word."""
    words = [word for word in (*FAMILY, *GAMES) if word not in ORDINARY.get(room, ())]
    meant = re.compile(rf"(?<![a-z])({'|'.join(words)})(?![a-z])", re.IGNORECASE)
    found = []
    for path in sources(room):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if meant.search(NOT_MEANT.sub("", line)):
                found.append(f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}")
    return found


if __name__ == "__main__":
    for name in ROOMS:
        print(f'    "{name}": {len(lines_with_family_words(name))},')
