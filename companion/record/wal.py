"""SQLite's write-ahead log taken apart: which of its frames SQLite accepts, and which are there beside those.

SQLite reads a log up to its first frame whose checksum does not fit and takes everything behind it for the rest of an older
log. So one flipped bit costs every later event without a word. Here the frames are counted by themselves: a frame belongs to
this log when its salts are the header's, whatever its checksum says (https://www.sqlite.org/fileformat2.html#walformat).
"""

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass

HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
_MAGIC = 0x377F0682  # its last bit says that checksums are over big-endian words
_DEFAULT_PAGE_BYTES = 4096
_INDEX = struct.Struct("=I4xI BB H I I 8s 8s")
"""The beginning of the log's index (``-shm``), in the machine's byte order: version, change counter, flags, size of a page,
number of the last valid frame, pages, checksum of frames, salts."""
_INDEX_VERSION = 3007000


@dataclass(frozen=True, slots=True)
class WalFrame:
    """One page as it was written: its number, and with the last frame of a transaction the file's size in pages, else 0."""

    page: int
    commit: int
    body: bytes


@dataclass(frozen=True, slots=True)
class WriteAheadLog:
    """``frames``: those of this log, damaged ones too; ``sound``: how many from the first on have right checksums;
    ``accepted``: how many SQLite reads, which is up to the last finished transaction among the sound ones; ``cut``: the log
    ends inside a frame of its own; ``header``: whether its header is sound; ``salts`` as the header has them."""

    frames: tuple[WalFrame, ...] = ()
    sound: int = 0
    accepted: int = 0
    cut: bool = False
    header: bool = True
    salts: bytes = b""
    page_bytes: int = _DEFAULT_PAGE_BYTES

    @property
    def broken(self) -> bool:
        """Whether something of it cannot be read. Sound frames of a transaction that was never finished are no damage."""
        return self.cut or len(self.frames) > self.sound or (bool(self.frames) and not self.header)

    @property
    def last_only(self) -> bool:
        """Whether at most the transaction that was being written last is broken, as after a power cut."""
        finished = [at for at, frame in enumerate(self.frames) if at >= self.accepted and frame.commit]
        return self.header and (not finished or finished == [len(self.frames) - 1])


def read_log(data: bytes) -> WriteAheadLog:
    """The log in these bytes; an empty one when there is none."""
    if len(data) < HEADER_BYTES:
        return WriteAheadLog(cut=bool(data))
    magic, _, page_bytes = struct.unpack_from(">III", data)
    order = ">" if magic & 1 else "<"
    header = magic | 1 == _MAGIC | 1 and _sum(data[:24], (0, 0), order) == struct.unpack_from(">II", data, 24)
    if page_bytes < 512 or page_bytes > 65536 or page_bytes & page_bytes - 1:
        page_bytes = _DEFAULT_PAGE_BYTES
    salts = data[16:24]
    step = FRAME_HEADER_BYTES + page_bytes
    spots = range(HEADER_BYTES, len(data) - step + 1, step)
    own = [at for at in spots if _alike(data[at + 8 : at + 16], salts)]
    last = own[-1] if own else HEADER_BYTES - step
    frames = tuple(_frame(data[at : at + step]) for at in spots if at <= last)
    left = data[HEADER_BYTES + len(spots) * step :]
    cut = bool(left) and len(frames) == len(spots) and (len(left) < 16 or _alike(left[8:16], salts))
    sound = sum(1 for _ in _sound(data, step, salts, order)) if header else 0
    accepted = max((at + 1 for at, frame in enumerate(frames[:sound]) if frame.commit), default=0)
    return WriteAheadLog(frames, sound, accepted, cut, header, salts, page_bytes)


def _frame(data: bytes) -> WalFrame:
    page, commit = struct.unpack_from(">II", data)
    return WalFrame(page, commit, data[FRAME_HEADER_BYTES:])


def frames_known(index: bytes, log: WriteAheadLog) -> int | None:
    """How many frames of a log its index (``-shm``) knows of; None when it is of another log, or there is none."""
    if len(index) < 2 * 48 or index[:48] != index[48:96]:
        return None
    version, _, ready, _, _, frames, _, _, salts = _INDEX.unpack_from(index)
    return int(frames) if version == _INDEX_VERSION and ready and (salts == log.salts or not log.salts) else None


def frames_backfilled(index: bytes) -> int:
    """How many frames were copied into the record's file already, as the log's index has it."""
    return int.from_bytes(index[96:100], sys.byteorder) if len(index) >= 100 else 0


def _alike(one: bytes, salts: bytes) -> bool:
    """Whether at least one of two salts is the log's: a damaged bit spoils one, and an older log shares neither."""
    return one[:4] == salts[:4] or one[4:] == salts[4:]


def _sound(data: bytes, step: int, salts: bytes, order: str) -> Iterator[int]:
    """Where the frames lie that SQLite finds sound, up to the first that is not."""
    checksum = struct.unpack_from(">II", data, 24)
    for at in range(HEADER_BYTES, len(data) - step + 1, step):
        checksum = _sum(data[at : at + 8], checksum, order)
        checksum = _sum(data[at + FRAME_HEADER_BYTES : at + step], checksum, order)
        fits = data[at + 8 : at + 16] == salts and checksum == struct.unpack_from(">II", data, at + 16)
        if not fits or not any(data[at : at + 4]):
            return
        yield at


def _sum(data: bytes, before: tuple[int, ...], order: str) -> tuple[int, int]:
    """SQLite's checksum of whole pairs of words, going on from the one before."""
    first, second = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for at in range(0, len(words), 2):
        first = first + words[at] + second & 0xFFFFFFFF
        second = second + words[at + 1] + first & 0xFFFFFFFF
    return first, second
