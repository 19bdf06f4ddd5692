"""From an event to what is said about it, in any language.

Every sentence is an English template that doubles as its translation key; a :class:`Translator` looks it up and only then
puts the words in, themselves translated. Nothing here chooses what happened.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.announce.brevity import MOST_SENTENCES, for_the_ear, merge_repeats
from companion.announce.translator import Translator, translator

Json = Mapping[str, Any]

POLITE, ASSERTIVE = "polite", "assertive"


@dataclass(frozen=True, slots=True)
class Announcement:
    """One thing to say. ``urgency`` is ``"polite"`` (when there is a pause) or ``"assertive"`` (now); ``kind`` the event's.

    ``text`` is the whole of it, to be read; ``aloud`` what is spoken of it: at most two sentences.
    """

    text: str
    urgency: str
    kind: str
    aloud: str

    def to_json(self) -> dict[str, str]:
        return {"text": self.text, "urgency": self.urgency, "kind": self.kind, "aloud": self.aloud}


TABLE_AGREED = "The table is set up."
TABLE_ACCEPTED = "The table is taken as it is."
TURN_OPENED = "Turn {turn}. {role} picks first."
DOUBT = "This can be told in {count} ways. Please choose what was played."
STILL_TO_DO = "Still to do: {what}"
OR_BACK = "Or put back: {what}"
PUT_RIGHT = "Put right."
SEEN = "Jack is seen."
UNSEEN = "Jack is not seen."
SEEN_AND_NOBODY = "Jack is seen, and nobody is cleared."
UNSEEN_AND_NOBODY = "Jack is not seen, and nobody is cleared."
CLEARED = "Cleared: {names}."
NOBODY_CLEARED = "Nobody is cleared."
CANNOT_SEE = "I cannot see: {what}."
BURNT_OUT = "A reflection lies on {places}: move the light or the camera a little."
BURNT_OUT_MANY = "A reflection lies on the table: move the light or the camera a little."
CANNOT_SEE_MANY = "I cannot see {count} of the pieces."
STILL_CANNOT_SEE = "I still cannot see: {what}. Until then I cannot tell what was played: uncover it, or tap where it stands."
STILL_CANNOT_SEE_MANY = "I still cannot see {count} of the pieces. Is the board in the picture, and is there enough light?"
MISSING = " is missing and may lie at "
FEW = 3  # more names than these nobody listens to
CORRECTED = "Corrected: {what}"
CORRECTED_BY_HAND = "Corrected by hand."
RECALLED = "The call was a slip and does not count. It is asked again."
TAKEN_BACK = "{name} is taken back. Put the pieces back."
TAKEN_BACK_STILL = "{name} is taken back."
LAST_TAKEN_BACK = "The last play is taken back. Put back what it moved."
RULED = "The arbiter has ruled: the table stands as it is."
PLAY_STANDS = "The arbiter has ruled: the play stands."
ADJOURNED = "The game is adjourned."
RESUMED = "The game goes on."
PENALTY = "A penalty. {role}: {reason}"
GONE_BACK = "The arbiter takes the game back: turn {turn}, {pick} played. Put the pieces back."
GONE_BACK_TO_TURN = "The arbiter takes the game back: turn {turn}, before the first play. Put the pieces back."
GONE_BACK_WITHIN = "The arbiter takes the game back. {turn}. Put the pieces back."
NEW_SECRET = "The arbiter lets Jack tell anew who he is."
POSITION_SET = "The arbiter has set a position. Put the pieces as shown."
CARDS = "The cards of this turn: {names}."
ENTRUSTED = "Jack has entrusted his identity."
SEALED = "Jack has sealed his identity."
OPENED = "Jack was {name}."
SECRET_ENTRUSTED = "{role} has told the companion a secret."
SECRET_SEALED = "{role} has sealed a secret."
SECRETS_OPENED = "{role} reveals: {names}."
PERSON_OPENED = "{role} is {name}."
SECRET_AS = "{name} in the guise of {cover}"
DISPROVED = "What was opened does not fit what was said before."
DISPROVED_MORE = "Further points that do not fit: {count}."
KIND_AT = "{kind} {place}"
TIME_OVER = "{role}: the time is up."
CAMERA = "The camera"
OUT_OF_SIGHT = "I cannot see the board."
CLOCK: Mapping[str, str] = MappingProxyType(
    {
        "start": "The clocks are set.",
        "hold": "The clocks stand still.",
        "go": "The clocks run again.",
        "set": "A clock is set anew. {role}.",
    }
)

WORDS: Mapping[str, str] = MappingProxyType({"detective": "The detective", "jack": "Jack"})
TEMPLATES = (
    TABLE_AGREED, TABLE_ACCEPTED, TURN_OPENED, DOUBT, STILL_TO_DO, OR_BACK, PUT_RIGHT, SEEN, UNSEEN,
    SEEN_AND_NOBODY, UNSEEN_AND_NOBODY, CLEARED, NOBODY_CLEARED, CANNOT_SEE, CANNOT_SEE_MANY, BURNT_OUT, BURNT_OUT_MANY,
    STILL_CANNOT_SEE, STILL_CANNOT_SEE_MANY,
    GONE_BACK, GONE_BACK_TO_TURN, GONE_BACK_WITHIN,
    POSITION_SET, CORRECTED, CORRECTED_BY_HAND, RECALLED, TAKEN_BACK, LAST_TAKEN_BACK, RULED, PLAY_STANDS, ADJOURNED, RESUMED,
    NEW_SECRET, PENALTY,
    CARDS, ENTRUSTED, SEALED, OPENED, SECRET_ENTRUSTED, SECRET_SEALED, SECRETS_OPENED, PERSON_OPENED, SECRET_AS,
    DISPROVED, DISPROVED_MORE, KIND_AT, TIME_OVER, CAMERA, OUT_OF_SIGHT, *CLOCK.values(),
)  # fmt: skip
SILENT = frozenset({"match-opened", "clean-up", "sight-restored"})
"""Kinds of events that are shown and not said."""


@dataclass(frozen=True)
class Phrases:
    """The phrases of one language. ``names`` gives the spoken name of an id (in English); others are spelt out. ``seats``: how
    each seat is called (in English, :func:`called`). ``turn``: what a game calls its turns ("Night {n}"), if it does."""

    translator: Translator = field(default_factory=translator)
    names: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    turn: str = ""

    @classmethod
    def of(
        cls, labels: Mapping[str, str], names: Mapping[str, str] | None = None, language: Translator | None = None
    ) -> "Phrases":
        """The phrases of a game whose board has these ``labels``: they name its seats and its turns. In English by default."""
        return cls(language or translator(), names or {}, called(labels), labels.get("turn", ""))

    def announce(self, event: Json) -> Announcement | None:
        """What to say about an event (its JSON); None when it is not worth a word. An event of a kind that is not known here
        is a game's own: it is told by its data (``text``, ``params``), or not at all."""
        kind, data = event["kind"], event["data"]
        taken = data.get("accepted") is True  # whatever was asked for
        if kind in SILENT and not taken:
            return None
        text, urgency = _agreed(self, data) if taken else _SAYINGS.get(kind, _own)(self, data)
        short = _SHORT.get(kind)
        if not text:
            return None
        aloud = short(self, data) if short else text
        return Announcement(text, urgency, kind, aloud if kind in IN_FULL else for_the_ear(aloud, self.say(CAMERA)))

    def say(self, template: str, params: Json = MappingProxyType({})) -> str:
        """One sentence: the template translated, then filled with its words, translated too."""
        return self.translator.say(template, params)

    def name(self, subject: str) -> str:
        """The spoken name of a piece or of a place-bound subject such as ``cover:c2``."""
        word, colon, place = subject.partition(":")
        if colon:
            return self.translator.say(KIND_AT, {"kind": self.names.get(word, word), "place": place})
        return self.translator.text(self.names.get(word, word.replace("-", " ").capitalize()))

    def seat(self, seat: str) -> str:
        """A seat at the beginning of a sentence, in English."""
        return self.seats.get(seat) or WORDS.get(seat) or seat.replace("-", " ").capitalize()

    def listed(self, subjects: Sequence[str]) -> str:
        """Names one after the other."""
        return self.translator.listed(self.name(subject) for subject in subjects)

    def sentences(self, items: Sequence[Json]) -> str:
        """Faults, chores or plays (anything with ``text`` and ``params``), each once."""
        return self.translator.together(self.say(item["text"], item["params"]) for item in items if item.get("text"))

    def merged(self, items: Sequence[Json], most: int) -> str:
        """The same in at most ``most`` sentences: items that differ in a single word are said as one."""
        return self.sentences(merge_repeats(items)[:most])


Saying = tuple[str, str]


def called(labels: Mapping[str, str]) -> dict[str, str]:
    """How a board's labels call each seat: by its side, or by its own name where others are of that side too."""
    seats = {key.removeprefix("seat-"): name for key, name in labels.items() if key.startswith("seat-")}
    sides = [labels.get(f"side-{seat}", "") for seat in seats]
    return {seat: side if side and sides.count(side) == 1 else seats[seat] for seat, side in zip(seats, sides, strict=True)}


def _agreed(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(TABLE_ACCEPTED if data.get("accepted") else TABLE_AGREED), POLITE


def _turn(phrases: Phrases, data: Json) -> Saying:
    first = data["movers"][0]
    return phrases.say(TURN_OPENED, {"turn": data["turn"], "role": phrases.seat(first)}), POLITE


def _play(phrases: Phrases, data: Json) -> Saying:
    return phrases.sentences([data]), POLITE


def _doubt(phrases: Phrases, data: Json) -> Saying:
    if "text" in data:
        return phrases.say(data["text"], data.get("params", {})), ASSERTIVE
    return phrases.say(DOUBT, {"count": len(data["alternatives"])}), ASSERTIVE


def _flag(phrases: Phrases, data: Json) -> Saying:
    # Back one piece at a time: each piece that is put right brings the next request. Where far too much differs, the way back
    # is told once people have chosen it.
    far = any(fault["code"] == "too-much-changed" for fault in data["faults"])
    steps = 0 if far and not data.get("guiding") else 1
    chores = data["chores"][:steps] if data["verdict"] == "out-of-step" else data["chores"]
    faults = [] if data.get("guiding") else data["faults"]
    return phrases.translator.together((phrases.sentences(faults), phrases.sentences(chores))), ASSERTIVE


def _flag_aloud(phrases: Phrases, data: Json) -> str:
    """What is wrong, which says by itself how to put it right, then the next thing wrong or, where no single play is to blame,
    the first step of the way back. The page lists everything."""
    if data["verdict"] == "out-of-step":
        return _flag(phrases, {**data, "faults": data["faults"][:1]})[0]
    return phrases.sentences(data["faults"][:MOST_SENTENCES])


def _flag_cleared(phrases: Phrases, data: Json) -> Saying:
    return (phrases.say(PUT_RIGHT) if data["how"] == "put-back" else ""), POLITE


def _unfinished(phrases: Phrases, data: Json) -> Saying:
    if not data["faults"]:
        return "", POLITE
    said = [phrases.say(STILL_TO_DO, {"what": phrases.sentences(data["faults"])})]
    if data.get("chores"):
        said.append(phrases.say(OR_BACK, {"what": phrases.sentences(data["chores"])}))
    return phrases.translator.together(said), POLITE


def _unfinished_aloud(phrases: Phrases, data: Json) -> str:
    first = {**data, "faults": data["faults"][:1], "chores": data.get("chores", ())[:1]}
    return _unfinished(phrases, first)[0]


def _question(phrases: Phrases, data: Json) -> Saying:
    # An entrusted secret answers by itself in the next breath: nobody is asked.
    return (phrases.say(data["text"]) if data.get("by") != "secret" else ""), ASSERTIVE


def _pointed_at(phrases: Phrases, data: Json) -> Saying:
    # Where the place leaves no doubt, its answer is told in the next breath.
    return phrases.sentences([{"params": {}, **data}]), ASSERTIVE


def _call(phrases: Phrases, data: Json) -> Saying:
    cleared = (
        phrases.say(CLEARED, {"names": phrases.listed(data["cleared"])}) if data["cleared"] else phrases.say(NOBODY_CLEARED)
    )
    said = (phrases.say(SEEN if data["seen"] else UNSEEN), cleared, phrases.sentences(data["chores"]))
    return phrases.translator.together(said), ASSERTIVE


def _call_aloud(phrases: Phrases, data: Json) -> str:
    """The call, and the first thing to do about it; what else is to be done is said when that is done."""
    if not data["cleared"]:
        return phrases.translator.together(
            (phrases.say(SEEN_AND_NOBODY if data["seen"] else UNSEEN_AND_NOBODY), phrases.merged(data["chores"], 1))
        )
    return phrases.translator.together((phrases.say(SEEN if data["seen"] else UNSEEN), phrases.merged(data["chores"], 1)))


def _next_chores(phrases: Phrases, data: Json) -> Saying:
    """What is left to do, when one kind of it has just been done."""
    return (phrases.merged(data["chores"], MOST_SENTENCES) if data.get("next") else ""), POLITE


def _to_name(subjects: Sequence[str], reasons: Mapping[str, str]) -> tuple[str, ...]:
    """What to name of what cannot be seen. A piece that is missing may lie in many places: its kind alone is named then."""
    if len(subjects) <= FEW:
        return tuple(subjects)
    return tuple(dict.fromkeys(one.partition(":")[0] if MISSING in reasons.get(one, "") else one for one in subjects))


def _cannot_see(phrases: Phrases, data: Json) -> Saying:
    subjects, again = _to_name(data["subjects"], data.get("reasons", {})), data.get("times", 0) > 0
    if len(subjects) > FEW:
        said = phrases.say(STILL_CANNOT_SEE_MANY if again else CANNOT_SEE_MANY, {"count": len(subjects)})
    else:
        said = phrases.say(STILL_CANNOT_SEE if again else CANNOT_SEE, {"what": phrases.listed(subjects)})
    return phrases.translator.together((said, _burnt_out(phrases, data.get("burnt", ())))), POLITE


def _burnt_out(phrases: Phrases, sites: Sequence[str]) -> str:
    """What the light has whitened, and what to do about it."""
    if not sites:
        return ""
    return (
        phrases.say(BURNT_OUT, {"places": phrases.translator.listed(sites)})
        if len(sites) <= FEW
        else phrases.say(BURNT_OUT_MANY)
    )


def _correction(phrases: Phrases, data: Json) -> Saying:
    if data["what"] == "play":
        return phrases.say(CORRECTED, {"what": phrases.sentences([data])}), POLITE
    if data["what"] == "call":
        return phrases.say(RECALLED), ASSERTIVE
    return (phrases.say(CORRECTED_BY_HAND) if data.get("fixes") else ""), POLITE


def _undo(phrases: Phrases, data: Json) -> Saying:
    if data["cause"] != "answer":
        return "", POLITE
    who = data["character"]
    if who not in phrases.names:  # a play of tokens or of a card has no single piece for a name
        return phrases.say(LAST_TAKEN_BACK), POLITE
    return phrases.say(TAKEN_BACK_STILL if data.get("still") else TAKEN_BACK, {"name": phrases.name(who)}), POLITE


_BY_RULING: Mapping[str, str] = MappingProxyType(
    {"adjourn": ADJOURNED, "resume": RESUMED, "new-secret": NEW_SECRET, "allow": PLAY_STANDS}
)


def _ruling(phrases: Phrases, data: Json) -> Saying:
    if data["action"] == "penalty":
        return phrases.say(PENALTY, {"role": phrases.seat(data["against"]), "reason": data["reason"]}), ASSERTIVE
    if data["action"] == "take-back":
        return _gone_back(phrases, data), ASSERTIVE
    if data.get("restore"):
        return phrases.say(POSITION_SET), ASSERTIVE
    return phrases.say(_BY_RULING.get(data["action"], RULED)), POLITE


def _gone_back(phrases: Phrases, data: Json) -> str:
    """Plays are counted where turns are called turns: of a night or an hour nobody counts them."""
    if phrases.turn:
        return phrases.say(GONE_BACK_WITHIN, {"turn": phrases.say(phrases.turn, {"n": data["turn"]})})
    return phrases.say(GONE_BACK if data["pick"] else GONE_BACK_TO_TURN, {"turn": data["turn"], "pick": data["pick"]})


def _cards(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(CARDS, {"names": phrases.listed(data["characters"])}), POLITE


def _secret(phrases: Phrases, data: Json) -> Saying:
    if "text" in data:
        return phrases.sentences([data]), POLITE
    if "seat" in data:
        told = SECRET_SEALED if data["mode"] == "sealed" else SECRET_ENTRUSTED
        return phrases.say(told, {"role": phrases.seat(data["seat"])}), POLITE
    return phrases.say(SEALED if data["mode"] == "sealed" else ENTRUSTED), POLITE


def _opening(phrases: Phrases, data: Json) -> Saying:
    """What was secret, then whether it fits what was said before: the first points that do not."""
    told, wrong = _shown(phrases, data), data.get("disproved", ())
    if not wrong:
        return told, POLITE
    more = [phrases.say(DISPROVED_MORE, {"count": len(wrong) - FEW})] if len(wrong) > FEW else []
    return phrases.translator.together([told, phrases.say(DISPROVED), phrases.sentences(wrong[:FEW]), *more]), ASSERTIVE


def _shown(phrases: Phrases, data: Json) -> str:
    if "text" in data:
        return phrases.sentences([data])
    if "seat" in data:
        if len(data["opened"]) == 1 and _is_somebody(phrases, data["opened"][0]["value"]):
            name = _named(phrases, data["opened"][0]["value"])
            return phrases.say(PERSON_OPENED, {"role": phrases.seat(data["seat"]), "name": name})
        names = phrases.translator.listed(_named(phrases, one["value"]) for one in data["opened"])
        return phrases.say(SECRETS_OPENED, {"role": phrases.seat(data["seat"]), "names": names})
    return phrases.say(OPENED, {"name": phrases.name(data["character"])})


def _is_somebody(phrases: Phrases, value: str) -> bool:
    """Whether a secret is who somebody is, in disguise or not."""
    return all(name in phrases.names for name in value.split(" as "))


def _named(phrases: Phrases, value: str) -> str:
    """A secret by the names in it: somebody, or somebody who answers as another."""
    name, _, cover = value.partition(" as ")
    named = phrases.name(name)
    return phrases.say(SECRET_AS, {"name": named, "cover": phrases.name(cover)}) if cover else named


def _own(phrases: Phrases, data: Json) -> Saying:
    """An event of a game's own kind: its sentence, then what hands must do about it."""
    chores = phrases.sentences(merge_repeats(data.get("chores", ())))
    return phrases.translator.together((phrases.sentences([data]), chores)), ASSERTIVE


def _outcome(phrases: Phrases, data: Json) -> Saying:
    return phrases.sentences([data]), ASSERTIVE


def _clock(phrases: Phrases, data: Json) -> Saying:
    role = phrases.seat(data["role"]) if "role" in data else ""
    return (phrases.say(CLOCK[data["action"]], {"role": role}) if data["action"] in CLOCK else ""), POLITE


def _time_over(phrases: Phrases, data: Json) -> Saying:
    return phrases.say(TIME_OVER, {"role": phrases.seat(data["role"])}), ASSERTIVE


def _notice(phrases: Phrases, data: Json) -> Saying:
    said = phrases.sentences([data])
    first = said.partition(" ")[0]
    # What a camera says of a picture begins small; an address or a file's name stays as it is written.
    return (said[:1].upper() + said[1:] if first.isalpha() else said), POLITE


def _notice_aloud(phrases: Phrases, data: Json) -> str:
    # Why the board is not found is a matter of markers and corners: to be read, not heard.
    return phrases.say(OUT_OF_SIGHT) if data["code"] == "board-lost" else _notice(phrases, data)[0]


_SHORT: Mapping[str, Callable[[Phrases, Json], str]] = MappingProxyType(
    {"flag": _flag_aloud, "call": _call_aloud, "unfinished": _unfinished_aloud, "notice": _notice_aloud}
)
IN_FULL = frozenset({"ruling"})
"""Kinds of events in which people speak: their words are not cut short."""
_SAYINGS: Mapping[str, Callable[[Phrases, Json], Saying]] = MappingProxyType(
    {
        "table-agreed": _agreed,
        "turn-opened": _turn,
        "play": _play,
        "doubt": _doubt,
        "flag": _flag,
        "flag-cleared": _flag_cleared,
        "unfinished": _unfinished,
        "chores": _next_chores,
        "call-asked": _question,
        "pointed-at": _pointed_at,
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
        "clock": _clock,
        "time-over": _time_over,
    }
)
SPOKEN = frozenset(_SAYINGS)
