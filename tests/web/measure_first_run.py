"""How long the first session takes: from the prompt to the first call, pressed as fast as the page lets one.

Run ``python tests/web/measure_first_run.py`` (needs chromium). Prints one JSON object: seconds, and bytes as sent.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from playwright.sync_api import sync_playwright
from testkit.browser import CHROMIUM

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
STEPS = ("game", "camera", "board", "pieces", "rules", "sound", "seats", "start")


def through_the_lobby(page: Any) -> dict[str, float]:
    """Press through every step with the bundled recording; when each was left, seconds since the first page was there."""
    begun, left = time.monotonic(), {}
    for step in STEPS:
        page.wait_for_selector(f"#lobby[data-step={step}]")
        if step == "camera":
            page.click("[data-key=demo]")
            page.wait_for_selector("#live:not([hidden])")
        if step in ("board", "pieces"):
            page.wait_for_selector(".verdict[data-good=yes]")
        page.click("[data-key=begin]" if step == "start" else "[data-key=after]")
        left[step] = round(time.monotonic() - begun, 2)
    page.wait_for_selector("#room")
    page.click("[data-key=start]")
    left["game page"] = round(time.monotonic() - begun, 2)
    page.wait_for_selector(".call[data-look]", timeout=180_000)
    left["first call"] = round(time.monotonic() - begun, 2)
    return left


def measure() -> dict[str, Any]:
    """Start the companion, go through the lobby, and count."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        begun = time.monotonic()
        command = [sys.executable, "-m", "companion", "run", "--port", "0", "--no-browser", "--record", f"{folder}/game.sqlite"]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_DATA_HOME": folder},
            cwd=Path(__file__).parents[2],
        )
        assert process.stdout is not None
        try:
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None, "the companion says where its page is"
            ready = time.monotonic() - begun
            browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(60_000)
            weight = {"lobby": 0, "table": 0}

            def weigh(response: Any) -> None:
                if not re.search("picture|events|^blob:", response.url) and response.status == 200:
                    part = "lobby" if page.url.endswith("/lobby") else "table"
                    weight[part] += int(response.headers.get("content-length", 0))

            page.on("response", weigh)
            opened = time.monotonic()
            page.goto(found.group())
            page.wait_for_selector("#step-title:not(:empty)")
            shown = time.monotonic() - opened
            fresh = dict(weight)
            left = through_the_lobby(page)
            browser.close()
        finally:
            process.terminate()
            process.wait(20)
    return {
        "prompt to page reachable": round(ready, 2), "page opened to first step": round(shown, 2), "since the first step": left,
        "bytes of the lobby when it opens": sum(fresh.values()), "bytes of the table's page": weight["table"],
        "load of this machine": os.getloadavg()[0],
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
