"""Speaking never holds anybody up, drops what is late, lets the urgent pass, and says when there is no voice."""

import os
import stat
import threading
import time
from pathlib import Path

from companion.announce.phrases import ASSERTIVE, POLITE, Announcement, Phrases
from companion.announce.speech import NO_VOICE, SpeechSettings, Voice, open_voice, speaking
from companion.record.events import Event


class Mouth:
    def __init__(self) -> None:
        self.spoken: list[str] = []
        self.begun, self.open = threading.Event(), threading.Event()

    def speak(self, text: str) -> None:
        self.begun.set()
        self.open.wait(5)
        self.spoken.append(text)

    def shut(self) -> None:
        self.open.set()


def polite(text: str) -> Announcement:
    return Announcement(text, POLITE, "play")


def test_saying_returns_at_once_and_what_is_late_is_dropped() -> None:
    mouth = Mouth()
    voice = Voice(mouth.speak, SpeechSettings(longest_queue=2), mouth.shut)
    started = time.perf_counter()
    voice.say(polite("one"))
    mouth.begun.wait(5)
    for text in ("two", "three", "four"):
        voice.say(polite(text))
    assert time.perf_counter() - started < 1
    mouth.open.set()
    deadline = time.monotonic() + 5
    while len(mouth.spoken) < 3 and time.monotonic() < deadline:
        time.sleep(0.005)
    voice.close()
    assert mouth.spoken == ["one", "three", "four"]


def test_the_urgent_comes_before_what_is_waiting() -> None:
    mouth = Mouth()
    voice = Voice(mouth.speak, SpeechSettings(), mouth.shut)
    voice.say(polite("one"))
    mouth.begun.wait(5)
    voice.say(polite("two"))
    voice.say(Announcement("stop", ASSERTIVE, "flag"))
    mouth.open.set()
    deadline = time.monotonic() + 5
    while len(mouth.spoken) < 2 and time.monotonic() < deadline:
        time.sleep(0.005)
    voice.close()
    assert mouth.spoken == ["one", "stop"]


def test_a_host_without_a_synthesiser_has_no_voice_and_a_sentence_for_it() -> None:
    assert open_voice(program="no-such-synthesiser") is None
    assert "espeak-ng" in NO_VOICE


def test_the_synthesiser_gets_the_text_on_its_input(tmp_path: Path) -> None:
    heard, program = tmp_path / "heard", tmp_path / "fake-espeak"
    program.write_text(f'#!/bin/sh\necho "$@" > "{heard}.args"\ncat >> "{heard}"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    voice = open_voice(SpeechSettings(language="de"), program=os.fspath(program))
    assert voice is not None
    speaking(voice, Phrases())(Event(1, 0.0, "notice", {"code": "x", "text": "$(rm) {what}", "params": {"what": "`id`"}}, ""))
    deadline = time.monotonic() + 5
    while not heard.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    voice.close()
    assert heard.read_text() == "$(rm) `id`"
    assert "-v de" in Path(f"{heard}.args").read_text()
