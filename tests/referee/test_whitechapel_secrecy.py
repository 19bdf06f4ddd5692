"""Pairs of nights with the same public events and different hideouts and paths: nobody but Jack can tell them apart, by what is
shown, recorded, reported or streamed, nor by how long an answer takes."""

import json
import re
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest
from testkit.night_table import GAME, NightTable, Sealer

from companion.games.letters_from_whitechapel import jack, police
from companion.games.letters_from_whitechapel.secret import JackSecret
from companion.host.report import as_csv, as_html
from companion.web.broadcast import Broadcaster, EncodedSnapshot
from companion.web.settings import PageSettings

RANDOM = re.compile(r'[0-9a-f]{64}|"words": ?"[^"]*"|"commitment_qr": ?\{[^}]*\}')
"""What is drawn by lot for every secret: commitments, the digests over them, their words and their code."""
YELLOW = ("x042", "x044", "x058", "x137", "x143", "x156", "x181")
VICTIMS = (3, 21, 27, 65, 84)
LEGS = 3


class Night:
    """One of two nights: its table, and what Jack alone knows."""

    def __init__(self, folder: Path, hideout: int, scene: int, *, sealed: bool) -> None:
        folder.mkdir(parents=True)
        self.table, self.hideout, self.row = NightTable(folder), hideout, [scene]
        self.teller: Any = Sealer(self.table) if sealed else self.table.entrusting
        self.sealed = sealed
        self.took: list[tuple[bool, float]] = []
        self.table.lay_out(self.teller, hideout=str(hideout))
        if sealed:
            self.teller.reveal("jack", "women-1")
        self.table.show()
        self.table.say("kill", circles=[scene])
        self.table.show()
        if sealed:
            self.teller.reveal("brown", "patrols-1")
            self.table.show()
        if self.table.public["phase"] == "laying":
            self.table.show()
        assert self.table.public["phase"] == "escape"

    @property
    def near(self) -> bool:
        """Whether a walk leads home now."""
        return self.hideout in jack.walks(self.table.state.books, self.row[-1])

    def ways(self, kind: str) -> list[tuple[int, ...]]:
        secret = JackSecret(self.hideout, tuple(self.row))
        return [move.by for move in jack.moves(self.table.state.books, secret) if move.kind == kind]

    def go(self, kind: str, by: tuple[int, ...]) -> None:
        near, begun = self.near, time.perf_counter()
        self.table.say("moving", how=kind, home=False)
        for circle in by:
            self.teller("jack", "move", str(circle))
        self.took.append((near, time.perf_counter() - begun))
        self.row += by
        self.table.show()

    def truth(self, kind: str, circle: int) -> bool:
        return circle in self.row if kind == "search" else circle == self.row[-1]

    def ask(self, kind: str, seat: str, circle: int) -> None:
        near, begun = self.near, time.perf_counter()
        self.table.say(kind, seat=seat, circle=circle)
        self.took.append((near, time.perf_counter() - begun))
        if self.sealed:
            self.table.say("say", yes=self.truth(kind, circle))
        if self.table.public["phase"] == "laying":
            self.table.show()

    def seen(self) -> list[str]:
        """All that anybody but Jack gets, without what is drawn by lot."""
        table, events = self.table, self.table.events()
        hub = Broadcaster(table.table, PageSettings())
        batches = hub.batches(0)
        streamed = [
            one.body.decode() if isinstance(one, EncodedSnapshot) else json.dumps(one.to_json(), default=str)  # type: ignore[union-attr]
            for one in next(batches)
        ]
        batches.close()
        hub.close()
        own = [table.own(seat) for seat in GAME.seats if seat != "jack"]
        shown = json.dumps([table.public, own, [[event.kind, event.data] for event in events]], default=str)
        return [RANDOM.sub("", text) for text in (shown, *streamed, as_html(GAME, events), as_csv(GAME, events))]


def pair(folder: Path, seed: int, *, sealed: bool) -> tuple[Night, Night]:
    """Two nights that were played alike in public, by chance."""
    chance = Random(seed)
    scene = chance.choice(VICTIMS)
    circles = [circle for circle in range(1, 196) if circle not in (3, 21, 27, 65, 84, 147, 149, 158)]
    nights = tuple(
        Night(folder / name, hideout, scene, sealed=sealed)
        for name, hideout in zip("ab", chance.sample(circles, 2), strict=True)
    )
    first = nights[0].table
    for _ in range(LEGS):
        kinds = [kind for kind in ("walk", "walk", "coach", "alley") if all(night.ways(kind) for night in nights)]
        kind = chance.choice(kinds)
        for night in nights:
            night.go(kind, chance.choice(night.ways(kind)))
        while first.public["phase"] == "police-move":
            colour = police.turn(first.state.books)[0]
            to = chance.choice([*police.moves(first.state.books, colour)])
            stays = to == dict(first.state.books.police)[colour]
            for night in nights:
                night.table.say("stay") if stays else night.table.police(**{colour: to})
        while first.public["phase"] == "police-act":
            asked = first.public["expects"][0]
            questions = [
                (one["kind"], one["circle"])
                for one in asked["form"]
                if one["kind"] == "search" or (one["kind"] == "arrest" and chance.random() < 0.3)
                if nights[0].truth(one["kind"], one["circle"]) == nights[1].truth(one["kind"], one["circle"])
                if one["kind"] == "search" or not nights[0].truth(one["kind"], one["circle"])
            ]
            chosen = chance.choice(questions) if questions and chance.random() < 0.7 else None
            for night in nights:
                night.ask(chosen[0], asked["seat"], chosen[1]) if chosen else night.table.say("stop", seat=asked["seat"])
    return nights[0], nights[1]


def compared(folder: Path, seed: int, *, sealed: bool) -> list[tuple[bool, float]]:
    """How long answers took, by whether Jack could have walked home, after both nights were compared byte by byte."""
    a, b = pair(folder, seed, sealed=sealed)
    try:
        assert a.row != b.row or a.hideout != b.hideout
        for here, there in zip(a.seen(), b.seen(), strict=True):
            assert here == there, f"seed {seed}"
        return a.took + b.took
    finally:
        a.table.close()
        b.table.close()


@pytest.mark.parametrize("sealed", [False, True], ids=["entrusted", "sealed"])
def test_a_few_pairs_of_nights_look_alike_to_everybody_but_jack(tmp_path: Path, sealed: bool) -> None:
    for seed in range(3):
        compared(tmp_path / str(seed), seed, sealed=sealed)


def test_jack_himself_is_shown_the_difference(tmp_path: Path) -> None:
    """The comparison can fail: what only Jack is shown differs."""
    a, b = pair(tmp_path, 0, sealed=False)
    assert json.dumps(a.table.own()) != json.dumps(b.table.own())
    a.table.close()
    b.table.close()


@pytest.mark.slow
@pytest.mark.parametrize("sealed", [False, True], ids=["entrusted", "sealed"])
def test_a_thousand_pairs_of_nights_look_alike_and_take_alike(tmp_path: Path, sealed: bool) -> None:
    took = [one for seed in range(500) for one in compared(tmp_path / str(seed), 1000 + seed, sealed=sealed)]
    near, away = (median(seconds for home, seconds in took if home is wanted) for wanted in (True, False))
    spread = sorted(seconds for _, seconds in took)
    noise = spread[len(spread) * 3 // 4] - spread[len(spread) // 4]
    print(f"{len(took)} answers; median near home {1000 * near:.2f} ms, away {1000 * away:.2f} ms, noise {1000 * noise:.2f} ms")
    assert abs(near - away) <= noise
