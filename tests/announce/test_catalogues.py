"""No text is forgotten in any language, none is unsure, and each keeps the places for its words."""

import errno
import os
import re

import extraction
import pytest
from babel.messages.pofile import read_po

from companion import games
from companion.announce import catalogue
from companion.announce.brevity import for_the_ear
from companion.announce.catalogue import DOMAINS
from companion.announce.languages import LANGUAGES, SOURCE, choose, folder, known
from companion.announce.patterns import MADE_OF_WORDS, PATTERNS, PLURALS
from companion.announce.translator import translator
from companion.devices.cameras.answers import USUAL, answered
from companion.vision.cards.faces import deck_faces

OTHERS = [language for language in LANGUAGES if language != SOURCE]
HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
ONLY_WORDS = re.compile(r"(a |on | at |[^a-z])*")
"""Texts that are made of nothing but the words put into them."""


def messages(language: str, domain: str) -> dict[str, object]:
    """The catalogue as it lies there, by the English text (of counting sentences by the plural)."""
    with catalogue.path(language, domain).open("rb") as file:
        held = [message for message in read_po(file, locale=folder(language)) if message.id]
    return {message.id[1] if isinstance(message.id, tuple) else message.id: message for message in held}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing_unsure_or_left_over(language: str, domain: str) -> None:
    held, needed = messages(language, domain), extraction.everything()[domain]
    missing = {text: where for text, where in needed.items() if text not in held}
    assert not missing, f"not in {catalogue.path(language, domain)}: {missing}"
    assert not held.keys() - needed.keys()
    unsure = [text for text, message in held.items() if message.fuzzy or not all(forms(message))]
    assert not unsure


def forms(message: object) -> tuple[str, ...]:
    """The translations of one message: one, or one for each kind of number."""
    given = message.string  # type: ignore[attr-defined]
    return given if isinstance(given, tuple) else (given,)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", OTHERS)
def test_places_for_words_are_kept(language: str, domain: str) -> None:
    for text, message in messages(language, domain).items():
        for form in forms(message):
            assert set(extraction.fields(form)) == set(extraction.fields(text)), (text, form)
            assert not re.search(r"\{[^a-z]|[^a-z]\}|\bmsgid\b|TODO", form.replace("{}", "")), form


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_cut_short_for_the_ear(language: str) -> None:
    """What an English announcement asks for at its end stood in a third sentence, which nobody heard."""
    cut = [
        form
        for text, message in messages(language, "said").items()
        for form in forms(message)
        if for_the_ear(text, "the camera") == text and for_the_ear(form, "") != form
    ]
    assert not cut


@pytest.mark.parametrize("language", ["ja", "zh-Hans", "zh-Hant"])
@pytest.mark.parametrize("domain", ["said", "page"])
def test_sentences_of_the_east_are_not_english(language: str, domain: str) -> None:
    left = [
        text for text, message in messages(language, domain).items()
        if not ONLY_WORDS.fullmatch(re.sub(r"\{\w+\}", "", text)) and not all(HAN.search(form) for form in forms(message))
    ]  # fmt: skip
    assert not left


def test_traditional_and_simplified_are_told_apart() -> None:
    simple, old = (catalogue.load(tag).texts for tag in ("zh-Hans", "zh-Hant"))
    assert (
        simple["Turn marker"] == "回合指示物"
        and old["Jack is seen."] == "傑克可見。"
        and simple["Jack is seen."] == "杰克可见。"
    )
    assert sum(simple[text] != old[text] for text in simple) > len(simple) / 2


def test_every_finished_line_is_taken_apart() -> None:
    """Whatever reaches a page: what the eyes doubt, rules and referee refuse, and a camera, a box or a profile cannot do."""
    rooms = (
        "companion/vision",
        "companion/games",
        "companion/referee",
        "companion/devices",
        "companion/host",
        "calibration",
        "web",
        *extraction.HALL,
    )
    strange = extraction.unmatched(extraction.finished(*rooms))
    assert not strange, [f"{item.where}: {item.text}" for item in strange]


@pytest.mark.parametrize("template", [one for one in PATTERNS if one not in MADE_OF_WORDS])
def test_a_filled_pattern_is_recognised_in_every_language(template: str) -> None:
    words = dict.fromkeys(extraction.fields(template), "7")
    line = template.format(**words)
    for language in OTHERS:
        assert translator(language).text(line) != line, (language, line)


@pytest.mark.parametrize("template", PLURALS)
def test_counting_agrees_with_the_number(template: str) -> None:
    singular, counted = PLURALS[template]
    words = dict.fromkeys(extraction.fields(template), "9")
    for language in ("en", "es", "it"):
        one, many = (translator(language).say(template, words | {counted: number}) for number in (1, 2))
        assert one.replace("1", "#") != many.replace("2", "#"), (language, one)
    assert extraction.fields(singular) == extraction.fields(template)


def test_a_sentence_agrees_with_the_person() -> None:
    said = extraction.everything()["said"]
    he, she = (next(text for text in said if f"steps, {word} may go" in text) for word in ("he", "she"))
    words = {"character": "X", "steps": 4, "limit": 3, "origin": "a1"}
    assert "devuélvelo" in translator("es").say(he, words) and "devuélvela" in translator("es").say(she, words)
    assert "rimettilo" in translator("it").say(he, words) and "rimettila" in translator("it").say(she, words)


def test_words_inside_a_sentence_are_translated() -> None:
    template = "{character} goes from {origin} to {to} and whistles: {whistled}."
    words = {"character": "Goodley", "origin": "l10", "to": "k9", "whistled": "Smith a3→b4, Gull f5→f7"}
    assert (
        translator("ja").say(template, words) == "グッドリーがl10からk9へ移動し、警笛を吹きました：スミス a3→b4、ガル f5→f7。"
    )
    assert translator("es").text("gaslight f5") == "luz de gas f5"
    assert translator("it").text("next to smith") == "accanto a Smith"
    assert translator("zh-Hant").text("it is not in sight: 1 cells are hidden") == "看不到：有1格被擋住"
    assert translator("en").text("next to smith") == "next to Smith"
    assert translator("ja").say("{who}: {card}.", {"who": "Seat 2", "card": "Gun"}) == "2番の席：拳銃。"


@pytest.mark.parametrize(("language", "number"), [("en", "0.2"), ("es", "0,2"), ("it", "0,2"), ("ja", "0.2")])
def test_decimals_have_the_language_s_sign(language: str, number: str) -> None:
    template = "The board is found again, to within {error} mm."
    told = translator(language)
    assert number in told.say(template, {"error": 0.2})
    assert number in told.text(template.format(error=0.2)), "a finished line"


def test_what_nobody_knows_stays_as_it_is() -> None:
    for line in ("", "rtsp://camera.local/stream", "Somebody's own words, said by hand", "x" * 1000):
        assert all(translator(language).text(line) == line for language in LANGUAGES)


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        (["ja-JP", "en"], "ja"), (["zh-CN"], "zh-Hans"), (["zh-TW"], "zh-Hant"), (["zh-HK"], "zh-Hant"), (["zh"], "zh-Hans"),
        (["zh-Hans-HK"], "zh-Hans"), (["es-MX"], "es"), (["it_IT"], "it"), (["pt", "fr"], "en"), ([None, "", "xx", "es"], "es"),
        ([], "en"),
    ],
)  # fmt: skip
def test_a_language_is_chosen_from_wishes(wishes: list[str | None], language: str) -> None:
    assert choose(wishes) == language
    assert known("klingon") is None


@pytest.mark.parametrize("game", games.available())
def test_reasons_and_plays_of_every_game_are_told(game: str) -> None:
    rules = games.load(game)
    if not hasattr(rules, "witness"):
        return  # a game without witnesses gives no reasons; what it says is in the catalogues
    start = rules.start()
    reasons = {reason for given in rules.witness(start).because.values() for reason in given}
    assert reasons and all(HAN.search(translator("ja").text(reason)) for reason in reasons), reasons
    assert all(translator("es").text(reason) != reason for reason in reasons)
    for character in rules.characters:
        play = rules.plays(start, character)[0]
        sentence = translator("zh-Hant").say(play.text, play.params)
        assert HAN.search(sentence) and not re.search(r"\b(goes|from|to|and|on)\b", sentence), sentence


def test_templates_of_the_page_hold_no_bare_text() -> None:
    for source in (extraction.ROOT / "web" / "templates").glob("*.html"):
        html = re.sub(r"<title>.*?</title>|\{\{.*?\}\}|\{%.*?%\}", "", source.read_text(encoding="utf-8"))
        shown = re.findall(r">([^<]*)<", html) + re.findall(r'(?:aria-label|alt|placeholder|title)="([^"]*)"', html)
        bare = [text.strip() for text in shown if re.search(r"[A-Za-z]{2}", text) and text.strip() != "Table Witness"]
        assert not bare, f"{source.name}: {bare}"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Put the informant on Liberty Island."),
        ("it", "Metti l'informatore su Liberty Island."),
        ("zh-Hans", "把告密者放到自由岛。"),
    ],
)
def test_a_place_of_the_board_that_has_a_name_is_told_by_it(language: str, sentence: str) -> None:
    assert translator(language).say("Put the informant on {to}.", {"to": "LIBERTY"}) == sentence


REFUSALS = (
    errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT, errno.ECONNRESET, errno.EPIPE, errno.ENOENT,
    errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EISDIR, errno.ENOTDIR, errno.EBUSY, errno.ENODEV,
    errno.EIO, errno.EMFILE, errno.ENAMETOOLONG, errno.ENOMEM, errno.EHOSTDOWN, errno.EAFNOSUPPORT,
)  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_operating_system_refuses_by_is_told_in_the_reader_s_language(language: str) -> None:
    """The end of the sentence was English: "no se puede alcanzar en 5 s: Connection refused"."""
    words = translator(language)
    for why in (*(os.strerror(code) for code in REFUSALS), "no answer in time"):
        for sentence in ("http://cam/video: cannot be reached within 5 s: {why}", "cam.json: cannot be read ({why})"):
            told = words.text(sentence.format(why=why))
            assert why not in told and words.text(why) in told


@pytest.mark.parametrize("language", OTHERS)
def test_what_a_camera_answers_instead_of_pictures_is_told_in_the_reader_s_language(language: str) -> None:
    """The end of the sentence was English ("responde 404 Not Found"), or all of it where the camera gave a number only."""
    words = translator(language)
    for status, why in USUAL.items():
        for source in ("http://cam/video: {}", "rtsp://cam/1: no stream over RTSP: {}"):
            told = words.text(source.format(answered(status, "whatever it says")))
            assert why not in told and words.text(why) in told and str(status) in told
    assert answered(599, "") == "answers 599" and answered(599, " Odd ") == "answers 599 Odd"
    by_number = {"source": "http://cam/video", "status": "599"}
    assert words.text("http://cam/video: answers 599") == words.say("{source}: answers {status}", by_number)
    assert "answers" not in words.text("http://cam/video: answers 599")


@pytest.mark.parametrize("language", OTHERS)
def test_every_face_of_a_deck_has_a_name_in_every_language(language: str) -> None:
    words = translator(language)
    faces = [face for game in games.available() for face in deck_faces(games.load(game).pieces()) if face.shared]
    assert any(face.back for face in faces)
    assert all(words.text(face.name) != face.name for face in faces)
