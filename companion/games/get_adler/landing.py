"""One card lands on the mat: what it is by the rules, or which rules it breaks."""

from dataclasses import dataclass, replace
from typing import Any

from companion.errors import IllegalPlay
from companion.games.get_adler.acts import Act
from companion.games.get_adler.folding import fold
from companion.games.get_adler.judging import in_context, judged
from companion.games.get_adler.mat import BACK, PILE, Mat, board, card_name, place_of, seat_at
from companion.games.get_adler.names import ARREST, BINOCULARS, COPIES, GUN, MAGNIFIER, QUESTION, VEHICLES
from companion.games.get_adler.state import State, Table
from companion.games.get_adler.telling import FAULTS, PLAYS, fault, where, who
from companion.games.get_adler.validation import cards_seen
from companion.games.values import Fault, Json, Move, Play

TOLD_DRAWS = "told"
"""House rule ``draws``: every draw is said; else a card that is played says that one was drawn."""


@dataclass(frozen=True, slots=True)
class Landing:
    """``mat`` after the card, and how it is told; or the ``faults``, of which there is at least one then."""

    mat: Mat | None = None
    text: str = ""
    words: tuple[tuple[str, Any], ...] = ()
    faults: tuple[Fault, ...] = ()


def drawn_first(books: Table, rules: Json) -> Table:
    """The table as the card of a turn finds it: a turn begins with a draw, told or not."""
    if books.step != "draw" or rules.get("draws") == TOLD_DRAWS or books.skipping(books.seat):
        return books
    return books if not books.deck and books.discard else fold(books, Act("draw", books.seat))


def waits(books: Table, card: str) -> bool:
    """Whether a card on the pile is an action of which somebody has to say on whom, or that it is none."""
    return card in (MAGNIFIER, BINOCULARS) or (card == QUESTION and not books.revealed)


def landed(mat: Mat, zone: str, card: str, rules: Json, *, second: bool = False) -> Landing:
    """A card has landed in a zone. ``second``: in the same look as another one before it."""
    books = drawn_first(mat.books, rules)
    misplaced = _misplaced(books, zone, card)
    if misplaced:
        return Landing(faults=misplaced)
    if mat.waiting is not None:
        return Landing(faults=_while_waiting(mat, books, zone, card, second))
    if books.step == "confrontation" and books.confrontation is not None:
        return _in_confrontation(mat, books, zone, card)
    return _in_turn(mat, books, zone, card, second)


def _while_waiting(mat: Mat, books: Table, zone: str, card: str, second: bool) -> tuple[Fault, ...]:
    """A card upon one of which nobody has said yet what it does."""
    if books.step == "confrontation":
        return (fault("open-question", zone, card=card_name(card), pending=True),)
    if second or mat.by in (None, mat.last):
        return (_fault(books, "two-cards", zone, card, mat.last),)
    return _translated(books, judged(State(books), Act("discard", mat.by, card)).faults, zone, card, mat.by, None, second)


def _in_turn(mat: Mat, books: Table, zone: str, card: str, second: bool) -> Landing:
    seat = books.seat if mat.by is None else mat.by
    target = seat_at(books.players, zone)
    if target is not None and card != ARREST:
        return Landing(faults=(fault("wrong-place", zone, card=card_name(card), whom=who(books, target), allowed=(PILE,)),))
    act = Act("discard", seat, card) if target is None else Act("play", seat, card, target)
    if mat.by is not None and mat.by == mat.last and mat.by != books.seat and books.step in ("draw", "play"):
        return Landing(faults=(_fault(books, "two-cards", zone, card, seat),))
    found = judged(State(books), act)
    if found.act is None or seat != books.seat:
        return Landing(faults=_translated(books, found.faults, zone, card, seat, target, second))
    if zone == PILE and waits(books, card):
        words = {"who": who(books, seat), "card": card_name(card)}
        laid = Mat.of(books, waiting=card, last=seat, loose=mat.loose)
        return Landing(laid, PLAYS["laid"], tuple(words.items()))
    key = "again" if card == QUESTION else "laid" if target is None else "accuses"
    return _folded(mat, books, replace(found.act, seat=seat), key, zone, target, seat)


def _misplaced(books: Table, zone: str, card: str) -> tuple[Fault, ...]:
    """What is wrong wherever the game stands: no zone of this game, a card face down, more copies than there are."""
    kind = board().zones[zone].kind
    name = card_name(card)
    if kind not in ("pile", "place"):
        return (fault("strayed", zone, card=name),)
    if kind == "place" and seat_at(books.players, zone) is None:
        return (fault("nobody-sits", zone, card=name),)
    if card == BACK:
        return (fault("face-down", zone),)
    if cards_seen(books)[card] >= COPIES[books.players][card]:
        return (fault("not-held", zone, card=name),)
    return ()


def _where_it_lies(mat: Mat, reached: Mat, zone: str, card: str) -> Mat:
    """The mat with the card where it landed, also where cards have to be moved because of what it does."""
    cards = dict(mat.laid.cards)
    cards[zone] = (*cards.get(zone, ()), card)
    return replace(reached, laid=replace(reached.laid, cards=tuple(sorted(cards.items()))))


def _folded(
    mat: Mat, books: Table, act: Act, key: str, zone: str, target: int | None = None, seat: int | None = None
) -> Landing:
    try:
        after = fold(books, act)
    except IllegalPlay:
        return Landing(faults=(fault("not-allowed", PILE, card=card_name(act.card or "")),))
    words = {"who": who(books, seat), "whom": who(books, target), "card": card_name(act.card or "")}
    laid = _where_it_lies(mat, Mat.of(after, last=seat, loose=mat.loose), zone, act.card or "")
    told = {name: value for name, value in words.items() if f"{{{name}}}" in PLAYS[key]}
    return Landing(laid, PLAYS[key], tuple(told.items()))


def _in_confrontation(mat: Mat, books: Table, zone: str, card: str) -> Landing:
    """A response, a match or a shot in the row before the villain; anything else goes on with the turns, which has to wait."""
    fight = books.fight
    row = place_of(books.players, fight.villain)
    if zone != row:
        return Landing(faults=_beside_the_row(mat, books, zone, card, row))
    if fight.stage == "match":
        return _matching(mat, books, zone, card)
    shooter = fight.to if fight.stage == "shoot" and card == GUN else fight.villain
    seat = mat.by if mat.by is not None else shooter
    found = judged(State(books), in_context(State(books), Act("respond", seat, card)))
    if found.act is None:
        return Landing(faults=_translated(books, found.faults, zone, card, seat, None, False))
    key = "shoots" if fight.stage == "shoot" else "responds"
    return _folded(mat, books, replace(found.act, seat=seat), key, zone, seat=seat)


def _beside_the_row(mat: Mat, books: Table, zone: str, card: str, row: str) -> tuple[Fault, ...]:
    """Cards of a turn, or of the row at a wrong place, while a confrontation is open."""
    target = seat_at(books.players, zone)
    seat = books.seat if mat.by is None else mat.by
    if target is None:
        return (_fault(books, "confrontation-open", zone, card, seat, allowed=(row,)),)
    if card != ARREST:
        return (fault("wrong-place", zone, card=card_name(card), whom=who(books, target), allowed=(row,)),)
    return _translated(books, judged(State(books), Act("play", seat, card, target)).faults, zone, card, seat, target, False)


def _matching(mat: Mat, books: Table, zone: str, card: str) -> Landing:
    """A card upon an escape: of the hero who says so, or of the only one who may; else it waits for that."""
    fight = books.fight
    heroes = matchers(books)
    if card != fight.vehicle:
        laid_by = mat.by if mat.by is not None else fight.pursuer
        verb = "match" if card in VEHICLES else "respond"
        found = judged(State(books), Act(verb, laid_by, card))
        return Landing(faults=_translated(books, found.faults, zone, card, laid_by, None, False))
    seat = mat.by if mat.by is not None else heroes[0] if len(heroes) == 1 else None
    if seat is None:
        waiting = Mat.of(books, waiting=card, last=mat.last, loose=mat.loose)
        return Landing(waiting, PLAYS["somebody"], (("card", card_name(card)),))
    found = judged(State(books), Act("match", seat, card))
    if found.act is None:
        return Landing(faults=_translated(books, found.faults, zone, card, seat, None, False))
    return _folded(mat, books, replace(found.act, seat=seat), "matches", zone, seat=seat)


def matchers(books: Table) -> tuple[int, ...]:
    """The heroes who may go after an escape, as far as everybody can know."""
    fight = books.fight
    heroes = (fight.pursuer,) if books.rule("who-matches") == "pursuer-only" else tuple(books.heroes())
    return tuple(seat for seat in heroes if books.seats[seat].hand)


def up_to(books: Table) -> tuple[int, ...]:
    """Whose card or word is awaited."""
    fight, pending = books.confrontation, books.pending
    if books.step == "confrontation" and fight is not None:
        if fight.stage == "match":
            return matchers(books)
        return (fight.villain if fight.stage == "respond" else fight.to if fight.to is not None else fight.pursuer,)
    if books.step in ("answer", "verdict") and pending is not None and pending.target is not None:
        return (pending.target,)
    return (books.seat,)


def _fault(books: Table, code: str, zone: str, card: str, seat: int | None, target: int | None = None, **more: Any) -> Fault:
    fight, awaited = books.confrontation, up_to(books)
    owes = books.pending.target if books.pending is not None and code == "answer-out-of-order" else target
    out = owes if code != "dead-player" or (owes is not None and not books.seats[owes].alive) else seat
    words = {
        "who": who(books, seat), "whom": who(books, out), "card": card_name(card), "hour": books.hour,
        "vehicle": card_name(fight.vehicle or "") if fight is not None else "",
        "next": ", ".join(who(books, one) for one in awaited),
    }  # fmt: skip
    return fault(code, zone, **words, **more)


def _translated(
    books: Table, found: tuple[Any, ...], zone: str, card: str, seat: int | None, target: int | None, second: bool
) -> tuple[Fault, ...]:
    """The faults of the rules in the words of the table."""
    codes = list(dict.fromkeys(one.code for one in found)) or ["not-allowed"]
    if second and "draw-first" in codes:
        codes = ["two-cards"]  # one look has shown two cards, and nobody has drawn in between
    known = [code if code in FAULTS else "not-allowed" for code in codes]
    allowed = (PILE,) if card == ARREST and zone != PILE and books.step == "play" else ()
    return tuple(_fault(books, code, zone, card, seat, target, allowed=allowed) for code in dict.fromkeys(known))


def play(mat: Mat, zone: str, card: str, landing: Landing) -> Play:
    """A landing as a play."""
    assert landing.mat is not None
    moves = (Move(f"{card}-1", "hand", zone),)
    return Play(where(zone), moves, None, landing.mat, None, landing.text, dict(landing.words))
