"""The one state of a table: what keeps the companion from its work comes first, and nothing bad is called well."""

from typing import Any

import pytest

from companion.host.status import STATES, status

RUNNING: dict[str, Any] = {"name": "door", "state": "running", "since": 5.0, "ailing": []}


def of(source: dict[str, Any] | None = None, kinds: tuple[str, ...] = (), **shown: Any) -> Any:
    return status({"phase": "play", "adjourned": False, **shown}, {**RUNNING, **(source or {})}, [{"kind": k} for k in kinds])


@pytest.mark.parametrize(
    ("state", "found"),
    [
        ("watching", of()),
        ("still", of({"state": "still"})),
        ("partly", of({"ailing": [{"name": "b", "state": "lost", "since": 3.0}]})),
        ("frozen", of({"state": "frozen"})),
        ("silent", of({"state": "stalled"})),
        ("lost", of({"state": "lost"})),
        ("ended", of({"state": "over"})),
        ("ended", of({"state": "ended"})),
        ("starting", of({"state": "starting"})),
        ("out-of-sight", of(kinds=("sight",))),
        ("disk", of({"state": "lost"}, ("disk",))),
        ("left-out", of(kinds=("reading",))),
        ("set-up", of(phase="set-up")),
        ("adjourned", of({"state": "lost"}, adjourned=True)),
        ("over", of({"state": "lost"}, phase="over")),
        ("frozen", of({"state": "frozen"}, phase="set-up")),
    ],
)
def test_each_state_is_told_as_what_it_is(state: str, found: Any) -> None:
    assert found["state"] == state and state in STATES


def test_since_when_is_told_where_a_camera_is_the_reason() -> None:
    assert of({"state": "frozen"})["since"] == 5.0
    assert of({"ailing": [{"name": "b", "state": "lost", "since": 3.0}]})["since"] == 3.0
    assert of()["since"] is None
