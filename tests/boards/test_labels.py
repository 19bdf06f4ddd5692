"""What the page calls the things of a game: every word that the scripts ask for is in every board file, no other."""

import re
from pathlib import Path

import pytest

from companion import boards, games
from companion.boards.loading import shipped

SCRIPTS = Path(__file__).parents[2] / "web" / "static" / "script"
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.rglob("*.js")))
ASKED = set(re.findall(r'\bwording\(\s*"([^"]+)"', TEXT))
"""Labels that the scripts ask for by their whole name."""
BUILT = tuple(sorted(set(re.findall(r"\bwording\(\s*`([a-z-]+-)\$\{", TEXT))))
"""How the labels begin that the scripts ask for by a seat, a state, a choice or the like."""
LISTED = set(re.findall(r'\["(secret-[a-z-]+)", \(\) =>', TEXT))
OF_THE_HOST = {"secret-lost"}
"""Asked for by ``companion/host/lobby_view.py``."""


@pytest.mark.parametrize("game", boards.available())
def test_every_word_that_the_page_asks_a_game_for_is_there(game: str) -> None:
    data = shipped(game)
    named = {one[key] for one in data["page"]["answers"] for key in ("label", "said")}
    notes = {f"{key}-note" for key in LISTED}
    asked = ASKED | named | LISTED | notes | OF_THE_HOST
    labels = set(data["labels"])
    assert labels >= asked, sorted(asked - labels)
    assert not {label for label in labels - asked if not label.startswith(BUILT)}
    for edition in boards.editions(game):
        assert dict(boards.load(game, edition).labels) == data["labels"]


@pytest.mark.parametrize("game", boards.available())
def test_seats_states_and_choices_have_their_words(game: str) -> None:
    rules, data = games.load(game), shipped(game)
    labels = set(data["labels"])
    for seat in rules.seats:
        assert {f"seat-{seat}", f"side-{seat}"} <= labels
    assert {f"state-{state}" for state in data["page"]["people"]["looks"]} <= labels
    assert f"box-of-{data['page']['secret']['seat']}" in labels
    choices = {choice for rule in rules.house_rules for choice in rule.choices}
    assert {label.removeprefix("choice-") for label in labels if label.startswith("choice-")} <= choices
