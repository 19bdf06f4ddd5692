"""What happens in a page's server while somebody else does something: a late spectator at the end, two readers of one cache."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from fake_table import FakeTable

from companion.web import views
from companion.web.guard import HEADER
from companion.web.localisation import LocalisedBodies
from companion.web.problems import Problem
from companion.web.settings import PageSettings
from companion.web.views import Views


def test_a_spectator_who_comes_while_a_page_ends_does_not_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Views(FakeTable(), PageSettings(watch_seconds=0.1))
    begun: list[Any] = []

    class Past(views.DelayedTable):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            begun.append(self)

        def close(self) -> None:
            with suppress(Problem):
                page.begin(60)
            super().close()

    monkeypatch.setattr(views, "DelayedTable", Past)
    page.begin(30)
    page.close()
    with pytest.raises(Problem, match="shutting down"):
        page.begin(90)
    assert all(one._closed.is_set() for one in begun)


def test_two_threads_that_tell_a_snapshot_at_once_both_tell_it() -> None:
    bodies = LocalisedBodies(size=2)

    class Kept(dict[Any, bytes]):
        """Another thread lays something in while this one looks for the oldest."""

        def __iter__(self) -> Iterator[Any]:
            found = super().__iter__()
            lock = getattr(bodies, "_lock", None)
            if lock is None or not lock.locked():
                self[b"{}", f"x{len(self)}"] = b""
            return found

    bodies._kept = Kept()
    for number in range(5):
        assert bodies(b'{"number":%d}' % number, "it") == b'{"number":%d}' % number


def test_an_answer_says_what_was_seen_when_it_was_given(client: Any, table: FakeTable) -> None:
    for about, saw in (("?about=7", 7), ("?about=x", None), ("", None)):
        answer = client.post(f"/api/answers{about}", json={"kind": "undo"}, headers={HEADER: "1"})
        assert (answer.status_code, table.saw) == (200, saw)
