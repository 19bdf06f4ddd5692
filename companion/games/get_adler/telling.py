"""What is said at a refereed table: templates by code, English, to be translated where they are spoken.

Sentences of :mod:`.faults` are for the prompt; a fault of theirs is told here by its code.
"""

from collections.abc import Mapping
from typing import Any

from companion.games.expectations import Fact
from companion.games.get_adler.acts import Act
from companion.games.get_adler.mat import card_name, role_name, seat_name
from companion.games.get_adler.names import TRAITS, UNKNOWN
from companion.games.get_adler.state import Table
from companion.games.values import Fault

WHERE = ("pile", "place")
"""What is played, by the kind of zone and whatever it shows: a card that was taken for another is told otherwise, not taken
back."""

PLAYS: Mapping[str, str] = {
    "laid": "{who}: {card}.",
    "accuses": "{who} arrests {whom}.",
    "again": "{who}: {card}, once more.",
    "responds": "{who} responds: {card}.",
    "matches": "{who} goes after: {card}.",
    "somebody": "Somebody goes after: {card}.",
    "shoots": "{who} shoots.",
}
"""Cards that land."""

ACTS: Mapping[str, str] = {
    "draw": "{who} draws.",
    "reshuffle": "The deck is used up: the discard pile is shuffled into a new deck.",
    "discard": "{who} only discards {card}.",
    "question": "{who} asks {whom}: {trait}?",
    "question-colour": "{who} asks {whom}: {trait}, {colour}?",
    "question-free": "{who} asks {whom}.",
    "magnifier": "{who} looks at the hand of {whom}.",
    "binoculars": "{who} takes a card from {whom}.",
    "look": "{who} has looked.",
    "take": "{who} takes a card and gives one back.",
    "take-two": "{who} takes two cards and gives two back: that is Gold.",
    "give": "{who} has given back.",
    "answer yes": "{who} says yes.",
    "answer no": "{who} says no.",
    "verdict yes": "{who} owns up.",
    "verdict no": "{who} is no villain: {by} and {who} lose a turn.",
    "reveal": "All roles are turned up: {roles}.",
    "match": "{who} goes after: {card}.",
    "unmatched": "Nobody goes after: {whom} is away.",
    "arrested": "{who} is arrested.",
    "hold": "{who} stops shooting.",
    "shoot": "Guns are laid at once: {villain} against {hero}.",
    "claim yes": "{who} turns up {role}.",
    "claim no": "Nobody turns up a role.",
    "refill": "Hands are filled up to seven.",
    "pass": "{who} passes a card face down, and gets one back.",
    "return": "A card goes back.",
    "keep": "{who} keeps the hand.",
    "show yes": "{who} shows a document.",
    "show no": "{who} has no document.",
    "skip": "{who} loses this turn.",
}
"""Acts on record."""

EVENTS: Mapping[str, str] = {
    "start": "{who} begins.",
    "hour": "Hour {hour}.",
    "mission": "The document that is needed: {service}.",
    "traits": "The traits of the roles are entered: answers are judged.",
    "mine": "{who} says: this card was mine.",
}

COPY = "The traits of each role, as your copy has them. Without them answers are noted, and not judged."
"""What the owner's table is for."""

JUDGED: Mapping[str, str] = {
    "true": "{who} told the truth about {trait} in hour {hour}.",
    "allowed": "{who} lied about {trait} in hour {hour}, and was allowed to.",
    "false": "{who} is a hero and did not tell the truth about {trait} in hour {hour}.",
}
"""What an answer came to once roles were open."""

DISPROVED: Mapping[str, str] = {
    "false-verdict": "{who} did not tell the truth when arrested in hour {hour}.",
    "false-answer": JUDGED["false"],
}
"""What an opened role proves wrong, by its code."""

REPORT: Mapping[str, str] = {
    "roles": "Who everybody was",
    "hero": "{who} was {role}.",
    "villain": "{who} was {role}, and was allowed to lie.",
    "answers": "Which answers were true",
    "true": "Hour {hour}: {by} asked {who} about {trait}, {colour}: {answer}. That was true.",
    "allowed": "Hour {hour}: {by} asked {who} about {trait}, {colour}: {answer}. That was not true, and allowed.",
    "false": "Hour {hour}: {by} asked {who} about {trait}, {colour}: {answer}. That was not true, and a hero must not lie.",
    "open": "Hour {hour}: {by} asked {who}: {answer}. It cannot be judged.",
}
"""What the report of a finished game says of roles and answers."""

ASKED: Mapping[str, str] = {
    "start": "Who begins?",
    "mission": "Which service is on the document that was drawn?",
    "draw": "{who}: have you drawn a card?",
    "on": "{who}: {card}. On whom, or is it only discarded?",
    "ask": "{who}: what do you ask {whom}?",
    "ask-colour": "{who}: which colour do you ask {whom} about? ({trait})",
    "answer": "{whom}: yes or no?",
    "answer-trait": "{whom}: {trait}, yes or no?",
    "answer-colour": "{whom}: {trait}, {colour}?",
    "verdict": "{whom}: are you a villain?",
    "take": "{who}: one card or two?",
    "matched": "Who has gone after with {card}?",
    "away": "Does a hero go after with {card}?",
    "give-up": "{who}: lay a response, or are you arrested?",
    "stop": "{who}: lay one more gun, or stop?",
    "shots": "How many guns lie there, of {whom} and of {who}?",
    "claim": "Does somebody turn up {role}?",
    "pass": "{who}: do you pass a card to {whom}?",
    "keep": "{who}: do you keep a hand of nothing but arrests?",
    "show": "{whom}: do you show a document?",
}

LABELS: Mapping[str, str] = {
    "discarded": "Only discarded", "not-noted": "Not noted", "yes": "Yes", "no": "No", "drawn": "Drawn", "one": "One",
    "two": "Two", "away": "Nobody goes after", "arrested": "Arrested", "stop": "Stop", "nobody": "Nobody",
    "pass": "Pass a card", "keep": "Keep it",
    "mine-next": "The next card is mine.", "mine-last": "The last card was mine.",
}  # fmt: skip

TRAIT_NAMES: Mapping[str, str] = {"hat": "Hat", "hair": "Hair", "eyes": "Eyes", "coat": "Coat"}

MAY: Mapping[str, str] = {
    "draw": "Draw and play a card.",
    "play": "Play a card.",
    "acting": "Say on whom.",
    "asking": "Say what you ask.",
    "answer": "Answer.",
    "verdict": "Say whether you are a villain.",
    "take": "Take a card.",
    "respond": "Respond: an escape, the disguise, a bomb or a gun.",
    "match": "May go after with {card}.",
    "shoot": "Lay a gun or stop.",
    "claim": "May turn up {role}.",
    "show": "Show a document, if you have one.",
    "roles": "Say your role in secret.",
    "opens": "Turn up your role.",
}
"""What a seat may do now."""

NOTES: Mapping[str, str] = {
    "out": "Out of the game.",
    "skips": "Loses {count} turns.",
    "skips-one": "Loses a turn.",
    "cleared": "No villain.",
    "role": "{role}",
}
"""What everybody knows of a seat."""

OUTCOMES: Mapping[str, str] = {
    "arrested": "The villains are arrested or shot: the heroes win.",
    "no-heroes": "All heroes are shot: the villains win.",
    "document": "A villain has come through with a document: the villains win.",
    "no-document": "No villain shows a document: the heroes win.",
}

CHORES: Mapping[str, str] = {
    "take": "{card}: take it off {zone}.",
    "lay": "{card}: lay it on {zone}.",
    "move": "{card}: move it from {zone} to {to}.",
    "clear": "Push the cards of {zone} under the discard pile.",
    "clear-pile": "Shuffle the discard pile into a new deck.",
    "role": "Turn up {role} at {zone}.",
    "role-wrong": "{role}: does not belong to {zone}.",
    "hour": "Lay the marker of hour {hour}.",
    "hour-early": "Take the marker of hour {hour} away.",
}

FAULTS: Mapping[str, str] = {
    "arrest-before-hour-4": "{who} has played an arrest in hour {hour}, but it acts from hour 4 on. Take it back, or only "
    "discard it.",
    "wrong-vehicle": "{card} was laid, but the escape is {vehicle}. Take it back: only the same vehicle goes after.",
    "two-cards": "{who} has laid a second card in one turn. Take the second one back.",
    "answer-out-of-order": "{whom} owes an answer first. Take {card} back until it is given.",
    "confrontation-open": "A confrontation is open. Take {card} back, and end the confrontation first.",
    "draw-first": "{who} has played before drawing. Take the card back, draw, then play.",
    "skips-this-turn": "{who} has lost this turn. Take {card} back; {next} goes on.",
    "out-of-turn": "It is not the turn of {who}. Take {card} back; now it is up to {next}.",
    "dead-player": "{whom} is out of the game. Take {card} back.",
    "arrest-on-hero": "{whom} is known to be a hero. Take the arrest back, or discard it.",
    "arrest-by-villain": "{who} is a villain, and only heroes arrest. Take the arrest back, or discard it.",
    "vehicle-used": "{who} has taken {card} already in this confrontation. Take it back and respond otherwise.",
    "not-held": "{card} cannot be there: all copies lie open. Look at the card again.",
    "game-over": "The game is over. Leave everything as it was.",
    "not-allowed": "{card} cannot be laid there now. Take it back.",
    "wrong-place": "{card} lies before {whom}, where it does not belong. Lay it where it belongs, or take it back.",
    "nobody-sits": "{card} lies at a place where nobody sits. Take it away.",
    "open-question": "{card} was laid before it was said what the last card does. Take it back until that is said.",
    "taken": "{card} was taken away. A card that lies stays: put it back.",
    "face-down": "A card lies face down at {zone}. Turn it up or take it back.",
    "strayed": "{card} lies at {zone}, where no card is laid. Take it away.",
    "role-up": "A role card is up at {zone} that nobody has to show. Turn it down.",
    "hour-early": "The marker of hour {hour} lies there already. Take it away until the hour begins.",
}

TELLS: Mapping[str, str] = {"role": "Which role were you dealt?"}
OWN: Mapping[str, str] = {
    "role": "You are {role}.",
    "cover": "You answer as {role}.",
    "traits": "Hat {hat}, hair {hair}, eyes {eyes}, coat {coat}.",
}
OTHERWISE = "{zone}: other cards lie there on record"
ALONE = ("only the discard pile can be set", "take the game back to change anything else")
"""Why a position cannot be set as an arbiter has it; refusals, so they go on in one row."""

ZONES: Mapping[str, str] = {"pile": "the discard pile", "deck": "the deck"}


def where(zone: str) -> str:
    """The kind of zone in which a card lies."""
    return zone.partition("-")[0]


def zone_name(zone: str) -> str:
    """What a zone is called: a pile, or the seat before which it lies."""
    if zone in ZONES:
        return ZONES[zone]
    return f"Seat {zone.rpartition('-')[2]}"


def who(table: Table, seat: int | None) -> str:
    """The name of a seat; empty where it is nobody's."""
    return "" if seat is None else seat_name(table.players, seat)


def told(table: Table, act: Act) -> dict[str, Any]:
    """``text`` and ``params`` of an act that follows this table."""
    pending, fight = table.pending, table.confrontation
    seat = act.seat if act.seat is not None else table.seat
    target = act.target if act.target is not None else pending.target if pending is not None else None
    key = act.act
    if key in ("answer", "verdict", "show") or (key == "claim"):
        key = f"{key} {act.answer}"
        target = seat if key.startswith("answer") else target
    elif key == "play":
        key = str(act.card)
        if key == "question":
            key = "question-free" if act.trait is None else "question" if act.colour is None else "question-colour"
    elif key == "take" and act.count == 2:
        key = "take-two"
    elif key == "unmatched" and fight is not None:
        target = fight.villain
    elif key == "draw" and not table.deck and table.discard:
        key = "reshuffle"
    villain, hero = act.shots or (0, 0)
    params = {
        "who": who(table, seat), "whom": who(table, target), "card": card_name(act.card or UNKNOWN),
        "by": who(table, pending.by if pending is not None else None),
        "trait": TRAIT_NAMES.get(act.trait or "", ""), "colour": act.colour or "", "villain": villain, "hero": hero,
        "role": "", "roles": ", ".join(role_name(role) for role in act.roles),
    }  # fmt: skip
    if act.act == "claim" and act.answer == "yes" and fight is not None:
        params["role"] = role_name({"disguise": "townsend", "bomb": "tarasov", "gun": "sharpe"}[fight.row[-1][1]])
    return {"text": ACTS[key], "params": {name: value for name, value in params.items() if f"{{{name}}}" in ACTS[key]}}


def fault(code: str, zone: str, /, **words: Any) -> Fault:
    """A fault by code about a zone. ``allowed`` and ``pending`` go to the fault, the rest is its words."""
    allowed, pending = tuple(words.pop("allowed", ())), bool(words.pop("pending", False))
    text = FAULTS[code]
    params = {name: value for name, value in {"zone": zone_name(zone), **words}.items() if f"{{{name}}}" in text}
    return Fault(code, where(zone), text, params, (zone,), allowed, pending)


def outcome(winner: str, code: str) -> Fact:
    """The end of the game as a fact."""
    text = OUTCOMES[code]
    return Fact("outcome", {"winner": winner, "code": code, "message": text, "text": text, "params": {}})


assert set(TRAIT_NAMES) == set(TRAITS)
