"""Every way out of a running table, for everybody but Jack: pages and streams by role, exports, bundle, lights, log, passes.

``Session`` plays readings at a table without threads and writes down all that leaves it, so that two of them can be compared.
"""

import itertools
import json
import logging
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

import numpy as np
from scripted_camera import ScriptedCamera, ScriptedGlance, ScriptedWatcher
from scripted_table import GAME, reading_of

from companion.announce.phrases import Phrases
from companion.cli.doctor import write_bundle
from companion.games.mr_jack.deduction import DETECTIVE
from companion.host.boxes import TableBoxes
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.picture_store import PictureStore
from companion.host.report import as_csv, as_html
from companion.host.sealing import Sealer
from companion.host.secrets import Secrets
from companion.host.table import Table
from companion.hub import wire
from companion.hub.uplink.uplink import Uplink, UplinkSettings
from companion.record.export import json_lines
from companion.record.log import Record
from companion.record.pictures import folder_of, reader
from companion.record.seal import seal_of
from companion.vision.frame import Frame
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.roles import ARBITER, CAMERA, SPECTATOR, TABLE
from companion.web.settings import PageSettings

SEED = bytes(range(32))
COMMITMENT = "c0" * 32
NOT_JACK = (TABLE, DETECTIVE, ARBITER, SPECTATOR, CAMERA)
VISITORS = (*NOT_JACK, "stranger")
MOST = ("/", "/api/snapshot")
ASKED = (
    "/", "/join", "/overlay", "/camera", "/api/snapshot", "/api/snapshot?lang=ja", "/api/board", "/api/words?lang=es",
    "/api/picture.jpg?overlay=1", "/api/passes", "/api/boxes", "/api/boxes/labels", "/api/notes", "/favicon.ico", "/nowhere",
)  # fmt: skip
TRIED = (
    ("/api/answers", {"kind": "entrust", "character": "nobody"}),
    ("/api/answers", {"kind": "call", "seen": True}),
    ("/api/answers", {"kind": "rule", "action": "dance", "reason": "x"}),
    ("/api/answers", {"kind": "deal"}),
    ("/api/boxes/press", {"button": "again"}),
    ("/api/boxes/press", {"button": "answer-a"}),
    ("/api/notes", {"characters": ["gull"]}),
    ("/api/passes", {"role": "spectator", "seat": "club"}),
)
"""Requests after which something else would answer if who Jack is had got out. Refusals count as well."""


@dataclass
class Lights:
    """Button boxes that write down every pattern and sound they are sent."""

    out: list[str]

    def show(self, pattern: Any, *, role: str = "", box: str = "") -> None:
        self.out.append(f"light {pattern} {role} {box}")

    def status(self) -> list[dict[str, Any]]:
        return []


class Hall:
    """A hall's end of a link, which writes down every byte that it is sent, and has all of it."""

    def __init__(self, out: list[str]) -> None:
        self.out = out
        self.heard: Any = None

    def start(self, heard: Any, linked: Any) -> None:
        self.heard = heard
        linked(True, "")

    def send(self, kind: str, body: bytes) -> bool:
        self.out.append(f"hall {kind} {body!r}")
        said = wire.read_up(kind, body)
        if isinstance(said, wire.Hello):
            self.heard(wire.COMMITTED, wire.Committed(said.match, 0, "").encode())
        elif isinstance(said, wire.Batch):
            last = said.events[-1]
            self.heard(wire.COMMITTED, wire.Committed(said.match, last.number, last.digest).encode())
        return True

    def close(self) -> None:
        pass


class Journal(logging.Handler):
    """Every line that anybody logs; threads that ran before, and the loops of other tests' browsers, are not of the evening."""

    def __init__(self, out: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self.out = out
        self._strangers = {thread.ident for thread in threading.enumerate()} - {threading.get_ident()}

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread in self._strangers or record.name.partition(".")[0] == "asyncio":
            return
        self.out.append(
            f"log {record.name} {record.levelname} {record.getMessage()} {record.exc_info and record.exc_info[1]!r}"
        )


class Session:
    """A table without threads; everything that leaves it is kept as text. Its chance and its times are the same each time."""

    def __init__(self, folder: Path, jack: str, **more: Any) -> None:
        self.folder, self.record = folder, Record.open(folder / "game.record")
        self.watcher, self.out, self.steps = ScriptedWatcher(), [], 0
        (folder / "key").write_text(json.dumps({"format": "signing-key/1", "seed": SEED.hex()}))
        phrases = Phrases()
        self.table = Table(
            GAME, self.record, ScriptedCamera(), self.watcher, Secrets.open(folder / "game.secret"),
            lambda event: self.out.append(repr((event.to_json(), phrases.announce(event.to_json())))),
            clock=self.now, match_id="g1", picture_store=PictureStore(folder_of(self.record.path)),
            sealer=Sealer(folder / "key", seal_of(self.record.path)), **more,
        )  # fmt: skip
        # On a slow machine the same button pressed by the next visitor would count again by the real clock.
        self.boxes = TableBoxes(self.table, None, clock=self.now, monotonic=self.now)
        self.boxes._boxes = Lights(self.out)  # type: ignore[assignment]
        self.out.append(json.dumps(self.table.answer({"kind": "entrust", "character": jack})))

    def now(self) -> float:
        return 1000.0 + self.steps

    def show(self, state: dict) -> None:
        self.steps += 1
        self.watcher.analyses.append(ScriptedGlance(settled=reading_of(state, float(self.steps))))
        self.table.look_at(Frame(np.zeros((9, 16, 3), np.uint8), float(self.steps), "scripted", self.steps))
        self.out.append(json.dumps(self.table.snapshot()))

    def publish(self) -> None:
        """Tell a hall everything, as a table does that has just reached it."""
        uplink = Uplink(self.table, Hall(self.out), settings=UplinkSettings(look_s=0.01), clock=self.now, table_clock=self.now)
        uplink.reach()
        while not uplink.done:
            uplink.step()

    def visit(self, thoroughly: Collection[str]) -> None:
        """Everybody but Jack asks for what matters most; some roles ask for everything, and try what they may not."""
        with _no_chance():
            passes = Passes(None, {"key": "k", "issued": [], "revoked": {}}, lambda: 1000.0)
            links = {role: passes.issue(role) for role in NOT_JACK}
            access_control = AccessControl(passes, closed=True, notes=Notes(Secrets.open(None), GAME, lambda: "g1"))
            quick = PageSettings(watch_seconds=0.02, heartbeat_seconds=0.2, answers_burst=200)
            app = create_app(self.table, quick, access_control=access_control, button_boxes=self.boxes)
            self.out += [repr((astuple(held), token)) for held, token in links.values()]
            for role in VISITORS:
                token = links[role][1] if role in links else ""
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                self._ask(app.test_client(), role, headers, everything=role in thoroughly)
            views_of(app).close()

    def _ask(self, client: Any, role: str, headers: dict[str, str], *, everything: bool) -> None:
        for address in ASKED if everything else MOST:
            self._keep(role, address, client.get(address, headers=headers))
        for address, body in TRIED if everything else ():
            posted = {**headers, "X-Table-Witness": "1", "Origin": "http://localhost"}
            self._keep(role, f"{address} {body}", client.post(address, json=body, headers=posted))
        with client.get("/api/events?after=0", headers=headers, buffered=False) as stream:
            batches = itertools.islice(stream.iter_encoded(), 3 if stream.status_code == 200 else None)
            self.out.append(f"{role} stream {stream.status_code} {b''.join(batches)!r}")

    def _keep(self, role: str, address: str, answer: Any) -> None:
        heads = sorted((name, value) for name, value in answer.headers.items() if name != "Date")
        self.out.append(f"{role} {address} {answer.status_code} {heads} {answer.get_data()!r}")

    def close(self) -> tuple[list[str], list[dict]]:
        """Everything that left the table, its exports and a bug report included, and the events."""
        events = self.record.events()
        self.record.close()
        pictures = folder_of(self.record.path)
        self.out += [*json_lines(events), as_csv(GAME, events), as_html(GAME, events, pictures=reader(pictures))]
        if pictures.is_dir():
            self.out += [f"{path.name} {path.read_bytes().hex()}" for path in sorted(pictures.iterdir())]
        if seal_of(self.record.path).exists():
            self.out.append(seal_of(self.record.path).read_text())
        write_bundle(self.folder / "bundle.zip", [], self.record.path)
        with ZipFile(self.folder / "bundle.zip") as parts:
            self.out += [f"{part} {parts.read(part)!r}" for part in parts.namelist()]
        return self.out, [event.to_json() for event in events]


@contextmanager
def _no_chance() -> Iterator[None]:
    """What is drawn by chance for links, and what the page's clock says, made the same for both sides of a comparison."""
    numbers = itertools.count()
    drawn = SimpleNamespace(token_urlsafe=lambda size: f"{next(numbers):0{size}d}", token_hex=lambda size: "00" * size)
    with ExitStack() as stack:
        stack.enter_context(patch("companion.host.passes.secrets", drawn))
        stack.enter_context(patch("companion.web.api.stamp", lambda: 1000.0))
        stack.enter_context(
            patch("companion.web.api.time", SimpleNamespace(time=lambda: 1000.0, monotonic=itertools.count().__next__))
        )
        yield


@contextmanager
def _same_commitment() -> Iterator[None]:
    """Who does not know what opens a commitment sees a number drawn by chance; both sides of a comparison draw the same one."""
    with (
        patch("companion.host.entrusting.commit", lambda game, secret, nonce, link=None: COMMITMENT),
        patch("companion.host.entrusting.opens", lambda commitment, *opening: commitment == COMMITMENT),
    ):
        yield


def play(folder: Path, jack: str, states: list[dict], thoroughly: Collection[str] = VISITORS) -> tuple[list[str], list[dict]]:
    """One session with this Jack, its visitors of some roles thorough; everything that left it, and its events."""
    with _same_commitment():
        return _played(Session(folder, jack), states, thoroughly)


def _played(session: Session, states: list[dict], thoroughly: Collection[str]) -> tuple[list[str], list[dict]]:
    journal, root = Journal(session.out), logging.getLogger()
    level = root.level
    root.addHandler(journal)
    root.setLevel(logging.DEBUG)
    try:
        for state in states:
            session.show(state)
        session.publish()
        session.visit(thoroughly)
        return session.close()
    finally:
        root.removeHandler(journal)
        root.setLevel(level)
