# ruff: noqa: E402 - a script that finds its own modules
"""Play whole games on made-up unmodified copies through watcher, referee and record, and count how often a person was needed.

    python tests/host/plain_session.py FIRST LAST [new-york] [family=NAME] [turns=N] [rest=SECONDS] [keep=FOLDER | again=FOLDER]

Each seed is one copy, taught by photographs, and one game played at random: legal plays, once a turn an illegal one that is put
back, honest answers to the witness call, every chore done. Nobody tells the cards, and half way another lamp is on. Where
the table is not understood, a person gives the truth touch by touch, as on the page. ``rest``: after every fifth look nothing
is touched for so long, and what is said then is told. ``keep`` writes what the watcher saw into a folder; ``again`` plays the
same games once more from there, without a picture: what a change of the referee makes of them.

Seeds 2400 to 2419 (London) and 8400 to 8419 (New York) are for this.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent)]

from plain_film import LONDON, NEW_YORK, Film, KeptFilm, MadeFilm, keep
from scripted_table import reading_of

from companion import games
from companion.errors import BadInput
from companion.host.enrolling import Enrolling
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.referee.comparison import surface
from companion.referee.decide import on_reading, on_time
from companion.referee.match import Match, look
from companion.referee.view import view
from companion.vision.table_sets.scoring import EXACT, compare

AT_ONCE, ASKED, SILENT, ACCUSED, OTHERWISE = "at once", "asked for", "waited for", "ACCUSED", "TOLD OTHERWISE"
UNFINISHED, DOUBTED, RULES = "told unfinished", "doubted", "doubted by the rules"
RIGHT, OTHER_REASON, NOT_TOLD, BELIEVED = "right reason", "another reason", "not told", "BELIEVED"
MOST_TOUCHES = 12


@dataclass
class Figures:
    """What is counted, by kind of event."""

    plays: Counter[str] = field(default_factory=Counter)
    illegal: Counter[str] = field(default_factory=Counter)
    cleaned: Counter[str] = field(default_factory=Counter)
    touches: Counter[int] = field(default_factory=Counter)
    stuck: int = 0
    learnt: int = 0
    nagged: int = 0
    not_sure: int = 0
    looks: int = 0
    unsettled: int = 0
    seconds: float = 0.0

    def add(self, other: Figures) -> None:
        for name in ("plays", "illegal", "cleaned", "touches"):
            getattr(self, name).update(getattr(other, name))
        for name in ("stuck", "learnt", "nagged", "not_sure", "looks", "unsettled", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        parts = [f"{name} {dict(getattr(self, name))}" for name in ("plays", "illegal", "cleaned", "touches")]
        settled = f"settled after {self.seconds / max(1, self.looks):.1f} s, not at all {self.unsettled}"
        unsure = f"the page unsure at {self.not_sure} of {self.looks} looks"
        told = f"stuck {self.stuck}; sides learnt {self.learnt}; asked beside {self.nagged}"
        return f"{'; '.join(parts)}; {told}; {unsure}; {settled}"


class Stuck(Exception):
    """The game cannot go on, whatever a person says."""


class PlainSession:
    """One game on one film."""

    def __init__(self, game_id: str, film: Film, seed: int, turns: int, rest: float, path: Path) -> None:
        self.game, self.film, self.turns, self.rest = games.load(game_id), film, turns, rest
        self.seed, self.chance = seed, random.Random(seed)
        self.record = Record.open(path / "game.sqlite")
        self.host = Table(
            self.game, self.record, film, film, settings=TableSettings(ponder_s=5.0, think_again_s=0.0),
            clock=lambda: 1000.0 + film.now, monotonic=lambda: film.now,
            enrolling=Enrolling(film.reader) if isinstance(film, MadeFilm) else None,
        )  # fmt: skip
        self.pieces, self.truth = self.game.pieces(), self.game.start()
        self.board = self.game.board(self.truth.edition)
        self.figures, self.notes = Figures(), []
        self.played: list[str] = []
        self.left: list[str] = []
        self.jack = self.chance.choice(self.game.characters)

    # --- the table -----------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        return self.host._ledger.match

    def lay(self, position: Any) -> None:
        """Hands lay it out, and it is looked at."""
        before = self.film.now
        self.film.show(self.host, position.to_json())
        self.figures.looks += 1
        if self.rest and self.figures.looks % 5 == 0:
            self.stay()
        self.figures.seconds += self.film.now - before
        self.figures.unsettled += not self.film.last.steady
        self.figures.not_sure += bool(self.unsure())

    def stay(self) -> None:
        """Nobody touches anything: then nothing should be said."""
        number, unknown = self.match.number, sorted(view(self.match)["table"]["unknown"])
        self.film.stay(self.host, self.rest)
        said = [event.kind for event in self.record.events(number)]
        now = sorted(view(self.match)["table"]["unknown"])
        if said or now != unknown:
            self.note(f"at rest: {said}, unknown {unknown}, then {now}")

    def unsure(self) -> list[str]:
        """What the page lists as not surely seen."""
        return [subject for subject in view(self.match)["table"]["unknown"] if subject in self.match.blind]

    def understood(self) -> bool:
        """Whether the record says what is true."""
        same = surface(self.game, self.match.position) == surface(self.game, self.truth)
        return same and (self.match.phase != "play" or list(self.match.played) == self.played)

    def verdicts(self) -> list[Any]:
        table = view(self.match)["table"]
        return [
            v for v in compare(self.pieces_of(self.truth), table["state"], table["unknown"], self.pieces) if v.verdict != EXACT
        ]

    def pieces_of(self, position: Any) -> dict[str, Any]:
        """What of a position the pieces on the board show."""
        data = surface(self.game, position)
        for key, group in self.pieces.groups.items():
            if group.layout == "by-piece":
                data[key] = {name: entry for name, entry in data[key].items() if entry["hex"] is not None}
        return data

    def ideal(self, position: Any, wait: float = 0.0) -> list[Any]:
        """The drafts that a perfect camera's reading of a position would lead to, from where the record stands."""
        state = self.pieces_of(position)
        clean = replace(self.match, overrides={}, flag=None, doubt=None, unfinished=None, blind=(), hidden=None)
        match = look(clean, reading_of(state, self.film.now, game=self.game))
        drafts = on_reading(match, match.table)
        if wait and drafts and drafts[-1].kind == "unfinished":
            match = replace(match, unfinished=drafts[-1].data)
            drafts = on_time(match, self.film.now + wait)
        return drafts

    # --- a person ------------------------------------------------------------------------------------------------

    def say(self, **answer: Any) -> bool:
        try:
            self.host.answer(answer)
        except BadInput as error:
            self.note(f"answer {answer} refused: {error}")
            return False
        return True

    def note(self, text: str) -> None:
        self.notes.append(f"turn {self.truth.turn} pick {len(self.played)}: {text}")

    def told(self, subject: str) -> dict[str, Any]:
        """The truth about one subject, as a tap on the page says it."""
        word, colon, spot = subject.partition(":")
        data = self.pieces_of(self.truth)
        if colon:
            group = next(one for one in self.pieces.groups.values() if one.singular == word)
            held = data[group.key]
            if group.layout == "pairs":
                return {"subject": subject, "place": spot if sorted(spot.split("+")) in [sorted(p) for p in held] else None}
            there = spot in held
            more = {"label": held[spot]} if there and group.layout == "by-place" else {}
            return {"subject": subject, "place": spot if there else None, **more}
        group = self.pieces.group_of(subject)
        if group.layout == "value":
            place = next(p.id for p in self.board.places_of(group.on[0]) if p.value == data[group.key])
            return {"subject": subject, "place": place}
        entry = data[group.key] if group.layout == "lone" else data[group.key].get(subject)
        entry = entry or {"hex": None}
        return {"subject": subject, "place": entry["hex"], **{k: v for k, v in entry.items() if k != "hex"}}

    def put_right(self, first: list[str], done: Any) -> int:
        """Touch by touch until it is understood: what the companion asks for first, then whatever it has wrong."""
        touches, before = 0, {}
        while not done():
            if touches >= MOST_TOUCHES:
                raise Stuck("too many touches")
            if self._choose():
                touches += 1
                continue
            if self.match.phase in ("play", "call") and len(self.match.picks) and not self._prefix() and self._undo():
                touches += 1
                continue
            # Who is asked where a piece is lays a finger on it, not on every place where it is not.
            odd = sorted(self.verdicts(), key=lambda verdict: verdict.truth is None)
            wrong = [verdict.subject for verdict in odd if before.get(verdict.subject, 0) < 1]
            asked = [subject for subject in wrong if subject in {*self.match.blind, *first}]
            if not wrong:
                self.film.wait(self.host, 50.0)
                if done():
                    break
                if not self._rule():
                    raise Stuck("nothing is left to be said")
                self.figures.stuck += 1
                return touches + 1
            subject = (asked or wrong)[0]
            before[subject] = 1
            touches += self.say(kind="correct", **self.told(subject))
        return touches

    def _prefix(self) -> bool:
        return list(self.match.played) == self.played[: len(self.match.picks)]

    def _choose(self) -> bool:
        doubt = self.match.doubt
        offered = doubt or (self.match.picks[-1].play if self.match.picks else {})
        for one in offered.get("alternatives", ()):
            names = [play["character"] for play in one["plays"]]
            shown = surface(self.game, self.match.position_from(one["plays"][-1]["position"]))
            same = shown == surface(self.game, self.truth)
            if same and names == self.played[-len(names) :] and (doubt or list(self.match.played) != self.played):
                return self.say(kind="choose", alternative=one["index"])
        return False

    def _undo(self) -> bool:
        return self.say(kind="undo")

    def _rule(self) -> bool:
        name = {"character": self.played[-1]} if self.match.phase == "play" and self.played else {}
        return self.say(kind="accept", reason="as it was played", **name)

    # --- one play ------------------------------------------------------------------------------------------------

    def pick(self) -> Any:
        """Some legal play of somebody whose card may be turned up, that does not end the game."""
        names = list(self.left)
        self.chance.shuffle(names)
        for name in names:
            bare = replace(self.truth, available=None, played=None)
            mover = self.game.movers(self.truth.turn)[len(self.played)]
            found = [p for p in islice(self.game.plays(bare, name, mover=mover), 4000) if p.ends is None]
            if found:
                return self.chance.choice(found)
        raise Stuck("no play is possible")

    def play(self) -> None:
        play = self.pick()
        ideal = [draft.kind for draft in self.ideal(play.position)]
        picks = len(self.match.picks)
        changed = self.changed(self.truth, play.position)
        self.truth = replace(play.position, available=None, played=None)
        self.left.remove(play.character)
        self.played.append(play.character)
        number = self.match.number
        self.lay(self.truth)
        seen = self.at_sight(picks, ideal)
        if seen == AT_ONCE:
            said = [event.kind for event in self.record.events(number)]
            self.figures.nagged += "cannot-see" in said
        if seen == UNFINISHED:
            self.film.wait(self.host, 46.0)
            seen = ACCUSED if self.match.flag else seen
        self.figures.plays[seen] += 1
        if seen != AT_ONCE:
            why = (self.match.flag or self.match.unfinished or {}).get("faults", ())
            moves = [(move.piece, move.origin, move.to) for move in play.moves]
            self.note(
                f"{seen}: {play.character} {moves} {ideal}; blind {self.match.blind}; "
                f"faults {[(f['code'], f['character']) for f in why]}; on record {self.match.played}; eyes {self.vision()}"
            )
        touches = self.put_right(changed, self.understood)
        self.figures.touches[touches] += 1

    def vision(self) -> str:
        unknown = view(self.match)["table"]["unknown"]
        return "; ".join(
            f"{v.verdict} {v.subject} is {v.truth} read {v.read} ({unknown.get(v.subject, '')})" for v in self.verdicts()
        )

    def at_sight(self, picks: int, ideal: list[str]) -> str:
        """What the companion made of the play before anybody said a word."""
        match = self.match
        if match.flag is not None:
            return ACCUSED
        if match.doubt is not None:
            return RULES if "doubt" in ideal else DOUBTED
        if self.understood():
            return AT_ONCE
        if len(match.picks) != picks or list(match.played) != self.played[:-1]:
            return OTHERWISE
        if match.blind:
            return ASKED
        return SILENT if match.unfinished is None else UNFINISHED

    def changed(self, one: Any, other: Any) -> list[str]:
        return [v.subject for v in compare(self.pieces_of(one), self.pieces_of(other), (), self.pieces) if v.verdict != EXACT]

    # --- an illegal play ------------------------------------------------------------------------------------------

    def wrong(self) -> None:
        """Somebody does what is not allowed, is told so (or not), and puts it back."""
        chance = random.Random(f"{self.seed}/{self.truth.turn}")
        for _ in range(20):
            position = self.slip(chance)
            drafts = self.ideal(position, 46.0) if position is not None else []
            if drafts and drafts[-1].kind == "flag":
                break
        else:
            return
        expected = {fault["code"] for fault in drafts[-1].data["faults"]}
        before, picks = self.truth, len(self.match.picks)
        self.truth = position
        self.lay(position)
        if self.match.unfinished is not None:
            self.film.wait(self.host, 46.0)
        said = {fault["code"] for fault in (self.match.flag or {}).get("faults", ())}
        seen = RIGHT if said == expected else OTHER_REASON if said else NOT_TOLD
        if len(self.match.picks) != picks or self.match.doubt is not None:
            seen = BELIEVED
        self.figures.illegal[seen] += 1
        if seen != RIGHT:
            self.note(
                f"{seen}: illegal {sorted(expected)}, said {sorted(said)}; blind {self.match.blind}; eyes {self.vision()}"
            )
        self.truth = before
        self.lay(before)
        if not (self.understood() and self.match.flag is None):
            self.note(f"not put back: {self.match.flag and self.match.flag['faults']}; eyes {self.vision()}")
        self.put_right([], lambda: self.understood() and self.match.flag is None)

    def slip(self, chance: random.Random) -> Any:
        """The truth with one or two discs on cells where they may not be."""
        data = json.loads(json.dumps(self.truth.to_json()))
        cells = sorted(self.board.of_kind(*self.pieces.groups["characters"].on))
        names = [n for n, entry in data["characters"].items() if entry["hex"] is not None]
        taken = {data["characters"][name]["hex"] for name in names}
        for name in chance.sample(names, chance.choice([1, 1, 2])):
            free = [cell for cell in cells if cell not in taken]
            data["characters"][name]["hex"] = chance.choice(free)
            taken.add(data["characters"][name]["hex"])
        try:
            return self.game.position(data, tolerant=True)
        except BadInput:
            return None

    # --- the session -----------------------------------------------------------------------------------------------

    def run(self) -> Figures:
        try:
            self.lay(self.truth)
            if self.match.phase != "play":
                self.note(f"set-up not agreed: chores {[c['message'] for c in self.match.chores]}; eyes {self.vision()}")
            self.put_right([], lambda: self.match.phase == "play")
            for turn in range(1, self.turns + 1):
                self.turn(turn)
                if self.match.phase == "over":
                    break
        except Stuck as why:
            self.figures.stuck += 1
            self.note(f"STUCK: {why}; phase {self.match.phase}; eyes {self.vision()}")
        finally:
            self.host.stop()
            self.figures.learnt = sum(event.data.get("code") == "look-learnt" for event in self.record.events())
            self.record.close()
        return self.figures

    def turn(self, turn: int) -> None:
        if turn == self.turns // 2 + 1:
            self.film.another_light()
        if turn % 2:
            every = list(self.game.characters)
            self.chance.shuffle(every)
            self.cards = every[:4], every[4:]
        self.left, self.played = list(self.cards[(turn + 1) % 2]), []
        slip = self.chance.randrange(4)
        for pick in range(4):
            if pick == slip:
                self.wrong()
            self.play()
        if self.match.phase == "over":
            return
        if self.match.phase != "call":
            raise Stuck(f"no call after four plays but {self.match.phase}")
        seen = self.jack in self.game.witness(self.truth).seen
        self.say(kind="call", seen=seen)
        self.truth = self.game.close_turn(self.game.call(self.truth, seen))
        self.truth = replace(self.truth, available=None, played=None)
        self.played = []
        if self.match.phase == "over":
            return
        self.lay(self.truth)
        done = self.match.phase != "clean-up"
        self.figures.cleaned[AT_ONCE if done else ACCUSED if self.match.flag else "waited for"] += 1
        if not done:
            self.note(
                f"clean-up waits: {[c['message'] for c in self.match.chores]}; blind {self.match.blind}; eyes {self.vision()}"
            )
        self.put_right([c["subject"] for c in self.match.chores], lambda: self.match.phase != "clean-up")


def made(game: str, seed: int, options: dict[str, str]) -> MadeFilm:
    """A film of a copy of the kind that was asked for."""
    return MadeFilm(game, seed, options.get("family", "ordinary"))


def main() -> None:
    """Play every seed's game and print what was counted."""
    options = dict(word.partition("=")[::2] for word in sys.argv[3:])
    game = NEW_YORK if "new-york" in options else LONDON
    every = Figures()
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        begin = time.process_time()
        folder = options.get("again") or options.get("keep")
        path = Path(folder, f"{game}-{seed}.pickle") if folder else None
        try:
            film: Film = KeptFilm(path) if "again" in options and path else made(game, seed, options)
        except BadInput as error:
            print(seed, "not taught:", error, flush=True)
            continue
        with tempfile.TemporaryDirectory() as place:
            turns, rest = int(options.get("turns", 8)), float(options.get("rest", 0))
            session = PlainSession(game, film, seed, turns, rest, Path(place))
            figures = session.run()
        if "keep" in options and path:
            keep(film, path)
        every.add(figures)
        for note in session.notes:
            print("  ", seed, note)
        print(seed, figures, f"{time.process_time() - begin:.0f} s", flush=True)
    print(every)


if __name__ == "__main__":
    main()
