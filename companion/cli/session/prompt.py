"""What every session does at the prompt: a browser on the page, events in print, the host's voice."""

import json
import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import TextIO

from companion import games
from companion.announce.phrases import Phrases
from companion.announce.speech import SpeechSettings, Voice, open_voice, speaking, why_silent
from companion.announce.translator import translator
from companion.devices.cameras.recorded import RECORDING_OVER
from companion.errors import BadInput
from companion.games.game import Game
from companion.host.ports import Subscriber
from companion.record.events import Event


def words_go(events_as_json: bool) -> TextIO:
    """Where words for people go: not between the events of a program that reads them."""
    return sys.stderr if events_as_json else sys.stdout


class EventPrinter:
    """Prints every event as one line, until nobody reads them any more: that is said once, and the game goes on."""

    def __init__(self) -> None:
        self._heard = True

    def __call__(self, event: Event) -> None:
        if not self._heard:
            return
        try:
            print(json.dumps(event.to_json(), ensure_ascii=False), flush=True)
        except (OSError, ValueError) as error:  # ValueError: it was closed
            self._heard = False
            sys.stdout = None  # what could not be written would be tried again at every print
            why = error.strerror if isinstance(error, OSError) else error
            print(f"companion: events cannot be printed any more ({why}); the page stays", file=sys.stderr, flush=True)


def open_browser(address: str, wanted: bool) -> None:
    """Show the page on this machine's screen, if it has one and that is wished."""
    shown = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if wanted and shown:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def when_over(out: TextIO, game: Callable[[], str]) -> Subscriber:
    """Says at the prompt that a recording of a game has nothing more to show, and what can be done then."""

    def heard(event: Event) -> None:
        if event.kind == "notice" and event.data["code"] == RECORDING_OVER.code:
            print("the recording is over; the page stays until Ctrl-C", file=out)
            which = "" if game() == games.DEFAULT else f" --game {game()}"
            print(
                f"to see it again: 'companion demo{which}'; to set up a table of your own: 'companion run'",
                file=out,
                flush=True,
            )

    return heard


def check_voice(language: str) -> None:
    """Raises BadInput when this machine has no voice for a language."""
    if why := why_silent(language):
        raise BadInput(f"--speak: {why[:1].lower()}{why[1:]}")


def own_voice(language: str, game: Game) -> tuple[Voice, Subscriber]:
    """This machine's own voice, and what says every event with it. Raises BadInput when there is none."""
    check_voice(language)
    voice = open_voice(SpeechSettings(language))
    assert voice is not None, "looked for just now"
    names = {piece.id: piece.name for piece in game.pieces().pieces.values()}
    labels = game.board(game.editions()[0]).labels
    return voice, speaking(voice, Phrases.of(labels, names, translator(language)))
