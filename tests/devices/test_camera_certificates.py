"""Cameras that sign their certificates themselves: asked about, pinned, and another one refused before a word is sent."""

import datetime
import json
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from test_camera_http import Server, jpeg, send, shades

from companion.cli.session import camera_trust
from companion.devices.cameras.addresses import CameraSettings, open_camera
from companion.devices.cameras.certificates import PinnedCertificates, UntrustedCamera, as_fingerprint, fingerprint_of
from companion.errors import BadInput, DeviceError


def self_signed(folder: Path, name: str) -> tuple[Path, str]:
    """A file with a certificate of a camera's own and its key, and the fingerprint."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    begins = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number(), begins, begins.replace(year=2045))
    certificate = made.sign(key, hashes.SHA256())
    file = folder / f"{name}.both"
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return file, fingerprint_of(certificate.public_bytes(serialization.Encoding.DER))


class SecureServer(Server):
    """A camera over HTTPS; ``change`` gives it another certificate."""

    def __init__(self, answer, file):
        super().__init__(answer)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.change(file)
        self.server.socket = self.context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.handle_error = lambda *_: None  # whoever does not trust it leaves in the middle

    def change(self, file):
        self.context.load_cert_chain(file)

    def address(self, login=""):
        return super().address(login).replace("http:", "https:")


def picture(handler, _):
    send(handler, "image/jpeg", jpeg(80))


def settings(certificates: PinnedCertificates) -> CameraSettings:
    return CameraSettings(
        open_timeout=2, read_timeout=1, first_wait=0.02, longest_wait=0.05, snapshot_interval=0.01, certificates=certificates
    )


def test_a_camera_is_asked_about_once_and_known_from_then_on(tmp_path):
    file, fingerprint = self_signed(tmp_path, "cam")
    kept = tmp_path / "data" / "certificates.json"
    with SecureServer(picture, file) as server:
        with pytest.raises(UntrustedCamera, match=fingerprint) as asked:
            open_camera(server.address("jo:Pass77@"), settings(PinnedCertificates(kept)))
        assert asked.value.fingerprint == fingerprint
        assert server.requests == [], "nothing was said to it, least of all the password"
        answered = PinnedCertificates(kept)
        answered.accept(fingerprint.lower().replace(":", ""))
        open_camera(server.address(), settings(answered)).close()
        camera = open_camera(server.address(), settings(PinnedCertificates(kept)))
        assert shades(camera, 3) == pytest.approx([80] * 3, abs=2)
        camera.close()
    assert list(json.loads(kept.read_text()).values()) == [fingerprint]


def test_a_changed_certificate_is_refused_with_a_sentence_and_named_it_is_taken(tmp_path):
    (file, first), (other, second) = self_signed(tmp_path, "cam"), self_signed(tmp_path, "other")
    with SecureServer(picture, file) as server:
        certificates = PinnedCertificates(tmp_path / "kept.json", [first])
        camera = open_camera(server.address("jo:Pass77@"), settings(certificates))
        heard = []
        camera.listen(heard.append)
        shades(camera, 2)
        server.change(other)
        before = len(server.requests)
        for _ in range(200):
            if heard:
                break
            server.over.wait(0.02)
        camera.close()
        assert heard[0].code == "source-lost", "a camera that is exchanged in the middle of a game is lost"
        assert "shows another certificate than before" in heard[0].message
        assert len(server.requests) <= before + 2
        with pytest.raises(DeviceError, match=f"another certificate than before.*{second}.*{first}.*--trust-camera") as refused:
            open_camera(server.address("jo:Pass77@"), settings(PinnedCertificates(tmp_path / "kept.json")))
        assert not isinstance(refused.value, UntrustedCamera), "that is no question"
        assert "Pass77" not in str(refused.value)
        open_camera(server.address(), settings(PinnedCertificates(tmp_path / "kept.json", [second]))).close()
        open_camera(server.address(), settings(PinnedCertificates(tmp_path / "kept.json"))).close()


@pytest.mark.parametrize(("said", "trusted"), [("y\n", True), ("\n", False), ("", False)])
def test_whoever_sits_at_a_terminal_is_asked(tmp_path, monkeypatch, capsys, said, trusted):
    file, fingerprint = self_signed(tmp_path, "cam")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin.readline", lambda: said, raising=False)
    with SecureServer(picture, file) as server:
        if trusted:
            camera_trust.open_asking(server.address("jo:Pass77@"), settings(PinnedCertificates())).close()
        else:
            with pytest.raises(DeviceError, match=f"start with --trust-camera {fingerprint}"):
                camera_trust.open_asking(server.address("jo:Pass77@"), settings(PinnedCertificates()))
    told = capsys.readouterr().err
    assert fingerprint in told
    assert "Pass77" not in told


def test_what_is_no_fingerprint_and_a_file_that_is_none_are_refused(tmp_path):
    assert as_fingerprint("sha256:" + "ab" * 32) == ":".join(["AB"] * 32)
    with pytest.raises(BadInput, match="32 pairs"):
        PinnedCertificates(None, ["AB:CD"])
    (tmp_path / "kept.json").write_text("[1]")
    with pytest.raises(BadInput, match="cannot be read; move the file away"):
        PinnedCertificates(tmp_path / "kept.json").pinned("cam:443")
