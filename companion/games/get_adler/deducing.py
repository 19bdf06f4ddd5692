"""Which roles each seat may still have: every way to deal the roles that agrees with what everybody has seen and heard.

What is taken for true: heroes answer truly; who was cleared by a false arrest is a hero, and so is who accuses where villains
must not; who took two cards at once is Gold; a villain may say anything. Hands, deck and the true roles are never looked at.
Without a trait table answers are left out."""

from itertools import permutations
from typing import Any

from companion.games.get_adler.names import VILLAINS, roles_of, same_colour
from companion.games.get_adler.state import State, Table, Traits


def deals(table: Table, traits: Traits | None) -> list[tuple[str, ...]]:
    """All ways to deal the roles, one a seat, that agree with the table."""
    return [roles for roles in permutations(roles_of(table.players)) if _agrees(table, traits, roles)]


def _agrees(table: Table, traits: Traits | None, roles: tuple[str, ...]) -> bool:
    for seat, role in enumerate(roles):
        known, villainous = table.role(seat), table.villainous(seat)
        if known not in (None, role) or (villainous is not None and villainous != (role in VILLAINS)):
            return False
    two_taken = table.step == "give" and table.pending is not None and table.pending.taken == 2
    if two_taken and table.pending is not None and roles[table.pending.by] != "gold":
        return False
    accusation = table.pending if table.step in ("verdict", "reveal") else None
    if accusation is not None:
        owned_up = accusation.target if table.step == "reveal" else None
        if owned_up is not None and roles[owned_up] not in VILLAINS:
            return False
        if table.rule("villain-arrest") == "discard-only" and roles[accusation.by] in VILLAINS:
            return False
    return traits is None or all(
        same_colour(traits[roles[said.of]][said.trait], said.colour) == (said.answer == "yes")
        for said in table.answers
        if roles[said.of] not in VILLAINS and said.trait is not None and said.colour is not None
    )


def deduced(state: State) -> dict[str, Any]:
    """``roles``: by seat, what it may still be, in the order of the roles; ``villain``: whether it is one, null for not known;
    ``deals``: in how many ways; ``judged``: whether answers could be judged. No way at all: somebody broke the rules."""
    table, traits = state.table, state.secret.traits
    left = deals(table, traits)
    roles = [
        [role for role in roles_of(table.players) if any(deal[seat] == role for deal in left)] for seat in range(table.players)
    ]
    sides = [{role in VILLAINS for role in may} for may in roles]
    return {
        "roles": roles,
        "villain": [side.copy().pop() if len(side) == 1 else None for side in sides],
        "deals": len(left),
        "judged": traits is not None,
    }
