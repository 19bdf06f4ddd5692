"""Whole nights as files: what hands laid, what was said, and everything that came of it; written once, and replayed.

A record is ``name``, ``proves``, the house ``rules`` that are not the default, ``steps``, and how it ended. A step is what
hands lay otherwise than asked for (``hands``: by group, empty where they do what is asked) or an answer (``says``), and what
came of it: ``events`` (kind, sentence, the act, the position after it in one line), what is flagged with the way back, or why
the answer was ``refused``.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadInput
from companion.games.letters_from_whitechapel.table import Laid, table_of
from companion.record.events import Event
from companion.referee.audit import audit
from testkit.night_table import GAME, NightTable

Json = dict[str, Any]


class RecordedNight(NightTable):
    """A table of which every step is kept."""

    def __init__(self, folder: Path, rules: dict[str, Any] | None = None) -> None:
        super().__init__(folder, rules=rules)
        self.rules, self.steps = dict(rules or {}), list[Json]()

    def show(self, laid: Laid | None = None, hidden: Mapping[str, str] | None = None, **changes: Any) -> list[str]:
        asked, before = self.goal, int(self.public["number"])
        kinds = super().show(laid, hidden, **changes)
        lies = table_of({**asked.to_json(), **replace(laid or asked.laid, **changes).to_json()}, tolerant=True).laid.to_json()
        wanted = asked.laid.to_json()
        self._keep(before, hands={key: value for key, value in lies.items() if value != wanted[key]})
        return kinds

    def say(self, kind: str, **answer: Any) -> list[str]:
        before = int(self.public["number"])
        kinds = super().say(kind, **answer)
        self._keep(before, says={"kind": kind, **answer})
        return kinds

    def refuses(self, why: str, kind: str, **answer: Any) -> None:
        """An answer that cannot be taken, and a part of the sentence that says why."""
        before = int(self.public["number"])
        with pytest.raises(BadInput, match=why) as refused:
            super().say(kind, **answer)
        assert int(self.public["number"]) == before
        self.steps.append({"says": {"kind": kind, **answer}, "refused": str(refused.value)})

    def _keep(self, before: int, **step: Any) -> None:
        self.steps.append({**step, **came(self, before)})

    def told(self, name: str, proves: str) -> Json:
        """The record, once the game is over."""
        ends = self.public["outcome"]
        return {
            "name": name, "proves": proves, "rules": self.rules, "steps": self.steps,
            "result": {"winner": ends["winner"], "code": ends["code"]}, "found": found(self),
        }  # fmt: skip


def came(table: NightTable, before: int) -> Json:
    """What came of a step: events after number ``before``, and what is flagged now."""
    data: Json = {"events": [told(event) for event in table.record.events(before)]}
    if table.public["flag"]:
        data["flag"] = {
            "faults": [{"code": fault["code"], "says": fault["message"]} for fault in table.public["flag"]["faults"]],
            "back": table.way_back,
        }
    return data


def told(event: Event) -> Json:
    """One event, as short as it tells what happened."""
    data: Json = {"event": event.kind}
    if event.data.get("text"):
        data["says"] = str(event.data["text"]).format(**event.data.get("params", {}))
    if "act" in event.data:
        data["act"] = event.data["act"]
    if "position" in event.data:
        data["position"] = table_of(event.data["position"], tolerant=True).notation()
    return data


def found(table: NightTable) -> list[str]:
    """What an audit finds against the record."""
    return [one.text for one in audit(GAME, table.events())[1]]


def replayed(record: Json, folder: Path) -> NightTable:
    """The record's game at a table, step by step: asserts that just the same comes of every step."""
    table = NightTable(folder, rules=record["rules"] or None)
    for number, step in enumerate(record["steps"]):
        before, said = int(table.public["number"]), step.get("says")
        if said is None:
            lies = table_of({**table.goal.to_json(), **step["hands"]}, tolerant=True).laid
            table.show(lies)
        elif "refused" in step:
            with pytest.raises(BadInput) as refused:
                table.table.answer(dict(said))
            assert str(refused.value) == step["refused"], number
            continue
        else:
            table.table.answer(dict(said))
        assert came(table, before) == {key: step[key] for key in ("events", "flag") if key in step}, number
    return table


def events(record: Json, *kinds: str) -> Iterator[Json]:
    """The events of these kinds in a record."""
    for step in record["steps"]:
        yield from (event for event in step.get("events", ()) if event["event"] in kinds)


def read(path: Path) -> Json:
    """A record from its file."""
    data: Json = json.loads(path.read_text(encoding="utf-8"))
    return data
