"""Corrections of all kinds, sensible or not: each is taken or refused with a sentence, and the table goes on after it."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_table import Hands
from testkit.adler_at_table import AdlerAtTable
from testkit.night_players import flee, hunt
from testkit.night_table import NightTable

from companion import games
from companion.errors import BadInput
from companion.games.game import Game
from companion.referee.view import view


class Table:
    """A table that is corrected: its game, what everybody may see, an answer, and a look at what lies there."""

    def __init__(self, kind: str, folder: Path) -> None:
        folder.mkdir()
        self.hands, self.close = _MADE[kind](folder)
        at_table = isinstance(self.hands, AdlerAtTable | NightTable)
        self.game: Game = self.hands.table.game if at_table else self.hands.game
        self.say: Callable[..., Any] = self.hands.say
        self.look = self.hands.show if at_table else self.hands.see
        self.public = (lambda: self.hands.public) if at_table else (lambda: view(self.hands.match))


def _cards(folder: Path) -> tuple[Any, Callable[[], None]]:
    """A confrontation that grows."""
    made = AdlerAtTable(folder)
    made.open_up(sealed=False)
    made.to_hour(4)
    made.lay("place-4", "arrest")
    made.show()
    made.lay("place-4", "escape-bus")
    return made, made.close


def _path(folder: Path) -> tuple[Any, Callable[[], None]]:
    """A night before the police move."""
    made = NightTable(folder)
    hunt(made)
    flee(made, "86")
    return made, made.close


def _streets(game: str) -> Callable[[Path], tuple[Any, Callable[[], None]]]:
    """A first turn."""

    def made(folder: Path) -> tuple[Any, Callable[[], None]]:
        hands = Hands.at_start(game=games.load(game))
        hands.see()
        return hands, lambda: None

    return made


_MADE = {"cards": _cards, "path": _path, "london": _streets("mr-jack-london"), "new-york": _streets("mr-jack-new-york")}


def correction(rng: random.Random, made: Table) -> dict[str, Any]:
    """A piece or a spot, where it may lie or anywhere, with whatever may be said of it."""
    game, edition = made.game, made.public()["game"]["edition"]
    board, pieces = game.board(edition), game.pieces()
    spots = [*board.cells, *board.places, *board.zones]
    kinds = {**{one.id: one.kind for one in (*board.cells.values(), *board.places.values(), *board.zones.values())}}
    group = rng.choice(list(pieces.groups.values()))
    own = pieces.in_group(group.key)
    fits = [spot for spot in spots if kinds[spot] in group.on]
    place = rng.choice([rng.choice(fits), rng.choice(fits), rng.choice(spots), None, "nowhere"])
    said: dict[str, Any] = {"subject": rng.choice([rng.choice(own).id, f"{group.singular}:{place}"]), "place": place}
    faces = sorted({face for piece in own for face in piece.faces})
    said |= {"rank": rng.choice([0, 1, 9, -1, "one"])} if rng.random() < 0.4 else {}
    said |= {"cards": [rng.choice([*faces, *(piece.id for piece in own)]) for _ in range(rng.randint(0, 3))]}
    said |= {"side": rng.choice([*faces, "none"])} if rng.random() < 0.4 else {}
    return said | ({"label": rng.choice([*faces, *(piece.label for piece in own)])} if rng.random() < 0.4 else {})


@pytest.mark.parametrize("kind", _MADE)
@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_no_correction_stops_the_table(tmp_path: Path, kind: str, count: int) -> None:
    rng, taken = random.Random(count), 0
    for start in range(0, count, 20):
        table = Table(kind, tmp_path / str(start))
        for _ in range(20):
            try:
                table.say(kind="correct", **correction(rng, table))
            except BadInput:
                continue
            taken += 1
            table.look()  # fails where the companion erred
        table.close()
    assert taken > 0
