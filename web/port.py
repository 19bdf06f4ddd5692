"""What the page needs of a table, and of a voice. The host's table fits; so does the fake one in the tests."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.games.game import Game
from companion.record.events import Event

Json = Mapping[str, Any]


class TablePort(Protocol):
    """One running table. Every method may be called from any thread."""

    @property
    def game(self) -> Game:
        """The game that is on."""

    def snapshot(self) -> dict[str, Any]:
        """What everybody may see now; never a secret."""

    def private(self, seat: str, /) -> dict[str, Any] | None:
        """What one seat alone is shown beside the snapshot; None where it sees what everybody sees."""

    def watched(self) -> dict[str, Any]:
        """What spectators alone are shown beside the snapshot; empty where they see what everybody sees."""

    def answer(self, answer: dict[str, Any], /, *, saw: int | None = None) -> Json:
        """Take one answer. ``saw``: the number of the last event that its page had, where it is known. Raises BadInput when it
        does not fit, or what it is about has changed since."""

    def wait_events(self, after: int, timeout: float) -> list[Event]:
        """Events numbered above ``after``, oldest first; waits up to ``timeout`` seconds for the first one."""

    def picture(self, overlay: bool) -> bytes | None:
        """The newest picture as JPEG, or None when there is none."""

    def kept_picture(self, digest: str, /) -> bytes | None:
        """The picture an event refers to by its digest, as JPEG; None when it was not kept."""


class NotesPort(Protocol):
    """What a seat notes for itself, game by game."""

    def read(self, seat: str) -> list[str]:
        """The characters noted."""

    def write(self, seat: str, characters: Sequence[str]) -> None:
        """Replace them. Raises BadInput."""


class AnnouncementPort(Protocol):
    """A sentence about one event. ``urgency`` is ``"polite"`` or ``"assertive"``; ``aloud`` is what is spoken of it."""

    @property
    def text(self) -> str: ...
    @property
    def aloud(self) -> str: ...
    @property
    def urgency(self) -> str: ...


class Announcer(Protocol):
    """Turns an event's JSON into a sentence; None when there is nothing to say."""

    def __call__(self, event: Json, language: str, /) -> AnnouncementPort | None: ...
