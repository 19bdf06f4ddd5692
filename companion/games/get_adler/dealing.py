"""Setting a game up: roles, hands, deck, the first hour marker, the expert mission."""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import BadInput, quoted
from companion.games.get_adler.chance import shuffled
from companion.games.get_adler.names import COPIES, DOCUMENT, FULL_HAND, roles_of, service_of
from companion.games.get_adler.state import Seat, Secret, State, Table, Traits


def deal(
    players: int,
    seed: int,
    *,
    start: int = 0,
    advanced: bool = False,
    services: Mapping[str, int] | None = None,
    rules: Mapping[str, str] | None = None,
    traits: Traits | None = None,
) -> State:
    """A game at its beginning. ``services``: how many documents of each the owner's copy has; with it the expert mission is
    played. Raises BadInput for another number of players or of documents."""
    if players not in COPIES:
        raise BadInput(f"players: {quoted(players)} is not one of {', '.join(map(str, COPIES))}")
    documents = [f"{DOCUMENT}-{service}" for service, count in (services or {}).items() for _ in range(count)]
    if services is not None and len(documents) != COPIES[players][DOCUMENT]:
        raise BadInput(f"services: {len(documents)} documents, but {players} play with {COPIES[players][DOCUMENT]}")
    cards = [card for kind, count in COPIES[players].items() for card in [kind] * count]
    if services is not None:
        cards = [*(card for card in cards if card != DOCUMENT), *documents]
    wanted = service_of(shuffled(documents, seed, 0)[0]) if documents else None
    roles = shuffled(roles_of(players), seed, 1)
    deck = shuffled(cards, seed, 2)
    hands = tuple(deck[seat * FULL_HAND : (seat + 1) * FULL_HAND] for seat in range(players))
    deck = deck[players * FULL_HAND :]
    table = Table(
        players=players,
        advanced=advanced,
        expert=services is not None,
        hour=1,
        start=start,
        seat=start,
        step="draw",
        seats=(Seat(FULL_HAND),) * players,
        deck=len(deck),
        discard=(),
        rules=tuple((rules or {}).items()),
        wanted=wanted,
    )
    secret = Secret(roles, hands, deck, seed, 3, traits=traits)
    if table.rule("expert-secret") == "drawer-only":
        table, secret = replace(table, wanted=None), replace(secret, wanted=wanted)
    return State(table, secret)
