"""Cameras over HTTPS whose certificates nobody vouches for: asked about once at the prompt, or named beforehand."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from companion.devices.cameras.addresses import Camera, CameraSettings, open_camera, without_password
from companion.devices.cameras.certificates import PinnedCertificates, UntrustedCamera
from companion.errors import DeviceError

_FILE = "camera-certificates.json"


def add_option(command: argparse.ArgumentParser) -> None:
    """Add ``--trust-camera``."""
    command.add_argument(
        "--trust-camera", metavar="FINGERPRINT", action="append", default=[],
        help="take the camera whose certificate has this SHA-256 fingerprint for yours, from now on",
    )  # fmt: skip


def with_certificates(settings: CameraSettings, options: argparse.Namespace, folder: Path) -> CameraSettings:
    """The settings with the certificates that are kept in ``folder`` and those named now. Raises BadInput."""
    return replace(settings, certificates=PinnedCertificates(folder / _FILE, options.trust_camera))


def open_asking(address: str, settings: CameraSettings) -> Camera:
    """The camera at an address; whoever sits at a terminal is asked about its certificate once. Raises as ``open_camera``."""
    try:
        return open_camera(address, settings)
    except UntrustedCamera as error:
        if not _agreed(address, error.fingerprint):
            raise DeviceError(
                f"{error}; compare it with the one on the camera's own pages, then start with "
                f"--trust-camera {error.fingerprint}"
            ) from error
        settings.certificates.accept(error.fingerprint)
        return open_camera(address, settings)


def _agreed(address: str, fingerprint: str) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{without_password(address)}: nobody vouches for this camera's certificate. Its fingerprint is", file=sys.stderr)
    print(f"  {fingerprint}", file=sys.stderr)
    print(
        "Compare it with the one on the camera's own pages. Trust it from now on? [y/N] ", end="", file=sys.stderr, flush=True
    )
    return sys.stdin.readline().strip().lower() in ("y", "yes")
