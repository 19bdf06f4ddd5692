"""The box's real image in an emulated chip, its pins in the test's hands; and the machine-independent parts on this PC."""

import os
import queue
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
PREBUILT = FIRMWARE / "prebuilt" / "box-atmega328p.hex"
CONTACTS = {"answer-a": 0, "answer-b": 1, "clock-a": 2, "clock-b": 3, "again": 4, "arbiter": 5}
CYCLES_A_MS = 16_000
EMULATOR_HEADER = Path("/usr/include/simavr/sim_avr.h")


def missing() -> list[str]:
    """Debian packages that are needed and not here."""
    found = {
        "gcc-avr": shutil.which("avr-gcc"),
        "avr-libc": Path("/usr/lib/avr/include/avr/io.h").exists(),
        "libsimavr-dev": EMULATOR_HEADER.exists(),
        "libelf-dev": Path("/usr/include/libelf.h").exists(),
        "gcc": shutil.which("cc"),
    }
    return [package for package, here in found.items() if not here]


def build_emulator(into: Path) -> Path:
    """Compile the emulator."""
    program = into / "box_emulator"
    source = FIRMWARE / "emulator" / "box_emulator.c"
    subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source, "-lsimavr", "-lelf"], check=True)
    return program


def build_harness(into: Path) -> Path:
    """Compile the machine-independent parts under sanitizers."""
    program = into / "box_harness"
    sources = [FIRMWARE / "source" / f"{name}.c" for name in ("box", "crc", "debounce", "frame", "queue")]
    flags = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    harness = FIRMWARE / "emulator" / "box_harness.c"
    subprocess.run(["cc", *flags, "-o", program, harness, *sources], check=True)
    return program


class Harness:
    """Asks the compiled parts, one line a question."""

    def __init__(self, program: Path) -> None:
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, question: str) -> str:
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise AssertionError(f"the harness died on {question[:200]!r}: {self._process.stderr.read()}")
        return answer.rstrip("\n")

    def close(self) -> None:
        """Raises AssertionError when a sanitizer had something to say."""
        _, errors = self._process.communicate(timeout=20)
        assert self._process.returncode == 0, errors


@dataclass(frozen=True)
class Seen:
    """A light or tone change: which light (-1 for the tone), its state or hertz, and the chip's cycle."""

    light: int
    value: int
    cycle: int


class EmulatedBox:
    """One running chip. ``link`` is where its line can be found while it is plugged in."""

    def __init__(self, program: Path, folder: Path, name: str = "box", speed: float = 1, image: Path = PREBUILT) -> None:
        self.folder = folder
        self.link = folder / name
        self.changes: list[Seen] = []
        self.resets = 0
        self._answers: queue.Queue[list[str]] = queue.Queue()
        self._process = subprocess.Popen(
            [program, image, str(speed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._expect("ready")

    def plug(self, name: str | None = None) -> Path:
        """Connect the line, under another name if wished."""
        if name is not None:
            self.link = self.folder / name
        self.ask(f"plug {self.link}", "plugged")
        return self.link

    def unplug(self) -> None:
        """Cut the line; the box keeps its power."""
        self.ask("unplug", "unplugged")

    def press(self, button: str, duration_ms: float = 40, bounce_us: tuple[int, ...] = ()) -> None:
        """Close a contact for a while; ``bounce_us`` are further toggles (µs after now) before it stays closed."""
        times = [0, *bounce_us, round(duration_ms * 1000)]
        assert len(times) % 2 == 0, "a bounce opens and closes again"
        self.tell(f"wave {CONTACTS[button]} {' '.join(map(str, times))}")

    def press_after(self, button: str, gap_ms: float, duration_ms: float) -> None:
        """Close a contact at least ``gap_ms`` of the chip's time after the one closed so before."""
        self.tell(f"after {CONTACTS[button]} {round(gap_ms * 1000)} {round(duration_ms * 1000)}")

    def wave(self, button: str, times_us: list[int]) -> None:
        """Toggle a contact at these times from now; closed by the first."""
        self.tell(f"wave {CONTACTS[button]} {' '.join(map(str, times_us))}")

    def noise(self, drop: float, alter: float, seed: int) -> None:
        """Spoil the line both ways; chances per byte."""
        self.tell(f"noise {round(drop * 10000)} {round(alter * 10000)} {seed}")

    def number(self, question: str) -> list[int]:
        """The numbers answered to ``cycle``, ``stack`` or ``line``."""
        return [int(word) for word in self.ask(question, question)]

    def pass_time(self, milliseconds: float, patience: float = 60.0) -> None:
        """Wait until so much of the chip's own time has gone by, however slowly this machine runs it."""
        end, until = time.monotonic() + patience, self.number("cycle")[0] + milliseconds * CYCLES_A_MS
        while self.number("cycle")[0] < until:
            assert time.monotonic() < end, "the chip stands still"
            time.sleep(0.003)

    def tell(self, command: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(command + "\n")

    def ask(self, command: str, answer: str) -> list[str]:
        self.tell(command)
        return self._expect(answer)

    def lights(self) -> list[int]:
        """The four lights as they are now."""
        state = [0, 0, 0, 0]
        for change in list(self.changes):
            if change.light >= 0:
                state[change.light] = change.value
        return state

    def close(self) -> None:
        if self._process.poll() is None:
            self.tell("quit")
        self._process.wait(timeout=60)
        self._reader.join(timeout=60)
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()

    def _expect(self, word: str, patience: float = 60) -> list[str]:
        end = time.monotonic() + patience
        while True:
            words = self._answers.get(timeout=max(0.01, end - time.monotonic()))
            if words[0] == word:
                return words[1:]

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            words = line.split()
            if words[0] == "light":
                self.changes.append(Seen(int(words[1]), int(words[2]), int(words[3])))
            elif words[0] == "tone":
                self.changes.append(Seen(-1, int(words[1]), int(words[2])))
            else:
                if words[0] == "reset":
                    self.resets += 1
                self._answers.put(words)
