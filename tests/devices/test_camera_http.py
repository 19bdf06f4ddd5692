"""Pictures over HTTP, against a real server on this machine: streams, snapshots, torn parts, silence, logins."""

import base64
import io
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.cameras.addresses import CameraSettings, open_camera
from companion.devices.cameras.multipart import parts
from companion.devices.cameras.over_http import ClockAlignment, Http
from companion.errors import BadInput, DeviceError

QUICK = CameraSettings(
    open_timeout=1, read_timeout=0.5, first_wait=0.02, longest_wait=0.05, snapshot_interval=0.01, silence=0.3
)
PATIENT = replace(QUICK, open_timeout=30, read_timeout=30)
"""For servers that answer, however late on a busy machine."""


def jpeg(shade):
    return cv2.imencode(".jpg", np.full((48, 64, 3), shade, np.uint8))[1].tobytes()


class Server:
    """An HTTP camera; ``answer(handler)`` does what the test wants."""

    def __init__(self, answer):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append(dict(self.headers))
                try:
                    answer(self, len(outer.requests))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, *words):
                pass

        self.requests, self.over = [], threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = False
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def address(self, login=""):
        return f"http://{login}127.0.0.1:{self.server.server_port}/cam"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def send(handler, kind, body):
    handler.send_response(200)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def start_stream(handler, boundary="frame"):
    handler.send_response(200)
    handler.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={boundary}")
    handler.end_headers()


def send_part(handler, body, *, length=True, boundary="frame", stamp=None):
    head = f"--{boundary}\r\nContent-Type: image/jpeg\r\n"
    head += f"Content-Length: {len(body)}\r\n" if length else ""
    head += f"X-Timestamp: {stamp}\r\n" if stamp else ""
    handler.wfile.write(head.encode() + b"\r\n" + body + b"\r\n")
    handler.wfile.flush()


def shades(camera, count):
    found = []
    for frame in camera.frames():
        found.append(round(float(frame.image.mean())))
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("length", [True, False])
@pytest.mark.parametrize("boundary", ["frame", "--frame"])
def test_a_stream_is_read_part_by_part(length, boundary):
    def answer(handler, _):
        start_stream(handler, boundary)
        for shade in range(0, 250, 10):
            send_part(handler, jpeg(shade), length=length)
            time.sleep(0.02)

    with Server(answer) as server:
        source = Http(server.address(), "cam", QUICK)
        source.open()
        found = [round(float(source.read().image.mean())) for _ in range(20)]
        source.close()
    assert found == pytest.approx(list(range(0, 200, 10)), abs=2)


def test_a_broken_stream_is_opened_again():
    def answer(handler, count):
        start_stream(handler)
        for shade in range(count * 20, count * 20 + 3):
            send_part(handler, jpeg(shade))
            time.sleep(0.03)

    with Server(answer) as server:
        camera, heard = open_camera(server.address(), QUICK), []
        camera.listen(heard.append)
        assert max(shades(camera, 10)) >= 60
        camera.close()
    assert heard[0].code == "source-lost"
    assert "source-back" in [notice.code for notice in heard]


def test_a_torn_part_costs_one_picture():
    def answer(handler, _):
        start_stream(handler)
        while not server.over.is_set():
            send_part(handler, jpeg(100)[:400])
            send_part(handler, jpeg(120))
            time.sleep(0.02)

    with Server(answer) as server:
        camera, heard = open_camera(server.address(), QUICK), []
        camera.listen(heard.append)
        assert shades(camera, 5) == pytest.approx([120] * 5, abs=2)
        camera.close()
    assert heard[0].code == "picture-torn"
    assert "source-lost" not in [notice.code for notice in heard]


def test_a_stream_that_stalls_is_said_and_tried_again():
    def answer(handler, count):
        start_stream(handler)
        send_part(handler, jpeg(count * 10))
        server.over.wait(5)

    with Server(answer) as server:
        camera, heard = open_camera(server.address(), QUICK), []
        camera.listen(heard.append)
        shades(camera, 3)
        camera.close()
    codes = [notice.code for notice in heard]
    assert codes[0] == "source-silent"
    assert codes[1] == "source-lost"
    assert "source-back" in codes


def test_snapshots_are_asked_for_again_and_again():
    with Server(lambda handler, count: send(handler, "image/jpeg", jpeg(min(count * 10, 250)))) as server:
        camera = open_camera(server.address(), QUICK)
        found = shades(camera, 6)
        camera.close()
    assert found == sorted(found)
    assert len(set(found)) == 6


def test_a_snapshot_cut_short_is_a_torn_picture():
    def answer(handler, count):
        body = jpeg(100)
        handler.send_response(200)
        handler.send_header("Content-Type", "image/jpeg")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:200])
        handler.close_connection = True

    with Server(answer) as server:
        source = Http(server.address(), "cam", QUICK)
        source.open()
        with pytest.raises((BadInput, DeviceError), match=r"torn|IncompleteRead|bytes"):
            source.read()
        source.close()


def test_user_and_password_travel_in_the_header():
    def answer(handler, _):
        if "Authorization" in handler.headers:
            return send(handler, "image/jpeg", jpeg(9))
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Basic realm="cam"')
        return handler.end_headers()

    with Server(answer) as server:
        camera = open_camera(server.address("jo:pa%20ss@"), QUICK)
        camera.close()
        assert "Authorization" not in server.requests[0], "a password is given only to who asks for it"
        assert base64.b64decode(server.requests[1]["Authorization"].removeprefix("Basic ")) == b"jo:pa ss"
        assert "pa" not in camera.name.replace("cam", "")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda handler, _: send(handler, "text/html", b"<p>log in</p>"), "sends text/html, not a picture"),
        (lambda handler, _: handler.send_error(404), "answers 404"),
        (lambda handler, _: send(handler, "multipart/x-mixed-replace", b""), "without naming its boundary"),
        (lambda handler, _: time.sleep(1.3), "cannot be reached within 1 s"),
    ],
)
def test_what_is_no_camera_is_said_in_one_line(answer, words):
    with Server(answer) as server, pytest.raises(DeviceError, match=words) as caught:
        open_camera(server.address(), QUICK)
    assert "\n" not in str(caught.value)


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=6), st.booleans())
def test_any_bodies_come_out_as_they_went_in(bodies, with_length):
    boundary = "b0undary-not-in-the-bodies"
    stream = b"preamble\r\n"
    for body in bodies:
        length = f"Content-Length: {len(body)}\r\n" if with_length else ""
        stream += f"--{boundary}\r\n{length}\r\n".encode() + body + b"\r\n"
    stream += f"--{boundary}--\r\n".encode()
    assert [body for _, body in parts(io.BytesIO(stream), boundary, 10_000)] == bodies


@given(st.binary(max_size=400))
def test_noise_instead_of_a_stream_ends_without_an_end(noise):
    try:
        list(parts(io.BytesIO(b"--b\r\n" + noise), "b", 1000))
    except DeviceError as error:
        assert "\n" not in str(error)


def test_a_part_too_large_is_not_read():
    with pytest.raises(DeviceError, match="at most 1000 are read"):
        list(parts(io.BytesIO(b"--b\r\nContent-Length: 99999\r\n\r\n"), "b", 1000))
    with pytest.raises(DeviceError, match="more than 1000 bytes"):
        list(parts(io.BytesIO(b"--b\r\n\r\n" + bytes(5000)), "b", 1000))


def test_the_cameras_own_stamps_lose_the_networks_jitter():
    alignment = ClockAlignment()
    jitter = [0.03, 0.0, 0.08, 0.01, 0.3]
    times = [alignment.aligned(50.0 + n, 1000.0 + n + late) for n, late in enumerate(jitter)]
    assert times[1:] == pytest.approx([1001.0, 1002.0, 1003.0, 1004.0])
    assert alignment.aligned(3.0, 2000.0) == 2000.0
