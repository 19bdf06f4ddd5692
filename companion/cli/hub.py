"""``companion hub``: the hall of tables; serving it, letting tables in, backup, restore, rehearsal."""

import argparse
import ipaddress
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from companion.bounded import read_text
from companion.cli.run import data_folder, stopping
from companion.cli.session import https
from companion.cli.writing import keep_apart, written
from companion.errors import BadInput, StorageTrouble, quoted

if TYPE_CHECKING:
    from companion.hub.link import TableAddress
    from companion.hub.store.port import Store
    from companion.hub.transport.mqtt import MqttHub

PORT, SECURE_PORT = 8200, 8243
ALONE = "127.0.0.1"
HOURS = 24 * 7
"""How long the arbiter's link of the prompt is good: a week of games, 1 to 744."""
INTRODUCE_S = 5.0  # how often a home automation is told of new tables
RETRY_S = 1.0  # between two tries to reach a database that is not there yet
DATABASE, BROKER = "TABLE_WITNESS_DATABASE", "TABLE_WITNESS_BROKER"
"""Named in the environment, addresses with passwords in them are seen in no list of processes."""
EXTERNAL_HOST = "TABLE_WITNESS_EXTERNAL_HOST"


def add(commands: Any) -> None:
    """Add ``hub`` and its own commands."""
    hub = commands.add_parser(
        "hub", help="a hall of tables: collect, show, rule",
        description="Serve a hall of tables, or with one of its commands look after it.",
    )  # fmt: skip
    _database(hub)
    hub.add_argument("--broker", metavar="URL", help=f"mqtt://… or mqtts://… that tables come by as well (or in {BROKER})")
    hub.add_argument("--broker-files", type=Path, metavar="FOLDER", help="the folder of 'enrol --broker-files' to log in with")
    hub.add_argument("--host", default=ALONE, help="address it listens on; 0.0.0.0 for the tables of a hall (%(default)s)")
    hub.add_argument("--port", type=int, default=PORT, help="its port, 0 for any (%(default)s)")
    hub.add_argument(
        "--external-host", metavar="HOST", default=os.environ.get(EXTERNAL_HOST, ""),
        help=f"name or address by which others reach it where that is another one, as in a container (or in {EXTERNAL_HOST})",
    )  # fmt: skip
    hub.add_argument(
        "--https", action=argparse.BooleanOptionalAction, help="serve it over HTTPS as well (on when it is open to others)"
    )
    hub.add_argument("--https-port", type=int, metavar="PORT", help=f"its port, 0 for any ({SECURE_PORT})")
    _event(hub)
    hub.add_argument("--home-assistant", action="store_true", help="introduce the tables to Home Assistant over the broker")
    hub.add_argument("--log-json", action="store_true", help="log one JSON object a line on the standard error output")
    hub.set_defaults(run=_serve)
    own = hub.add_subparsers(title="commands of the hall", metavar="COMMAND")
    enrol = own.add_parser("enrol", help="let a table in: print its link, once, and its code to scan")
    enrol.add_argument("table", help="its id: small letters, digits and -")
    _database(enrol)
    enrol.add_argument("--name", help="what people call it (default: made of the id)")
    enrol.add_argument(
        "--at", metavar="URL", default=f"http://{ALONE}:{PORT}",
        help="how the table reaches the hub or the broker: http, https, mqtt or mqtts with host and port (%(default)s)",
    )  # fmt: skip
    enrol.add_argument("--write", type=Path, metavar="FILE", help="write the link into a file for its owner alone")
    enrol.add_argument("--broker-files", type=Path, metavar="FOLDER", help="bring a Mosquitto's files there up to date")
    enrol.add_argument("--take-back", action="store_true", help="take the table's credential back instead")
    enrol.add_argument("--json", action="store_true", help="print JSON")
    enrol.set_defaults(run=_enrol)
    tables = own.add_parser("tables", help="list the enrolled tables")
    _database(tables)
    tables.add_argument("--json", action="store_true", help="print JSON")
    tables.set_defaults(run=_tables)
    for name, words in (
        ("backup", "write everything the hub keeps into one file"),
        ("restore", "fill an empty database with it"),
    ):
        command = own.add_parser(name, help=words)
        command.add_argument("file", type=Path, help="the backup")
        _database(command)
        _event(command)
        command.set_defaults(run=_backup if name == "backup" else _restore)

    _add_rehearse(own)


def _add_rehearse(own: Any) -> None:
    rehearse = own.add_parser(
        "rehearse", help="play many tables at once against a hub of its own, and compare what arrives with their records"
    )
    rehearse.add_argument("--tables", type=int, default=8, metavar="N", help="how many (%(default)s)")
    rehearse.add_argument("--speed", type=float, default=5.0, metavar="X", help="X times the recorded pace (%(default)s)")
    rehearse.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long they play (%(default)s)")
    rehearse.add_argument(
        "--spectators",
        type=int,
        default=0,
        metavar="N",
        help="so many follow one table's page each, from this machine (%(default)s)",
    )
    rehearse.add_argument("--record", type=Path, metavar="FILE", help="play this record or export (a bundled game)")
    rehearse.add_argument("--database", metavar="FILE_OR_URL", help="an empty database (a file that is forgotten)")
    rehearse.add_argument("--broker", metavar="URL", help="play over this broker, which lets everybody in")
    rehearse.add_argument("--json", action="store_true", help="print JSON")
    rehearse.set_defaults(run=_rehearse)


def _database(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--database", metavar="FILE_OR_URL", default=argparse.SUPPRESS,
        help=f"a file, or postgresql://… (default: hall.sqlite in the data folder, or what {DATABASE} names)",
    )  # fmt: skip


def _event(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--event", type=Path, metavar="FILE", default=argparse.SUPPRESS,
        help="the record of the event: players, rounds and results (default: hall-event.tw in the data folder)",
    )  # fmt: skip


def _event_file(options: argparse.Namespace) -> Path:
    return getattr(options, "event", None) or data_folder() / "hall-event.tw"


def _database_named(options: argparse.Namespace) -> str:
    """A file, or an address."""
    return getattr(options, "database", None) or os.environ.get(DATABASE) or _usual_database()


def _usual_database() -> str:
    return str(data_folder() / "hall.sqlite")


def _seals_file() -> Path:
    return data_folder() / "hall-seals.jsonl"


@contextmanager
def _store(options: argparse.Namespace) -> Iterator["Store"]:
    from companion.hub.store import open_store  # noqa: PLC0415 - the other commands start without it

    named = _database_named(options)
    if named == _usual_database():
        _make_folder("the hall's database cannot be kept there", "; name one with --database")
    store = open_store(named)
    try:
        yield store
    finally:
        store.close()


def _make_folder(why: str, advice: str = "") -> None:
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: {why} ({error.strerror}){advice}") from error


# --- serving ----------------------------------------------------------------------------------------------------------


def _serve(options: argparse.Namespace) -> int:
    """Serve until it is interrupted."""
    from companion.hub import logs  # noqa: PLC0415
    from companion.hub.app import create_app, hub_settings  # noqa: PLC0415
    from companion.hub.hall import LiveHall  # noqa: PLC0415
    from companion.hub.wall.app import join  # noqa: PLC0415
    from companion.hub.wall.book import EventBook  # noqa: PLC0415
    from companion.hub.wall.signed import Seals  # noqa: PLC0415
    from companion.web.server import PageServer, is_loopback  # noqa: PLC0415

    if options.log_json:
        logs.to_stderr()
    opened = not is_loopback(options.host)
    secure = https.wanted(options, usual=opened)
    external = _external(options.external_host)
    with stopping() as stopped, ExitStack() as stack:
        store = _reached(options, stack, stopped)
        if store is None:
            return 0
        hall = LiveHall(store)
        access_control = _access(opened)
        broker = _broker(options, hall, stack)
        settings = hub_settings((*https.local_names(), *([external] if external else [])) if opened else ())
        book = EventBook.open(_event_file(options))
        stack.callback(book.close)
        seals = Seals(_seals_file())
        joined = partial(join, hall=hall, book=book, seals=seals)
        app = create_app(
            hall, settings, access_control, lambda: broker.trouble,
            lambda app, settings, door, reach: joined(app, settings=settings, access_control=door, reach=reach),
        )  # fmt: skip
        server = stack.enter_context(PageServer(app, options.host, options.port, settings))
        address = server.address
        if secure:
            address = stack.enter_context(_secure(app, options, settings, external)).address
        if external:
            parts = urlsplit(address)
            address = parts._replace(netloc=f"{f'[{external}]' if ':' in external else external}:{parts.port}").geturl()
        hall.start()
        stack.callback(hall.close)
        _greet(address, hall.gauges()["tables"])
        if opened:
            print(f"arbiter: {access_control.link(address, _arbiters_token(access_control))}", flush=True)
        while not stopped.wait(INTRODUCE_S):
            broker.introduce([(one.table, one.name) for one in hall.tables()])
    return 0


def _reached(options: argparse.Namespace, stack: ExitStack, stopped: threading.Event) -> "Store | None":
    """The database, waited for while it is not reached: it may be starting, as the hub is. None once that is interrupted."""
    told = ""
    while not stopped.is_set():
        try:
            return stack.enter_context(_store(options))
        except StorageTrouble as error:
            if str(error) != told:
                told = str(error)
                print(f"companion: {told}; trying again", file=sys.stderr, flush=True)
            stopped.wait(RETRY_S)
    return None


def _access(opened: bool) -> Any:
    from companion.host.passes import Passes  # noqa: PLC0415
    from companion.hub.wall.access import LOCAL  # noqa: PLC0415
    from companion.web.access import AccessControl  # noqa: PLC0415

    _make_folder("the hall's links cannot be kept there")
    return AccessControl(Passes.open(data_folder() / "hall.passes"), closed=opened, local=LOCAL)


def _arbiters_token(access_control: Any) -> str:
    """The link by which the first arbiter comes in; the same after a restart, as long as it is good."""
    passes, name = access_control.passes, "chief arbiter"
    held = next((one for one in passes.handed_out() if (one.role, one.seat) == ("arbiter", name)), None)
    return str(passes.token(held.id) if held is not None else passes.issue("arbiter", name, hours=HOURS)[1])


class _Broker:
    """The broker's part of a hub, if it has one."""

    def __init__(self, link: "MqttHub | None", home: bool) -> None:
        self._link, self._home = link, home
        self._introduced: dict[str, bytes] = {}

    @property
    def trouble(self) -> str:
        """Why the broker is not reached; empty while it is, or where there is none."""
        return self._link.trouble if self._link is not None else ""

    def introduce(self, tables: list[tuple[str, str]]) -> None:
        """Have a home automation know these tables and no others, if that is wished."""
        from companion.hub.home_assistant import discovery  # noqa: PLC0415

        if self._link is None or not self._home:
            return
        if not self._link.reached:
            self._introduced = {}  # a broker that was restarted has forgotten them
            return
        wanted = discovery(tables)
        gone = dict.fromkeys(self._introduced.keys() - wanted.keys(), b"")
        for topic, body in {**wanted, **gone}.items():
            if self._introduced.get(topic) != body:
                self._link.publish(topic, body)
        self._introduced = wanted


def _broker(options: argparse.Namespace, hall: Any, stack: ExitStack) -> _Broker:
    """Reach a broker, if one is named."""
    named = options.broker or os.environ.get(BROKER)
    if not named:
        idle = "--broker-files" if options.broker_files is not None else "--home-assistant" if options.home_assistant else ""
        if idle:
            raise BadInput(f"{idle} goes with a broker: name it with --broker, or in {BROKER}")
        return _Broker(None, False)
    from companion.hub.broker_files import HUB_SECRET  # noqa: PLC0415
    from companion.hub.transport.mqtt import HUB_USER, MqttHub  # noqa: PLC0415

    if options.broker_files is not None:
        secret = _read(options.broker_files / HUB_SECRET).strip()
        scheme, _, rest = named.partition("://")
        named = f"{scheme}://{HUB_USER}:{secret}@{rest.rpartition('@')[2]}"
    link = MqttHub(named, hall.receive, _authority().certificate if named.startswith("mqtts") else b"")
    hall.reach(link.push)
    link.start()
    stack.callback(link.close)
    return _Broker(link, options.home_assistant)


def _external(host: str) -> str:
    """The name or address by which others reach this hub. Raises BadInput for one that its own authority cannot speak for."""
    if host and not _local(host):
        raise BadInput(
            f"--external-host {host[:60]}: an address of a local network, or a name that ends in .local, .lan or .internal, "
            "is allowed; for others put a web server with a certificate of its own before the hub"
        )
    return host


def _secure(app: Any, options: argparse.Namespace, settings: Any, external: str) -> Any:
    from companion.host.certificates import ServerCertificates  # noqa: PLC0415
    from companion.web.server import PageServer  # noqa: PLC0415

    contexts = ServerCertificates(_authority(), external=external).context
    port = SECURE_PORT if options.https_port is None else options.https_port
    return PageServer(app, options.host, port, settings, contexts)


def _authority() -> Any:
    from companion.host.authority import Authority  # noqa: PLC0415

    return Authority.open(data_folder() / "certificate-authority.json")


def _greet(address: str, tables: float) -> None:
    print(f"hall:   {address}")
    print(f"tables: {tables:g} enrolled (companion hub enrol TABLE --at {address.rstrip('/')})")
    print("Ctrl-C ends it", flush=True)
    _code(address)


def _code(text: str) -> None:
    """A code to scan, where a person looks at a terminal."""
    if sys.stdout.isatty():
        import segno  # noqa: PLC0415

        segno.make(text, error="l", micro=False).terminal(sys.stdout, compact=True)


# --- letting tables in ------------------------------------------------------------------------------------------------


def _enrol(options: argparse.Namespace) -> int:
    """Give a table its credential, or take it back."""
    from companion.hub import broker_files, credentials  # noqa: PLC0415
    from companion.hub.link import parts_of  # noqa: PLC0415
    from companion.hub.model import NAME_LENGTH, table_id  # noqa: PLC0415
    from companion.hub.store.port import Enrolled  # noqa: PLC0415

    table = table_id(options.table)
    if options.take_back and options.write is not None:
        raise BadInput("--take-back gives no link that --write could keep: leave one of them out")
    files: Path | None = options.broker_files
    with _store(options) as store, broker_files.alone(files) if files is not None else nullcontext():
        known = {one.table: one for one in store.tables()}
        if options.take_back and table not in known:
            raise BadInput(f"table {quoted(table)} is not enrolled; there are: {', '.join(known) or 'none'}")
        before = known.get(table)
        usual = before.name if before is not None else table.replace("-", " ").title()
        name = usual if options.name is None else options.name
        if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
            raise BadInput(f"--name: 1 to {NAME_LENGTH} letters are allowed")
        address = None if options.take_back else _address(options.at, table, credentials.new_secret())
        secret = address.secret if address is not None else ""
        link = f"{address.link()}\n" if address is not None else ""
        # Where the link cannot be handed over, the credential before stays good.
        with written(options.write, link, 0o600) if link and options.write is not None else nullcontext():
            if files is not None:
                left = {one.table for one in known.values() if one.digest and one.table != table}
                allowed = sorted(left | ({table} if secret else set()))
                at = parts_of(options.at)
                names = [str(at.hostname) if at is not None else "localhost"]
                broker_files.write(files, allowed, table, secret, _authority(), names)
            store.enrol(Enrolled(table, name, credentials.digest(secret) if secret else "", time.time()))
    _tell_enrolled(options, table, name, address)
    return 0


def _address(at: str, table: str, secret: str) -> "TableAddress":
    from companion.hub.link import PORTS, TableAddress, parts_of  # noqa: PLC0415

    parts = parts_of(at)
    if parts is None or parts.scheme not in PORTS:
        raise BadInput(f"--at {at[:60]}: http, https, mqtt or mqtts with a host, and a port up to 65535, is allowed")
    host = str(parts.hostname)
    ca = _authority().certificate if parts.scheme in ("https", "mqtts") and _local(host) else b""
    return TableAddress(parts.scheme, host, parts.port or PORTS[parts.scheme], table, secret, ca)


def _local(host: str) -> bool:
    """Whether the house's own authority speaks for a host; for a name of the Internet the system's do."""
    from companion.host.authority import DOMAINS, is_local, machine_name  # noqa: PLC0415

    try:
        return is_local(ipaddress.ip_address(host))
    except ValueError:
        return host == machine_name() or host.rpartition(".")[2] in DOMAINS


def _tell_enrolled(options: argparse.Namespace, table: str, name: str, address: "TableAddress | None") -> None:
    link = address.link() if address is not None else None
    if address is not None and address.secure and not address.ca and options.broker_files is not None:
        print(
            f"companion: {address.host} is no address of a local network, so the certificate in {options.broker_files} is good "
            f"for nobody who comes by it: give the broker one that the tables' systems trust, or enrol by another address",
            file=sys.stderr,
        )
    if options.json:
        print(json.dumps({"table": table, "name": name, "link": link}, ensure_ascii=False))
        return
    if link is None:
        print(f"{table}: its credential is taken back; a running hub knows within seconds")
        return
    where = options.write if options.write is not None else "'LINK'"
    print(f"{name}: on its computer start   companion run --hub {where}")
    if options.write is None:
        print(link)
        print("(it is shown this once: whoever has it writes in this table's name)", flush=True)
        _code(link)


def _tables(options: argparse.Namespace) -> int:
    with _store(options) as store:
        known, matches = store.tables(), store.matches()
    rows = [
        {
            "table": one.table, "name": one.name, "let_in": bool(one.digest),
            "matches": sum(match.table == one.table for match in matches),
            "events": sum(match.number for match in matches if match.table == one.table),
        }
        for one in known
    ]  # fmt: skip
    if options.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    for row in rows:
        state = "" if row["let_in"] else ", credential taken back"
        print(f"{row['table']}: {row['name']}, {row['matches']} games, {row['events']} events{state}")
    return 0


# --- keeping ----------------------------------------------------------------------------------------------------------


def _rehearse(options: argparse.Namespace) -> int:
    """Returns 0 when every record arrived as it was, 1 when not."""
    from companion.hub.rehearsal.rehearse import Rehearsal, rehearse  # noqa: PLC0415

    plan = Rehearsal(
        options.tables, options.speed, options.seconds, options.database, options.broker, options.record, options.spectators
    )
    outcome = rehearse(plan, lambda line: print(line, file=sys.stderr, flush=True))
    print(json.dumps(outcome.to_json()) if options.json else "\n".join(outcome.lines()))
    return 0 if outcome.well else 1


def _backup(options: argparse.Namespace) -> int:
    from companion.hub.backup import Beside, backup  # noqa: PLC0415

    database = _database_named(options)
    keep_apart(options.file, None if "://" in database else Path(database), _event_file(options), _seals_file())
    with _store(options) as store:
        print(f"{options.file}: {backup(store, options.file, Beside(_event_file(options), _seals_file()))} rows")
    return 0


def _restore(options: argparse.Namespace) -> int:
    from companion.hub.backup import Beside, restore  # noqa: PLC0415

    _make_folder("the event cannot be kept there")
    with _store(options) as store:
        beside = Beside(_event_file(options), _seals_file())
        print(f"{options.file}: {restore(store, options.file, beside)} rows restored")
    return 0


def _read(path: Path) -> str:
    try:
        return read_text(path, 4096)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({getattr(error, 'strerror', None) or 'it is no text'})") from error
