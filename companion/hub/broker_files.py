"""What Mosquitto needs to let tables in and keep them apart: passwords, who may do what, certificate, configuration.

A table may write below its own ``up`` and read below its own ``down``, and nothing else: whoever steals its credential reads
no other table, and not even what it sent. The hub alone reads all.
"""

import ipaddress
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion import atomic, bounded
from companion.errors import BadInput
from companion.host.authority import Authority, machine_name
from companion.hub import credentials
from companion.hub.transport.mqtt import HUB_USER, ROOT
from companion.record.lock import in_turn

PASSWORDS, ACL, CONFIGURATION = "passwords", "acl", "mosquitto.conf"
CERTIFICATE, KEY, AUTHORITY, HUB_SECRET = "server.crt", "server.key", "ca.crt", "hub-credential"
PORT, SECURE_PORT = 1883, 8883
HOME_USER = "home-assistant"
"""Sees how the tables stand, once 'mosquitto_passwd' gave it a password."""
IN_COMPOSE = "broker.internal"
"""The broker's name to the hub where both run in containers (compose.yaml); the authority may speak for it."""
CERTIFICATE_DAYS = 397
"""A season and a month, 30 to 825: nobody makes a broker's certificate anew while a tournament is on."""
MOST = 1 << 20


def acl(tables: Iterable[str]) -> str:
    """Who may do what."""
    parts = [
        f"user {HUB_USER}\ntopic readwrite {ROOT}/#\ntopic write homeassistant/#\n",
        f"user {HOME_USER}\ntopic read {ROOT}/+/up/state\ntopic read {ROOT}/+/up/online\ntopic read homeassistant/#\n",
    ]
    parts += [f"user {table}\ntopic write {ROOT}/{table}/up/#\ntopic read {ROOT}/{table}/down/#\n" for table in sorted(tables)]
    return "# Written by 'companion hub enrol'; who is not named here may do nothing.\n\n" + "\n".join(parts)


def configuration(folder: Path) -> str:
    """Mosquitto's configuration: over TLS for everybody, in the clear for this machine alone."""
    return f"""# Written once by 'companion hub enrol'; start mosquitto -c with it. Yours to change.
per_listener_settings false
allow_anonymous false
password_file {folder / PASSWORDS}
acl_file {folder / ACL}
max_packet_size 2097152
max_queued_messages 10000
persistence false

listener {PORT} 127.0.0.1

listener {SECURE_PORT}
certfile {folder / CERTIFICATE}
keyfile {folder / KEY}
tls_version tlsv1.2
"""


def with_password(lines: str, user: str, secret: str) -> str:
    """A password file with one user's credential, new or another; an empty one takes it away."""
    left = [line for line in lines.splitlines() if line and not line.startswith(f"{user}:")]
    if secret:
        left.append(f"{user}:{credentials.mosquitto_hash(secret)}")
    return "".join(f"{line}\n" for line in left)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Meanwhile nobody else writes there: what the files should say is read before they are written. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot(folder, error) from error
    with in_turn(folder / ".enrol.lock"):
        yield


def write(folder: Path, tables: Sequence[str], table: str, secret: str, authority: Authority, names: Sequence[str]) -> str:
    """Bring a broker's folder up to date: one table's credential (an empty one takes it back), who may do what, and a fresh
    certificate. ``names``: other names and addresses by which tables come. Returns the hub's own credential, made with the
    folder. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        hub = _read(folder / HUB_SECRET).strip()
        passwords = _read(folder / PASSWORDS)
        if not hub:
            hub = credentials.new_secret()
            passwords = with_password(passwords, HUB_USER, hub)
            _write(folder / HUB_SECRET, hub + "\n")
        _write(folder / PASSWORDS, with_password(passwords, table, secret))
        _write(folder / ACL, acl(tables))
        certificate, key = _certificate(authority, names)
        _write(folder / CERTIFICATE, certificate)
        _write(folder / KEY, key)
        if not (folder / CONFIGURATION).exists():
            _write(folder / CONFIGURATION, configuration(folder.resolve()))
    except (OSError, UnicodeDecodeError) as error:
        raise _cannot(folder, error) from error
    return hub


def _cannot(folder: Path, error: OSError | UnicodeDecodeError) -> BadInput:
    return BadInput(f"{folder}: the broker's files cannot be written ({getattr(error, 'strerror', None) or error})")


def _certificate(authority: Authority, names: Sequence[str]) -> tuple[str, str]:
    own = machine_name()
    words = ["localhost", IN_COMPOSE, *((own, f"{own}.local") if own else ())]
    addresses: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = [ipaddress.ip_address("127.0.0.1")]
    for name in names:
        try:
            addresses.append(ipaddress.ip_address(name))
        except ValueError:
            words.append(name.lower())
    certificate, key, _ = authority.issue(words, addresses, CERTIFICATE_DAYS)
    return certificate.decode(), key.decode()


def _read(path: Path) -> str:
    return bounded.read_text(path, MOST) if path.exists() else ""


def _write(path: Path, text: str) -> None:
    """Whole or not at all, for the folder's owner alone: Mosquitto's user, where the folder was made for it."""
    with atomic.replacing(path, 0o600) as file:
        file.write(text.encode("utf-8"))
        if hasattr(os, "fchown") and os.getuid() == 0:
            owner = path.parent.stat()
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
