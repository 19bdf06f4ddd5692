"""What the page calls the things of a game: every word that the scripts ask for is in every board file, no other."""

import re
from pathlib import Path

import pytest

from companion import boards, games
from companion.boards.drawing import page_faults
from companion.boards.loading import shipped
from companion.games.seats import sole

SCRIPTS = Path(__file__).parents[2] / "web" / "static" / "script"
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.rglob("*.js")))
ASKED = set(re.findall(r'\bwording\(\s*"([^"]+)"', TEXT))
"""Labels that the scripts ask for by their whole name."""
OF_ZONES = "owner-"
"""How the words begin for whose a zone is; the watcher asks for them by the zone."""
BUILT = (*sorted(set(re.findall(r"\bwording\(\s*`([a-z-]+-)\$\{", TEXT))), OF_ZONES)
"""How the labels begin that are asked for by a seat, a state, a choice or the like."""
LISTED = set(re.findall(r'\["(secret-[a-z-]+)", \(\) =>', TEXT))
OPTIONAL = {"turn", "step-turn", "picks", "pick", "tidy", "position-alone"}
"""Where a game has no word for it the page says a general one, or nothing where an arbiter may set any piece."""
OF_THE_HOST = {"secret-lost"}
"""Asked for by ``companion/host/lobby_view.py``."""


WITH_ONE_SECRET = [game for game in boards.available() if "secret" in shipped(game).get("page", {})]
"""Games for which the page has words for everything; others are told in general words where they have none."""


@pytest.mark.parametrize("game", boards.available())
def test_seats_have_their_words_and_no_label_is_for_nobody(game: str) -> None:
    rules, data = games.load(game), shipped(game)
    labels = set(data["labels"])
    assert {f"{key}-{seat}" for seat in rules.seats for key in ("seat", "side")} <= labels
    assert set(data.get("page", {}).get("events", {})) <= set(rules.events)
    if game not in WITH_ONE_SECRET:
        maps = {one["label"] for one in data.get("page", {}).get("maps", [])}
        assert maps <= labels and not {one for one in labels - maps - OPTIONAL if not one.startswith((*BUILT, "owner-"))}
    choices = {choice for rule in rules.house_rules for choice in rule.choices}
    assert {label.removeprefix("choice-") for label in labels if label.startswith("choice-")} <= choices


@pytest.mark.parametrize("game", boards.available())
def test_every_choice_of_a_house_rule_has_its_words(game: str) -> None:
    """What had none was shown by its name in the rules, in English and in no sentence: "own next", "before discard"."""
    general = set(re.findall(r'^  "?([a-z-]+)"?: \(\) =>', (SCRIPTS / "choices.js").read_text(encoding="utf-8"), re.M))
    assert {"yes", "spend-all"} <= general
    labels = shipped(game)["labels"]
    choices = {choice for rule in games.load(game).house_rules for choice in rule.choices}
    wordless = {one for one in choices - general if f"choice-{one}" not in labels and not one.isdigit()}
    assert not wordless, sorted(wordless)


@pytest.mark.parametrize("game", [one for one in boards.available() if one not in WITH_ONE_SECRET])
def test_what_opens_a_seal_has_words_for_what_it_opens(game: str) -> None:
    """The button read "Open what was sealed", once for each of ten rows."""
    kinds = {re.sub(r"-\d+$", "", purpose.name) for purpose in games.load(game).purposes}
    assert {f"seals-{kind}" for kind in kinds} <= set(shipped(game)["labels"])


@pytest.mark.parametrize("game", WITH_ONE_SECRET)
def test_every_word_that_the_page_asks_a_game_for_is_there(game: str) -> None:
    data = shipped(game)
    named = {one[key] for one in data["page"]["answers"] for key in ("label", "said")}
    notes = {f"{key}-note" for key in LISTED}
    asked = (ASKED - OPTIONAL) | named | LISTED | notes | OF_THE_HOST
    labels = set(data["labels"])
    assert labels >= asked, sorted(asked - labels)
    assert not {label for label in labels - asked if not label.startswith(BUILT)}
    for edition in boards.editions(game):
        assert dict(boards.load(game, edition).labels) == data["labels"]


@pytest.mark.parametrize("game", WITH_ONE_SECRET)
def test_seats_states_and_choices_have_their_words(game: str) -> None:
    rules, data = games.load(game), shipped(game)
    labels = set(data["labels"])
    for seat in rules.seats:
        assert {f"seat-{seat}", f"side-{seat}"} <= labels
    assert {f"state-{state}" for state in data["page"]["people"]["looks"]} <= labels
    assert f"box-of-{data['page']['secret']['seat']}" in labels
    choices = {choice for rule in rules.house_rules for choice in rule.choices}
    assert {label.removeprefix("choice-") for label in labels if label.startswith("choice-")} <= choices


@pytest.mark.parametrize("game", WITH_ONE_SECRET)
def test_the_page_knows_the_game_by_its_own_names(game: str) -> None:
    """What a board file says of keys, kinds of events and of the one secret is what the game has."""
    rules, page = games.load(game), shipped(game)["page"]
    assert set(page["events"]) <= set(rules.events)
    alone = sole(rules.purposes)
    assert alone is not None and (page["secret"]["seat"], page["secret"]["key"]) == (alone.seat, alone.key)
    kinds = {kind.kind: kind.fields for kind in rules.answer_kinds}
    for answer in (*(one["answer"] for one in page["answers"]), page["answered"]["again"]["answer"]):
        assert answer.keys() - {"kind"} == set(kinds[answer["kind"]])
    assert {page["people"]["left"], page["people"]["states"], page["answered"]["in"]} <= set(rules.snapshot_order)


BROKEN = [
    ([], "page is not an object"),
    ({"answers": {}}, "answers is not a list"),
    ({"people": []}, "are objects"),
    ({"answers": [{"name": "yes"}]}, "answer 1 does not say which answer it is"),
    ({"answers": [{"answer": {"kind": "say"}, "symbol": "skull"}]}, "the symbol 'skull' is not known"),
    ({"answers": [{"answer": {"kind": "say"}, "look": "pink"}]}, "the look 'pink' is not known"),
    ({"events": {"asked": "shouts"}}, "mean 'shouts'"),
    ({"people": {"left": "open", "states": "seen", "looks": {"seen": 1}}}, "looks of people"),
    ({"people": {"left": "open"}}, "'states' is missing"),
    ({"maps": {}}, "maps is not a list"),
    ({"maps": [{"in": "open"}]}, "map 1 needs"),
    ({"secret": {"seat": "north", "key": "value"}}, "'ask' is missing"),
    ({"answered": {"names": "gone"}}, "'in' is missing"),
    ({"settable": "police"}, "settable is not a list of groups and zones"),
]


@pytest.mark.parametrize(("page", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_what_is_wrong_with_a_page_is_said(page: object, said: str) -> None:
    assert any(said in fault for fault in page_faults(page))


def test_a_board_without_a_page_is_none_the_worse() -> None:
    assert page_faults({}) == []
