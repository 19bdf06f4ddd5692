"""The report that the page saves: the one that the prompt exports, with the pictures that were kept."""

import hashlib
from typing import Any

import pytest
from fake_table import FakeTable
from told_game import ToldGame

from companion.host.report import as_html
from companion.record.events import Event
from companion.web.app import create_app


@pytest.fixture
def told() -> ToldGame:
    return ToldGame("right-accusation-wins")


def fetched(table: FakeTable) -> Any:
    return create_app(table).test_client().get("/api/report.html")


def test_the_report_saved_from_the_page_is_the_one_the_prompt_exports(told: ToldGame) -> None:
    answer = fetched(told)
    assert answer.status_code == 200 and answer.mimetype == "text/html"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="table-witness-report.html"'
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.get_data(as_text=True) == as_html(told.hands.game, told.log) + "\n"


def test_pictures_that_were_kept_are_in_the_report_and_changed_ones_are_told(told: ToldGame) -> None:
    kept, changed = b"a picture", b"another"
    names = [hashlib.sha256(one).hexdigest() for one in (kept, b"as it was")]
    told.kept = dict(zip(names, (kept, changed), strict=True))
    plays = [event for event in told.log if event.kind in ("play", "turn-opened", "cards", "call-asked", "accusation")][-2:]
    pictured = {event.number: name for event, name in zip(plays, names, strict=True)}
    told.log = [
        Event(one.number, one.at, one.kind, {**one.data, "pictures": {"after": pictured[one.number]}}, one.digest)
        if one.number in pictured
        else one
        for one in told.log
    ]
    page = fetched(told).get_data(as_text=True)
    assert page.count("data:image/jpeg;base64") == 1 and page.count("(its picture was changed)") == 1


def test_before_a_game_is_on_record_there_is_no_report() -> None:
    answer = fetched(FakeTable())
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "not-yet")
