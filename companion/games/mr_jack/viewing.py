"""The family's part of the public snapshot. Nothing in it depends on who Jack is."""

from typing import Any

from companion.games.expectations import Context
from companion.games.mr_jack.answering import may_recall
from companion.games.mr_jack.procedure import Procedure, Rulebook

SNAPSHOT_ORDER = (
    "number", "game", "match", "phase", "turn", "pick", "mover", "movers", "position", "notation", "table", "witness",
    "suspects", "played", "available", "cards", "flag", "unfinished", "whose_play", "doubt", "chores", "blind", "called",
    "question", "secret", "commitment", "commitment_words", "outcome", "opened", "house_rules", "adjourned", "restoring",
    "clock", "take_back", "penalties", "undo", "undo_refused", "recall",
)  # fmt: skip


def view(game: Rulebook, state: Procedure, context: Context) -> dict[str, Any]:
    """Who is seen, who is suspected, the cards, the last call and whether it may be answered anew (``recall``)."""
    position = state.position
    known = position is not None
    return {
        "witness": game.witness(position).to_json() if known else None,
        "suspects": list(game.suspects(position)) if known else list(game.characters),
        "available": list(position.available) if known and position.available is not None else None,
        "cards": state.cards,
        "called": state.called,
        "recall": may_recall(state, context),
    }
