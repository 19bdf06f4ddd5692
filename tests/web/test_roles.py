"""Every address and every answer with every role; links, cookies, delays, and what is taken back."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_boxes import FakeBoxes
from fake_lobby import PlayingLobby
from fake_table import FakeTable, play_data

from companion import games
from companion.host.authority import Authority
from companion.host.notes import Notes
from companion.host.passes import Passes
from companion.host.secrets import Secrets
from companion.host.table_proxy import NoTableYet
from companion.web.access import AccessControl
from companion.web.app import create_app, views_of
from companion.web.delayed_table import DelayedTable, Pasts
from companion.web.guard import HEADER
from companion.web.problems import Problem
from companion.web.roles import ARBITER, CAMERA, DELAYS, OWNER, PUBLIC, ROUTES, SPECTATOR, TABLE, rights_of
from companion.web.server import PageServer, is_loopback
from companion.web.settings import PageSettings

JACK, DETECTIVE = "jack", "detective"
RIGHTS = rights_of(games.load())
ROLES, ANSWERS, FIELDS = RIGHTS.roles, RIGHTS.answers, RIGHTS.fields
AUTHORITY = Authority.open(None)
POST = {HEADER: "1", "Origin": "http://localhost"}
SAMPLES: dict[str, dict[str, Any]] = {
    "call": {"seen": True}, "choose": {"alternative": 0}, "correct": {"subject": "holmes", "place": None}, "undo": {},
    "cards": {"characters": []}, "accept": {}, "deal": {}, "rule": {"action": "adjourn", "reason": "late"},
    "entrust": {"character": "bert"}, "seal": {"commitment": "0" * 64}, "reveal": {"character": "bert"},
    "clock": {"action": "start", "seconds": 600}, "recall": {}, "guide": {},
}  # fmt: skip

# What every role gets at every address, said once more and apart from the code: 200 yes, 401 no link, 403 not for you.
EVERYONE, HOSTS, PLAYERS = set(ROLES) - {CAMERA}, {TABLE, ARBITER, OWNER}, {TABLE, JACK, DETECTIVE, ARBITER, OWNER}
EXPECTED: dict[tuple[str, str], set[str]] = {
    ("GET", "/static/<path:filename>"): EVERYONE | {PUBLIC, CAMERA},
    ("GET", "/favicon.ico"): EVERYONE | {PUBLIC, CAMERA},
    ("GET", "/api/words"): EVERYONE | {PUBLIC, CAMERA},
    ("GET", "/join"): EVERYONE | {PUBLIC, CAMERA},
    ("GET", "/trust"): EVERYONE | {PUBLIC, CAMERA},
    ("GET", "/trust/table-witness.crt"): EVERYONE | {PUBLIC, CAMERA},
    ("POST", "/api/session"): EVERYONE | {PUBLIC, CAMERA},
    ("GET", "/"): EVERYONE,
    ("GET", "/overlay"): {TABLE, ARBITER, SPECTATOR, OWNER},
    ("GET", "/api/snapshot"): EVERYONE,
    ("GET", "/api/board"): EVERYONE,
    ("GET", "/api/events"): EVERYONE,
    ("GET", "/api/picture.jpg"): HOSTS,
    ("GET", "/api/pictures/<path:digest>"): HOSTS,
    ("GET", "/api/report.html"): HOSTS,
    ("POST", "/api/answers"): PLAYERS,
    ("GET", "/api/hearing"): PLAYERS,
    ("POST", "/api/hearing"): PLAYERS,
    ("GET", "/api/passes"): HOSTS,
    ("POST", "/api/passes"): HOSTS,
    ("POST", "/api/passes/revoke"): HOSTS,
    ("POST", "/api/passes/renew"): HOSTS,
    ("GET", "/api/boxes"): PLAYERS,
    ("POST", "/api/boxes/press"): PLAYERS,
    ("POST", "/api/boxes/assign"): HOSTS,
    ("POST", "/api/boxes/look"): HOSTS,
    ("POST", "/api/boxes/shuffle"): {TABLE, JACK, ARBITER, OWNER},
    ("GET", "/api/boxes/labels"): {TABLE, JACK, OWNER},
    ("GET", "/camera"): {TABLE, ARBITER, CAMERA, OWNER},
    ("POST", "/api/camera/picture"): {TABLE, ARBITER, CAMERA, OWNER},
    ("GET", "/api/notes"): {DETECTIVE},
    ("POST", "/api/notes"): {DETECTIVE},
    ("GET", "/lobby"): {OWNER},
    ("GET", "/api/lobby"): {OWNER},
    ("POST", "/api/lobby"): {OWNER},
    ("GET", "/api/lobby/picture.jpg"): {OWNER},
    ("GET", "/api/lobby/cameras"): {OWNER},
    ("GET", "/api/lobby/stickers.pdf"): {OWNER},
    ("GET", "/api/lobby/mat.pdf"): {OWNER},
}
BODIES = {
    "/api/session": {"token": None}, "/api/answers": {"kind": "choose", "alternative": 0}, "/api/passes": {"role": SPECTATOR},
    "/api/notes": {"characters": []}, "/api/boxes/press": {"button": "again"}, "/api/boxes/look": {},
    "/api/boxes/assign": {"box": "0000000a", "role": "jack"}, "/api/boxes/shuffle": {"on": True},
    "/api/lobby": {"do": "go", "step": "camera"},
}  # fmt: skip


class Setting:
    """One closed table and a client for every role."""

    def __init__(self, lobby_port: PlayingLobby) -> None:
        self.lobby_port = lobby_port
        lobby_port.do("camera", {"kind": "demo"})
        assert lobby_port.preview is not None and lobby_port.preview.newest(5) is not None
        self.table = FakeTable()
        self.table.change(match="match-1")
        position = self.table.snapshot()["position"]
        self.table.push("match-opened", {"id": "match-1", "position": position, "house_rules": {}})
        self.passes = Passes.open(None)
        self.secrets = Secrets.open(None)
        notes = Notes(self.secrets, games.load(), lambda: "match-1")
        settings = PageSettings(watch_seconds=0.1, heartbeat_seconds=0.2, answers_burst=200)
        self.table.kept[PICTURE] = self.table.frame or b""
        self.app = create_app(
            self.table,
            settings,
            access_control=AccessControl(self.passes, closed=True, notes=notes),
            button_boxes=FakeBoxes(),
            camera=self,
            authority=AUTHORITY,
            lobby_port=lobby_port,
            recogniser=lambda phrases: self,
        )

    def understand(self, sound: bytes) -> tuple[str, str] | None:
        return None

    def push(self, data: bytes, *, still: bool = False) -> tuple[int, int]:
        return len(data), int(still)

    def token(self, role: str, **more: Any) -> str:
        return self.passes.issue(role, **more)[1]

    def client(self, role: str, **more: Any) -> Any:
        client = self.app.test_client()
        if role != PUBLIC:
            assert post(client, "/api/session", {"token": self.token(role, **more)}).status_code == 200
        return client


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    setting = Setting(PlayingLobby(tmp_path))
    yield setting
    setting.lobby_port.close()


def post(client: Any, address: str, body: Any, **headers: str) -> Any:
    return client.post(address, json=body, headers={**POST, **headers})


def code(response: Any) -> str:
    return str(response.get_json()["error"]["code"])


PICTURE = "5" * 64


def ask(client: Any, method: str, rule: str, body: Any) -> int:
    address = rule.replace("<path:filename>", "script/dom.js").replace("<path:digest>", PICTURE)
    if (method, rule) == ("POST", "/api/hearing"):
        response = client.post(address, data=bytes(16_000), headers={**POST, "Content-Type": "application/octet-stream"})
    elif rule.endswith("picture"):
        response = client.post(address, data=FakeTable().frame, headers={**POST, "Content-Type": "image/jpeg"})
    else:
        response = client.get(address) if method == "GET" else post(client, address, body)
    response.close()
    return int(response.status_code)


def test_every_route_with_every_role(setting: Setting) -> None:
    rules = list(setting.app.url_map.iter_rules())
    assert {rule.endpoint for rule in rules} == set(ROUTES), "an address without a row lets nobody in; a row too many is a slip"
    routes = {(method, rule.rule) for rule in rules for method in rule.methods - {"HEAD", "OPTIONS"}}
    assert routes == set(EXPECTED)
    wrong, checked = [], 0
    for role in (*ROLES, PUBLIC):
        client = setting.client(role)
        for (method, rule), allowed in EXPECTED.items():
            body = BODIES.get(rule)
            if rule.endswith(("revoke", "renew")):
                body = {"id": setting.passes.issue(SPECTATOR)[0].id}
            status = ask(client, method, rule, body)
            if rule == "/api/session" and role != PUBLIC:
                post(client, "/api/session", {"token": setting.token(role)})
            refused = {403} if role != PUBLIC else {302} if rule in ("/", "/overlay", "/camera", "/lobby") else {401}
            fine = {200, 204} if role in allowed else refused
            checked += 1
            if status not in fine:
                wrong.append((role, method, rule, status))
    assert wrong == []
    assert checked == len(EXPECTED) * (len(ROLES) + 1)


def test_every_answer_with_every_role(setting: Setting) -> None:
    assert set(ANSWERS) == set(FIELDS) == set(SAMPLES)
    expected = {
        TABLE: {"call", "recall", "guide", "choose", "correct", "undo", "cards", "deal", "clock", "entrust", "seal", "reveal"},
        JACK: {"call", "recall", "choose", "entrust", "seal", "reveal"},
        DETECTIVE: {"choose", "cards"},
        ARBITER: {"call", "recall", "guide", "choose", "correct", "undo", "cards", "deal", "clock", "accept", "rule"},
        SPECTATOR: set(),
        CAMERA: set(),
        OWNER: set(FIELDS),
    }
    for role in ROLES:
        client = setting.client(role)
        taken = {
            kind
            for kind, fields in SAMPLES.items()
            if post(client, "/api/answers", {"kind": kind, **fields}).status_code == 200
        }
        assert taken == expected[role], role
    assert {one["kind"] for one in setting.table.taken} == set(FIELDS) | set()


def test_head_and_options_open_nothing_that_get_does_not(setting: Setting) -> None:
    stranger = setting.client(PUBLIC)
    for (method, rule), allowed in EXPECTED.items():
        if PUBLIC not in allowed and method == "GET":
            assert stranger.head(rule).status_code in (401, 302), rule


def test_on_this_machine_alone_no_link_is_needed(client: Any, table: FakeTable) -> None:
    assert client.get("/api/snapshot").status_code == 200
    assert post(client, "/api/answers", {"kind": "entrust", "character": "bert"}).status_code == 200
    assert post(client, "/api/answers", {"kind": "accept"}).status_code == 200
    assert client.get("/api/notes").status_code == 403


def test_a_bad_token_is_not_the_machines_own_page(client: Any) -> None:
    assert client.get("/api/snapshot", headers={"Authorization": "Bearer forged"}).status_code == 401


def test_an_open_page_is_never_served_to_others(table: FakeTable) -> None:
    with pytest.raises(AssertionError):
        PageServer(create_app(table), "0.0.0.0")
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "192.168.1.2", "")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_the_cookie_is_out_of_reach_of_scripts_and_other_pages(setting: Setting) -> None:
    client = setting.app.test_client()
    token = setting.token(JACK)
    response = post(client, "/api/session", {"token": token})
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie
    assert token not in response.text
    over_tls = client.post(
        "/api/session",
        json={"token": token},
        headers={HEADER: "1", "Origin": "https://localhost"},
        base_url="https://localhost",
    )
    assert "Secure" in over_tls.headers["Set-Cookie"]


def test_two_tables_behind_one_address_do_not_share_a_cookie(tmp_path: Path) -> None:
    """Behind a port mapping both believe to be at the same port, and a browser gives cookies to every port."""
    names = set()
    for _ in range(2):
        passes = Passes.open(None)
        app = create_app(FakeTable(), access_control=AccessControl(passes, closed=True))
        response = post(app.test_client(), "/api/session", {"token": passes.issue(TABLE)[1]})
        names.add(response.headers["Set-Cookie"].partition("=")[0])
    assert len(names) == 2
    kept = tmp_path / "passes.json"
    Passes.open(kept).issue(TABLE)
    assert Passes.open(kept).table == Passes.open(kept).table, "a game that is resumed keeps its visitors"


def test_another_seats_link_asks_before_it_takes_the_browser_over(setting: Setting) -> None:
    client = setting.client(ARBITER)
    token = setting.token(JACK)
    asked = post(client, "/api/session", {"token": token})
    assert asked.get_json() == {"role": ARBITER, "seat": ARBITER, "switch": JACK}
    assert "Set-Cookie" not in asked.headers
    assert client.get("/api/passes").status_code == 200, "still the arbiter"
    assert post(client, "/api/session", {"token": token, "switch": True}).status_code == 200
    assert client.get("/api/passes").status_code == 403
    assert post(client, "/api/session", {"token": token}).status_code == 200, "the same seat again"
    assert post(client, "/api/session", {"token": token, "switch": "yes"}).status_code == 400


def test_what_was_given_to_one_role_is_not_taken_for_anothers(setting: Setting) -> None:
    """Caches and browsers know answers again by their tag; it names the reader's role, and what the answer depends on."""
    seen = {role: setting.client(role).get("/api/board").headers for role in (TABLE, JACK, SPECTATOR)}
    assert len({headers["ETag"] for headers in seen.values()}) == 3
    assert all("Cookie" in headers["Vary"] and "Authorization" in headers["Vary"] for headers in seen.values())


def test_a_program_shows_its_token_itself(setting: Setting) -> None:
    client, token = setting.app.test_client(), setting.token(SPECTATOR)
    assert client.get("/api/snapshot", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert client.get("/api/snapshot").status_code == 401


def test_links_are_handed_out_renewed_and_taken_back(setting: Setting) -> None:
    arbiter = setting.client(ARBITER)
    given = post(arbiter, "/api/passes", {"role": JACK, "seat": "Anna"}).get_json()
    assert given["link"].startswith("http://localhost/join#")
    assert given["qr"]["size"] > 25
    jack = setting.app.test_client()
    post(jack, "/api/session", {"token": given["link"].partition("#")[2]})
    assert jack.get("/api/snapshot").status_code == 200
    again = post(arbiter, "/api/passes/renew", {"id": given["pass"]["id"]}).get_json()
    assert code(jack.get("/api/snapshot")) == "no-pass"
    post(jack, "/api/session", {"token": again["link"].partition("#")[2]})
    assert again["pass"]["seat"] == "Anna"
    assert jack.get("/").status_code == 200
    assert post(arbiter, "/api/passes/revoke", {"id": again["pass"]["id"]}).status_code == 200
    assert jack.get("/api/snapshot").status_code == 401
    assert jack.get("/").headers["Location"] == "/join"
    assert again["pass"]["id"] not in arbiter.get("/api/passes").text


def test_the_table_is_no_way_to_become_arbiter(setting: Setting) -> None:
    table, own = setting.client(TABLE), setting.passes.issue(ARBITER)[0]
    assert code(post(table, "/api/passes", {"role": ARBITER})) == "not-yours"
    for verb in ("renew", "revoke"):
        assert code(post(table, f"/api/passes/{verb}", {"id": own.id})) == "not-yours"
    assert own.id not in table.get("/api/passes").text
    assert setting.passes.good(own)


@pytest.mark.parametrize(
    "body",
    [
        [], {}, {"role": "king"}, {"role": 7}, {"role": JACK, "delay": 60}, {"role": SPECTATOR, "delay": 7},
        {"role": SPECTATOR, "delay": True}, {"role": JACK, "hours": 0}, {"role": JACK, "seat": "x" * 99},
        {"role": JACK, "x": 1},
    ],
)  # fmt: skip
def test_links_that_cannot_be(setting: Setting, body: Any) -> None:
    before = setting.passes.handed_out()
    arbiter = setting.client(ARBITER)
    assert post(arbiter, "/api/passes", body).status_code == 400
    assert [one.role for one in setting.passes.handed_out()[len(before) :]] == [ARBITER]


def test_an_open_stream_ends_when_its_link_is_taken_back(setting: Setting) -> None:
    held, token = setting.passes.issue(SPECTATOR)
    stream = setting.app.test_client().get("/api/events", headers={"Authorization": f"Bearer {token}"})
    lines = stream.iter_encoded()
    assert b"retry" in next(lines)
    next(lines)
    setting.passes.revoke(held.id)
    setting.table.push("play", play_data("holmes", ["g5", "g6"], "{who} walks."))
    assert all(b"walks" not in line for line in lines)
    stream.close()


def test_notes_are_seen_by_their_own_seat_alone(setting: Setting) -> None:
    one, two = setting.client(DETECTIVE, seat="Ada"), setting.client(DETECTIVE, seat="Ben")
    assert post(one, "/api/notes", {"characters": ["gull"]}).get_json() == {"characters": ["gull"]}
    assert one.get("/api/notes").get_json() == {"characters": ["gull"]}
    assert two.get("/api/notes").get_json() == {"characters": []}
    for role in (TABLE, JACK, ARBITER, SPECTATOR):
        assert setting.client(role).get("/api/notes").status_code == 403
    for wrong in ({"characters": "gull"}, {"characters": [7]}, {"characters": ["nobody"]}, {"characters": ["gull"] * 99}):
        assert post(one, "/api/notes", wrong).status_code == 400


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_past_tells_one_story_and_nothing_newer(table: FakeTable) -> None:
    clock = Clock()
    past = DelayedTable(table, 30, clock)
    past.look()
    with pytest.raises(Problem, match="30 s behind"):
        past.snapshot()
    clock.now += 10
    table.push("play", play_data("holmes", ["g5", "e6"], "Holmes walks."))
    table.show("playing")
    past.look()
    clock.now += 20
    past.look()
    assert past.snapshot()["number"] == 0
    assert past.wait_events(0, 0) == []
    clock.now += 10
    table.push("call", {})
    past.look()
    assert past.snapshot()["position"]["characters"]["holmes"]["hex"] == "e6"
    assert [event.kind for event in past.wait_events(0, 0)] == ["play"]
    assert past.picture(overlay=True) is None
    with pytest.raises(Problem):
        past.answer({"kind": "undo"})
    clock.now += 3600
    past.look()
    assert [event.kind for event in past.wait_events(0, 0)] == ["play", "call"]
    assert len(past._past.kept) == 1


def test_the_past_tells_the_end_of_a_game_though_the_next_one_has_begun(table: FakeTable) -> None:
    clock = Clock()
    past = DelayedTable(table, 30, clock)
    table.change(match="one")
    table.push("match", {"id": "one"})
    past.look()
    clock.now += 10
    table.push("verdict", {})
    past.look()
    clock.now += 5
    table.log.clear()
    table.push("match", {"id": "two"})
    table.change(match="two")
    past.look()
    clock.now += 20
    past.look()
    assert (past.snapshot()["match"], past.snapshot()["number"]) == ("one", 1)
    clock.now += 8
    past.look()
    assert [event.kind for event in past.wait_events(1, 0)] == ["verdict"]
    clock.now += 5
    past.look()
    assert [event.data for event in past.wait_events(0, 0)] == [{"id": "two"}] and past.snapshot()["match"] == "two"
    assert past._past.events.keys() == {"two"}, "what nobody will be shown any more is let go of"


def test_who_is_behind_sees_the_end_of_a_game_though_the_next_one_has_another_record() -> None:
    """Each game of a lobby has a table and an application of its own: those who were behind began to wait anew, and never saw
    how the game before had ended."""
    now, pasts = time.monotonic, Pasts()
    first, second, delay = FakeTable(), FakeTable(), DELAYS[2]
    first.change(match="one")
    first.push("match", {"id": "one"})
    late = DelayedTable(first, delay, lambda: now() - delay + 2, pasts.of(delay))
    first.push("verdict", {})
    late.look()
    second.change(match="two")
    second.push("match", {"id": "two"})
    passes = Passes.open(None)
    app = create_app(second, PageSettings(watch_seconds=0.1), access_control=AccessControl(passes, closed=True), pasts=pasts)
    client = app.test_client()
    client.post("/api/session", json={"token": passes.issue(SPECTATOR, delay=delay)[1]}, headers=POST)
    assert code(client.get("/api/snapshot")) == "not-yet"
    until = now() + 10
    while (answer := client.get("/api/snapshot")).status_code == 503 and now() < until:
        time.sleep(0.1)
    views_of(app).close()
    assert (answer.get_json()["match"], answer.get_json()["number"]) == ("one", 2)
    assert [one.match for one in pasts.of(delay).kept] == ["one", "two"]
    assert pasts.of(delay).events.keys() == {"one", "two"}


def test_a_delayed_view_tells_when_it_begins_from_the_game_s_beginning_on(table: FakeTable) -> None:
    """While the table was set up it said that it begins in a second, again and again, and so it did while the game began."""
    clock, on = Clock(), False

    class Awaited(FakeTable):
        def snapshot(self) -> dict[str, Any]:
            if not on:
                raise NoTableYet
            return super().snapshot()

    past = DelayedTable(Awaited(), 30, clock)
    clock.now += 100
    with pytest.raises(NoTableYet):
        past.snapshot()
    on = True
    with pytest.raises(Problem, match="begins in 30 s"):
        past.snapshot()
    past.look()
    clock.now += 12
    with pytest.raises(Problem, match="begins in 18 s"):
        past.snapshot()
    clock.now += 19
    assert past.snapshot()["number"] == 0


@pytest.mark.parametrize(("phase", "waits"), [("over", [22, 0]), ("playing", [30, 30])])
def test_of_a_game_that_is_over_nobody_waits_for_what_is_old_enough(table: FakeTable, phase: str, waits: list[int]) -> None:
    """Whoever opened the page of a game that had ended an hour before was told to wait; of one that is on he has to."""
    table.push("verdict", {})
    table.change(phase=phase)
    ended = table.log[-1].at
    for age, wait in zip((8, 3600), waits, strict=True):
        past = DelayedTable(table, 30, Clock(), wall_clock=lambda age=age: ended + age)
        past.look()
        if wait:
            with pytest.raises(Problem, match=f"begins in {wait} s"):
                past.snapshot()
        else:
            assert (past.snapshot()["number"], len(past.wait_events(0, 0))) == (1, 1)


def test_a_game_whose_end_has_not_arrived_whole_is_not_shown_before_its_time(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.push("verdict", {})
    shown = {**table.snapshot(), "phase": "over", "number": 2}
    monkeypatch.setattr(table, "snapshot", lambda: shown)
    past = DelayedTable(table, 30, Clock(), wall_clock=lambda: table.log[-1].at + 3600)
    past.look()
    with pytest.raises(Problem, match="begins in 30 s"):
        past.snapshot()


def test_an_event_that_comes_after_its_snapshot_is_told_to_who_is_behind(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a hall, which may be shown how things stand before it has the event that led to it."""
    clock = Clock()
    past = DelayedTable(table, 30, clock)
    table.push("play", {})
    monkeypatch.setattr(table, "wait_events", lambda after, timeout: [])
    past.look()
    monkeypatch.undo()
    clock.now += 31
    past.look()
    assert [event.kind for event in past.wait_events(0, 0)] == ["play"]


def test_a_delayed_spectator_sees_nothing_of_now(setting: Setting) -> None:
    spectator = setting.client(SPECTATOR, delay=DELAYS[1])
    response = spectator.get("/api/snapshot")
    assert (response.status_code, code(response)) == (503, "not-yet")
    assert code(spectator.get("/api/events?after=0")) == "not-yet"
    assert spectator.get("/api/board").status_code == 200
    assert spectator.get("/api/picture.jpg").status_code == 403


# --- who has the clocks ---------------------------------------------------------------------------------------------------


CLOCK_WORDS = ("start", "hold", "go", "set")


def words_taken(setting: Setting, role: str) -> set[str]:
    """Which words about the clocks somebody may say now."""
    client = setting.client(role)
    return {
        action for action in CLOCK_WORDS
        if post(client, "/api/answers", {"kind": "clock", "action": action, "reason": "a break"}).status_code == 200
    }  # fmt: skip


def test_without_an_arbiter_the_table_and_the_side_that_picks_pause_the_clocks(setting: Setting) -> None:
    setting.table.change(clock=None, mover="jack")
    assert words_taken(setting, TABLE) == {"start", "hold", "go"}
    setting.table.change(clock={"running": "jack"})
    assert words_taken(setting, TABLE) == {"hold", "go"}
    assert words_taken(setting, JACK) == {"hold", "go"}
    assert words_taken(setting, DETECTIVE) == set()
    setting.table.change(mover="detective")
    assert words_taken(setting, JACK) == set()
    assert words_taken(setting, DETECTIVE) == {"hold", "go"}
    assert words_taken(setting, SPECTATOR) == set()


def test_once_an_arbiter_has_come_in_the_clocks_are_his_until_his_link_is_taken_back(setting: Setting) -> None:
    setting.table.change(clock={"running": "jack"}, mover="jack")
    assert words_taken(setting, ARBITER) == set(CLOCK_WORDS)
    assert words_taken(setting, TABLE) == words_taken(setting, JACK) == set()
    for held in setting.passes.handed_out():
        if held.role == ARBITER:
            setting.passes.revoke(held.id)
    assert words_taken(setting, TABLE) == {"hold", "go"}
