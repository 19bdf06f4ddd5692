"""What the scripts believe of the companion's answers (``types.d.ts``, for the type check) is what openapi.json says."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCHEMAS = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))["components"]["schemas"]
TYPES = re.sub(r"/\*.*?\*/|//[^\n]*", "", (ROOT / "tests" / "web" / "types.d.ts").read_text(encoding="utf-8"), flags=re.DOTALL)
NAMES = {
    "Snapshot": "Snapshot", "Event": "RecordEvent", "Board": "Board", "Fault": "Fault", "Chore": "Chore", "Clock": "Clock",
    "Boxes": "Boxes", "Lobby": "LobbyState", "Pass": "Pass",
}  # fmt: skip


def keys(name: str) -> dict[str, bool]:
    """The keys of an interface and of what it extends, and whether each is always there. Bodies of keys are passed over."""
    found = re.search(rf"interface {name} (?:extends (\w+) )?\{{", TYPES)
    assert found, f"interface {name} is missing"
    held = keys(found[1]) if found[1] else {}
    depth, line = 1, ""
    for letter in TYPES[found.end() :]:
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(letter, 0)
        if depth == 0:
            break
        if depth == 1 and letter == ";":
            key, mark = re.findall(r"(\w+)(\??):", line)[0]
            held[key] = not mark
            line = ""
        elif depth == 1:
            line += letter
    if line.strip():
        key, mark = re.findall(r"(\w+)(\??):", line)[0]
        held[key] = not mark
    return held


@pytest.mark.parametrize("schema", NAMES)
def test_types_of_the_scripts_have_the_keys_that_the_api_describes(schema: str) -> None:
    described: dict[str, Any] = SCHEMAS[schema]
    held = keys(NAMES[schema])
    assert set(described["properties"]) - set(held) == set(), "described, and unknown to the scripts"
    assert set(held) - set(described["properties"]) == set(), "used by the scripts, and not described"
    never = {key for key, always in held.items() if always} - {*described.get("required", ())}
    assert not never, "not always there"
