"""A request sent again because its answer was lost on the way is done once, and answered as the first time."""

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from fake_table import FakeTable
from flask import Flask, Response

from companion.web.guard import HEADER
from companion.web.idempotency import HEADER as NAME
from companion.web.idempotency import AnswerCache


def send(client: Any, message: dict[str, Any], name: str | None = "one", address: str = "/api/answers") -> Any:
    headers = {HEADER: "1"} | ({NAME: name} if name is not None else {})
    return client.post(address, json=message, headers=headers)


def test_an_answer_that_is_sent_again_counts_once(client: Any, table: FakeTable) -> None:
    first, again = send(client, {"kind": "undo"}), send(client, {"kind": "undo"})
    assert table.taken == [{"kind": "undo"}]
    assert (again.status_code, again.get_json()) == (first.status_code, first.get_json()) == (200, {"accepted": "undo"})
    send(client, {"kind": "undo"}, "two")
    send(client, {"kind": "undo"}, None)
    assert len(table.taken) == 3


def test_an_answer_that_was_refused_may_be_sent_again(client: Any, table: FakeTable) -> None:
    table.refuse = "nothing to take back"
    assert send(client, {"kind": "undo"}).status_code == 400
    table.refuse = None
    assert send(client, {"kind": "undo"}).status_code == 200
    assert len(table.taken) == 1


def test_one_that_comes_while_the_first_is_being_done_waits_for_it(app: Any, table: FakeTable) -> None:
    begun, go_on = threading.Event(), threading.Event()
    take = table.answer

    def slow(answer: dict[str, Any], /, *, saw: int | None = None) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(10)
        return take(answer)

    table.answer = slow  # type: ignore[method-assign]
    got: list[int] = []
    threads = [threading.Thread(target=lambda: got.append(send(app.test_client(), {"kind": "undo"}).status_code)) for _ in "ab"]
    threads[0].start()
    assert begun.wait(10)
    threads[1].start()
    time.sleep(0.1)
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert (got, len(table.taken)) == ([200, 200], 1)


def test_what_took_longer_than_answers_are_kept_is_kept_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sent it again while it was being done would have had it done a second time."""
    now, done = [0.0], []
    monkeypatch.setattr("companion.web.idempotency.visitor", lambda: SimpleNamespace(held=None))

    def view() -> Response:
        done.append(now[0])
        now[0] += 1000.0
        return Response(b"done")

    app = Flask(__name__)
    app.add_url_rule("/", view_func=AnswerCache(lambda: now[0]).once(view), methods=["POST"])
    for _ in range(2):
        assert app.test_client().post("/", headers={NAME: "one"}).data == b"done"
    assert done == [0.0]


def test_another_answer_under_the_same_name_is_refused(client: Any, table: FakeTable) -> None:
    send(client, {"kind": "undo"})
    assert send(client, {"kind": "recall"}).get_json()["error"]["code"] == "other-request"
    assert len(table.taken) == 1


def test_a_link_that_is_asked_for_again_is_the_same_link(client: Any) -> None:
    links = {send(client, {"role": "jack"}, "seat", "/api/passes").get_json()["link"] for _ in range(3)}
    assert len(links) == 1


@pytest.mark.parametrize("name", ["", "x" * 65])
def test_a_name_that_is_none_is_refused(client: Any, name: str) -> None:
    assert send(client, {"kind": "undo"}, name).status_code == 400
