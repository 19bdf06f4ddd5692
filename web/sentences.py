"""Events as sentences for the page, in the reader's language, whatever the announcer has to say about them."""

import logging
from functools import cache
from typing import Any

from companion import boards
from companion.announce.localised import localise
from companion.announce.phrases import Phrases
from companion.announce.translator import translator
from companion.record.events import Event
from companion.web import localisation
from companion.web.port import Announcer, TablePort

_LOG = logging.getLogger(__name__)

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

    def language(self) -> str:
        """The language of the request that is being answered."""
        return localisation.language()

    def event_json(self, event: Event, language: str) -> dict[str, Any]:
        """Number, time, kind and data; ``text`` (empty: not for the log), its ``urgency``, whether it is ``spoken``, and
        ``aloud``: what is spoken of it."""
        plain = event.to_json()
        plain.pop("digest")
        try:
            said = self._announce(plain, language)
        except Exception:
            # One event that cannot be put into words must not cost the reader all that come after it.
            _LOG.exception("event %d (%s) has no sentence", event.number, event.kind)
            said = None
        plain["data"] = self._told(event, plain["data"], language)
        if said is None:
            shown = translator(language).text(SHOWN.get(event.kind, ""))
            return plain | {"text": shown, "urgency": "polite", "spoken": False, "aloud": ""}
        return plain | {"text": said.text, "urgency": said.urgency, "spoken": True, "aloud": said.aloud}

    @staticmethod
    def _told(event: Event, data: Any, language: str) -> Any:
        try:
            return localise(data, translator(language))
        except Exception:
            _LOG.exception("event %d (%s) cannot be told in %s", event.number, event.kind, language)
            return data


def announcer(table: TablePort) -> Announcer:
    """The companion's own phrases, with the names of the pieces on this table. Which game that is, is known once there is
    something to say; at a table of a hall another one may follow."""

    @cache
    def phrases(game: str, language: str) -> Phrases:
        names = {piece.id: piece.name for piece in boards.load_pieces(game).pieces.values()}
        labels = boards.load(game).labels
        return Phrases.of(labels, names, translator(language))

    return lambda event, language: phrases(table.game.id, language).announce(event)
