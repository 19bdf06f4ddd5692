"""What happens at a table while somebody else does something: two folds of one record, a lobby that loses its camera."""

import threading
from pathlib import Path
from typing import Any

import pytest
from fake_lobby import FakeLobby
from test_boxes_at_table import ASKED, DeskTable, told

from companion.devices.box import PATTERNS
from companion.host import boxes as boxes_module
from companion.host import setup as steps
from companion.host.boxes import TableBoxes, TableBoxesSettings

LATER = TableBoxesSettings(anew_after=60)


def test_a_slow_fold_of_the_record_does_not_undo_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table, usual = DeskTable(), boxes_module.fold
    boxes = TableBoxes(table, settings=LATER)
    asked = told(ASKED, "call-asked")
    table.events = asked[:-1]

    def meanwhile(events: Any) -> Any:
        """The question is put on record, and folded, before the record without it is."""
        monkeypatch.setattr(boxes_module, "fold", usual)
        found = usual(list(events))
        table.events = asked
        boxes._fold_anew()
        return found

    monkeypatch.setattr(boxes_module, "fold", meanwhile)
    boxes._fold_anew()
    boxes.press("answer-a")
    assert table.answers == [{"kind": "call", "seen": True}]
    boxes.stop()


def test_what_is_heard_while_the_record_is_folded_is_repeated_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    table, usual = DeskTable(told(ASKED, "call-asked")), boxes_module.fold
    boxes, again = TableBoxes(table, settings=LATER), []
    boxes.on_again(again.append)

    def meanwhile(events: Any) -> Any:
        found = usual(list(events))
        table.push("ruling", action="adjourn", reason="lunch", text="", params={})
        return found

    monkeypatch.setattr(boxes_module, "fold", meanwhile)
    boxes._fold_anew()
    boxes.press("again")
    assert again == [table.events[-1]]
    boxes.stop()


def test_lights_that_are_put_right_while_the_game_goes_on_show_how_it_stands() -> None:
    table = DeskTable(told(ASKED, "call-asked"))
    boxes, after = TableBoxes(table, settings=LATER), told(ASKED, "call")[-1]
    shown: dict[str, Any] = {}
    going_on = threading.Thread(target=lambda: (table.events.append(after), boxes.heard(after)))

    class Boxes:
        """The question is answered while a refusal's lights are put out again."""

        def show(self, pattern: Any, box: str | None = None, role: str | None = None) -> None:
            if going_on.ident is None:
                going_on.start()
                going_on.join(0.2)  # it may have to wait until this is done
            shown[str(role)] = pattern

        def stop(self) -> None: ...

    boxes._boxes = Boxes()  # type: ignore[assignment]
    assert boxes._scene.pattern == "ask"
    boxes._light(sound=False)
    going_on.join(30)
    assert boxes._scene.pattern != "ask"
    assert {pattern.lights for pattern in shown.values()} == {PATTERNS[boxes._scene.pattern].lights}
    boxes.stop()
