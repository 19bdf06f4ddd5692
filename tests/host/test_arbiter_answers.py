"""Every ruling, given through the page's addresses with the arbiter's link, and refused to everybody else's."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, Hands, reading_of

from companion.games.mr_jack.deduction import DETECTIVE, JACK
from companion.host.passes import Passes
from companion.host.table import Table
from companion.record.log import Record
from companion.referee.audit import audit
from companion.referee.rulings import RULINGS
from companion.vision.frame import Frame
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.roles import ARBITER, SPECTATOR, TABLE


class Court:
    """A table without threads behind its page, a link for every role, and hands that move pieces."""

    def __init__(self, folder: Path) -> None:
        self.record, self.watcher, self.hands, self.at = Record.open(folder / "g"), ScriptedWatcher(), Hands.at_start(), 0
        self.table = Table(GAME, self.record, ScriptedCamera(), self.watcher, clock=lambda: 1000.0 + self.at, match_id="g1")
        passes = Passes.open(None)
        self.app = create_app(self.table, access_control=AccessControl(passes, closed=True))
        self.links = {role: passes.issue(role)[1] for role in (TABLE, JACK, DETECTIVE, ARBITER, SPECTATOR)}
        self.look()

    def look(self) -> None:
        self.at += 1
        self.watcher.analyses.append(ScriptedGlance(settled=reading_of(self.hands.state, float(self.at))))
        self.table.look_at(Frame(np.zeros((9, 16, 3), np.uint8), float(self.at), "scripted", self.at))

    def rule(self, role: str = ARBITER, **answer: Any) -> int:
        heads = {"X-Table-Witness": "1", "Authorization": f"Bearer {self.links[role]}"}
        reply = self.app.test_client().post("/api/answers", json={"kind": "rule", **answer}, headers=heads)
        return int(reply.status_code)

    def now(self) -> dict[str, Any]:
        heads = {"Authorization": f"Bearer {self.links[SPECTATOR]}"}
        shown: dict[str, Any] = self.app.test_client().get("/api/snapshot", headers=heads).get_json()
        return shown


@pytest.fixture
def court(tmp_path: Path) -> Iterator[Court]:
    made = Court(tmp_path)
    yield made
    views_of(made.app).close()
    made.record.close()


def test_a_whole_hearing(court: Court) -> None:
    """Allow, penalty, adjourn, resume, set a position, take back: what each leads to is seen by everybody."""
    court.hands.move("bert", "g10")
    court.look()
    assert court.now()["flag"]["verdict"] == "illegal"
    assert court.rule(action="allow", reason="both agreed beforehand") == 200
    assert court.now()["played"] == ["bert"] and court.now()["flag"] is None
    assert court.rule(action="penalty", against="detective", reason="touched a lamp") == 200
    assert court.now()["penalties"] == [{"against": "detective", "reason": "touched a lamp"}]
    assert court.rule(action="adjourn", reason="lunch") == 200
    assert court.now()["adjourned"] is True
    assert court.rule(action="take-back", to=1, reason="x") == 400, "adjourned: only resumed first"
    assert court.rule(action="resume", reason="back from lunch") == 200
    position = court.now()["position"]
    position["characters"]["gull"]["hex"] = "f10"
    assert court.rule(action="set-position", position=position, reason="a sleeve") == 200
    assert court.now()["restoring"] is True and [chore["to"] for chore in court.now()["flag"]["chores"]] == ["f10"]
    court.hands.move("gull", "f10")
    court.look()
    assert court.now()["restoring"] is False and court.now()["flag"] is None
    start = next(one for one in court.now()["take_back"] if one["pick"] == 0)
    assert court.rule(action="take-back", to=start["number"], reason="begin the turn anew") == 200
    assert court.now()["played"] == [] and court.now()["restoring"] is True
    events = court.record.events()
    ruled = [event.data for event in events if event.kind == "ruling"]
    assert {data["action"] for data in ruled} == set(RULINGS) - {"new-secret"} and all(data["reason"] for data in ruled)
    assert audit(GAME, events)[1] == []


@pytest.mark.parametrize("role", [TABLE, JACK, DETECTIVE, SPECTATOR])
@pytest.mark.parametrize("action", RULINGS)
def test_nobody_else_rules(court: Court, role: str, action: str) -> None:
    number = court.now()["number"]
    assert court.rule(role, action=action, reason="because", against="jack", to=1, position={}) == 403
    assert court.now()["number"] == number


@pytest.mark.parametrize("action", RULINGS)
def test_no_ruling_without_a_reason(court: Court, action: str) -> None:
    number = court.now()["number"]
    for reason in ({}, {"reason": ""}, {"reason": "   "}):
        assert court.rule(action=action, against="jack", to=1, position={}, **reason) == 400
    assert court.now()["number"] == number
