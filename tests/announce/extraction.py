"""Every text a person can meet, found in the sources themselves, so that no catalogue can forget one.

Run ``python tests/announce/extraction.py`` to write what is new into the catalogues (empty) and what is gone out of them.
"""

import ast
import importlib
import json
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from companion import boards, games
from companion.announce.catalogue import path
from companion.announce.languages import LANGUAGES, SOURCE, folder
from companion.announce.patterns import PATTERNS, PLURALS
from companion.games.mr_jack.investigation import Investigation
from companion.vision.cards.faces import deck_faces

ROOT = Path(__file__).resolve().parents[2]
SPEAKING = (
    "companion/announce",
    "companion/games",
    "companion/referee",
    "companion/vision",
    "companion/devices",
    "companion/host",
    "companion/hub/sentences",
)
"""Where sentences for people come from. Commands and programs of ours that only we read are left out."""
SILENT = (
    "companion/announce/languages.py", "companion/announce/patterns.py", "companion/announce/patterns_of_rooms.py",
    "companion/announce/patterns_of_halls.py",
    "companion/devices/boxes/simulator.py",
    "companion/devices/boxes/terminal.py", "companion/devices/cameras/modes.py", "companion/host/report.py",
    "companion/host/export.py",
)  # fmt: skip
ONLY_AT_A_PROMPT = tuple(
    f"companion/games/{game}/{module}.py"
    for game, modules in {
        "letters_from_whitechapel": (
            "acts", "drawing", "explaining", "history", "judging", "judging_secret", "night", "queries", "secret", "towards",
            "validation", "validation_rules", "validation_secret",
        ),
        "get_adler": (
            "acts", "chance", "confronting", "dealing", "deducing", "difference", "expecting", "explaining",
            "faults", "folding", "hypotheses", "judging", "mat", "position", "queries", "reading", "rulings",
            "secret_reading", "secrets", "state", "turns", "validation",
        ),
    }.items()
    for module in modules
)  # fmt: skip
"""Modules of a refereed game whose sentences are read at a prompt alone, which speaks English: its table tells what they find
by its code, in sentences of its own."""
KNOWN_TO_READERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class Found:
    """A text and where it stands. A finished sentence (an f-string) has ``{}`` where its words go in."""

    text: str
    where: str
    finished: bool = False


def fields(template: str) -> list[str]:
    """The placeholders of a template, in order; empty when it is none."""
    try:
        return [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError:
        return []


def is_template(text: str) -> bool:
    """Whether a string is a sentence for people: it has named places for words, or it begins and ends like one."""
    names = fields(text)
    bare = re.sub(r"\{\w*\}", "", text)
    if not KNOWN_TO_READERS.search(bare):
        return False
    if names:
        return all(name.isidentifier() for name in names) and "\n" not in text
    return " " in text and text[0].isupper() and text[-1] in ".?!" and "\n" not in text


def docstrings(tree: ast.AST) -> set[int]:
    """Ids of the nodes that document: first expressions of bodies, and strings that stand alone."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def skeleton(node: ast.JoinedStr) -> str:
    """A formatted string with {} for each word put in."""
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


def only_asked(source: Path) -> bool:
    """Whether a source belongs to a game that is asked at a prompt, which speaks English, and not refereed at a table yet."""
    package = source.parent
    games_own = package.parent == ROOT / "companion" / "games" and (package / "queries.py").exists()
    return games_own and not (package / "game.py").exists()


def sources(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for room in folders:
        for source in sorted((ROOT / room).rglob("*.py")) if not room.endswith(".py") else (ROOT / room,):
            name = str(source.relative_to(ROOT))
            if name not in (*SILENT, *ONLY_AT_A_PROMPT) and not only_asked(source):
                yield name, ast.parse(source.read_text(encoding="utf-8"))


def templates(*folders: str) -> Iterator[Found]:
    """Sentence templates: constants that read like one."""
    for name, tree in sources(*folders):
        skipped = docstrings(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                skipped |= {id(part) for part in ast.walk(node)}
            if isinstance(node, ast.Raise):
                skipped |= {id(part) for part in ast.walk(node)}
        for node in ast.walk(tree):
            here = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped
            if here and is_template(node.value):
                yield Found(node.value, f"{name}:{node.lineno}")


def finished(*folders: str) -> Iterator[Found]:
    """Lines that leave a room already filled: what is raised, and what vision says of a picture."""
    for name, tree in sources(*folders):
        skipped = docstrings(tree)
        for node in ast.walk(tree):
            if not name.startswith(READ_AT_A_PROMPT) and isinstance(node, ast.Raise) and _refusal(node.exc):
                assert isinstance(node.exc, ast.Call)
                lines = [line for part in node.exc.args for line in _lines(part)]
                yield from (Found(line, f"{name}:{node.lineno}", True) for line in lines)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FAULTS_OF_POSITIONS:
                # What cannot be seen here could not be told to anybody either: it stands there as its code.
                lines = list(_lines(node.args[0])) or [ast.unparse(node.args[0])]
                yield from (Found(line, f"{name}:{node.lineno}", True) for line in lines)
            elif name.startswith(COLLECTING) and (fault := _collected(node)) is not None:
                yield from (Found(line, f"{name}:{fault.lineno}", True) for line in _lines(fault))
            elif isinstance(node, ast.JoinedStr) and name in WORDS_OF_VISION and id(node) not in skipped:
                yield Found(skeleton(node), f"{name}:{node.lineno}", True)


def _collected(node: ast.AST) -> ast.expr | None:
    """The sentence that is added to a list of faults, or that a generator of faults yields."""
    if isinstance(node, ast.Yield):
        return node.value
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if isinstance(node.func, ast.Name) and node.func.id == "_whole":
        return next((part for part in node.args if isinstance(part, ast.JoinedStr)), None)
    if not isinstance(node.func, ast.Attribute) or ast.unparse(node.func.value) != "faults":
        return None
    told = node.args[0]
    return told.elt if isinstance(told, ast.GeneratorExp) else told


COLLECTING = "companion/hub/event/"
"""Where faults are collected and refused together (:class:`companion.errors.Faults`)."""
HALL = ("companion/hub/event", "companion/hub/wall", "companion/hub/hall.py")
"""What arbiters and spectators of a hall are refused by."""
FAULTS_OF_POSITIONS = {"broken_rule"}
"""The methods by which a position's reader finds fault (``companion/games/mr_jack/checking.py``)."""
KINDS_OF_REFUSAL = {"BadInput", "Faults", "Problem", "IllegalPlay", "DeviceError"}
WORDS_OF_VISION = {
    f"companion/vision/{room}.py"
    for room in (
        "faults",
        "marked/claims",
        "marked/empty_place",
        "marked/missing",
        "marked/occluded_tiles",
        "plain/flats_judge",
        "plain/judge",
    )
}


READ_AT_A_PROMPT = (
    "companion/vision/", "calibration/lens.py", "calibration/new_board.py", "companion/devices/cameras/simulator.py",
    "companion/host/authority.py",
    "companion/host/ledger.py", "companion/host/sealing.py",
)  # fmt: skip
"""What these refuse is read where commands are typed, which speak English."""


def _refusal(raised: ast.expr | None) -> bool:
    return isinstance(raised, ast.Call) and isinstance(raised.func, ast.Name) and raised.func.id in KINDS_OF_REFUSAL


def _lines(part: ast.expr) -> Iterator[str]:
    if isinstance(part, ast.JoinedStr):
        yield skeleton(part)
    elif isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value:
        yield part.value
    elif isinstance(part, ast.List):
        for one in part.elts:
            yield from _lines(one)
    elif isinstance(part, ast.IfExp):
        yield from _lines(part.body)
        yield from _lines(part.orelse)


def wordings() -> Iterator[Found]:
    """The sentences of every game that is there, as the game itself makes them; a loop over words makes several of one."""
    for package in sorted((ROOT / "companion" / "games").iterdir()):
        if not (package / "wording.py").exists():
            continue
        module = importlib.import_module(f"companion.games.{package.name}.wording")
        for key, value in sorted(vars(module).items()):
            if isinstance(value, Mapping) and key.isupper() and not key.startswith("_"):
                for text in value.values():
                    if isinstance(text, str) and is_template(text):
                        yield Found(text, f"{package.name} {key}")


def said() -> dict[str, str]:
    """What the core says: text to where."""
    found = dict.fromkeys(PATTERNS, "companion/announce/patterns.py")
    for item in (*templates(*SPEAKING), *wordings()):
        if not item.where.startswith(GAMES_OWN):
            found.setdefault(item.text, item.where)
    for item in wordings():
        found.setdefault(item.text, item.where)
    return found


GAMES_OWN = tuple(str(path.relative_to(ROOT)) for path in sorted((ROOT / "companion" / "games").glob("*/wording.py")))


def names() -> dict[str, str]:
    """The words of all boards: games, editions, people (by name and by id), pieces, sides, places."""
    found = dict.fromkeys(
        ("seen", "unseen", "The detective", "Jack", "exposure", "focus", "white balance", "nothing", "bundled table"), "roles"
    )
    for file in sorted((ROOT / "companion" / "boards" / "data").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        words = [*data.get("labels", {}).values()]
        words += [data["name"], *data["layout"].get("directions", ()), *(one["label"] for one in data["editions"].values())]
        words += [word for one in data["groups"].values() for word in (one["singular"], *one["on"])]
        words += [one["kind"] for one in (*data["cells"].values(), *data["places"].values())]
        words += [name for name in (*data["cells"], *data["places"]) if name.isalpha()]
        drawn = [boards.load(data["id"], edition).cells.values() for edition in data["editions"]]
        words += [word for cells in drawn for cell in cells for word in (cell.kind, cell.decor) if word]
        for key, piece in data["pieces"].items():
            words += [
                piece["name"],
                *piece.get("faces", ()),
                *([piece["label"]] if isinstance(piece.get("label"), str) else ()),
            ]
            words += [key] if "suspect" in piece.get("faces", ()) else []
        words += [face.name for face in deck_faces(boards.load_pieces(data["id"]))]
        found |= dict.fromkeys(words, file.name)
    for file in sorted((ROOT / "companion" / "demo").glob("*/demo.json")):
        found |= dict.fromkeys(colours_told(json.loads(file.read_text(encoding="utf-8"))), f"demo/{file.parent.name}")
    for package in sorted((ROOT / "companion" / "games").iterdir()):
        if (package / "names.py").exists() and not only_asked(package / "names.py"):
            module = importlib.import_module(f"companion.games.{package.name}.names")
            if not hasattr(module, "NAMES"):
                continue  # a game whose board names all its pieces
            found |= dict.fromkeys(module.NAMES.values(), f"{package.name}/names.py")
            found |= dict.fromkeys(words_of_faults(module.ID), f"{package.name}/validation.py")
    return found


def colours_told(script: Any) -> list[str]:
    """The colours of the roles that a recorded table's owner enters: the one words of its players that the page shows."""
    if isinstance(script, list):
        return [word for part in script for word in colours_told(part)]
    if not isinstance(script, dict):
        return []
    tables = script.get("traits", {}).values()
    return [word for table in tables for word in table.values()] + colours_told(list(script.values()))


def words_of_faults(game: str) -> tuple[str, ...]:
    """The words that a game's reader of positions puts into its faults."""
    rules = games.load(game)
    assert isinstance(rules, Investigation)
    reader = rules.reader
    return (*reader.kinds.values(), reader.footing, *reader.state.piece_keys)


def page() -> dict[str, str]:
    """What the page says by itself: the scripts' ``t("…")`` and the templates' ``_('…')``."""
    found: dict[str, str] = {}
    for kind, room, ending, options in (
        ("javascript", "web/static", "*.js", {"t": None}),
        ("jinja2.ext:babel_extract", "web/templates", "*.html", {"_": None}),
    ):
        for source in sorted((ROOT / room).rglob(ending)):
            with source.open("rb") as file:
                for line, text, _, _ in extract(kind, file, keywords=options, comment_tags=()):
                    texts = (text,) if isinstance(text, str) else text
                    found |= {one: f"{source.relative_to(ROOT)}:{line}" for one in texts if one}
    return found


@cache
def everything() -> Mapping[str, Mapping[str, str]]:
    """All texts by domain. This takes seconds, and every worker imports every module of tests: ask for it within a test."""
    return {"said": said() | web_says(), "names": names(), "page": page()}


def web_says() -> dict[str, str]:
    """Whole sentences that the servers of pages say: shown events, and what to do about a refusal."""
    found = {item.text: item.where for item in templates("web") if not item.where.startswith("web/localisation.py")}
    for item in finished("web", *HALL):
        if "{}" not in item.text:
            found.setdefault(item.text, item.where)
    return found


def unmatched(lines: Iterator[Found]) -> list[Found]:
    """Finished lines that no pattern takes apart."""
    known = {re.sub(r"\{\w+\}", "{}", pattern) for pattern in everything()["said"]}
    told = [(item, {item.text, WHERE_IN_A_FILE.sub("", item.text)}) for item in lines]
    return [item for item, ways in told if all(KNOWN_TO_READERS.search(way) for way in ways) and not ways & known]


WHERE_IN_A_FILE = re.compile(r"^(line \{\}, (columns [^:]+|\w+$))(: )?")
"""Where in a file a fault is, which is told for itself."""


def update(language: str, domain: str, texts: Mapping[str, str]) -> tuple[int, int]:
    """Write new texts (empty) into one catalogue and take out those that nobody says any more; how many of each."""
    place = path(language, domain)
    place.parent.mkdir(parents=True, exist_ok=True)
    catalogue = Catalog(locale=folder(language), fuzzy=False)
    if place.exists():
        with place.open("rb") as file:
            catalogue = read_po(file, locale=folder(language))
    held = {message.id[1] if isinstance(message.id, tuple) else message.id: message for message in catalogue if message.id}
    gone, new = held.keys() - texts.keys(), [text for text in texts if text not in held]
    for text in gone:
        catalogue.delete(held[text].id)
    for text in new:
        singular = PLURALS.get(text)
        catalogue.add((singular[0], text) if singular else text, "")
    with place.open("wb") as file:
        write_po(file, catalogue, width=120, no_location=True)
    return len(new), len(gone)


def main() -> None:
    package = Path(boards.__file__).resolve().parents[1]
    if package.parent != ROOT:
        raise SystemExit(f"the texts would be taken from {ROOT} and written into {package}: put {ROOT} first on PYTHONPATH")
    for language in LANGUAGES:
        for domain, texts in everything().items():
            if language != SOURCE:
                new, gone = update(language, domain, texts)
                print(f"{language} {domain}: {new} new, {gone} gone")


if __name__ == "__main__":
    main()
