"""A real table with a hall: rulings of its arbiter are taken over by the referee, once, and stand on record in his name."""

import ast
from pathlib import Path

import pytest
from outlets import Hall, Session
from scripted_table import Hands

from companion.hub import wire
from companion.hub.model import Ruling
from companion.hub.uplink.uplink import Uplink, UplinkSettings


class Arbiter(Hall):
    """A hall that keeps everything and sends rulings."""

    def rule(self, answer: dict, ruling: str = "r1", match: str = "g1") -> None:
        self.heard(*wire.encode_down(Ruling(ruling, "t1", match, "Ada", answer, 0)))

    def ruled(self) -> list[wire.Ruled]:
        told = [line.removeprefix("hall ruled ") for line in self.out if line.startswith("hall ruled ")]
        read = [wire.read_up(wire.RULED, ast.literal_eval(body)) for body in told]
        return [one for one in read if isinstance(one, wire.Ruled)]


@pytest.fixture
def joined(tmp_path: Path) -> tuple[Session, Arbiter, Uplink]:
    session = Session(tmp_path, "gull")
    hands = Hands.at_start(jack="gull")
    session.show(hands.state)
    hall = Arbiter([])
    uplink = Uplink(session.table, hall, settings=UplinkSettings(look_s=0.01))
    uplink.reach()
    while not uplink.done:
        uplink.step()
    return session, hall, uplink


def test_a_ruling_is_an_event_in_the_arbiters_name_and_no_second_one(joined: tuple[Session, Arbiter, Uplink]) -> None:
    session, hall, uplink = joined
    before = len(session.record.events())
    for _ in range(3):
        hall.rule({"kind": "rule", "action": "adjourn", "reason": "the light is off"})
    uplink.step()
    (event,) = [event for event in session.record.events(before) if event.kind == "ruling"]
    assert (event.data["action"], event.data["by"]) == ("adjourn", {"arbiter": "Ada", "ruling": "r1"})
    assert hall.ruled() == [wire.Ruled("r1", "taken")] * 3
    again = Uplink(session.table, hall, settings=UplinkSettings(look_s=0.01))
    again.reach()
    hall.rule({"kind": "rule", "action": "adjourn", "reason": "the light is off"})
    again.step()
    again.step()
    assert [event.kind for event in session.record.events(before)].count("ruling") == 1, "a restart forgets no ruling"
    assert hall.ruled()[-1] == wire.Ruled("r1", "taken")
    session.record.close()


@pytest.mark.parametrize(
    ("answer", "match", "said"),
    [
        ({"kind": "rule", "action": "resume", "reason": "x"}, "g1", "not adjourned"),
        ({"kind": "rule", "action": "adjourn"}, "g1", "a ruling needs a reason"),
        ({"kind": "rule", "action": "adjourn", "reason": "x"}, "g0", "another game is on"),
        ({"kind": "entrust", "character": "gull"}, "g1", "no answer of an arbiter's"),
        ({"kind": "reveal", "character": "gull"}, "g1", "no answer of an arbiter's"),
    ],
)
def test_what_the_referee_refuses_goes_back_with_the_reason(
    joined: tuple[Session, Arbiter, Uplink], answer: dict, match: str, said: str
) -> None:
    session, hall, uplink = joined
    before = len(session.record.events())
    hall.rule(answer, match=match)
    uplink.step()
    (ruled,) = hall.ruled()
    assert ruled.state == "refused" and said in ruled.reason
    assert len(session.record.events()) == before
    session.record.close()
