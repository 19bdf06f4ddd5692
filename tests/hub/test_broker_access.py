"""A real Mosquitto with the files of ``companion hub enrol``: over TLS by the house's authority, each table by itself."""

import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hall_stories import StoryTable, chained
from halls import QUICK, running
from servers import Mosquitto, until
from testkit.ports import free_port

from companion.host.authority import Authority
from companion.hub import broker_files, credentials, wire
from companion.hub.link import TableAddress, table_address
from companion.hub.store import open_store
from companion.hub.store.port import Enrolled
from companion.hub.transport.mqtt import HUB_USER, MqttHub, MqttTable
from companion.hub.uplink.uplink import Uplink


class Guarded:
    """A broker over TLS, with two tables that were let in."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority.open(folder / "authority.json")
        self.files, self.secrets = folder / "broker", {name: credentials.new_secret() for name in ("t1", "t2")}
        for number, (name, secret) in enumerate(self.secrets.items(), 1):
            names = list(self.secrets)[:number]
            self.hub_secret = broker_files.write(self.files, names, name, secret, self.authority, ["127.0.0.1"])
        self.secure = free_port()
        config = (self.files / broker_files.CONFIGURATION).read_text()
        head, _, tail = config.partition(f"listener {broker_files.PORT} 127.0.0.1")
        tail = tail.replace(f"listener {broker_files.SECURE_PORT}", f"listener {self.secure} 127.0.0.1")
        self.broker = Mosquitto(folder / "mosquitto", head + tail)

    def table(self, name: str, secret: str | None = None) -> TableAddress:
        kept = self.secrets[name] if secret is None else secret
        return table_address(TableAddress("mqtts", "127.0.0.1", self.secure, name, kept, self.authority.certificate).link())


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    made = Guarded(tmp_path_factory.mktemp("guarded"))
    made.broker.start()
    yield made
    made.broker.kill()


class Ear:
    """What one connection is told."""

    def __init__(self, address: TableAddress) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.linked: list[tuple[bool, str]] = []
        self.link = MqttTable(address)
        self.link.start(lambda kind, body: self.heard.append((kind, body)), lambda there, why: self.linked.append((there, why)))

    def close(self) -> None:
        self.link.close()


def test_a_table_plays_over_tls_with_its_credential(guarded: Guarded, tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "hall.sqlite"))
    with running(store) as hall:
        link = MqttHub(
            f"mqtts://{HUB_USER}:{guarded.hub_secret}@127.0.0.1:{guarded.secure}", hall.hall.receive,
            guarded.authority.certificate,
        )  # fmt: skip
        hall.hall.reach(link.push)
        link.start()
        hall.stack.callback(link.close)
        store.enrol(Enrolled("t1", "Table 1", credentials.digest(guarded.secrets["t1"]), 1.0))
        hall.hall.read_enrolled()
        table = StoryTable("m1", chained(12))
        uplink = Uplink(table, MqttTable(guarded.table("t1")), settings=QUICK)
        uplink.start()
        until(lambda: hall.has("t1", table))
        uplink.close(0.0)
    store.close()


def test_a_stolen_credential_writes_its_own_topic_and_reads_nothing(guarded: Guarded) -> None:
    """The thief speaks MQTT himself: he listens to everything and writes everywhere."""
    import paho.mqtt.client as paho  # noqa: PLC0415

    arrived: list[tuple[str, str, bytes]] = []
    hub = MqttHub(
        f"mqtts://{HUB_USER}:{guarded.hub_secret}@127.0.0.1:{guarded.secure}",
        lambda table, kind, body: arrived.append((table, kind, body)), guarded.authority.certificate,
    )  # fmt: skip
    hub.start()
    until(lambda: not hub.trouble)
    victim = Ear(guarded.table("t2"))
    until(lambda: (True, "") in victim.linked)
    thief, heard, done = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5), [], []
    context = guarded.table("t1").context()
    assert context is not None
    thief.tls_set_context(context)
    thief.username_pw_set("t1", guarded.secrets["t1"])
    thief.on_message = lambda client, data, message: heard.append(message.topic)
    thief.on_publish = lambda client, data, number, reason, properties: done.append(reason)
    thief.connect("127.0.0.1", guarded.secure)
    thief.loop_start()
    until(thief.is_connected)
    for topic in (
        "#",
        "table-witness/#",
        "table-witness/t1/up/#",
        "table-witness/t2/up/#",
        "table-witness/t2/down/#",
        "$SYS/#",
    ):
        thief.subscribe(topic, qos=1)
    for topic in (
        "table-witness/t2/up/events", "table-witness/t2/up/state", "table-witness/t2/down/ruling",
        "table-witness/t1/down/ruling", "table-witness/t1/up/events", "homeassistant/sensor/x/config",
    ):  # fmt: skip
        thief.publish(topic, b"{}", qos=1)
    hub.push("t2", wire.Committed("m1", 3, "ab"))
    assert victim.link.send(wire.EVENTS, b'{"from": "t2"}')
    until(lambda: len(done) == 6 and bool(victim.heard) and ("t2", "events", b'{"from": "t2"}') in arrived)
    time.sleep(0.3)  # what he is not to hear has had its time
    assert [(table, kind) for table, kind, body in arrived if kind == "events"].count(("t1", "events")) == 1
    assert ("t2", "events", b"{}") not in arrived and ("t2", "state", b"{}") not in arrived
    assert victim.heard == [("committed", wire.Committed("m1", 3, "ab").encode())]
    assert heard == []
    assert [reason.is_failure for reason in done] == [True, True, True, True, False, True]
    thief.disconnect()
    thief.loop_stop()
    victim.close()
    hub.close()


def test_a_broker_that_refuses_says_so_in_one_sentence(guarded: Guarded) -> None:
    ear = Ear(guarded.table("t1", "guessed"))
    until(lambda: bool(ear.linked))
    assert not ear.linked[0][0] and "the broker refuses" in ear.linked[0][1]
    ear.close()


def test_a_credential_that_was_taken_back_is_good_no_more(guarded: Guarded) -> None:
    broker_files.write(guarded.files, ["t1"], "t2", "", guarded.authority, ["127.0.0.1"])
    guarded.broker.reload()
    ear = Ear(guarded.table("t2"))
    until(lambda: bool(ear.linked))
    assert not ear.linked[0][0] and "refuses" in ear.linked[0][1]
    ear.close()
    other = Ear(guarded.table("t1"))
    until(lambda: (True, "") in other.linked)
    other.close()


# What the MQTT library leaves of a handshake that failed is closed by Python's collector, which says so.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_foreign_certificate_is_not_trusted(guarded: Guarded, tmp_path: Path) -> None:
    stranger = Authority.open(tmp_path / "other.json")
    here = guarded.table("t1")
    ear = Ear(TableAddress(here.scheme, here.host, here.port, here.table, here.secret, stranger.certificate))
    until(lambda: bool(ear.linked))
    assert not ear.linked[0][0] and "its certificate is not trusted" in ear.linked[0][1]
    ear.close()


class OldBroker:
    """A broker that knows MQTT 3.1.1 only: Mosquitto behind a gate that hangs up on anything newer."""

    def __init__(self, port: int) -> None:
        self._port, self.refused = port, 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.server.getsockname()[1])

    def serve(self) -> None:
        import threading  # noqa: PLC0415

        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        import threading  # noqa: PLC0415

        while True:
            try:
                visitor, _ = self.server.accept()
            except OSError:
                return
            first = visitor.recv(4096)
            if b"MQTT\x05" in first:
                self.refused += 1
                visitor.close()
                continue
            behind = socket.create_connection(("127.0.0.1", self._port))
            behind.sendall(first)
            for source, sink in ((visitor, behind), (behind, visitor)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for one in (source, sink):
            one.close()


def test_an_old_broker_is_spoken_to_as_it_can(broker: Mosquitto) -> None:
    old = OldBroker(broker.port)
    old.serve()
    ear = Ear(TableAddress("mqtt", "127.0.0.1", old.port, "t1", "x"))
    until(lambda: (True, "") in ear.linked)
    assert old.refused == 1
    assert ear.link.send(wire.HELLO, b"{}")
    ear.close()
    old.server.close()


def test_a_link_is_whole_or_refused_without_what_is_secret(tmp_path: Path) -> None:
    from companion.errors import BadInput  # noqa: PLC0415

    address = TableAddress("mqtts", "10.0.0.2", 8883, "t1", "hunter2+/=", b"\x30\x82")
    assert table_address(address.link()) == address
    (tmp_path / "t1.hall").write_text(address.link() + "\n")
    assert table_address(str(tmp_path / "t1.hall")) == address
    assert "hunter2" not in repr(address)
    for given in (
        "ftp://x/hall#t=t1&k=hunter2",
        "http://x/hall#t=t1",
        "http:///hall#t=t1&k=hunter2",
        "nowhere",
        "http://x:y/#t=t1",
    ):
        with pytest.raises(BadInput, match="--hub") as refused:
            table_address(given)
        assert "hunter2" not in str(refused.value)
    with pytest.raises(BadInput, match="damaged"):
        address.context()
    assert isinstance(TableAddress("https", "x", 443, "t1", "s").context(), ssl.SSLContext)
