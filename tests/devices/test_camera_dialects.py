"""Streams as programs really send them: pictures are found by their own marks, and data without any is said within seconds."""

import itertools
import time

import pytest
from test_camera_http import QUICK, Server, jpeg

from companion.devices.cameras.over_http import Http
from companion.errors import DeviceError

FFMPEG = "--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: {length}\r\n\r\n"
DIALECTS = {
    "FFmpeg's mpjpeg": ("application/octet-stream", FFMPEG, "\r\n"),
    "bare pictures": ("video/x-motion-jpeg", "", ""),
    "no boundary named": ("multipart/x-mixed-replace", "--odd\n\n", "\n"),
    "line feeds alone": ("application/octet-stream", "--x\nContent-Type: image/jpg\n\n", "\n--x--\n\n\n"),
}


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_a_stream_in_a_dialect_is_read_picture_by_picture(dialect):
    kind, before, after = DIALECTS[dialect]

    def answer(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        for shade in range(0, 250, 10):
            data = jpeg(shade)
            if shade == 60:
                data = data[: len(data) // 2]  # one that broke off
            handler.wfile.write(before.format(length=len(data)).encode() + data + after.encode())
            time.sleep(0.005)

    with Server(answer) as server:
        source = Http(server.address(), "cam", QUICK)
        source.open()
        found = []
        while len(found) < 15:
            found.append(round(float(source.read().image.mean())))
        source.close()
    assert found == pytest.approx([shade for shade in range(0, 170, 10) if shade != 60][:15], abs=2)


@pytest.mark.parametrize("kind", ["application/octet-stream", "video/mp4", "multipart/x-mixed-replace"])
def test_data_without_a_picture_is_said_within_seconds(kind):
    def answer(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        for _ in itertools.count():
            handler.wfile.write(bytes(range(200)) * 50)
            time.sleep(0.01)

    with Server(answer) as server:
        source = Http(server.address(), "cam", QUICK)
        begun = time.monotonic()
        with pytest.raises(DeviceError, match=r"cam: \d+ bytes came in 1 s, but no picture was found"):
            source.open()
        source.close()
    assert time.monotonic() - begun < 5


def film(kind, before, after="\r\n"):
    """A stream of pictures, each brighter, in parts as told."""

    def answer(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.end_headers()
        for shade in range(0, 250, 10):
            data = jpeg(shade)
            handler.wfile.write(before.format(length=len(data)).encode() + data + after.encode())
            time.sleep(0.005)

    return answer


DECLARED = "multipart/x-mixed-replace; boundary=declared"
WRONG = {
    "another boundary": (DECLARED, "--used\r\nContent-Type: image/jpeg\r\nContent-Length: {length}\r\n\r\n"),
    "another boundary, no length": (DECLARED, "--used\r\nContent-Type: image/jpeg\r\n\r\n"),
    "dashes too many": (DECLARED, "----declared\r\n\r\n"),
    "no delimiters at all": (DECLARED, ""),
    "parts that call themselves data": (DECLARED, "--declared\r\nContent-Type: application/octet-stream\r\n\r\n"),
    "parts that call themselves text": (
        DECLARED,
        "--declared\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n",
    ),
    "another multipart inside": (
        DECLARED,
        "--declared\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\nContent-Type: image/jpeg\r\n\r\n",
    ),
    "an empty line too many": (DECLARED, "--declared\r\nContent-Type: image/jpeg\r\n\r\n\r\n"),
}


@pytest.mark.parametrize("fault", list(WRONG))
def test_a_stream_that_declares_a_wrong_boundary_or_type_is_read_all_the_same(fault):
    with Server(film(*WRONG[fault])) as server:
        source = Http(server.address(), "cam", QUICK)
        source.open()
        found = [round(float(source.read().image.mean())) for _ in range(15)]
        source.close()
    assert found == pytest.approx(list(range(0, 150, 10)), abs=2)


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("--declared\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n", b"<p>no</p>"),
        ("--declared\r\nContent-Type: audio/basic\r\n\r\n", bytes(range(200)) * 5),
        ("--used\r\nContent-Type: text/html\r\n\r\n", b"<p>no</p>"),
        ("", bytes(range(200)) * 5),
    ],
    ids=["pages", "sound", "another boundary", "noise"],
)
def test_a_multipart_stream_without_a_picture_is_said_within_seconds(before, body):
    def answer(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Type", DECLARED)
        handler.end_headers()
        while not server.over.is_set():
            handler.wfile.write(before.encode() + body + b"\r\n")
            time.sleep(0.01)

    with Server(answer) as server:
        source = Http(server.address(), "cam", QUICK)
        source.open()
        begun = time.monotonic()
        with pytest.raises(DeviceError, match=r"cam: \d+ bytes came in 1 s, but no picture was found"):
            source.read()
        source.close()
    assert time.monotonic() - begun < 5
