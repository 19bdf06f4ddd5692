"""Notices that come and go: told while they are news, once with what to do when they oscillate, then not until they rest."""

from typing import Any

import pytest

from companion.devices.cameras.port import SourceNotice
from companion.host.damping import DampingSettings, NoticeDamper
from companion.host.notice_queue import NoticeQueue

CYCLES = {
    "a nudged board": ("camera-moved", "registered-again", "keeps moving"),
    "light and dark": ("board-lost", "board-back", "steady light"),
    "a camera that stalls": ("source-silent", "source-back", "cable"),
    "a frozen picture": ("source-frozen", "source-back", "cable"),
    "a board at the picture's edge": ("partial-view", "whole-view", "turn the camera"),
    "a box with a loose plug": ("box-unplugged", "box-back", "cable"),
    "a stuck button": ("box-stuck", "box-free", "keeps sticking"),
}


def notice(code: str, **params: Any) -> SourceNotice:
    return SourceNotice(
        code, "{source} " + code, {"source": "cam", "box": "kitchen" if code.startswith("box") else ""} | params
    )


def said(codes: list[tuple[str, float]], until: float, damper: NoticeDamper | None = None) -> list[tuple[float, str, str]]:
    """What is said, and when, of notices that come at given seconds, looked at ten times a second."""
    damper, told, coming = damper or NoticeDamper(), [], list(codes)
    for tick in range(round(10 * until)):
        at = tick / 10
        told += [(at, one.code, one.text) for one in damper.due(at)]
        while coming and coming[0][1] <= at:
            one = damper.take(notice(coming.pop(0)[0]), at)
            told += [(at, one.code, one.text)] if one is not None else []
    return told


@pytest.mark.parametrize("kind", list(CYCLES))
def test_what_comes_and_goes_thirty_times_is_said_twice_then_once_with_what_to_do_then_when_it_rests(kind: str) -> None:
    begins, ends, advice = CYCLES[kind]
    codes = [(code, index * 0.5 + late) for index in range(30) for code, late in ((begins, 0.0), (ends, 0.2))]
    told = said(codes, 60)
    assert [code for _, code, _ in told] == [begins, ends, begins, ends, "oscillating", ends]
    assert advice in told[4][2]
    assert told[5][0] == pytest.approx(codes[-1][1] + DampingSettings().calm_s, abs=0.2)


def test_what_stays_bad_after_it_oscillated_is_told() -> None:
    codes = [(code, float(index)) for index, code in enumerate(["board-lost", "board-back"] * 4 + ["board-lost"])]
    assert [code for _, code, _ in said(codes, 60)][-2:] == ["oscillating", "board-lost"]


def test_every_relapse_is_said_once_and_the_silence_after_it_doubles() -> None:
    codes, at = [], 0.0
    for _ in range(4):
        codes += [(code, at + index) for index, code in enumerate(["source-silent", "source-back"] * 4)]
        at += 60
    told = [(at, code) for at, code, _ in said(codes, 300)]
    rests = [at for at, code in told if code == "source-back"][2:]
    assert [code for _, code in told].count("oscillating") == 4
    calm = DampingSettings().calm_s
    assert [round(rest - 60 * index - 7) for index, rest in enumerate(rests)] == [calm, 2 * calm, 4 * calm, 8 * calm]


def test_two_knocks_in_an_evening_are_told_as_they_come() -> None:
    codes = [("camera-moved", 1.0), ("registered-again", 2.0), ("camera-moved", 30.0), ("registered-again", 31.0)]
    codes += [("camera-moved", 200.0), ("registered-again", 201.0)]
    assert [(code, at) for at, code, _ in said(codes, 260)] == codes


def test_one_of_two_cameras_that_oscillates_does_not_silence_the_other() -> None:
    damper = NoticeDamper()
    for index in range(6):
        for code in ("board-lost", "board-back"):
            damper.take(notice(code, source="left"), float(index))
    assert damper.take(notice("board-lost", source="right"), 6.0) is not None


def test_what_a_person_wished_is_never_held_back() -> None:
    damper = NoticeDamper()
    assert all(damper.take(notice("say-again"), 0.1 * index) is not None for index in range(50))


def test_a_notice_that_the_record_refused_stays_first_in_line() -> None:
    queue = NoticeQueue(lambda: 0.0)
    queue.extend([notice("camera-moved"), notice("registered-again")])
    refused = queue.first()
    assert refused is not None and refused.code == "camera-moved" and queue.first() is refused
    written = []
    while (one := queue.first()) is not None:
        written.append(one.code)
        queue.drop_first()
    assert written == ["camera-moved", "registered-again"]


def test_what_oscillates_is_damped_before_it_is_counted() -> None:
    """A hundred changes in ten seconds: the damper's sentence, and no count of notices that were left out."""
    now = 0.0
    queue = NoticeQueue(lambda: now)
    written = []
    for tick in range(200):
        now = tick / 10
        if tick < 100:
            queue.append(notice("board-lost" if tick % 2 else "board-back"))
        while (one := queue.first()) is not None:
            written.append(one.code)
            queue.drop_first()
    assert "oscillating" in written and "notices-left-out" not in written and len(written) < 12
