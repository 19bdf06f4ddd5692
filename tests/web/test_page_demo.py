"""From the bundled recorded table through the real companion to the page: the flag and the call are there to be seen."""

from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.demo import TABLE, DemoCamera, load_script
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.record.log import Record
from companion.vision.table_sets.read_set import set_reader
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

PATIENCE = 60_000


@pytest.mark.browser
@pytest.mark.slow  # plays at the recording's own pace
def test_the_demo_shows_the_illegal_play_the_call_and_the_clean_up(page: Any, tmp_path: Path) -> None:
    script, table_set = load_script(), load_table_set(TABLE)
    camera = DemoCamera(script, pace=1.0, hold=True)
    watcher = Watcher(set_reader(table_set), table_set.board)
    with Record.open(tmp_path / "demo.sqlite") as record:
        table = Table(games.load(), record, camera, watcher, Secrets.open(None), edition=table_set.board.edition)
        settings = PageSettings(streams=4)
        with PageServer(create_app(table, settings), settings=settings) as server:
            page.set_viewport_size({"width": 1600, "height": 900})
            page.goto(server.address)
            page.click("[data-key=quiet]")
            page.click("[data-key=entrust]")
            page.locator("dialog details").click()
            page.select_option("dialog select", script.told["character"])
            page.click("dialog [data-key=send]")
            page.wait_for_selector("text=Jack has entrusted who he is")
            table.start()
            try:
                page.wait_for_selector(".alarm", timeout=PATIENCE)
                assert "went 4 steps" in page.inner_text(".alarm")
                assert page.locator(".marks .reach").count() > 5
                page.wait_for_selector("#picture:not([hidden])", state="attached")
                assert page.locator("#simulated").is_visible()
                page.wait_for_selector(".call[data-look=light]", timeout=PATIENCE)
                assert page.locator("[data-list=clean-up] .chore").count() == 3
                page.wait_for_selector(".headline:has-text('Turn 2')", timeout=PATIENCE)
            finally:
                table.stop()
            page.goto("about:blank")
    page.complaints[:] = [line for line in page.complaints if "503" not in line]  # no picture before the first frame
