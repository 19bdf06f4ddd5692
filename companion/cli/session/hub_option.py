"""``--hub``: the table sends its record to a hall of tables, and takes the arbiter's rulings from there."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.hub.link import TableAddress, table_address

if TYPE_CHECKING:
    from companion.hub.uplink.uplink import SentTable

LEFT = "hall-left-{table}.json"  # in the data folder: records of a table that a hall does not have whole yet


@dataclass(frozen=True)
class HubChoice:
    """Which hall, and the folder that remembers what it does not have yet."""

    address: TableAddress
    folder: Path

    @contextmanager
    def joined(self, table: "SentTable", record: Path, *, kept: bool = True) -> Iterator[None]:
        """Keep the hall up with a table. ``kept``: the record outlives the session, so what the hall misses is sent later."""
        from companion.hub.transport.http_table import HttpTable  # noqa: PLC0415 - only tables of a hall load it
        from companion.hub.uplink.leftovers import Leftovers  # noqa: PLC0415
        from companion.hub.uplink.uplink import Uplink  # noqa: PLC0415

        if self.address.broker:
            from companion.hub.transport.mqtt import MqttTable  # noqa: PLC0415 - needs the extra 'hall'

            link: HttpTable | MqttTable = MqttTable(self.address)
        else:
            link = HttpTable(self.address)
        left = Leftovers(self.folder / LEFT.format(table=self.address.table))
        uplink = Uplink(table, link, record.resolve() if kept else None, left)
        uplink.start()
        try:
            yield
        finally:
            uplink.close()


def add_option(command: argparse.ArgumentParser) -> None:
    """Add ``--hub``."""
    command.add_argument(
        "--hub", metavar="LINK", help="send this table to a hall: the link of 'companion hub enrol', or a file that holds it"
    )


def choose(options: argparse.Namespace, folder: Path) -> HubChoice | None:
    """What the option means; None without it. Raises BadInput."""
    return None if options.hub is None else HubChoice(table_address(options.hub), folder)
