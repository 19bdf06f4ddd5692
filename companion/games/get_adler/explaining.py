"""Which acts turned one table into another, or which rules were broken: ``explain``.

One act is looked for first, whatever the second look does not say; then a few acts in a row, if the look says where the game
stands now; then what was done is told from the cards alone and judged."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import IllegalPlay
from companion.games.get_adler import faults
from companion.games.get_adler.acts import Act
from companion.games.get_adler.difference import (
    Row,
    lies_as,
    losses_agree,
    notes,
    opened,
    row_of,
    said,
    same_row,
    unplayed_responses,
)
from companion.games.get_adler.expecting import expects
from companion.games.get_adler.faults import Fault
from companion.games.get_adler.folding import fold
from companion.games.get_adler.hypotheses import supposed
from companion.games.get_adler.judging import judged, unwritten
from companion.games.get_adler.names import ARREST, DOCUMENT, GUN, QUESTION, UNKNOWN, VILLAINS, roles_of, same_card, service_of
from companion.games.get_adler.state import Secret, State, Table
from companion.games.get_adler.turns import next_turn, one_skip_less

LONGEST = 4
"""How many acts in a row are looked for: draw, question, answer, the next draw."""
EFFORT = 3000
"""How many tables are tried for that."""
FACE_DOWN = ("give", "pass", "return", "refill")
"""Acts whose cards no table shows."""
VERBS_OF_ONE_CARD = ("play", "discard")


@dataclass(frozen=True, slots=True)
class Explanation:
    """``verdict``: legal, illegal, ambiguous or unchanged. ``acts`` in their order; of an ambiguous change all that it may be.
    ``ask``: what the table cannot show and somebody has to say."""

    verdict: str
    acts: tuple[Act, ...] = ()
    faults: tuple[Fault, ...] = ()
    ask: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "acts": [act.to_json() for act in self.acts],
            "faults": [fault.to_json() for fault in self.faults],
            "ask": list(self.ask),
        }


def explain_act(state: State, act: Act) -> Explanation:
    """One act that somebody names."""
    found = judged(state, act)
    if found.act is None:
        return Explanation("illegal", faults=found.faults)
    return Explanation("legal", (found.act,), ask=found.ask)


def explain(before: State, seen: Table) -> Explanation:
    """The change from a game to what lies on the table now."""
    table = before.table
    same = lies_as(table, seen, table) and notes(seen) == notes(table)
    if same and not _news(table, seen):
        return Explanation("unchanged")
    one = next((told for look in _readings(seen) if (told := _one_act(before, look)) is not None), None)
    if one is not None and not one.faults:
        return _roles_as_seen(before, seen, one)
    told = _acts_in_a_row(before, seen)
    if told is not None:
        return _roles_as_seen(before, seen, told)
    return _illegal(before, seen) if one is None else _unless_shot(before.table, seen, one)


def _unless_shot(before: Table, seen: Table, told: Explanation) -> Explanation:
    """An arrest with responses in the hand. Where guns of both sides may lie among the cards, a shoot-out of any length between
    the two looks leaves the same table, and nobody is blamed."""
    arrested = any(act.act == "arrested" for act in told.acts)
    return replace(told, verdict="ambiguous", faults=(), ask=("act",)) if arrested and opened(before, seen)[GUN] > 1 else told


def _readings(seen: Table) -> Iterator[Table]:
    """The look as it is, and as it will be once a seat that loses its turn was passed over."""
    yield seen
    if seen.step == "draw" and seen.skipping(seen.seat):
        yield next_turn(one_skip_less(seen, seen.seat))


def _news(before: Table, seen: Table) -> bool:
    """Whether something that is told beside the cards is new."""
    return (before.step, before.passed, before.pending) != (seen.step, seen.passed, seen.pending)


# --- one act ------------------------------------------------------------------------------------------------------


def _one_act(before: State, seen: Table) -> Explanation | None:
    fits: list[tuple[Act, dict[str, bool]]] = []
    for act in _candidates(before, seen):
        after = _folded(before.table, act)
        if after is None or not lies_as(after, seen, before.table) or not losses_agree(after, seen, before.table):
            continue
        agrees = said(after, seen, before.table)
        if agrees is not None:
            fits.append((act, dict(agrees)))
    sure = [act for act, agrees in fits if all(agrees.values())]
    most = max((sum(agrees.values()) for _, agrees in fits), default=0)
    if not most and not sure and lies_as(before.table, seen, before.table):
        return None  # nothing moved and nothing is said: not even a look at a hand
    acts = sure or [act for act, agrees in fits if sum(agrees.values()) == most]
    if not acts:
        return None
    unplayed = unplayed_responses(before.table, seen, acts[0])
    if unplayed:
        return Explanation("illegal", tuple(acts), (faults.response_kept(before.table, before.table.fight.villain, unplayed),))
    return _told(before, acts)


def _told(before: State, acts: list[Act]) -> Explanation:
    """What these acts agree on; what they differ in is asked for, and acts of different kinds or seats are ambiguous."""
    if len({(act.seat, act.card) for act in acts}) > 1:
        return Explanation("ambiguous", tuple(acts), ask=("act",))
    played = [act for act in acts if act.act != "discard"] or acts
    if len({act.act for act in played}) > 1:
        return Explanation("ambiguous", tuple(acts), ask=("act",))
    act = played[0]
    open_words = [name for name in ("target", "answer", "count") if len({getattr(each, name) for each in acts}) > 1]
    unsaid: dict[str, Any] = dict.fromkeys(open_words)
    act = replace(act, **unsaid)
    open_words += unwritten(before, act)
    if act.card == UNKNOWN:
        open_words.append("card")
    return Explanation("legal", (act,), ask=tuple(open_words))


def _candidates(before: State, seen: Table) -> Iterator[Act]:
    """Every legal act, with what the look says of it; also a card that lies there and cannot be read."""
    acts = [_with_words(act, before, seen) for act in expects(before).acts]
    yield from dict.fromkeys(acts)
    if before.table.step == "refill" and len(acts) == 1:
        one = _folded(before.table, acts[0])
        if one is not None and one.step == "refill":
            yield Act("refill")  # everybody at once
    if before.table.step == "play" and UNKNOWN in seen.discard[-1:]:
        yield Act("discard", before.table.seat, UNKNOWN)


def _with_words(act: Act, before: State, seen: Table) -> Act:
    """Roles that are up, and the words of a question, from the look; without the secret's own list of them."""
    told = next(iter(seen.answers[len(before.table.answers) :]), None)
    laid = seen.discard[len(before.table.discard) :][:1]
    if act.card == DOCUMENT and laid and service_of(laid[0]) is not None:
        return replace(act, card=laid[0])
    if act.act in FACE_DOWN:
        return replace(act, card=None, cards=())
    if act.act == "reveal":
        return replace(act, roles=_roles(before, seen))
    if act.act == "play" and act.card == QUESTION and act.target is not None:
        words = told or seen.pending  # of several questions each has its own words
        return replace(act, trait=words.trait if words else None, colour=words.colour if words else None)
    if act.act == "answer" and told is not None:
        pending = before.table.pending
        trait, colour = (pending.trait, pending.colour) if pending else (None, None)
        return replace(act, trait=told.trait if trait is None else None, colour=told.colour if colour is None else None)
    return act


def _roles(before: State, seen: Table) -> tuple[str, ...]:
    """The roles at the reveal: those that are up, the rest as it may be."""
    up = _up(seen)
    if before.secret.roles is not None and not any(up):
        return before.secret.roles
    heroes = [role for role in roles_of(before.table.players) if role not in VILLAINS]
    dealt = iter([role for role in heroes if role not in up])
    return tuple(role if role is not None else next(dealt, "gold") for role in up)


def _up(seen: Table) -> tuple[str | None, ...]:
    return tuple(map(seen.role, range(seen.players)))


def _roles_as_seen(before: State, seen: Table, told: Explanation) -> Explanation:
    """A reveal says the roles only where all of them lie open, or are known from the secret; what ought to lie open and does
    not is asked for."""
    up = _up(seen)
    if not any(act.act == "reveal" for act in told.acts) or None not in up:
        return told
    everybody = before.table.rule("reveal-all") == "all"
    if everybody and before.secret.roles is not None and not any(up):
        return told
    turned = [role for role in roles_of(before.table.players) if everybody or role in VILLAINS]
    acts = tuple(replace(act, roles=()) if act.act == "reveal" else act for act in told.acts)
    return replace(told, acts=acts, ask=told.ask if set(turned) <= set(up) else (*told.ask, "roles"))


def _folded(table: Table, act: Act) -> Table | None:
    """The table after the act; None where the look does not say enough for it."""
    try:
        return fold(table, act)
    except IllegalPlay:
        return None


# --- several acts -------------------------------------------------------------------------------------------------


def _acts_in_a_row(before: State, seen: Table) -> Explanation | None:
    """The shortest row of acts that leads exactly to what the look says, each of its steps visible in what lies there."""
    rows: list[tuple[State, tuple[Act, ...]]] = [(before, ())]
    tried = 0
    for _ in range(LONGEST):
        longer: list[tuple[State, tuple[Act, ...]]] = []
        found: list[tuple[Act, ...]] = []
        for state, acts in rows:
            for act in _plausible(state, seen):
                after = _folded(state.table, act)
                tried += 1
                if after is None or tried > EFFORT or not _on_the_way(after, seen):
                    continue
                row = (*acts, act)
                if len(row) > 1 and lies_as(after, seen, before.table) and _says_exactly(after, seen, before.table):
                    found.append(row)
                longer.append((State(after, Secret(traits=before.secret.traits)), row))
        if found:
            return _told_in_a_row(found)
        rows = longer
    return None


def _on_the_way(table: Table, seen: Table) -> bool:
    """Whether what is seen may still come of this table: nothing that lies there now can have been taken away again."""
    reshuffled = seen.deck > table.deck
    return (
        table.over in (None, seen.over)
        and table.hour <= seen.hour
        and (seen.revealed or not table.revealed)
        and len(table.answers) <= len(seen.answers)
        and (reshuffled or len(table.discard) <= len(seen.discard))
        and all(was.alive or not now.alive for was, now in zip(table.seats, seen.seats, strict=True))
    )


def _says_exactly(after: Table, seen: Table, before: Table) -> bool:
    found = said(after, seen, after)
    return (
        found is not None
        and losses_agree(after, seen, before)
        and notes(after)["step"] == notes(seen)["step"]
        and notes(after)["seat"] == notes(seen)["seat"]
    )


def _told_in_a_row(rows: list[tuple[Act, ...]]) -> Explanation:
    """One of the rows, with what the others do differently asked for."""
    kinds = {tuple((act.act, act.seat, act.card) for act in row) for row in rows}
    if len(kinds) > 1:
        return Explanation("ambiguous", rows[0], ask=("act",))
    ask = [
        name
        for name in ("target", "answer")
        if any(len({getattr(act, name) for act in step}) > 1 for step in zip(*rows, strict=True))
    ]
    acts = []
    for number, act in enumerate(rows[0]):
        open_words: dict[str, Any] = {name: None for name in ask if _differs(rows, number, name)}
        acts.append(replace(act, **open_words))
    return Explanation("legal", tuple(acts), ask=tuple(ask))


def _differs(rows: list[tuple[Act, ...]], number: int, name: str) -> bool:
    return len({getattr(row[number], name) for row in rows}) > 1


def _plausible(state: State, seen: Table) -> Iterator[Act]:
    """Legal acts whose card lies where it would, in what is seen now."""
    pile, row = state.table.discard, row_of(state.table)
    for act in _candidates(state, seen):
        onto_pile = act.act in VERBS_OF_ONE_CARD and act.card != ARREST and len(seen.discard) > len(pile)
        if onto_pile and not same_card(seen.discard[len(pile)], act.card or UNKNOWN):
            continue
        if act.act in ("respond", "match") and not _in_row(act, seen, row):
            continue
        yield act


def _in_row(act: Act, seen: Table, laid: Row) -> bool:
    """Whether the card is the next one in the row that is seen, or the row was taken up meanwhile: none or another is seen."""
    row, number = row_of(seen), len(laid)
    return not same_row(row[:number], laid) or (
        number < len(row) and row[number][0] == act.seat and row[number][1] in (act.card, UNKNOWN)
    )


# --- nothing legal ------------------------------------------------------------------------------------------------


def _illegal(before: State, seen: Table) -> Explanation:
    """What was done, told from the cards, each act judged where the ones before it led."""
    found: list[Fault] = []
    acts: list[Act] = []
    state = before
    for act in supposed(before.table, seen):
        judgement = judged(state, act)
        acts.append(act)
        if judgement.act is None:
            found += judgement.faults
            continue
        after = _folded(state.table, judgement.act)
        if after is not None:
            state = State(after, Secret())
    named = _unique(found)
    plays = [act for act in acts if act.act in VERBS_OF_ONE_CARD]
    if len(plays) > 1 and len({act.seat for act in plays}) == 1 and not any(fault.code == "two-cards" for fault in named):
        named = (*named, faults.two_cards(before.table, plays[0].seat or 0))
    return Explanation("illegal", tuple(acts), named or (faults.unexplained(before.table),))


def _unique(found: Iterable[Fault]) -> tuple[Fault, ...]:
    return tuple({(fault.code, fault.seat): fault for fault in reversed(list(found))}.values())[::-1]
