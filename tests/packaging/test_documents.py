"""What the documents name exists: files and names of the code, links and their headings, commands and their options."""

import argparse
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from companion.cli import parser

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DOCUMENTS = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((ROOT / "firmware").glob("*.md"))]
OF_THE_CODE = [DOCS / f"{name}.md" for name in ("architecture", "readers", "adding-a-game", "board-files", "languages")]
"""Those whose words between backquotes are names of the code."""
SOURCES = ("companion", "web", "calibration", "tests", "firmware")
KINDS = (".py", ".js", ".ts", ".json", ".po", ".html", ".onnx", ".c", ".h", ".toml", ".css")
READ = (".py", ".js", ".ts", ".json", ".html", ".c", ".h", ".toml")
A_USERS = re.compile(
    r"(BEFORE|AFTER|FILE|POSITION|certificate-authority|lens|plan|fan-map|lamp|look|report)\.\w+|my_package|my_game|my-game|tsc|http.*"
)
"""Files that a user names, and the example of a package."""


def plain(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def quoted(document: Path) -> list[str]:
    """What stands between backquotes in a line of text."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", plain(document), flags=re.DOTALL))


@cache
def files() -> dict[str, list[Path]]:
    """Every file of the checkout's source by its name."""
    found: dict[str, list[Path]] = {}
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            found.setdefault(path.name, []).append(path)
    return found


@cache
def words() -> frozenset[str]:
    """Every name in the code."""
    texts = [path for paths in files().values() for path in paths if path.is_file() and path.suffix in READ]
    found = (re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8")) for path in texts if path != Path(__file__))
    return frozenset(word for every in found for word in every)


def is_there(name: str) -> bool:
    """Whether a file of this name, or at this end of a path, is in the checkout."""
    end = f"/{name.removeprefix('./')}"
    return (ROOT / name).exists() or any(str(path).endswith(end) for path in files().get(Path(name).name, ()))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_file_that_is_named_is_there(document: Path) -> None:
    texts = [text for text in quoted(document) if not set(text) & set("<*…")]
    named = {name for text in texts for name in re.findall(r"[\w./-]+", text) if name.endswith(KINDS)}
    beside = {path.name for path in document.parent.iterdir()}
    assert [name for name in named - beside if not A_USERS.fullmatch(Path(name).name) and not is_there(name)] == []


@pytest.mark.parametrize("document", OF_THE_CODE, ids=lambda document: document.name)
def test_every_name_of_the_code_that_is_named_is_there(document: Path) -> None:
    names = {text for text in quoted(document) if re.fullmatch(r"_?[A-Za-z]\w*(\.\w+)*", text) and not A_USERS.match(text)}
    ends = {name.rpartition(".")[2] for name in files()}
    assert [name for name in names if name not in files() and not set(name.split(".")) <= words() | ends] == []
    for name in names:
        module, _, inner = name.partition(".")
        of = [path for path in files().get(f"{module}.py", ()) if "tests" not in path.parts]
        if inner and of and name not in files() and document.stem != "board-files":
            assert any(re.search(rf"\b{inner}\b", path.read_text(encoding="utf-8")) for path in of), name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", plain(document)):
        if "://" in target:
            continue
        file, _, heading = target.partition("#")
        to = (document.parent / file).resolve() if file else document
        assert to.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", plain(to), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}, target


def commands(document: Path) -> list[str]:
    """Every command line of a document, in a block or in a sentence, without what a shell makes of it."""
    blocks = re.findall(r"```[a-z]*\n(.*?)```", plain(document), re.DOTALL)
    lines = [line.split("   #")[0].strip() for block in blocks for line in block.splitlines()]
    told = [text for text in quoted(document) if "companion " in text]
    starts = (re.sub(r"^\S*/bin/", "", line) for line in (*lines, *told))
    return sorted({line for line in starts if line.startswith("companion ")})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_command_and_option_that_is_named_is_there(document: Path) -> None:
    for line in commands(document):
        at, left = parser(), shlex.split(line)[1:]
        while inner := next((one for one in at._actions if isinstance(one, argparse._SubParsersAction)), None):
            if not left or left[0] == "…" or left[0].startswith("-"):
                break
            assert left[0] in inner.choices, line
            at, left = inner.choices[left[0]], left[1:]
        options = {word.partition("=")[0].strip("[]") for word in left if word.lstrip("[").startswith("--")}
        assert options <= at._option_string_actions.keys(), line
