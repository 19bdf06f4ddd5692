"""Memory is given back to the system: from time to time, and what hangs together in circles when a table was exchanged."""

import ctypes
import gc
import subprocess
import sys
import threading
import weakref

import pytest

from companion.host import allocator
from companion.host.allocator import AllocatorSettings, Housekeeping, give_back


class Ring:
    def __init__(self) -> None:
        self.itself = self


def test_an_exchanged_table_is_let_go_of_soon() -> None:
    given, done = list[bool](), threading.Event()

    def give(*, cycles: bool) -> None:
        given.append(cycles)
        done.set()

    keeper = Housekeeping(AllocatorSettings(every_s=60, settled_s=0), give)
    keeper.exchanged()
    assert done.wait(5)
    keeper.close()
    assert given == [True]


def test_from_time_to_time_without_stopping_anybody_for_long() -> None:
    given, often = list[bool](), threading.Event()

    def give(*, cycles: bool) -> None:
        given.append(cycles)
        if len(given) > 2:
            often.set()

    keeper = Housekeeping(AllocatorSettings(every_s=0.01, settled_s=0), give)
    assert often.wait(5)
    keeper.close()
    assert not any(given), "nobody looks for circles while a table is watched"


def test_a_table_exchanged_just_when_it_is_time_anyway_is_let_go_of_too() -> None:
    given, closing = list[bool](), threading.Event()

    def give(*, cycles: bool) -> None:
        given.append(cycles)
        if cycles or len(given) > 5:
            closing.set()

    class Exchanged(threading.Event):
        """A table is exchanged right after the thread gave up waiting for that."""

        def wait(self, timeout: float | None = None) -> bool:
            found = super().wait(timeout)
            if not found and not given:
                self.set()
            return found

    keeper = Housekeeping.__new__(Housekeeping)  # its thread's work is done by the test
    keeper._settings, keeper._give = AllocatorSettings(every_s=0.001, settled_s=0), give
    keeper._exchanged, keeper._closing = Exchanged(), closing
    keeper._run()
    assert given == [False, True]


def test_what_refers_only_to_itself_goes_too() -> None:
    gc.disable()
    try:
        gone = weakref.ref(Ring())
        give_back()
        assert gone() is not None
        give_back(cycles=True)
        assert gone() is None
    finally:
        gc.enable()


def test_where_the_c_library_is_another_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: None) -> None:
        raise TypeError("Windows")

    monkeypatch.setattr(ctypes, "CDLL", none)
    allocator._glibc.cache_clear()
    try:
        assert not allocator.few_arenas()
        give_back()
    finally:
        allocator._glibc.cache_clear()


SCRIPT = """
import threading
from companion.host.allocator import few_arenas, give_back
knows = few_arenas()
start, freed, stay = threading.Barrier(25), threading.Barrier(25), threading.Event()
def work():
    kept = [bytes(60_000) for _ in range(60)]
    start.wait()
    del kept
    freed.wait()
    stay.wait()
threads = [threading.Thread(target=work) for _ in range(24)]
for thread in threads: thread.start()
start.wait(); freed.wait(); give_back()
line = next(line for line in open("/proc/self/status") if line.startswith("RssAnon"))
stay.set()
print(knows, int(line.split()[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_two_dozen_threads_have_freed_does_not_stay() -> None:
    """24 threads fill 86 MB and free it; with an arena for each, and nothing given back, it stays."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
    knows, resident = done.stdout.split()
    assert knows == "False" or int(resident) < 40_000


LARGE = """
from companion.host.allocator import few_arenas
assert few_arenas()
def anonymous():
    return int(next(line for line in open("/proc/self/status") if line.startswith("RssAnon")).split()[1])
for _ in range(3):
    del [bytearray(b"x" * (20 << 20))][:]
before, kept = anonymous(), []
large = []
for _ in range(6):
    large.append(bytearray(b"x") * (12 << 20))
    kept.append(bytes(100_000))
del large
print(anonymous() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_large_arrays_go_back_when_they_are_freed_whatever_lies_between_them() -> None:
    """Six arrays of 12 MB with something small after each; once one of 20 MB was freed, glibc lays them on the heap."""
    done = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, timeout=60, check=True)
    assert int(done.stdout) < 10_000, "kB"
