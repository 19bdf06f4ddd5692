"""The running table: camera → watcher → referee → record → whoever listens, and answers the other way.

Two threads: one fetches frames, one reads and rules. Every event is on the disk before anybody hears of it. A camera
that stalls, a picture that cannot be used and a disk that is full are said and waited out; none of them ends a game.
"""

import contextlib
import random
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.devices.cameras.port import Camera, PolledFrames, SourceNotice
from companion.errors import CompanionError, InvalidRecord, StorageTrouble, erred
from companion.games.game import Game
from companion.games.seating import People
from companion.host import overlay as drawing
from companion.host.camera_state import ENDED, LOST, NOT_TOLD, CameraStates
from companion.host.clock_watch import ClockWatch
from companion.host.enrolling import Enrolling
from companion.host.entrusting import Entrusting
from companion.host.ledger import Clock, Ledger
from companion.host.masking import box_of, cut, masked
from companion.host.notice_queue import NoticeQueue
from companion.host.picture_store import PictureStore
from companion.host.ports import FrameAnalysisPort, FrameWatcher, NoticePort, PointingWatcher, Subscriber
from companion.host.qr_code import qr_code
from companion.host.sealing import Sealer
from companion.host.secrets import Secrets
from companion.host.status import status
from companion.host.turn_opening import turn_opening
from companion.record.events import Event
from companion.record.log import Record
from companion.record.words import words
from companion.referee import answers, decide, pointing
from companion.referee.match import Draft, Match
from companion.referee.seen import Subjects
from companion.referee.settings import RefereeSettings
from companion.referee.view import private, view
from companion.steady import stamp
from companion.vision.camera import Registration
from companion.vision.frame import Frame, Image
from companion.vision.reading import Reading

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableSettings:
    """``tick_s``: how often time is looked at while no frame comes (0.01 to 1); also how late a stop may be.
    ``every_frame``: rule on each frame of a recording instead of the newest one, as of every camera that waits. ``most_steps``:
    drafts that may follow from one look before something must be wrong (a turn has fewer than twenty). ``stall_s``: seconds
    (0 to 60) without a frame after which the source's clock counts as stopped and the host's goes on in its place; 2 because a
    slow folder or network pauses for about that long without having stalled. ``ponder_s``: seconds a tick (0.001 to 0.1) for
    thinking about hidden pieces; 0.015 leaves a 30 Hz camera its other half; ``think_again_s`` passes before it begins anew.
    ``deal``: the companion deals the cards of every turn that nobody can know."""

    tick_s: float = 0.1
    every_frame: bool = False
    most_steps: int = 100
    stall_s: float = 2.0
    ponder_s: float = 0.015
    think_again_s: float = 0.5
    deal: bool = False


class Table:
    """One game at one table. ``start`` and ``stop`` it once; everything else may be called from any thread."""

    def __init__(
        self,
        game: Game,
        record: Record,
        camera: Camera,
        watcher: FrameWatcher,
        secrets: Secrets | None = None,
        announcer: Subscriber | None = None,
        *,
        edition: str | None = None,
        rules: dict[str, Any] | None = None,
        copy: Json | None = None,
        people: People = (),
        settings: TableSettings | None = None,
        referee: RefereeSettings | None = None,
        clock: Clock = time.time,
        match_id: str | None = None,
        monotonic: Clock = time.monotonic,
        steady: Clock | None = None,
        watch: ClockWatch | None = None,
        picture_store: PictureStore | None = None,
        sealer: Sealer | None = None,
        enrolling: Enrolling | None = None,
    ) -> None:
        """``clock`` dates the events, and nothing else; ``steady``, which nobody sets, measures what is between them (by
        default this machine's, or ``clock`` where another one is passed). ``watch`` tells when the wall clock was
        set. ``copy``: what the owner entered of his copy."""
        self.game = game
        own = clock is time.time
        self._watch_clock = watch or (ClockWatch() if own else None)
        self._settings = settings or TableSettings()
        self._referee = referee or RefereeSettings()
        self._camera, self._watcher = camera, watcher
        self._enrolling = enrolling
        self._entrusting = Entrusting(secrets or Secrets.open(None))
        self._waiting = NoticeQueue(monotonic)
        self._ledger = Ledger(game, record, clock, steady or (stamp if own else clock))
        if announcer is not None:
            self._ledger.subscribe(announcer)
        if enrolling is not None:
            self._ledger.subscribe(lambda event: enrolling.heed(event, game.pieces()))
        self._ledger.open_match(edition, rules, match_id, people, copy)
        self._subjects = Subjects.of(self._ledger.match)
        self._ledger.subscribe(self._follow)
        self._picture_store, self._sealer = picture_store, sealer
        if picture_store is not None:
            picture_store.resume(self._ledger.events())
            self._ledger.illustrate = lambda draft: picture_store.illustrate(draft, self._waiting.append)
        self._ledger.write(decide.on_return(self._ledger.match))
        if record.lost_end is not None:
            self._waiting.append(SourceNotice("record-end-lost", RECORD_END_LOST, {"file": record.lost_end.name}))
        if self._entrusting.lost(self._ledger.match):
            self._waiting.append(SourceNotice("secret-lost", game.secret_lost, {}))
        self._drawn = PolledFrames(camera, every=self._settings.every_frame or camera.waits, name="table-camera")
        self._feed = camera.feed or self._drawn
        self._source_over = False
        self._stopped = threading.Event()
        self._frame: Frame | None = None
        self._bounded: tuple[Frame, Registration] | None = None
        self._monotonic, self._arrived = monotonic, monotonic()
        self._analysis: FrameAnalysisPort | None = None
        self._source = CameraStates(camera.name, getattr(camera, "names", ()), clock)
        self._trouble: dict[str, str] = {}
        self._unusable = ""
        self._thought: tuple[Match, Generator[None, None, list[Draft]]] | None = None
        self._think_again = 0.0
        self._quiet: tuple[int, Reading | None] | None = None
        self._thread = threading.Thread(target=self._watch, name="table-rulings", daemon=True)
        listen = getattr(camera, "listen", None)
        if listen is not None:
            listen(self._heard)
        with self._ledger.lock:
            self._rule()

    # --- running ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End looking and let go of the camera; the record stays open (whoever opened it closes it)."""
        self._stopped.set()
        self._drawn.close()
        self._camera.close()
        self._drawn.close(timeout)
        if self._thread.ident is not None:
            self._thread.join(timeout)
        self._ledger.wake()

    def subscribe(self, subscriber: Subscriber) -> None:
        """Tell somebody every event from now on, once it is in the record. It must return at once."""
        self._ledger.subscribe(subscriber)

    def tell(self, notice: NoticePort) -> None:
        """Record what a device beside the camera has to say: now, or, while the disk refuses, as soon as it can be."""
        with self._ledger.lock:
            self._waiting.append(notice)
            with contextlib.suppress(InvalidRecord):
                self._note()

    # --- asking -------------------------------------------------------------------------------------------------

    def private(self, seat: str) -> dict[str, Any] | None:
        """What one seat alone is shown beside the snapshot, as JSON; None where it sees what everybody sees. Only for that
        seat: it may tell a secret."""
        with self._ledger.lock:
            match = self._ledger.match
            return private(match, seat, self._entrusting.held(match, seat)) if seat in match.game.seats else None

    def watched(self) -> dict[str, Any]:
        """What spectators alone are shown beside the snapshot, as JSON; empty where they see what everybody sees."""
        with self._ledger.lock:
            match = self._ledger.match
            return dict(match.game.watched(match.state, match.context)) if match.begun else {}

    def snapshot(self) -> dict[str, Any]:
        """What any screen may show now, as JSON; no secret is in it that was not opened."""
        with self._ledger.lock:
            shown = view(self._ledger.match)
            analysis, troubles, source = self._analysis, self._troubles(), self._source.shown()
            if shown["clock"] is not None:
                shown["clock"]["since"] = self._ledger.since  # by the clock that the page is told, see companion.web.api
                if self._ledger.resting:
                    shown["clock"]["running"] = None
            newest = shown["commitment"] or (shown["seals"][-1]["commitment"] if shown["seals"] else None)
            return {
                **shown,
                "simulated": self._camera.simulated,
                "source": source,
                "status": status(shown, source, troubles),
                "moving": bool(analysis and analysis.moving),
                "occluded": bool(analysis and analysis.occluded),
                "trouble": " ".join(one["text"] for one in troubles) or None,
                "troubles": troubles,
                "head": events[-1].digest if (events := self._ledger.events(shown["number"] - 1)) else None,
                "turn_head": self._turn_head(),
                "commitment_qr": qr_code(newest) if newest else None,
            }

    def _troubles(self) -> list[dict[str, str]]:
        """What keeps the companion from its work now, by kind: ``sight``, ``disk`` or ``reading``."""
        lost = self._unusable or (self._analysis.lost if self._analysis is not None else "")
        return [{"kind": kind, "text": text} for kind, text in ({"sight": lost} | self._trouble).items() if text]

    def _turn_head(self) -> dict[str, Any] | None:
        """The record's head when the running turn was opened, in words to be photographed: it proves the record later."""
        shown = self._ledger.match.position
        counted = shown is not None and "turn" in self.game.board(shown.edition).labels
        found = turn_opening(self._ledger.events(), counted)
        return None if found is None else {"number": found[0].number, "turn": found[1], "words": words(found[0].digest)}

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        """The events numbered above ``after``, waiting up to ``timeout`` seconds for one; empty when none came."""
        return self._ledger.wait(after, timeout)

    def picture(self, overlay: bool = True) -> bytes | None:
        """The newest frame as JPEG, with what is believed drawn in if wished; None before the first frame."""
        frame, analysis, match, bounded = self._frame, self._analysis, self._ledger.match, self._bounded
        if frame is None:
            return None
        if self._masks:
            if bounded is None:  # all of it may be what lies beside the board
                return drawing.jpeg(drawing.shrink(np.zeros_like(frame.image))[0])
            frame = bounded[0]
        if not overlay or analysis is None or analysis.observation is None or match.position is None:
            image = self._image_to_show()
            return None if image is None else drawing.jpeg(drawing.shrink(image)[0])
        faults = (match.flag or match.unfinished or {}).get("faults", ())
        marks = {cell for fault in faults for cell in fault["cells"]}
        board = self.game.board(match.position.edition)
        within = bounded[1] if self._masks and bounded is not None else None
        image = frame.image if within is None else masked(frame.image, within, board)
        drawn = drawing.draw(image, analysis.observation, board, self.game.pieces(), marks=marks, overridden=match.overrides)
        if within is not None:
            drawn = cut(drawn, box_of(image, within, board), drawn.shape[1] / image.shape[1])
        return drawing.jpeg(drawn)

    def kept_picture(self, digest: str) -> bytes | None:
        """A picture of an earlier moment as JPEG, by the digest an event gives; None when none was kept."""
        return self._picture_store.kept(digest) if self._picture_store is not None else None

    # --- answering ----------------------------------------------------------------------------------------------

    def answer(self, answer: Json, /, by: Json | None = None, *, saw: int | None = None) -> dict[str, Any]:
        """Take what somebody says; returns the head's number and the kinds of the events it led to. ``by``: in whose name it
        is given from afar; it stands in the data of the events that say it. ``saw``: the number of the last event that whoever
        says it has seen, where it is known; what he means may have changed since.

        Raises BadInput with one line saying why it cannot be taken (RecordTrouble when the disk refuses); nothing is
        recorded then.
        """
        with self._ledger.lock:
            if saw is not None and isinstance(answer, Mapping):
                self._subjects.check(self._ledger.match, answer, saw)
            before = self._ledger.match.number
            kind = answer.get("kind") if isinstance(answer, Mapping) else None
            if kind == "entrust":
                drafts = self._entrusting.bind(self._ledger.match, answer)
            elif kind == "deal":
                drafts = self._dealt()
            else:
                drafts = answers.on_answer(self._ledger.match, answer)
            self._ledger.write(drafts if by is None else [replace(one, data={**one.data, "by": dict(by)}) for one in drafts])
            self._rule()
            kinds = [event.kind for event in self._ledger.events(before)]
            return {"number": self._ledger.match.number, "events": kinds}

    def _follow(self, event: Event) -> None:
        """After every event, with the table's lock held."""
        self._subjects = self._subjects.after(self._ledger.match)

    def _dealt(self) -> list[Draft]:
        """Cards drawn by the companion itself, by chance that nobody can foresee."""
        match = self._ledger.match
        return answers.dealt(match, _CHANCE.sample(match.draw.pool, match.draw.count) if match.draw is not None else ())

    # --- the threads --------------------------------------------------------------------------------------------

    def _take_frame(self) -> Frame | None:
        """The next frame to look at, None when none came in a while; says once when the source is over."""
        frame = self._feed.take(self._settings.tick_s)
        if frame is not None:
            self._source.came(frame.source)
        elif self._feed.over and not self._source_over and not self._stopped.is_set():
            self._source_over = True
            self._tell_over(self._feed.error)
        elif self._source_over:
            self._stopped.wait(self._settings.tick_s)
        return frame

    def _tell_over(self, error: Exception | None) -> None:
        if error is not None:
            # A refusal says itself what is wrong; a fault of ours, or of a driver, must not end the pictures in silence.
            why = str(error) if isinstance(error, CompanionError) else erred(error)
            self._source.over(LOST)
            self._heard(SourceNotice("source-lost", "{reason}", {"reason": why}))
            return
        self._source.over(ENDED)
        self._heard(SourceNotice("source-ended", "{source} has ended.", {"source": self._camera.name}))

    def _heard(self, notice: NoticePort) -> None:
        """A notice from any thread; the ruling thread records it."""
        self._source.heard(notice.code, notice.params.get("source"))
        if notice.code not in NOT_TOLD:
            self._waiting.append(notice)

    def _watch(self) -> None:
        while not self._stopped.is_set():
            self.look_at(self._take_frame())

    def look_at(self, frame: Frame | None) -> None:
        """Read one frame (None: only let time pass) and write what follows from it. The ruling thread's one step."""
        try:
            analysis = None
            if frame is not None:
                self._frame, self._arrived = frame, self._monotonic()
                if isinstance(self._watcher, PointingWatcher):
                    self._watcher.ask(pointing.places(self._ledger.match))
                analysis = self._see(frame)
            with self._ledger.lock:
                if analysis is not None:
                    self._take(analysis)
                    self._point(analysis)
                if self._watch_clock is not None:
                    self._waiting.extend(self._watch_clock.look())
                self._note()
                self._rule()
        except InvalidRecord as error:
            # The match stays where its record is; the same drafts come again with the next tick.
            self._say_trouble("disk", error.said if isinstance(error, StorageTrouble) else str(error))
        except CompanionError as error:
            # A reading that makes no position: it is left out, the record stands.
            self._ledger.forget()
            self._say_trouble("reading", str(error))
        except Exception as error:
            # A fault of ours must neither end a game in silence nor show a traceback to players.
            self._ledger.forget()
            self._say_trouble("reading", erred(error))

    def _take(self, analysis: FrameAnalysisPort) -> None:
        self._analysis = analysis
        self._bind(analysis)
        self._waiting.extend(analysis.notices)
        if analysis.settled is not None:
            self._ledger.look(analysis.settled)
            image = self._image_to_show()
            if self._picture_store is not None and image is not None:
                self._picture_store.look(image)
            self._trouble.pop("reading", None)
        if self._enrolling is not None and self._frame is not None:
            self._waiting.extend(self._enrolling.look(self._frame, analysis, self._ledger.match))

    def _point(self, analysis: FrameAnalysisPort) -> None:
        """Take what a finger says, with the picture of it as evidence. The question may have been answered meanwhile."""
        match, frame, seen = self._ledger.match, self._frame, analysis.observation
        drafts = decide.on_pointing(match, analysis.pointed, analysis.stayed) if analysis.pointed else []
        if not drafts:
            return
        image = None if frame is None else frame.image
        if frame is not None and self._masks:
            board = self.game.board(match.position.edition)
            found = None if seen is None else seen.registration
            image = None if found is None else cut(masked(frame.image, found, board), box_of(frame.image, found, board))
        if self._picture_store is None or image is None:
            self._ledger.write(drafts)
            return
        with self._picture_store.showing(image):
            self._ledger.write(drafts)

    def _bind(self, analysis: FrameAnalysisPort) -> None:
        """Remember the newest frame of which it is certain where the board lies in it: it was read, or shows what was."""
        frame, seen = self._frame, analysis.observation
        if frame is None or seen is None or seen.registration is None or analysis.moving or analysis.lost:
            return
        if analysis.steady or seen.reading.captured_at == frame.captured_at:
            self._bounded = (frame, seen.registration)

    @property
    def _masks(self) -> bool:
        """Whether pictures are cut to the board."""
        position = self._ledger.match.position
        return position is not None and self.game.board(position.edition).masked_outside

    def _image_to_show(self) -> Image | None:
        """The newest picture that may be kept, cut to the board where the game asks for that; None where there is none."""
        if not self._masks:
            return None if self._frame is None else self._frame.image
        if self._bounded is None:
            return None
        (frame, registration), board = self._bounded, self.game.board(self._ledger.match.position.edition)
        return cut(masked(frame.image, registration, board), box_of(frame.image, registration, board))

    def _say_trouble(self, kind: str, text: str) -> None:
        if self._trouble.get(kind) != text:
            self._trouble[kind] = text
            self._ledger.wake()

    def _see(self, frame: Frame) -> FrameAnalysisPort | None:
        try:
            analysis = self._watcher.see(frame)
        except CompanionError as error:
            if self._unusable != str(error):
                self._heard(SourceNotice("picture-unusable", "{reason}", {"reason": str(error)}))
            self._unusable = str(error)
            return None
        if analysis.settled is not None or analysis.steady:
            self._unusable = ""  # until then nothing may have been read: that says nothing of the picture
        return analysis

    def _note(self) -> None:
        while (notice := self._waiting.first()) is not None:
            self._ledger.write(decide.on_notice(notice.code, notice.text, notice.params))
            self._ledger.resting = self._source.played  # its last picture is the last of this table; the time until then counts
            self._waiting.drop_first()

    def _rule(self) -> None:
        """Write what follows from the record and the last reading until nothing more does."""
        for _ in range(self._settings.most_steps):
            drafts = self._next()
            if not drafts:
                if self._sealer is not None:
                    self._sealer.finish(self._ledger)
                self._trouble.pop("disk", None)
                return
            self._ledger.write(drafts)
        raise AssertionError(f"the referee does not come to rest: {[draft.kind for draft in drafts]}")

    def _next(self) -> list[Draft]:
        match = self._ledger.match
        own = self._entrusting.drafts(match)
        if own:
            return own
        if self._settings.deal and answers.may_deal(match):
            return self._dealt()
        drafts = self._considered(match)
        if not drafts and match.clock is not None:
            drafts = decide.on_clock(match, self._ledger.running())
        if not drafts and self._frame is not None:
            now = self._source_time(self._frame)
            drafts = decide.on_time(match, now, self._referee) or self._pondered(match, now)
        return drafts

    def _pondered(self, match: Match, now: float) -> list[Draft]:
        """What hidden pieces leave to be said. It may take many steps: as many are made as fit between two frames."""
        begun = time.monotonic()
        if self._thought is None or self._thought[0] is not match:
            if match.hidden is None or begun < self._think_again:
                return []
            self._thought = (match, decide.on_hidden(match, now, self._referee))
        try:
            while time.monotonic() < begun + self._settings.ponder_s:
                next(self._thought[1])
        except StopIteration as end:
            self._thought, self._think_again = None, begun + self._settings.think_again_s
            drafts: list[Draft] = end.value
            return drafts
        return []

    def _source_time(self, newest: Frame) -> float:
        """Seconds of the source's clock. Once it has stalled or ended, the host's clock carries it on, so that what was
        waited for comes to its end."""
        silent = self._monotonic() - self._arrived
        return newest.captured_at + max(0.0, silent - self._settings.stall_s)

    def _considered(self, match: Match) -> list[Draft]:
        """What follows from the last reading; the same reading of the same match is thought over once, not each frame."""
        if self._quiet is not None and self._quiet[0] == match.number and self._quiet[1] is match.table:
            return []
        drafts = decide.on_reading(match, match.table, self._referee) if match.table else decide.on_record(match)
        self._quiet = None if drafts else (match.number, match.table)
        return drafts


RECORD_END_LOST = (
    "The end of the record could not be read, as after a power cut. See whether the last play is there; what was left of it is "
    "kept in {file}."
)
_CHANCE = random.SystemRandom()
