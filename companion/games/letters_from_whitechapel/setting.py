"""A position that an arbiter sets: what of it may be set, and every reason why not at once.

Where policemen stand and where clues lie may be set while Jack is hunted. All else follows from what was said and told in
secret, and only taking the game back changes it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from companion.errors import InvalidPosition
from companion.games.letters_from_whitechapel import police
from companion.games.letters_from_whitechapel.names import CLUE_MARKERS, COLOURS, HUNT
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.table import (
    BY_PLACE,
    PLACES,
    VALUES,
    Laid,
    Table,
    called,
    in_order,
    is_circle,
    is_crossing,
)
from companion.games.letters_from_whitechapel.table_chores import PIECE
from companion.games.letters_from_whitechapel.telling import ALONE, SET, WHO, several


def books_as_set(state: Progress, told: Table) -> Position:
    """The public position as it goes on from what was set. Raises InvalidPosition with every fault.

    What is as on record is not set: while hands still lay what was said, it goes on to where that leads.
    """
    goal: Table = state.target or state.position
    here, was, lies = goal.books, state.position.laid, told.laid
    stand = goal.laid.police if lies.police in (was.police, goal.laid.police) else lies.police
    clues = goal.laid.clues if lies.clues in (was.clues, goal.laid.clues) else lies.clues
    faults = [*_fixed(lies, was, goal.laid)]
    if faults:
        faults += ALONE
    set_police, set_clues = stand != goal.laid.police, clues != goal.laid.clues
    if set_police:
        faults += _policemen(here, stand)
    if set_clues:
        faults += _clues(here, clues)
    if faults:
        raise InvalidPosition(faults)
    found = replace(
        here,
        police=stand if set_police else here.police,
        clues=tuple(sorted(map(int, clues))) if set_clues else here.clues,
    )
    return replace(found, missed=_still_missed(found)) if set_police or set_clues else found


def _still_missed(books: Position) -> tuple[int, ...]:
    """What was searched in vain, as far as whoever searches is near it still and no clue was laid there."""
    asking = police.turn(replace(books, missed=()))
    near = police.near(books, asking[0]) if asking else ()
    return tuple(circle for circle in books.missed if circle in near and circle not in books.clues)


def _fixed(lies: Laid, was: Laid, goal: Laid) -> Iterator[str]:
    """Pieces that lie otherwise than on record and cannot be set."""
    for key in (*BY_PLACE, *PLACES):
        now, before = getattr(lies, key), getattr(was, key)
        if key == "clues" or now in (before, getattr(goal, key)):
            continue
        there, here = ({one if isinstance(one, str) else one[0]: one for one in some} for some in (before, now))
        for spot in in_order({*there} | {*here}):
            entry = here.get(spot, there.get(spot))
            piece = PIECE[key] if isinstance(entry, str) else PIECE.get(str(entry and entry[1]), PIECE[key])
            if there.get(spot) != here.get(spot):
                code = "gone" if spot not in here else "added" if spot not in there else "turned"
                yield SET[code].format(piece=piece, place=called(spot))
    for key in VALUES:
        if getattr(lies, key) not in (getattr(was, key), getattr(goal, key)):
            yield SET["moved"].format(piece=PIECE[key])


def _policemen(here: Position, places: tuple[tuple[str, str], ...]) -> Iterator[str]:
    stand = dict(places)
    if here.phase not in HUNT:
        yield SET["no hunt"]
        return
    for colour in COLOURS:
        spot = stand.get(colour)
        if spot is None:
            yield SET["nowhere"].format(who=WHO[colour])
        elif not is_crossing(spot):
            yield SET["no crossing"].format(who=WHO[colour], place=called(spot))
    if here.rule("shared-crossing") == "no":
        for spot, count in Counter(stand.values()).items():
            if count > 1:
                names = several(WHO[colour] for colour in COLOURS if stand.get(colour) == spot)
                yield SET["shared"].format(names=names, place=called(spot))


def _clues(here: Position, clues: tuple[str, ...]) -> Iterator[str]:
    if here.phase not in HUNT:
        yield SET["no clues yet"]
        return
    rule = here.rule("search-scenes")
    barred = {"all": frozenset[int](), "none": here.all_scenes}.get(rule, frozenset(here.scenes))
    for spot in in_order(set(clues)):
        if not is_circle(spot):
            yield SET["no circle"].format(place=called(spot))
        elif int(spot) in barred:
            yield SET["scene"].format(place=called(spot))
    most = min(here.used, CLUE_MARKERS)
    off_scenes = [spot for spot in clues if not (is_circle(spot) and int(spot) in here.scenes)]
    if len(off_scenes) > most:
        yield SET["clues"].format(count=len(off_scenes), most=most)
