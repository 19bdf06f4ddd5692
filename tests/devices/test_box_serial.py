"""Serial ports by pyserial, on pseudo-terminals: bytes, unplugging, ports that are held or forbidden or not there."""

import os
import pty
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from companion.devices.boxes import serial_line as box_serial
from companion.devices.boxes.box import PortBusy, PortForbidden
from companion.devices.boxes.serial_line import SerialPort, SerialPorts
from companion.errors import DeviceError


@pytest.fixture
def ends() -> Iterator[list[int]]:
    """The two ends of a pseudo-terminal; take one out of the list to close it yourself."""
    open_ends = list(pty.openpty())
    tty.setraw(open_ends[1])
    yield open_ends
    for end in open_ends:
        os.close(end)


def test_bytes_go_both_ways_and_a_quiet_line_gives_nothing(ends: list[int]) -> None:
    port = SerialPort(os.ttyname(ends[1]))
    os.write(ends[0], b"\x00\x01\xff\x11\x13\x0a\x0d")
    assert port.read(1.0) + port.read(0.01) == b"\x00\x01\xff\x11\x13\x0a\x0d"
    assert port.read(0.01) == b""
    port.write(b"\x00\x11\x13\xff")
    assert os.read(ends[0], 10) == b"\x00\x11\x13\xff"
    port.close()
    port.close()
    with pytest.raises(DeviceError, match="went away"):
        port.read(0.01)


def test_a_line_that_goes_away_is_one_error(ends: list[int]) -> None:
    port = SerialPort(os.ttyname(ends[1]))
    os.close(ends.pop(1))
    os.close(ends.pop(0))
    with pytest.raises(DeviceError, match="went away while reading"):
        port.read(0.5)
    port.close()


def test_a_port_held_by_another_program_is_busy(ends: list[int]) -> None:
    name = os.ttyname(ends[1])
    first = SerialPort(name)
    with pytest.raises(PortBusy, match="another program"):
        SerialPort(name)
    first.close()
    SerialPort(name).close()


def test_a_port_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="no such port now"):
        SerialPort(str(tmp_path / "none"))


def test_a_forbidden_port_names_the_group_and_the_command(ends: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: serial.Serial) -> None:
        raise serial.SerialException(13, "could not open port: [Errno 13] Permission denied")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    monkeypatch.setattr(box_serial, "_group_of", lambda name: None)
    with pytest.raises(PortForbidden, match=r"sudo usermod -a -G dialout \$USER\) and log in again"):
        SerialPort(os.ttyname(ends[1]))
    monkeypatch.setattr(box_serial, "_group_of", lambda name: "uucp")
    with pytest.raises(PortForbidden, match="group uucp"):
        SerialPort(os.ttyname(ends[1]))


def test_ports_are_found_by_name_and_pattern_each_once(tmp_path: Path) -> None:
    for name in ("box-1", "box-2", "other"):
        (tmp_path / name).touch()
    source = SerialPorts(only=[str(tmp_path / "box-*"), str(tmp_path / "box-1"), str(tmp_path / "gone")])
    assert [Path(port).name for port in source.ports()] == ["box-1", "box-2"]
    assert set(SerialPorts().ports()) <= set(SerialPorts(also=[str(tmp_path / "other")]).ports())
    assert str(tmp_path / "other") in SerialPorts(also=[str(tmp_path / "other")]).ports()
