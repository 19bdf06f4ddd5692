"""The glossary of ``docs/architecture.md`` is short, sorted, and every name in it is defined where it says."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INVENTED = (
    "clue", "lesson", "belief", "believe", "alien", "walker", "walking piece", "wavering", "thorough", "dear", "foreign",
    "wary", "witness", "closer look", "look closer", "leaning disc", "lean over", "mend", "evening", "glance", "eyes",
)  # fmt: skip
"""Words of our own making for what computer vision has a term for; settings and files may still bear one as a name."""
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \| `(?P<path>[^`]+)` `(?P<name>\w+)` \|$")


def glossary() -> list[re.Match[str]]:
    """The rows of the glossary's table. Fails on one that is not of its form."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    section = text.split("\n## Glossary\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    matches = [ROW.match(line) for line in rows]
    assert None not in matches, [row for row, match in zip(rows, matches, strict=True) if match is None]
    return [match for match in matches if match is not None]


def defined(path: Path) -> set[str]:
    """The classes, functions and constants at the top of a module."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return names


def test_the_glossary_is_short_and_sorted() -> None:
    words = [row["word"] for row in glossary()]
    assert 20 <= len(words) <= 40
    assert words == sorted(set(words))


@pytest.mark.parametrize("row", glossary(), ids=lambda row: row["word"])
def test_each_word_is_defined_where_the_glossary_says(row: re.Match[str]) -> None:
    path = ROOT / row["path"]
    assert path.is_file(), row["path"]
    assert row["name"] in defined(path)


@pytest.mark.parametrize("document", ["docs/readers.md"])
def test_documents_about_vision_use_the_terms_of_the_glossary(document: str) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL)
    found = [word for word in INVENTED if re.search(rf"\b{word}(s|es|ed|d)?\b", text, re.IGNORECASE)]
    assert found == []
    assert "exemplar" in text and "posterior" in text and "occlusion" in text, "what is told is told in those terms"
