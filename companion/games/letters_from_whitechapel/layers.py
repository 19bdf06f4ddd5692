"""The rows that fit one night's public events, layer by layer, without listing them.

A state of a layer is (place, set of clues already written): whatever Jack did before, only these two bear on what comes. For
each place the sets that can be are the bits of one whole number, ``2**clues`` bits wide: bit ``s`` is set when the set ``s``
can be. A move is then an OR over the places it may have come from, and writing clue number ``j`` a shift by ``2**j`` of the
sets without it. A clue falls due in the layer where it was found: sets without it are dropped there.

Where an arrival must be announced, a walk bars rows by the hideout they would need: then the number has a *slot* of
``2**clues`` bits for each hideout asked about, and a walk onto one of them clears its slot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from companion.games.letters_from_whitechapel.history import Leg, Night
from companion.games.letters_from_whitechapel.names import COACH, SPACES, WALK
from companion.games.letters_from_whitechapel.streets import Streets, load, walks_among

Layer = dict[int, int]
"""Place -> its sets; places without any are absent."""


@dataclass(frozen=True)
class Sets:
    """Sets of a night's clues as bits, once for each slot."""

    clues: tuple[int, ...]
    slots: int = 1

    @cached_property
    def width(self) -> int:
        """Bits of one slot."""
        return 1 << len(self.clues)

    @cached_property
    def everywhere(self) -> int:
        """Bit 0 of every slot: times a mask of one slot it is the mask of all."""
        return sum(1 << slot * self.width for slot in range(self.slots))

    @cached_property
    def written(self) -> Mapping[int, tuple[int, int]]:
        """Clue -> (mask of the sets with it, how far its sets lie behind those without it)."""
        found = {}
        for number, clue in enumerate(self.clues):
            shift = 1 << number
            mask = ((1 << shift) - 1) << shift
            while mask.bit_length() < self.width:
                mask |= mask << mask.bit_length()
            found[clue] = mask * self.everywhere, shift
        return found

    def slot(self, number: int) -> int:
        """The mask of one slot."""
        return ((1 << self.width) - 1) << number * self.width

    def at_least(self, written: int) -> int:
        """The mask of the sets of that many clues or more, in all slots."""
        return _at_least(len(self.clues), written) * self.everywhere

    def write(self, place: int, sets: int) -> int:
        """The sets once ``place`` is on the row as well."""
        if place not in self.written:
            return sets
        with_it, shift = self.written[place]
        return sets & with_it | (sets & ~with_it) << shift

    def before(self, place: int, sets: int) -> int:
        """The sets from which writing ``place`` makes one of these."""
        if place not in self.written:
            return sets
        with_it, shift = self.written[place]
        return sets & with_it | (sets & with_it) >> shift

    def unwritten(self, place: int, one: int) -> tuple[int, ...]:
        """The single sets from which writing ``place`` makes the single set of number ``one`` (one slot only)."""
        if place not in self.written:
            return (one,)
        _, shift = self.written[place]
        return (one, one ^ shift) if one & shift else ()


@lru_cache(maxsize=4096)
def _at_least(clues: int, written: int) -> int:
    """Bits of the sets of ``written`` or more of that many clues: those without the last clue, and those with it."""
    if written <= 0:
        return (1 << (1 << clues)) - 1
    if written > clues:
        return 0
    return _at_least(clues - 1, written) | _at_least(clues - 1, written - 1) << (1 << clues - 1)


class Rows:
    """All rows that fit one night, as layers of states. ``hideouts`` are those that have a slot each, in this order; with
    ``spare`` one more stands for any other hideout. ``within``, places by layer, leaves out what is known to lead nowhere."""

    def __init__(
        self,
        night: Night,
        line_44: bool,
        hideouts: Sequence[int] = (),
        *,
        spare: bool = True,
        within: Sequence[frozenset[int]] = (),
    ) -> None:
        self.night = night
        self.line_44 = line_44
        self.streets: Streets = load(line_44)
        self.sets = Sets(tuple(clue for clue, _ in night.due), len(hideouts) + spare)
        self.barred = dict(night.barred)
        self.last_due = max((by for _, by in night.due), default=0)
        self.not_at, self.at = set(night.not_at), set(night.at)
        self.fixed = {layer for layer, _ in night.at}
        self.keep = {circle: ~self.sets.slot(number) for number, circle in enumerate(hideouts)}
        self.within = within
        self.layers: list[Layer] = [self.start()]
        for number, leg in enumerate(night.legs):
            self.move(leg, announces=night.home and number == len(night.legs) - 1)

    @property
    def final(self) -> Layer:
        """The states of the layer reached."""
        return self.layers[-1]

    def open(self, number: int) -> frozenset[int]:
        """Places that the answers let stand on the row in that layer."""
        if number in self.fixed:
            arrested = {place for layer, place in self.at if layer == number}
            return frozenset(place for place in arrested if self.barred.get(place, -1) < number)
        shut = {place for layer, place in self.not_at if layer == number}
        shut |= {place for place, last in self.barred.items() if last >= number}
        return (self.within[number] if self.within else frozenset(self.streets.circles)) - shut

    def start(self) -> Layer:
        """The scenes are on the row, whichever of them came last."""
        sets = self.sets.everywhere
        for scene in self.night.scenes:
            if self.barred.get(scene, -1) >= 0:
                return {}
            sets = self.sets.write(scene, sets)
        return self.due({scene: sets for scene in self.night.scenes if scene in self.open(0)}, 0)

    def due(self, layer: Layer, number: int) -> Layer:
        """The layer without sets that lack a clue found by then, or more clues than circles are still written by the last
        one's time."""
        missing = len(self.sets.clues) - max(self.last_due - number, 0)
        if missing > 0:
            enough = self.sets.at_least(missing)
            layer = {place: left for place, sets in layer.items() if (left := sets & enough)}
        for clue, by in self.night.due:
            if by == number:
                with_it, _ = self.sets.written[clue]
                layer = {place: left for place, sets in layer.items() if (left := sets & with_it)}
        return layer

    def move(self, leg: Leg, *, announces: bool) -> None:
        """Add the layers of one move."""
        if leg.kind == COACH:
            self.coach()
            return
        near, may = self.near(leg), self.open(len(self.layers))
        moved: Layer = {}
        for place, sets in self.final.items():
            for to in near[place]:
                if to in may:
                    moved[to] = moved.get(to, 0) | sets
        if leg.kind == WALK and not announces:
            for circle, mask in self.keep.items():
                if circle in moved:
                    moved[circle] &= mask
        self.add(moved)

    def coach(self) -> None:
        """Two layers at once: by a middle to an end that is not the origin, on lines that policemen do not bar."""
        near, may, may_end = self.streets.walks, self.open(len(self.layers)), self.open(len(self.layers) + 1)
        ends: Layer = {}
        middles: Layer = {}
        for middle in {to for place in self.final for to in near[place] if to in may}:
            came = {place: self.sets.write(middle, self.final[place]) for place in near[middle] if place in self.final}
            whole, twice = 0, 0  # sets from any origin, sets from more than one
            for sets in came.values():
                twice |= whole & sets
                whole |= sets
            middles[middle] = whole
            for end in may_end & set(near[middle]):
                ends[end] = ends.get(end, 0) | (whole & ~came[end] | twice if end in came else whole)
        self.layers.append(middles)
        self.add(ends)

    def add(self, moved: Layer) -> None:
        """Add a layer: clues are written, those due are asked for."""
        written = {place: sets for place, sets in moved.items() if sets}
        for clue in self.sets.clues:
            if clue in written:
                written[clue] = self.sets.write(clue, written[clue])
        self.layers.append(self.due(written, len(self.layers)))

    # --- backwards ------------------------------------------------------------------------------------------------

    def alive(self) -> list[frozenset[int]]:
        """Places of each layer from which the last layer is reached with every clue that was found. A coach back to where it
        came from counts here, so that a few may be too many. One slot only."""
        wanted, told = self.final, [frozenset(self.final)]
        for near, layer in zip(reversed(self.steps()), reversed(self.layers[:-1]), strict=True):
            earlier: Layer = {}
            for to, sets in wanted.items():
                before = self.sets.before(to, sets)
                for place in near[to]:
                    both = layer.get(place, 0) & before
                    if both:
                        earlier[place] = earlier.get(place, 0) | both
            wanted = earlier
            told.append(frozenset(wanted))
        return told[::-1]

    def steps(self) -> list[Mapping[int, tuple[int, ...]]]:
        """From each layer to the next: place -> places one move, or half a coach, away."""
        found: list[Mapping[int, tuple[int, ...]]] = []
        for leg in self.night.legs:
            found += [self.near(leg)] * SPACES[leg.kind]
        return found

    def near(self, leg: Leg) -> Mapping[int, tuple[int, ...]]:
        """Place -> places one such move away, of a coach half a move."""
        if leg.kind == WALK:
            return walks_among(self.line_44, leg.occupied)
        return self.streets.walks if leg.kind == COACH else self.streets.alleys

    # --- one row --------------------------------------------------------------------------------------------------

    def walked(self, place: int, avoid: frozenset[int]) -> frozenset[int]:
        """Where the unannounced walks of one row that ends at ``place`` ended; it keeps off ``avoid`` as far as going back
        without a second thought allows. One slot only."""
        number, ended = len(self.layers) - 1, set()
        sets = self.final[place]
        one = (sets & -sets).bit_length() - 1
        kinds = [None, *(leg.kind for leg in self.night.legs)]
        for back, leg in enumerate(reversed(self.night.legs), 1):
            if leg.kind == WALK and not (self.night.home and back == 1):
                ended.add(place)
            number -= SPACES[leg.kind]
            on_foot = kinds[-1 - back] == WALK  # how the origin was reached: on foot keep off, else the more the better
            place, one = _first(self.origins(leg, number, place, one), avoid, off=on_foot)
        return frozenset(ended)

    def origins(self, leg: Leg, number: int, place: int, one: int) -> Iterator[tuple[int, int]]:
        """The states of layer ``number`` from which a move leads to the state (place, set number ``one``)."""
        befores = self.sets.unwritten(place, one)
        if leg.kind == COACH:
            for middle in self.streets.walks[place]:
                if middle not in self.layers[number + 1]:
                    continue
                earlier = {early for before in befores for early in self.sets.unwritten(middle, before)}
                yield from self.states(number, (to for to in self.streets.walks[middle] if to != place), earlier)
            return
        yield from self.states(number, self.near(leg)[place], befores)

    def states(self, number: int, places: Iterable[int], ones: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Those of the places and sets that layer ``number`` has."""
        numbers, layer = tuple(ones), self.layers[number]
        for place in places:
            sets = layer.get(place, 0)
            for one in numbers:
                if sets >> one & 1:
                    yield place, one


def _first(states: Iterator[tuple[int, int]], places: frozenset[int], *, off: bool) -> tuple[int, int]:
    """The first state ``off`` the places, or on them; if there is none, the first."""
    first = next(states)
    return next((state for state in chain((first,), states) if (state[0] in places) != off), first)
