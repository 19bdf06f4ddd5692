"""Learns while a game is on how a second side of a piece looks that nobody has shown.

Two things tell it. A person puts a piece right by hand: what lies there is that side. And the game asked for a piece to be
turned over, which lies where it lay and no longer shows its first side. The reader has the last word: it refuses what it cannot
make out. What was learnt so is taken back when somebody says later that another side was up, or when the event is undone that
it came from.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.boards import PieceSet
from companion.devices.cameras.port import SourceNotice
from companion.host.ports import FrameAnalysisPort
from companion.record.events import Event
from companion.referee.match import Match
from companion.vision.frame import Frame
from companion.vision.reader import Reader, Shown
from companion.vision.reading import Reading

Side = tuple[str, str]
"""A piece and which of its sides."""
LEARNT = "From now on I know {character} from this side as well."
FORGOTTEN = "I no longer go by what I had learnt of {character}."


class Enrolling:
    """For one reader of one table. ``heed`` may be called from any thread that holds the table's lock, ``look`` only from the
    one that reads."""

    def __init__(self, reader: Reader, keep: Callable[[], None] = lambda: None) -> None:
        """``keep`` is called when the reader knows more, or less, than before."""
        self._reader, self._keep = reader, keep
        self._told: dict[str, Shown] = {}
        self._learnt: dict[Side, int] = {}
        self._gone: list[Side] = []
        self._turned: dict[str, Shown] = {}
        self._before: dict[str, tuple[str, str | None]] = {}
        self._tried: object = None

    def heed(self, event: Event, pieces: PieceSet) -> None:
        """Take in what an event says of sides, and what it takes back."""
        if event.kind == "undo":
            self._gone += [side for side, number in self._learnt.items() if number > event.data["undone"]]
        for fix in event.data.get("fixes", ()) if event.kind == "correction" else ():
            subject, entry = fix["subject"], fix["entry"]
            side = entry.get("side") if isinstance(entry, Mapping) else None
            if side is None or subject not in pieces.pieces or pieces.group_of(subject).layout != "by-piece":
                continue
            piece = pieces.pieces[subject]
            self._gone += [known for known in self._learnt if known[0] == subject and known[1] != side]
            self._told.pop(subject, None)
            if side in piece.faces[1:] and fix["against"] != entry:
                self._told[subject] = Shown(subject, entry["hex"], side, entry.get("facing"), told=True)
            self._tried = None

    def look(self, frame: Frame, analysis: FrameAnalysisPort, match: Match) -> list[SourceNotice]:
        """Forget what was taken back; learn from a picture in which everything rests and nothing lies over the board."""
        notices = self._forget()
        seen = analysis.observation
        if seen is not None and analysis.steady and not analysis.occluded and self._tried is not seen:
            self._tried = seen  # the same look again shows nothing new
            self._turned = self._turned_over(match, seen.reading)
            for shown in (*self._told.values(), *self._turned.values()):
                if not self._reader.enrol(frame, seen, shown):
                    self._told.pop(shown.piece, None)
                    self._learnt[shown.piece, shown.face] = match.number
                    notices.append(SourceNotice("look-learnt", LEARNT, {"character": shown.piece}))
            self._before = {one.piece: (one.place, one.face) for one in seen.reading.sightings}
        if notices:
            self._keep()
        return notices

    def _turned_over(self, match: Match, reading: Reading) -> dict[str, Shown]:
        """The pieces that were to be turned over, were surely seen with their first side up a look ago where they lie, and show
        a side now that cannot be told; and those of which that was so in an earlier look and is still. One that was unsure
        before may show its first side still, in bad light. Nothing while a piece is out of sight that nobody was asked to
        touch."""
        goal = match.arrangement
        if goal is None or goal.start:
            return {}
        pieces, found = match.game.pieces(), dict[str, Shown]()
        target: Mapping[str, Any] = goal.target.to_json()
        for piece, known in pieces.pieces.items():
            group = pieces.groups[known.group]
            if group.layout != "by-piece" or piece not in reading.unknown:
                continue
            entry = (target.get(group.key) or {}).get(piece)
            if entry is None or piece not in goal.touched or reading.lying.get(piece, entry["hex"]) != entry["hex"]:
                return {}
            side = entry.get("side")
            if side not in known.faces[1:] or piece in self._told:
                continue
            if piece in self._turned or self._before.get(piece) == (entry["hex"], known.faces[0]):
                found[piece] = Shown(piece, entry["hex"], side, entry.get("facing"))
        return found

    def _forget(self) -> list[SourceNotice]:
        gone, self._gone = list(dict.fromkeys(self._gone)), []
        for side in gone:
            self._learnt.pop(side, None)
        return [
            SourceNotice("look-forgotten", FORGOTTEN, {"character": piece})
            for piece, side in gone
            if self._reader.forget(piece, side)
        ]


__all__ = ["Enrolling"]
