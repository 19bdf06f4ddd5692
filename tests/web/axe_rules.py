"""What the axe rules (WCAG 2.2 A and AA, best practice) find on a page as it stands."""

from typing import Any

import pytest

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": TAGS},
    "resultTypes": ["violations"],  # all that fits would be a megabyte to hand over, which takes longer than the rules
}


def violations(page: Any) -> list[dict[str, Any]]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing: pip install -e '.[test]'").Axe()
    found: list[dict[str, Any]] = axe.run(page, options=OPTIONS).response["violations"]
    return found
