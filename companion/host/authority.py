"""A certificate authority of this machine's own, so that a phone's browser trusts the page over HTTPS and gives its camera.

It is made once. Its key lies in one file of the data folder, for its owner alone, and never leaves it. Whoever installs
the certificate trusts this key for names and addresses of local networks only (name constraints, RFC 5280 4.2.1.10):
even a stolen key cannot pretend to be a site on the Internet.
"""

import datetime
import hashlib
import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.errors import BadInput
from companion.host import private
from companion.record.words import words

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

AUTHORITY_DAYS = 5 * 365
"""How long a phone need not be asked again. Phones refuse nothing up to ten years."""
REPLACED_BEFORE_DAYS = 30
"""An authority this near its end is made anew: nobody should install one that ends within the month."""
SERVER_DAYS = 7
"""A server's certificate outlives any session and tournament; phones refuse more than 825 days."""
_SLACK = datetime.timedelta(days=1)  # phones' clocks are wrong at times: certificates begin a day ago

NETWORKS = tuple(
    ipaddress.ip_network(one)
    for one in (
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8",
        "fc00::/7", "fe80::/10", "::1/128",
    )
)  # fmt: skip
"""Addresses nobody on the Internet has: private (RFC 1918, 4193), link-local, shared (RFC 6598) and this machine's own."""
DOMAINS = ("localhost", "local", "lan", "home", "home.arpa", "internal")
"""Names that mean something on a local network alone."""


class Authority:
    """Signs certificates for this machine's local names and addresses. Every method may be called from any thread."""

    def __init__(
        self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate, clock: Callable[[], float] = time.time
    ) -> None:
        self._key, self._certificate, self._clock = key, certificate, clock
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path | None, clock: Callable[[], float] = time.time) -> "Authority":
        """The authority kept in a file, made when there is none or its time is nearly over; with None it is forgotten.

        Raises BadInput for a file that cannot be read or written: an authority that phones trust is never replaced silently.
        """
        if path is None:
            return cls._opened(None, clock)
        with private.made_once(path):
            return cls._opened(path, clock)

    @classmethod
    def _opened(cls, path: Path | None, clock: Callable[[], float]) -> "Authority":
        if path is not None and path.exists():
            try:
                kept = private.read(path)
                key = serialization.load_pem_private_key(kept["key"].encode(), None)
                certificate = x509.load_pem_x509_certificate(kept["certificate"].encode())
                if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
                    raise ValueError("the key is another one's")
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadInput(
                    f"{path}: the certificate authority cannot be read; move the file away, then devices install a new one"
                ) from error
            left = certificate.not_valid_after_utc.timestamp() - clock()
            if left > REPLACED_BEFORE_DAYS * 24 * 3600:
                return cls(key, certificate, clock)
        key = ec.generate_private_key(ec.SECP256R1())
        made = cls(key, _own_certificate(key, _date(clock())), clock)
        if path is not None:
            made._keep(path)
        return made

    def __repr__(self) -> str:
        return f"Authority({self.words})"  # never the key, wherever this is printed

    @property
    def certificate(self) -> bytes:
        """What devices install: the certificate, DER (X.690). It holds no secret."""
        return self._certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate as devices show it: pairs of capital hexadecimal digits, colons between."""
        return hashlib.sha256(self.certificate).digest().hex(":").upper()

    @property
    def words(self) -> str:
        """The fingerprint's first 64 bits as words to be read out."""
        return words(hashlib.sha256(self.certificate).hexdigest())

    @property
    def name(self) -> str:
        """The name under which devices list it."""
        return str(self._certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def ends(self) -> float:
        """Seconds since 1970."""
        return self._certificate.not_valid_after_utc.timestamp()

    def issue(self, names: Sequence[str], addresses: Sequence[Address], days: int = SERVER_DAYS) -> tuple[bytes, bytes, float]:
        """A new key and a certificate for a server, good for ``days``, 1 to 825: (certificate PEM, key PEM, end in seconds
        since 1970).

        Names and addresses the authority may not speak for are left out. Raises BadInput when nothing is left.
        """
        alternatives: list[x509.GeneralName] = [x509.DNSName(name) for name in names if self._may_name(name)]
        alternatives += [x509.IPAddress(one) for one in addresses if is_local(one)]
        if not alternatives:
            raise BadInput("HTTPS is for local networks only, and this machine has no local address")
        now = _date(self._clock())
        end = min(now + datetime.timedelta(days=days), self._certificate.not_valid_after_utc)
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Table Witness")]))
            .issuer_name(self._certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _SLACK)
            .not_valid_after(end)
            .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(digital_signature=True), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        return certificate.public_bytes(serialization.Encoding.PEM), _pem(key), end.timestamp()

    def _may_name(self, name: str) -> bool:
        constraints = self._certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        allowed = [str(one.value) for one in constraints.permitted_subtrees or () if isinstance(one, x509.DNSName)]
        return any(name == one or name.endswith(f".{one}") for one in allowed)

    def _keep(self, path: Path) -> None:
        certificate = self._certificate.public_bytes(serialization.Encoding.PEM).decode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            private.write(path, {"key": _pem(self._key).decode(), "certificate": certificate})
        except OSError as error:
            raise BadInput(f"{path}: the certificate authority cannot be stored ({error.strerror})") from error


def is_local(address: Address) -> bool:
    """Whether the authority may speak for an address."""
    return any(address in network for network in NETWORKS)


def machine_name() -> str:
    """This machine's name, one label in small letters; empty when it has none that a certificate could carry."""
    label = socket.gethostname().partition(".")[0].lower()
    return label if label.replace("-", "").isalnum() and label.isascii() and not label.isdigit() else ""


def _own_certificate(key: ec.EllipticCurvePrivateKey, now: datetime.datetime) -> x509.Certificate:
    host = machine_name()
    # The date tells two authorities of one machine apart in a phone's list.
    title = f"Table Witness {host or 'companion'} {now:%Y-%m-%d}"
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title[:64])])
    permitted: list[x509.GeneralName] = [x509.DNSName(one) for one in (*DOMAINS, *([host] if host else ()))]
    permitted += [x509.IPAddress(one) for one in NETWORKS]
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLACK)
        .not_valid_after(now + datetime.timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(key_cert_sign=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature, key_cert_sign=key_cert_sign, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, crl_sign=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _date(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(int(seconds), datetime.UTC)
