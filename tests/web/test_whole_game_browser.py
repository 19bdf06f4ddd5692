"""A whole game through the page, in two languages: the real companion under it, and a table whose readings are told.

Set-up, plays, a piece misread and put right by a tap, the call, the clean-up, the escape that ends it: everything that
people do, they do on the page.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion import games
from companion.announce.catalogue import load
from companion.games.game import Game
from companion.host.table import Table
from companion.record.log import Record
from companion.vision.frame import Frame
from companion.vision.reading import Reading, Sighting
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.web.app import create_app
from companion.web.server import PageServer
from companion.web.settings import PageSettings

pytestmark = pytest.mark.browser

GAME = json.loads(
    (Path(__file__).parents[1] / "games" / "recorded" / "stealthy-escapes-in-turn-two.json").read_text(encoding="utf-8")
)
GREY = np.full((90, 160, 3), 90, dtype=np.uint8)
SCREENS = {"en": {"width": 1366, "height": 768}, "ja": {"width": 360, "height": 740}}


def reading_of(game: Game, position: dict[str, Any], at: float) -> Reading:
    """The reading a perfect camera makes of a position."""
    sightings: list[Sighting] = []
    for group in game.pieces().groups.values():
        mine, held = list(game.pieces().in_group(group.key)), position[group.key]
        if group.layout == "by-piece":
            here = {name: one for name, one in held.items() if one.get("hex")}
            sightings += [Sighting(name, one["hex"], one.get("side"), one.get("facing")) for name, one in here.items()]
        elif group.layout == "value":
            places = game.board(position["edition"]).places.values()
            sightings += [Sighting(mine[0].id, one.id) for one in places if one.kind in group.on and one.value == held]
        else:
            for place in held:
                label = held[place] if group.layout == "by-place" else None
                piece = next(one for one in mine if one.label == label)
                mine.remove(piece)
                sightings.append(Sighting(piece.id, place))
    return Reading(tuple(sightings), captured_at=at)


@dataclass
class Told:
    """A camera and a watcher in one, whose looks are what the test tells."""

    name: str = "told"
    simulated: bool = True
    waits: bool = False
    feed: None = None
    next: Reading | None = None
    now: float = 0.0
    game: Game = field(default_factory=games.load)

    def frames(self) -> Iterator[Frame]:
        yield from ()

    def close(self) -> None:
        """Nothing is open."""

    def see(self, frame: Frame) -> FrameAnalysis:
        settled, self.next = self.next, None
        return FrameAnalysis(moving=False, occluded=False, observation=None, settled=settled, notices=(), steady=True)

    def lay(self, table: Table, position: dict[str, Any], seconds: float = 1.0) -> None:
        """Pieces lie so, and the companion looks."""
        self.now += seconds
        self.next = reading_of(self.game, position, self.now)
        table.look_at(Frame(GREY, self.now, self.name))

    def wait(self, table: Table, seconds: float) -> None:
        """Nothing moves for a while."""
        self.now += seconds
        table.look_at(Frame(GREY, self.now, self.name))


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_a_whole_game_from_set_up_to_the_end(page: Any, tmp_path: Path, language: str) -> None:  # noqa: PLR0915 - one story
    told = Told()
    words = load(language, ("names", "page", "said"))
    shots = iter(range(100))

    def t(text: str) -> str:
        return words.get(text) or text

    def caught_up() -> None:
        page.wait_for_selector(f"#room[data-number='{table.snapshot()['number']}']")

    def shot(name: str) -> None:
        page.wait_for_timeout(300)
        page.screenshot(path=str(tmp_path / f"{next(shots):02}-{name}-{language}.png"), full_page=language == "ja")

    with Record.open(tmp_path / "game.sqlite") as record:
        table = Table(told.game, record, told, told, edition=GAME["edition"])
        settings = PageSettings(streams=4, watch_seconds=0.1)
        with PageServer(create_app(table, settings), settings=settings) as server:
            page.set_viewport_size(SCREENS[language])
            page.goto(f"{server.address}?lang={language}")
            page.click("[data-key=quiet]")
            start = table.snapshot()["position"]
            told.lay(table, start)
            page.wait_for_selector(f".now .who:has-text('{t('{role} picks').format(role=t('The detective'))}')")
            page.click("#more-button")
            page.click("dialog [data-key=clock]")
            page.click("dialog [data-key=send]")
            page.wait_for_selector(".face[data-role=detective][data-runs=yes]")
            for event in GAME["events"]:
                if event["event"] == "deal":
                    page.click("#more-button")
                    page.click("dialog [data-key=cards]")
                    for card in page.locator("dialog input[name=card]").all():
                        card.set_checked(card.get_attribute("value") in event["cards"])
                    page.click("dialog [data-key=save]")
                    page.wait_for_selector("dialog", state="detached")
                elif event["event"] == "play":
                    after = told.game.parse(event["position"], tolerant=True).to_json()
                    if table.snapshot()["number"] < 7:
                        _misread_and_put_right(page, table, told, shot, caught_up)
                    told.lay(table, after)
                    if event["ends"]:
                        told.wait(table, 10)
                    if table.snapshot()["doubt"]:
                        caught_up()
                        page.click("[data-key=choice-0]")
                    caught_up()
                    assert table.snapshot()["flag"] is None, event
                    mover = table.snapshot()["mover"]
                    page.wait_for_selector(
                        f".face[data-role={mover}][data-runs=yes]" if mover else "#clocks:not(:has([data-runs=yes]))"
                    )
                elif event["event"] == "call":
                    page.click("[data-key=seen]" if event["seen"] else "[data-key=unseen]")
                    page.wait_for_selector(f".call .word:has-text('{t('seen' if event['seen'] else 'unseen')}')")
                    shot("call")
                else:
                    told.lay(table, told.game.parse(event["position"]).to_json())
                    caught_up()
            page.wait_for_selector(f"text={t('Say who Jack is')}")
            page.click(".now [data-key=reveal]")
            page.click("dialog summary")
            page.select_option("dialog select", GAME["jack"])
            page.click("dialog [data-key=send]")
            page.wait_for_selector("[data-phase=over]")
            assert t("{role} wins").format(role=t("Jack")) in page.inner_text("[data-phase=over]")
            shot("over")
            assert table.snapshot()["outcome"]["code"] == GAME["result"]["code"]
            text = " ".join(page.inner_text(part) for part in (".news", ".people", "#log"))
            if language != "en":
                assert re.findall(r"[A-Za-z]{3,}", text) == [], "nothing is left in English"
            assert page.evaluate("document.documentElement.lang") == language
            page.goto("about:blank")
        table.stop()
    page.complaints[:] = [line for line in page.complaints if "503" not in line]  # told tables have no picture


def _misread_and_put_right(page: Any, table: Table, told: Told, shot: Any, caught_up: Any) -> None:
    """The camera takes a lamp's reflection for Gull standing elsewhere; one tap on the cell where he stands says so."""
    position = table.snapshot()["position"]
    here = position["characters"]["gull"]["hex"]
    wrong = json.loads(json.dumps(position))
    wrong["characters"]["gull"]["hex"] = "m8"
    told.lay(table, wrong)
    told.wait(table, 50)
    page.wait_for_selector(".alarm")
    shot("misread")
    assert page.locator(".face[data-runs=yes]").count() == 0, "nobody pays for what has to be put right"
    page.click(f"#board [data-spot-id={here}]", force=True)
    page.check("dialog input[value=gull]")
    page.click("dialog [data-key=save]")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector(".alarm", state="detached")
    caught_up()
    assert table.snapshot()["flag"] is None
    page.wait_for_selector(f"#board [data-piece=gull][data-place={here}]", state="attached")
