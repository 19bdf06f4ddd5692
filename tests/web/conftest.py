"""The page over a fake table, served for real; and a real browser to look at it."""

import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from club import Club
from fake_table import FakeTable, play_data
from seat_pages import seats
from slow_network import delayed
from testkit.browser import CHROMIUM
from testkit.night_table import NightTable
from whitechapel_pages import READY, begun

from companion.web.app import create_app, views_of
from companion.web.server import PageServer
from companion.web.settings import PageSettings

sys.path.append(str(Path(__file__).parents[1] / "host"))  # the lobby's stand-ins live with the host's tests
SWITCHED_OFF = (
    # The list below the address bar: Chromium makes it of two pages of its own in every window, which nobody sees here and
    # which take longer than the page under test.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    # What Playwright switches off as well: whoever names features replaces its list.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
)  # fmt: skip
ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    f"--disable-features={','.join(SWITCHED_OFF)}",
]  # fmt: skip


@pytest.fixture
def settings() -> PageSettings:
    return PageSettings(streams=12, watch_seconds=0.1, heartbeat_seconds=1.0)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def app(table: FakeTable, settings: PageSettings) -> Iterator[Any]:
    made = create_app(table, settings)
    yield made
    views_of(made).close()


@pytest.fixture
def server(app: Any, settings: PageSettings) -> Iterator[PageServer]:
    with PageServer(app, settings=settings) as running:
        yield running


@pytest.fixture
def night(tmp_path: Path) -> Iterator[NightTable]:
    """The table before Jack's first move."""
    made = begun(tmp_path)
    yield made
    made.close()


@pytest.fixture
def seated(night: NightTable, settings: PageSettings, page: Any) -> Iterator[Callable[[str], Any]]:
    with seats(night.table, settings, page, READY) as sit:
        yield sit


@pytest.fixture
def club() -> Iterator[Club]:
    club = Club()
    with club.server:
        yield club


@pytest.fixture
def client(app: Any) -> Any:
    return app.test_client()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser. Without one the tests are skipped, but never on the machine whose word counts."""
    if not CHROMIUM.exists():
        reason = f"{CHROMIUM} is not installed (apt install {CHROMIUM.name})"
        if os.environ.get("CI") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def launch(chromium: Any) -> Any:
    """Starts another browser with more arguments, and an environment of its own; the test closes it."""

    def start(more: list[str], env: dict[str, str] | None = None) -> Any:
        return chromium.browser_type.launch(executable_path=str(CHROMIUM), args=[*ARGUMENTS, *more], env=env)

    return start


def slowed(page: Any) -> None:
    """``SLOW_PAGES=N``: the processor that draws a page is N times slower, and each answer takes 50 N ms more. A test that
    asserts what it did not wait for passes on a fast machine; ``make slow-pages`` finds it."""
    times = int(os.environ.get("SLOW_PAGES", "1"))
    if times > 1:
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": times})
        delayed(page, 50 * times)


class Complaints(list[str]):
    """What the browser complained of. Whoever clears it had requests refused, of which some may still be under way."""

    cleared = False

    def clear(self) -> None:
        self.cleared = True
        super().clear()


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A fresh page that fails its test when the browser complains about anything."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(30_000)  # only what goes wrong waits so long
    slowed(page)
    page.complaints = Complaints()
    page.on("pageerror", lambda error: page.complaints.append(f"error: {error}"))
    page.on("console", lambda line: page.complaints.append(line.text) if line.type == "error" else None)
    yield page
    # A server that a test ends while its page is still open refuses the page's next request: that is no fault of the page.
    complaints = [line for line in page.complaints if "ERR_CONNECTION_REFUSED" not in line]
    context.close()
    assert not complaints, complaints


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Leave the page before its server is stopped: that it then finds nobody is no complaint. A route whose handler still runs
    is given up first, or the handler's failure would be another test's."""
    try:
        return (yield)
    finally:
        page = getattr(item, "funcargs", {}).get("page")
        if page is not None and not page.is_closed():
            complaints = getattr(page, "complaints", Complaints())
            known = len(complaints)
            page.unroute_all(behavior="ignoreErrors")
            page.goto("about:blank")
            if getattr(complaints, "cleared", False):  # what was refused meanwhile was asked for
                complaints[known:] = [line for line in complaints[known:] if "Failed to load resource" not in line]


__all__ = ["play_data"]
