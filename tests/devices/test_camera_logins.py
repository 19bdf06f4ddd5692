"""Passwords as people choose them: never shown, and never a host cut out of one."""

import http.client
import socket

import cv2
import pytest

from companion.devices.cameras.addresses import CameraSettings, open_camera, without_password
from companion.errors import CompanionError

ODD = (
    "Pa#ss77", "Pa/ss77", "Pa?ss77", "12#Pass77", "80/Pass77", "Pa\\ss77", "#Pass77", "a:Pass77#", "[Pass77", "Pa://ss77",
    "Pa ss77#",
)  # fmt: skip
PIECES = ("Pa", "ss77", "Pass77")


@pytest.mark.parametrize("password", ODD)
@pytest.mark.parametrize("scheme", ["http://", "https://", "rtsp://", "RTSP://", "gopher://", "", "rtsp:/"])
def test_a_sign_in_a_password_shows_no_part_of_it_and_connects_to_nothing(
    scheme: str, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, name in ((socket, "create_connection"), (http.client.HTTPConnection, "connect"), (cv2, "VideoCapture")):
        monkeypatch.setattr(place, name, lambda *_, **__: pytest.fail("connected"))
    address = f"{scheme}me:{password}@table-camera/live"
    with pytest.raises(CompanionError) as refused:
        open_camera(address, CameraSettings(open_timeout=1))
    for told in (str(refused.value), without_password(address)):
        assert not any(piece in told for piece in PIECES), told
        assert "me:" not in told
        assert "table-camera" in told
    assert "\n" not in str(refused.value)
    if scheme.lower() in ("http://", "https://", "rtsp://") and password != "[Pass77" and "://" not in password:
        assert "write # as %23" in str(refused.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://me:a@b@cam/live", "rtsp://…@cam/live"),
        ("http://cam/pic?user=me&pwd=Pass77", "http://cam/pic?…"),
        ("http://cam/pic?mail=me@home&pwd=Pass77", "http://…@home&…"),
        ("http://cam/pic", "http://cam/pic"),
    ],
)
def test_what_is_shown_of_an_address(address: str, shown: str) -> None:
    assert without_password(address) == shown


def test_an_address_with_a_sign_in_its_query_that_has_to_be_written_otherwise_is_not_quoted() -> None:
    with pytest.raises(CompanionError) as refused:
        open_camera("http://127.0.0.1:9/pic?pwd=Pass 77", CameraSettings(open_timeout=1))
    assert "Pass" not in str(refused.value)
