"""A refereed table of Get Adler! without a camera: hands lay cards, seats answer, the referee rules.

:class:`AdlerTable` runs on the referee's functions alone, so that thousands of games can be played; :func:`perform` does at
such a table what an act of the rules says.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import BadInput
from companion.games import load
from companion.games.get_adler.acts import Act
from companion.games.get_adler.mat import PILE, Laid, Mat, place_of, seated
from companion.games.get_adler.names import kind_of
from companion.games.get_adler.state import State, Table
from companion.games.seats import Held
from companion.record.commitment import Link, commit
from companion.record.events import Event
from companion.referee.answers import by_secret, entrusted, on_answer, opened
from companion.referee.decide import on_reading, on_record, on_time
from companion.referee.match import Draft, Match, apply, look
from companion.vision.reading import Reading, Sighting

GAME: Any = load("get-adler")
PIECES = GAME.pieces()
_MATCH_ID = "g1"


def reading_of(laid: Laid, at: float = 0.0, hidden: dict[str, str] | None = None) -> Reading:
    """What a camera would claim that has followed every card since it landed: of a face that one card alone has, that card."""
    free = {key: [piece.id for piece in PIECES.in_group(key)][::-1] for key in ("cards", "hours")}
    found = [Sighting(role, zone, "up") for zone, role in laid.roles]
    for zone, lying in laid.cards:
        if f"card:{zone}" not in (hidden or {}):
            found += [_card(free["cards"], zone, card, rank) for rank, card in enumerate(lying)]
    found += [Sighting(free["hours"].pop(), place) for place in laid.hours]
    return Reading(tuple(found), dict(hidden or {}), captured_at=at)


def _card(free: list[str], zone: str, face: str, rank: int) -> Sighting:
    """A copy that is free and shows the face, or any where hands laid more than there are."""
    among = tuple(piece.id for piece in PIECES.in_group("cards") if face in piece.faces)
    piece = next((one for one in among if one in free), free[-1])
    free.remove(piece)
    return Sighting(piece, zone, face, among=() if among == (piece,) else among, rank=rank)


def nonce_of(seat: str) -> bytes:
    """The random bytes of a seat in tests."""
    return bytes([int(seat[-1])] * 32)


class AdlerTable:
    """A referee with a mat under it. ``roles``: by seat, what it tells; ``sealed``: who tells the companion nothing."""

    def __init__(
        self, rules: dict[str, str] | None = None, roles: dict[str, str] | None = None, sealed: tuple[str, ...] = (),
        start: str = "seat-1", traits: dict[str, Any] | None = None, service: str | None = None,
    ) -> None:  # fmt: skip
        chosen = {rule.name: rule.default for rule in GAME.house_rules} | (rules or {})
        self.match, self.events, self.now = Match(GAME), list[Event](), 0.0
        self.hidden: dict[str, str] = {}
        self.tidy = True
        self.roles, self.sealed = dict(roles or {}), sealed
        begin = GAME.start()
        data = {
            "id": _MATCH_ID, "game": GAME.id, "edition": begin.edition, "label": "", "house_rules": chosen,
            "position": begin.to_json(),
        }  # fmt: skip
        self.write([Draft("match-opened", data)])
        self.laid: Laid = self.match.position.laid
        self.look()
        if not self.roles:
            dealt = ("gold", "sharpe", "adler", "townsend", "collins", "tarasov")
            self.roles = dict(zip(self.match.seats, dealt, strict=False))
        for seat in self.match.seats:
            self._tell(seat)
        if traits is not None:
            self.say("traits", traits=traits)
        self.say("start", who=start)
        if service is not None:
            self.say("mission", service=service)

    def _tell(self, seat: str) -> None:
        bound = commit(_MATCH_ID, self.roles[seat], nonce_of(seat), Link(seat, "role", 1, ""))
        if seat in self.sealed:
            self.say("seal", seat=seat, purpose="role", commitment=bound)
            return
        (purpose,) = GAME.purposes
        self.write(entrusted(self.match, seat, purpose, self.roles[seat], Held(seat), bound))
        self.settle()

    # --- what is seen -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def books(self) -> Table:
        found: Table = self.state.books
        return found

    @property
    def faults(self) -> list[str]:
        """What is flagged, by code."""
        return [fault["code"] for fault in (self.match.flag or {"faults": ()})["faults"]]

    @property
    def trouble(self) -> bool:
        return bool(self.match.flag or self.match.unfinished or self.match.doubt)

    # --- hands and words --------------------------------------------------------------------------------------------

    def write(self, drafts: list[Draft]) -> list[str]:
        for draft in drafts:
            event = Event.following(self.events[-1] if self.events else None, draft.kind, draft.data, self.now)
            self.events.append(event)
            self.match = apply(self.match, event)
        return [draft.kind for draft in drafts]

    def look(self) -> list[str]:
        """A settled look, and what follows from it; hands then do what they are asked to."""
        self.now += 1.0
        self.match = look(self.match, reading_of(self.laid, self.now, self.hidden))
        return self.settle()

    def reach(self, zone: str) -> list[str]:
        """A hand was over a zone, and nothing is seen to have changed."""
        self.now += 1.0
        self.match = look(self.match, replace(reading_of(self.laid, self.now, self.hidden), again=(zone,)))
        return self.settle()

    def wait(self, seconds: float) -> list[str]:
        self.now += seconds
        return self.write(on_time(self.match, self.now)) + self.settle()

    def settle(self) -> list[str]:
        kinds: list[str] = []
        for _ in range(80):
            drafts = self._by_secret() or (
                on_reading(self.match, self.match.table) if self.match.table else on_record(self.match)
            )
            if not drafts:
                goal = self.match.arrangement
                if not self.tidy or goal is None or goal.start or not isinstance(goal.target, Mat):
                    return kinds
                if self.laid == goal.target.laid:
                    return kinds
                self.laid = goal.target.laid
                self.now += 1.0
                self.match = look(self.match, reading_of(self.laid, self.now, self.hidden))
                continue
            kinds += self.write(drafts)
        raise AssertionError(f"never at rest: {kinds[-6:]}")

    def _by_secret(self) -> list[Draft]:
        asked, opening = self.match.asked, self.match.opening
        if asked is not None and asked.purpose == "role" and asked.seat not in self.sealed:
            return by_secret(self.match, Held(asked.seat, {"role": (self.roles[asked.seat],)}))
        if opening is not None and opening.seat not in self.sealed:
            (purpose,) = GAME.purposes
            return opened(self.match, opening.seat, purpose, [(self.roles[opening.seat], nonce_of(opening.seat).hex())])
        return []

    def open_sealed(self) -> None:
        """Every sealed seat opens its role, now or when it is its turn to."""
        for _ in range(6):
            opening = self.match.opening
            if opening is not None and opening.seat in self.sealed:
                self.reveal(opening.seat)

    def reveal(self, seat: str, value: str | None = None) -> list[str]:
        one = {"value": value or self.roles[seat], "nonce": nonce_of(seat).hex()}
        return self.say("reveal", seat=seat, purpose="role", opened=[one])

    def say(self, kind: str, **answer: Any) -> list[str]:
        return self.write(on_answer(self.match, {"kind": kind, **answer})) + self.settle()

    def refuses(self, kind: str, **answer: Any) -> bool:
        """Whether an answer is refused."""
        try:
            self.say(kind, **answer)
        except BadInput:
            return True
        return False

    def lay(self, zone: str, *cards: str) -> list[str]:
        """Cards land in a zone, and the table looks."""
        self.put(zone, *cards)
        return self.look()

    def put(self, zone: str, *cards: str) -> None:
        """Cards land in a zone; nobody looks yet."""
        held = dict(self.laid.cards)
        held[zone] = (*held.get(zone, ()), *cards)
        self.laid = replace(self.laid, cards=tuple(sorted(held.items())))

    def take_off(self, zone: str, count: int = 1) -> list[str]:
        """The upmost cards of a zone are taken away."""
        held = dict(self.laid.cards)
        held[zone] = held[zone][:-count]
        self.laid = replace(self.laid, cards=tuple(sorted((name, cards) for name, cards in held.items() if cards)))
        return self.look()

    def row(self) -> str:
        """The zone of the confrontation."""
        return place_of(self.books.players, self.books.fight.villain)


def seat(table: AdlerTable, number: int | None) -> str | None:
    return None if number is None else table.state.seats[number]


def perform(table: AdlerTable, act: Act) -> None:
    """Do at the table what an act of the rules says; acts that follow by themselves are none of anybody's."""
    take = _PERFORMED.get(act.act)
    if take is not None:
        take(table, act, seat(table, act.seat))


def _draw(table: AdlerTable, act: Act, who: str | None) -> None:
    if table.state.phase == "drawing":
        table.say("drew", seat=who)


def _play(table: AdlerTable, act: Act, who: str | None) -> None:
    if act.card == "arrest":
        table.lay(place_of(table.books.players, int(act.target or 0)), "arrest")
        return
    table.lay(PILE, str(act.card))
    if act.target is not None:
        table.say("on", on=seat(table, act.target), seat=who)
        if act.card == "question":
            table.say("ask", trait=act.trait, seat=who, **({} if act.colour is None else {"colour": act.colour}))


def _discard(table: AdlerTable, act: Act, who: str | None) -> None:
    table.lay(PILE, kind_of(str(act.card)))
    if table.state.phase == "acting":
        table.say("on", on=None)


def _say(table: AdlerTable, act: Act, who: str | None) -> None:
    if table.state.phase == act.act:  # an entrusted secret has answered else
        table.say("say", answer=act.answer, seat=who)


def _take(table: AdlerTable, act: Act, who: str | None) -> None:
    if table.state.phase == "take":
        table.say("take", count=act.count)


def _into_row(table: AdlerTable, act: Act, who: str | None) -> None:
    if act.act == "respond" and act.seat != table.books.fight.villain:
        table.say("mine", who=who, last=False)
    table.lay(table.row(), str(act.card))
    if table.state.phase == "matched":
        table.say("matched", who=who)


def _shoot(table: AdlerTable, act: Act, who: str | None) -> None:
    if act.shots is not None:
        table.say("shots", shots=list(act.shots))
    else:
        table.lay(table.row(), "gun")


_PERFORMED: Mapping[str, Callable[[AdlerTable, Act, str | None], None]] = {
    "draw": _draw,
    "play": _play,
    "discard": _discard,
    **dict.fromkeys(("answer", "verdict", "show"), _say),
    "take": _take,
    **dict.fromkeys(("respond", "match"), _into_row),
    "shoot": _shoot,
    "pass": lambda table, act, who: _said(table, "pass", seat=who),
    "keep": lambda table, act, who: _said(table, "keep", seat=who),
    "unmatched": lambda table, act, who: _said(table, "away"),
    "arrested": lambda table, act, who: _said(table, "arrested", seat=who),
    "hold": lambda table, act, who: _said(table, "stop", seat=who),
    "claim": lambda table, act, who: _said(table, "claim", who=None if act.answer == "no" else who),
    "reveal": lambda table, act, who: table.open_sealed(),
}


def _said(table: AdlerTable, kind: str, **answer: Any) -> None:
    table.say(kind, **answer)


def table_of(state: State, *, sealed: bool = False, told: bool = False) -> AdlerTable:
    """A table at which a game of the rules is played: roles, start, variants and house rules are its own. Where its traits are
    known and nobody seals, the companion answers."""
    table = state.table
    assert state.secret.roles is not None
    seats = seated(table.players)
    rules = {
        "players": str(table.players), "abilities": "yes" if table.advanced else "no",
        "mission": "yes" if table.expert else "no", "draws": "told" if told else "assumed", **dict(table.rules),
    }  # fmt: skip
    asked = table.expert and table.rule("expert-secret") == "shown"
    traits: Any = state.secret.traits
    return AdlerTable(
        rules, dict(zip(seats, state.secret.roles, strict=True)), seats if sealed or traits else (), seats[table.start],
        traits, table.wanted if asked else None,
    )  # fmt: skip
