"""Repeated enrolment of a table that was taught before: one piece anew, or the sides that the start position does not show."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.boards import Board, Group, Piece, PieceSet
from companion.errors import BadInput, quoted
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.plain.exemplars import Exemplar, covered_discs, cut, labelled
from companion.vision.plain.prepared_image import PreparedImage
from companion.vision.plain.reader import PlainReader, Teaching
from companion.vision.plain.settings import PlainSettings
from companion.vision.plain.start import LaidPiece, other_sides, placements
from companion.vision.plain.start_check import looks_bare, prepare_start
from companion.vision.plain.surface import View
from companion.vision.plain.teach import check_picture
from companion.vision.plain.upper_side import NOT_SHOWN, SHOWN

TAP = 0.55
"""0.4..0.6 of the room of a place (22 mm on hexes): who points further off its middle does not mean it."""
AS_TAUGHT = 6.0
"""5..6.5: log odds from which on a disc shows its first side as plainly as when that was taught. Of 240 first sides on 30
dimmed copies three have less (4.1 to 5.4), and of 480 pictures of their second ones none more than 4.4."""
MOST_ALIKE = 3
"""1..5 exemplars of one side of flat pieces that look alike: more cost time in every reading and show nothing new."""


@dataclass(frozen=True, eq=False)
class EnrolmentUpdate:
    """What a table knows now; every doubt about the new picture as a sentence; ``place`` and ``name``: where the piece that was
    pointed at lies, and what it is called there (empty for a whole picture); ``mended``: doubts of before that are none now."""

    teaching: Teaching
    sentences: tuple[str, ...]
    place: str = ""
    name: str = ""
    mended: tuple[str, ...] = ()


def learn_sides(teaching: Teaching, frame: Frame, board: Board, pieces: PieceSet) -> EnrolmentUpdate:
    """Learn the sides that the start position does not show from a picture of ``other_sides``; the rest stays as it was.

    What still looks as at the start was not turned over: it is named and nothing is learnt of it; but of a disc, and of a piece
    alone of its kind, of which the other side is not known yet, it is learnt that both sides may look so, and neither is told
    from then on; so it is of a disc under a reflection that does not plainly show something else. A disc below a hand is named
    as well, and its second side told from its first. A side that this picture does not show stays as it was known before, and
    nothing is said of it then: of several pictures each may have a reflection somewhere.
    Raises BadInput when the game has no other sides, the picture cannot be used, or nothing in it is new.
    """
    start = dict(board.start)
    turned = other_sides(board, pieces, start)
    if turned is None:
        raise BadInput("the start position of this game shows every side: no third picture is needed")
    settings, board = PlainSettings(), teaching.fitted(board)
    put = placements(board, pieces, start)
    firsts = {(place.group, place.face) for place in put}
    first = tuple(one for one in teaching.exemplars if (pieces.pieces[one.piece].group, one.face) in firsts)
    prepared = _prepared_image_of_others(teaching, frame, board, settings)
    new = [place for place in placements(board, pieces, turned) if place.face and (place.group, place.face) not in firsts]
    reader = PlainReader(board, pieces, replace(teaching, exemplars=first))
    observation = reader.read(frame)
    gone = [place for place in new if looks_bare(prepared, place) and not _found(observation, place)]
    discs = [place for place in new if place not in gone and pieces.groups[place.group].layout == "by-piece"]
    covered = covered_discs(prepared, discs, settings, teaching.disc_mm)
    same = [
        place
        for place in _not_turned(reader, observation, put, new, pieces, teaching.alike)
        if place.place not in _places(covered)
    ]
    unturned = _places(same)
    passed_over = unturned | _places(gone) | _places(covered)

    def shows(one: LaidPiece | Exemplar) -> float:
        return reader.first_side_shows(observation, one.piece, one.place)

    def learnt_of(places: Sequence[LaidPiece], group: Group) -> tuple[Exemplar, ...]:
        return cut(prepared, places, group, settings, teaching.disc_mm, labelled(group, pieces))

    every = _of_every_side([place for place in new if place.place not in passed_over], pieces, learnt_of)
    glare = [exemplar for exemplar in every if reader.taught_in_glare(exemplar)]
    fresh = [exemplar for exemplar in every if not reader.taught_in_glare(exemplar)]
    if not fresh:
        raise BadInput("the picture of the other sides shows none of them: lay what is named, then take it again")
    before = {(exemplar.piece, exemplar.face) for exemplar in teaching.exemplars}
    for place in new:
        group = pieces.groups[place.group]
        if group.layout == "lone" and place.place in unturned and (place.piece, place.face) not in before:
            fresh += learnt_of([place], group)
    sides = {_known_as(exemplar, pieces) for exemplar in teaching.exemplars}
    missing = _places(place for place in new if _known_as(place, pieces) not in sides)
    doubts: list[tuple[LaidPiece | Exemplar, str]] = [
        *((one, "is not at {place}") for one in gone),
        *((one, "at {place} is covered") for one in covered),
        *((one, "at {place} lies under a reflection") for one in glare),
    ]
    sentences = (
        *(
            f"{one.piece} {words.format(place=one.place)} in the picture of the other sides"
            for one, words in doubts
            if one.place in missing
        ),
        *_of_those_not_turned(same, new, missing, pieces),
    )
    untold = {place.piece for place in same if pieces.groups[place.group].layout == "by-piece"}
    alike = {place.piece for place in same if place.piece in untold and shows(place) < AS_TAUGHT}
    untold |= {one.piece for one in glare if shows(one) > NOT_SHOWN}
    untold |= {place.piece for place in (*gone, *covered) if place.piece in teaching.unturned}
    alike = untold & alike.union(teaching.alike)
    known = replace(teaching, unturned=tuple(sorted(untold)), alike=tuple(sorted(alike)))
    return _with_sides(known, fresh, sentences, board, pieces)


def _with_sides(
    teaching: Teaching, fresh: Sequence[Exemplar], sentences: tuple[str, ...], board: Board, pieces: PieceSet
) -> EnrolmentUpdate:
    """A table with fresh exemplars of its other sides in the place of those of before, and what is doubted of them."""
    learnt = {_known_as(one, pieces) for one in fresh}
    kept = [one for one in teaching.exemplars if _known_as(one, pieces) not in learnt]
    warnings = tuple(words for words in teaching.warnings if not words.endswith("in the picture of the other sides"))
    exemplars = (*kept, *fresh)
    known = {one.piece for one in exemplars if one.face in pieces.pieces[one.piece].faces[1:]}
    unturned, alike = (tuple(piece for piece in of if piece not in known) for of in (teaching.unturned, teaching.alike))
    after = replace(teaching, exemplars=exemplars, warnings=warnings + sentences, unturned=unturned, alike=alike)
    doubts = [ill_seen(PlainReader(board, pieces, one), pieces.pieces) for one in (teaching, after)]
    return EnrolmentUpdate(after, sentences, mended=tuple(words for words in doubts[0] if words not in doubts[1]))


def _of_every_side(
    shown: Sequence[LaidPiece], pieces: PieceSet, learnt_of: Callable[[Sequence[LaidPiece], Group], tuple[Exemplar, ...]]
) -> list[Exemplar]:
    """What is learnt of the sides that a picture shows; of flat pieces that look alike a few are enough."""
    exemplars: list[Exemplar] = []
    for key, face in dict.fromkeys((place.group, place.face) for place in shown):
        mine, group = [place for place in shown if (place.group, place.face) == (key, face)], pieces.groups[key]
        exemplars += learnt_of(mine if group.layout == "by-piece" else mine[:MOST_ALIKE], group)
    return exemplars


def _known_as(one: Exemplar | LaidPiece, pieces: PieceSet) -> tuple[str, str | None]:
    """A side that looks as no other does: of flat pieces those of one kind share it."""
    group = pieces.group_of(one.piece)
    return one.piece if group.layout == "by-piece" else group.key, one.face


def _of_those_not_turned(
    same: Sequence[LaidPiece], new: Sequence[LaidPiece], missing: AbstractSet[str], pieces: PieceSet
) -> Iterator[str]:
    """What looks as at the start on the places whose sides are ``missing`` yet, a sentence for each; of movable pieces one in
    all where none of them was turned over."""
    walking = [place for place in new if pieces.groups[place.group].layout == "by-piece"]
    none = bool(walking) and {place.piece for place in walking} <= {place.piece for place in same}
    if none and not missing.isdisjoint(_places(walking)):
        yield f"no {pieces.groups[walking[0].group].singular} was turned over in the picture of the other sides"
    for place in same:
        if place.place in missing and (not none or pieces.groups[place.group].layout != "by-piece"):
            yield f"{place.piece} at {place.place} looks as at the start in the picture of the other sides"


def knows_other_sides(teaching: Teaching, board: Board, pieces: PieceSet) -> bool:
    """Whether a table was taught the sides that the start position does not show, and can tell them; False where it shows them
    all."""
    turned = other_sides(board, pieces, dict(board.start))
    taught = {_known_as(exemplar, pieces) for exemplar in teaching.exemplars}
    wanted = {_known_as(place, pieces) for place in placements(board, pieces, turned or {}) if place.face}
    return turned is not None and wanted <= taught and not PlainReader(board, pieces, teaching).lone_alike


def reteach(
    teaching: Teaching,
    frame: Frame,
    at_px: tuple[float, float],
    piece: str,
    board: Board,
    pieces: PieceSet,
    facing: str | None = None,
    face: str | None = None,
) -> EnrolmentUpdate:
    """Learn one piece again by pointing at it (``at_px``) in a new picture of the same table.

    ``face`` is the side that is up. A piece with several sides needs it, and keeps the others as they were learnt; of a disc
    the first is meant if none is said, and the other, as long as it was not learnt itself, is told from it; a piece with one
    side takes none. A piece that faces somewhere needs ``facing``. The picture is read back: what contradicts what was said is
    a sentence of the answer. Raises BadInput for an unknown piece, side or facing, a point that is no place for it, a disc
    that surely lies with its other side up, or a picture without the board.
    """
    if piece not in pieces.pieces:
        raise BadInput(f"{quoted(piece)} is no piece of this game; there are: {', '.join(pieces.pieces)}")
    entry, group = pieces.pieces[piece], pieces.group_of(piece)
    face = _side(piece, entry, group, face)
    _check_facing(piece, entry, facing, board)
    settings, board = PlainSettings(), teaching.fitted(board)
    check_picture(frame.image, "whole board")
    prepared = _prepared_image(
        teaching, frame, board, settings, "the picture does not show the board that this table was taught with"
    )
    factor = teaching.empty.shape[1] / frame.size[0]
    mm = prepared.view.registration.locate([np.asarray(at_px, np.float64) * factor], group.height_mm)[0]
    spot, distance = board.nearest((float(mm[0]), float(mm[1])), _places_for(group, board))
    # Between the middles of two cells lies the middle of their pair: who points at a cell does not mean the pair.
    if distance > TAP * board.room_mm(spot) / group.cells:
        raise BadInput(f"there is no place for {piece} where you point: the nearest is {spot}, {distance:.0f} mm away")
    place = LaidPiece(
        piece, group.key, spot, face, facing, board.mm(spot), group.height_mm, group.size_mm, group.shape == "disc"
    )  # fmt: skip
    before = PlainReader(board, pieces, teaching).read(frame)
    if looks_bare(prepared, place) and not _found(before, place):
        raise BadInput(f"nothing lies at {spot}: it looks like the bare board")
    if _other_side_up(before, place, entry, group):
        raise BadInput(f"{piece} at {spot} lies as it was learnt with its other side up: turn it over")
    fresh = cut(prepared, [place], group, settings, teaching.disc_mm, labelled(group, pieces))
    kept = tuple(exemplar for exemplar in teaching.exemplars if (exemplar.piece, exemplar.face) != (piece, face))
    warnings = tuple(words for words in teaching.warnings if not words.startswith(f"{piece} "))
    learnt = replace(teaching, exemplars=kept + fresh, warnings=warnings)
    reader = PlainReader(board, pieces, learnt)
    covered = covered_discs(prepared, [place] if group.layout == "by-piece" else [], settings, teaching.disc_mm)
    told = tuple(f"something lies over {one.place}: take your hand away, then point again" for one in covered)
    told += _contradictions(before, reader.read(frame), place, pieces)
    return EnrolmentUpdate(learnt, told + ill_seen(reader, [piece]), spot, _called(piece, face, pieces))


def ill_seen(reader: PlainReader, taught: Collection[str]) -> tuple[str, ...]:
    """Of which of the pieces just taught next to nothing could be made out, or could hardly be told later which side is up, a
    sentence for each."""
    faint = tuple(
        f"{piece} can hardly be made out: move the lamp if a reflection lies on it, and teach it again"
        for piece in reader.faint
        if piece in taught
    )
    return faint + tuple(
        f"{piece} looks as white as its other side may be: turn it over if that side is up; move the lamp if that is a "
        "reflection, and teach it again; or teach its other side as well"
        for piece in reader.sides_alike
        if piece in taught and piece not in reader.faint
    )


def _prepared_image(teaching: Teaching, frame: Frame, board: Board, settings: PlainSettings, otherwise: str) -> PreparedImage:
    try:
        return prepare_start(View(teaching.empty, teaching.registration), frame.image, board, settings, teaching.white)
    except BadInput:
        raise BadInput(otherwise) from None


def _prepared_image_of_others(teaching: Teaching, frame: Frame, board: Board, settings: PlainSettings) -> PreparedImage:
    check_picture(frame.image, "other sides")
    if not teaching.lens.fits(frame.size):
        raise BadInput("the picture of the other sides is of another shape than the first two: take all with the same camera")
    otherwise = "the picture of the other sides does not show the board of the empty picture"
    return _prepared_image(teaching, frame, board, settings, otherwise)


def _found(observation: Observation, place: LaidPiece) -> bool:
    """Whether a look has a piece lie at a place, whichever side is up: a disc as dark as its street may look bare there."""
    seen = observation.reading.of(place.piece)
    return place.place == (observation.reading.lying.get(place.piece) if seen is None else seen.place)


def _places(of: Iterable[LaidPiece]) -> set[str]:
    return {one.place for one in of}


def _not_turned(
    reader: PlainReader,
    observation: Observation,
    put: Sequence[LaidPiece],
    new: Sequence[LaidPiece],
    pieces: PieceSet,
    alike: Collection[str],
) -> list[LaidPiece]:
    """The pieces of the start position that, by a look at the other sides, still show the side of the start: what is
    claimed to, and discs on which that side shows, claimed or not. Those of which both sides looked ``alike`` before have to
    show plainly something else: another lamp made the second one strange, and it was taken for the first later (91504)."""
    now = {(place.group, place.place) for place in new}
    seen = {(pieces.pieces[one.piece].group, one.place, one.face) for one in observation.reading.sightings}

    def as_taught(place: LaidPiece) -> bool:
        disc = pieces.groups[place.group].layout == "by-piece"
        least = NOT_SHOWN if place.piece in alike else SHOWN
        shows = disc and reader.first_side_shows(observation, place.piece, place.place) >= least
        return shows or (place.group, place.place, place.face) in seen

    return [place for place in put if (place.group, place.place) in now and place.face and as_taught(place)]


def _side(piece: str, entry: Piece, group: Group, face: str | None) -> str | None:
    """Which side of a piece is learnt."""
    if not entry.faces:
        if face is not None:
            raise BadInput(f"{piece} has one side alone: name none")
        return None
    if face is None and group.layout != "by-piece":
        raise BadInput(f"say which side of {piece} is up: {' or '.join(entry.faces)}")
    if face is not None and face not in entry.faces:
        raise BadInput(f"{piece} has no side {face[:20]!r}; it is taught by {' or '.join(entry.faces)}")
    return face or entry.faces[0]


def _check_facing(piece: str, entry: Piece, facing: str | None, board: Board) -> None:
    if entry.facing and facing not in board.directions:
        raise BadInput(f"say which way {piece} faces: {', '.join(board.directions)}")
    if facing is not None and not entry.facing:
        raise BadInput(f"{piece} looks alike in every direction: name none")


def _places_for(group: Group, board: Board) -> list[str]:
    cells = sorted(board.of_kind(*group.on))
    return [
        *(board.pairs(cells) if group.layout == "pairs" else cells),
        *(place.id for place in board.places.values() if place.kind in group.on),
    ]


def _other_side_up(observation: Observation, place: LaidPiece, entry: Piece, group: Group) -> bool:
    """Whether a disc's second side is to be learnt from what surely is its first, as that was learnt; were it, nobody could
    tell the two apart any more."""
    seen = observation.reading.of(place.piece)
    first = group.layout == "by-piece" and seen is not None and seen.place == place.place and seen.face == entry.faces[0]
    return first and place.face != entry.faces[0]


def _contradictions(before: Observation, after: Observation, place: LaidPiece, pieces: PieceSet) -> tuple[str, ...]:
    """What the picture, read by what was known and by what is known now, has against this piece lying there."""
    name = _called(place.piece, place.face, pieces)
    was, now = (_there(observation, place, pieces) for observation in (before, after))
    told = []
    # Of a piece that is called alike whichever side is up, the sides themselves are named.
    taken = None if was is None else (was[0], name) if was[0] != name else (was[1], place.face)
    if taken is not None and None not in taken and taken[0] != taken[1]:
        told.append(f"what lies at {place.place} was taken for {taken[0]} so far: make sure that it is {taken[1]}")
    if now != (name, place.face):
        told.append(f"{name} at {place.place} is still not recognised: take the picture again, in even light and without hands")
    return tuple(told)


def _there(observation: Observation, place: LaidPiece, pieces: PieceSet) -> tuple[str, str | None] | None:
    """What a look sees at a place: what it is called, and its side."""
    mine = (one for one in observation.reading.sightings if one.place == place.place)
    found = (one for one in mine if pieces.pieces[one.piece].group == place.group)
    return next(((_called(one.piece, one.face, pieces), one.face) for one in found), None)


def _called(piece: str, face: str | None, pieces: PieceSet) -> str:
    """What is said of a piece on the board: discs go by their name, tiles by their side or number, others by their kind."""
    group = pieces.group_of(piece)
    if group.layout == "by-piece":
        return piece
    label: Any = pieces.pieces[piece].label
    return face or (str(label) if label is not None else group.singular)


__all__ = ["EnrolmentUpdate", "knows_other_sides", "learn_sides", "reteach"]
