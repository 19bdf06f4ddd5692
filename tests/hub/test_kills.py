"""Broker, hub and database killed at random while tables play: nothing lost, doubled or out of order, digest by digest."""

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hall_stories import StoryTable
from halls import QUICK, SECRET
from hub_process import HubProcess
from servers import Mosquitto, Postgres, until

from companion.hub import credentials
from companion.hub.link import TableAddress
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled, Store
from companion.hub.transport.http_table import HttpTable
from companion.hub.transport.mqtt import MqttTable
from companion.hub.uplink.uplink import Uplink

PACE_S = 0.05


class Playing(threading.Thread):
    """A table at which something happens twenty times a second."""

    def __init__(self, table: StoryTable, stopped: threading.Event) -> None:
        super().__init__(daemon=True)
        self.table, self.stopped = table, stopped

    def run(self) -> None:
        self.table.begin()
        while not self.stopped.wait(PACE_S):
            self.table.write("notice", {"code": "played", "number": len(self.table.record)})


def held(store: Store, name: str, table: StoryTable) -> list[str]:
    return [event.digest for event in store.events(name, table.match, 0, 1_000_000)]


def storm(kills: list[str], tables: int, gap_s: float, folder: Path, postgres: Postgres, broker: Mosquitto) -> str:
    """Kills what is named, in a random order, while tables play over both transports. Says what it came to."""
    chance = random.Random(len(kills))
    chance.shuffle(kills)
    url = postgres.database()
    store = open_store(url)
    hub = HubProcess(folder / "hub", "--database", url, "--broker", f"mqtt://127.0.0.1:{broker.port}")
    uplinks: list[Uplink] = []
    try:
        return _storm(kills, tables, gap_s, hub, store, postgres, broker, chance, uplinks)
    finally:
        for uplink in uplinks:
            uplink.close(0.0)
        hub.kill()
        store.close()


def _storm(
    kills: list[str],
    tables: int,
    gap_s: float,
    hub: HubProcess,
    store: Store,
    postgres: Postgres,
    broker: Mosquitto,
    chance: random.Random,
    uplinks: list[Uplink],
) -> str:
    stopped = threading.Event()
    hub.start()
    played: dict[str, StoryTable] = {}
    for number in range(tables):
        name = f"t{number}"
        store.enrol(Enrolled(name, name, credentials.digest(SECRET), 1.0))
        table = played[name] = StoryTable(f"m{number}")
        scheme, port = ("mqtt", broker.port) if number % 3 else ("http", hub.port)
        address = TableAddress(scheme, "127.0.0.1", port, name, SECRET)
        link = MqttTable(address) if number % 3 else HttpTable(address)
        uplinks.append(Uplink(table, link, settings=QUICK))
    hub.wait()
    threads = [Playing(table, stopped) for table in played.values()]
    for one in (*uplinks, *threads):
        one.start()

    def kill_hub() -> None:
        hub.kill()
        hub.start()

    def kill_broker() -> None:
        broker.kill()
        broker.start()

    def restart_database() -> None:
        postgres.stop()
        postgres.start()

    ways: dict[str, Callable[[], None]] = {"hub": kill_hub, "broker": kill_broker, "database": restart_database}
    for what in kills:
        time.sleep(chance.uniform(0.3, 1.0) * gap_s)
        ways[what]()
    stopped.set()
    for thread in threads:
        thread.join()
    until(lambda: all(uplink.done for uplink in uplinks), "the tables did not catch up", 90)
    lost = doubled = 0
    for name, table in played.items():
        digests = held(store, name, table)
        assert digests == [event.digest for event in table.record], name
        lost += len(table.record) - len(digests)
        doubled += len(digests) - len(set(digests))
    events = sum(len(table.record) for table in played.values())
    return f"{len(kills)} kills, {tables} tables, {events} events: {lost} lost, {doubled} doubled, 0 out of order"


def test_what_is_killed_costs_no_event(tmp_path: Path, postgres: Postgres, broker: Mosquitto) -> None:
    print(storm(["hub", "broker", "broker", "database"], 4, 0.6, tmp_path, postgres, broker))


@pytest.mark.slow
def test_what_is_killed_fifty_times_costs_no_event(tmp_path: Path, postgres: Postgres, broker: Mosquitto) -> None:
    print(storm(["hub"] * 20 + ["broker"] * 20 + ["database"] * 10, 9, 4.0, tmp_path, postgres, broker))
