"""A hall that runs in this process, reached over HTTP or a real broker, and tables joined to it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from hall_stories import StoryTable
from servers import Mosquitto, until

from companion.hub import credentials
from companion.hub.app import create_app, hub_settings
from companion.hub.hall import LiveHall
from companion.hub.hall_settings import HallSettings
from companion.hub.link import TableAddress
from companion.hub.store.port import Enrolled, Store
from companion.hub.transport.http_table import HttpTable
from companion.hub.transport.mqtt import MqttHub, MqttTable
from companion.hub.transport.port import TableLink
from companion.hub.uplink.outbox import OutboxSettings
from companion.hub.uplink.pictures import SentPicture
from companion.hub.uplink.uplink import Uplink, UplinkSettings
from companion.web.server import PageServer

QUICK = UplinkSettings(
    look_s=0.05, state_s=0.02, beat_s=1.0, lost_s=1.0, outbox=OutboxSettings(resend_s=0.3, most_resend_s=2.0)
)
SECRET = "a-secret-of-the-tests"


@dataclass
class RunningHall:
    """``address`` gives a table's way in."""

    hall: LiveHall
    store: Store
    stack: ExitStack
    port: int
    broker: Mosquitto | None = None
    uplinks: list[Uplink] = field(default_factory=list)

    def enrol(self, table: str, secret: str = SECRET) -> None:
        self.store.enrol(Enrolled(table, table.title(), credentials.digest(secret), 1.0))
        self.hall.read_enrolled()

    def address(self, table: str, secret: str = SECRET) -> TableAddress:
        scheme, port = ("http", self.port) if self.broker is None else ("mqtt", self.broker.port)
        return TableAddress(scheme, "127.0.0.1", port, table, secret)

    def link(self, table: str, secret: str = SECRET) -> TableLink:
        address = self.address(table, secret)
        return MqttTable(address) if address.broker else HttpTable(address)

    def join(
        self, name: str, table: StoryTable, settings: UplinkSettings = QUICK, picture: SentPicture | None = None
    ) -> Uplink:
        uplink = Uplink(table, self.link(name), settings=settings, picture=picture)
        uplink.start()
        self.stack.callback(uplink.close, 0.0)
        return uplink

    def has(self, name: str, table: StoryTable) -> bool:
        """Whether the hall has the table's record, digest by digest."""
        held = self.store.events(name, table.match, 0, 100_000)
        return [event.digest for event in held] == [event.digest for event in table.record]


@contextmanager
def running(store: Store, broker: Mosquitto | None = None, settings: HallSettings | None = None) -> Iterator[RunningHall]:
    with ExitStack() as stack:
        hall = LiveHall(store, settings=settings)
        app = create_app(hall)
        hall.start()
        stack.callback(hall.close)
        server = stack.enter_context(PageServer(app, settings=hub_settings()))
        if broker is not None:
            link = MqttHub(f"mqtt://hub:{SECRET}@127.0.0.1:{broker.port}", hall.receive)
            hall.reach(link.push)
            link.start()
            stack.callback(link.close)
            until(lambda: not link.trouble, link.trouble)
        with ExitStack() as tables:
            yield RunningHall(hall, store, tables, int(server.address.rstrip("/").rpartition(":")[2]), broker)
