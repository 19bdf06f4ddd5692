"""Databases and brokers of the hall's tests: one server of each kind a run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import Postgres, running_postgres


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    yield from running_postgres(tmp_path_factory.mktemp("postgres"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "hall.sqlite")
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster.database()
