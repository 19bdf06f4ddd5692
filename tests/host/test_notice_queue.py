"""A device that says the same without end neither fills the record nor hides how things stand in the end."""

from companion.devices.cameras.port import SourceNotice
from companion.host.notice_queue import NoticeQueue, NoticeSettings


class Hands:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(queue: NoticeQueue) -> list[SourceNotice]:
    found = []
    while (notice := queue.first()) is not None:
        found.append(notice)
        queue.drop_first()
    return found


def stuck(n: int) -> SourceNotice:
    return SourceNotice("box-button", "Button {n}.", {"n": n})


def test_131_notices_a_second_of_a_stuck_bit_become_a_few_with_their_count() -> None:
    clock = Hands()
    queue = NoticeQueue(clock, NoticeSettings(burst=20, every_seconds=30))
    recorded = []
    for n in range(131 * 60):
        clock.now = n / 131
        queue.append(stuck(n))
        recorded += taken(queue)
    assert len(recorded) <= 20 + 2 * 3
    clock.now += 60
    recorded += taken(queue)
    assert recorded[-2].params == {"n": 131 * 60 - 1}, "the newest is told in the end"
    left_out = sum(one.params["count"] for one in recorded if one.code == "notices-left-out")
    assert left_out + sum(one.code == "box-button" for one in recorded) == 131 * 60, "nothing vanishes uncounted"


def test_one_kind_that_comes_too_fast_takes_no_room_from_another() -> None:
    queue = NoticeQueue(Hands(), NoticeSettings(burst=5))
    for n in range(50):
        queue.append(stuck(n))
    queue.append(SourceNotice("source-lost", "{reason}", {"reason": "unplugged"}))
    assert [one.code for one in taken(queue)] == ["box-button"] * 5 + ["source-lost"]


def test_notices_at_a_humans_pace_all_pass() -> None:
    clock = Hands()
    queue = NoticeQueue(clock)
    for n in range(100):
        clock.now = n * 31.0
        queue.append(stuck(n))
        assert [one.params for one in taken(queue)] == [{"n": n}]
