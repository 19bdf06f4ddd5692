"""The end of a game, signed: a small file that binds a record's head to a local Ed25519 key (RFC 8032).

The chain of digests shows that a record was changed; the seal shows whose record it was, because nobody else has the key.
The package ``cryptography`` is loaded only here and only when a seal is made or checked.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.errors import BadInput
from companion.record.events import Event
from companion.record.verify import Finding
from companion.record.words import words

FORMAT = "record-seal/1"
DOMAIN = b"table-witness/seal/1\n"
SEED_BYTES = 32
Json = Mapping[str, Any]
_SIGNED = ("format", "match", "events", "head", "outcome", "signer")
INSTALL = "signatures need one more package; run: pip install cryptography"


def seal(events: Sequence[Event], seed: bytes) -> dict[str, Any]:
    """The seal of a record with the key of this seed. Raises BadInput when there is nothing to seal or no package."""
    if not events or events[0].kind != "match-opened":
        raise BadInput("there is no game in this record to be signed")
    ended = next((event.data.get("code") for event in reversed(events) if event.kind == "outcome"), None)
    told = {
        "format": FORMAT, "match": events[0].data["id"], "events": len(events), "head": events[-1].digest,
        "outcome": ended, "signer": _public(seed).hex(),
    }  # fmt: skip
    return {**told, "signature": _sign(seed, _message(told)).hex()}


def seal_of(record: Path) -> Path:
    """Where the seal of a record lies."""
    return record.with_name(f"{record.name}.seal")


def check_seal(told: Any, events: Sequence[Event], signer: str | None = None) -> list[Finding]:
    """What is wrong with a seal: forged, of another record, of one that went on or was cut, or of another signer's.

    ``signer`` is the beginning of the words (or digits) by which a key is known. Raises BadInput for what is no seal.
    """
    if not isinstance(told, Mapping) or told.get("format") != FORMAT or set(told) != {*_SIGNED, "signature"}:
        raise BadInput(f"this is no seal of the format {FORMAT!r}")
    try:
        public, signature = bytes.fromhex(told["signer"]), bytes.fromhex(told["signature"])
    except (ValueError, TypeError) as error:
        raise BadInput("the seal's key and signature are no hexadecimal digits") from error
    found = []
    if not _holds(public, signature, _message(told)):
        found.append(Finding("seal-forged", len(events), "the seal's signature does not fit: it was changed or made up"))
    if signer is not None and not known_as(public.hex()).startswith(signer.strip().lower()):
        found.append(Finding("other-signer", len(events), f"the seal is {known_as(public.hex())}'s, not {signer}'s"))
    count = told["events"]
    head = events[count - 1].digest if isinstance(count, int) and 0 < count <= len(events) else None
    if head != told["head"]:
        found.append(Finding("other-seal", len(events), f"the record is not the one of {count} events that was sealed"))
    elif count < len(events):
        found.append(Finding("unsealed", count + 1, f"events {count + 1} to {len(events)} came after the seal"))
    return found


def known_as(public: str) -> str:
    """The words by which a signer's public key (hex) is known."""
    return words(hashlib.sha256(bytes.fromhex(public)).hexdigest())


def signer_of(seed: bytes) -> str:
    """The public key of a seed, hex. Raises BadInput when the package is missing."""
    return _public(seed).hex()


def _message(told: Json) -> bytes:
    body = {key: told[key] for key in _SIGNED}
    return DOMAIN + json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _public(seed: bytes) -> bytes:
    return bytes(_keys().Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw())


def _sign(seed: bytes, message: bytes) -> bytes:
    return bytes(_keys().Ed25519PrivateKey.from_private_bytes(seed).sign(message))


def _holds(public: bytes, signature: bytes, message: bytes) -> bool:
    keys = _keys()
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - loaded only where it is used

    try:
        keys.Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _keys() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415 - loaded only where it is used
    except ImportError as error:
        raise BadInput(INSTALL) from error
    return ed25519
