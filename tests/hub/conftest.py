"""Databases and brokers of the hall's tests: one server of each kind a run."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from halls import RunningHall, running
from servers import Mosquitto, Postgres, running_postgres

from companion.hub.store import open_store


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    yield from running_postgres()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "hall.sqlite")
    cluster: Postgres = request.getfixturevalue("postgres")
    return cluster.database()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that lets everybody in, for what is not about who may; it remembers nothing of another test."""
    made = Mosquitto(tmp_path / "mosquitto", "allow_anonymous true\n")
    made.start()
    yield made
    made.kill()


@pytest.fixture(params=["http", "mqtt"])
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunningHall]:
    """A hall over SQLite, reached each way in turn."""
    broker = request.getfixturevalue("broker") if request.param == "mqtt" else None
    with closing(open_store(str(tmp_path / "hall.sqlite"))) as store, running(store, broker) as made:
        yield made
