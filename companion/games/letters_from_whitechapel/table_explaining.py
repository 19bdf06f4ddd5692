"""Which play turned one table into another, or which rules were broken: what hands choose freely.

Four steps are played by hand: women's tokens and patrol tokens are laid one by one, the Wretched move, each policeman moves.
Everything else is answered first and then asked of hands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion.games.letters_from_whitechapel import acts, explaining, police
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.explaining import Verdict
from companion.games.letters_from_whitechapel.folding import fold
from companion.games.letters_from_whitechapel.names import (
    COLOURS,
    DOWN,
    PATROL_TOKENS,
    PATROLS,
    POLICE_ACT,
    POLICE_MOVE,
    REVEAL,
    WOMEN,
    WRETCHED,
)
from companion.games.letters_from_whitechapel.position import Position
from companion.games.letters_from_whitechapel.table import (
    BY_PLACE,
    PLACES,
    POLICE_PIECES,
    VALUES,
    Table,
    called,
    in_order,
    is_circle,
    is_crossing,
    laid_of,
)
from companion.games.letters_from_whitechapel.table_chores import PIECE
from companion.games.letters_from_whitechapel.telling import ACTS, FAULTS, WHO, fault, several
from companion.games.values import Explanation, Fault, Move, Play

_HAND = {WOMEN: "women", PATROLS: "patrols", WRETCHED: "wretched", POLICE_MOVE: "police"}
"""The group that hands move in each of the four steps."""


def explain(before: Table, after: Table, plays: int = 1) -> Explanation:
    """The verdict on a change; up to ``plays`` policemen may have moved one after the other."""
    if before.laid == after.laid:
        return _stayed(before, after)
    key = _HAND.get(before.books.phase, "")
    strayed = tuple(_strayed(before, after, key))
    if strayed or not key:
        return Explanation("illegal", (), strayed)
    if key == "police":
        return _policemen(before, after, plays)
    return {"women": _women, "patrols": _patrols, "wretched": _wretched}[key](before, after)


def _stayed(before: Table, after: Table) -> Explanation:
    """Nothing has moved: a policeman stays only where the record says so."""
    due = police.turn(before.books) if before.books.phase == POLICE_MOVE else ()
    told = next((play for play in (stays(before, colour) for colour in due) if play.position == after), None)
    return Explanation("unchanged") if told is None else _legal(told)


def _strayed(before: Table, after: Table, key: str) -> Iterator[Fault]:
    """Pieces of groups that nobody moves in this step."""
    for name in (*BY_PLACE, *PLACES):
        was, now = getattr(before.laid, name), getattr(after.laid, name)
        there, here = ({one if isinstance(one, str) else one[0]: one for one in some} for some in (was, now))
        for spot in in_order({*there} | {*here}) if name != key else ():
            entry = here.get(spot, there.get(spot))
            piece = PIECE[name] if isinstance(entry, str) else PIECE.get(str(entry and entry[1]), PIECE[name])
            if there.get(spot) != here.get(spot):
                code = "gone" if spot not in here else "not-due" if spot not in there else "turned-over"
                yield fault(code, None, spot, piece=piece)
    for name in VALUES:
        if getattr(before.laid, name) != getattr(after.laid, name):
            yield fault("marker-moved", None, "", piece=PIECE[name])
    stood, stand = dict(before.laid.police), dict(after.laid.police)
    lifted_for_tokens = key == "patrols"
    for colour in COLOURS if key != "police" else ():
        to, start = stand.get(colour), stood.get(colour)
        if to == start or (lifted_for_tokens and to is None):
            continue
        code = "gone" if to is None else "not-due" if start is None else "not-his-step"
        yield fault(code, POLICE_PIECES[colour], to or start or "", piece=WHO[colour], start=start)


def _legal(play: Play) -> Explanation:
    return Explanation("legal", ((play,),))


def _verdict(before: Position, data: Mapping[str, Any]) -> Verdict:
    return explaining.explain(before, explaining.goal_of(before, dict(data)))


def _faults(verdict: Verdict, key: str) -> Explanation:
    """The faults of the package's verdict in the words of the table."""
    found = [
        fault(one.code, None, cell, piece=PIECE[key], allowed=one.allowed)
        for one in verdict.faults
        if one.code in FAULTS
        for cell in one.cells or ("",)
    ]
    return Explanation("illegal", (), tuple(found) or (fault("no-play"),))


# --- tokens that are laid one by one ----------------------------------------------------------------------------------


def _misplaced(after: Table, key: str) -> tuple[Fault, ...]:
    """Tokens on a spot where the rules know no such thing, or the wrong side up."""
    fits = is_circle if key == "women" else is_crossing
    found = []
    for spot, side in getattr(after.laid, key):
        if not fits(spot):
            found.append(fault("wrong-place", None, spot, piece=PIECE[key]))
        elif side != DOWN:
            found.append(fault("face-up", None, spot, piece=PIECE[key]))
    return tuple(found)


def _women(before: Table, after: Table) -> Explanation:
    wrong = _misplaced(after, "women")
    if wrong:
        return Explanation("illegal", (), wrong)
    laid = [int(spot) for spot, _ in after.laid.women]
    wanted = before.books.tonight.women
    phase = PATROLS if len(laid) >= wanted else WOMEN
    verdict = _verdict(before.books, {"phase": phase, "women": laid})
    if verdict.verdict != "legal":
        return _faults(verdict, "women")
    params = {"count": len(laid), "wanted": wanted}
    return _legal(_laying("women", before, verdict.alternatives[0], params, after))


def _patrols(before: Table, after: Table) -> Explanation:
    wrong = _misplaced(after, "patrols")
    if wrong:
        return Explanation("illegal", (), wrong)
    tokens = dict(after.laid.patrols)
    if before.laid.patrols == after.laid.patrols:  # pawns that make room for tokens: nothing is played by that
        return Explanation("illegal", (), (fault("patrol-missing", None, _gone(before, after), pending=True),))
    verdict = _verdict(before.books, {"phase": PATROLS, "patrols": tokens})
    if verdict.verdict != "legal":
        return _faults(verdict, "patrols")
    params = {"count": len(tokens), "wanted": PATROL_TOKENS}
    return _legal(_laying("patrols", before, verdict.alternatives[0], params, after))


def _gone(before: Table, after: Table) -> str:
    now = dict(after.laid.police)
    return next(spot for colour, spot in before.laid.police if colour not in now)


def _laying(key: str, before: Table, row: tuple[Act, ...], params: Mapping[str, Any], after: Table) -> Play:
    books = before.books
    for act in row:
        books = fold(books, act)
    laid = laid_of(books)
    if key == "patrols" and laid.police:
        laid = replace(laid, police=after.laid.police)
    return Play(key, (), None, Table(books, laid), None, ACTS[key], params)


# --- the Wretched -----------------------------------------------------------------------------------------------------


def _wretched(before: Table, after: Table) -> Explanation:
    """All of them move between two looks; while some have not moved yet, or one is in a hand, the play goes on."""
    astray = [spot for spot in after.laid.wretched if not is_circle(spot)]
    if astray:
        return Explanation("illegal", (), tuple(fault("wrong-place", None, spot, piece=PIECE["wretched"]) for spot in astray))
    stand = [int(spot) for spot in after.laid.wretched]
    if len(stand) < len(before.laid.wretched):
        return Explanation("illegal", (), (fault("must-move", pending=True),))
    verdict = _verdict(before.books, {"phase": REVEAL, "wretched": stand})
    if verdict.verdict in ("legal", "ambiguous"):
        books = before.books
        for act in verdict.alternatives[0]:
            books = fold(books, act)
        words = {"circles": several(books.wretched)}
        return _legal(Play("wretched", (), None, Table.of(books), None, ACTS["moved"], words))
    partial = _verdict(before.books, {"phase": WRETCHED, "wretched": stand})
    if partial.verdict in ("legal", "ambiguous"):
        return Explanation("illegal", (), (fault("must-move", pending=True),))
    return _faults(verdict, "wretched")


# --- the policemen ----------------------------------------------------------------------------------------------------


def police_plays(position: Table, colour: str) -> tuple[Play, ...]:
    """Every move of a policeman from where he stands, staying there included."""
    return tuple(_moved(position, colour, to) for to in police.moves(position.books, colour))


def stays(position: Table, colour: str) -> Play:
    """The policeman stays where he is."""
    return _moved(position, colour, dict(position.books.police)[colour])


def _moved(position: Table, colour: str, to: str) -> Play:
    start, piece = dict(position.books.police)[colour], POLICE_PIECES[colour]
    moves = (Move(piece, start, to, (start, to)),) if to != start else ()
    words = {"who": WHO[colour], "start": called(start), "to": called(to)}
    after = Table.of(fold(position.books, Act(acts.MOVE, by=colour, crossing=to)))
    return Play(piece, moves, None, after, None, ACTS[acts.MOVE if moves else "stay"], words)


def _policemen(before: Table, after: Table, plays: int) -> Explanation:
    told: list[Play] = []
    here = before
    while len(told) < plays and here.laid != after.laid and here.books.phase == POLICE_MOVE:
        changed = _changed(here, after)
        colour = next((one for one in police.turn(here.books) if one in changed), None)
        to = dict(after.laid.police).get(colour or "")
        if colour is None or to is None or _police_faults(here, colour, to):
            break
        told.append(_moved(here, colour, to))
        here = told[-1].position
    if told and here.laid == after.laid:
        return Explanation("legal", (tuple(told),))
    return Explanation("illegal", (), tuple(_of_police(before, after)))


def _changed(before: Table, after: Table) -> tuple[str, ...]:
    was, now = dict(before.laid.police), dict(after.laid.police)
    return tuple(colour for colour in COLOURS if was.get(colour) != now.get(colour))


def _police_faults(here: Table, colour: str, to: str) -> tuple[Fault, ...]:
    """What the package finds wrong with this move of this policeman."""
    if not is_crossing(to):
        return (fault("off-the-crossings", POLICE_PIECES[colour], to, who=WHO[colour]),)
    books = here.books
    moved = (*books.moved, colour)
    last = len(moved) == len(COLOURS)
    data: dict[str, Any] = {"phase": POLICE_ACT if last else POLICE_MOVE, "police": {**dict(books.police), colour: to}}
    if not last:
        data["moved"] = list(moved)
    return explaining.explain(books, explaining.goal_of(books, data)).faults


def _of_police(before: Table, after: Table) -> Iterator[Fault]:
    now, due = dict(after.laid.police), police.turn(before.books)
    for colour in _changed(before, after):
        piece, start, to = POLICE_PIECES[colour], dict(before.books.police)[colour], now.get(colour)
        allowed = police.moves(before.books, colour) if colour in due else (start,)
        words: dict[str, Any] = {"who": WHO[colour], "start": start, "allowed": allowed}
        if to is None:
            yield fault("lifted", piece, start, **words, pending=colour in due)
        elif not is_crossing(to):
            yield fault("off-the-crossings", piece, to, **words)
        elif colour not in due:
            yield fault("out-of-order", piece, to, **words)
        elif to not in before.books.streets.reach(start, 2):
            yield fault("too-far", piece, to, **words)
        elif to not in allowed:
            yield fault("occupied", piece, to, **words)
