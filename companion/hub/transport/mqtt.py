"""Messages over an MQTT broker: MQTT 5 where it speaks it, else 3.1.1. QoS 1, pictures 0; states are kept by the broker, and it
says itself that a table is offline (last will).

A table writes below ``table-witness/TABLE/up`` and reads below ``table-witness/TABLE/down``; no credential may do more
(:mod:`companion.hub.broker_files`).
"""

import logging
import ssl
import threading
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import unquote

from companion import __version__
from companion.errors import BadInput
from companion.hub import wire
from companion.hub.link import PORTS, TableAddress, parts_of
from companion.hub.model import TABLE_ID
from companion.hub.transport.port import Heard, Linked

ROOT = "table-witness"
HUB_USER = "hub"
INSTALL = "a broker needs one more package; run: pip install 'table-witness[hall]'"
KEEP_ALIVE_S = 15
"""After one and a half of these, 5 to 60 s, a broker calls a silent table offline."""
SESSION_S = 3600
"""How long a broker keeps what was sent to somebody who is away (MQTT 5), 60 s to a day."""
RETRY_S = (0.5, 20)
"""The shortest and the longest wait before the broker is tried again; doubled each time."""
MOST_WAITING = 2000
"""Messages that wait for a broker which acknowledges none, 200 to 20,000; beyond it they are not sent, and sent again later."""
ANEW = "write its files anew with 'companion hub enrol'"
_KEPT = frozenset({wire.STATE, wire.ONLINE})
_LOG = logging.getLogger(__name__)


class Receive(Protocol):
    """Takes a table's message."""

    def __call__(self, table: str, kind: str, body: bytes, /) -> object: ...


class MqttTable:
    """See :class:`~companion.hub.transport.port.TableLink`."""

    def __init__(self, address: TableAddress) -> None:
        """Raises BadInput when the package is missing or the certificate is none."""
        self._up, self._down = f"{ROOT}/{address.table}/up", f"{ROOT}/{address.table}/down"
        self._heard: Heard | None = None
        self._linked: Linked | None = None
        self._client = _Client(
            address.host, address.port, address.context(), f"table-{address.table}", (address.table, address.secret),
            subscribe=f"{self._down}/+", will=f"{self._up}/{wire.ONLINE}", on_message=self._message, on_link=self._link,
            on_refused=self._refused,
        )  # fmt: skip

    def start(self, heard: Heard, linked: Linked) -> None:
        """See :class:`TableLink`."""
        self._heard, self._linked = heard, linked
        self._client.start()

    def send(self, kind: str, body: bytes) -> bool:
        """See :class:`TableLink`."""
        # A picture is for now: no broker keeps it for later, not even for a hub that is away.
        return self._client.publish(f"{self._up}/{kind}", body, retain=kind in _KEPT, qos=0 if kind == wire.PICTURE else 1)

    def close(self) -> None:
        """See :class:`TableLink`."""
        self._client.publish(f"{self._up}/{wire.ONLINE}", b"0", retain=True)
        self._client.close()

    def _message(self, topic: str, body: bytes) -> None:
        if self._heard is not None:
            self._heard(topic.rpartition("/")[2], body)

    def _link(self, there: bool, why: str) -> None:
        if there:
            self._client.publish(f"{self._up}/{wire.ONLINE}", b"1", retain=True)
        if self._linked is not None:
            self._linked(there, why)

    def _refused(self, why: str) -> None:
        self._client.give_up(why)  # nothing of this table arrives


class MqttHub:
    """See :class:`~companion.hub.transport.port.HubLink`. ``broker``: ``mqtt(s)://[USER:PASSWORD@]HOST[:PORT]``."""

    def __init__(self, broker: str, receive: Receive, ca: bytes = b"") -> None:
        """``ca``: the house's authority (DER), when the broker's certificate is its. Raises BadInput."""
        parts = parts_of(broker)
        if parts is None or parts.scheme not in ("mqtt", "mqtts"):
            raise BadInput("--broker: mqtt://HOST or mqtts://HOST is allowed, with user and password before an @")
        port = parts.port or PORTS[parts.scheme]
        address = TableAddress(parts.scheme, str(parts.hostname), port, HUB_USER, "", ca)
        self.place, self._receive = address.place, receive
        self.trouble = "it was not reached yet"
        """Why the broker is not reached; empty while it is."""
        login = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        self._client = _Client(
            address.host, port, address.context(), "table-witness-hub", login,
            subscribe=f"{ROOT}/+/up/+", will=None, on_message=self._message, on_link=self._link,
            on_refused=self._refused,
        )  # fmt: skip

    def start(self) -> None:
        """See :class:`HubLink`."""
        self._client.start()

    def close(self) -> None:
        """See :class:`HubLink`."""
        self._client.close()

    def push(self, table: str, message: wire.Down) -> None:
        """Send a message to a table."""
        kind, body = wire.encode_down(message)
        self._client.publish(f"{ROOT}/{table}/down/{kind}", body)

    def publish(self, topic: str, body: bytes) -> None:
        """Send anything, to be kept by the broker."""
        self._client.publish(topic, body, retain=True)

    @property
    def reached(self) -> bool:
        """Whether the broker is there."""
        return not self.trouble

    def _message(self, topic: str, body: bytes) -> None:
        parts = topic.split("/")
        if len(parts) == 4 and TABLE_ID.fullmatch(parts[1]) and parts[3] in wire.UP:
            self._receive(parts[1], parts[3], body)

    def _link(self, there: bool, why: str) -> None:
        if self.trouble != why:
            _LOG.log(logging.INFO if there else logging.WARNING, "broker %s: %s", self.place, why or "reached")
        self.trouble = why

    def _refused(self, why: str) -> None:
        self._link(False, why)  # what tables send is taken in all the same


class _Client:
    """One connection to a broker that comes again by itself, speaking the newest protocol that the broker does."""

    def __init__(
        self,
        host: str,
        port: int,
        context: ssl.SSLContext | None,
        name: str,
        login: tuple[str, str] | None,
        *,
        subscribe: str,
        will: str | None,
        on_message: Callable[[str, bytes], None],
        on_link: Callable[[bool, str], None],
        on_refused: Callable[[str], None],
    ) -> None:
        """``on_refused`` is told why the broker does not take what is published. Raises BadInput."""
        try:
            import paho.mqtt.client as paho  # noqa: PLC0415 - loaded only where it is used
        except ImportError as error:
            raise BadInput(INSTALL) from error
        self._paho = paho
        self._host, self._port, self._context, self._name, self._login = host, port, context, name, login
        self._subscribe, self._will, self._on_message, self._on_link = subscribe, will, on_message, on_link
        self._on_refused = on_refused
        self._stopped, self._over = threading.Event(), threading.Event()
        self._five = True
        self._client: Any = None
        self._ready = self._let_in = False
        self._refusal = ""
        self._thread = threading.Thread(target=self._run, name=f"mqtt-{name}"[:15], daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stopped.set()
        client = self._client
        if client is not None:
            client.disconnect()
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def publish(self, topic: str, body: bytes, *, retain: bool = False, qos: int = 1) -> bool:
        client = self._client
        if client is None or not self._ready:
            return False
        properties = None
        if self._five:
            properties = self._properties("PUBLISH")
            properties.UserProperty = [("version", __version__)]
        found: int = client.publish(topic, body, qos=qos, retain=retain, properties=properties).rc
        return found == self._paho.MQTT_ERR_SUCCESS

    def _properties(self, packet: str) -> Any:
        from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415
        from paho.mqtt.properties import Properties  # noqa: PLC0415

        make: Any = Properties
        return make(getattr(PacketTypes, packet))

    def _made(self) -> Any:
        paho = self._paho
        protocol = paho.MQTTv5 if self._five else paho.MQTTv311
        own: dict[str, Any] = {} if self._five else {"clean_session": False}
        name = f"tw-{self._name}"
        client = paho.Client(
            paho.CallbackAPIVersion.VERSION2, client_id=name, protocol=protocol, reconnect_on_failure=False, **own
        )
        if self._context is not None:
            client.tls_set_context(self._context)
        if self._login is not None:
            client.username_pw_set(*self._login)
        if self._will is not None:
            client.will_set(self._will, b"0", qos=1, retain=True)
        client.max_inflight_messages_set(100)
        client.on_connect, client.on_disconnect, client.on_message = self._connected, self._lost, self._came
        client.max_queued_messages_set(MOST_WAITING)
        client.on_subscribe, client.on_publish = self._subscribed, self._published
        return client

    def _run(self) -> None:
        wait = RETRY_S[0]
        while not self._stopped.is_set():
            client = self._client = self._made()
            self._refusal = ""
            if self._tried(client):
                wait = RETRY_S[0]
            self._ready = False
            if self._refusal == "protocol" and self._five:
                self._five = False
                continue
            self._five = self._five or not self._let_in  # it may have hung up for another reason
            self._stopped.wait(wait)
            wait = min(2 * wait, RETRY_S[1])

    def _tried(self, client: Any) -> bool:
        """One connection, from its beginning to its end. Whether the broker let us in."""
        own: dict[str, Any] = {}
        if self._five:
            properties = self._properties("CONNECT")
            properties.SessionExpiryInterval = SESSION_S
            own = {"clean_start": False, "properties": properties}
        self._let_in = False
        self._over.clear()
        if self._stopped.is_set():  # closed since the last look: whoever waits for the end would wait in vain
            return False
        try:
            client.connect(self._host, self._port, keepalive=KEEP_ALIVE_S, **own)
        except (OSError, ValueError) as error:
            self._told(False, _plain(error))
            return False
        client.loop_start()  # its loop ends with the connection
        self._over.wait()
        client.loop_stop()
        return self._let_in

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._refusal = "protocol" if "rotocol" in str(reason) else "refused"
            if self._refusal == "refused":
                self._told(False, f"the broker refuses ({str(reason).lower()})")
            client.disconnect()
            return
        self._let_in = True
        client.subscribe(self._subscribe, qos=1)

    def _subscribed(self, client: Any, data: Any, number: int, reasons: Any, properties: Any) -> None:
        if any(reason.is_failure for reason in reasons):
            self.give_up(f"the broker does not let this credential listen; {ANEW}")
            return
        self._ready = True
        self._told(True, "")

    def _published(self, client: Any, data: Any, number: int, reason: Any, properties: Any) -> None:
        """MQTT 5 alone tells; of an older broker's refusal nobody is told, and the hub's silence is what a table notices."""
        if reason.is_failure:
            may_not = "uthorized" in str(reason)
            why = f"does not let this credential write; {ANEW}" if may_not else f"takes no messages ({str(reason).lower()})"
            self._on_refused(f"the broker {why}")

    def give_up(self, why: str) -> None:
        """End a connection that is good for nothing, and come again after a while: the broker's files may be mended by then."""
        if self._refusal:
            return
        self._refusal, self._let_in, self._ready = "refused", False, False
        self._told(False, why)
        self._client.disconnect()

    def _lost(self, client: Any, data: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._ready = False
        if not (self._stopped.is_set() or self._refusal):
            if self._five and not self._let_in:
                self._refusal = "protocol"  # a broker that knows 3.1.1 only may just hang up
            else:
                self._told(False, "the connection to the broker was lost")
        self._over.set()

    def _came(self, client: Any, data: Any, message: Any) -> None:
        try:
            self._on_message(message.topic, bytes(message.payload))
        except Exception:
            _LOG.exception("a message of the broker could not be taken")

    def _told(self, there: bool, why: str) -> None:
        try:
            self._on_link(there, why)
        except Exception:
            _LOG.exception("nobody could be told of the broker")


def _plain(error: OSError | ValueError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    return str(getattr(error, "strerror", None) or error)
