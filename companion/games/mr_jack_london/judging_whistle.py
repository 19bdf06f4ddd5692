"""The whistle under judgement: who was called where, by how many points, and were they enough?"""

from collections.abc import Mapping

from companion.games.game import Move
from companion.games.mr_jack.casework import FOREIGN, SLIP, marked
from companion.games.mr_jack.deduction import ACCUSATION
from companion.games.mr_jack_london.case import Case
from companion.games.mr_jack_london.names import CHARACTERS, GOODLEY, NAMES, WHISTLE_POINTS
from companion.games.mr_jack_london.plays import WATSON_INDEX, accusable
from companion.games.mr_jack_london.streets import streets_of
from companion.games.mr_jack_london.whistling import least_points
from companion.games.mr_jack_london.wording import fault


def judge_whistle(case: Case, first: bool) -> tuple[list[Move], set[int]]:
    """Check who was whistled where. ``first``: Goodley whistled before he walked."""
    net = streets_of(case.before.edition)
    centre = case.origin if first else (case.to or case.origin)
    called = {index for index in case.changes.moved if index != case.index and case.after.hexes[index] is not None}
    if centre not in net.streets:
        return [], called
    towards: Mapping[str, int] = net.on_foot[centre]
    told: list[Move] = []
    used = 0
    sane = True
    order = sorted(called, key=lambda index: towards.get(case.before.hexes[index] or "", 0))
    for index in order:
        name, was, now = CHARACTERS[index], case.before.hexes[index] or "", case.after.hexes[index] or ""
        facing = (case.after.facing or case.before.facing) if index == WATSON_INDEX else None
        told.append(Move(name, was, now, facing=facing))
        steps = net.on_foot[was].get(now) if was in net.streets else None
        allowed = (was, *sorted(cell for cell, _ in net.nearby.get(was, ()) if towards[cell] < towards[was]))
        marks = {"cells": (now, was), "allowed": allowed}
        company = [i for i, spot in enumerate(case.after.hexes) if spot == now and i != index]
        sane = sane and not _whistled_wrong(case, name, was, now, steps, towards, company, first, marks)
        used += steps or 0
    if not sane:
        return told, called
    if used > WHISTLE_POINTS:
        case.blame(
            SLIP, fault("whistle-too-many", GOODLEY, cells=marked(*(m.to for m in told)), used=used, points=WHISTLE_POINTS)
        )
    elif used < WHISTLE_POINTS and case.ends is None:
        _points_left(case, told, used, centre, first)
    return told, called


def _whistled_wrong(
    case: Case,
    name: str,
    was: str,
    now: str,
    steps: int | None,
    towards: Mapping[str, int],
    company: list[int],
    first: bool,
    marks: dict[str, tuple[str, ...]],
) -> bool:
    """Check one whistled character alone; True when something is wrong with it."""
    cells, allowed = marks["cells"], marks["allowed"]
    if steps is None:
        case.blame(FOREIGN, fault("whistle-off-street", name, cells=cells, allowed=allowed, origin=was, to=now))
    elif towards[now] >= towards[was]:
        case.blame(FOREIGN, fault("whistle-not-nearer", name, cells=cells, allowed=allowed, origin=was, to=now))
    elif steps > WHISTLE_POINTS:
        case.blame(
            FOREIGN,
            fault("whistle-too-far", name, cells=cells, allowed=allowed, origin=was, to=now, used=steps, points=WHISTLE_POINTS),
        )
    elif first and now == case.origin:
        others = NAMES[GOODLEY]
        case.blame(
            FOREIGN, fault("occupied/whistle", name, cells=cells, allowed=allowed, origin=was, to=now, other=others)
        )  # fmt: skip
    elif company and not (company == [case.index] and first):
        if (
            case.rules["whistle-accusation"] == "onto-suspect"
            and case.ends is None
            and len(company) == 1
            and company[0] not in case.changes.moved
            and company[0] in accusable(case.before, GOODLEY, case.role, case.rules)
        ):
            case.ends, case.accuser, case.accused = ACCUSATION, name, CHARACTERS[company[0]]
            return False
        others = ", ".join(NAMES[CHARACTERS[index]] for index in company)
        case.blame(
            FOREIGN, fault("occupied/whistle", name, cells=cells, allowed=allowed, origin=was, to=now, other=others)
        )  # fmt: skip
    else:
        return False
    return True


def _points_left(case: Case, told: list[Move], used: int, centre: str, first: bool) -> None:
    """Fewer than three points were used: was more possible, or was it not Goodley's accusation without a whistle?"""
    at_whistle = list(case.before.hexes)
    if not first and case.to is not None:
        at_whistle[case.index] = case.to
    needed = least_points(streets_of(case.before.edition), tuple(at_whistle), centre, case.rules)
    if used >= needed:
        return
    if not told and (case.to is None or any(i != case.index and s == case.to for i, s in enumerate(case.after.hexes))):
        return  # leaving and accusing come before the whistle; where they are none, that fault says enough
    code = "whistle-points-left" if told else "whistle-missing"
    case.blame(SLIP, fault(code, GOODLEY, cells=marked(case.to), used=used, points=needed))
