"""Cameras by number and by name, on systems that list them differently."""

import sys
from types import ModuleType, SimpleNamespace

import cv2
import pytest

from companion.devices.cameras import addresses as cameras
from companion.devices.cameras import capture as camera_capture
from companion.devices.cameras import listing as camera_list
from companion.devices.cameras.addresses import device_of
from companion.devices.cameras.capture import Webcam, present_text
from companion.devices.cameras.listing import Device, backend, devices, named
from companion.devices.cameras.modes import all_modes
from companion.errors import BadInput, DeviceError

DESK, FACE, TWIN = Device("0", "Desk camera"), Device("1", "FaceTime HD Camera"), Device("2", "Desk camera")


@pytest.fixture
def other_system(monkeypatch):
    """The package that asks Windows and macOS, as it answers there."""
    asked = []

    def enumerate_cameras(interface):
        asked.append(interface)
        return [SimpleNamespace(index=index, name=device.name) for index, device in enumerate((DESK, FACE))]

    module = ModuleType("cv2_enumerate_cameras")
    module.enumerate_cameras = enumerate_cameras
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", module)
    return asked


@pytest.mark.parametrize(("system", "interface"), [("win32", cv2.CAP_DSHOW), ("darwin", cv2.CAP_AVFOUNDATION)])
def test_windows_and_macos_list_cameras_by_the_numbers_they_are_opened_by(other_system, system, interface):
    assert devices(system) == (DESK, FACE)
    assert other_system == [interface] == [backend(system)[0]]
    assert [(mode.device, mode.name, mode.problem) for mode in all_modes(system=system)] == [
        ("0", "Desk camera", None), ("1", "FaceTime HD Camera", None),
    ]  # fmt: skip
    assert all(mode.modes for mode in all_modes(system=system)), "the lobby offers what can film"


def test_without_the_package_no_camera_is_listed_and_nothing_fails(monkeypatch):
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", None)
    assert devices("win32") == ()
    assert present_text((), "win32") == "no camera is found on this computer"


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("FaceTime HD Camera", "1"),
        ("facetime", "1"),
        ("desk CAMERA", "0"),
        ("camera of a kind that is not here", None),
        (" ", None),
    ],
)
def test_a_camera_is_found_by_its_name_or_a_part_of_it(name, address):
    assert named(name, (DESK, FACE)) == address


def test_a_part_that_fits_several_cameras_is_not_guessed():
    with pytest.raises(BadInput, match=r"several cameras are called so: 0 \(Desk camera\), 1 \(FaceTime HD Camera\)"):
        named("camera", (DESK, FACE))
    assert named("desk camera", (DESK, FACE, TWIN)) == "0"  # as on Linux, where one webcam has several entries


def test_a_file_called_like_a_camera_is_that_file(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cameras, "devices", lambda: (DESK,))
    assert device_of("desk") == "0"
    (tmp_path / "desk").write_bytes(b"")
    assert device_of("desk") is None
    assert device_of("phone") is None and device_of("http://desk/") is None and device_of("x" * 5000) is None


@pytest.mark.parametrize(("system", "words"), [("win32", "tried 7 with DirectShow"), ("linux", "tried /dev/video7 with V4L2")])
def test_a_camera_is_opened_by_the_systems_own_interface(monkeypatch, system, words):
    asked = []

    def capture(*arguments):
        asked.append(arguments)
        return SimpleNamespace(isOpened=lambda: False, release=lambda: None)

    monkeypatch.setattr(camera_capture, "backend", lambda: backend(system))
    with pytest.raises(DeviceError, match=words):
        Webcam("7", capture=capture).open()
    assert asked == [(7, camera_list.backend(system)[0])]
