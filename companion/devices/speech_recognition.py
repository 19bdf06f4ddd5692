"""Spoken commands, an experiment: a few English phrases out of a fixed grammar, recognised on this machine and nowhere else.

Needs the extra ``voice-commands`` (pocketsphinx with its own English model). Sound is listened to and thrown away. What was
understood is only offered: whoever spoke confirms it on his screen before anything happens.
"""

import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

SAMPLES_PER_SECOND = 16_000
"""Mono, 16 bits, little end first: what the model was trained on."""
LONGEST_S = 8.0
SHORTEST_S = 0.3

PHRASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "again": ("say it again", "repeat that"),
        "undo": ("take it back", "take back the last play"),
        "arbiter": ("call the arbiter",),
        "hold": ("stop the clocks",),
        "go": ("start the clocks",),
    }
)
"""What can be said in every game, by what it means."""
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
Phrases = Mapping[str, tuple[str, ...]]


def phrases_of(answers: Sequence[Sequence[str]] = ()) -> Phrases:
    """Everything that can be said, by what it means: general commands, and ``answer-1`` to ``answer-9`` for the answers to the
    open question, by their numbers or as ``answers`` (small English words, by answer) has them for this game."""
    found = dict(PHRASES)
    for index, number in enumerate(NUMBERS):
        own = tuple(answers[index]) if index < len(answers) else ()
        found[f"answer-{index + 1}"] = (f"answer {number}", *own)
    return MappingProxyType(found)


class SpeechRecogniser:
    """Understands one phrase at a time. May be used from any thread."""

    def __init__(self, decoder: Any, phrases: Phrases) -> None:
        self._decoder, self._phrases, self._lock = decoder, phrases, threading.Lock()

    @classmethod
    def open(cls, phrases: Phrases = PHRASES) -> "SpeechRecogniser | None":
        """Ears for these phrases with the model loaded (about a second); None where the extra is not installed."""
        try:
            from pocketsphinx import Decoder, get_model_path  # noqa: PLC0415 - an extra
        except ImportError:
            return None
        decoder = Decoder(
            hmm=get_model_path("en-us/en-us"), dict=get_model_path("en-us/cmudict-en-us.dict"), lm=None, logfn="/dev/null",
            samprate=SAMPLES_PER_SECOND,
        )  # fmt: skip
        decoder.add_jsgf_string("commands", grammar(phrases))
        decoder.activate_search("commands")
        return cls(decoder, phrases)

    def understand(self, sound: bytes) -> tuple[str, str] | None:
        """The command in a recording and the phrase that was heard; None when it was none, or far too long or short for one.

        ``sound``: :data:`SAMPLES_PER_SECOND` samples a second, mono, signed 16 bits, little end first.
        """
        seconds = len(sound) / 2 / SAMPLES_PER_SECOND
        if len(sound) % 2 or not SHORTEST_S <= seconds <= LONGEST_S:
            return None
        with self._lock:
            self._decoder.start_utt()
            self._decoder.process_raw(sound, full_utt=True)
            self._decoder.end_utt()
            found = self._decoder.hyp()
        return meaning(found.hypstr, self._phrases) if found is not None else None


def grammar(phrases: Phrases = PHRASES) -> str:
    """The phrases as a grammar (JSGF)."""
    all_of_them = " | ".join(phrase for said in phrases.values() for phrase in said)
    return f"#JSGF V1.0; grammar commands; public <command> = {all_of_them} ;"


def meaning(phrase: str, phrases: Phrases = PHRASES) -> tuple[str, str] | None:
    """The command of a phrase, with the phrase."""
    words = " ".join(phrase.lower().split())
    return next(((command, words) for command, said in phrases.items() if words in said), None)
