"""``--hub``: the table sends its record to a hall of tables, and takes the arbiter's rulings from there."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.errors import BadInput
from companion.hub.link import TableAddress, table_address
from companion.hub.model import AUDIENCES

if TYPE_CHECKING:
    from companion.hub.uplink.uplink import SentTable

    class ShownTable(SentTable, Protocol):
        """A table with a camera."""

        def picture(self, overlay: bool, /) -> bytes | None: ...


LEFT = "hall-left-{table}.json"  # in the data folder: records of a table that a hall does not have whole yet


@dataclass(frozen=True)
class HubChoice:
    """Which hall, the folder that remembers what it does not have yet, and who in the hall may see the camera's picture: nobody
    where it is empty."""

    address: TableAddress
    folder: Path
    picture: str = ""

    @contextmanager
    def joined(self, table: "ShownTable", record: Path, *, kept: bool = True) -> Iterator[None]:
        """Keep the hall up with a table. ``kept``: the record outlives the session, so what the hall misses is sent later."""
        from companion.hub.transport.http_table import HttpTable  # noqa: PLC0415 - only tables of a hall load it
        from companion.hub.uplink.leftovers import Leftovers  # noqa: PLC0415
        from companion.hub.uplink.pictures import SentPicture  # noqa: PLC0415
        from companion.hub.uplink.uplink import Uplink  # noqa: PLC0415

        if self.address.broker:
            from companion.hub.transport.mqtt import MqttTable  # noqa: PLC0415 - needs the extra 'hall'

            link: HttpTable | MqttTable = MqttTable(self.address)
        else:
            link = HttpTable(self.address)
        left = Leftovers(self.folder / LEFT.format(table=self.address.table))
        shown = SentPicture(lambda: table.picture(False), self.picture) if self.picture else None
        uplink = Uplink(table, link, record.resolve() if kept else None, left, picture=shown)
        uplink.start()
        try:
            yield
        finally:
            uplink.close()


def add_option(command: argparse.ArgumentParser) -> None:
    """Add ``--hub`` and ``--hub-picture``."""
    command.add_argument(
        "--hub", metavar="LINK", help="send this table to a hall: the link of 'companion hub enrol', or a file that holds it"
    )
    command.add_argument(
        "--hub-picture", choices=AUDIENCES,
        help="let the hall's arbiters, or its spectators as well, see a small picture of the camera (nobody)",
    )  # fmt: skip


def choose(options: argparse.Namespace, folder: Path) -> HubChoice | None:
    """What the options mean; None without ``--hub``. Raises BadInput."""
    if options.hub is None:
        if options.hub_picture is not None:
            raise BadInput("--hub-picture: is for a table of a hall; name the hall by --hub")
        return None
    return HubChoice(table_address(options.hub), folder, options.hub_picture or "")
