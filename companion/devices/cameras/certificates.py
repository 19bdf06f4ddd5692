"""Certificates of cameras that nobody vouches for: asked about once, pinned then, and refused when another one is shown.

Cameras sign their certificates themselves, so an authority can say nothing of them. What can be noticed is that a camera shows
another one than before: so it is trusted on first use, by its fingerprint, when a person has said so.
"""

import hashlib
import json
import re
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion import atomic, bounded
from companion.errors import BadInput, DeviceError

_HEX = re.compile(r"[0-9A-F]{64}")
_MOST = 200  # pinned at once; a club has a handful


class UntrustedCamera(DeviceError):
    """A camera whose certificate nobody vouches for and nobody was asked about; ``fingerprint`` is what to compare."""

    def __init__(self, message: str, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        super().__init__(message)


def fingerprint_of(certificate: bytes) -> str:
    """The SHA-256 of a certificate (DER) as cameras and browsers show it: 32 pairs of digits."""
    return _in_pairs(hashlib.sha256(certificate).hexdigest().upper())


def as_fingerprint(text: str) -> str:
    """A fingerprint that was typed or pasted, with or without its colons. Raises BadInput for anything else."""
    digits = re.sub(r"[:\s-]", "", text).upper().removeprefix("SHA256")
    if not _HEX.fullmatch(digits):
        raise BadInput(f"fingerprint {text[:20]!r}: 32 pairs of the digits 0 to 9 and A to F (SHA-256) are expected")
    return _in_pairs(digits)


def _in_pairs(digits: str) -> str:
    return ":".join(digits[at : at + 2] for at in range(0, 64, 2))


class PinnedCertificates:
    """The pinned certificates, by ``host:port``. Every method may be called from any thread."""

    def __init__(self, path: Path | None = None, accepted: Iterable[str] = ()) -> None:
        """``path``: where they are kept, read whenever they are needed; None for as long as the process lives. ``accepted``:
        fingerprints that were named beforehand. Raises BadInput for one that is none."""
        self._path, self._accepted = path, {as_fingerprint(one) for one in accepted}
        self._pins: dict[str, str] = {}
        self._lock = threading.Lock()

    def accept(self, fingerprint: str) -> None:
        """Somebody compared this fingerprint: whichever camera shows it next is pinned to it. Raises BadInput."""
        with self._lock:
            self._accepted.add(as_fingerprint(fingerprint))

    def pinned(self, place: str) -> str | None:
        """The fingerprint that was seen at a place before. Raises BadInput when the file cannot be read."""
        with self._lock:
            return self._known().get(place)

    def check(self, name: str, place: str, fingerprint: str) -> None:
        """Let a camera called ``name`` in, or not. Raises UntrustedCamera for one that has to be asked about, DeviceError for
        one that shows another certificate than before, BadInput when it cannot be kept."""
        with self._lock:
            known = self._known()
            before = known.get(place)
            if before == fingerprint:
                return
            if fingerprint in self._accepted:
                self._keep({**known, place: fingerprint})
                return
        if before is None:
            raise UntrustedCamera(
                f"{name}: nobody vouches for this camera's certificate, with the fingerprint {fingerprint}", fingerprint
            )
        raise DeviceError(
            f"{name}: shows another certificate than before ({fingerprint}, before {before}), so it may be another device; "
            f"nothing was sent to it; if the camera was set up anew, start with --trust-camera {fingerprint}"
        )

    def _known(self) -> dict[str, str]:
        """What is pinned now: another companion may have kept something meanwhile."""
        if self._path is not None and self._path.exists():
            self._pins = _read(self._path)
        return self._pins

    def _keep(self, pins: dict[str, str]) -> None:
        pins = dict(list(pins.items())[-_MOST:])
        if self._path is not None:
            try:
                _write(self._path, pins)
            except OSError as error:
                raise BadInput(f"{self._path}: the camera's certificate cannot be kept ({error.strerror})") from error
        self._pins = pins


def _read(path: Path) -> dict[str, str]:
    try:
        found: Any = bounded.read_json(path, bounded.BOUNDS.private)
        return {str(place): as_fingerprint(pin) for place, pin in found.items()}
    except (OSError, ValueError, AttributeError, TypeError, BadInput) as error:
        raise BadInput(
            f"{path}: the certificates of cameras cannot be read; move the file away, and trust them again"
        ) from error


def _write(path: Path, pins: dict[str, str]) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, json.dumps(pins, indent=1))
