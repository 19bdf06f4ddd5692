"""Logins as cameras ask for them, against a server that computes every response by itself and keeps count."""

import hashlib
import re
import secrets
import time

import pytest
from test_camera_http import PATIENT, Server, jpeg, send, send_part, shades, start_stream

from companion.devices.cameras.addresses import open_camera
from companion.devices.cameras.login import Login
from companion.devices.cameras.over_http import Http
from companion.errors import DeviceError

USER, PASSWORD, REALM = "jo", "pa ss", 'cam, of the "table"'
HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


class DigestServer(Server):
    """Lets in who answers its newest nonce with a count that was not used before; ``good_for`` requests, then the nonce runs
    out, which it says with ``stale=true`` only when it ``tells``."""

    def __init__(self, algorithms=("MD5",), *, qop="auth", good_for=1000, tells=True, sess="", more=(), then=None):
        self.algorithms, self.qop, self.good_for, self.tells, self.sess, self.more = (
            algorithms,
            qop,
            good_for,
            tells,
            sess,
            more,
        )
        self.then = then or (lambda handler: send(handler, "image/jpeg", jpeg(90)))
        self.nonce, self.counts, self.refused, self.let_in = secrets.token_hex(8), set(), [], 0
        super().__init__(self.answer_or_ask)

    def answer_or_ask(self, handler, _):
        given = handler.headers.get("Authorization", "")
        if not given:
            return self.ask(handler, stale=False)
        assert given.startswith("Digest "), given
        fields = {name: value.strip('"') for name, value in re.findall(r'([\w*]+)=("(?:[^"\\]|\\.)*"|[^,]+)', given[7:])}
        assert fields["uri"] == handler.path
        if fields["nonce"] != self.nonce or len(self.counts) >= self.good_for:
            return self.ask(handler, stale=self.tells)
        count = fields.get("nc", str(len(self.counts)))
        if fields["response"] != self.expected(fields, handler.command) or count in self.counts:
            self.refused.append(given)
            return self.ask(handler, stale=False)
        self.counts.add(count)
        self.let_in += 1
        return self.then(handler)

    def expected(self, fields, method):
        assert fields.get("algorithm", "MD5").removesuffix("-sess") == self.algorithms[0], "the best one that was offered"
        hashed = lambda *parts: HASHES[self.algorithms[0]](":".join(parts).encode()).hexdigest()  # noqa: E731
        who = hashed(USER, REALM, PASSWORD)
        if self.sess:
            who = hashed(who, fields["nonce"], fields["cnonce"])
        what = hashed(method, fields["uri"])
        if not self.qop:
            return hashed(who, fields["nonce"], what)
        return hashed(who, fields["nonce"], fields["nc"], fields["cnonce"], fields["qop"], what)

    def ask(self, handler, *, stale):
        self.nonce, self.counts = secrets.token_hex(8), set()
        handler.send_response(401)
        realm = REALM.replace('"', '\\"')
        for algorithm in reversed(self.algorithms):  # the better one last
            line = f'Digest realm="{realm}", nonce="{self.nonce}", algorithm={algorithm}{self.sess}, opaque="o"'
            line += f', qop="auth-int, {self.qop}"' if self.qop else ""
            handler.send_header("WWW-Authenticate", line + (", stale=true" if stale else ""))
        for line in self.more:
            handler.send_header("WWW-Authenticate", line)
        handler.end_headers()


@pytest.mark.parametrize("sess", ["", "-sess"])
@pytest.mark.parametrize("algorithms", [("MD5",), ("SHA-256",), ("SHA-256", "MD5")])
def test_a_snapshot_camera_with_digest_gives_its_pictures(algorithms, sess):
    with DigestServer(algorithms, sess=sess, more=['Basic realm="weaker"']) as server:
        camera = open_camera(server.address("jo:pa%20ss@"), PATIENT)
        assert shades(camera, 6) == pytest.approx([90] * 6, abs=2)
        camera.close()
        assert server.refused == []
        asked = [request for request in server.requests if "Authorization" not in request]
        assert len(asked) == 1, "one question, then each request is answered beforehand with a count of its own"
        assert not any("Basic" in request.get("Authorization", "") for request in server.requests)


def test_a_stream_with_the_digest_of_old_cameras_is_read():
    def film(handler):
        start_stream(handler)
        for _ in range(20):
            send_part(handler, jpeg(70))
            time.sleep(0.01)

    with DigestServer(qop="", then=film) as server:
        source = Http(server.address("jo:pa%20ss@"), "cam", PATIENT)
        source.open()
        assert [round(float(source.read().image.mean())) for _ in range(5)] == pytest.approx([70] * 5, abs=2)
        source.close()


@pytest.mark.parametrize("tells", [True, False], ids=["stale=true", "without a word"])
def test_a_nonce_that_runs_out_is_exchanged(tells):
    with DigestServer(("SHA-256",), good_for=3, tells=tells) as server:
        source = Http(server.address("jo:pa%20ss@"), "cam", PATIENT)
        source.open()
        for _ in range(10):
            source.read()
        source.close()
        assert server.let_in >= 10
        assert server.refused == [], "no count was used twice"


def test_a_wrong_password_is_tried_once_and_said():
    with DigestServer() as server:
        with pytest.raises(DeviceError, match="refuses this user and password") as caught:
            open_camera(server.address("jo:guess77@"), PATIENT)
        assert len(server.refused) == 1, "cameras lock out whoever guesses"
    assert "guess77" not in str(caught.value)
    assert "guess77" not in repr(Login("jo", "guess77"))


def test_a_nonce_that_is_always_stale_ends():
    with DigestServer(good_for=0) as server, pytest.raises(DeviceError, match="answers 401"):
        open_camera(server.address("jo:pa%20ss@"), PATIENT)


def test_a_login_that_is_not_known_is_named():
    def ask(handler, _):
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Negotiate, Digest realm="r", nonce="n", algorithm=SHA-512-256')
        handler.end_headers()

    with Server(ask) as server:
        with pytest.raises(DeviceError, match="asks for a login by Negotiate, Digest with SHA-512-256"):
            open_camera(server.address("jo:pa@"), PATIENT)
        with pytest.raises(DeviceError, match="asks for a user and a password"):
            open_camera(server.address(), PATIENT)


def test_a_redirection_to_another_host_does_not_get_the_login():
    def ask(handler, _):
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Basic realm="other"')
        handler.end_headers()

    def onward(handler, _):
        handler.send_response(302)
        handler.send_header("Location", other.address())
        handler.end_headers()

    with Server(ask) as other, Server(onward) as server:
        with pytest.raises(DeviceError, match="may not go"):
            open_camera(server.address("jo:pa@"), PATIENT)
        assert not any("Authorization" in request for request in other.requests)


def test_the_example_of_rfc_7616_gives_its_response():
    login = Login("Mufasa", "Circle of Life", lambda: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    for algorithm, response in (
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ):
        login._challenge = None
        login.challenged(
            [
                f'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm={algorithm}, '
                'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
            ]
        )
        header = login.header("GET", "/dir/index.html") or ""
        assert f'response="{response}"' in header
        assert "nc=00000001" in header


def test_names_beyond_ascii_travel_as_rfc_7616_says():
    login = Login("Jäger", "x")
    login.challenged(['Digest realm="r", nonce="n", qop="auth", charset=UTF-8'])
    assert "username*=UTF-8''J%C3%A4ger" in (login.header("GET", "/") or "")
    login.challenged(['Digest realm="r", nonce="m", qop="auth", userhash=true, stale=true'])
    assert hashlib.md5("Jäger:r".encode()).hexdigest() in (login.header("GET", "/") or "")
