"""Every event is said in whole sentences, or on purpose not at all; in any language, without ever failing."""

import re
import string
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from scripted_table import Hands, settled_hands

from companion import games
from companion.announce.catalogue import Catalogue
from companion.announce.languages import LANGUAGES, SOURCE
from companion.announce.patterns import PATTERNS
from companion.announce.phrases import ASSERTIVE, MISSING, POLITE, SILENT, SPOKEN, TEMPLATES, Phrases, called
from companion.announce.translator import LONGEST, Translator, translator
from companion.referee.match import EVENT_KINDS
from companion.web.sentences import announcer

OTHERS = [language for language in LANGUAGES if language != SOURCE]


def said(hands: Hands, phrases: Phrases | None = None) -> list[tuple[str, str, str]]:
    chosen = phrases or Phrases()
    announced = [chosen.announce(event.to_json()) for event in hands.events]
    return [(item.kind, item.urgency, item.text) for item in announced if item is not None]


def made_up(get: Callable[[str], str]) -> Translator:
    """A language that somebody makes up: ``get`` is its whole catalogue."""

    class MadeUp(Catalogue):
        def get(self, text: str) -> str | None:
            return get(text)

    return Translator(MadeUp("en", {}, {}))


def a_turn_with_a_slip() -> Hands:
    hands = settled_hands()
    hands.move("holmes", "e6").see()
    hands.move("bert", "g10").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    hands.say(kind="call", seen=True)
    return hands


def test_a_turn_is_told_in_sentences() -> None:
    told = said(a_turn_with_a_slip())
    texts = [text for _, _, text in told]
    assert texts[:3] == [
        "The table is set up.",
        "Turn 1. The detective picks first.",
        "Holmes goes from g5 to e6 and looks at an alibi card.",
    ]
    flag = next(item for item in told if item[0] == "flag")
    assert flag[1] == ASSERTIVE
    assert flag[2].startswith("Bert went 4 steps, he may go 3: put him back on i8 or within reach.")
    assert "Put Bert back from g10 to i8." in flag[2]
    assert told[-2] == ("call-asked", ASSERTIVE, "Jack: are you seen or unseen?")
    assert told[-1][2].startswith("Jack is seen. Cleared: Watson. Turn Watson to the innocent side.")
    assert {urgency for _, urgency, _ in told} == {POLITE, ASSERTIVE}


def test_every_kind_of_event_is_either_spoken_or_silent_on_purpose() -> None:
    assert {*EVENT_KINDS, *games.load().events} == SPOKEN | SILENT and not SPOKEN & SILENT


def test_no_sentence_keeps_a_placeholder_or_a_raw_id() -> None:
    for _, _, text in said(a_turn_with_a_slip()):
        assert "{" not in text and "}" not in text and "holmes" not in text


def test_sentences_and_their_words_are_translated() -> None:
    texts = [text for _, _, text in said(a_turn_with_a_slip(), Phrases(made_up(lambda text: f"~{text}")))]
    assert texts[2] == "~~Holmes goes from ~g5 to ~e6 and looks at an alibi card."


def test_a_broken_translation_falls_back_to_english() -> None:
    for broken in ("{nobody} {0}", "{", "{origin.real.x}"):
        phrases = Phrases(made_up(lambda text, broken=broken: broken if "{origin}" in text else text))
        assert phrases.say("{character} leaves {origin}.", {"character": "Gull", "origin": "e9"}) == "Gull leaves e9."


def test_few_hidden_pieces_are_named_and_many_counted() -> None:
    few = {"kind": "cannot-see", "data": {"subjects": ["bert", "cover:c2"], "reasons": {}}}
    many = {"kind": "cannot-see", "data": {"subjects": ["bert", "gull", "smith", "cover:c2"], "reasons": {}}}
    told = [Phrases(names={"bert": "Jeremy Bert"}).announce(event) for event in (few, many)]
    assert [item.text for item in told if item] == ["I cannot see: Jeremy Bert, cover c2.", "I cannot see 4 of the pieces."]


def test_a_missing_piece_that_may_lie_in_many_places_is_named_once() -> None:
    """Of one barricade in glare the table said that it could not see 25 of the pieces."""
    assert f"a {{kind}}{MISSING}{{place}}" in PATTERNS  # the sentence that cameras give as their reason
    pairs = [f"barricade:{pair}" for pair in ("A1+A2", "A2+A3", "A3+A4", "A4+A5", "A5+A6")]
    reasons = {pair: f"a barricade is missing and may lie at {pair.partition(':')[2]}" for pair in pairs}
    data = {"subjects": [*pairs, "smith"], "reasons": {**reasons, "smith": "it was not recognised"}}
    told = [Phrases().announce({"kind": "cannot-see", "data": {**data, "times": times}}) for times in (0, 1)]
    assert [item.text for item in told if item] == [
        "I cannot see: Barricade, Smith.",
        "I still cannot see: Barricade, Smith. Until then I cannot tell what was played: uncover it, or tap where it stands.",
    ]
    hidden = {"subjects": pairs, "reasons": dict.fromkeys(pairs, "A1+A2 is hidden")}
    covered = Phrases().announce({"kind": "cannot-see", "data": hidden})
    assert covered and covered.text == "I cannot see 5 of the pieces."


def test_an_entrusted_call_asks_nobody() -> None:
    hands = settled_hands(jack="stealthy")
    hands.write_secret()
    hands.move("holmes", "e6").see()
    hands.move("bert", "k9").shift("covers", "c2", "h6").see()
    hands.move("stealthy", "k7").see()
    hands.move("goodley", "l10").move("smith", "g10").move("gull", "f10").see()
    kinds = [kind for kind, _, _ in said(hands)]
    assert "call" in kinds and "call-asked" not in kinds


@pytest.mark.parametrize("template", TEMPLATES)
def test_templates_are_well_formed(template: str) -> None:
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    assert (all(name.isidentifier() for name in names) and template[0].isupper()) or template.startswith("{")


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        (
            "the picture is black: is the lens covered, or the light off?",
            "The picture is black: is the lens covered, or the light off?",
        ),
        ("http://10.0.0.2/video: answers 404 (Not Found)", "http://10.0.0.2/video: answers 404 (Not Found)"),
        ("evening.mp4: the stream broke off", "evening.mp4: the stream broke off"),
    ],
)
def test_what_a_camera_says_begins_as_a_sentence_and_an_address_as_it_is_written(reason: str, text: str) -> None:
    event = {"kind": "notice", "data": {"code": "board-lost", "text": "{reason}", "params": {"reason": reason}}}
    announced = Phrases().announce(event)
    assert announced is not None
    assert announced.text == text


def test_a_game_says_in_its_own_words_what_was_told_and_opened_or_says_nothing() -> None:
    told = {"mode": "entrusted", "seat": "jack", "purpose": "den", "number": 1}
    event = {"kind": "secret", "data": {**told, "text": "Jack has chosen his hideout.", "params": {}}}
    said = Phrases().announce(event)
    assert said is not None and said.text == "Jack has chosen his hideout."
    assert Phrases().announce({"kind": "secret", "data": {**told, "text": "", "params": {}}}) is None
    opened = {"seat": "jack", "purpose": "den", "opened": [], "text": "Jack's hideout was {values}.", "params": {"values": "7"}}
    said = Phrases().announce({"kind": "opening", "data": opened})
    assert said is not None and said.text == "Jack's hideout was 7."


def test_what_hands_must_do_after_an_event_of_a_games_own_is_said_kind_by_kind() -> None:
    chores = [{"text": "{piece}: take it off {place}.", "params": {"piece": "Token", "place": place}} for place in "abc"]
    said = Phrases().announce({"kind": "shown", "data": {"text": "All is shown.", "params": {}, "chores": chores}})
    assert said is not None and said.text == said.aloud == "All is shown. Token: take it off a, b, c."


def test_who_answered_as_another_is_told_by_both_names() -> None:
    opened = {"seat": "seat-4", "purpose": "role", "opened": [{"number": 1, "value": "adler as townsend", "nonce": ""}]}
    names = {piece.id: piece.name for piece in games.load("get-adler").pieces().pieces.values()}
    said = Phrases(names=names).announce({"kind": "opening", "data": opened})
    assert said is not None and said.text == "Seat 4 is Adler in the guise of Townsend."
    data = {"kind": "opening", "data": {**opened, "opened": [{"number": 1, "value": "3", "nonce": ""}]}}
    said = Phrases(names=names).announce(data)
    assert said is not None and said.text == "Seat 4 reveals: 3."


def test_a_play_that_is_let_stand_is_not_told_as_a_table_that_is_taken_as_it_is() -> None:
    """Two rulings that an arbiter chooses between were told in the same words."""
    told = [Phrases().announce({"kind": "ruling", "data": {"action": action}}) for action in ("allow", "accept")]
    assert [one and one.text for one in told] == [
        "The arbiter has ruled: the play stands.",
        "The arbiter has ruled: the table stands as it is.",
    ]


@pytest.mark.parametrize("game", games.available())
@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_a_clock_or_a_penalty_is_about_is_told_from_every_other_seat(game: str, language: str) -> None:
    """A policeman was "Brown", in every language; whose clock was set anew was told in the games of Mr. Jack alone."""
    known = games.load(game)
    labels = known.board(known.editions()[0]).labels
    phrases = Phrases(translator(language), seats=called(labels))
    for kind, data in (
        ("time-over", {"role": "{}"}),
        ("clock", {"action": "set", "role": "{}"}),
        ("ruling", {"action": "penalty", "against": "{}", "reason": "-"}),
    ):
        told = set()
        for seat in known.seats:
            said = phrases.announce({"kind": kind, "data": {key: word.format(seat) for key, word in data.items()}})
            assert said is not None
            name = translator(language).text(called(labels)[seat])
            assert name in said.text and (language == "en" or name != called(labels)[seat] or seat == "jack")
            told.add(said.text)
        assert len(told) == len(known.seats)


@pytest.mark.parametrize("kind", ["table-agreed", "clean-up", "laid"])
def test_a_table_that_was_taken_as_it_is_is_told_whatever_was_asked_for(kind: str) -> None:
    """A clean-up is silent, and what a game asks hands to lay has no sentence: an arbiter's word about them is told all the
    same."""
    told = Phrases().announce({"kind": kind, "data": {"position": {}, "accepted": True, "reason": "both agree"}})
    assert told is not None and told.text == "The table is taken as it is."
    done = Phrases().announce({"kind": kind, "data": {"position": {}}})
    assert done is None or done.text == "The table is set up."


@pytest.mark.parametrize(
    ("game", "pick", "told"),
    [
        ("mr-jack-london", 2, "The arbiter takes the game back: turn 3, 2 played. Put the pieces back."),
        ("mr-jack-london", 0, "The arbiter takes the game back: turn 3, before the first play. Put the pieces back."),
        ("letters-from-whitechapel", 0, "The arbiter takes the game back. Night 3. Put the pieces back."),
        ("get-adler", 1, "The arbiter takes the game back. Hour 3. Put the pieces back."),
    ],
)
def test_a_game_that_is_taken_back_says_to_which_turn_in_that_game_s_words(game: str, pick: int, told: str) -> None:
    """In Letters from Whitechapel it said "turn 1, 0 played" in the middle of a night."""
    tell = announcer(SimpleNamespace(game=games.load(game)))  # type: ignore[arg-type]
    said = tell({"kind": "ruling", "data": {"action": "take-back", "to": 5, "turn": 3, "pick": pick, "reason": "-"}}, "en")
    assert said is not None and said.text == told


@pytest.mark.parametrize("language", OTHERS)
def test_a_row_of_faults_is_told_in_every_language_however_long_it_is(language: str) -> None:
    """Of more than 400 characters nothing was translated; a form with many faults was refused in English."""
    faults = [f"camera {number}: the address names no host" for number in range(12)]
    traits = [f"{role}, {trait}: say its colour" for role in ("Adler", "Gold", "Collins") for trait in ("Hat", "Hair")]
    there = translator(language)
    told = there.text("; ".join(faults))
    assert len("; ".join(faults)) > LONGEST and "names no host" not in told
    assert all(there.text(fault) in told for fault in faults)
    told = there.text(f"traits: {'; '.join((*traits, 'Townsend has no traits'))}")
    assert not re.search("colour|has no|traits:", told) and all(there.text(fault) in told for fault in traits)
    assert there.text("x" * 500) == "x" * 500


@pytest.mark.parametrize("language", OTHERS)
def test_the_side_of_which_too_many_are_seen_is_named_in_the_language(language: str) -> None:
    """It stood in quotation marks as the board file has it, in English in the midst of the sentence."""
    told = translator(language).text("patrol, side down: 8 are seen, only 7 can lie so")
    assert not re.search("patrol|down|seen", told) and translator(language).word("down") in told
