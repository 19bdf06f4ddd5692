"""The arbiter's page: every ruling with its reason, pictures of before and after, the record searched."""

from typing import Any

import pytest
from boxes import boxes
from club import Club
from fake_table import FLAG, FakeTable, play_data
from seat_pages import begin_ruling

from companion.games import load

pytestmark = pytest.mark.browser

PICTURE = "5" * 64


@pytest.fixture
def ruled(page: Any, server: Any, table: FakeTable) -> Any:
    """A page with some history, open on a flagged play."""
    table.kept[PICTURE] = table.frame or b""
    table.show("flagged")
    moments = [{"number": 0, "turn": 1, "pick": 0, "character": None}]  # older than all that the page knows
    table.change(match="m", take_back=moments, restoring=False, adjourned=False, penalties=[])
    play = play_data("holmes", ["g5", "e6"], "Holmes goes from g5 to e6.")
    table.push("play", play | {"pictures": {"before": PICTURE, "after": PICTURE}})
    fixes = [{"subject": "bert", "entry": {"hex": "k9", "side": "suspect"}, "against": None}]
    table.push("correction", {"what": "sight", "fixes": fixes})
    table.push("ruling", {"action": "adjourn", "reason": "The lamp broke"})
    table.push("flag", FLAG)
    page.goto(server.address)
    page.click("[data-key=quiet]")
    page.wait_for_selector("#log li[data-kind=flag]")
    return page


def send(page: Any, reason: str) -> None:
    page.fill("dialog input[name=reason]", reason)
    page.click("dialog [data-key=send]")
    page.wait_for_selector("dialog", state="detached")


def test_no_ruling_goes_without_a_reason(ruled: Any, table: FakeTable) -> None:
    ruled.click(".alarm [data-key=ruling]")
    assert ruled.is_checked("dialog input[value=allow]")
    ruled.click("dialog [data-key=send]")
    assert "Say why" in ruled.inner_text("dialog .wanting")
    assert table.taken == []
    ruled.click("dialog .chip-button >> nth=0")
    ruled.click("dialog [data-key=send]")
    ruled.wait_for_selector("dialog", state="detached")
    assert table.taken == [{"kind": "rule", "action": "allow", "reason": "A disputed rule"}]


def test_no_play_is_let_stand_where_the_referee_is_not_certain_whose_it_is(ruled: Any, table: FakeTable) -> None:
    table.change(whose_play=None)
    number = table.push("sight-restored", {}).number
    ruled.wait_for_selector(f"#room[data-number='{number}']")
    ruled.click(".alarm [data-key=ruling]")
    assert ruled.is_checked("dialog input[value=accept]")
    assert ruled.locator("dialog input[value=allow]").count() == 0


def test_the_table_is_taken_the_game_taken_back_and_a_penalty_given(ruled: Any, table: FakeTable) -> None:
    begin_ruling(ruled, "accept")
    ruled.check("dialog input[name=character][value=bert]")
    send(ruled, "agreed")
    begin_ruling(ruled, "accept")
    send(ruled, "moved by the cat")
    begin_ruling(ruled, "take-back")
    moments = ruled.locator("dialog .moments label").all_inner_texts()
    assert moments == ["Turn 1, before the first play"]
    send(ruled, "seen too late")
    begin_ruling(ruled, "penalty")
    ruled.check("dialog input[name=against][value=jack]")
    send(ruled, "slow")
    assert table.taken == [
        {"kind": "accept", "reason": "agreed", "character": "bert"},
        {"kind": "accept", "reason": "moved by the cat", "character": None},
        {"kind": "rule", "action": "take-back", "to": 0, "reason": "seen too late"},
        {"kind": "rule", "action": "penalty", "against": "jack", "reason": "slow"},
    ]


def test_moments_of_one_turn_are_told_apart_by_what_happened(ruled: Any, table: FakeTable) -> None:
    """Where no plays count, as in a night, every moment had the same name, and none was offered while something is laid."""
    stands = table.snapshot()["position"]
    other = stands | {"covers": ["a5", "c2"]}
    first = table.push("play", {"text": "Tokens: 1 of 3.", "params": {}, "position": other, "turn": 1}).number
    table.push("asked", {"text": "What now?", "params": {}})
    laid = table.push("laid", {"position": other | {"covers": ["a5", "f7"]}}).number
    table.push("play", {"text": "Tokens: 3 of 3.", "params": {}, "position": stands, "turn": 1})
    moments = [{"number": number, "turn": 1, "pick": 0, "character": None} for number in (first, laid)]
    table.change(take_back=moments, pick=0, flag=None)
    table.push("notice", {"code": "n", "text": "all laid", "params": {}})
    ruled.wait_for_selector("#log li:has-text('all laid')")
    begin_ruling(ruled, "take-back")
    assert ruled.locator("dialog .moments label").all_inner_texts() == [
        "Turn 1, after: What now?", "Turn 1, after: Tokens: 1 of 3.",
    ]  # fmt: skip
    send(ruled, "seen too late")
    assert table.taken == [{"kind": "rule", "action": "take-back", "to": laid, "reason": "seen too late"}]


def test_a_position_is_set_on_a_board_of_its_own(ruled: Any, table: FakeTable) -> None:
    board = "dialog .small-board [data-spot-id={}]".format
    begin_ruling(ruled, "set-position")
    assert "As on record" in ruled.inner_text("dialog .position-editor")
    ruled.click(board("e9"), force=True)  # Gull stands there: Bert takes the place, Gull has to go somewhere
    ruled.check("dialog:last-of-type input[value=bert]")
    ruled.click("dialog:last-of-type [data-key=save]")
    ruled.fill("dialog input[name=reason]", "knocked over")
    assert "Still to place: Sir William Gull" in ruled.inner_text("dialog .position-editor")
    ruled.click("dialog [data-key=send]")
    assert table.taken == []
    ruled.click(board("f9"), force=True)
    ruled.keyboard.press("Escape")  # an obstacle; nothing can be put there
    ruled.click(board("k9"), force=True)
    ruled.check("dialog:last-of-type input[value=gull]")
    ruled.click("dialog:last-of-type [data-key=save]")
    ruled.click(board("c2"), force=True)
    ruled.check("dialog:last-of-type input[name=what-covers][value='']")
    ruled.click("dialog:last-of-type [data-key=save]")
    ruled.click(board("a5"), force=True)
    ruled.check("dialog:last-of-type input[name=what-covers][value=yes]")
    ruled.click("dialog:last-of-type [data-key=save]")
    ruled.keyboard.press("Escape")  # too often
    ruled.wait_for_selector("dialog", state="detached")
    begin_ruling(ruled, "set-position")
    told = ruled.inner_text("dialog .position-editor")
    assert "Jeremy Bert i8 → e9" in told, "what was put together is not lost"
    assert "c2 → a5" in told
    assert ruled.get_attribute("#board [data-piece=gull]", "data-place") == "e9"  # the table's own board is left alone
    send(ruled, "knocked over")
    begin_ruling(ruled, "set-position")
    ruled.click("dialog [data-key=from-record]")
    assert "As on record" in ruled.inner_text("dialog .position-editor")
    [answer] = table.taken
    before = table.snapshot()["position"]
    assert (answer["action"], answer["reason"]) == ("set-position", "knocked over")
    after = answer["position"]
    assert after["characters"]["bert"] == before["characters"]["bert"] | {"hex": "e9"}
    assert after["characters"]["gull"]["hex"] == "k9"
    assert sorted(after["covers"]) == sorted({*before["covers"], "a5"} - {"c2"})
    assert {key: after[key] for key in ("gaslights", "cordons", "turn", "edition")} == {
        key: before[key] for key in ("gaslights", "cordons", "turn", "edition")
    }


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (1024, 768), (390, 844)])
def test_what_to_do_with_the_board_is_read_without_scrolling(ruled: Any, width: int, height: int) -> None:
    ruled.set_viewport_size({"width": width, "height": height})
    begin_ruling(ruled, "set-position")
    parts = (".small-board", "input[name=reason]", ".position-editor", "[data-key=send]")
    board, reason, told, send = boxes(ruled, *(f"dialog {part}" for part in parts))
    foot = send["y"]
    for box in (reason, told):
        assert box["y"] + box["height"] <= foot, "in sight"
        beside, above = box["x"] + box["width"] <= board["x"], box["y"] + box["height"] <= board["y"]
        assert (beside, above) == ((True, False) if width > height else (False, True))
    if width > height:
        assert board["y"] + board["height"] <= foot, "all of the board"


def test_an_adjourned_game_can_only_go_on_or_punish(ruled: Any, table: FakeTable) -> None:
    table.change(adjourned=True, flag=None)
    table.push("notice", {"code": "n", "text": "adjourned", "params": {}})
    ruled.wait_for_selector("#log li:has-text('adjourned')")
    begin_ruling(ruled, "resume")
    assert ruled.eval_on_selector_all("dialog input[name=ruling]", "all => all.map(one => one.value)") == ["resume", "penalty"]
    send(ruled, "lunch is over")
    assert table.taken == [{"kind": "rule", "action": "resume", "reason": "lunch is over"}]


def test_what_is_pressed_beside_a_flag_begins_with_a_ruling_that_can_be_given(ruled: Any, table: FakeTable) -> None:
    """An adjourned game cannot let a play stand: the dialog had nothing chosen, and no field for a reason."""
    table.change(adjourned=True)
    table.push("notice", {"code": "n", "text": "adjourned", "params": {}})
    ruled.wait_for_selector("#log li:has-text('adjourned')")
    ruled.click(".alarm [data-key=ruling]")
    assert ruled.is_checked("dialog input[value=resume]")
    send(ruled, "lunch is over")
    assert table.taken == [{"kind": "rule", "action": "resume", "reason": "lunch is over"}]


def test_a_table_is_taken_as_it_is_while_it_is_tidied_up(ruled: Any, table: FakeTable) -> None:
    table.show("clean-up")
    fault = FLAG["faults"][0] | {"code": "strayed", "character": None, "text": "Something else changed.", "params": {}}
    table.change(match="m", take_back=[], restoring=False, adjourned=False, penalties=[])
    table.change(flag=FLAG | {"verdict": "out-of-step", "faults": [fault], "chores": []})
    table.push("notice", {"code": "n", "text": "strayed", "params": {}})
    ruled.wait_for_selector("#log li:has-text('strayed')")
    ruled.click(".alarm [data-key=ruling]")
    assert ruled.is_checked("dialog input[value=accept]")
    assert not ruled.query_selector("dialog input[name=character]"), "nobody plays now"
    send(ruled, "the lamp stays")
    assert table.taken == [{"kind": "accept", "reason": "the lamp stays"}]


def test_the_record_is_searched_and_corrections_are_listed_in_full(ruled: Any) -> None:
    def shown() -> list[str]:
        return list(ruled.eval_on_selector_all("#log li", "all => all.filter(one => !one.hidden).map(one => one.dataset.kind)"))

    assert shown() == ["flag", "ruling", "correction", "play"]
    ruled.click(".log-search summary")
    ruled.click("[data-key=kind-corrections]")
    assert shown() == ["correction"]
    assert "Jeremy Bert → k9, suspect" in ruled.inner_text("#log li[data-kind=correction]")
    ruled.click("[data-key=kind-corrections]")
    ruled.fill("[data-key=search]", "LAMP")
    assert shown() == ["ruling"]
    assert "Reason: The lamp broke" in ruled.inner_text("#log li[data-kind=ruling]")
    assert ruled.inner_text("#log-found") == "Found: 1"


def test_a_table_that_was_taken_as_it_is_is_found_among_the_rulings(ruled: Any, table: FakeTable) -> None:
    table.push("clean-up", {"position": table.snapshot()["position"], "accepted": True, "reason": "the lamp stays"})
    ruled.wait_for_selector("#log li:has-text('the lamp stays')")
    ruled.click(".log-search summary")
    ruled.click("[data-key=kind-rulings]")
    found = "#log li:not([hidden])"
    assert ruled.eval_on_selector_all(found, "all => all.map(one => one.dataset.kind)") == ["clean-up", "ruling"]


def test_pictures_of_before_and_after_are_shown(ruled: Any) -> None:
    ruled.click("#log [data-key=pictures-1]")
    for _ in range(300):
        if ruled.evaluate("[...document.querySelectorAll('dialog img')].every(one => one.complete)"):
            break
        ruled.wait_for_timeout(100)
    assert ruled.eval_on_selector_all("dialog img", "all => all.map(one => one.naturalWidth)") == [640, 640]
    alts = ruled.eval_on_selector_all("dialog img", "all => all.map(one => one.alt)")
    assert alts == ["The table before: Holmes goes from g5 to e6.", "The table after: Holmes goes from g5 to e6."]


def test_a_picture_that_was_not_kept_is_not_found_and_no_name_leads_out(client: Any, table: FakeTable) -> None:
    table.kept[PICTURE] = b"jpeg"
    assert client.get(f"/api/pictures/{PICTURE}").data == b"jpeg"
    for name in ("6" * 64, "..%2f..%2fetc%2fpasswd", "..", PICTURE + "/.."):
        assert client.get(f"/api/pictures/{name}").status_code == 404, name


def test_house_rules_are_shown_and_those_that_differ_come_first(ruled: Any, table: FakeTable) -> None:
    rules = load().house_rules
    other = next(choice for choice in rules[-1].choices if choice != rules[-1].default)
    table.change(house_rules={rule.name: rule.default for rule in rules} | {rules[-1].name: other})
    table.push("notice", {"code": "n", "text": "ruled", "params": {}})
    ruled.wait_for_selector("#log li:has-text('ruled')")
    ruled.click("#more-button")
    ruled.click("dialog [data-key=house-rules]")
    shown = ruled.eval_on_selector_all("dialog [data-rule]", "all => all.map(one => [one.dataset.rule, one.dataset.other])")
    assert shown[0] == [rules[-1].name, "yes"]
    assert {name for name, _ in shown} == {rule.name for rule in rules}
    assert [mark for _, mark in shown[1:]] == ["no"] * (len(rules) - 1)
    assert rules[0].text in ruled.inner_text("dialog")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("ruling", {"action": "allow", "character": "bert", "reason": "both agree"}),
        ("undo", {"undone": 0, "character": "watson", "cause": "answer"}),
    ],
    ids=["a play that was let stand", "a play before one that was taken back"],
)
def test_who_stayed_does_not_speak_for_another_play(club: Club, page: Any, kind: str, data: dict[str, Any]) -> None:
    """Players read that nothing was moved with it."""
    stayed = club.table.push("play", play_data("watson", ["a3", "a3"], "Watson stays.") | {"moves": []})
    club.table.push(kind, data | ({"undone": stayed.number} if kind == "undo" else {}))
    club.show("playing")
    club.table.change(undo="bert" if kind == "ruling" else "holmes")
    club.sit(page, "detective")
    page.click("[data-key=quiet]")
    page.click("[data-key=take-back]")
    page.wait_for_selector("dialog")
    assert "Put its pieces back" in page.inner_text("dialog") and "Nothing was moved" not in page.inner_text("dialog")
