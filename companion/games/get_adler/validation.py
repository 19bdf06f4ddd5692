"""What no table can show, in words: cards that do not add up, roles at odds with each other, a step without its object."""

from collections import Counter

from companion.errors import quoted
from companion.games.get_adler.names import (
    ARREST,
    ARRESTS_FROM,
    COPIES,
    DECK,
    DOCUMENT,
    UNKNOWN,
    VILLAINS,
    kind_of,
    roles_of,
    service_of,
)
from companion.games.get_adler.state import ENDS, STAGES, Confrontation, Seat, Table

AWAITED = {
    "answer": "an answer is awaited, but nobody was asked a question",
    "look": "a hand is to be looked at, but it is not said whose",
    "take": "a card is to be taken, but it is not said from whom",
    "give": "a card is to be given back, but it is not said to whom",
    "verdict": "the accused is to say what he is, but nobody is accused",
}


def cards_seen(table: Table) -> Counter[str]:
    """Every card that lies open, by its full name."""
    seen = Counter(table.discard)
    if table.confrontation is not None:
        seen.update(card for _, card in table.confrontation.row)
    if table.pending is not None and table.pending.apart:
        seen[ARREST] += 1
    return seen


def cards_missing(table: Table) -> int:
    """How many play cards are neither in a hand, the deck, the pile nor a confrontation; negative when there are too many."""
    hands = sum(seat.hand for seat in table.seats)
    return DECK[table.players] - hands - table.deck - sum(cards_seen(table).values())


def table_faults(table: Table) -> list[str]:
    """All of them."""
    faults = [*_card_faults(table), *_role_faults(table), *_step_faults(table)]
    if table.confrontation is not None:
        faults += _confrontation_faults(table, table.confrontation)
    return faults


def _card_faults(table: Table) -> list[str]:
    faults = []
    missing, players = cards_missing(table), table.players
    dead = sum(not seat.alive for seat in table.seats)
    gone = dead * 9 if table.rule("dead-hand") == "removed" else 0
    if missing < 0 or missing > gone:
        found = DECK[players] - missing
        amount = f"{abs(missing)} card{'s' if abs(missing) > 1 else ''} too {'few' if missing > 0 else 'many'}"
        packs = {5: "the 13 marked 5+", 6: "the 13 marked 5+ and the 13 marked 6+"}
        needed = f" ({packs[players]} among them)" if players in packs else ""
        lacking = next((f"; those marked {n}+ seem to be missing" for n in (5, 6) if n <= players and found == DECK[n - 1]), "")
        faults.append(f"cards: {found} of them, {players} play with {DECK[players]}{needed}: {amount}{lacking}")
    kinds: Counter[str] = Counter()
    for card, count in cards_seen(table).items():
        kinds[kind_of(card)] += count
        if service_of(card) is not None and not table.expert:
            faults.append(f"{card}: documents have no service unless the expert mission is played")
    for kind, count in sorted(kinds.items()):
        if kind != UNKNOWN and count > COPIES[players][kind]:
            faults.append(f"cards: {count} {kind} lie open, but there are {COPIES[players][kind]} with {players} players")
    if table.wanted is not None and not table.expert:
        faults.append("wanted: a document is wanted by its service only in the expert mission")
    if table.wanted is None and table.expert and table.rule("expert-secret") == "shown":
        faults.append("wanted: the expert mission needs the service of the document that was drawn")
    return faults


def _role_faults(table: Table) -> list[str]:
    faults = []
    dealt = roles_of(table.players)
    up, known = [seat.role for seat in table.seats], [table.role(number) for number in range(table.players)]
    for word, roles in (("role", up), ("shown", known)):
        for role, count in Counter(roles).items():
            if role is not None and count > 1:
                faults.append(f"{word}: {role} is at {count} seats")
    for number, seat in enumerate(table.seats):
        faults += _seat_faults(table, number, seat)
    heroes = [role for role in dealt if role not in VILLAINS]
    if sum(table.villainous(number) is False for number in range(table.players)) > len(heroes):
        faults.append(f"seats: more than {len(heroes)} are known to be heroes, so there would be no room for the villains")
    if table.revealed and table.hour < ARRESTS_FROM:
        faults.append(f"revealed in hour {table.hour}, but no arrest can be played before hour {ARRESTS_FROM}")
    return faults


def _seat_faults(table: Table, number: int, seat: Seat) -> list[str]:
    shown, role, known = seat.shown, seat.role, table.role(number)
    early = table.hour < ARRESTS_FROM
    lacking = table.revealed and role is None and table.rule("reveal-all") == "all"
    checks = (
        (shown not in (None, *roles_of(table.players)), f"{shown} is not dealt to {table.players} players"),
        (None not in (shown, role) and shown != role, f"has shown himself as {shown} and is {role}"),
        (seat.cleared and known in VILLAINS, f"was cleared by a false arrest and is {known}"),
        (seat.cleared and early, f"cleared in hour {table.hour}, but nobody can be accused before hour {ARRESTS_FROM}"),
        (not table.revealed and role is not None, f"role {role} is up, but roles are not revealed"),
        (not table.revealed and not seat.alive, "is out, but roles are not revealed"),
        (lacking, "roles are revealed, but his is missing"),
    )
    return [f"seat {number}: {text}" for wrong, text in checks if wrong]


def _step_faults(table: Table) -> list[str]:
    step, pending, fight = table.step, table.pending, table.confrontation
    target = None if pending is None else pending.target
    both = {table.role(seat) for seat in table.villains()}
    fellows = table.revealed and both.issuperset(VILLAINS)
    fighting = ("confrontation", "refill", "reveal", "over")
    on_turn = step not in (*fighting, "show")
    by = None if pending is None else pending.by
    checks = (
        (step in AWAITED and target is None, f"step {step}: {AWAITED.get(step)} (pending)"),
        (step in AWAITED and target is not None and target == by, f"pending: seat {by} has chosen himself"),
        (
            step == "give" and pending is not None and pending.taken == 2 and not table.advanced,
            "pending: two cards were taken, but only Gold takes two, and only in the advanced game",
        ),
        (
            step == "give" and pending is not None and pending.taken == 2 and table.role(pending.by) not in (None, "gold"),
            f"pending: two cards were taken, but seat {by} is not Gold",
        ),
        (step == "answer" and table.revealed, "step answer: after the reveal a question is no question any more"),
        (
            step == "verdict" and table.hour < ARRESTS_FROM,
            f"step verdict: nobody can be accused before hour {ARRESTS_FROM}, and it is hour {table.hour}",
        ),
        (step == "verdict" and table.revealed, "step verdict: roles are revealed, so nobody is accused any more"),
        (step in ("confrontation", "refill") and fight is None, f"step {step}: there is no confrontation"),
        (fight is not None and step not in fighting, f"step {step}: a confrontation is open"),
        (
            step in ("pass", "return") and not fellows,
            f"step {step}: a card is passed only between two villains who are revealed and in the game",
        ),
        (
            step in ("pass", "return") and table.role(table.seat) != "collins",
            f"step {step}: seat {table.seat} is not Collins, and only she passes a card",
        ),
        (step == "over" and table.over is None, "step over: it is not said who won"),
        (on_turn and not table.seats[table.seat].alive, f"seat {table.seat}: is out and cannot be on turn"),
    )
    late = [
        f"answer {number}: is of hour {answer.hour}, but it is hour {table.hour}"
        for number, answer in enumerate(table.answers, start=1)
        if answer.hour > table.hour
    ]
    return [*(text for wrong, text in checks if wrong), *late]


def _confrontation_faults(table: Table, fight: Confrontation) -> list[str]:
    if not table.revealed:
        return [] if table.step == "reveal" else ["confrontation: roles are not revealed"]
    laid = table.rule("refill") == "before-discard" or table.step != "refill"
    begun = bool(fight.row) and fight.row[0][1] in (ARREST, UNKNOWN)
    shooting = table.step == "confrontation" and fight.stage == "shoot"
    guns = fight.shooters
    shots = guns.count(fight.villain), guns.count(fight.pursuer)
    read = all(card != UNKNOWN for _, card in fight.row)
    checks = [
        (not table.villainous(fight.villain), f"seat {fight.villain} is a hero, and nobody arrests a hero after the reveal"),
        (laid and not begun, "its row does not begin with an arrest"),
        (
            table.step == "confrontation" and fight.stage not in STAGES,
            f"stage {quoted(fight.stage)} is not one of {', '.join(STAGES)}",
        ),
        (
            table.step == "refill" and fight.stage not in ENDS,
            f"stage {quoted(fight.stage)} does not say how it ended: {', '.join(ENDS)}",
        ),
        (
            shooting and read and shots != fight.shots,
            f"shots are {fight.shots[0]} and {fight.shots[1]}, but {shots[0]} and {shots[1]} guns lie there",
        ),
        (fight.stage == "match" and fight.vehicle is None, "a match is awaited, but no vehicle is named"),
        (
            shooting and fight.to not in (fight.villain, fight.pursuer),
            f"seat {fight.to} is to shoot, but the shoot-out is between {fight.villain} and {fight.pursuer}",
        ),
    ]
    for seat in dict.fromkeys((fight.by, fight.pursuer)):
        villain = table.villainous(seat) and table.rule("villain-accuses-villain") != "confront"
        checks.append((seat == fight.villain, f"seat {seat} is on both sides"))
        checks.append((bool(villain) and seat != fight.villain, f"seat {seat} is a villain, and only heroes arrest"))
    fallen = [seat for seat in (fight.villain, fight.pursuer) if not table.seats[seat].alive]
    checks.extend((table.step == "confrontation", f"seat {seat} is out") for seat in fallen)
    return [f"confrontation: {text}" for wrong, text in checks if wrong]


def unseen(table: Table) -> Counter[str]:
    """By kind, how many cards may lie face down: hands and deck have them, or the pile where it is unknown."""
    left = Counter(COPIES[table.players])
    for card, count in cards_seen(table).items():
        left[kind_of(card)] -= count
    return left


def documents(table: Table) -> list[str]:
    """The documents that can be named: plain ones; in the expert mission those of every service that was seen, and a plain
    name for one that was not."""
    if not table.expert:
        return [DOCUMENT]
    seen = {service for card in cards_seen(table) if (service := service_of(card)) is not None}
    if table.wanted is not None:
        seen.add(table.wanted)
    return [*(f"{DOCUMENT}-{service}" for service in sorted(seen)), DOCUMENT]
