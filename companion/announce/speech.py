"""The host's own voice: espeak-ng in a thread of its own, so that speaking never holds up seeing.

A host without a speech synthesiser is told so in one sentence; the page may still speak with its own voice.
"""

import contextlib
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from companion.announce.phrases import ASSERTIVE, Announcement, Phrases
from companion.record.events import Event

PROGRAM = "espeak-ng"
NO_VOICE = "This host has no voice: install espeak-ng to hear announcements from it."


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """``words_per_minute`` 80 to 300 (espeak's scale; 150 is calm). ``longest_queue``: older polite sentences are dropped
    beyond it, for what is spoken late is spoken wrongly. ``longest_s``: a synthesiser that hangs is stopped."""

    language: str = "en"
    words_per_minute: int = 150
    longest_queue: int = 3
    longest_s: float = 30.0


class Voice:
    """Speaks sentences one after the other. ``say`` returns at once; an assertive one comes before what is waiting."""

    def __init__(self, speak: Callable[[str], None], settings: SpeechSettings, interrupt: Callable[[], None]) -> None:
        self._speak, self._settings, self._interrupt = speak, settings, interrupt
        self._queue: deque[str] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, announcement: Announcement) -> None:
        """Queue a sentence."""
        with self._changed:
            if announcement.urgency == ASSERTIVE:
                self._queue.clear()
            self._queue.append(announcement.text)
            while len(self._queue) > self._settings.longest_queue:
                self._queue.popleft()
            self._changed.notify_all()

    def close(self) -> None:
        """Be silent, at once."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._interrupt()
        self._thread.join(5)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closed)
                if self._closed:
                    return
                text = self._queue.popleft()
            self._speak(text)


class Espeak:
    """One espeak-ng process a sentence; the text goes in on standard input, never on the command line."""

    def __init__(self, program: str, settings: SpeechSettings) -> None:
        self._command = [program, "-v", settings.language, "-s", str(settings.words_per_minute), "--stdin"]
        self._longest_s = settings.longest_s
        self._running: subprocess.Popen[bytes] | None = None

    def speak(self, text: str) -> None:
        """Speak and wait for the end. A synthesiser that fails or hangs is given up on for this sentence."""
        with (
            contextlib.suppress(OSError),
            subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as process,
        ):
            self._running = process
            try:
                process.communicate(text.encode(), timeout=self._longest_s)
            except subprocess.TimeoutExpired:
                process.kill()
            finally:
                self._running = None

    def interrupt(self) -> None:
        """Stop the sentence being spoken."""
        running = self._running
        if running is not None:
            running.kill()


def open_voice(settings: SpeechSettings | None = None, program: str = PROGRAM) -> Voice | None:
    """The host's voice, or None where there is none (then say NO_VOICE to whoever asked for speech)."""
    found = shutil.which(program)
    if found is None:
        return None
    chosen = settings or SpeechSettings()
    synthesiser = Espeak(found, chosen)
    return Voice(synthesiser.speak, chosen, synthesiser.interrupt)


def speaking(voice: Voice, phrases: Phrases) -> Callable[[Event], None]:
    """A subscriber that says events aloud; it returns at once."""

    def hear(event: Event) -> None:
        announcement = phrases.announce(event.to_json())
        if announcement is not None:
            voice.say(announcement)

    return hear
