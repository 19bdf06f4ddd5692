"""Speaking never holds anybody up, drops what is late, lets the urgent pass, and says when there is no voice."""

import os
import shutil
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from companion.announce.phrases import ASSERTIVE, POLITE, Announcement, Phrases
from companion.announce.speech import NO_VOICE, VOICES, SpeechSettings, Voice, open_voice, speaking, why_silent
from companion.announce.translator import translator
from companion.record.events import Event


class Mouth:
    def __init__(self) -> None:
        self.spoken: list[str] = []
        self.begun, self.open = threading.Event(), threading.Event()

    def speak(self, text: str) -> None:
        self.begun.set()
        self.open.wait(30)
        self.spoken.append(text)

    def shut(self) -> None:
        self.open.set()


def polite(text: str) -> Announcement:
    return Announcement(text, POLITE, "play", text)


def test_saying_returns_at_once_and_what_is_late_is_dropped() -> None:
    mouth = Mouth()
    voice = Voice(mouth.speak, SpeechSettings(longest_queue=2), mouth.shut)
    started = time.perf_counter()
    voice.say(polite("one"))
    mouth.begun.wait(30)
    for text in ("two", "three", "four"):
        voice.say(polite(text))
    assert time.perf_counter() - started < 10, "the mouth is shut for thirty seconds, and nobody waits for it"
    mouth.open.set()
    deadline = time.monotonic() + 30
    while len(mouth.spoken) < 3 and time.monotonic() < deadline:
        time.sleep(0.005)
    voice.close()
    assert mouth.spoken == ["one", "three", "four"]


def test_the_urgent_comes_before_what_is_waiting() -> None:
    mouth = Mouth()
    voice = Voice(mouth.speak, SpeechSettings(), mouth.shut)
    voice.say(polite("one"))
    mouth.begun.wait(30)
    voice.say(polite("two"))
    voice.say(Announcement("stop", ASSERTIVE, "flag", "stop"))
    mouth.open.set()
    deadline = time.monotonic() + 30
    while len(mouth.spoken) < 2 and time.monotonic() < deadline:
        time.sleep(0.005)
    voice.close()
    assert mouth.spoken == ["one", "stop"]


def test_the_same_trouble_is_not_spoken_twice_and_stale_news_is_replaced() -> None:
    mouth = Mouth()
    mouth.open.set()
    voice = Voice(mouth.speak, SpeechSettings(), mouth.shut)

    def trouble(text: str) -> Announcement:
        return Announcement(text, POLITE, "notice", text)

    def until(count: int) -> None:
        deadline = time.monotonic() + 30
        while len(mouth.spoken) < count and time.monotonic() < deadline:
            time.sleep(0.005)

    voice.say(trouble("The camera has lost the board."))
    until(1)
    voice.say(trouble("The camera has lost the board."))
    mouth.open.clear()
    mouth.begun.clear()
    voice.say(polite("Bert goes."))
    mouth.begun.wait(30)
    for text in ("Lost.", "Found.", "Lost again."):
        voice.say(trouble(text))
    mouth.open.set()
    until(3)
    voice.close()
    assert mouth.spoken == ["The camera has lost the board.", "Bert goes.", "Lost again."]


def test_a_host_without_a_synthesiser_has_no_voice_and_a_sentence_for_it() -> None:
    assert open_voice(program="no-such-synthesiser") is None
    assert "espeak-ng" in NO_VOICE


def test_the_synthesiser_gets_the_text_on_its_input(tmp_path: Path) -> None:
    heard, program = tmp_path / "heard", tmp_path / "fake-espeak"
    program.write_text(f'#!/bin/sh\necho "$@" > "{heard}.args"\ncat >> "{heard}"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    voice = open_voice(SpeechSettings(language="zh-Hant"), program=os.fspath(program))
    assert voice is not None
    speaking(voice, Phrases())(Event(1, 0.0, "notice", {"code": "x", "text": "$(rm) {what}", "params": {"what": "`id`"}}, ""))
    deadline = time.monotonic() + 30
    while not (heard.exists() and heard.read_text().strip()) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    voice.close()
    assert heard.read_text().strip() == "$(rm) `id`"
    assert "-v cmn-latn-pinyin" in Path(f"{heard}.args").read_text()


def fake_synthesiser(folder: Path, voices: str) -> str:
    """A program that takes ``-v`` with one of these voices and refuses the others."""
    program = folder / "fake-espeak"
    program.write_text(f'#!/bin/sh\ncase " {voices} " in *" $2 "*) cat > /dev/null;; *) exit 1;; esac\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return os.fspath(program)


def test_a_language_without_a_voice_is_said_in_that_language(tmp_path: Path) -> None:
    program = fake_synthesiser(tmp_path, "en es ja")
    assert why_silent("es", program) is None and open_voice(SpeechSettings("it"), program) is None
    assert why_silent("it", program) == "Questo computer non ha una voce per questa lingua (Italiano); la pagina può averla."
    assert "日本語" in (why_silent("ja", program) or ""), "espeak-ng's Japanese cannot read Chinese characters"
    assert "espeak-ng" in (why_silent("zh-Hans", "no-such-synthesiser") or "")


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "es", "it"])
def test_the_real_synthesiser_reads_the_language_and_not_its_letters(language: str) -> None:
    if why_silent(language) is not None:
        pytest.skip(f"this espeak-ng has no {VOICES[language]}")
    sentence = Phrases(translator(language)).say("Jack is seen.")
    asked = subprocess.run(
        ["espeak-ng", "-v", VOICES[language], "-q", "-x", "--stdin"], input=sentence.encode(), capture_output=True, check=True
    )
    assert b"(en)" not in asked.stdout and asked.stdout.strip()
