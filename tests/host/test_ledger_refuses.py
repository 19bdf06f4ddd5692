"""An event that the match cannot take over never reaches the record."""

from pathlib import Path

import pytest

from companion.errors import InvalidRecord
from companion.games import load
from companion.host.ledger import Ledger
from companion.record.log import Record
from companion.referee.match import Draft


@pytest.mark.parametrize("draft", [Draft("play", {}), Draft("dance", {}), Draft("undo", {"cause": "answer"})])
def test_a_refused_event_is_not_half_on_record(tmp_path: Path, draft: Draft) -> None:
    with Record.open(tmp_path / "game.record") as record:
        ledger = Ledger(load(), record, lambda: 1000.0)
        ledger.open_match(None, None)
        before = ledger.match
        with pytest.raises(InvalidRecord, match=rf"event 2.*{draft.kind}"):
            ledger.write([draft])
        assert [event.kind for event in record.events()] == ["match-opened"] and ledger.match is before
        ledger.write([Draft("notice", {"code": "x", "text": "", "params": {}})])
    with Record.open(tmp_path / "game.record") as record:
        assert [event.kind for event in record.events()] == ["match-opened", "notice"]
