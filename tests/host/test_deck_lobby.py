"""A deck of unmodified cards is taught in the lobby with the live picture: the empty mat, then each face alone; then played."""

import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fake_lobby import FakeLobby, StillSources

from companion import games
from companion.errors import BadInput
from companion.host.lobby_view import lobby_json
from companion.host.setup import NotYet
from companion.vision.cards.reader import CardReader

sys.path.append(str(Path(__file__).parents[1] / "vision"))
GAME = games.load("get-adler")
ARTS = {"cards:document": "face-0", "cards:gun": "face-4"}


class Table:
    """A mat before a camera, and the lobby that looks at it."""

    def __init__(self, folder: Path) -> None:
        from card_decks import deck  # noqa: PLC0415 - lies with the tests of vision
        from card_table import CardTable  # noqa: PLC0415
        from surfaces import MAT_SHOT  # noqa: PLC0415

        self.mat, self.faces = CardTable(GAME.board(GAME.editions()[0]), MAT_SHOT, 6, pieces=GAME.pieces()), deck(3).faces
        self.bare, self.seed = self.mat.film(), 0
        self.pictures = [self.picture()]
        self.lobby = FakeLobby(folder, StillSources(self.pictures))
        self.lobby.do("game", {"game": GAME.id, "edition": GAME.editions()[0]})
        self.lobby.do("camera", {"kind": "device", "address": "0"})

    def picture(self) -> Any:
        from card_table import Light  # noqa: PLC0415

        self.seed += 1
        return self.mat.picture(Light(), self.seed)

    def show(self) -> None:
        """What lies there now is before the camera, and seen."""
        self.pictures[:] = [self.picture()]
        end = time.monotonic() + 20
        while time.monotonic() < end:
            self.lobby.do("onward", {})  # a simulated camera stays on a picture until it is asked for the next
            frame = self.lobby.preview.newest(1.0) if self.lobby.preview is not None else None
            if frame is not None and np.array_equal(frame.image, self.pictures[0]):
                return
            time.sleep(0.02)
        raise AssertionError("the picture never came")

    def lay(self, key: str) -> None:
        art = cv2.resize(self.faces[ARTS[key]], (59 * 4, 91 * 4), interpolation=cv2.INTER_AREA)
        self.mat.restore(self.bare)
        self.mat.lay(art, (160.0, 148.0), 2.0, size_mm=(59.0, 91.0))
        self.show()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = Table(tmp_path_factory.mktemp("deck"))
    yield made
    made.lobby.close()


def test_a_deck_is_taught_face_by_face_and_the_game_begins_with_it(table: Table) -> None:
    lobby = table.lobby
    with pytest.raises(NotYet, match="empty mat first"):
        lobby.do("face", {"face": "cards:gun"})
    table.show()
    lobby.do("deck", {})
    assert lobby.setup.mode == "cards" and not any(one["known"] for one in lobby_json(lobby)["deck"])
    with pytest.raises(BadInput, match="no card lies on the mat"):
        lobby.do("face", {"face": "cards:gun"})
    for key in ARTS:
        table.lay(key)
        lobby.do("face", {"face": key})
    shown = lobby_json(lobby)
    assert [one["id"] for one in shown["deck"] if one["known"]] == list(ARTS)
    (doubt,) = shown["problems"]
    assert doubt.startswith("not shown yet: ") and "Arrest" in doubt and "Gun" not in doubt
    assert [step["done"] for step in shown["steps"] if step["id"] == "pieces"] == [False]
    lobby.do("accept", {})
    lobby.do("go", {"step": "start"})
    assert lobby_json(lobby)["board"]["way"] == "markers"
    lobby.do("start", {"name": "Kitchen"})
    (begun,) = lobby.begun
    assert isinstance(begun.reader, CardReader) and begun.mode == "cards"
    assert {face.key for face in begun.profile.cards.faces} == set(ARTS)
    kept = lobby.profiles.tables()[0]
    assert kept.mode == "cards" and lobby.profiles.profile(kept.id).cards is not None
