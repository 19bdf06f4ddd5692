"""The whole way of a phone: the program as it is started, its certificate installed in a browser, the camera's film, a game.

The browser verifies as any does: it has the authority in its own store and nothing is ignored. Its camera films the
bundled table's start position.
"""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from axe_rules import violations

from companion.demo import TABLE
from companion.host.authority import machine_name

pytestmark = pytest.mark.browser
SEEN = TABLE / "001.jpg"
NAME = f"{machine_name()}.local" if machine_name() else "localhost"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[dict[str, str]]:
    """``companion run phone --https`` open to the network, and what it says at the start."""
    command = [
        sys.executable, "-m", "companion", "run", "phone", "--host", "0.0.0.0", "--port", "0", "--https-port", "0",
        "--no-browser", "--box", "none", "--profile", str(TABLE / "table.json"), "--record", str(tmp_path / "game.sqlite"),
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    )
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if line.startswith("Ctrl-C"):
                break
        found = {
            "page": re.search(r"page: +(\S+)", said), "phone": re.search(r"on the phone: (\S+)", said),
            "trust": re.search(r"begins at (\S+)", said), "words": re.search(r"compares: (\S+)", said),
            "digits": re.search(r"SHA-256 (\S+)", said),
        }  # fmt: skip
        assert all(found.values()), said
        yield {key: one.group(1) for key, one in found.items() if one}
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        if process.stdout:
            process.stdout.close()


def named(link: str) -> str:
    """A link by this machine's own name: what the machine's address is depends on where the tests run."""
    return re.sub(r"//[^/]+:(\d+)/", rf"//{NAME}:\1/", link)


def here(link: str) -> str:
    return re.sub(r"//[^/]+:(\d+)/", r"//127.0.0.1:\1/", link)


def install(certificate: bytes, home: Path) -> None:
    """What a person does with the certificate, in a browser that starts with this home."""
    certutil = shutil.which("certutil")
    if certutil is None:
        if os.environ.get("CI") == "1":
            pytest.fail("certutil is missing (apt install libnss3-tools)")
        pytest.skip("certutil is missing (apt install libnss3-tools)")
    file = home / "table-witness.crt"
    file.write_bytes(certificate)
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    for arguments in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "table-witness", "-i", str(file)]):
        subprocess.run([certutil, "-d", f"sql:{store}", *arguments], check=True, timeout=30)


@pytest.fixture
def phone(session: dict[str, str], tmp_path: Path, launch: Any) -> Iterator[Any]:
    """Starts the phone's browser, with the certificate installed or not."""
    started = []
    film = tmp_path / "table.mjpeg"
    film.write_bytes(bytes(cv2.imencode(".jpg", cv2.imread(str(SEEN)))[1]) * 3)

    def start(*, trusting: bool) -> Any:
        home = tmp_path / ("trusting" if trusting else "strange")
        home.mkdir()
        if trusting:
            with urllib.request.urlopen(here(session["trust"]) + "/table-witness.crt", timeout=10) as reply:
                install(reply.read(), home)
        arguments = [
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
            f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
        ]
        browser = launch(arguments, env={**os.environ, "HOME": str(home), "XDG_DATA_HOME": ""})
        started.append(browser)
        page = browser.new_context(viewport={"width": 390, "height": 780}).new_page()
        page.set_default_timeout(15000)
        return page

    yield start
    for browser in started:
        browser.close()


def ask(session: dict[str, str], path: str) -> Any:
    """What the table's own page would be told."""
    base, _, token = session["page"].partition("join#")
    request = urllib.request.Request(here(base) + path, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)


def test_a_phone_films_the_table_over_https_and_the_set_up_is_agreed(
    session: dict[str, str], phone: Any, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "table-witness" / "certificate-authority.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert session["phone"].startswith("https://")
    page = phone(trusting=True)
    page.goto(named(session["trust"]))
    assert page.inner_text(".said") == session["words"]
    assert page.inner_text(".digits >> nth=0") == session["digits"]
    assert page.locator("details[open]").count() == 1
    page.goto(named(session["phone"]))
    page.wait_for_url("**/camera")
    assert page.evaluate("window.isSecureContext") is True
    page.click("[data-key=start]")
    page.wait_for_selector("html[data-sent]", state="attached")
    until = time.monotonic() + 40
    while (snapshot := ask(session, "api/snapshot"))["phase"] in ("unopened", "set-up") and time.monotonic() < until:
        time.sleep(0.3)
    assert snapshot["phase"] == "play", snapshot["chores"]
    assert snapshot["table"]["unknown"] == {}
    until = time.monotonic() + 90  # a slow machine's phone stutters, and that is said: it goes on by itself
    while (snapshot := ask(session, "api/snapshot"))["source"]["state"] != "running" and time.monotonic() < until:
        time.sleep(0.3)
    assert snapshot["source"]["state"] == "running"
    assert not snapshot["simulated"]


def test_a_phone_without_the_certificate_is_warned_and_plain_http_offers_single_pictures(
    session: dict[str, str], phone: Any
) -> None:
    page = phone(trusting=False)
    with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(named(session["phone"]))
    page = page.context.new_page()  # the warning's own page is still being shown in the first one
    page.set_default_timeout(15000)
    plain = f"{here(session['trust']).removesuffix('trust')}".replace("127.0.0.1", NAME)
    token = session["phone"].partition("#")[2]
    page.goto(f"{plain}join#{token}")
    page.wait_for_url("**/camera")
    assert page.evaluate("window.isSecureContext") is (NAME == "localhost")
    if NAME != "localhost":
        assert page.locator("[data-key=start]").is_hidden()
        assert page.get_attribute("[data-key=secure]", "href").startswith(f"https://{NAME}:")
        page.click("[data-key=trust]")
        page.wait_for_selector("#trust .said")


def test_the_table_shows_both_codes_and_the_way_to_trust_stands_in_nobodys_way(session: dict[str, str], page: Any) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(here(session["trust"]))
    page.wait_for_selector("details[open]")
    for theme in ("day", "night"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        page.wait_for_timeout(300)
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations(page)] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.goto(here(session["page"]))
    page.wait_for_url(re.compile(r"/$"))
    page.evaluate("import('/static/script/panels/seats.js').then((panel) => panel.seats())")
    page.select_option("select[name=role]", "camera")
    page.click("[data-key=issue]")
    page.wait_for_selector("dialog .code .qr")
    assert page.locator("dialog .code .qr").count() == 2
    assert page.inner_text("dialog .said") == session["words"]
    page.goto("about:blank")
    page.complaints[:] = [line for line in page.complaints if "503" not in line]  # no picture before the phone has come
