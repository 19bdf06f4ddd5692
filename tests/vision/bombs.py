"""Small files that unfold to gigabytes where nobody looks first, and a child process whose memory is counted."""

import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
_COUNTED = """
import json, runpy, sys
from pathlib import Path
def peak():
    return int(Path("/proc/self/status").read_text().split("VmPeak:")[1].split()[0]) // 1024
import companion.cli, cv2, numpy
import companion.vision.marked.reader, companion.cli.reading, companion.cli.run, calibration.profile
cv2.imdecode(cv2.imencode(".jpg", numpy.zeros((600, 800, 3), numpy.uint8))[1], 1)  # threads and tables are there
before = peak()
try:
    status = companion.cli.main(sys.argv[1:])
finally:
    print(json.dumps({"status": status if "status" in globals() else None, "grown": peak() - before}), file=sys.__stderr__)
"""


def counted(arguments: list[str], seconds: float = 60.0, gigabytes: float = 6.0, **more: object) -> tuple[int, str, str, int]:
    """A command in a process of its own that can take no more than so much memory: (status, out, error, by how many MiB its
    address space grew at most)."""
    import resource  # noqa: PLC0415 - not on every system

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * 2**30),) * 2)

    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENCV_LOG_LEVEL": "SILENT", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _COUNTED, *arguments],
        capture_output=True, text=True, timeout=seconds, check=False, env=environment, preexec_fn=limited, **more,
    )  # type: ignore[call-overload]  # fmt: skip
    *said, last = done.stderr.rstrip("\n").split("\n")
    told = json.loads(last)
    return told["status"], done.stdout, "\n".join(said), told["grown"]


def jpeg(side: int, between: bytes = b"") -> bytes:
    """A whole JPEG of one colour, whose header says that it is ``side`` pixels wide and high, after other bytes."""
    small = bytes(cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    frame = small.index(b"\xff\xc2")
    told = small[:frame] + between + small[frame : frame + 5] + struct.pack(">HH", side, side)
    return told + small[frame + 9 :]


def png(side: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packed = zlib.compressobj(9)
    rows = b"".join([packed.compress(bytes(side * 3 + 1)) for _ in range(200)]) + packed.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def bmp(side: int) -> bytes:
    """Run-length coded: 255 pixels in two bytes."""
    header = struct.pack("<IiiHHIIiiII", 40, side, side, 1, 8, 1, 0, 0, 0, 256, 0)
    data = b"\xff\x01" * 4000 + b"\0\x01"
    return b"BM" + struct.pack("<IHHI", 54 + 1024 + len(data), 0, 0, 54 + 1024) + header + bytes(1024) + data


def tiff(side: int, tile: int = 0) -> bytes:
    tags = [(256, 4, 1, side), (257, 4, 1, side), (258, 3, 1, 8), (259, 3, 1, 32773), (262, 3, 1, 1), (277, 3, 1, 1)]
    tags += [(322, 4, 1, tile), (323, 4, 1, tile), (324, 4, 1, 200), (325, 4, 1, 20)] if tile else [
        (273, 4, 1, 200), (278, 4, 1, side), (279, 4, 1, 4000)]  # fmt: skip
    directory = struct.pack("<H", len(tags)) + b"".join(
        struct.pack("<HHI", *tag[:3]) + (struct.pack("<HH", tag[3], 0) if tag[1] == 3 else struct.pack("<I", tag[3]))
        for tag in tags
    )
    return (b"II*\0" + struct.pack("<I", 8) + directory + bytes(4)).ljust(200, b"\0") + b"\x81\0" * 2000


def gif(side: int) -> bytes:
    picture = struct.pack("<BHHHHB", 0x2C, 0, 0, side, side, 0) + b"\x02\x02\x4c\x01\0"
    return b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + bytes(6) + picture + b";"


def webp(side: int) -> bytes:
    small = bytes(cv2.imencode(".webp", np.zeros((16, 16, 3), np.uint8), [cv2.IMWRITE_WEBP_QUALITY, 101])[1])
    at = small.index(b"VP8L") + 9
    bits = struct.unpack("<I", small[at : at + 4])[0] & ~0xFFFFFFF | (side - 1) << 14 | side - 1
    return small[:at] + struct.pack("<I", bits) + small[at + 4 :]


def pnm(side: int) -> bytes:
    return f"P6 {side} {side} 255\n".encode() + bytes(1000)


def hdr(side: int) -> bytes:
    return f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {side} +X {side}\n".encode() + bytes(1000)


def box(name: bytes, *content: bytes) -> bytes:
    data = b"".join(content)
    return struct.pack(">I4s", 8 + len(data), name) + data


def heif(brand: bytes) -> bytes:
    return box(b"ftyp", brand, bytes(4), brand) + box(b"meta", bytes(60))


BOMBS: dict[str, Callable[[], bytes]] = {
    "jpeg.jpg": lambda: jpeg(30_000),
    # A marker without a length, whose next two bytes a careless walk takes for one that leads past the size.
    "jpeg-marker-without-length.jpg": lambda: jpeg(30_000, b"\xff\x01"),
    "jpeg-restart-marker.jpg": lambda: jpeg(30_000, b"\xff\xd0"),
    "jpeg-stray-bytes.jpg": lambda: jpeg(30_000, b"stray\0\0bytes"),
    "jpeg-fill-bytes.jpg": lambda: jpeg(30_000, b"\xff" * 9),
    "png.png": lambda: png(20_000),
    "bmp.bmp": lambda: bmp(30_000),
    "bmp.jpg": lambda: bmp(30_000),
    "tiff.tif": lambda: tiff(30_000),
    "tiff-tile.tif": lambda: tiff(640, 30_000),
    "tiff.jpg": lambda: tiff(30_000),
    "webp.webp": lambda: webp(16_383),
    "gif.jpg": lambda: gif(30_000),
    "pnm.jpg": lambda: pnm(30_000),
    "hdr.png": lambda: hdr(30_000),
    "heic.jpg": lambda: heif(b"heic"),
    "avif.png": lambda: heif(b"avif"),
}
