"""What is said at a refereed table: templates by code, English, to be translated where they are spoken.

Sentences of :mod:`.judging` and :mod:`.towards` are for the prompt; a fault of theirs is told here by its code.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.games.letters_from_whitechapel import acts
from companion.games.letters_from_whitechapel.acts import Act
from companion.games.letters_from_whitechapel.names import ALLEY, COACH, COLOURS, FAKE, WALK
from companion.games.letters_from_whitechapel.table import called
from companion.games.values import Fault

WHO: Mapping[str, str] = {colour: f"{colour.capitalize()} policeman" for colour in COLOURS}
"""A policeman's piece by colour, as the board file names it."""

ACTS: Mapping[str, str] = {
    acts.DRAW_HEAD: "{who}: head of tonight's investigation.",
    acts.VICTIMS: "The women are turned up: the Wretched stand on {circles}.",
    acts.MURDER: "Jack kills on {circles}.",
    acts.WAIT: "Jack waits.",
    acts.SCATTER: "No Wretched can move.",
    acts.TURN_UP: "A patrol token is turned up on {crossing}: {who}.",
    f"{acts.TURN_UP} {FAKE}": "A patrol token is turned up on {crossing}: it is a fake one.",
    acts.UNMASK: "The patrol tokens are turned up: the policemen come.",
    WALK: "Jack walks.",
    f"{WALK} home": "Jack walks, and is home in his hideout.",
    COACH: "Jack takes a coach.",
    ALLEY: "Jack goes by an alley.",
    acts.TRAPPED: "Jack is trapped.",
    f"{acts.SEARCH} yes": "There is a clue at {circle}.",
    f"{acts.SEARCH} no": "There is no clue at {circle}.",
    f"{acts.ARREST} yes": "Jack is caught at {circle}.",
    f"{acts.ARREST} no": "Jack is not at {circle}.",
    acts.STOP: "{who}: done.",
    "retracted": "Jack takes his last move back and moves anew.",
    "women": "Jack has laid women's tokens: {count} of {wanted}.",
    "patrols": "Patrol tokens lie on the board: {count} of {wanted}.",
    "moved": "The Wretched have moved and stand on {circles}.",
    acts.MOVE: "{who}: from {start} to {to}.",
    "stay": "{who}: stays on {start}.",
}
"""Acts and plays on record."""

ASKED: Mapping[str, str] = {
    acts.DRAW_HEAD: "Draw the head of tonight's investigation: which colour is it?",
    acts.MURDER: "Jack: do you kill, or wait?",
    acts.TURN_UP: "Jack: which patrol token is turned up?",
    "token": "Head of the investigation: which token lies on {crossing}?",
    "how": "Jack: how do you move? Say at once whether you announce that you are home.",
    "act": "{who}: search for a clue, arrest, or done?",
    "which": "{place}: search for a clue, or arrest?",
    acts.SEARCH: "Jack: were you at {circle} tonight?",
    acts.ARREST: "Jack: are you at {circle} now?",
}

LABELS: Mapping[str, str] = {
    WALK: "Walk", f"{WALK} home": "Walk, and home", COACH: "Coach", ALLEY: "Alley", acts.TRAPPED: "Trapped",
    acts.WAIT: "Wait", acts.STOP: "Done", "yes": "Yes", "no": "No", FAKE: "Fake",
}  # fmt: skip

LEFT = "Moves left: {left}. Coaches: {coaches}, alleys: {alleys}."
"""What is left of a night for Jack, as the track and its tokens show it."""

STORY: Mapping[str, str] = {
    "night": "Night {n}: the path, opened",
    "way": "Night {n}",
    "starts": "Jack flees from {circles}.",
    "goes": "{n}. {how} to {circles}. Circles where Jack could be, by all that was public: {count}.",
    "by coach": "{n}. {how} by {circles}. Circles where Jack could be, by all that was public: {count}.",
    "goes named": "{n}. {how} to {circles}. By all that was public Jack could be on: {places}.",
    "by coach named": "{n}. {how} by {circles}. By all that was public Jack could be on: {places}.",
    "walked": "{n}. {how} to {circles}.",
    "driven": "{n}. {how} by {circles}.",
    "hideout": "The hideout, ringed in the drawing: {circle}.",
    "left": "Circles left for the hideout at the end of the night: {count}.",
}
"""The opened path night by night, on the page and in the report."""

OUTCOMES: Mapping[str, str] = {
    "escaped": "Jack has escaped four nights, and five are dead: Jack wins.",
    "arrested": "Jack is arrested: the police win.",
    "trapped": "Jack cannot move any more: the police win.",
    "too-late": "Jack is not home, and the night is over: the police win.",
}

REFUSALS: Mapping[tuple[str, str], str] = {
    (acts.SEARCH, "out-of-reach"): "{who} cannot search {circle} from {crossing}; within reach are {allowed}",
    (acts.SEARCH, "clue-there"): "a clue lies on {circle} already",
    (acts.SEARCH, "asked-twice"): "{who} has searched {circle} already",
    (acts.SEARCH, "scene-not-searched"): "{circle} is a crime scene that is not searched",
    (acts.ARREST, "out-of-reach"): "{who} cannot arrest at {circle} from {crossing}; within reach are {allowed}",
    (acts.ARREST, "search-and-arrest"): "{who} has searched, and so arrests nobody in this turn",
    (COACH, "track-too-short"): "a coach takes two spaces of the track, and one is left",
    (COACH, "no-token"): "Jack has no coach left tonight",
    (COACH, "home-not-on-foot"): "only a walk ends at home",
    (ALLEY, "no-token"): "Jack has no alley left tonight",
    (ALLEY, "home-not-on-foot"): "only a walk ends at home",
    (acts.TRAPPED, "not-trapped"): "Jack is not trapped: a coach or an alley is left",
    (acts.WAIT, "must-kill"): "the time of the crime is V, and Jack must kill",
}
"""Why an answer cannot be taken, by its act and the code of the rule it breaks; all else is refused in general words."""

KEPT: Mapping[str, str] = {"hideout": "Jack has chosen his hideout.", "women": "Jack has marked tonight's women."}
"""Said when a secret was told; of rows nothing is: what was told comes next by itself."""
SHOWN: Mapping[str, str] = {"hideout": "Jack's hideout was {values}.", "move": "Jack's way, circle by circle: {values}."}
"""Said when secrets were opened at the end; what a night opens is told by what follows."""

DISPROVED: Mapping[str, str] = {
    f"jump {WALK}": "No walk leads from {start} to {to}.",
    f"jump {COACH}": "No coach goes from {start} by {to}.",
    f"jump {ALLEY}": "No alley leads from {start} to {to}.",
    "not-trapped": "Jack was called trapped, but could move.",
    "not-home": "Jack said that he was home, but was on {to}.",
    "kept-quiet": "Jack walked home and had to say so.",
    "false-answer": "Jack's answer about {circle} was not true.",
    "false-token": "The patrol token on {crossing} was another one.",
}
"""What opened secrets prove wrong, by its code."""

CHORES: Mapping[str, str] = {
    "move": "{piece}: move it from {place} to {to}.",
    "lay": "{piece}: lay it on {to}.",
    "take": "{piece}: take it off {place}.",
    "turn": "{piece}: turn it over on {place}.",
    "move crossing": "{piece}: move it from the crossing {place} to {to}.",
    "lay crossing": "{piece}: place it on the crossing {to}.",
    "take crossing": "{piece}: take it off the crossing {place}.",
    "turn crossing": "{piece}: turn it over on the crossing {place}.",
    "move special": "{piece}: move it from space {place} of the track to {to}.",
    "lay special": "{piece}: lay it on space {to} of the track.",
    "take special": "{piece}: take it off space {place} of the track.",
}

FAULTS: Mapping[str, str] = {
    "lifted": "{who}: in a hand; set it down on a crossing.",
    "off-the-crossings": "{who}: on {to}, but policemen stand on crossings.",
    "too-far": "{who}: cannot get from {start} to {to}; two crossings are the most.",
    "occupied": "{who}: ends on {to}, where another policeman stands.",
    "out-of-order": "{who}: moved from {start} to {to}, but it is another policeman's turn.",
    "gone": "{piece}: is gone from {to}, but has to stay there.",
    "not-due": "{piece}: lies on {to}, where nothing is to be laid now.",
    "turned-over": "{piece}: was turned over on {to}, but has to lie as it did.",
    "marker-moved": "{piece}: was moved, but has to stay where it was.",
    "not-his-step": "{piece}: stands on {to}, but no policeman moves now; he belongs on {start}.",
    "wrong-place": "{piece}: may not lie on {to}.",
    "face-up": "{piece}: lies open on {to}, but must lie face down.",
    "number-of-women": "More women's tokens lie on the board than tonight has.",
    "not-red": "A woman's token lies on {to}, which is not red.",
    "on-crime-scene": "A woman's token lies on {to}, where a crime scene marker lies.",
    "number-of-patrols": "More patrol tokens lie on the board than there are.",
    "patrol-place": "A patrol token lies on {to}, where no policeman ended and which has no yellow border.",
    "patrol-missing": "No patrol token lies on {to}, where a policeman ended the night before.",
    "woman-too-far": "A Wretched has moved to {to}, which is more than one circle away.",
    "woman-on-scene": "A Wretched has moved to {to}, where a crime scene marker lies.",
    "woman-beside-patrol": "A Wretched has moved to {to}, beside a patrol.",
    "woman-past-patrol": "A Wretched has moved to {to}, past a patrol.",
    "must-move": "Every Wretched that can move has to: not all have.",
    "no-play": "What changed on the board is no play.",
}

SET: Mapping[str, str] = {
    "added": "{piece}: nothing of this kind lies on {place} on record",
    "gone": "{piece}: lies on {place} on record",
    "turned": "{piece}: lies on {place} with its other side up on record",
    "moved": "{piece}: lies elsewhere on record",
    "no hunt": "policemen are set once they stand on the board and hunt Jack",
    "nowhere": "{who}: has to stand on a crossing",
    "no crossing": "{who}: stands on {place}, but policemen stand on crossings",
    "shared": "{names}: stand on one crossing, {place}",
    "no clues yet": "clue markers are set once the policemen hunt Jack",
    "no circle": "a clue marker lies on {place}, but clues lie on circles",
    "scene": "a clue marker lies on {place}, a crime scene that is not searched",
    "clues": "more clue markers lie on the board ({count}) than Jack has gone to circles tonight ({most})",
}
"""Why a position cannot be set as an arbiter has it, by code; refusals, so they go on in one row."""
ALONE = ("only policemen and clue markers can be set", "take the game back to change anything else")
"""What can be set, and the way to the rest."""

TELLS: Mapping[str, str] = {
    "hideout": "Choose your hideout for all four nights.",
    "women": "Which of your women are marked?",
    "patrols": "Where does this patrol token lie: {who}?",
    "order": "Two are dead: from which circle do you flee?",
    WALK: "Where do you walk?",
    COACH: "Which circle does the coach pass?",
    "coach on": "Where does the coach stop?",
    ALLEY: "To which circle does the alley lead?",
    "marked": "{circles}",
}
OWN: Mapping[str, str] = {
    "hideout": "Your hideout is {circle}.",
    "place": "You are at {circle}.",
    WALK: "Walks lead to {circles}.",
    COACH: "Coaches lead by {circles}.",
    ALLEY: "Alleys lead to {circles}.",
    acts.TRAPPED: "You cannot move: you are trapped.",
    "retract": "Take your last move back",
    "token": "{who}: on {crossing}.",
}


def several(values: Iterable[object]) -> str:
    """Circles or crossings as a list; ``-`` where there are none."""
    return ", ".join(map(str, values)) or "-"


def told(act: Act) -> dict[str, Any]:
    """``text`` and ``params`` of an act on record."""
    if act.kind in (acts.SEARCH, acts.ARREST):
        return {"text": ACTS[f"{act.kind} {'yes' if act.yes else 'no'}"], "params": {"circle": act.circle}}
    key = act.kind
    if act.yes:
        key = f"{act.kind} home"
    elif act.token == FAKE:
        key = f"{act.kind} {FAKE}"
    who = act.by or act.token
    return {
        "text": ACTS[key],
        "params": {"who": WHO.get(who or "", ""), "circles": several(act.circles), "crossing": called(act.crossing)},
    }


def fault(code: str, character: str | None = None, to: str = "", /, **more: Any) -> Fault:
    """A fault by code; ``to`` is the spot to be marked. ``allowed`` and ``pending`` go to the fault, the rest is its words;
    spots among them (``to``, ``start``) are told by what people call them."""
    allowed, pending = tuple(more.pop("allowed", ())), bool(more.pop("pending", False))
    if "start" in more:
        more["start"] = called(more["start"])
    return Fault(code, character, FAULTS[code], {"to": called(to), **more}, (to,) if to else (), allowed, pending)


def refusal(act: Act, broken: Iterable[Fault], crossing: str = "") -> str:
    """Why an act cannot be, by the first rule it breaks for which there are words; ``crossing``: where its policeman stands."""
    for one in broken:
        text = REFUSALS.get((act.kind, one.code))
        if text is not None:
            said = {
                **one.params,
                "crossing": called(crossing),
                "who": WHO.get(act.by or "", ""),
                "allowed": several(one.allowed),
            }
            return text.format(**said)
    return "the rules do not allow that now"
