"""Button boxes at a running table: presses become answers and commands, the game becomes lights, troubles become notices.

The boxes' thread calls in with a press, the table's with an event; neither waits for the other. The order of locks is
boxes, then table: what is called with the table's lock held (``heard``) only sets lights, which takes none.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from companion.announce.phrases import Phrases
from companion.devices.boxes import (
    ANSWERS,
    KEYS,
    PATTERNS,
    TABLE,
    Boxes,
    BoxNotice,
    BoxSettings,
    Button,
    PortSource,
    Press,
    interpret,
)
from companion.devices.boxes.labels import PLAIN, Labels, labels_for
from companion.devices.boxes.simulator import SimulatedPorts
from companion.devices.boxes.wire_constants import TIME_HOLD
from companion.errors import BadInput, CompanionError, InvalidRecord, StorageTrouble, quoted
from companion.host import box_store
from companion.host.box_state import BoxState, OpenCall, fold, roles
from companion.host.box_store import StoredBoxes
from companion.host.ports import NoticePort, Subscriber
from companion.record.events import Event
from companion.steady import stamp

CLOCKS = frozenset({Button.CLOCK_A, Button.CLOCK_B})
PAD = "keys"
"""What stands for the box in a press that came from keys on the page."""


@dataclass(frozen=True, slots=True)
class TableBoxesSettings:
    """Tunables of boxes at a table."""

    again_every: float = 1.0  # s, 0..5; a sentence takes longer to say than an impatient hand to press
    arbiter_every: float = 5.0  # s, 0..60; calling the arbiter twice says no more than once
    refusal_every: float = 10.0  # s, 0..60; the same reason for the same box is said once in this time
    refusal_shown: float = 1.2  # s, 0.3..5; how long the lights say that a press was not taken
    anew_after: float = 0.2  # s, 0.01..5; how soon the events are folded anew when some were not heard
    remembered: int = 200  # events among which the last announcement is looked for; a turn has about twenty
    boxes: BoxSettings = field(default_factory=BoxSettings)


class BoxTable(Protocol):
    """What boxes need of a table."""

    def answer(self, answer: Mapping[str, Any], /, *, saw: int | None = None) -> Mapping[str, Any]: ...
    def tell(self, notice: NoticePort, /) -> None: ...
    def subscribe(self, subscriber: Subscriber, /) -> None: ...
    def wait_events(self, after: int, timeout: float) -> list[Event]: ...


class SnapshotTable(Protocol):
    """A table that says how things stand."""

    def snapshot(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class RepeatRequest:
    """The command to hear an event (its ``number``) once more, for the record. Has no sentence: the event's own is said."""

    params: Mapping[str, Any]
    code: str = "again"
    text: str = ""


@dataclass(frozen=True, slots=True)
class StepNotice:
    """A button said what is done, and the next one says where: pages number the spots. Has no sentence."""

    params: Mapping[str, Any]
    code: str = "box-step"
    text: str = ""


class TableBoxes:
    """The boxes of one table, and the keys that stand in for them. ``start`` and ``stop`` it once."""

    def __init__(
        self,
        table: BoxTable,
        source: PortSource | None = None,
        keep: Path | None = None,
        *,
        clock: Callable[[], float] = stamp,
        monotonic: Callable[[], float] = time.monotonic,
        clock_answer: Callable[[str], Mapping[str, Any]] | None = None,
        settings: TableBoxesSettings | None = None,
    ) -> None:
        """``source``: where boxes may be, None for keys only. ``keep``: the file beside the record. ``clock`` dates presses and
        questions, and is set by nobody; ``monotonic``: what tells how long ago something was done. ``clock_answer`` makes the
        answer for "clock-a" or "clock-b"."""
        self._settings = settings or TableBoxesSettings()
        self._table, self._clock, self._clock_answer = table, clock, clock_answer
        self._say_again: list[Callable[[Event], object]] = []
        self._keep_at = keep
        self._kept, self._unread = _loaded(keep)
        self._simulator = source if isinstance(source, SimulatedPorts) else None
        self._boxes: Boxes | None = None
        if source is not None:
            self._boxes = Boxes(
                self._pressed, table.tell, clock, source=source, roles=self._kept.roles, settings=self._settings.boxes
            )
        self._lock = threading.Lock()
        self._following, self._lighting = threading.Lock(), threading.Lock()
        """Held while an event is followed, and while lights are set, no longer: with neither another lock is waited for."""
        self._monotonic, self._said = monotonic, dict[str, float]()
        self._timer: threading.Timer | None = None
        self._anew: threading.Timer | None = None
        self._phrases = Phrases()
        self._events: deque[Event] = deque(maxlen=self._settings.remembered)
        self._step: tuple[int, str] = (0, "")
        self._scene = BoxState()
        for event in table.wait_events(0, 0):
            self._note(event)
        table.subscribe(self.heard)

    # --- running --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look for boxes."""
        if self._unread:
            self._table.tell(BoxNotice("box-roles", {"reason": self._unread}))
        self._light(sound=False)
        if self._boxes is not None:
            self._boxes.start()

    def stop(self) -> None:
        """Let go of every port."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._anew is not None:
                self._anew.cancel()
        if self._boxes is not None:
            self._boxes.stop()

    def on_again(self, say: Callable[[Event], object]) -> None:
        """Who says an event aloud once more when AGAIN is pressed. It must return at once."""
        self._say_again.append(say)

    def heard(self, event: Event) -> None:
        """The table's events, each once it is in the record. Returns at once."""
        with self._following:
            before = self._scene
            follows = event.number == before.number + 1
            if follows:
                self._note(event)
        if not follows:
            self._missed()
            return
        if self._scene.sounds(before) or self._scene.pattern != before.pattern:
            self._light(sound=True)

    # --- for the page ---------------------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Everything the page shows of the boxes, as plain JSON. Holds no labels."""
        return {
            "looking": self._boxes is not None,
            "boxes": self._boxes.status() if self._boxes is not None else [],
            "roles": list(self._roles()),
            "shuffled": self._kept.shuffled,
            "keys": {code: str(button) for code, button in KEYS.items() if self._clock_answer or button not in CLOCKS},
            "hold": TIME_HOLD / 1000,
        }

    def assign(self, box: str, role: str) -> None:
        """Give a box a role. Raises BadInput for a box that nobody saw, a role there is not, or a full disk."""
        known = self._roles()
        if role not in known:
            raise BadInput(f"role {quoted(role)} is not known; there are: {', '.join(filter(None, known))}, or none")
        if self._boxes is None or box not in self._known():
            raise BadInput(f"there is no button box {box[:20]!r}; there are: {', '.join(sorted(self._known())) or 'none'}")
        with self._lock:
            self._store(self._kept.with_role(box, role))
        self._boxes.assign(box, role)
        self._light(sound=False)

    def shuffle(self, on: bool) -> None:
        """Whether the two answer buttons mean something else for every question. Raises BadInput when it cannot be kept."""
        with self._lock:
            self._store(replace(self._kept, shuffled=on))

    def answers(self) -> tuple[str, ...]:
        """Kinds of answers that the answer buttons give to the open question, or usually give in this game."""
        asked, match = self._scene.asked, self._scene.match
        if asked is not None:
            return tuple(dict.fromkeys(one["kind"] for one in asked.question.form))
        usual = () if match is None else match.game.board(match.game.editions()[0]).page.get("answers", ())
        return tuple(dict.fromkeys(one["answer"]["kind"] for one in usual))

    def labels(self) -> dict[str, int] | None:
        """For the eyes of whoever is asked only: which answer, 0 or 1, the left and the right answer button give to the open
        question; None when none is open or labels are not shuffled."""
        asked = self._scene.asked
        return self._labels(asked).told() if asked is not None and self._kept.shuffled else None

    def try_again(self) -> None:
        """Ask anew on every port that was left alone."""
        if self._boxes is not None:
            self._boxes.try_again()

    def press(self, button: str, *, held: bool = False, role: str = "", box: str | None = None) -> None:
        """A key of the page, or with ``box`` a button of a simulated box. Raises BadInput saying why it means nothing."""
        if button not in list(Button):
            raise BadInput(f"button {button[:20]!r} is not known; there are: {', '.join(Button)}")
        if box is not None:
            self._press_simulated(box, Button(button))
            return
        owner = role if role in self._roles() and role != TABLE else ""
        self._take(Press(PAD, Button(button), self._clock(), owner, held=held))

    # --- presses --------------------------------------------------------------------------------------------------

    def _pressed(self, press: Press) -> None:
        """A press of a box, called from the boxes' thread."""
        try:
            self._take(press)
        except CompanionError as error:
            self._refuse(press, str(error))

    def _take(self, press: Press) -> None:
        """Do what a press says. Raises CompanionError with the reason when it means nothing now."""
        scene = self._scene  # as it is now: another may answer before this press does
        asked, asking = scene.asked, scene.asking(self._clock())
        if asked is not None and asking is not None and self._step[0] == asked.number:
            asking = replace(asking, step=self._step[1])
        heard = interpret(press, asking=asking, labels=self._labels(asked))
        if heard.refused is not None:
            raise BadInput(heard.refused)
        if heard.step is not None and asked is not None:
            self._step = (asked.number, heard.step)
            self._table.tell(StepNotice({"kind": heard.step}))
        elif heard.command is not None:
            self._grant(heard.command)
        elif heard.answer is not None:
            try:
                self._table.answer(dict(heard.answer), saw=scene.number)
            except InvalidRecord:
                raise  # the disk's trouble, not the answer's
            except BadInput as error:
                if press.button not in ANSWERS:
                    raise
                # The table's own words name the answer; who presses a button says it to nobody before it counts.
                raise BadInput("this answer cannot be; look at the table once more") from error

    def _grant(self, command: str) -> None:
        match command:
            case Button.AGAIN:
                self._repeat()
            case Button.ARBITER if self._due("arbiter", self._settings.arbiter_every):
                self._table.tell(BoxNotice("arbiter"))
            case Button.CLOCK_A | Button.CLOCK_B:
                if self._clock_answer is None:
                    raise BadInput("this table has no clock")
                self._table.answer(self._clock_answer(command))

    def _repeat(self) -> None:
        event = next(filter(self._worth_repeating, reversed(self._events.copy())), None)
        if event is None:
            raise BadInput("nothing was said yet")
        if self._due("again", self._settings.again_every):
            self._table.tell(RepeatRequest({"number": event.number}))
            for say in self._say_again:
                say(event)

    def _worth_repeating(self, event: Event) -> bool:
        if event.kind == "notice":
            return False
        try:
            return self._phrases.announce(event.to_json()) is not None
        except (KeyError, TypeError, ValueError):
            return False  # an event of a newer companion

    def _refuse(self, press: Press, reason: str) -> None:
        """Said in words and shown on the box that was pressed; the same whichever answer button it was."""
        if self._boxes is None:
            return
        self._boxes.show("wrong", box=press.box)
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(self._settings.refusal_shown, self._light, kwargs={"sound": False})
            self._timer.daemon = True
            self._timer.start()
        if self._due(f"refused {press.box} {reason}", self._settings.refusal_every):
            self._table.tell(BoxNotice("box-press-refused", {"box": press.box, "reason": reason}))

    def _due(self, what: str, every: float) -> bool:
        """Whether something was last done longer ago than that; then it counts as done now."""
        now = self._monotonic()
        with self._lock:
            last = self._said.get(what)
            if last is not None and now - last < every:
                return False
            self._said[what] = now
            return True

    def _press_simulated(self, box: str, button: Button) -> None:
        entries = self._boxes.status() if self._boxes is not None else []
        port = next((each["port"] for each in entries if each.get("box") == box and each["simulated"]), None)
        if self._simulator is None or port is None:
            raise BadInput("only a simulated box can be pressed here; press the buttons of a real one")
        self._simulator.lines[port].press(button)

    # --- lights ---------------------------------------------------------------------------------------------------

    def _light(self, *, sound: bool) -> None:
        """Every box shows the game's pattern; a question is asked only where it may be answered."""
        if self._boxes is None:
            return
        with self._lighting:
            scene = self._scene
            name, asked = scene.pattern, scene.asked
            for role in {*self._roles(), *self._kept.roles.values()}:
                elsewhere = asked is not None and role not in ("", asked.question.seat)
                pattern = PATTERNS["ready" if name == "ask" and elsewhere else name]
                self._boxes.show(pattern if sound else pattern.quiet(), role=role)

    def _missed(self) -> None:
        """Events were not heard, as when a game is taken up again behind a stage: all of them are folded anew, soon, since
        whoever tells of one must not be made to wait."""
        with self._lock:
            if self._anew is None:
                self._anew = threading.Timer(self._settings.anew_after, self._fold_anew)
                self._anew.daemon = True
                self._anew.start()

    def _fold_anew(self) -> None:
        with self._lock:
            self._anew = None
        events = self._table.wait_events(0, 0)
        if not events:
            self._missed()  # told of by a table that is not on yet
            return
        scene = fold(replace(event, at=self._clock()) for event in events)
        with self._following:
            if scene.number < self._scene.number:
                return  # more was heard, or folded by another, since the record was asked for
            self._scene = scene
            self._events = deque(events, maxlen=self._settings.remembered)
        self._light(sound=False)

    def _roles(self) -> tuple[str, ...]:
        """The roles that a box can have now."""
        return roles(None if self._scene.match is None else self._scene.match.game)

    # --- small things ---------------------------------------------------------------------------------------------

    def _note(self, event: Event) -> None:
        # Asked when it was heard, not when the record says: presses are compared with it, and the wall clock may be set.
        self._scene = self._scene.after(replace(event, at=self._clock()))
        self._events.append(event)

    def _labels(self, asked: OpenCall | None) -> Labels:
        kept = self._kept
        return labels_for(kept.key, asked.number) if kept.shuffled and asked is not None else PLAIN

    def _known(self) -> Sequence[str]:
        seen = [each["box"] for each in self._boxes.status() if each.get("box")] if self._boxes is not None else []
        return [*dict.fromkeys([*seen, *self._kept.roles])]

    def _store(self, kept: StoredBoxes) -> None:
        try:
            box_store.save(self._keep_at, kept)
        except OSError as error:
            raise StorageTrouble(f"the boxes' roles cannot be stored ({error.strerror})", self._keep_at) from error
        self._kept = kept


def clock_presses(table: SnapshotTable, arbiter_here: Callable[[], bool] = lambda: False) -> Callable[[str], Mapping[str, Any]]:
    """What the clock buttons say: the clocks run by themselves for whoever picks, so either button holds them for a break
    and lets them go on. The answer raises BadInput at a table without clocks, and when an arbiter has come in: then they are
    his."""

    def answer(button: str) -> Mapping[str, Any]:
        clock = table.snapshot().get("clock")
        if clock is None:
            raise BadInput("this table has no clock")
        if arbiter_here():
            raise BadInput("the clocks are the arbiter's")
        return {"kind": "clock", "action": "go" if clock["held"] else "hold", "reason": f"the button {button} was pressed"}

    return answer


def _loaded(path: Path | None) -> tuple[StoredBoxes, str]:
    """What is kept, or a fresh start with the reason why: a spoilt file must not cost a session."""
    try:
        return box_store.load(path), ""
    except OSError as error:
        return StoredBoxes(), str(error.strerror)
    except ValueError as error:
        return StoredBoxes(), str(error)
