"""From a table's finished game to a result of the event: which game it is, that it is the table's, and who won by it."""

from dataclasses import dataclass
from typing import Any

from companion.errors import BadInput
from companion.hub.event.folding import outcome_marks
from companion.hub.event.model import Pairing, Tournament
from companion.hub.model import Hall, HallMatch
from companion.hub.wall.signed import Seals, verdict
from companion.hub.wall.table_port import all_events


@dataclass(frozen=True, slots=True)
class Offered:
    """A finished game that may be a board's result: its marks by the plan's seats (None where the outcome names no seat), and
    what the table said of the end."""

    match: HallMatch
    marks: tuple[str, ...] | None

    def to_json(self) -> dict[str, Any]:
        outcome = self.match.outcome or {}
        return {
            "match": self.match.match, "marks": None if self.marks is None else list(self.marks), "last": self.match.last,
            "said": {"text": outcome.get("text") or outcome.get("message", ""), "params": dict(outcome.get("params") or {})},
        }  # fmt: skip


def offered(hall: Hall, state: Tournament, pairing: Pairing) -> Offered | None:
    """The newest finished game of a board's table that is no result of the event yet."""
    used = {result.match for one in state.rounds for result in one.results.values() if result.match}
    for match in hall.matches():
        fits = match.table == pairing.table and match.game == state.plan.game and match.match not in used
        if pairing.table and fits and match.outcome is not None:
            marks = outcome_marks(state.plan, match.outcome.get("winner"))
            return Offered(match, marks if marks is not None and len(marks) == len(pairing.players) else None)
    return None


def taken(hall: Hall, seals: Seals, state: Tournament, number: int, board: int) -> dict[str, Any]:
    """The data of an entry ``result`` by the game that was played at a board's table. Raises BadInput where there is none,
    where its record does not hold, or where another key signed it than this table's games before."""
    one = state.round(number)
    pairing = one.pairing(board) if one is not None else None
    if pairing is None:
        raise BadInput(f"round {number} has no board {board}")
    found = offered(hall, state, pairing)
    if found is None:
        raise BadInput(f"board {board}: no finished game of its table is known that is no result yet")
    if found.marks is None:
        raise BadInput(f"board {board}: the game's outcome names no seat of the event; enter the result by hand")
    checked = verdict(all_events(hall, pairing.table, found.match.match), seals.of(pairing.table, found.match.match))
    if not checked.holds:
        raise BadInput(f"board {board}: the record of its game does not hold ({checked.findings[0].text})")
    known = {signer for signer in _signers(state, pairing.table) if signer}
    if checked.signer and known and checked.signer not in known:
        raise BadInput(f"board {board}: the game is signed by another key than this table's games before; look into it")
    code = str((found.match.outcome or {}).get("code", ""))[:64]
    return {
        "round": number, "board": board, "marks": list(found.marks), "source": "table", "code": code,
        "match": found.match.match, "head": checked.head, "signer": checked.signer,
    }  # fmt: skip


def _signers(state: Tournament, table: str) -> list[str]:
    """By which keys games of a table were signed."""
    return [
        one.results[pairing.board].signer
        for one in state.rounds
        for pairing in one.pairings
        if pairing.table == table and pairing.board in one.results
    ]
