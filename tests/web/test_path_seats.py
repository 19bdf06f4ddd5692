"""Who may see and say what at a table with three seats and a hidden path: over HTTP, each with the link of a seat."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from testkit.path_table import HOME, PathTable

from companion.host.passes import Passes
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.guard import HEADER
from companion.web.settings import PageSettings


class Seats:
    """A closed table with a client for everybody at it."""

    def __init__(self, folder: Path) -> None:
        self.table = PathTable(folder)
        self.table.show(**HOME)
        self.passes = Passes.open(None)
        settings = PageSettings(watch_seconds=0.1, heartbeat_seconds=0.2, answers_burst=200)
        self.app = create_app(self.table.table, settings, access_control=AccessControl(self.passes, closed=True))
        self.clients = {}
        for role in ("hider", "seeker", "seeker-2", "table", "spectator", "arbiter"):
            self.clients[role] = self.app.test_client()
            assert self.post(role, "/api/session", {"token": self.passes.issue(role)[1]}).status_code == 200

    def close(self) -> None:
        views_of(self.app).close()
        self.table.close()

    def post(self, role: str, address: str, body: Any) -> Any:
        return self.clients[role].post(address, json=body, headers={HEADER: "1"})

    def say(self, role: str, **answer: Any) -> tuple[int, list[str]]:
        """The status of an answer, and the kinds of the events it led to."""
        before = self.table.number
        status = self.post(role, "/api/answers", answer).status_code
        return status, [event.kind for event in self.table.record.events(before)]

    def sees(self, role: str) -> Any:
        return self.clients[role].get("/api/snapshot").get_json()


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[Seats]:
    made = Seats(tmp_path)
    yield made
    made.close()


def test_only_the_hider_is_shown_the_path_and_where_it_may_go_on(seats: Seats) -> None:
    for value, purpose in (("9", "lair"), ("3", "move")):
        given = seats.post("hider", "/api/answers", {"kind": "entrust", "purpose": purpose, "value": value})
        assert given.get_json() == {"accepted": "entrust"}
    assert seats.sees("hider")["own"]["trail"] == ["3"]
    for role in ("seeker", "seeker-2", "table", "spectator", "arbiter"):
        assert "own" not in seats.sees(role), role
    shared = seats.sees("seeker")
    assert "value" not in shared["secrets"][0] and shared["secrets"][1]["commitment"]
    assert set(shared["seats"]) == {"hider", "seeker", "seeker-2"}


def test_each_seat_answers_for_itself_alone(seats: Seats) -> None:
    assert seats.say("seeker", kind="entrust", purpose="move", value="3")[0] == 403
    assert seats.say("spectator", kind="pass")[0] == 403
    seats.say("hider", kind="entrust", purpose="lair", value="9")
    seats.say("hider", kind="entrust", purpose="move", value="3")
    seats.table.show("e", "c")
    assert seats.sees("table")["expects"][0]["seat"] == "seeker"
    assert seats.say("seeker-2", kind="pass")[0] == 400, "it is the other seeker's turn to look"
    assert seats.say("hider", kind="look", site="8")[0] == 403
    assert seats.say("seeker", kind="look", site="8", catch=True) == (200, ["asked", "answered"])
    assert seats.say("seeker-2", kind="look", site="3") == (200, ["asked", "answered"])
    assert seats.sees("spectator")["answers"][-1] == {"site": "3", "catch": False, "yes": True}


def test_a_hider_who_seals_answers_over_the_page(seats: Seats) -> None:
    for purpose in ("lair", "move"):
        assert seats.say("hider", kind="seal", purpose=purpose, commitment="a" * 64) == (200, ["secret"])
    seats.table.show("e", "c")
    seats.say("seeker", kind="pass")
    assert seats.say("table", kind="look", site="3", catch=False) == (200, ["asked"]), (
        "the shared screen looks for whoever is on"
    )
    asked = seats.sees("hider")["expects"][0]
    assert (asked["kind"], asked["seat"], asked["labels"]) == ("question", "hider", ["Yes", "No"])
    assert seats.say("seeker-2", **asked["form"][0])[0] == 403
    assert seats.say("hider", **asked["form"][1]) == (200, ["answered", "turn-opened"])
