"""Push to talk, an experiment: a recording comes in, what it may have meant goes back. Nothing is done unconfirmed."""

import threading
from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response, jsonify, request

from companion import boards
from companion.devices.speech_recognition import SAMPLES_PER_SECOND, Phrases, SpeechRecogniser, phrases_of
from companion.web.port import TablePort
from companion.web.problems import Problem
from companion.web.settings import PageSettings

SOUND = "application/octet-stream"


class RecogniserPort(Protocol):
    """What understands a recording."""

    def understand(self, sound: bytes) -> tuple[str, str] | None:
        """The command and the phrase heard, or None."""


def blueprint(
    table: TablePort, settings: PageSettings, open_ears: Callable[[Phrases], RecogniserPort | None] = SpeechRecogniser.open
) -> Blueprint:
    """The addresses of push to talk. The model is loaded when somebody asks for the first time, with the words of the game, and
    again once another game with other words is on."""
    routes = Blueprint("hearing", __name__, url_prefix="/api")
    lock = threading.Lock()
    opened: list[tuple[Phrases, RecogniserPort | None]] = []

    def _phrases() -> Phrases:
        """What can be said in the game that is on."""
        game = table.snapshot()["game"]
        return phrases_of([one.get("spoken", ()) for one in boards.load(game["id"], game["edition"]).page.get("answers", ())])

    def recogniser() -> RecogniserPort | None:
        phrases = _phrases()
        with lock:
            if not opened or opened[0][0] != phrases:
                opened[:] = [(phrases, open_ears(phrases))]
            return opened[0][1]

    @routes.get("/hearing")
    def status() -> Response:
        """Whether this machine can listen, and to what."""
        phrases = {command: list(said) for command, said in _phrases().items()}
        return jsonify({"available": recogniser() is not None, "rate": SAMPLES_PER_SECOND, "phrases": phrases})

    @routes.post("/hearing")
    def hear() -> Response:
        """What a recording may have meant."""
        found = recogniser()
        if found is None:
            raise Problem(
                503, "no-ears", "this machine does not understand spoken commands",
                "Install the extra: pip install 'table-witness[voice-commands]'",
            )  # fmt: skip
        if request.mimetype != SOUND:
            raise Problem(415, "no-sound-type", "a recording is sent as application/octet-stream", "Speak again.")
        request.max_content_length = settings.sound_bytes
        understood = found.understand(request.get_data(cache=False))
        command, phrase = understood or (None, None)
        return jsonify({"command": command, "phrase": phrase})

    return routes
