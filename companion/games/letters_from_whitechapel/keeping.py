"""What Jack and the head of the investigation keep secret: who may tell what now, what it can be, what it proves wrong.

Jack tells his hideout once, tonight's marked women, and the row: each circle that he writes on his sheet, of a coach two, on
the night of two murders first the one from which he flees. The head of the investigation tells where each colour's patrol
token lies. Values are circles (``"27"``), women several with a blank between, crossings (``"x042"``).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.errors import BadInput
from companion.games.expectations import Disproof
from companion.games.letters_from_whitechapel import acts, jack
from companion.games.letters_from_whitechapel.names import ALLEY, COACH, COLOURS, FAKE, JACK, SPACES, WALK
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.progress import Progress
from companion.games.letters_from_whitechapel.secret import JackSecret, hideouts, leg_fault
from companion.games.letters_from_whitechapel.sheet import HIDEOUT, MOVE, PATROLS_OF, WOMEN_OF, Leg
from companion.games.letters_from_whitechapel.table import called, circles
from companion.games.letters_from_whitechapel.telling import DISPROVED, KEPT, OWN, SHOWN, TELLS, WHO, several
from companion.games.rounds import SET_UP, UNOPENED
from companion.games.seats import Choice, Deed, Held, Line, Own, Purpose, Tell
from companion.games.values import Role

PURPOSES = (
    Purpose(HIDEOUT, JACK, told=KEPT["hideout"], shown=SHOWN["hideout"]),
    Purpose(MOVE, JACK, row=True, told="", shown=SHOWN["move"]),
    *(Purpose(name, JACK, told=KEPT["women"], shown="") for name in WOMEN_OF),
    *(Purpose(name, row=True, told="", shown="") for name in PATROLS_OF),
)


_RETRACT = (Deed({"kind": "retract"}, OWN["retract"]),)


def due(state: Progress, seat: Role) -> tuple[str, ...]:
    """The kinds of secrets that a seat has to tell now."""
    phase = state.phase
    if seat == JACK:
        early = phase in ("women", "women-told")
        return (
            *((HIDEOUT,) if early and not state.lair else ()),
            *((WOMEN_OF[state.books.night - 1],) if phase == "women-told" and not state.marks else ()),
            *((MOVE,) if phase in ("order", "telling") else ()),
        )
    if phase == "patrols-told" and seat == state.books.head:
        return (PATROLS_OF[state.books.night - 1],)
    return ()


def check_time(state: Progress, seat: Role, purpose: Purpose) -> None:
    """Raises BadInput where a seat cannot tell such a secret now."""
    if purpose.name not in due(state, seat):
        raise BadInput("there is no such secret to be told now")


def possible(state: Progress, seat: Role, purpose: str, held: Held | None) -> tuple[str, ...]:
    """The values that a secret can have, by the record and by what its seat entrusted before (None: nothing)."""
    books = state.books
    if purpose == HIDEOUT:
        return circles(hideouts(books.streets, books.rule("hideout")))
    if purpose in WOMEN_OF:
        return tuple(several_of(marked) for marked in combinations(sorted(books.women), books.tonight.marked))
    if purpose in PATROLS_OF:
        told = held.row(purpose) if held is not None else ()
        return tuple(crossing for crossing, _ in books.patrols if crossing not in told)
    if state.phase == "order":
        return circles(books.scenes)
    return _moves(state, held)


def several_of(numbers: Sequence[int]) -> str:
    """Circles as one value."""
    return " ".join(map(str, sorted(numbers)))


def _moves(state: Progress, held: Held | None) -> tuple[str, ...]:
    """Where the move that is being told may go on; every circle where what Jack told before is not known here."""
    assert state.how is not None
    kind, home = state.how
    row = row_told(state, held)
    if held is None or len(row) != state.rows:
        return circles(state.books.streets.circles)
    begun = tuple(map(int, row[len(row) - state.entries :])) if state.entries else ()
    secret = jack_at(state, held, state.rows - state.entries)
    must = state.books.rule("arrival") == "must"
    legal = [
        move
        for move in jack.moves(state.books, secret)
        if move.kind == kind and move.by[: len(begun)] == begun and (move.home or not home)
        if home or not (must and move.home)
    ]
    return circles({move.by[len(begun)] for move in legal})


def jack_at(state: Progress, held: Held, rows: int) -> JackSecret:
    """Jack's secret of the last night begun, after so many secrets of his row."""
    return JackSecret(_hideout(held), row_of(state, row_told(state, held), len(state.nights_from), rows))


def row_told(state: Progress, held: Held | None) -> tuple[str, ...]:
    """What Jack told of his row, without what he took back; empty where nothing is known here."""
    return () if held is None else tuple(value for place, value in enumerate(held.row(MOVE)) if place not in state.void)


def _hideout(held: Held) -> int | None:
    lair = held.one(HIDEOUT)
    return None if lair is None else int(lair)


def row_of(state: Progress, told: Sequence[str], night: int, rows: int) -> tuple[int, ...]:
    """Tonight's sheet after so many secrets: the scenes in their true order, then every circle written."""
    scenes: tuple[int, ...] = state.nights[night - 1][0][1]
    written = tuple(int(value) for value in told[state.nights_from[night - 1] : rows])
    if len(scenes) < 2:
        return (*scenes, *written)
    last, *others = written or (scenes[-1],)
    return (*(scene for scene in scenes if scene != last), last, *others)


# --- what a seat alone is shown ---------------------------------------------------------------------------------------


def own(state: Progress, seat: Role, held: Held | None) -> Own | None:
    """The hideout, the row and the ways on of Jack, the tokens of the head; None for everybody else."""
    if state.phase in (UNOPENED, SET_UP):
        return None
    tells = tuple(_tell(state, seat, purpose, held) for purpose in due(state, seat))
    if seat == JACK:
        trail = row_told(state, held)[state.nights_from[-1] :] if state.nights_from else ()
        lines = tuple(_jacks_lines(state, held)) if held is not None else ()
        return Own(lines, trail, tells, _RETRACT if state.before is not None else (), tuple(_jacks_counting(state)))
    told = held.row(PATROLS_OF[state.books.night - 1]) if held is not None else ()
    lines = tuple(
        Line(OWN["token"], {"who": WHO[colour], "crossing": called(spot)}) for colour, spot in zip(COLOURS, told, strict=False)
    )
    counting = _heads_counting(state) if seat == state.books.head else ()
    return Own(lines, (), tells, counting=counting) if tells or lines or counting else None


def _jacks_counting(state: Progress) -> Iterator[tuple[str, int]]:
    """The hideout, tonight's marked women and what of his row stands on tonight's sheet."""
    yield HIDEOUT, 1
    yield WOMEN_OF[state.books.night - 1], 1
    standing = [place for place in range(state.told_rows) if place not in state.void]
    for place in standing[state.nights_from[-1] :] if state.nights_from else ():
        yield MOVE, place + 1


def _heads_counting(state: Progress) -> tuple[tuple[str, int], ...]:
    return tuple((PATROLS_OF[state.books.night - 1], number + 1) for number in range(state.tokens))


def _jacks_lines(state: Progress, held: Held) -> Iterator[Line]:
    lair = _hideout(held)
    if lair is not None:
        yield Line(OWN["hideout"], {"circle": lair})
    if state.phase not in ("escape", "telling") or len(row_told(state, held)) != state.rows:
        return
    secret = jack_at(state, held, state.rows - state.entries)
    yield Line(OWN["place"], {"circle": secret.place})
    found = jack.moves(state.books, secret)
    for kind in (WALK, COACH, ALLEY):
        ways = sorted({move.by[0] for move in found if move.kind == kind})
        if ways:
            yield Line(OWN[kind], {"circles": several(ways)})
    if not found:
        yield Line(OWN[acts.TRAPPED])


def _tell(state: Progress, seat: Role, purpose: str, held: Held | None) -> Tell:
    values = possible(state, seat, purpose, held)
    if purpose in WOMEN_OF:
        choices = tuple(Choice(value, TELLS["marked"], {"circles": value.replace(" ", ", ")}) for value in values)
        return Tell(purpose, TELLS["women"], choices)
    placed = tuple(Choice(value, place=value) for value in values)
    if purpose in PATROLS_OF:
        return Tell(purpose, TELLS["patrols"], placed, {"who": WHO[COLOURS[min(state.tokens, len(COLOURS) - 1)]]})
    if purpose == HIDEOUT:
        return Tell(purpose, TELLS["hideout"], placed)
    key = "order" if state.how is None else f"{state.how[0]} on" if state.entries else state.how[0]
    return Tell(purpose, TELLS[key], placed)


# --- opened -----------------------------------------------------------------------------------------------------------


def check_opened(state: Progress, purpose: str, values: Sequence[object]) -> None:
    """Raises BadInput where these cannot be the secrets of a purpose, or nobody asked for them."""
    night = state.books.night
    tonight = {"victims": WOMEN_OF[night - 1], "reveal": PATROLS_OF[night - 1]}.get(state.phase)
    if state.phase != "over" and purpose != tonight:
        raise BadInput("nobody asked for that to be opened")
    wanted = [f"{value}" for value in values]
    if state.phase == "over":
        return
    if purpose in WOMEN_OF and (len(wanted) != 1 or wanted[0] not in possible(state, JACK, purpose, None)):
        raise BadInput("the marked women are as many of the circles with tokens as tonight has")
    spots = {crossing for crossing, _ in state.books.patrols}
    if purpose in PATROLS_OF and (len(set(wanted)) != len(COLOURS) or not set(wanted) <= spots):
        raise BadInput("each colour has a crossing of its own where a patrol token lies")


def disproved(state: Progress, opened: Held) -> tuple[Disproof, ...]:
    """Moves that no way leads along, announcements and answers that were not true."""
    found = [*_of_tokens(state, opened)]
    row = row_told(state, opened)
    if len(row) == state.rows and row and all(value.isdecimal() for value in row):
        found += [*_of_legs(state, opened), *_of_answers(state, opened)]
    return tuple(found)


def _of_legs(state: Progress, opened: Held) -> Iterator[Disproof]:
    row, lair = row_told(state, opened), _hideout(opened)
    for leg in state.legs:
        night = leg.books.night
        before = JackSecret(lair, row_of(state, row, night, leg.first))
        if before.place is None:
            continue
        if leg.kind == acts.TRAPPED:
            if jack.moves(leg.books, before):
                text = f"event {leg.number}: Jack was called trapped, but could move"
                yield Disproof("not-trapped", leg.number, text, DISPROVED["not-trapped"])
            continue
        by = tuple(int(value) for value in row[leg.first : leg.first + SPACES[leg.kind]])
        if not _leads(leg, before, by):
            where = " and ".join(map(str, by))
            text = f"event {leg.number}: no {leg.kind} leads from {before.place} to {where}"
            way = {"start": before.place, "to": several(by)}
            yield Disproof("jump", leg.number, text, DISPROVED[f"jump {leg.kind}"], way)
        at_home = leg.kind == WALK and lair is not None and by[-1] == lair
        if leg.home and lair is not None and not at_home:
            text = f"event {leg.number}: Jack said that he was home, but was on {by[-1]}"
            yield Disproof("not-home", leg.number, text, DISPROVED["not-home"], {"to": by[-1]})
        if at_home and not leg.home and leg.books.rule("arrival") == "must":
            text = f"event {leg.number}: Jack walked home and had to say so"
            yield Disproof("kept-quiet", leg.number, text, DISPROVED["kept-quiet"])


def _leads(leg: Leg, before: JackSecret, by: tuple[int, ...]) -> bool:
    books: Position = leg.books
    if leg.kind == WALK:
        return by[0] in jack.walks(books, int(before.place or 0))
    return leg_fault(books.streets, leg.kind, int(before.place or 0), by) is None


def _of_answers(state: Progress, opened: Held) -> Iterator[Disproof]:
    for told in state.answers:
        if told.kind not in (acts.SEARCH, acts.ARREST):
            continue
        row = row_of(state, row_told(state, opened), told.night, told.rows)
        true = int(told.spot) in (row if told.kind == acts.SEARCH else row[-1:])
        if told.said != true:
            text = f"event {told.number}: the answer about {told.spot} is false"
            yield Disproof("false-answer", told.number, text, DISPROVED["false-answer"], {"circle": int(told.spot)})


def _of_tokens(state: Progress, opened: Held) -> Iterator[Disproof]:
    for told in state.answers:
        if told.kind != acts.TURN_UP or len(opened.row(PATROLS_OF[told.night - 1])) != len(COLOURS):
            continue
        if token_at(opened, told.night, told.spot) != told.said:
            text = f"event {told.number}: the token on {told.spot} was another one"
            yield Disproof("false-token", told.number, text, DISPROVED["false-token"], {"crossing": called(told.spot)})


def token_at(held: Held, night: int, crossing: str) -> str:
    """What the patrol token on a crossing is, by what the head of that night's investigation told."""
    spots = dict(zip(held.row(PATROLS_OF[night - 1]), COLOURS, strict=False))
    return spots.get(crossing, FAKE)
