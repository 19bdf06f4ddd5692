"""The event's pages and addresses: who plays whom, results, standings, files, and sheets to print."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from companion import boards, games
from companion.announce.translator import translator
from companion.errors import BadInput, CompanionError
from companion.games.game import Game
from companion.hub.event import balance, swiss, tables, terms, trf
from companion.hub.event.model import BYES, Tournament
from companion.hub.event.model import shown as as_points
from companion.hub.event.standings import standings
from companion.hub.model import Hall
from companion.hub.wall.book import EventBook
from companion.hub.wall.feed import in_order
from companion.hub.wall.mounts import PREFIX
from companion.hub.wall.pages import shared
from companion.hub.wall.results import offered, taken
from companion.hub.wall.signed import Seals
from companion.web import problems
from companion.web.access import AccessControl, visitor
from companion.web.localisation import encode, language, page_word
from companion.web.problems import Problem
from companion.web.qr_codes import qr_code
from companion.web.reach import Reach
from companion.web.roles import ARBITER, SPECTATOR

_PAIRERS = {"bbpPairings": swiss.swiss, "round-robin": balance.round_robin}
FILES = "event.read"
"""The endpoint that takes files, whose bodies are larger than an answer's."""
LINK_HOURS = 72
"""How long a printed link is good: an event of a long weekend, 12 to 744."""
_AS_CSV: Mapping[str, Callable[[Tournament], str]] = {
    "players.csv": tables.players_csv, "games.csv": tables.games_csv, "standings.csv": tables.standings_csv,
}  # fmt: skip
CHOICES = {
    "any": "any number", "free": "free of choice", "either": "one of them", "spend-all": "all of them",
    "when-picked": "as when picked",
}  # fmt: skip
"""How a house rule is settled, in words, where its name alone would not say it; a game's own are labels of its board."""
_FILES = (*_AS_CSV, "event.trf")


def blueprint(hall: Hall, book: EventBook, access_control: AccessControl, reach: Reach, seals: Seals) -> Blueprint:
    """The addresses of the event in a hall."""
    event, own = Blueprint("event", __name__), _Event(hall, book, access_control, reach, seals)
    for path, name, view in (
        ("/event", "page", own.page),
        ("/event/players", "players_page", own.players_page),
        ("/event/rounds/<int:number>", "round_page", own.round_page),
        ("/event/rounds/<int:number>/print", "print_round", own.print_round),
        ("/api/event", "shown", own.shown),
        ("/api/event/rounds/<int:number>/terms/<int:board>", "terms", own.terms),
        ("/api/event/files/<name>", "export", own.export),
    ):
        event.add_url_rule(path, name, view)
    event.register_error_handler(413, own.too_large)
    for path, name, change in (
        ("/api/event", "add", own.add),
        ("/api/event/pair", "pair", own.pair),
        ("/api/event/take", "take", own.take),
        ("/api/event/read", "read", own.read),
        ("/api/event/clocks", "clocks", own.clocks),
    ):
        event.add_url_rule(path, name, change, methods=["POST"])
    return event


class _Event:
    """The event of a hall as its pages and addresses show and change it."""

    def __init__(self, hall: Hall, book: EventBook, access_control: AccessControl, reach: Reach, seals: Seals) -> None:
        self._hall, self._book, self._access_control, self._reach, self._seals = hall, book, access_control, reach, seals

    def page(self) -> str:
        """Standings and rounds; before there is an event, what to open one with."""
        return self._page("hall/event.html")

    def players_page(self) -> str:
        """Everybody who plays."""
        return self._page("hall/players.html")

    def round_page(self, number: int) -> str:
        """One round: pairings and results."""
        seen = self._seen()
        state = seen[0]
        one = state.round(number)
        if one is None:
            raise Problem(404, "not-found", f"round {number} is not paired yet", "Go back to the event.")
        games_over = {
            pairing.board: found.to_json()
            for pairing in one.pairings
            if pairing.board not in one.results and (found := offered(self._hall, state, pairing)) is not None
        }
        mine = [fix for fix in state.corrections if fix.round == number]
        return self._page("hall/round.html", seen, one=one, offered=games_over, corrections=mine)

    def print_round(self, number: int) -> str:
        """Sheets of a round: the list for the door, and a card for every table with its code."""
        seen = self._seen()
        one = seen[0].round(number)
        if one is None:
            raise Problem(404, "not-found", f"round {number} is not paired yet", "Go back to the event.")
        links = {pairing.board: self._table_link(pairing.table) for pairing in one.pairings if pairing.table}
        codes = {board: qr_code(link) for board, link in links.items()}
        settled = [(rule["text"], dict(rule["choices"])[rule["now"]]) for rule in _rules(seen[0]) or () if rule["other"]]
        return self._page("hall/print.html", seen, one=one, links=links, codes=codes, settled=settled)

    def shown(self) -> Response:
        """The event with its standings; ``event`` is null before it was opened."""
        state, number = self._book.seen()
        told = None if state is None else state.to_json()
        lines = [] if state is None else [line.to_json() for line in standings(state)]
        return Response(encode({"number": number, "event": told, "standings": lines}), mimetype="application/json")

    def terms(self, number: int, board: int) -> Response:
        """Clocks, house rules and people of one board, as data for its table."""
        state = self._state()
        one = state.round(number)
        pairing = one.pairing(board) if one is not None else None
        if pairing is None:
            raise Problem(404, "not-found", f"round {number} has no board {board}", "Go back to the event.")
        return jsonify(terms.of_table(state, number, pairing, self._choices(state)))

    def export(self, name: str) -> Response:
        """The event in a file: players, games and standings as CSV, all of it as TRF."""
        state = self._state()
        if name not in _FILES:
            raise Problem(404, "not-found", "there is no such file", f"Files are: {', '.join(_FILES)}.")
        if name == "event.trf":
            made = trf.written(state, arbiter=visitor().seat if ARBITER in visitor().roles else "")
        else:
            made = _AS_CSV[name](state)
        response = Response(made, mimetype="text/csv" if name.endswith("csv") else "text/plain")
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    def add(self) -> Response:
        """One entry: ``kind``, ``data`` and the ``number`` of entries on the page it was made on."""
        asked = _asked("kind", "data")
        kind, data, seen = asked["kind"], asked["data"], None
        if not isinstance(kind, str) or not isinstance(data, Mapping):
            raise BadInput("an entry has a kind and data")
        if kind in ("event-opened", "event-changed"):
            state, seen = self._book.seen()
            data = _with_seats(state, kind, dict(data))
        if data.get("source", "hand") != "hand":
            raise BadInput("only a table's own game is the table's result")
        return self._put([(kind, data)], asked, seen)

    def pair(self) -> Response:
        """Pair the next round: ``how``, and the ``tables`` of the hall in the order of the boards."""
        asked, (state, seen) = _asked("how"), self._seen()
        make = _PAIRERS.get(str(asked["how"]))
        if make is None:
            raise BadInput(f"rounds are paired by {' or '.join(_PAIRERS)}, or by hand")
        wanted = asked.get("tables")
        names = wanted if isinstance(wanted, list) else [one.table for one in self._in_hall()]
        if not all(isinstance(one, str) for one in names):
            raise BadInput("tables are a list of their ids")
        pairs, byes = make(state)
        data = {
            "round": state.next_round, "how": asked["how"], "pairings": balance.with_tables(pairs, names),
            "byes": {str(player): kind for player, kind in byes.items()},
        }  # fmt: skip
        return self._put([("round-paired", data)], asked, seen)

    def take(self) -> Response:
        """Take the finished game of a board's table over as its result."""
        asked, (state, seen) = _asked("round", "board"), self._seen()
        data = taken(self._hall, self._seals, state, asked["round"], asked["board"])
        if asked.get("reason"):
            data["reason"] = asked["reason"]
        return self._put([("result", data)], asked, seen)

    def read(self) -> Response:
        """Take a file over: ``what`` is players, games or trf. Everything that is wrong with it is told at once."""
        asked = _asked("what", "text")
        what, text = asked["what"], asked["text"]
        if what not in ("players", "games", "trf") or not isinstance(text, str):
            raise BadInput("a file of players, games or trf is expected")
        state, seen = self._seen()
        if what == "trf":
            if state.players:
                raise BadInput("a TRF is taken over into an event without players")
            report = trf.read(text)
            change = {"rounds": max(report.rounds, state.plan.rounds)}
            worth = {"points": {**state.plan.points.to_json(), **report.points}} if report.points else {}
            entries = (("event-changed", {**change, **worth}), *report.entries)
        else:
            entries = tables.read_players(text) if what == "players" else tables.read_games(text, state)
        if not entries:
            raise BadInput("there is nothing new in this file")
        return self._put(entries, asked, seen)

    def too_large(self, _: Exception) -> Response:
        """A file beyond what is read at all."""
        most = (current_app.config["MAX_CONTENT_LENGTH"] or 0) // 2**20
        return problems.answer(413, "too-large", f"the file holds more than {most} MiB", problems.NOT_ENTERED)

    def clocks(self) -> Response:
        """Set the clocks of every table of a round as the event has them, by a ruling to each."""
        asked, state = _asked("round"), self._state()
        one = state.round(asked["round"]) if isinstance(asked["round"], int) else None
        if one is None:
            raise BadInput("this round is not paired")
        answer, sent, refused = terms.clock_answer(self._choices(state)), [], []
        for pairing in one.pairings:
            if not pairing.table or pairing.board in one.results:
                continue
            try:
                self._hall.rule(pairing.table, 0, answer, visitor().seat or ARBITER)
                sent.append(pairing.table)
            except CompanionError as error:
                refused.append({"table": pairing.table, "message": str(error)})
        return jsonify({"sent": sent, "refused": refused})

    def _page(self, template: str, seen: tuple[Tournament | None, int] | None = None, **more: Any) -> str:
        state, number = seen or self._book.seen()
        asking = shared()
        labels = _seat_names(state) if state is not None else {}
        more["rules"] = _rules(state) if state is not None else None
        more["clock"] = state.plan.terms.get("clock") if state is not None else None
        return render_template(
            template, **asking, state=state, number=number, seat_names=labels, points=as_points, byes=BYES,
            lines=standings(state) if state is not None else (), bbp=swiss.program() is not None, games=_games(),
            usual=self._usual_game(),
            names={one.table: one.name for one in self._in_hall()}, marks=tables.marks_text, score=tables.score,
            **more,
        )  # fmt: skip

    def _usual_game(self) -> str:
        """The game that most tables of the hall play."""
        played = Counter(one.game for one in self._hall.tables() if one.game)
        return played.most_common(1)[0][0] if played else games.DEFAULT

    def _state(self) -> Tournament:
        return self._seen()[0]

    def _seen(self) -> tuple[Tournament, int]:
        state, number = self._book.seen()
        if state is None:
            raise Problem(404, "not-found", "no event was opened yet", "Open one on the page of the event.")
        return state, number

    def _choices(self, state: Tournament) -> Any:
        return terms.checked(_game(state.plan.game), state.plan.terms)

    def _in_hall(self) -> list[Any]:
        return [one["of"] for one in in_order({"name": one.name, "table": one.table, "of": one} for one in self._hall.tables())]

    def _table_link(self, table: str) -> str:
        """Where whoever scans a table's code watches its game: by a link for spectators, which is good for the event."""
        if not self._access_control.closed:
            return self._reach.link(f"{PREFIX}{table}/")
        passes = self._access_control.passes
        held = next((one for one in passes.handed_out() if (one.role, one.seat) == (SPECTATOR, table[:24])), None)
        # What was printed before stays good: the same link is printed again.
        token = passes.token(held.id) if held is not None else passes.issue(SPECTATOR, table[:24], hours=LINK_HOURS)[1]
        return self._reach.link(f"/join?to={PREFIX}{table}/#{token}")

    def _put(self, entries: Iterable[tuple[str, Mapping[str, Any]]], asked: Mapping[str, Any], seen: int | None) -> Response:
        """Put on record what somebody decided upon the entries that his page showed (``number``), else upon those that were
        ``seen`` here: what was entered meanwhile must not be decided upon unseen."""
        number = asked.get("number")
        self._book.add_all(entries, visitor().seat or ARBITER, number=seen if number is None else number)
        return jsonify({"number": self._book.number})


def _with_seats(state: Tournament | None, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """A plan whose game we know: its seats are the game's (``seats_of``), and its terms fit."""
    name = data.get("game", state.plan.game if state is not None else "")
    game = _game(str(name))
    if kind == "event-opened":
        data.setdefault("seats", seats_of(game))
    settled = state.plan.terms if state is not None else {}
    data["terms"] = {**settled, **data.get("terms", {})}
    terms.checked(game, data["terms"])
    return data


def seats_of(game: Game) -> list[str]:
    """The seats of a game in the order in which they are counted: the one that alone has secrets first; its sides where
    seats win together."""
    if game.sides:
        return list(game.sides)
    keepers = {one.seat for one in game.purposes}
    alone = [seat for seat in game.seats if keepers == {seat}]
    return [*alone, *(seat for seat in game.seats if seat not in alone)]


def _game(name: str) -> Game:
    """A game of this machine. Raises BadInput."""
    return games.load(name)


def _games() -> list[tuple[str, str]]:
    return [(name, games.load(name).name) for name in games.available()]


def _seat_names(state: Tournament) -> dict[str, str]:
    """What the event's seats are called, in the reader's language."""
    try:
        game = _game(state.plan.game)
        labels: Mapping[str, str] = boards.load(game.id, game.editions()[0]).labels
    except BadInput:
        labels = {}
    return {seat: page_word(labels.get(f"side-{seat}", "")) or seat.replace("-", " ").capitalize() for seat in state.plan.seats}


def _rules(state: Tournament) -> list[dict[str, Any]] | None:
    """The house rules of the event's game as they are settled, in the reader's language; None for a game that is not here."""
    try:
        game = _game(state.plan.game)
    except BadInput:
        return None
    labels: Mapping[str, str] = boards.load(game.id, game.editions()[0]).labels
    settled, words = state.plan.terms.get("rules") or {}, translator(language())
    return [
        {
            "name": rule.name, "text": words.text(rule.text), "now": settled.get(rule.name, rule.default),
            "other": settled.get(rule.name, rule.default) != rule.default,
            "choices": [(choice, _choice(choice, labels)) for choice in rule.choices],
        }
        for rule in game.house_rules
    ]  # fmt: skip


def _choice(choice: str, labels: Mapping[str, str]) -> str:
    return page_word(labels.get(f"choice-{choice}") or CHOICES.get(choice) or choice.replace("-", " "))


def _asked(*needed: str) -> dict[str, Any]:
    told = request.get_json()
    if not isinstance(told, dict) or not set(needed) <= told.keys():
        raise Problem(400, "bad-request", f"the request needs {', '.join(needed)}", "Reload the page and try again.")
    number = told.get("number")
    if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
        raise Problem(400, "bad-number", "the number of entries is a whole number", "Reload the page and try again.")
    return told
