"""Push to talk: off until switched on, nothing done before it is confirmed, and a machine without ears says so."""

from typing import Any

import pytest
from fake_table import FakeTable

from companion.devices.speech_recognition import (
    LONGEST_S,
    PHRASES,
    SAMPLES_PER_SECOND,
    SpeechRecogniser,
    grammar,
    meaning,
    phrases_of,
)
from companion.web.app import create_app
from companion.web.guard import HEADER
from companion.web.server import PageServer
from companion.web.settings import PageSettings

SOUND = {HEADER: "1", "Content-Type": "application/octet-stream"}


class ToldEars:
    """Understands what the test says, and keeps what it was given."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.next: tuple[str, str] | None = ("undo", "take it back")

    def understand(self, sound: bytes) -> tuple[str, str] | None:
        self.heard.append(sound)
        return self.next


def test_every_phrase_has_one_meaning() -> None:
    said = [phrase for phrases in PHRASES.values() for phrase in phrases]
    assert len(said) == len(set(said))
    for command, phrases in PHRASES.items():
        for phrase in phrases:
            assert meaning(phrase.upper()) == (command, phrase)
    assert meaning("jack is hungry") is None


def test_answers_are_said_by_their_numbers_and_in_the_words_of_the_game() -> None:
    phrases = phrases_of([["he is here"], ["he is away", "he is not here"]])
    assert meaning("answer two", phrases) == ("answer-2", "answer two")
    assert meaning("he is not here", phrases) == ("answer-2", "he is not here") and meaning("he is here") is None
    assert meaning("answer nine", phrases) == ("answer-9", "answer nine") and "answer nine" in grammar(phrases)
    said = [phrase for words in phrases.values() for phrase in words]
    assert len(said) == len(set(said))


def test_the_words_of_the_game_that_is_on_are_listened_for() -> None:
    client = create_app(FakeTable(), PageSettings(), recogniser=lambda phrases: None).test_client()
    phrases = client.get("/api/hearing").get_json()["phrases"]
    assert phrases["answer-2"] == ["answer two", "jack is not seen", "jack is unseen"]


def test_the_words_follow_when_another_game_is_on() -> None:
    table, opened = FakeTable(), list[Any]()
    client = create_app(table, PageSettings(), recogniser=lambda phrases: opened.append(phrases) or ToldEars()).test_client()
    client.get("/api/hearing")
    client.post("/api/hearing", data=b"\0\0", headers=SOUND)
    assert len(opened) == 1 and "jack is not seen" in opened[0]["answer-2"], "the model is loaded once"
    table._snapshot["game"] |= {"id": "letters-from-whitechapel", "edition": "revised-2012"}
    client.post("/api/hearing", data=b"\0\0", headers=SOUND)
    assert len(opened) == 2 and opened[1]["answer-2"] == ("answer two",), "nobody is understood as if the other game were on"
    assert client.get("/api/hearing").get_json()["phrases"]["answer-2"] == ["answer two"] and len(opened) == 2


def test_the_real_ears_know_every_word_and_take_silence_for_nothing() -> None:
    pytest.importorskip("pocketsphinx", reason="pocketsphinx is missing: pip install -e '.[voice-commands]'")
    recogniser = SpeechRecogniser.open(phrases_of([["jack is seen"], ["jack is not seen", "jack is unseen"]]))
    assert recogniser is not None
    silence = bytes(2 * SAMPLES_PER_SECOND)
    assert recogniser.understand(silence) is None
    assert recogniser.understand(silence[:100]) is None
    assert recogniser.understand(bytes(int(2 * SAMPLES_PER_SECOND * (LONGEST_S + 1)))) is None


def test_a_machine_without_ears_says_so() -> None:
    client = create_app(FakeTable(), PageSettings(), recogniser=lambda phrases: None).test_client()
    assert client.get("/api/hearing").get_json()["available"] is False
    response = client.post("/api/hearing", data=bytes(100), headers=SOUND)
    assert (response.status_code, response.get_json()["error"]["code"]) == (503, "no-ears")


def test_only_recordings_of_a_decent_length_are_taken() -> None:
    recogniser = ToldEars()
    client = create_app(FakeTable(), PageSettings(), recogniser=lambda phrases: recogniser).test_client()
    assert client.post("/api/hearing", json={"a": 1}, headers={HEADER: "1"}).status_code == 415
    assert client.post("/api/hearing", data=bytes(400_000), headers=SOUND).status_code == 413
    assert recogniser.heard == []
    assert client.post("/api/hearing", data=bytes(64_000), headers=SOUND).get_json() == {
        "command": "undo", "phrase": "take it back",
    }  # fmt: skip


@pytest.mark.browser
def test_what_was_understood_is_done_only_when_confirmed(launch: Any) -> None:
    table, recogniser = FakeTable(), ToldEars()
    table.show("playing")
    browser = launch(["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"])
    with PageServer(
        create_app(table, PageSettings(streams=4, watch_seconds=0.1), recogniser=lambda phrases: recogniser)
    ) as server:
        page = browser.new_page()
        page.set_default_timeout(8000)
        page.goto(server.address)
        page.click("[data-key=quiet]")
        assert page.locator("#talk").count() == 0
        page.click("#sound-button")
        page.check("dialog input[name=talk]")
        page.keyboard.press("Escape")

        def speak() -> None:
            before = len(recogniser.heard)
            page.hover("#talk")
            page.mouse.down()
            page.wait_for_timeout(1200)
            page.mouse.up()
            for _ in range(60):
                if len(recogniser.heard) > before:
                    break
                page.wait_for_timeout(100)

        speak()
        page.wait_for_selector("dialog:has-text('take it back')")
        assert table.taken == []
        page.click("dialog [data-key=cancel]")
        assert table.taken == []
        speak()
        page.click("dialog [data-key=heard]")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".message.fine")
        assert table.taken == [{"kind": "undo"}]
        sound = recogniser.heard[0]
        assert 2 * SAMPLES_PER_SECOND * 0.2 < len(sound) < 2 * SAMPLES_PER_SECOND * LONGEST_S
        assert any(sound), "the microphone was heard"
        recogniser.next = None
        speak()
        page.wait_for_selector(".message:has-text('none of the phrases')")
        assert len(table.taken) == 1
        page.reload()
        page.wait_for_selector("#talk")  # remembered on this device
        page.goto("about:blank")
    browser.close()
