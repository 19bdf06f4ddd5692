"""How heavy the page is and how soon it stands: every byte but the picture's, and what the browser itself measured."""

import gzip
import json
from typing import Any

import pytest
from fake_table import FakeTable

pytestmark = pytest.mark.browser

MOST_BYTES = 250_000
MOST_SHIFT = 0.1  # the limit of "good" for cumulative layout shift
WATCH = """
const marks = (window.marks = { shift: 0, paint: 0, blocked: 0 });
const watch = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
watch("layout-shift", (one) => { if (!one.hadRecentInput) marks.shift += one.value; });
watch("paint", (one) => { if (one.name === "first-contentful-paint") marks.paint = one.startTime; });
watch("longtask", (one) => { marks.blocked += Math.max(0, one.duration - 50); });
"""
WEIGHT = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
  .filter((one) => !/picture|events/.test(one.name))
  .map((one) => [one.name.replace(location.origin, ""), one.encodedBodySize, one.decodedBodySize])"""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_is_light_and_stands_still(page: Any, server: Any, table: FakeTable, language: str) -> None:
    table.show("playing")
    page.add_init_script(WATCH)
    page.goto(f"{server.address}?lang={language}")
    page.wait_for_selector("#connection[data-state=good]")
    page.wait_for_timeout(600)
    parts, marks = page.evaluate(WEIGHT), page.evaluate("window.marks")
    weight = sum(size for _, size, _ in parts)
    standing = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    print(
        json.dumps(
            {
                "language": language,
                "bytes": weight,
                "unpacked": sum(one[2] for one in parts),
                "files": len(parts),
                "standing": round(standing),
                **marks,
            }
        )
    )
    assert len(parts) > 30, "every file is counted"
    assert all(size > 0 for name, size, _ in parts if name.endswith((".js", ".css"))), "sizes are known"
    assert weight <= MOST_BYTES, sorted(parts, key=lambda one: -one[1])[:6]
    assert marks["paint"] > 0
    assert marks["shift"] <= MOST_SHIFT


def test_files_are_squeezed_for_those_who_can_read_it_and_private_answers_never(client: Any) -> None:
    def get(address: str, **headers: str) -> Any:
        response = client.get(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response.get_data()
        response.close()
        return response

    script = "/static/script/main.js"
    plain, squeezed = get(script), get(script, Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert squeezed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(squeezed.data) == plain.data
    assert "Accept-Encoding" in plain.headers["Vary"] and "Accept-Encoding" in squeezed.headers["Vary"]
    assert get(script, Accept_Encoding="gzip", If_None_Match=squeezed.headers["ETag"]).status_code == 304
    board = get("/api/board?lang=ja", Accept_Encoding="gzip")
    assert json.loads(gzip.decompress(board.data)) == get("/api/board?lang=ja").get_json()
    for private in ("/api/snapshot", "/api/passes", "/"):
        assert "Content-Encoding" not in get(private, Accept_Encoding="gzip").headers
