"""What hands must do to bring one table to another."""

from collections.abc import Iterator, Sequence

from companion.games.letters_from_whitechapel.names import COLOURS
from companion.games.letters_from_whitechapel.table import (
    BY_PLACE,
    PLACES,
    POLICE_PIECES,
    VALUES,
    Laid,
    Table,
    board,
    called,
    is_crossing,
)
from companion.games.letters_from_whitechapel.telling import CHORES, WHO
from companion.games.values import Chore

SINGULAR = {
    "patrols": "patrol", "women": "woman", "specials": "special", "wretched": "wretched", "scenes": "scene", "clues": "clue",
}  # fmt: skip
"""The word of a group's pieces in subjects, as the board file has it."""
PIECE = {
    "patrols": "Patrol token", "women": "Woman's token", "wretched": "Wretched pawn", "scenes": "Crime scene marker",
    "clues": "Clue marker", "specials": "Coach token", "coach": "Coach token", "alley": "Alley token",
    "pawn": "Jack's pawn on the track", "time": "Time of the crime", "night": "Jack's pawn on the night",
}  # fmt: skip
VALUE_PIECES = {"pawn": "jack-moves", "time": "crime-time", "night": "night-pawn"}
_SPECIALS = frozenset(PIECE[kind] for kind in ("specials", "coach", "alley"))
_KINDS = {"pawn": "track", "time": "crime time", "night": "night"}


def chores(expected: Table, claimed: Table, doubts: set[str]) -> tuple[Chore, ...]:
    """What differs, as things to do, taking away first; subjects in ``doubts`` cannot be told and are left out."""
    want, have = expected.laid, claimed.laid
    found = [*_policemen(want, have)]
    for key in BY_PLACE:
        found += _labelled(key, dict(getattr(want, key)), dict(getattr(have, key)))
    for key in PLACES:
        found += _alike(key, getattr(want, key), getattr(have, key), doubts)
    found += [chore for key in VALUES for chore in _value(key, getattr(want, key), getattr(have, key))]
    left = [chore for chore in found if chore.subject not in doubts]
    return tuple(sorted(left, key=lambda chore: (chore.to is not None, chore.place is None)))


def subjects(before: Table, after: Table) -> tuple[str, ...]:
    """What hands touch who bring one table to the other."""
    touched = {chore.subject: None for chore in chores(after, before, set())}
    for key in (*BY_PLACE, *PLACES):
        was, now = getattr(before.laid, key), getattr(after.laid, key)
        for entry in sorted({*was} ^ {*now}):
            touched[f"{SINGULAR[key]}:{entry if isinstance(entry, str) else entry[0]}"] = None
    return tuple(touched)


def _chore(code: str, subject: str, piece: str, place: str | None = None, to: str | None = None) -> Chore:
    kind = "special" if piece in _SPECIALS else "crossing" if is_crossing(place or to or "") else ""
    text, words = CHORES[f"{code} {kind}".rstrip()], {"piece": piece, "place": called(place), "to": called(to)}
    return Chore(f"{code}-{piece.lower().replace(' ', '-')}", subject, text, words, place, to)


def _one(subject: str, piece: str, place: str | None, to: str | None) -> Chore:
    """One piece that is to be moved, laid or taken away."""
    return _chore("take" if to is None else "lay" if place is None else "move", subject, piece, place, to)


def _policemen(want: Laid, have: Laid) -> Iterator[Chore]:
    wanted, there = dict(want.police), dict(have.police)
    for colour in COLOURS:
        if wanted.get(colour) != there.get(colour):
            yield _one(POLICE_PIECES[colour], WHO[colour], there.get(colour), wanted.get(colour))


def _labelled(key: str, want: dict[str, str], have: dict[str, str]) -> Iterator[Chore]:
    word = SINGULAR[key]
    wrong = [spot for spot in have if spot not in want]
    for spot, label in want.items():
        piece = PIECE.get(label, PIECE[key])
        if spot not in have:
            alike = next((other for other in wrong if have[other] == label), None)
            if alike is not None:
                wrong.remove(alike)
            yield _one(f"{word}:{spot if alike is None else alike}", piece, alike, spot)
        elif have[spot] != label:
            yield _chore("turn", f"{word}:{spot}", piece, spot, spot)
    for spot in wrong:
        yield _one(f"{word}:{spot}", PIECE.get(have[spot], PIECE[key]), spot, None)


def _alike(key: str, want: Sequence[str], have: Sequence[str], doubts: set[str]) -> Iterator[Chore]:
    """Pieces that look alike: what lies wrong goes to what is missing, the rest is taken away or laid."""
    word = SINGULAR[key]
    wrong = [spot for spot in have if spot not in want and f"{word}:{spot}" not in doubts]
    for spot in want:
        if spot not in have and f"{word}:{spot}" not in doubts:
            origin = wrong.pop(0) if wrong else None
            yield _one(f"{word}:{origin or spot}", PIECE[key], origin, spot)
    for spot in wrong:
        yield _one(f"{word}:{spot}", PIECE[key], spot, None)


def _value(key: str, want: int | None, have: int | None) -> Iterator[Chore]:
    if want != have:
        places = {place.value: place.id for place in board().places_of(_KINDS[key])}
        yield _one(VALUE_PIECES[key], PIECE[key], places.get(have), places.get(want))
