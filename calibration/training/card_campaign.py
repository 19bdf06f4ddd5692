"""Games of made-up cards at random, and how often each card was read rightly when it landed.

``python -m companion.calibration.training.card_campaign KIND FIRST LAST LANDINGS [again|still|covered|nudged] [FILE]`` prints
the counts of decks FIRST to LAST - 1 of a kind: tune, apart, fresh, novel or scanned.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.boards import Board, PieceSet
from companion.calibration.training import card_decks, card_decks_apart, card_decks_fresh, card_decks_novel, card_decks_scanned
from companion.calibration.training.card_decks import SIZE_MM, Deck
from companion.calibration.training.card_mat import built, mat_json
from companion.calibration.training.card_table import CARD_MM, CardTable, Light, light_at_random
from companion.calibration.training.stickers_composed import Shot
from companion.vision.camera import Registration
from companion.vision.cards.faces import FINE, CardTeaching, TaughtFace, deck_faces
from companion.vision.cards.ground import evened, ground_colour
from companion.vision.cards.memory import CardMemory
from companion.vision.cards.reader import CardReader
from companion.vision.cards.view import CardPose, MatGrid
from companion.vision.frame import Frame, Image, Mask
from companion.vision.observation import Observation

DECKS: dict[str, Callable[[int], Deck]] = {
    "tune": card_decks.deck,
    "apart": card_decks_apart.deck,
    "fresh": card_decks_fresh.deck,
    "novel": card_decks_novel.deck,
    "scanned": card_decks_scanned.deck,
}


def surface(deck: Deck, copies: int = 3, beside: dict[str, list[list[float]]] | None = None) -> tuple[Board, PieceSet]:
    """A mat whose cards are a deck's, ``copies`` of each face. ``beside``: outlines (mm) of masked zones beside it."""
    data = mat_json()
    data["zones"]["hand"]["masked"] = False
    for name, outline in (beside or {}).items():
        data["zones"][name] = {"kind": "hand", "outline_mm": outline, "masked": True}
    data["groups"]["cards"]["size_mm"] = list(SIZE_MM)
    names = [name for name in deck.faces if name != "back"]
    data["pieces"] = {
        f"{name}-{copy}": {"group": "cards", "name": name, "faces": [name, "back"], "markers": {name: 50 + n, "back": 80}}
        for n, name in enumerate(names)
        for copy in range(copies)
    }
    return built(data)


def shot_at_random(rng: np.random.Generator) -> Shot:
    """A camera that sees cards 60 to 90 pixels wide, up to 45 degrees aslant."""
    tilt = float(rng.uniform(30, 45) if rng.random() < 0.5 else rng.uniform(0, 30))
    return Shot(
        size=(1280, 720), tilt=tilt, azimuth=float(rng.uniform(-20, 20)), roll=float(rng.uniform(-5, 5)),
        px_per_mm=float(rng.uniform(60, 90)) / SIZE_MM[0], blur=float(rng.uniform(0.4, 0.9)),
    )  # fmt: skip


def taught(deck: Deck, table: CardTable, board: Board, pieces: PieceSet, sleeve: str) -> CardTeaching:
    """A deck as it is taught: each face shown once in the middle of the mat."""
    grid = MatGrid.over(table.registration, board.size_mm, 30.0, 2.4)
    width, height = board.size_mm
    inside = grid.mat(board.size_mm)
    at = width / 2, height / 2
    lessons, ground = [], None
    for number, face in enumerate(deck_faces(pieces)):
        table.clear()
        table.lay(deck.faces[str(face.side)], at, 0.0, 0.0, "clear" if sleeve else "")
        seen = grid.seen(table.picture(Light(), number))
        ground = ground_colour(seen, inside) if ground is None else ground
        seen = np.clip(evened(seen, ground, inside, grid), 0, 255).astype(np.uint8)
        lessons.append(TaughtFace(face.key, grid.cut_colour(seen, CardPose(*at, 0.0), SIZE_MM, FINE)))
    table.clear()
    assert ground is not None
    return CardTeaching(board.id, board.edition, SIZE_MM, tuple(float(v) for v in ground), tuple(lessons))  # type: ignore[arg-type]


@dataclass
class Tally:
    """What came of the landings, by kind of face; what was claimed falsely, in words; times of single looks."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    false: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Count in what came of other landings."""
        self.counts.update(other.counts)
        self.false += other.false
        self.doubts += other.doubts
        self.seconds += other.seconds

    def share(self, kind: str, outcome: str) -> float:
        """The share of landings of one kind that came out so."""
        total = sum(count for (name, _), count in self.counts.items() if name == kind)
        return self.counts[kind, outcome] / total if total else 0.0


class Sitting:
    """One deck on one table, read as a watcher would have it read: a change counts when two pictures in a row say the same."""

    def __init__(self, deck: Deck, seed: int) -> None:
        self.deck, self.rng = deck, np.random.default_rng([seed, 5])
        self.board, self.pieces = surface(deck)
        self.sleeve = ("", "clear", "glare")[int(self.rng.integers(3))]
        self.table = CardTable(self.board, shot_at_random(self.rng), seed)
        self.teaching = taught(deck, self.table, self.board, self.pieces, self.sleeve)
        self.reader = CardReader(self.board, self.pieces, self.teaching, self.table.registration.lens)
        self.memory: CardMemory | None = None
        self.registration = astray(self.table.registration, self.rng)
        self.dusk = bool(self.rng.random() < 0.3)
        self.pictures = 0
        self.light = light_at_random(self.rng, self.dusk)

    def look(self, tally: Tally | None = None, film: Image | None = None) -> Observation:
        """Take a picture and read it, going on from the last settled look."""
        self.pictures += 1
        image = self.table.picture(self.light, self.pictures, film)
        begun = time.process_time()
        observation = self.reader.read_at(
            Frame(image, float(self.pictures), "made", self.pictures), self.registration, self.memory
        )
        if tally is not None:
            tally.seconds.append(time.process_time() - begun)
        return observation

    def nudge(self) -> None:
        """Move the camera a little; by its registration the reader learns of it."""
        shot, rng = self.table.shot, self.rng
        moved = replace(
            shot, tilt=abs(shot.tilt + float(rng.normal(0, 1.5))), azimuth=shot.azimuth + float(rng.normal(0, 2)),
            roll=shot.roll + float(rng.normal(0, 1.5)), px_per_mm=shot.px_per_mm * float(rng.uniform(0.96, 1.04)),
            aside_mm=(float(rng.normal(0, 6)), float(rng.normal(0, 6))),
        )  # fmt: skip
        self.table = self.table.seen_by(moved)
        self.registration = astray(self.table.registration, rng)

    def settle(self, tally: Tally | None = None) -> tuple[Observation, bool]:
        """Looks until two in a row say the same and nothing new is doubtful, as the watcher takes them; so many at most. The
        last one, which is gone on from, and whether it said what the one before did."""
        known = self.memory.doubts.keys() if self.memory is not None else frozenset()
        before, now = None, self.look(tally)
        for _ in range(MOST_LOOKS - 1):
            before, now = now, self.look(tally)
            assert isinstance(now.memory, CardMemory)
            if same(before, now) and now.memory.doubts.keys() <= known:
                break
        assert isinstance(now.memory, CardMemory)
        self.memory = now.memory
        return now, before is not None and same(before, now)


MOST_LOOKS = 6
"""Looks at one landing; the watcher takes 8 before a doubt settles (``patience_s``, ``retry_s``)."""


def same(one: Observation, other: Observation) -> bool:
    """Whether two looks claim and doubt the same."""
    return claims(one) == claims(other) and one.reading.unknown.keys() == other.reading.unknown.keys()


def astray(registration: Registration, rng: np.random.Generator) -> Registration:
    """A registration as stickers give it: off by some tenths of a millimetre."""
    offset = registration.rotation @ np.array([*rng.normal(0, 0.25, 2), 0.0])
    return Registration(registration.lens, registration.rotation, registration.translation + offset.reshape(3, 1))


def claims(observation: Observation) -> Counter[tuple[str, str | None]]:
    """What is claimed to lie where, as zones and faces."""
    return Counter((s.place, s.face) for s in observation.reading.sightings)


MIDDLES = {"pile": (327.0, 72.0), "heap": (90.0, 220.0), "hand": (290.0, 220.0)}


class Game:
    """Cards laid at random on one table, and how they were read."""

    def __init__(self, deck: Deck, seed: int, tally: Tally) -> None:
        self.deck, self.tally, self.sitting = deck, tally, Sitting(deck, seed)
        self.counts: Counter[str] = Counter()
        self.laid: list[tuple[str, str]] = []
        """What lies there: face and zone, in order."""
        self.untold: Counter[tuple[str | None, str]] = Counter()
        self.alike = {name for pair in deck.pairs for name in pair}
        self.sitting.settle()

    def clear(self) -> None:
        """Take all cards away, and look by another light."""
        sitting, tally = self.sitting, self.tally
        sitting.table.clear()
        self.counts.clear()
        self.laid.clear()
        self.untold.clear()
        sitting.light = light_at_random(sitting.rng, sitting.dusk)
        reading = sitting.settle()[0].reading
        tally.counts["cleared", "not" if reading.sightings or reading.unknown else "right"] += 1
        if reading.sightings:
            tally.false.append(f"{self.deck.name}: after clearing {[s.face for s in reading.sightings]} is claimed")
            sitting.memory = None
            sitting.settle()

    def spot(self, zone: str) -> tuple[tuple[float, float], float]:
        """Where the next card of a zone lies, and how it is turned."""
        rng = self.sitting.rng
        if zone == "row":
            return (52.0 + 30.0 * self.counts["row"], 70.0 + float(rng.uniform(-3, 3))), float(rng.normal(0, 3))
        loose = 3.0 if zone == "pile" else 9.0
        x, y = MIDDLES[zone]
        at = x + float(rng.uniform(-loose, loose)), y + float(rng.uniform(-loose, loose))
        if zone == "pile":
            return at, float(rng.normal(0, 4) + (180 if rng.random() < 0.3 else 0))
        return at, float(rng.uniform(-180, 180))

    def lay(self) -> None:
        """Lay a card anywhere, and count how it is read."""
        sitting, deck, tally, rng = self.sitting, self.deck, self.tally, self.sitting.rng
        zone = ("row", *MIDDLES)[int(rng.integers(4))]
        if (zone == "row" and self.counts["row"] >= 5) or self.counts[zone] >= 8:
            self.clear()
        never, names = rng.random() < 0.08, list(deck.faces)
        name = "never" if never else names[int(rng.integers(len(names)))]
        art = deck.never[int(rng.integers(len(deck.never)))] if never else deck.faces[name]
        at, turn = self.spot(zone)
        was = sitting.memory.cards if sitting.memory is not None else ()
        sitting.table.lay(art, at, turn, CARD_MM * self.counts[zone] * (zone != "row"), sitting.sleeve)
        self.counts[zone] += 1
        self.laid.append((name, zone))
        observation, agreed = sitting.settle(tally)
        assert sitting.memory is not None
        new = [card for card in sitting.memory.cards if card not in was]
        told = [(sitting.reader.deck.faces[card.face].side, card.zone) for card in new]
        kind = "never" if never else "back" if name == "back" else "alike" if name in self.alike else "plain"
        laid, late = (name, zone), Counter(told) & self.untold
        beyond = Counter(told) - late - Counter([laid] * (not never))
        outcome = "wrong" if beyond and agreed else "right" if laid in told and agreed else "unknown"
        tally.counts["late", "right"] += sum(late.values())
        self.untold -= late
        if laid not in told and not never:
            self.untold[laid] += 1
        if beyond and not agreed:
            tally.counts["wavering", "wrong"] += 1  # so said by the last of all looks, which the watcher does not take
        words = f"{deck.name} {sitting.sleeve}{' dusk' if sitting.dusk else ''}: {name} laid in {zone}"
        if outcome == "wrong":
            tally.false.append(f"{words}, {told} is claimed")
        elif outcome == "unknown":
            tally.doubts.append(f"{words}, agreed {agreed}, {dict(observation.reading.unknown)}")
        tally.counts[kind, outcome] += 1
        lost = len([card for card in was if card not in sitting.memory.cards])
        tally.counts["followed", "lost"] += lost
        tally.counts["followed", "kept"] += len(was) - lost
        if lost:
            tally.doubts.append(f"{words}, {lost} cards are lost")


def play(deck: Deck, seed: int, landings: int, tally: Tally) -> None:
    """Lay so many cards at random and count how they are read."""
    game = Game(deck, seed, tally)
    for _ in range(landings):
        game.lay()


def lay_again(deck: Deck, seed: int, times: int, tally: Tally) -> None:
    """Lay the same face upon itself, 1 to 3 mm off; and, as often, let a hand pass and nothing happen."""
    sitting = Sitting(deck, seed)
    rng, table = sitting.rng, sitting.table
    sitting.settle()
    name = [name for name in deck.faces if name != "back"][int(rng.integers(len(deck.faces) - 1))]
    at, turn = MIDDLES["pile"], float(rng.normal(0, 4))
    for number in range(times + 1):
        table.lay(deck.faces[name], at, turn, CARD_MM * number, sitting.sleeve)
        was = sitting.memory.cards if sitting.memory is not None else ()
        observation, agreed = sitting.settle(tally)
        assert sitting.memory is not None
        added = len(sitting.memory.cards) - len(was)
        if number == 0 and added != 1:
            tally.doubts.append(f"{deck.name}: the first {name} is not told: {dict(observation.reading.unknown)}")
            return
        if number:
            asked = added == 0 and bool(observation.reading.unknown)
            tally.counts["again", "noticed" if added == 1 and agreed else "asked" if asked else "missed"] += 1
            sitting.look(None, table.hand(rng, at))
            sitting.settle(tally)
            came = len(sitting.memory.cards) - len(was) - added
            tally.counts["nothing", "right" if came == 0 else "not"] += 1
            if came:
                tally.false.append(f"{deck.name}: {came} cards more after a hand had passed over {name}")
        away, angle = float(rng.uniform(1.0, 3.0)), float(rng.uniform(0, 2 * np.pi))
        at = at[0] + away * float(np.cos(angle)), at[1] + away * float(np.sin(angle))
        turn += float(rng.normal(0, 1))


def look_on(deck: Deck, seed: int, looks: int, tally: Tally) -> None:
    """Lay some cards, then look on while nothing is laid: the light wavers, and each tenth time a hand is over some zone. Each
    other time it rests there: what was seen with it is gone on from, and the look after it is counted by itself."""
    game = Game(deck, seed, Tally())
    for _ in range(6):
        game.lay()
    sitting, steady = game.sitting, game.sitting.light
    assert sitting.memory is not None
    known = Counter((card.zone, card.face) for card in sitting.memory.cards)
    held = sitting.memory
    for number in range(looks):
        sitting.light = replace(steady, exposure=steady.exposure * float(sitting.rng.uniform(0.97, 1.03)))
        hand, rests, rested = number % 10 == 9, number % 20 == 19, number > 0 and number % 20 == 0
        film = sitting.table.hand(sitting.rng, MIDDLES[list(MIDDLES)[int(sitting.rng.integers(3))]]) if hand else None
        memory = sitting.look(tally, film).memory
        assert isinstance(memory, CardMemory)
        now = Counter((card.zone, card.face) for card in memory.cards)
        kind = "hand" if hand else "after a hand rested" if rested else "still"
        tally.counts[kind, "invented" if now - known else "less" if known - now else "right"] += 1
        if now - known:
            tally.false.append(f"{deck.name}: look {number} of nothing new, {kind}, claims {dict(now - known)}")
        elif known - now:
            tally.doubts.append(f"{deck.name}: look {number} of nothing new, {kind}, has lost {dict(known - now)}")
        if not hand:
            held = memory if now == known else held
        sitting.memory = memory if rests else held


def nudge_camera(deck: Deck, seed: int, times: int, tally: Tally) -> None:
    """Lay six cards, then move the camera so often, each other time with a hand in the picture, and count the cards that were
    told and are no more, that are told and were not laid, and looks in which a pile has another order."""
    game = Game(deck, seed, Tally())
    for _ in range(6):
        game.lay()
    sitting = game.sitting
    faces = sitting.reader.deck.faces
    for number in range(times):
        assert sitting.memory is not None
        was = sitting.memory.cards
        sitting.nudge()
        hand = number % 2 == 1
        if hand:
            spot = MIDDLES[list(MIDDLES)[int(sitting.rng.integers(3))]]
            for _ in range(2):  # a look that does not settle is not gone on from
                sitting.look(tally, sitting.table.hand(sitting.rng, spot))
            if number % 4 == 3:  # it rests, and what was seen with it settles
                memory = sitting.look(tally, sitting.table.hand(sitting.rng, spot)).memory
                assert isinstance(memory, CardMemory)
                sitting.memory = memory
        sitting.settle(tally)
        now = sitting.memory.cards
        before, after = (Counter((card.zone, card.face) for card in cards) for cards in (was, now))
        laid = Counter((zone, name) for name, zone in game.laid)
        told = Counter((card.zone, str(faces[card.face].side)) for card in now)
        kind = "nudged, a hand" if hand else "nudged"
        tally.counts[kind, "kept"] += (before & after).total()
        tally.counts[kind, "lost"] += (before - after).total()
        tally.counts[kind, "invented"] += (told - laid).total()
        orders = [[card.face for card in cards if card.zone == "pile"] for cards in (was, now)]
        tally.counts[kind, "another order"] += orders[0] != orders[1] and Counter(orders[0]) == Counter(orders[1])
        words = f"{deck.name} {sitting.sleeve}{' dusk' if sitting.dusk else ''}: camera moved {number}, {kind}"
        if told - laid:
            tally.false.append(f"{words}: {dict(told - laid)} is claimed")
        if before - after:
            tally.doubts.append(f"{words}: {dict(before - after)} is lost, doubts {dict(sitting.memory.doubts)}")


def lay_two(deck: Deck, seed: int, times: int, tally: Tally) -> None:
    """Lay two cards unseen, on none to two others, the second over a part of the first, and count how the covered one is read,
    by how much of it is in sight. One in five was never taught."""
    sitting = Sitting(deck, seed)
    rng, table = sitting.rng, sitting.table
    sitting.settle()
    alike = {name for pair in deck.pairs for name in pair}
    names = [name for name in deck.faces if name != "back" and name not in alike]
    for _ in range(times):
        table.clear()
        sitting.memory = None
        for _ in range(int(rng.integers(0, 3))):
            lies = names[int(rng.integers(len(names)))]
            at = tuple(np.array(MIDDLES["heap"]) + rng.uniform(-20, 20, 2))
            table.lay(deck.faces[lies], at, float(rng.uniform(-180, 180)), 0.0, sitting.sleeve)
            sitting.settle()
        sitting.settle()
        assert sitting.memory is not None
        was = sitting.memory.cards
        below, above = (names[int(n)] for n in rng.choice(len(names), 2, replace=False))
        never = rng.random() < 0.2
        at, turn, way = MIDDLES["heap"], float(rng.uniform(-180, 180)), np.radians(float(rng.uniform(0, 360)))
        away = float(rng.uniform(25, 60))
        x, y = at[0] + away * float(np.cos(way)), at[1] + away * float(np.sin(way))
        upon = float(np.clip(x, 40.0, 140.0)), float(np.clip(y, 185.0, 255.0))
        over = turn + float(rng.normal(0, 15))
        art = deck.never[int(rng.integers(len(deck.never)))] if never else deck.faces[below]
        table.lay(art, at, turn, 0.0, sitting.sleeve)
        table.lay(deck.faces[above], upon, over, CARD_MM, sitting.sleeve)
        sitting.settle(tally)
        told = [sitting.reader.deck.faces[card.face].side for card in sitting.memory.cards if card not in was]
        sight = in_sight(CardPose(*at, turn), CardPose(*upon, over))
        alike_there = not never and least_apart(deck, below, CardPose(*at, turn), CardPose(*upon, over)) < _TOLD_APART
        band = f"{'never, ' * never}{'alike, ' * alike_there}{int(sight * 10) * 10} to {int(sight * 10) * 10 + 9} % in sight"
        laid = [above] if never else [below, above]
        wrong = set(told) - set(laid)
        order = told == laid or len(told) < 2
        tally.counts[band, "wrong" if wrong else "out of order" if not order else "right" if told == laid else "unknown"] += 1
        tally.counts["upper", "right" if above in told else "unknown"] += 1
        words = f"{deck.name}: {'never' if never else below} below {above} ({sight:.0%}), {told} is claimed"
        if wrong or not order:
            tally.false.append(words)
        elif told != laid:
            tally.doubts.append(words)


def in_sight(below: CardPose, above: CardPose) -> float:
    """The share of a card that another one upon it leaves in sight."""
    return float(open_part(below, above).mean())


def open_part(below: CardPose, above: CardPose) -> Mask:
    """Of a card, upright and one pixel a mm, what another one upon it leaves in sight."""
    size = tuple(round(side) for side in SIZE_MM)
    turn = np.radians(below.turn)
    back = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = (above.corners_mm(SIZE_MM) - (below.x, below.y)) @ back.T + np.array(SIZE_MM) / 2
    grid = np.ones(size[::-1], np.uint8)
    cv2.fillPoly(grid, [np.round(corners * 16).astype(np.int32)], 0, cv2.LINE_8, 4)
    return grid > 0


_TOLD_APART = 0.08
"""The share of what is in sight of a card that must look otherwise than on any other face (by 12 levels of Lab) for anybody to
tell it."""


def least_apart(deck: Deck, name: str, below: CardPose, above: CardPose) -> float:
    """The share of what is in sight of a face that looks otherwise than on the face most like it there."""
    open_ = open_part(below, above)

    def look(art: Image) -> NDArray[np.float32]:
        small = cv2.resize(art, open_.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2Lab))

    mine = look(deck.faces[name])
    others = [look(art) for other, art in deck.faces.items() if other != name]
    return min(float((np.linalg.norm(mine - other, axis=2) > 12)[open_].mean()) for other in others)


def main(arguments: Sequence[str]) -> None:
    """Print the counts of some decks; with a file, one line of JSON a deck is added to it, and decks that stand in it are left
    out: what was interrupted is gone on with."""
    kind, first, last, landings = arguments[0], *map(int, arguments[1:4])
    name = next((word for word in arguments[4:] if word in _RUNS), "")
    file = next((Path(word) for word in arguments[4:] if word not in _RUNS), None)
    tally = Tally()
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file is not None and file.exists() else []
    done = {line["seed"] for line in lines if (line["kind"], line["run"]) == (kind, name)}
    for seed in (seed for seed in range(first, last) if seed not in done):
        mine = Tally()
        _RUNS.get(name, play)(DECKS[kind](seed), seed, landings, mine)
        tally.add(mine)
        print(f"deck {seed}:", {f"{a} {b}": n for (a, b), n in sorted(tally.counts.items())}, flush=True)
        if file is not None:
            counts = {f"{a} {b}": n for (a, b), n in sorted(mine.counts.items())}
            line = {"kind": kind, "run": name, "seed": seed, "counts": counts, "false": mine.false, "doubts": mine.doubts}
            with file.open("a") as out:
                out.write(json.dumps(line) + "\n")
    print("\n".join((*tally.false, *tally.doubts)))
    if tally.seconds:
        middle, most = (1000 * np.percentile(tally.seconds, share) for share in (50, 95))
        print(f"a look: median {middle:.0f} ms, 95 in 100 within {most:.0f} ms")


_RUNS = {"again": lay_again, "still": look_on, "covered": lay_two, "nudged": nudge_camera}


if __name__ == "__main__":
    main(sys.argv[1:])
