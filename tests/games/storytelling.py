"""Tells whole games as records: each story fixes what it is about, two simple players make the other picks.

The detective splits the suspects as evenly as he can, Jack keeps as many suspects as he can.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.games.game import Play
from companion.games.mr_jack.investigation import Investigation

Wish = Callable[[Play], bool]
Change = Callable[[Any], Mapping[str, object]]


@dataclass(frozen=True)
class Pick:
    """One pick of a story: who, and which of the plays will do."""

    character: str
    wish: Wish = lambda play: play.ends is None


@dataclass(frozen=True)
class Attempt:
    """Something illegal that hands do before the pick: discs set down anywhere, other fields of the position changed."""

    moves: Mapping[str, str | None]
    changed: Change = lambda position: {}


@dataclass(frozen=True)
class Story:
    """A whole game. The cards of odd turns whose script does not name all four are those of ``deals``, one after the other.

    Turns without a script are played by the simple players. ``edition`` None: the game's default, and not told.
    """

    name: str
    proves: str
    jack: str
    turns: Sequence[Sequence[Pick | Attempt]]
    deals: Sequence[Sequence[str]] = ()
    edition: str | None = None


@dataclass(frozen=True)
class Teller:
    """Tells stories of one game."""

    game: Investigation

    def tell(self, story: Story) -> dict[str, object]:
        """Play a story to its end."""
        position: Any = self.game.start(story.edition)
        events: list[dict[str, object]] = []
        deals = list(story.deals)
        for turn in range(1, 9):
            script = list(story.turns[turn - 1]) if turn <= len(story.turns) else []
            named = [step.character for step in script if isinstance(step, Pick)]
            if turn % 2:
                cards = named if len(named) == 4 else deals.pop(0)
                position = replace(position, available=tuple(sorted(cards, key=self.game.characters.index)), played=())
                events.append({"event": "deal", "cards": list(position.available)})
            script += [Pick(name) for name in position.available or () if name not in named]
            for step in script:
                if isinstance(step, Attempt):
                    events.append(self._attempted(story, position, step))
                    continue
                play = self._picked(story, turn, position, step)
                events.append(self._played(position, play))
                position = play.position
                outcome = self.game.outcome(position, play, story.jack) if play.ends else None
                if outcome:
                    return _finished(story, events, outcome.winner, outcome.code)
            outcome = self.game.outcome(position)
            if outcome:
                return _finished(story, events, outcome.winner, outcome.code)
            seen = story.jack in self.game.witness(position).seen
            position = self.game.call(position, seen)
            events.append({"event": "call", "seen": seen, "position": position.notation()})
            position = self.game.close_turn(position)
            events.append({"event": "close", "position": position.notation()})
        raise AssertionError(f"{story.name} has no end")

    def _attempted(self, story: Story, position: Any, attempt: Attempt) -> dict[str, object]:
        spots = zip(self.game.characters, position.hexes, strict=True)
        hexes = tuple(attempt.moves.get(name, spot) for name, spot in spots)
        after = replace(position, hexes=hexes, **attempt.changed(position))
        found = self.game.explain(position, after)
        assert found.verdict == "illegal", story.name
        return {"event": "illegal", "table": after.notation(), "faults": [fault.code for fault in found.faults]}

    def _picked(self, story: Story, turn: int, position: Any, pick: Pick) -> Play:
        plays = [play for play in self.game.plays(position, pick.character) if pick.wish(play)]
        assert plays, f"{story.name}: turn {turn}, {pick.character}: no such play from {position}"
        return self._best(position, plays, str(self.game.mover(position)), story.jack)

    def _best(self, position: Any, plays: Sequence[Play], role: str, jack: str) -> Play:
        """The play of a simple player; ties go to the first, so that a story is always told the same way."""
        suspects = self.game.suspects(position)

        def left(play: Play) -> float:
            seen = set(self.game.witness(play.position).seen)
            if role == "jack":
                return -sum((name in seen) == (jack in seen) for name in suspects)
            return abs(len(suspects) / 2 - sum(name in seen for name in suspects))

        return min(plays[:: max(1, len(plays) // 150)], key=left)

    def _played(self, before: Any, play: Play) -> dict[str, object]:
        return {
            "event": "play", "by": self.game.mover(before), "says": play.text.format(**play.params),
            **play.to_json(with_position=False), "position": play.position.notation(),
        }  # fmt: skip


def _finished(story: Story, events: list[dict[str, object]], winner: str, code: str) -> dict[str, object]:
    edition = {"edition": story.edition} if story.edition else {}
    result = {"winner": winner, "code": code}
    return {"name": story.name, "proves": story.proves, **edition, "jack": story.jack, "events": events, "result": result}


def write(teller: Teller, stories: Sequence[Story], folder: Path, names: Sequence[str]) -> None:
    """Write the records of the stories of these names (none named: of all)."""
    folder.mkdir(exist_ok=True)
    for story in stories:
        if not names or story.name in names:
            text = json.dumps(teller.tell(story), indent=1, ensure_ascii=False)
            (folder / f"{story.name}.json").write_text(text + "\n", encoding="utf-8")
            print(story.name, "written", flush=True)


# --- wishes -------------------------------------------------------------------------------------------------------------


def quiet(play: Play) -> bool:
    return play.ends is None


def leaves(play: Play) -> bool:
    return play.ends == "escape"


def to(spot: str | None, end: str | None = None) -> Wish:
    return lambda play: play.ends == end and play.position.hex(play.character) == spot


def carries(piece: str, origin: str, goal: str) -> Wish:
    return lambda play: any((m.piece, m.origin, m.to) == (piece, origin, goal) for m in play.moves)


def first_moved(piece: str) -> Wish:
    return lambda play: play.moves[0].piece == piece


def both(*wishes: Wish) -> Wish:
    return lambda play: all(wish(play) for wish in wishes)
