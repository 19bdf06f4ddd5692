"""The API's description says what the code does, and no body however strange gets anything but the one error shape."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import games
from companion.games.expectations import Question
from companion.referee.view import expected_json
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.roles import PUBLIC, ROUTES, rights_of
from companion.web.settings import PageSettings

FIELDS = rights_of(games.load()).fields
DOCUMENT = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text(encoding="utf-8"))
OPERATIONS = [(method.upper(), path, one) for path, methods in DOCUMENT["paths"].items() for method, one in methods.items()]
BODIES = [(path, one["requestBody"]["content"]) for method, path, one in OPERATIONS if method == "POST"]


def test_every_route_is_described_with_its_roles_and_no_other(app: Any) -> None:
    routes = {
        (method, re.sub(r"<path:(\w+)>", r"{\1}", rule.rule)): sorted(ROUTES[rule.endpoint])
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert {(method, path): one["x-roles"] for method, path, one in OPERATIONS} == routes
    for method, path, one in OPERATIONS:
        assert (one.get("security") == []) == (PUBLIC in one["x-roles"]), path
        assert one["responses"]["default"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}
        assert ("requestBody" in one) == (method == "POST")


def test_every_answer_is_described_with_its_fields() -> None:
    described = {
        one["properties"]["kind"]["const"]: set(one["properties"]) - {"kind"}
        for one in DOCUMENT["components"]["schemas"]["Answer"]["oneOf"]
    }
    assert described == {kind: set(fields) for kind, fields in FIELDS.items()}


def test_a_question_is_described_with_all_that_is_sent_of_it() -> None:
    kinds = DOCUMENT["components"]["schemas"]["Expectation"]["oneOf"]
    described = next(set(one["properties"]) for one in kinds if one["properties"]["kind"]["const"] == "question")
    assert set(expected_json(Question("how", "jack", "How?", given=0))) | {"pointed"} == described


def test_references_lead_somewhere() -> None:
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(DOCUMENT)):
        part = DOCUMENT
        for key in reference.split("/"):
            part = part[key]


_WORDS = sorted(
    {word for one in FIELDS.values() for word in one} | {"kind", "role", "seat", "hours", "id", "token", "box", "on"}
)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(sorted(FIELDS)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_WORDS) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


class Patient(FakeTable):
    """Takes every answer: what is tested here is what comes before the table."""

    def answer(self, answer: dict[str, Any], /, *, saw: int | None = None) -> dict[str, Any]:
        return {}


@pytest.fixture(scope="module")
def fuzzed() -> Any:
    return create_app(Patient(), PageSettings(answers_burst=100_000)).test_client()


@pytest.mark.parametrize("path", [path for path, content in BODIES if "application/json" in content])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(body=_JSON)
def test_strange_bodies_get_the_one_error_shape(fuzzed: Any, path: str, body: Any) -> None:
    response = fuzzed.post(path, json=body, headers={HEADER: "1"})
    assert response.status_code < 500 or response.get_json()["error"]["code"] in ("no-boxes", "no-notes")
    if response.status_code >= 400:
        error = response.get_json()
        assert set(error) == {"error"}
        assert set(error["error"]) == {"code", "message", "advice"}
        assert all(error["error"].values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("method", "path"), [(method, path) for method, path, _ in OPERATIONS if path != "/api/events"])
def test_requests_made_from_the_description_are_served_or_refused_in_order(method: str, path: str) -> None:
    """Schemathesis draws requests from the document; an open stream never ends, so it is left to its own tests."""
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is missing: pip install -e '.[test]'")
    app = create_app(Patient(), PageSettings(answers_burst=100_000, frames_per_second=1000))
    operation = schemathesis.openapi.from_dict(DOCUMENT)[path][method]

    @settings(max_examples=12, suppress_health_check=list(HealthCheck), database=None)
    @given(case=operation.as_strategy())
    def served_or_refused(case: Any) -> None:
        response = case.call(app=app)
        if response.status_code >= 400:
            error = response.json()["error"]
            assert set(error) == {"code", "message", "advice"}
            assert error["code"] != "internal"

    served_or_refused()
