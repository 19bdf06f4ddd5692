"""From an event to what is said about it, in any language.

Every sentence is an English template that doubles as its translation key; ``translate`` looks it up (gettext's shape:
one string in, one out) and only then are the words put in, themselves translated. Nothing here chooses what happened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Json = Mapping[str, Any]
Translate = Callable[[str], str]

POLITE, ASSERTIVE = "polite", "assertive"


@dataclass(frozen=True, slots=True)
class Announcement:
    """One thing to say. ``urgency`` is ``"polite"`` (when there is a pause) or ``"assertive"`` (now); ``kind`` the event's."""

    text: str
    urgency: str
    kind: str

    def to_json(self) -> dict[str, str]:
        return {"text": self.text, "urgency": self.urgency, "kind": self.kind}


TABLE_AGREED = "The table is set up."
TABLE_ACCEPTED = "The table is taken as it is."
TURN_OPENED = "Turn {turn}. {role} picks first."
DOUBT = "This can be told in {count} ways. Please choose what was played."
STILL_TO_DO = "Still to do: {what}"
PUT_RIGHT = "Put right."
SEEN = "Jack is seen."
UNSEEN = "Jack is not seen."
CLEARED = "Cleared: {names}."
NOBODY_CLEARED = "Nobody is cleared."
CANNOT_SEE = "I cannot see: {what}."
CANNOT_SEE_MANY = "I cannot see {count} of the pieces."
FEW = 3  # more names than these nobody listens to
CORRECTED = "Corrected: {what}"
CORRECTED_BY_HAND = "Corrected by hand."
TAKEN_BACK = "{name} is taken back. Put the pieces back."
RULED = "The arbiter has ruled: the table stands as it is."
ADJOURNED = "The game is adjourned."
RESUMED = "The game goes on."
PENALTY = "A penalty against {role}: {reason}"
CARDS = "The cards of this turn: {names}."
ENTRUSTED = "Jack has entrusted his identity."
SEALED = "Jack has sealed his identity."
OPENED = "Jack was {name}."

WORDS: Mapping[str, str] = MappingProxyType({"detective": "The detective", "jack": "Jack"})
TEMPLATES = (
    TABLE_AGREED, TABLE_ACCEPTED, TURN_OPENED, DOUBT, STILL_TO_DO, PUT_RIGHT, SEEN, UNSEEN, CLEARED, NOBODY_CLEARED, CANNOT_SEE,
    CANNOT_SEE_MANY,
    CORRECTED, CORRECTED_BY_HAND, TAKEN_BACK, RULED, ADJOURNED, RESUMED, PENALTY, CARDS, ENTRUSTED, SEALED, OPENED,
)  # fmt: skip
SILENT = frozenset({"match-opened", "chores", "clean-up", "sight-restored"})
"""Kinds of events that are shown and not said."""


@dataclass(frozen=True)
class Phrases:
    """The phrases of one language. ``names`` gives the spoken name of an id (in English); others are spelt out."""

    translate: Translate = str
    names: Mapping[str, str] = field(default_factory=dict)

    def announce(self, event: Json) -> Announcement | None:
        """What to say about an event (its JSON); None when it is not worth a word. Raises KeyError for an unknown kind."""
        kind, data = event["kind"], event["data"]
        if kind in SILENT:
            return None
        text, urgency = _SAYINGS[kind](self, data)
        return Announcement(text, urgency, kind) if text else None

    def say(self, template: str, params: Json = MappingProxyType({})) -> str:
        """One sentence: the template translated, then filled with its words, translated too."""
        words = {key: self._word(value) for key, value in params.items()}
        try:
            return self.translate(template).format(**words)
        except (KeyError, IndexError, ValueError, AttributeError):
            # A translation that misspells a placeholder must not silence the referee.
            return template.format(**words)

    def name(self, subject: str) -> str:
        """The spoken name of a piece or of a place-bound subject such as ``cover:c2``."""
        word, colon, place = subject.partition(":")
        spoken = self.translate(self.names.get(word, word.replace("-", " ").capitalize() if not colon else word))
        return f"{spoken} {place}" if colon else spoken

    def listed(self, subjects: Sequence[str]) -> str:
        """Names one after the other."""
        return ", ".join(self.name(subject) for subject in subjects)

    def sentences(self, items: Sequence[Json]) -> str:
        """Faults, chores or plays (anything with ``text`` and ``params``), each once."""
        said = dict.fromkeys(self.say(item["text"], item["params"]) for item in items if item.get("text"))
        return " ".join(said)

    def _word(self, value: Any) -> Any:
        return self.translate(value) if isinstance(value, str) and value else value


Saying = tuple[str, str]


def _agreed(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(TABLE_ACCEPTED if data.get("accepted") else TABLE_AGREED), POLITE


def _turn(phrases: Phrases, data: Json) -> Saying:
    first = data["movers"][0]
    return phrases.say(TURN_OPENED, {"turn": data["turn"], "role": WORDS.get(first, first)}), POLITE


def _play(phrases: Phrases, data: Json) -> Saying:
    return phrases.sentences([data]), POLITE


def _doubt(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(DOUBT, {"count": len(data["alternatives"])}), ASSERTIVE


def _flag(phrases: Phrases, data: Json) -> Saying:
    return f"{phrases.sentences(data['faults'])} {phrases.sentences(data['chores'])}".strip(), ASSERTIVE


def _flag_cleared(phrases: Phrases, data: Json) -> Saying:
    return (phrases.say(PUT_RIGHT) if data["how"] == "put-back" else ""), POLITE


def _unfinished(phrases: Phrases, data: Json) -> Saying:
    return (phrases.say(STILL_TO_DO, {"what": phrases.sentences(data["faults"])}) if data["faults"] else ""), POLITE


def _question(phrases: Phrases, data: Json) -> Saying:
    # An entrusted secret answers by itself in the next breath: nobody is asked.
    return (phrases.say(data["text"]) if data.get("by") != "secret" else ""), ASSERTIVE


def _call(phrases: Phrases, data: Json) -> Saying:
    cleared = (
        phrases.say(CLEARED, {"names": phrases.listed(data["cleared"])}) if data["cleared"] else phrases.say(NOBODY_CLEARED)
    )
    return f"{phrases.say(SEEN if data['seen'] else UNSEEN)} {cleared} {phrases.sentences(data['chores'])}".strip(), ASSERTIVE


def _cannot_see(phrases: Phrases, data: Json) -> Saying:
    subjects = data["subjects"]
    if len(subjects) > FEW:
        return phrases.say(CANNOT_SEE_MANY, {"count": len(subjects)}), POLITE
    return phrases.say(CANNOT_SEE, {"what": phrases.listed(subjects)}), POLITE


def _correction(phrases: Phrases, data: Json) -> Saying:
    if data["what"] == "play":
        return phrases.say(CORRECTED, {"what": phrases.sentences([data])}), POLITE
    return (phrases.say(CORRECTED_BY_HAND) if data.get("fixes") else ""), POLITE


def _undo(phrases: Phrases, data: Json) -> Saying:
    return (phrases.say(TAKEN_BACK, {"name": phrases.name(data["character"])}) if data["cause"] == "answer" else ""), POLITE


def _ruling(phrases: Phrases, data: Json) -> Saying:
    if data["action"] == "penalty":
        role = WORDS.get(data["against"], data["against"])
        return phrases.say(PENALTY, {"role": phrases.translate(role), "reason": data["reason"]}), ASSERTIVE
    return phrases.say({"adjourn": ADJOURNED, "resume": RESUMED}.get(data["action"], RULED)), POLITE


def _cards(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(CARDS, {"names": phrases.listed(data["characters"])}), POLITE


def _secret(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(SEALED if data["mode"] == "sealed" else ENTRUSTED), POLITE


def _opening(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(OPENED, {"name": phrases.name(data["character"])}), POLITE


def _outcome(phrases: Phrases, data: Json) -> Saying:
    return phrases.sentences([data]), ASSERTIVE


def _notice(phrases: Phrases, data: Json) -> Saying:
    return phrases.sentences([data]), POLITE


_SAYINGS: Mapping[str, Callable[[Phrases, Json], Saying]] = MappingProxyType(
    {
        "table-agreed": _agreed,
        "turn-opened": _turn,
        "play": _play,
        "doubt": _doubt,
        "flag": _flag,
        "flag-cleared": _flag_cleared,
        "unfinished": _unfinished,
        "call-asked": _question,
        "call": _call,
        "cannot-see": _cannot_see,
        "correction": _correction,
        "undo": _undo,
        "ruling": _ruling,
        "cards": _cards,
        "accusation": _question,
        "secret": _secret,
        "opening": _opening,
        "outcome": _outcome,
        "notice": _notice,
    }
)
SPOKEN = frozenset(_SAYINGS)
