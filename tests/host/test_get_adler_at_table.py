"""Get Adler! at a running table with its record on disk: gone on with after a kill, exported, verified, a liar named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from testkit.adler_table import GAME, reading_of
from testkit.path_table import Pictures, Told
from testkit.shown import Shown

from companion.cli import main
from companion.games.get_adler.mat import Laid
from companion.host.report import as_csv, as_html
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.record.log import Record
from companion.vision.frame import Frame

ROLES = {"seat-1": "gold", "seat-2": "sharpe", "seat-4": "adler", "seat-5": "townsend"}
TRAITS = {
    role: {"hat": hat, "hair": "red", "eyes": "blue", "coat": "grey"}
    for role, hat in (("adler", "red"), ("gold", "blue"), ("sharpe", "green"), ("townsend", "red"))
}


class AdlerAtTable(Shown):
    """A table kept in a folder: opened again there it goes on."""

    def __init__(self, folder: Path) -> None:
        self.record, self.eyes, self.shown = Record.open(folder / "game.record"), Told(), 0
        self.heard: list[Event] = []
        self.table = Table(
            GAME, self.record, Pictures(), self.eyes, Secrets.open(folder / "game.secret"), self.heard.append,
            clock=lambda: 1000.0, steady=lambda: 0.0, match_id="g1", settings=TableSettings(tick_s=0.01),
        )  # fmt: skip

    def close(self) -> None:
        self.table.stop()
        self.record.close()

    @property
    def state(self) -> Any:
        return self.table._ledger.match.state

    def say(self, kind: str, **answer: Any) -> list[str]:
        return list(self.table.answer({"kind": kind, **answer})["events"])

    def show(self, laid: Laid | None = None) -> list[str]:
        before = int(self.public["number"])
        self.eyes.reading = reading_of(laid or self.state.mat.laid)
        self.shown += 1
        self.table.look_at(Frame(np.zeros((9, 9, 3), np.uint8), self.shown * 0.5, "made", self.shown))
        assert self.public["trouble"] is None, self.public["trouble"]
        return [event.kind for event in self.record.events(before)]

    def lay(self, zone: str, card: str) -> list[str]:
        """A card lands; then hands bring the mat to what is asked for."""
        laid = self.state.mat.laid
        cards = {**dict(laid.cards), zone: (*laid.zone(zone), card)}
        kinds = self.show(Laid(tuple(sorted(cards.items())), laid.roles, laid.hours))
        while self.state.target is not None:
            kinds += self.show()
        return kinds

    def tell(self, seat: str, sealed: bool) -> None:
        if sealed:
            bound = commit("g1", ROLES[seat], bytes(32), Link(seat, "role", 1, ""))
            self.say("seal", seat=seat, purpose="role", commitment=bound)
        else:
            self.say("entrust", seat=seat, purpose="role", value=ROLES[seat])

    def reveal(self, seat: str) -> None:
        self.say("reveal", seat=seat, purpose="role", opened=[{"number": 1, "value": ROLES[seat], "nonce": bytes(32).hex()}])

    def open_up(self, sealed: bool) -> None:
        self.show()
        self.show()
        for seat in ROLES:
            self.tell(seat, sealed)
        self.say("traits", traits=TRAITS)
        self.say("start", who="seat-1")

    def ask(self, of: str) -> None:
        self.lay("pile", "question")
        self.say("on", on=of)
        self.say("ask", trait="hat", colour="red")

    def to_hour(self, hour: int) -> None:
        while self.state.books.hour < hour:
            spare = "document" if self.state.books.discard.count("document") < 10 else "gun"
            assert "play" in self.lay("pile", spare)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AdlerAtTable]:
    made = AdlerAtTable(tmp_path)
    yield made
    made.close()


def _finish(table: AdlerAtTable, sealed: bool) -> None:
    """Adler is arrested in hour 4, rides away once, and has no response then."""
    table.to_hour(4)
    table.lay("place-4", "arrest")
    if sealed:
        table.say("say", answer="yes", seat="seat-4")
        for seat in ("seat-4", "seat-1", "seat-2", "seat-5"):
            table.reveal(seat)
    table.show()
    assert table.public["phase"] == "respond", table.public["phase"]
    table.lay("place-4", "escape-bus")
    table.lay("place-4", "escape-bus")
    table.say("matched", who="seat-2")
    assert [card["card"] for card in table.public["row"]["cards"]] == ["Arrest", "Escape by bus", "Escape by bus"]
    assert table.public["row"]["may"] == ["seat-4"]
    table.say("arrested", seat="seat-4")
    assert table.public["outcome"]["code"] == "arrested"


def test_an_entrusted_game_answers_by_itself_and_verifies(
    table: AdlerAtTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.open_up(sealed=False)
    table.ask("seat-5")
    assert table.public["answers"][0]["answer"] == "yes"
    own = table.table.private("seat-4")
    assert own is not None and own["lines"][0]["params"] == {"role": "Adler"}
    assert table.table.private("seat-5")["lines"][0]["params"] == {"role": "Townsend"}
    _finish(table, sealed=False)
    told = [event.data["how"] for event in table.events() if event.kind == "judged"]
    assert told == ["true"]
    table.close()
    assert main(["verify", str(tmp_path / "game.record")]) == 0
    assert "Townsend" not in capsys.readouterr().err


def test_a_hero_who_lied_under_seal_is_named_by_verify_and_in_the_report(
    table: AdlerAtTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.open_up(sealed=True)
    table.ask("seat-5")
    assert table.public["question"] is not None
    table.say("say", answer="no", seat="seat-5")  # Townsend's hat is red
    table.ask("seat-4")
    table.say("say", answer="no", seat="seat-4")  # so is Adler's, who may lie
    _finish(table, sealed=True)
    events = table.events()
    assert [event.data["how"] for event in events if event.kind == "judged"] == ["false", "allowed"]
    page = as_html(GAME, events)
    assert "is a hero and did not tell the truth about Hat" in page and "and was allowed to" in page
    assert "Seat 5" in as_csv(GAME, events)
    table.close()
    assert main(["verify", str(tmp_path / "game.record")]) == 1
    assert "seat-5 is a hero and answered falsely" in capsys.readouterr().out


def test_the_companion_that_was_killed_goes_on_in_the_middle_of_a_question(table: AdlerAtTable, tmp_path: Path) -> None:
    table.open_up(sealed=False)
    table.lay("pile", "magnifier")
    before = {key: table.public[key] for key in ("phase", "position", "ring", "expects")}
    assert before["phase"] == "acting"
    table.close()
    again = AdlerAtTable(tmp_path)
    assert {key: again.public[key] for key in before} == before
    again.say("on", on="seat-4")
    assert again.public["ring"][1]["turn"] and again.public["ring"][1]["may"]["text"] == "Draw and play a card."
    again.close()
