"""One session from the first page to the proof afterwards, in one go: lobby, seats, the recorded table, a call, a correction,
the end, the report and the check of the record."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lobby_rooms import asked, come, lobby_served, through_the_lobby

from companion.cli import main

# The recording plays at its own rate here, so that a busy machine misses nothing of it: a minute and a half.
pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATIENCE = 120_000
WRONG, ACCUSED = "m8", "d7"  # a street that Holmes may go to at the recording's end, and where Lestrade stands then


@pytest.fixture
def phone(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def say_who_stands(page: Any, place: str, character: str) -> None:
    page.click(f"#board [data-spot-id={place}]", force=True)
    page.check(f"dialog input[value={character}]")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")


def test_from_the_lobby_to_the_proof(page: Any, phone: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, report = tmp_path / "game.sqlite", tmp_path / "report.html"
    page.set_default_timeout(PATIENCE)
    with lobby_served(tmp_path, pace=1.0, signing_key=tmp_path / "key") as page.base:
        come(page, "en")
        phone.goto(through_the_lobby(page, name="Home", album=True))
        phone.wait_for_selector("#seat:has-text('Detective')")
        page.wait_for_selector("#room")
        page.click("[data-key=quiet]")
        page.wait_for_selector(".call[data-look=light]")
        page.wait_for_selector(".alarm", state="detached")
        page.wait_for_selector(".headline:has-text('Turn 3')")
        assert [suspect for suspect in asked(page, "snapshot")["suspects"] if suspect in ("watson", "smith", "gull")] == []

        # The recording is over. What is played now is told by hand: first on a wrong cell, then put right.
        say_who_stands(page, WRONG, "holmes")
        page.wait_for_selector(f"#log li:has-text('{WRONG}')")
        assert asked(page, "snapshot")["played"] == ["holmes"]
        say_who_stands(page, ACCUSED, "holmes")
        page.wait_for_selector("[data-phase=over]:has-text('Jack was')")
        phone.wait_for_selector("[data-phase=over]:has-text('Jack was')")
        assert "Stealthy" in page.inner_text("[data-phase=over]") and "Stealthy" in phone.inner_text("[data-phase=over]")
        assert asked(page, "snapshot")["outcome"]["winner"] == "jack", "the wrong man was accused"
        page.goto("about:blank")
        phone.goto("about:blank")

    page.complaints[:] = [line for line in page.complaints if "503" not in line]  # a picture asked for before the first one
    capsys.readouterr()
    assert main(["verify", str(record), "--json"]) == 0
    proof = json.loads(capsys.readouterr().out)
    assert proof["ok"] and proof["signer"] and proof["pictures"] > 0 and proof["pictures_missing"] == 0
    assert main(["export", str(record), "--format", "html", "--pictures", "--output", str(report)]) == 0
    told = report.read_text(encoding="utf-8")
    assert "accuses Lestrade" in told and "data:image/jpeg" in told
    assert main(["export", str(record), "--format", "csv"]) == 0
    kinds = [line.split(",")[2] for line in capsys.readouterr().out.splitlines()]
    assert kinds[1] == "match-opened" and {"call", "correction", "outcome"} <= set(kinds)
    altered = tmp_path / "altered.jsonl"
    assert main(["export", str(record), "--output", str(altered)]) == 0
    altered.write_text(altered.read_text().replace('"winner":"jack"', '"winner":"detective"'))
    assert main(["verify", str(altered)]) == 1
