"""A deck of unmodified cards is taught in the lobby with the live picture: the empty mat, then each face alone; then played."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deck_lobby import ARTS, GAME, DeckTable
from fake_lobby import FakeLobby, StillSources

from companion.errors import BadInput
from companion.host.lobby_view import lobby_json
from companion.host.resuming import KeptSetup, Resumable, Standing, keep, kept_setup
from companion.host.setup import NotYet, Setup
from companion.vision.cards.reader import CardReader


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = DeckTable(tmp_path_factory.mktemp("deck"))
    yield made
    made.lobby.close()


@pytest.fixture(scope="module")
def begun_table(table: DeckTable) -> DeckTable:
    """The table once its deck was taught and its game has begun."""
    _teach_and_begin(table)
    return table


def _teach_and_begin(table: DeckTable) -> None:
    lobby = table.lobby
    with pytest.raises(NotYet, match="empty mat first"):
        lobby.do("face", {"face": "cards:gun"})
    table.show()
    lobby.do("deck", {})
    assert lobby.setup.mode == "cards" and not any(one["known"] for one in lobby_json(lobby)["deck"])
    with pytest.raises(BadInput, match="no card is seen on the mat"):
        lobby.do("face", {"face": "cards:gun"})
    for key in ARTS:
        table.lay(key)
        lobby.do("face", {"face": key})
    shown = lobby_json(lobby)
    assert [one["id"] for one in shown["deck"] if one["known"]] == list(ARTS)
    (doubt,) = shown["problems"]
    assert doubt.startswith("not shown yet: ") and "Arrest" in doubt and "Gun" not in doubt
    assert [step["done"] for step in shown["steps"] if step["id"] == "pieces"] == [False]
    _is_known_after_a_restart(table, shown)
    lobby.do("accept", {})
    lobby.do("go", {"step": "start"})
    assert lobby_json(lobby)["board"]["way"] == "markers"
    lobby.do("start", {"name": "Kitchen"})


def test_a_deck_is_taught_face_by_face_and_the_game_begins_with_it(begun_table: DeckTable) -> None:
    lobby = begun_table.lobby
    (begun,) = lobby.begun
    assert isinstance(begun.reader, CardReader) and begun.mode == "cards"
    assert {face.key for face in begun.profile.cards.faces} == set(ARTS)
    kept = lobby.profiles.tables()[0]
    assert kept.mode == "cards" and lobby.profiles.profile(kept.id).cards is not None
    assert not list(begun_table.folder.rglob("*.begun")), "kept with its game now"


def _is_known_after_a_restart(table: DeckTable, shown: Any) -> None:
    """The faces shown so far were gone, and all had to be shown again."""
    again = FakeLobby(table.folder, StillSources(table.pictures))
    again.do("game", {"game": GAME.id, "edition": GAME.editions()[0]})
    again.do("camera", {"kind": "device", "address": "1"})
    assert not any(one["known"] for one in lobby_json(again)["deck"]), "another camera has another lens"
    again.do("camera", {"kind": "device", "address": "0"})
    told = lobby_json(again)
    assert (told["deck"], told["problems"]) == (shown["deck"], shown["problems"])
    assert told["mode"] == "cards" and told["losable"], "and it is asked before they are lost"
    again.close()


def test_a_game_with_a_taught_deck_is_gone_on_with_after_a_restart(begun_table: DeckTable, tmp_path: Path) -> None:
    """What was kept beside its record was not taken for a set-up, and the camera was said not to be known."""
    (begun,) = begun_table.lobby.begun
    record = tmp_path / "game.sqlite"
    keep(record, KeptSetup(begun.source, begun.mode, begun.choices, begun.name, profile=begun.profile))
    kept = kept_setup(record)
    assert kept is not None and (kept.camera, kept.mode) == (begun.source, "cards")
    lobby = FakeLobby(tmp_path, StillSources(begun_table.pictures))
    lobby.setup = Setup(GAME.id, GAME.editions()[0], fixed=True)
    lobby.resumable = Resumable(Standing(1, over=False, secret="asked"), kept)
    lobby.do("resume", {})
    assert isinstance(lobby.begun[0].reader, CardReader)
    assert lobby_json(lobby)["pictures"] == ["empty"], "its faces are shown, and asked about before they are lost"
    lobby.close()
    next(tmp_path.glob("*.table")).unlink()
    assert kept_setup(record) is None, "without its deck nothing would be read"


def test_only_what_was_taught_here_can_be_lost_with_another_camera(
    begun_table: DeckTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page asks before pictures are lost; what a recording brings it brings again."""
    table, lobby = begun_table, begun_table.lobby
    profile = lobby.begun[0].profile
    shown = lobby_json(lobby)
    assert shown["losable"] and shown["pictures"] == ["empty"], "faces that were shown one by one"
    opens = lobby.sources.open
    monkeypatch.setattr(lobby.sources, "open", lambda *given, **more: replace(opens(*given, **more), profile=profile))
    lobby.do("camera", {"kind": "demo"})
    shown = lobby_json(lobby)
    assert not shown["losable"] and shown["pictures"] == ["empty"] and any(face["known"] for face in shown["deck"])
    table.show()
    lobby.do("deck", {})
    assert lobby_json(lobby)["losable"], "the mat was photographed anew"
