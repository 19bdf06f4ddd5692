"""A plain table set is taught with its picture of the other sides, when it has one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import evaluate
from companion.cli.other_sides import learn_other_sides
from companion.demo import table_of
from companion.vision.plain import reader as plain
from companion.vision.table_sets.read_set import set_reader
from companion.vision.table_sets.table_set import TABLE_FILE, TableSet, load_table_set

GAME = "mr-jack-new-york"


def plain_set(folder: Path, kinds: dict[str, str]) -> TableSet:
    """The bundled table without its stickers; ``kinds`` says what its pictures show."""
    source = table_of(GAME)
    data = json.loads((source / TABLE_FILE).read_text())
    data["frames"] = [{"file": file, "kind": kind, "state": {}} for file, kind in kinds.items()]
    data["markers"] = None
    (folder / TABLE_FILE).write_text(json.dumps(data))
    for file in kinds:
        (folder / file).symlink_to(source / file)
    return load_table_set(folder)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the reader is made from, instead of teaching it for minutes."""
    made: list[Any] = []
    monkeypatch.setattr(plain, "teach", lambda *_: "two pictures")
    monkeypatch.setattr(plain, "PlainReader", lambda board, pieces, teaching: made.append(teaching))
    return made


def files() -> list[str]:
    return [picture.name for picture in sorted(table_of(GAME).glob("*.jpg"))]


def test_the_picture_of_the_other_sides_is_learnt_from(told: list[Any], tmp_path: Path) -> None:
    empty, start, sides, *_ = files()
    table = plain_set(tmp_path, {empty: "empty", start: "start", sides: "other-sides"})
    assert (table.empty, table.start, table.others) == (empty, start, sides)
    set_reader(table, lambda teaching, frame, of: (teaching, frame.size, of.others))
    set_reader(table)
    set_reader(replace(table, others=None), lambda *_: pytest.fail("there is no such picture"))
    assert told == [("two pictures", table.lens.size, sides), "two pictures", "two pictures"]


def test_evaluate_teaches_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty, start, sides, *_ = files()
    plain_set(tmp_path, {empty: "empty", start: "start", sides: "other-sides"})
    given: list[Any] = []
    monkeypatch.setattr(evaluate, "read_set", lambda table, learn, deck: given.append((table.others, learn, deck)) or [])
    evaluate.evaluate_set(tmp_path)
    assert given == [(sides, learn_other_sides, None)]
