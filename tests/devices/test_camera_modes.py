"""Formats and sizes from the kernel's answers, and what is said when there is no answer."""

import struct

import pytest

from companion.devices.cameras.modes import CameraModes, all_modes, modes

QUERY, FORMAT, SIZE = 0x80685600, 0xC0405602, 0xC02C564A


def kernel(formats, capabilities=0x84200001, own=0x04200001):
    """An ioctl that answers as the kernel does; ``formats`` maps a code to (kind, values) sizes."""

    def control(handle, request, answer):
        if request == QUERY:
            struct.pack_into("=II", answer, 84, capabilities, own)
            return
        index = struct.unpack_from("=I", answer, 0)[0]
        if request == FORMAT:
            if index >= len(formats):
                raise OSError(22, "Invalid argument")
            answer[44:48] = list(formats)[index]
            return
        assert request == SIZE
        sizes = formats[bytes(answer[4:8])]
        if index >= len(sizes):
            raise OSError(22, "Invalid argument")
        struct.pack_into(f"={1 + len(sizes[index][1])}I", answer, 8, sizes[index][0], *sizes[index][1])

    return control


def test_formats_and_sizes_are_listed_largest_first():
    control = kernel({b"MJPG": [(1, (1280, 720)), (1, (1920, 1080))], b"YUYV": [(1, (640, 480))]})
    assert modes(3, control) == {"MJPG": ((1920, 1080), (1280, 720)), "YUYV": ((640, 480),)}


def test_a_range_of_sizes_is_given_by_its_ends():
    assert modes(3, kernel({b"YUYV": [(3, (32, 2592, 2, 24, 1944, 2))]})) == {"YUYV": ((2592, 1944), (32, 24))}


def test_a_device_that_captures_no_video_has_no_modes():
    assert modes(3, kernel({b"MJPG": []}, own=0x04A00000)) == {}


def test_a_device_that_cannot_be_opened_says_why(tmp_path):
    (tmp_path / "class" / "video7").mkdir(parents=True)
    (tmp_path / "class" / "video7" / "name").write_text("Gone\n")
    (found,) = all_modes(tmp_path / "class", tmp_path / "dev")
    assert found == CameraModes(str(tmp_path / "dev" / "video7"), "Gone", {}, "cannot be opened (No such file or directory)")


def test_a_device_that_is_no_camera_does_not_stop_the_list(tmp_path):
    (tmp_path / "class" / "video0").mkdir(parents=True)
    (tmp_path / "video0").write_bytes(b"")
    (found,) = all_modes(tmp_path / "class", tmp_path)
    assert found.name == "no name"
    assert found.problem is not None
    assert "does not answer" in found.problem


@pytest.mark.parametrize("empty", [True, False])
def test_no_cameras_are_an_empty_list(tmp_path, empty):
    assert all_modes(tmp_path if empty else tmp_path / "nowhere") == []
