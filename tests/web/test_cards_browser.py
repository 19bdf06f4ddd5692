"""The page of a game with cards in zones: drawn in their order, told to screen readers, put right by a tap on the zone."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from testkit.sitting import Sitting, ToldWatcher, brought

from companion.games.game import Game
from companion.vision.reading import Reading, Sighting
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser
BLANK = np.zeros((9, 16, 3), np.uint8)


def reading(game: Game, cards: dict[str, list[str]], unknown: dict[str, str] | None = None) -> Reading:
    """What a camera reads of these cards."""
    names = tuple(game.pieces().pieces)
    left = [name for name in names if not any(name in held for held in cards.values())]
    seen = [
        Sighting(card if card in names else left.pop(), zone, "up" if card in names else card, rank=rank,
                 among=() if card in names else names)
        for zone, held in cards.items()
        for rank, card in enumerate(held)
    ]  # fmt: skip
    return Reading(tuple(seen), unknown or {})


@dataclass
class Shown:
    page: Any
    sitting: Sitting
    watcher: ToldWatcher

    def lay(self, cards: dict[str, list[str]], unknown: dict[str, str] | None = None) -> list[str]:
        self.watcher.told.append(reading(self.sitting.game, cards, unknown))
        return self.sitting.look(BLANK)

    def drawn(self) -> list[tuple[str, str, float]]:
        """The drawn cards, the lowest first: which, where, and how far to the right."""
        script = "all => all.map(one => [one.dataset.piece, one.dataset.place, one.getAttribute('transform')])"
        cards = self.page.eval_on_selector_all(".pieces .shape-card", script)
        return [(piece, zone, float(shift.partition("(")[2].partition(" ")[0])) for piece, zone, shift in cards]

    def at(self, piece: str) -> tuple[float, float]:
        """Where a card is drawn."""
        shift = self.page.get_attribute(f".pieces [data-piece={piece}]", "transform")
        x, y = shift.removeprefix("translate(").removesuffix(")").split()
        return float(x), float(y)

    def row(self) -> list[str]:
        """The cards of the row from left to right."""
        return [piece for piece, zone, _ in sorted(self.drawn(), key=lambda one: one[2]) if zone == "row"]


@pytest.fixture
def shown(page: Any, tmp_path: Path) -> Iterator[Shown]:
    with brought("hat-parade", "testkit.cards") as game:
        watcher = ToldWatcher()
        sitting = Sitting(game, tmp_path, lambda: watcher, {"players": "3"})
        with PageServer(create_app(sitting.table, PageSettings(streams=4, watch_seconds=0.1))) as server:
            one = Shown(page, sitting, watcher)
            one.lay({"pile": ["host-white"]})
            for seat in ("north", "east", "south"):
                sitting.say(kind="entrust", seat=seat, purpose="role", value="hero-red")
            page.goto(server.address)
            page.click("[data-key=quiet]")
            page.wait_for_selector("#connection[data-state=good]")
            page.wait_for_selector(".pieces .shape-card")
            yield one


def test_cards_are_drawn_in_their_zones_in_order(shown: Shown) -> None:
    shown.lay({"row": ["north-red"], "pile": ["host-white"]})
    shown.lay({"row": ["north-red", "east-white"], "pile": ["host-white"]})
    shown.page.wait_for_selector("[data-piece=east-white]")
    assert shown.row() == ["north-red", "east-white"]
    outlines = shown.page.eval_on_selector_all(".zones .zone", "all => all.map(one => one.dataset.spotId)")
    assert outlines == ["row", "pile", "hand"]
    trail, (x, y) = shown.page.get_attribute(".trail", "d"), shown.at("east-white")
    assert trail.endswith(f"L{x:g} {y:g}"), "what was laid is shown to come to its own place"
    label = shown.page.get_attribute(".zone[data-spot-id=row]", "aria-label")
    assert label == "Row, North in red (up), East in white (up)"
    shown.lay({"row": ["north-red", "east-white", "back"], "pile": ["host-white"]})
    shown.page.wait_for_selector(".shape-card[data-turned=yes]")
    assert "Card: back" in shown.page.get_attribute(".zone[data-spot-id=row]", "aria-label")
    assert shown.page.locator(".marks .wrong").count() >= 1 or shown.page.locator("[data-spot=row]").count() >= 1


def test_a_covered_card_lies_under_what_covers_it_and_is_not_missed(shown: Shown) -> None:
    shown.lay({"pile": ["north-white"]})
    shown.page.wait_for_selector("[data-piece=north-white]")
    assert [piece for piece, zone, _ in shown.drawn() if zone == "pile"] == ["host-white", "north-white"]
    assert shown.page.locator(".piece.ghost").count() == 0


def test_a_misread_card_is_put_right_by_a_tap_on_its_zone(shown: Shown) -> None:
    shown.lay({"row": ["north-red"], "pile": ["host-white"]})
    shown.lay({"row": ["north-red", "south-white"], "pile": ["host-white"]})
    shown.page.wait_for_selector("[data-piece=south-white]")
    shown.page.click(".zone[data-spot-id=row]")
    shown.page.select_option("[data-key=card-1]", "east-white")
    shown.page.click("[data-key=save]")
    shown.page.wait_for_selector("[data-piece=east-white]")
    assert shown.row() == ["north-red", "east-white"] and shown.sitting.table.snapshot()["mover"] == "south"
    assert shown.sitting.table.snapshot()["table"]["overrides"] == ["east-white", "south-white"]


def test_a_zone_that_cannot_be_read_shows_what_lay_there_as_doubtful(shown: Shown) -> None:
    shown.lay({"row": ["north-red"], "pile": ["host-white"]})
    shown.lay({"pile": ["host-white"]}, {"card:row": "something may lie in row that cannot be read"})
    shown.page.wait_for_selector("[data-piece=north-red][data-unknown=yes]")
    shown.page.click(".zone[data-spot-id=row]")
    shown.page.select_option("[data-key=card-1]", "back")
    shown.page.click("[data-key=save]")
    shown.page.wait_for_selector(".shape-card[data-turned=yes]")
    assert shown.sitting.table.snapshot()["table"]["state"]["cards"]["row"] == ["north-red", "back"]


def test_the_page_is_whole_on_a_desk_and_on_a_phone(shown: Shown) -> None:
    shown.lay({"row": ["north-red"], "pile": ["host-white"]})
    for width, height in ((1366, 900), (390, 844)):
        shown.page.set_viewport_size({"width": width, "height": height})
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
        box = shown.page.locator("svg.board").first.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
