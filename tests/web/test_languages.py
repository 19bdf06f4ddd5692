"""The page and its addresses in every language: nothing of English is left, and each device chooses for itself."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fake_table import FakeTable

from companion import games
from companion.announce.languages import LANGUAGES, SOURCE
from companion.announce.localised import localise
from companion.announce.translator import translator
from companion.games.mr_jack.expecting import QUESTIONS
from companion.referee.match import Match
from companion.referee.view import view
from companion.web.localisation import COOKIE
from companion.web.server import PageServer

OTHERS = [language for language in LANGUAGES if language != SOURCE]
WITHOUT_WORDS = {"text", "because", "position", "params", "shown", "source", "notation"}
ENGLISH = re.compile(
    r"\b(the|was|were|and|back|from|within|steps|put|gaslight|cannot|hides|seen|board|camera)\b", re.IGNORECASE
)
WORDS_JS = Path(__file__).parents[2] / "web" / "static" / "script" / "words.js"


def real_snapshot() -> dict[str, Any]:
    """A snapshot with every kind of sentence in it, of the real game's own making."""
    game = games.load()
    start = game.start()
    faults = game.explain(start, _moved(game, start, "bert", "g10"), mover="detective").faults
    state = {"characters": {**start.to_json()["characters"], "bert": {"hex": "g10", "side": "suspect"}}}
    chores = [chore.to_json() for chore in game.differences(start, state, ())]
    play = game.plays(start, "goodley", mover="detective")[0]
    choice = {"index": 0, "redo": False, "plays": [{"text": play.text, "params": dict(play.params)}], "text": "English"}
    flag = {"verdict": "illegal", "faults": [fault.to_json() for fault in faults], "chores": chores}
    return view(Match(game)) | {
        "witness": game.witness(start).to_json(), "flag": flag, "chores": chores, "doubt": {"alternatives": [choice]},
        "question": {"kind": "call", "text": QUESTIONS["call"]},
        "table": {"unknown": {"gull": "it is not in sight: 3 cells are hidden"}, "problems": ["something hides f5"]},
        "outcome": {"text": "{character} is Jack. The detective wins.", "params": {"character": "Gull"}, "message": "English"},
        "trouble": "a picture was left out: cam: the stream broke off",
    }  # fmt: skip


def _moved(game: Any, start: Any, character: str, to: str) -> Any:
    data = start.to_json()
    data["characters"][character]["hex"] = to
    return game.position(data, tolerant=True)


def read_by_people(value: Any, key: str = "") -> list[str]:
    """Every string of a snapshot that a person reads."""
    if isinstance(value, dict):
        return [line for name, item in value.items() if name not in WITHOUT_WORDS for line in read_by_people(item, name)]
    if isinstance(value, list):
        return [line for item in value for line in read_by_people(item, key)]
    return [value] if isinstance(value, str) and " " in value else []


@pytest.mark.parametrize("language", OTHERS)
def test_a_snapshot_keeps_no_english(language: str) -> None:
    data = localise(real_snapshot(), translator(language))
    left = [line for line in read_by_people(data) if ENGLISH.search(line)]
    assert not left
    assert data["doubt"]["alternatives"][0]["text"] != "English" and data["outcome"]["message"] != "English"
    assert data["question"]["text"] == translator(language).text(QUESTIONS["call"])


def test_telling_changes_nothing_that_programs_read() -> None:
    plain = real_snapshot()
    data = localise(plain, translator("ja"))
    assert data["witness"]["because"] == plain["witness"]["because"]
    for before, after in zip(plain["flag"]["faults"], data["flag"]["faults"], strict=True):
        assert after | {"message": before["message"]} == before
    assert data["position"] == plain["position"] and data["game"]["id"] == plain["game"]["id"]


@pytest.mark.parametrize(
    ("asked", "language"), [("zh-TW,zh;q=0.8", "zh-Hant"), ("it", "it"), ("xx", "en"), ("pt,es;q=0.5", "es")]
)
def test_the_browsers_languages_are_heard(client: Any, asked: str, language: str) -> None:
    page = client.get("/", headers={"Accept-Language": asked})
    assert f'<html lang="{language}"' in page.text and page.headers["Content-Language"] == language


def test_a_wish_is_remembered_on_this_device(client: Any) -> None:
    chosen = client.get("/?lang=ja", headers={"Accept-Language": "it"})
    cookie = chosen.headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=ja") and "SameSite=Lax" in cookie
    assert '<html lang="ja"' in client.get("/", headers={"Accept-Language": "it"}).text
    assert "Set-Cookie" not in client.get("/?lang=klingon", headers={"Accept-Language": "it"}).headers


def test_what_the_api_gives_is_in_the_language(client: Any) -> None:
    board = client.get("/api/board?lang=ja").get_json()
    assert board["pieces"][0]["name"] == "シャーロック・ホームズ" and board["pieces"][0]["mark"] == "H"
    assert client.get("/api/snapshot?lang=es").get_json()["witness"]["why"]["lestrade"] == ["luz de gas f5", "junto a Holmes"]
    refused = client.post("/api/answers?lang=it", json={"kind": "nonsense"}, headers={"X-Table-Witness": "1"})
    assert refused.get_json()["error"]["message"] == "non ci sono risposte di tipo 'nonsense'"
    assert client.get("/api/words?lang=zh-Hans").get_json()["Suspects"] == "嫌疑犯"
    assert client.get("/api/words?lang=en").get_json() == {}


def test_a_board_in_another_language_is_another_answer(client: Any) -> None:
    tag = client.get("/api/board?lang=ja").headers["ETag"]
    again = client.get("/api/board?lang=es", headers={"If-None-Match": tag})
    assert again.status_code == 200 and again.get_json()["pieces"][3]["name"] == "Inspector Lestrade"


@pytest.mark.parametrize("address", ["/api/board", "/api/words"])
def test_what_a_browser_has_in_english_is_not_enough_in_another_language(app: Any, address: str) -> None:
    """The names stayed English after a switch: the tag was compared before the answer was told in the new language."""
    client = app.test_client(use_cookies=False)  # one that keeps cookies drops a header of that name
    english = client.get(address, headers={"Accept-Language": "en"})
    seen = {"en": english.data}
    for ways in ({"Accept-Language": "ja"}, {"Cookie": "table-witness-language=it"}):
        switched = client.get(address, headers={**ways, "If-None-Match": english.headers["ETag"]})
        assert switched.status_code == 200 and switched.data not in seen.values()
        seen[str(ways)] = switched.data
        again = client.get(address, headers={**ways, "If-None-Match": switched.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
        assert {"Accept-Language", "Cookie", "Authorization"} <= set(again.headers["Vary"].replace(" ", "").split(","))
        back = client.get(address, headers={"Accept-Language": "en", "If-None-Match": switched.headers["ETag"]})
        assert (back.status_code, back.data) == (200, english.data)


def test_scripts_and_core_know_the_same_languages() -> None:
    listed = re.search(r"LANGUAGES = \{(.*?)\};", WORDS_JS.read_text(encoding="utf-8"), re.DOTALL)
    assert listed is not None
    names = {tag.strip('"'): name for tag, name in re.findall(r'("?[\w-]+"?): "([^"]+)"', listed[1])}
    assert names == dict(LANGUAGES)


def test_a_stream_speaks_the_readers_language(server: PageServer, table: FakeTable) -> None:
    import urllib.request  # noqa: PLC0415

    table.push("call-asked", {"text": "Jack: are you seen or unseen?", "by": "answer"})
    with urllib.request.urlopen(f"{server.address}api/events?after=0&lang=zh-Hant", timeout=10) as stream:
        lines = [stream.readline().decode() for _ in range(11)]  # after the snapshot and a beat
    told_events = [json.loads(line[6:]) for line in lines if line.startswith('data: {"number":1,"at"')]
    assert told_events and told_events[0]["text"] == "傑克：你可見還是不可見？"


VOICES = """
window.heard = [];
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => %s, cancel: () => {},
  speak: (said) => { window.heard.push([said.text, said.lang]); setTimeout(() => said.onend?.(), 5); } } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("wish", "title", "suspects", "menu", "answer"),
    [
        ("es", "Mr. Jack (Londres)", "Sospechosos", "Mesa", "Visto"),
        ("ja", "ミスタージャック（ロンドン）", "容疑者", "卓", "目撃された"),
    ],
)
def test_a_page_in_the_language_of_its_device(
    chromium: Any,
    server: PageServer,
    table: FakeTable,
    tmp_path: Path,
    wish: str,
    title: str,
    suspects: str,
    menu: str,
    answer: str,
) -> None:
    table.show("call")
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale=wish)
    page = context.new_page()
    page.set_default_timeout(8000)
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector(".big[data-look=light]")
    assert page.inner_text("#game-name") == title and page.inner_text("#people-title") == suspects
    assert menu in page.inner_text("#more-button") and answer in page.inner_text(".big[data-look=light]")
    shown = page.inner_text("body")
    assert not re.search(r"\b(Suspects|Camera|Connected|seen|Take|Turn \d|Sound)\b", shown), shown
    page.screenshot(path=tmp_path / f"page-{wish}.png")
    page.click("#more-button")
    page.select_option("select[name=language]", "zh-Hant")
    page.wait_for_selector("html[lang=zh-Hant]")
    page.wait_for_selector("#people-title:has-text('嫌疑犯')")
    page.goto(server.address)
    assert page.get_attribute("html", "lang") == "zh-Hant"
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("voices", "spoken"),
    [('[{ lang: "en-GB" }, { lang: "it-IT" }]', "it-IT"), ('[{ lang: "en-GB" }]', None), ("[]", None)],
)
def test_a_page_speaks_with_a_voice_of_its_language_or_says_that_there_is_none(
    chromium: Any, server: PageServer, voices: str, spoken: str | None
) -> None:
    context = chromium.new_context(locale="it")
    page = context.new_page()
    page.set_default_timeout(8000)
    page.add_init_script(VOICES % voices)
    page.goto(server.address)
    page.click("[data-key=start]")
    if spoken is None:
        # Said by itself, for some seconds; a list that stays empty is taken for none. Found and closed in one go.
        page.wait_for_function(
            "() => [...document.querySelectorAll('.message[data-from=mute] button')].map((one) => one.click()).length > 0"
        )
    page.click("#sound-button")
    assert ("non ha una voce per questa lingua" in page.inner_text("dialog")) == (spoken is None)
    page.evaluate("window.heard = []")
    page.click("[data-key=try]")
    heard = page.evaluate("window.heard")
    assert heard == ([] if spoken is None else [["Così suonerà l'interrogatorio dei testimoni.", spoken]])
    context.close()
