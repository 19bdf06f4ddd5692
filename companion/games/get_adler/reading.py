"""From JSON to a :class:`Table`, as far as words and numbers go, listing every fault. What no table can show though each
word is right is found by :mod:`.validation`."""

from collections.abc import Mapping
from typing import Any

from companion.errors import quoted
from companion.games.get_adler.acts import ANSWERS, is_card
from companion.games.get_adler.house_rules import BY_NAME
from companion.games.get_adler.names import (
    ARREST,
    BINOCULARS,
    COPIES,
    EDITION,
    GAME,
    GUN,
    HOURS,
    MAGNIFIER,
    QUESTION,
    ROLES,
    TRAITS,
    VEHICLES,
    roles_of,
    service_of,
)
from companion.games.get_adler.state import (
    ENDS,
    STAGES,
    STEPS,
    Answered,
    Confrontation,
    Pending,
    Seat,
    Table,
)

KEYS = (
    "game", "edition", "players", "variant", "rules", "hour", "start", "seat", "step", "passed", "seats", "deck", "discard",
    "revealed", "wanted", "pending", "confrontation", "answers", "over", "secret",
)  # fmt: skip
NEEDED = ("players", "hour", "seat", "step", "seats", "deck", "discard", "revealed")
BEGUN_BY = {
    "answer": QUESTION,
    "look": MAGNIFIER,
    "take": BINOCULARS,
    "give": BINOCULARS,
    "verdict": ARREST,
    "reveal": ARREST,
    "return": "pass",
}
"""By step: with which card it was begun."""
MOST_IN_HAND = 12  # seven, the card of the turn, the second of Gold's two, and three early arrests that had to be kept
MOST_SKIPS = 99


class TableReader:
    """Collects faults while reading one position. Absent keys: the plain game, the default house rules, nothing pending."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.faults: list[str] = []
        self.players = 4

    def fault(self, text: str) -> None:
        self.faults.append(text)

    def read(self) -> Table | None:
        """The table; None when its seats cannot be counted."""
        data = self.data
        for key in data:
            if key not in KEYS:
                self.fault(f"{quoted(key)} is not part of a position; there are: {', '.join(KEYS)}")
        for key in NEEDED:
            if key not in data:
                self.fault(f"{key}: missing")
        if data.get("game", GAME) != GAME:
            self.fault(f"game: {quoted(data['game'])} is not {GAME}")
        if data.get("edition", EDITION) != EDITION:
            self.fault(f"edition: {quoted(data['edition'])} is not known; there is: {EDITION}")
        players: Any = data.get("players")
        if not isinstance(players, int) or players not in COPIES or isinstance(players, bool):
            self.fault(f"players: {quoted(players)} is not one of {', '.join(map(str, COPIES))}")
            return None
        self.players = players
        variant = self.mapping(data.get("variant") or {}, "variant", ("advanced", "expert"))
        seats = self.seats()
        step, stage = self.step()
        table = Table(
            players=players,
            advanced=self.flag(variant, "advanced", "variant: "),
            expert=self.flag(variant, "expert", "variant: "),
            hour=self.number(data, "hour", 1, HOURS, 1),
            start=self.number(data, "start", 0, players - 1, 0),
            seat=self.number(data, "seat", 0, players - 1, 0),
            step=step,
            seats=seats,
            deck=self.number(data, "deck", 0, 999, 0),
            discard=self.pile(),
            rules=self.rules(),
            passed=self.flag(data, "passed"),
            revealed=self.flag(data, "revealed"),
            wanted=self.wanted(),
            pending=self.pending(step),
            confrontation=self.confrontation(stage),
            answers=self.answers(),
            over=self.over(),
        )
        return table if len(seats) == players else None

    # --- plain values ---------------------------------------------------------------------------------------------

    def mapping(self, value: Any, what: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
        """An object with these keys and no others."""
        if not isinstance(value, Mapping):
            self.fault(f"{what}: must be an object, not {quoted(value)}")
            return {}
        for key in value:
            if key not in keys:
                self.fault(f"{what}: {quoted(key)} is not known; there are: {', '.join(keys)}")
        return value

    def listing(self, value: Any, what: str) -> list[Any]:
        if isinstance(value, list | tuple):
            return list(value)
        self.fault(f"{what}: must be a list, not {quoted(value)}")
        return []

    def flag(self, data: Mapping[str, Any], key: str, where: str = "", absent: bool = False) -> bool:
        value = data.get(key, absent)
        if not isinstance(value, bool):
            self.fault(f"{where}{key}: {quoted(value)} is not true or false")
            return absent
        return value

    def number(self, data: Mapping[str, Any], key: str, least: int, most: int, absent: int, where: str = "") -> int:
        value = data.get(key, absent)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.fault(f"{where}{key}: {quoted(value)} is not a number from {least} to {most}")
        return absent

    def seat_of(self, value: Any, what: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < self.players:
            return value
        self.fault(f"{what}: {quoted(value)} is not a seat; there are: 0 to {self.players - 1}")
        return 0

    def word(self, value: Any, what: str) -> str | None:
        if value is None or (isinstance(value, str) and value.strip()):
            return value
        self.fault(f"{what}: {quoted(value)} is not a word")
        return None

    def one_of(self, value: Any, choices: tuple[str, ...], what: str) -> str | None:
        if value is None or (isinstance(value, str) and value in choices):
            return value
        self.fault(f"{what}: {quoted(value)} is not one of {', '.join(choices)}")
        return None

    def card(self, value: Any, what: str) -> str:
        if is_card(value):
            return str(value)
        self.fault(f"{what}: {quoted(value)} is not a card")
        return "unknown"

    # --- parts ----------------------------------------------------------------------------------------------------

    def rules(self) -> tuple[tuple[str, str], ...]:
        given = self.data.get("rules") or {}
        if not isinstance(given, Mapping):
            self.fault(f"rules: must be an object, not {quoted(given)}")
            return ()
        for name, choice in given.items():
            if name not in BY_NAME:
                self.fault(f"rules: {quoted(name)} is not a house rule; there are: {', '.join(BY_NAME)}")
            elif choice not in BY_NAME[name].choices:
                self.fault(f"rules: {name} {quoted(choice)} is not one of {', '.join(BY_NAME[name].choices)}")
        return tuple((name, choice) for name, choice in given.items() if name in BY_NAME and isinstance(choice, str))

    def step(self) -> tuple[str, str | None]:
        """The step, and the stage of a confrontation that is named in place of it."""
        step = self.data.get("step")
        if step in (*STAGES, "hold"):
            return "confrontation", "shoot" if step == "hold" else step
        if isinstance(step, str) and step in STEPS:
            return step, None
        if "step" in self.data:
            self.fault(f"step: {quoted(step)} is not one of {', '.join(STEPS)}")
        return "draw", None

    def pile(self) -> tuple[str, ...]:
        return tuple(self.card(card, "discard") for card in self.listing(self.data.get("discard", []), "discard"))

    def seats(self) -> tuple[Seat, ...]:
        given = self.listing(self.data.get("seats", []), "seats")
        if "seats" in self.data and len(given) != self.players:
            self.fault(f"seats: {len(given)} of them, but {self.players} play")
        return tuple(self.one_seat(number, entry) for number, entry in enumerate(given))

    def one_seat(self, number: int, entry: Any) -> Seat:
        where = f"seat {number}: "
        keys = ("hand", "alive", "skips", "role", "cleared", "shown", "since")
        data = self.mapping(entry, f"seat {number}", keys)
        if isinstance(entry, Mapping) and "hand" not in data:
            self.fault(f"{where}hand: missing")
        shown = data.get("shown")
        if isinstance(shown, bool):
            shown = "gold" if shown else None
        since = data.get("since")
        return Seat(
            hand=self.number(data, "hand", 0, MOST_IN_HAND, 0, where),
            alive=self.flag(data, "alive", where, absent=True),
            skips=self.number(data, "skips", 0, MOST_SKIPS, 0, where),
            role=self.one_of(data.get("role"), roles_of(self.players), f"{where}role"),
            cleared=self.flag(data, "cleared", where),
            shown=self.one_of(shown, ROLES, f"{where}shown"),
            since=None if since is None else self.number(data, "since", 1, HOURS, 1, where),
        )

    def pending(self, step: str) -> Pending | None:
        given = self.data.get("pending")
        if given is None:
            return None
        turn = self.data.get("seat", 0)
        if isinstance(given, int):
            given = {"target": given}
        if not isinstance(given, Mapping):
            self.fault(f"pending: must be an object, not {quoted(given)}")
            return None
        target = next((given[key] for key in ("target", "of", "to", "villain") if given.get(key) is not None), None)
        card = given.get("card")
        told = self.listing(given.get("told") or [], "pending: told")
        return Pending(
            card=card if isinstance(card, str) else BEGUN_BY.get(step, step),
            by=self.seat_of(given.get("by", turn), "pending: by"),
            target=None if target is None else self.seat_of(target, "pending: target"),
            trait=self.one_of(given.get("trait"), TRAITS, "pending: trait"),
            colour=self.word(given.get("colour"), "pending: colour"),
            taken=self.number(given, "taken", 1, 2, 1, "pending: "),
            apart=self.flag(given, "apart", "pending: "),
            told=tuple(self.seat_of(seat, "pending: told") for seat in told),
        )

    def confrontation(self, stage: str | None) -> Confrontation | None:
        given = self.data.get("confrontation")
        if given is None:
            return None
        keys = ("by", "villain", "pursuer", "joined", "row", "stage", "to", "vehicle", "shots", "held")
        data = self.mapping(given, "confrontation", keys)
        where = "confrontation: "
        by = self.seat_of(data.get("by"), f"{where}by")
        named = data.get("stage", stage or "respond")
        named = {"hold": "shoot", "refill": "away"}.get(named, named) if isinstance(named, str) else named
        row = self.row(data.get("row") or [])
        pursuer, escaping = _chase(by, row)
        villain = self.seat_of(data.get("villain"), f"{where}villain")
        shots = data.get("shots")
        if shots is None:
            guns = [seat for seat, card in row if card == GUN] if named == "shoot" else []
            shots = [guns.count(villain), len(guns) - guns.count(villain)]
        if not (isinstance(shots, list | tuple) and len(shots) == 2 and all(type(each) is int and each >= 0 for each in shots)):
            self.fault(f"{where}shots: {quoted(shots)} are not two numbers, the villain's and the hero's")
            shots = (0, 0)
        return Confrontation(
            by=by,
            villain=villain,
            pursuer=pursuer if data.get("pursuer") is None else self.seat_of(data["pursuer"], f"{where}pursuer"),
            joined=tuple(
                self.seat_of(seat, f"{where}joined") for seat in self.listing(data.get("joined") or [], f"{where}joined")
            ),
            row=row,
            stage=self.one_of(named, (*STAGES, *ENDS), f"{where}stage") or "respond",
            to=None if data.get("to") is None else self.seat_of(data["to"], f"{where}to"),
            vehicle=self.one_of(data.get("vehicle"), VEHICLES, f"{where}vehicle") or (escaping if named == "match" else None),
            shots=(shots[0], shots[1]),
            held=self.flag(data, "held", where),
        )

    def row(self, given: Any) -> tuple[tuple[int, str], ...]:
        found = []
        for entry in self.listing(given, "confrontation: row"):
            if isinstance(entry, list | tuple) and len(entry) == 2:
                found.append((self.seat_of(entry[0], "confrontation: row"), self.card(entry[1], "confrontation: row")))
            else:
                self.fault(f"confrontation: row: {quoted(entry)} is not [seat, card]")
        return tuple(found)

    def answers(self) -> tuple[Answered, ...]:
        found = []
        for number, entry in enumerate(self.listing(self.data.get("answers") or [], "answers"), start=1):
            where = f"answer {number}: "
            data = self.mapping(entry, f"answer {number}", ("hour", "by", "of", "trait", "colour", "answer"))
            if not isinstance(entry, Mapping):
                continue
            by, of = self.seat_of(data.get("by"), f"{where}by"), self.seat_of(data.get("of"), f"{where}of")
            if by == data.get("by") == data.get("of"):
                self.fault(f"{where}seat {by} asks himself")
            answer = self.one_of(data.get("answer"), ANSWERS, f"{where}answer")
            if data.get("answer") is None:
                self.fault(f"{where}there is a question but no answer")
            trait = self.one_of(data.get("trait"), TRAITS, f"{where}trait")
            hour = self.number(data, "hour", 1, HOURS, 1, where)
            found.append(Answered(hour, by, of, trait, self.word(data.get("colour"), f"{where}colour"), answer or "no"))
        return tuple(found)

    def wanted(self) -> str | None:
        """The service; also from the name of a document of it."""
        word = self.word(self.data.get("wanted"), "wanted")
        return None if word is None else service_of(word) or word

    def over(self) -> str | None:
        given = self.data.get("over")
        if isinstance(given, Mapping):
            given = given.get("winner")
        return self.one_of(given, ("heroes", "villains"), "over")


def _chase(by: int, row: tuple[tuple[int, str], ...]) -> tuple[int, str | None]:
    """Who pursues by the row of a confrontation, and the escape that nobody has matched yet: the second of two same escapes
    is a match."""
    pursuer, open_escape = by, None
    for seat, card in row:
        if card not in VEHICLES:
            continue
        if card == open_escape:
            pursuer, open_escape = seat, None
        else:
            open_escape = card
    return pursuer, open_escape
