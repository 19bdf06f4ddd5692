"""The certificate authority: its file, what it may speak for, certificates that renew themselves, and real handshakes."""

import datetime
import ipaddress
import json
import socket
import ssl
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from companion.errors import BadInput
from companion.host.authority import REPLACED_BEFORE_DAYS, SERVER_DAYS, Authority, is_local
from companion.host.certificates import ServerCertificates

DAY = 24 * 3600


class Clock:
    def __init__(self) -> None:
        self.now = datetime.datetime.now(datetime.UTC).timestamp()

    def __call__(self) -> float:
        return self.now


def of(pem: bytes) -> x509.Certificate:
    return x509.load_pem_x509_certificate(pem)


def test_the_key_lies_in_one_file_for_its_owner_alone_and_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "data" / "authority.json"
    made = Authority.open(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    again = Authority.open(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (again.certificate, again.words, again.fingerprint) == (made.certificate, made.words, made.fingerprint)
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    key = json.loads(path.read_text())["key"]
    assert "PRIVATE KEY" in key
    assert key.splitlines()[1] not in repr(made)
    assert b"PRIVATE" not in made.certificate


def test_what_people_compare_is_the_certificates_own_digest() -> None:
    authority = Authority.open(None)
    certificate = x509.load_der_x509_certificate(authority.certificate)
    assert authority.fingerprint == certificate.fingerprint(hashes.SHA256()).hex(":").upper()
    assert len(authority.words.split("-")) == 4
    assert authority.words != Authority.open(None).words


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"key": "x", "certificate": "y"}', '{"key": 7, "certificate": null}'])
def test_a_broken_file_is_said_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "authority.json"
    path.write_text(content)
    with pytest.raises(BadInput, match="cannot be read"):
        Authority.open(path)
    assert path.read_text() == content


def test_another_ones_key_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "authority.json"
    Authority.open(path)
    kept = json.loads(path.read_text())
    other = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_text(json.dumps({**kept, "key": other.decode()}))
    with pytest.raises(BadInput, match="cannot be read"):
        Authority.open(path)


def test_an_authority_near_its_end_is_made_anew(tmp_path: Path) -> None:
    path, clock = tmp_path / "authority.json", Clock()
    first = Authority.open(path, clock)
    clock.now = first.ends - REPLACED_BEFORE_DAYS * DAY - 60
    assert Authority.open(path, clock).words == first.words
    clock.now += 120
    second = Authority.open(path, clock)
    assert second.words != first.words
    assert Authority.open(path, clock).words == second.words
    assert second.ends > first.ends


def test_it_speaks_for_local_names_and_addresses_alone() -> None:
    authority = Authority.open(None)
    addresses = [ipaddress.ip_address(one) for one in ("192.168.1.5", "8.8.8.8", "fd00::5", "2001:4860:4860::8888")]
    pem, _, _ = authority.issue(("localhost", "den.local", "example.org", "local.example.org", "notlocal"), addresses)
    names = of(pem).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "den.local"]
    assert names.get_values_for_type(x509.IPAddress) == [addresses[0], addresses[2]]
    with pytest.raises(BadInput, match="local networks only"):
        authority.issue(("example.org",), [addresses[1]])
    assert [is_local(ipaddress.ip_address(one)) for one in ("10.0.0.1", "172.32.0.1", "fe80::1", "1.1.1.1")] == [
        True, False, True, False,
    ]  # fmt: skip


def test_certificates_are_short_lived_for_servers_only_and_no_authorities() -> None:
    authority, clock = Authority.open(None), Clock()
    pem, key, ends = authority.issue(("localhost",), [])
    certificate = of(pem)
    assert SERVER_DAYS * DAY - 60 < ends - clock() <= SERVER_DAYS * DAY
    assert not certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert certificate.not_valid_before_utc.timestamp() < clock() - DAY / 2
    assert b"PRIVATE KEY" in key
    own = x509.load_der_x509_certificate(authority.certificate).extensions
    assert own.get_extension_for_class(x509.BasicConstraints).value == x509.BasicConstraints(ca=True, path_length=0)
    assert own.get_extension_for_class(x509.NameConstraints).critical


def test_contexts_are_kept_until_a_new_address_or_the_last_third() -> None:
    clock = Clock()
    certificates = ServerCertificates(Authority.open(None, clock), clock)
    first = certificates.context("127.0.0.1")
    assert certificates.context("::1") is first
    assert certificates.context("8.8.8.8") is first, "an address it may not speak for changes nothing"
    assert certificates.context("no address") is first
    second = certificates.context("::ffff:192.168.7.2")
    assert second is not first
    assert certificates.context("192.168.7.2") is second
    clock.now += SERVER_DAYS * DAY * 2 / 3 - 60
    assert certificates.context("192.168.7.2") is second
    clock.now += 120
    assert certificates.context("192.168.7.2") is not second


@contextmanager
def served(context: ssl.SSLContext) -> Iterator[int]:
    """One handshake after the other, each in turn, on a port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                try:
                    plain, _ = listening.accept()
                except TimeoutError:
                    continue
                with plain:
                    plain.settimeout(5)
                    try:
                        context.wrap_socket(plain, server_side=True).close()
                    except OSError:
                        continue

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            over.set()
            thread.join(5)


def handshake(port: int, trusted: bytes | None, name: str) -> str:
    """The verified peer's issuer; nothing of the verification is switched off."""
    context = ssl.create_default_context(cadata=trusted)
    with (
        socket.create_connection(("127.0.0.1", port), 5) as plain,
        context.wrap_socket(plain, server_hostname=name) as secured,
    ):
        peer = secured.getpeercert()
        assert peer is not None
        return str(dict(part[0] for part in peer["issuer"])["commonName"])  # type: ignore[misc, index]


def test_a_client_that_trusts_the_authority_verifies_names_and_addresses() -> None:
    authority = Authority.open(None)
    certificates = ServerCertificates(authority)
    with served(certificates.context("192.168.7.2")) as port:
        for name in ("localhost", "127.0.0.1", "::1", "192.168.7.2"):
            assert handshake(port, authority.certificate, name) == authority.name
        with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
            handshake(port, authority.certificate, "192.168.7.3")
        with pytest.raises(ssl.SSLCertVerificationError):
            handshake(port, Authority.open(None).certificate, "localhost")
        with pytest.raises(ssl.SSLCertVerificationError):
            handshake(port, None, "localhost")


@pytest.mark.parametrize("external", ["192.168.1.5", "fd00::5", "hall.lan"])
def test_where_devices_come_by_an_address_that_no_connection_tells_the_certificate_names_it(external: str) -> None:
    authority = Authority.open(None)
    certificates = ServerCertificates(authority, external=external)
    for last in range(40):  # many others came by addresses of the container's
        certificates.context(f"10.0.0.{last + 1}")
    with served(certificates.context("10.0.1.1")) as port:
        for name in (external, "localhost", "10.0.1.1"):
            assert handshake(port, authority.certificate, name) == authority.name


def test_a_stolen_key_is_good_for_no_site_on_the_internet(tmp_path: Path) -> None:
    """Whoever has the key can sign anything; who verifies refuses it by the constraints in the authority itself."""
    path = tmp_path / "authority.json"
    authority = Authority.open(path)
    key = serialization.load_pem_private_key(json.loads(path.read_text())["key"].encode(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    now = datetime.datetime.now(datetime.UTC)
    forged = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(x509.load_der_x509_certificate(authority.certificate).subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("bank.example.org")]), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "forged.pem"
    file.write_bytes(forged.public_bytes(serialization.Encoding.PEM) + json.loads(path.read_text())["key"].encode())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with served(context) as port, pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        handshake(port, authority.certificate, "bank.example.org")
