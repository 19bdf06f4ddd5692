"""Frames on the button box's line: COBS stuffing, CRC-16 and a decoder that gets back into step after any garbage.

A frame is kind and fields, then their CRC-16 (low byte first), stuffed so that no zero byte is in it, between two zero
bytes. Pure: bytes in, bytes out. The format is described in firmware/PROTOCOL.md.
"""

from binascii import crc_hqx

from companion.devices.boxes.wire_constants import LIMIT_FRAME

CRC_START = 0xFFFF
CRC_SIZE = 2
SHORTEST = 1 + CRC_SIZE
# COBS adds one byte for every started run of 254; a frame is far shorter than that.
LONGEST_STUFFED = LIMIT_FRAME + 1


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 0x1021 started at 0xFFFF (catalogue name CRC-16/IBM-3740)."""
    return crc_hqx(data, CRC_START)


def stuff(data: bytes) -> bytes:
    """The data without zero bytes (consistent overhead byte stuffing), delimiters not included."""
    out = bytearray()
    for run in data.split(b"\0"):
        rest = run
        while len(rest) >= 254:
            out += b"\xff" + rest[:254]
            rest = rest[254:]
        out += bytes([len(rest) + 1]) + rest
    return bytes(out)


def unstuff(data: bytes) -> bytes | None:
    """What ``stuff`` was given, or None when the data cannot have come from it. ``data`` holds no zero byte."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        if at + code > len(data):
            return None
        out += data[at + 1 : at + code]
        at += code
        if code != 0xFF and at < len(data):
            out.append(0)
    return bytes(out)


def encode(frame: bytes) -> bytes:
    """The bytes for the line of one frame (kind and fields)."""
    return b"\0" + stuff(frame + crc16(frame).to_bytes(CRC_SIZE, "little")) + b"\0"


class Decoder:
    """Finds the good frames in a stream of bytes, however it is cut into pieces.

    ``damaged`` counts stretches between two zeros that were no frame; ``good`` counts frames.
    """

    def __init__(self) -> None:
        self.good = 0
        self.damaged = 0
        self._open = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The frames (kind and fields) completed by ``data``, in order."""
        found = []
        *complete, rest = data.split(b"\0")
        for piece in complete:
            stretch = bytes(self._open) + piece if self._open else piece
            self._open.clear()
            if not stretch:
                continue
            frame = self._frame(stretch)
            if frame is None:
                self.damaged += 1
            else:
                self.good += 1
                found.append(frame)
        # One byte too many is enough to know a stretch as garbage; more of it need not be kept.
        self._open += rest[: LONGEST_STUFFED + 1 - len(self._open)]
        return found

    @staticmethod
    def _frame(stretch: bytes) -> bytes | None:
        if len(stretch) > LONGEST_STUFFED:
            return None
        data = unstuff(stretch)
        if data is None or len(data) < SHORTEST:
            return None
        frame, crc = data[:-CRC_SIZE], data[-CRC_SIZE:]
        return frame if crc16(frame) == int.from_bytes(crc, "little") else None
