"""Events as sentences for the page, in the reader's language, whatever the announcer has to say about them."""

import logging
from typing import Any

from flask import Request

from companion import boards
from companion.announce.phrases import Phrases
from companion.record.events import Event
from web.port import Announcer, TablePort

_LOG = logging.getLogger(__name__)
LANGUAGES = ("en",)

# Worth a line in the log, but nobody has to hear it.
SHOWN = {
    "match-opened": "The game is open.",
    "clean-up": "The table is tidied up.",
    "sight-restored": "Everything can be seen again.",
}


class Sentences:
    """Adds a sentence and its urgency to an event's JSON."""

    def __init__(self, announce: Announcer) -> None:
        self._announce = announce

    def language(self, request: Request) -> str:
        """The language asked for in the address, otherwise the best one the browser accepts."""
        asked = request.args.get("language")
        if asked in LANGUAGES:
            return asked
        return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]

    def event_json(self, event: Event, language: str) -> dict[str, Any]:
        """Number, time, kind and data; ``text`` (empty: not for the log), its ``urgency``, and whether it is ``spoken``."""
        plain = event.to_json()
        plain.pop("digest")
        try:
            said = self._announce(plain, language)
        except (KeyError, TypeError, ValueError):
            # One event that cannot be put into words must not cost the reader all that come after it.
            _LOG.exception("event %d (%s) has no sentence", event.number, event.kind)
            said = None
        if said is None:
            return plain | {"text": SHOWN.get(event.kind, ""), "urgency": "polite", "spoken": False}
        return plain | {"text": said.text, "urgency": said.urgency, "spoken": True}


def announcer(table: TablePort) -> Announcer:
    """The companion's own phrases, with the names of the pieces on this table."""
    pieces = boards.load_pieces(table.snapshot()["game"]["id"]).pieces
    phrases = {language: Phrases(names={piece.id: piece.name for piece in pieces.values()}) for language in LANGUAGES}
    return lambda event, language: phrases[language].announce(event)
