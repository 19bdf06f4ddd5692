"""RTSP cameras that give FFmpeg no stream, and what is said of them; each is a small server that answers as cameras do."""

import socketserver
import threading

import pytest

from companion.devices.cameras.capture import Rtsp
from companion.devices.cameras.port import CameraSettings
from companion.devices.cameras.rtsp_refusal import why_refused
from companion.errors import DeviceError

SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=cam\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\nc=IN IP4 0.0.0.0\r\na=control:track1\r\n"


class RtspServer:
    """``answer(method, address, headers)`` gives (status, reason, headers, body)."""

    def __init__(self, answer):
        self.asked, outer = [], self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                while first := self.rfile.readline().decode().split():
                    headers = {}
                    while line := self.rfile.readline().decode().strip():
                        name, _, value = line.partition(":")
                        headers[name.lower()] = value.strip()
                    outer.asked.append((first[0], headers.get("transport", "")))
                    status, words, more, body = answer(first[0], first[1], headers)
                    more = {"CSeq": headers.get("cseq", "0"), **more, **({"Content-Length": len(body)} if body else {})}
                    head = "".join(f"{name}: {value}\r\n" for name, value in more.items())
                    self.wfile.write(f"RTSP/1.0 {status} {words}\r\n{head}\r\n{body}".encode())

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})

    def address(self, login=""):
        return f"rtsp://{login}127.0.0.1:{self.server.server_address[1]}/live"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def udp_only(method, address, headers):
    if method == "OPTIONS":
        return 200, "OK", {"Public": "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"}, ""
    if method == "DESCRIBE":
        return 200, "OK", {"Content-Type": "application/sdp", "Content-Base": address + "/"}, SDP
    if method == "SETUP" and "TCP" in headers["transport"]:
        return 461, "Unsupported Transport", {}, ""
    if method == "SETUP":
        return 200, "OK", {"Session": "12;timeout=60", "Transport": headers["transport"] + ";server_port=6000-6001"}, ""
    return 200, "OK", {}, ""


def test_a_camera_that_sends_over_udp_only_is_named_with_what_to_set():
    with RtspServer(udp_only) as server:
        source = Rtsp(server.address(), "rtsp://cam", CameraSettings(open_timeout=2, read_timeout=1))
        with pytest.raises(DeviceError, match=r"UDP only.*allow RTSP over TCP.*or use its HTTP or MJPEG address") as caught:
            source.open()
        assert server.asked[-1][0] == "TEARDOWN", "nothing is left open at the camera"
    assert "\n" not in str(caught.value)


def test_a_camera_that_turns_tcp_into_udp_by_itself_is_named_too():
    def turned(method, address, headers):
        if method == "SETUP":
            return 200, "OK", {"Session": "1", "Transport": "RTP/AVP;unicast;client_port=0-1"}, ""
        return udp_only(method, address, headers)

    with RtspServer(turned) as server:
        assert "UDP only" in why_refused(server.address(), 1)


def test_a_stream_there_is_not_and_a_login_are_said():
    asks = {"WWW-Authenticate": 'Digest realm="cam", nonce="n1"'}
    with RtspServer(lambda *_: (404, "Not Found", {}, "")) as server:
        assert why_refused(server.address(), 1) == "answers 404 Not Found"
    with RtspServer(lambda *_: (401, "Unauthorized", asks, "")) as server:
        assert "asks for a user and a password" in why_refused(server.address(), 1)
        assert why_refused(server.address("jo:guess77@"), 1) == "refuses this user and password"
        assert len(server.asked) == 3, "a wrong password is tried once"


def test_a_camera_that_takes_tcp_but_sends_nothing_is_not_blamed_for_udp():
    def takes(method, address, headers):
        if method == "SETUP":
            return 200, "OK", {"Session": "1", "Transport": headers["transport"]}, ""
        return udp_only(method, address, headers)

    with RtspServer(takes) as server:
        assert why_refused(server.address(), 1) == ""


def test_what_speaks_no_rtsp_is_said():
    class Other(socketserver.StreamRequestHandler):
        def handle(self):
            self.wfile.write(b"SSH-2.0-box\r\n")

    with socketserver.TCPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert why_refused(f"rtsp://127.0.0.1:{server.server_address[1]}/", 1) == "does not speak RTSP"
