"""A table without a camera: canned states and events behind the methods the page uses. It can misbehave on command."""

import copy
import threading
from typing import Any

import cv2
import numpy as np

from companion import boards, games
from companion.errors import BadInput
from companion.host.status import status
from companion.host.table_proxy import NoTableYet
from companion.record.events import Event

GAME = "mr-jack-london"
SECRET = "stealthy"
START_OF_TIME = 1_750_000_000.0


def _position(edition: str) -> dict[str, Any]:
    start = copy.deepcopy(dict(boards.load(GAME, edition).start))
    return {"game": GAME, "edition": edition, **start, "available": ["holmes", "bert", "stealthy", "goodley"], "played": []}


_WITNESS = {
    "seen": ["holmes", "lestrade", "smith", "bert"],
    "unseen": ["watson", "stealthy", "goodley", "gull"],
    "because": {
        "holmes": ["gaslight f5"],
        "lestrade": ["gaslight f5", "next to holmes"],
        "smith": ["gaslight h8"],
        "bert": ["gaslight h8"],
    },
}
_FAULTS = [
    {
        "code": "too-far", "character": "bert", "message": "Bert went 4 steps, he may go 3.",
        "text": "{name} went {steps} steps, he may go {limit}.", "params": {"name": "Bert", "steps": 4, "limit": 3},
        "cells": ["g10"], "allowed": ["i9", "i10", "h10", "j10", "k9", "j8", "i6", "i7", "h6", "k7", "j6"],
    },
    {
        "code": "no-cover", "character": "bert", "message": "No manhole cover was moved, and one must be.",
        "text": "No manhole cover was moved, and one must be.", "params": {}, "cells": [], "allowed": [],
    },
]  # fmt: skip


def _chore(code: str, subject: str, message: str, place: str | None = None, to: str | None = None) -> dict[str, Any]:
    return {"code": code, "subject": subject, "message": message, "text": message, "params": {}, "place": place, "to": to}


CLEAN_UP = [
    _chore("turn-over", "watson", "Turn John H. Watson over on a3: he is innocent.", "a3"),
    _chore("take-away", "gaslight:b2", "Take gaslight 1 away from b2.", "b2"),
    _chore("move", "turn", "Move the turn marker to 2.", "turn-1", "turn-2"),
]

FLAG = {
    "verdict": "illegal",
    "faults": _FAULTS,
    "chores": [_chore("move", "bert", "Put Jeremy Bert back on i8.", "g10", "i8")],
}


class FakeTable:
    """Same public methods as the host's table. ``show`` puts it into a named state, ``push`` adds an event."""

    def __init__(self, edition: str = "first-2006", *, simulated: bool = True) -> None:
        self._changed = threading.Condition()
        self._edition = edition
        self._snapshot: dict[str, Any] = {}
        self.log: list[Event] = []
        self.taken: list[dict[str, Any]] = []
        self.refuse: str | None = None
        self.saw: int | None = None
        self.broken = False
        self.simulated = simulated
        self.frame: bytes | None = _frame()
        self.kept: dict[str, bytes] = {}
        self.secret: str | None = None
        self.game = games.load(GAME)
        self.own: dict[str, dict[str, Any]] = {}
        self.show("set-up")

    # --- what the page uses -----------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        if self.broken:
            raise RuntimeError("the record is on fire at somebody's secret-place")
        with self._changed:
            shown = copy.deepcopy(self._snapshot) | {"number": len(self.log)}
            return shown | {"status": status(shown, shown["source"], shown["troubles"])}

    def private(self, seat: str, /) -> dict[str, Any] | None:
        return copy.deepcopy(self.own.get(seat))

    def watched(self) -> dict[str, Any]:
        return {}

    def answer(self, answer: dict[str, Any], /, *, saw: int | None = None) -> dict[str, Any]:
        self.saw = saw
        if self.refuse:
            raise BadInput(self.refuse)
        self.taken.append(answer)
        if answer["kind"] == "entrust":
            self.secret = answer["character"]
            self.change(secret="entrusted")
        if answer["kind"] == "seal":
            self.change(secret="sealed", commitment=answer["commitment"])
            self.push("sealed", answer)
        if answer["kind"] == "call":
            self.push("call", call_data(answer["seen"]))
            self.show("clean-up")
        return {"echo": answer}

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        with self._changed:
            self._changed.wait_for(lambda: len(self.log) > after, timeout)
            return self.log[after:]

    def picture(self, overlay: bool) -> bytes | None:
        return self.frame

    def kept_picture(self, digest: str) -> bytes | None:
        return self.kept.get(digest)

    # --- what a test uses -------------------------------------------------------------------------------------

    def push(self, kind: str, data: dict[str, Any]) -> Event:
        with self._changed:
            event = Event.following(self.log[-1] if self.log else None, kind, data, START_OF_TIME + 30 * len(self.log))
            self.log.append(event)
            self._changed.notify_all()
            return event

    def change(self, **changes: Any) -> None:
        with self._changed:
            self._snapshot.update(copy.deepcopy(changes))

    def show(self, name: str) -> None:
        with self._changed:
            self._snapshot = {**self._base(), **copy.deepcopy(STATES[name](self._base()))}

    def _base(self) -> dict[str, Any]:
        position = _position(self._edition)
        state = {key: copy.deepcopy(position[key]) for key in ("characters", "gaslights", "covers", "cordons", "turn")}
        board = boards.load(GAME, self._edition)
        return {
            "number": 0,
            "game": {"id": GAME, "name": board.name, "edition": self._edition, "label": board.label},
            "phase": "play", "turn": 1, "pick": 1, "mover": "jack",
            "movers": ["detective", "jack", "jack", "detective"],
            "position": position, "table": {"state": state, "unknown": {}, "problems": []},
            "witness": _WITNESS, "suspects": list(position["characters"]),
            "played": ["holmes"], "available": ["holmes", "bert", "stealthy", "goodley"],
            "flag": None, "doubt": None, "chores": [], "question": None, "secret": "asked", "outcome": None,
            "expects": [{"kind": "change", "seat": "jack", "left": 3}], "seats": ["detective", "jack"], "secrets": [],
            "house_rules": {}, "simulated": self.simulated,
            "source": {"name": "recording", "state": "running"},
            "unfinished": None, "whose_play": None,
            "called": None, "undo": None, "recall": False, "trouble": None, "troubles": [],
            "moving": False, "occluded": False,
        }  # fmt: skip


def call_data(seen: bool) -> dict[str, Any]:
    cleared = ["watson"] if seen else ["holmes", "lestrade", "smith", "bert"]
    return {"seen": seen, "cleared": cleared, "chores": CLEAN_UP}


def play_data(character: str, path: list[str], text: str) -> dict[str, Any]:
    return {
        "turn": 1, "pick": 1, "mover": "detective", "character": character,
        "moves": [{"piece": character, "from": path[0], "to": path[-1], "path": path}],
        "ability": None, "position": {}, "ends": None, "text": text, "params": {},
    }  # fmt: skip


def _set_up(base: dict[str, Any]) -> dict[str, Any]:
    del base["table"]["state"]["characters"]["bert"]
    base["table"]["state"]["characters"]["gull"]["hex"] = "e8"
    chores = [
        _chore("put", "bert", "Put Jeremy Bert on i8.", None, "i8"),
        _chore("move", "gull", "Move Sir William Gull from e8 to e9.", "e8", "e9"),
    ]
    return {
        "phase": "set-up",
        "expects": [{"kind": "arrangement", "start": True, "reached": "table-agreed"}],
        "pick": 0,
        "mover": None,
        "table": base["table"],
        "chores": chores,
        "played": [],
        "available": None,
    }


def _playing(base: dict[str, Any]) -> dict[str, Any]:
    for state in (base["position"], base["table"]["state"]):
        state["characters"]["holmes"]["hex"] = "e6"
    return {"position": base["position"], "table": base["table"]}


def _flagged(base: dict[str, Any]) -> dict[str, Any]:
    playing = _playing(base)
    playing["table"]["state"]["characters"]["bert"]["hex"] = "g10"
    return {**playing, "undo": "holmes", "flag": FLAG, "whose_play": "bert"}


def _doubt(base: dict[str, Any]) -> dict[str, Any]:
    texts = [
        "Goodley stays near l10 and whistles for Smith and Gull.",
        "Goodley walks to l10; Smith is played first, moving a gaslight.",
    ]
    return {
        **_playing(base),
        "doubt": {"alternatives": [{"index": i, "plays": [], "text": text} for i, text in enumerate(texts)]},
    }


QUESTION = {
    "kind": "question", "id": "call", "seat": "jack", "text": "Jack: are you seen or unseen?", "params": {},
    "form": [{"kind": "call", "seen": True}, {"kind": "call", "seen": False}], "labels": ["Seen", "Unseen"],
    "public": True, "purpose": "identity",
}  # fmt: skip


def _call(base: dict[str, Any]) -> dict[str, Any]:
    question = {"kind": "call", "text": "Jack: are you seen or unseen?"}
    expects = [QUESTION, {"kind": "change", "seat": None, "left": 0}]
    return {**_playing(base), "phase": "call", "pick": 4, "mover": None, "question": question, "expects": expects}


def _clean_up(base: dict[str, Any]) -> dict[str, Any]:
    playing = _playing(base)
    playing["table"]["state"]["characters"]["watson"]["side"] = "innocent"
    suspects = [name for name in base["suspects"] if name != "watson"]
    return {
        **playing,
        "phase": "clean-up",
        "expects": [{"kind": "arrangement", "start": False, "reached": "clean-up"}],
        "pick": 4,
        "mover": None,
        "chores": CLEAN_UP[1:],
        "suspects": suspects,
        "called": {"seen": True, "cleared": ["watson"]},
    }


def _over(base: dict[str, Any]) -> dict[str, Any]:
    for state in (base["position"], base["table"]["state"]):
        for name in ("watson", "gull", "smith", "holmes"):
            state["characters"][name]["side"] = "innocent"
    outcome = {"winner": "detective", "code": "accused", "message": "The detective accused Miss Stealthy, and she is Jack."}
    return {
        "phase": "over", "expects": [{"kind": "over", "text": outcome["message"], "params": {}, **outcome}],
        "turn": 6, "pick": 2, "mover": None, "outcome": outcome, "position": base["position"],
        "table": base["table"], "suspects": ["lestrade", "stealthy", "goodley", "bert"],
    }  # fmt: skip


def _unsure(base: dict[str, Any]) -> dict[str, Any]:
    playing = _playing(base)
    del playing["table"]["state"]["characters"]["goodley"]
    del playing["table"]["state"]["gaslights"]["f5"]
    playing["table"]["unknown"] = {"goodley": "his marker cannot be read", "gaslight:f5": "glare"}
    return {**playing, "source": {"name": "recording", "state": "stalled"}}


def _blind(base: dict[str, Any]) -> dict[str, Any]:
    reason = "the board is not found: 0 of the frame markers 0, 1, 2, 3 seen, at least 2 are needed"
    return {"trouble": reason, "troubles": [{"kind": "sight", "text": reason}]}


STATES = {
    "set-up": _set_up,
    "playing": _playing,
    "flagged": _flagged,
    "doubt": _doubt,
    "call": _call,
    "clean-up": _clean_up,
    "over": _over,
    "unsure": _unsure,
    "blind": _blind,
}


def _frame() -> bytes:
    shades = np.linspace(40, 110, 640, dtype=np.uint8)
    picture = np.dstack([np.tile(shades * 0.6, (360, 1)), np.tile(shades * 0.8, (360, 1)), np.tile(shades, (360, 1))]).astype(
        np.uint8
    )
    return bytes(cv2.imencode(".jpg", picture)[1])


class TableToCome(FakeTable):
    """A table that is being set up until it is said to have begun."""

    begun = False

    def snapshot(self) -> dict[str, Any]:
        if not self.begun:
            raise NoTableYet
        return super().snapshot()
