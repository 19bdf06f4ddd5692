"""The host's own voice: espeak-ng in a thread of its own, so that speaking never holds up seeing.

A host without a speech synthesiser, or without a voice for the language, is told so in one sentence; the page may still
speak with its own voice.

Two traps of espeak-ng. Its voice ``cmn`` writes Chinese down as Latin letters and then reads these letters in English;
``cmn-latn-pinyin`` reads the same characters, simplified or traditional, as Mandarin. Its voice ``ja`` knows the kana only
and says "Chinese letter" for every other character, so Japanese sentences as people write them have no voice here.
"""

import contextlib
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.announce.languages import LANGUAGES, SOURCE
from companion.announce.phrases import ASSERTIVE, Announcement, Phrases
from companion.announce.translator import translator
from companion.record.events import Event

PROGRAM = "espeak-ng"
VOICES: Mapping[str, str] = MappingProxyType(
    {"en": "en", "es": "es", "it": "it", "zh-Hans": "cmn-latn-pinyin", "zh-Hant": "cmn-latn-pinyin"}
)
"""Language to the voice that reads it right. A language that is not here has none."""
NO_VOICE = "This host has no voice: install espeak-ng to hear announcements from it."
NO_VOICE_FOR = "This host has no voice for {language}; the page may have one."


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """``language`` is one of ours (BCP 47). ``words_per_minute`` 80 to 300 (espeak's scale; 150 is calm). ``longest_queue``:
    older polite sentences are dropped beyond it, for what is spoken late is spoken wrongly. ``longest_s``: a synthesiser
    that hangs is stopped. ``again_s`` (0 to 60): news of a kind in ``PASSING`` with the very words of the last sentence is not
    spoken within so many seconds after it; 10, for whoever has not put it right by then is reminded."""

    language: str = "en"
    words_per_minute: int = 150
    longest_queue: int = 3
    longest_s: float = 30.0
    again_s: float = 10.0


PASSING = frozenset({"notice", "cannot-see", "unfinished", "chores"})
"""Kinds of events of which only the newest matters: one that still waits to be spoken is replaced by the next."""


class Voice:
    """Speaks sentences one after the other. ``say`` returns at once; an assertive one comes before what is waiting."""

    def __init__(self, speak: Callable[[str], None], settings: SpeechSettings, interrupt: Callable[[], None]) -> None:
        self._speak, self._settings, self._interrupt = speak, settings, interrupt
        self._queue: deque[Announcement] = deque()
        self._last: tuple[str, float] = ("", float("-inf"))
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, announcement: Announcement) -> None:
        """Queue a sentence."""
        with self._changed:
            if announcement.urgency == ASSERTIVE:
                self._queue.clear()
            if announcement.kind in PASSING:
                if self._just_said(announcement.aloud):
                    return
                for waiting in [one for one in self._queue if one.kind == announcement.kind]:
                    self._queue.remove(waiting)
            self._queue.append(announcement)
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
                text = self._queue.popleft().aloud
                self._last = (text, time.monotonic())
            self._speak(text)

    def _just_said(self, text: str) -> bool:
        last, at = self._last
        return text == last and time.monotonic() - at < self._settings.again_s and not self._queue


class Espeak:
    """One espeak-ng process a sentence; the text goes in on standard input, never on the command line."""

    def __init__(self, program: str, settings: SpeechSettings) -> None:
        self._command = [program, "-v", VOICES[settings.language], "-s", str(settings.words_per_minute), "--stdin"]
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
    """The host's voice in a language; None where there is none (then say :func:`why_silent` to whoever asked for speech)."""
    chosen = settings or SpeechSettings()
    if why_silent(chosen.language, program) is not None:
        return None
    synthesiser = Espeak(shutil.which(program) or program, chosen)
    return Voice(synthesiser.speak, chosen, synthesiser.interrupt)


def why_silent(language: str = SOURCE, program: str = PROGRAM) -> str | None:
    """Why this host cannot say a language aloud, in that language; None when it can."""
    words = translator(language)
    found = shutil.which(program)
    if found is None:
        return words.say(NO_VOICE)
    if language not in VOICES or not _has(found, VOICES[language]):
        return words.say(NO_VOICE_FOR, {"language": LANGUAGES.get(language, language)})
    return None


def _has(program: str, voice: str) -> bool:
    """Whether a synthesiser has a voice: it is asked to say nothing with it."""
    try:
        asked = subprocess.run([program, "-v", voice, "-q", "--stdin"], input=b" ", capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def speaking(voice: Voice, phrases: Phrases) -> Callable[[Event], None]:
    """A subscriber that says events aloud; it returns at once."""

    def hear(event: Event) -> None:
        announcement = phrases.announce(event.to_json())
        if announcement is not None:
            voice.say(announcement)

    return hear
