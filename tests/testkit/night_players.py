"""People who play Letters from Whitechapel at a table without a camera: stretches of a night, and whole games by chance."""

import random
from typing import Any

from companion.games.letters_from_whitechapel import jack, wretched
from companion.games.letters_from_whitechapel.keeping import jack_at
from companion.games.seats import Held
from testkit.night_table import NightTable, Sealer

YELLOW = ("x042", "x044", "x058", "x137", "x143", "x156", "x181")
ROUND = ("brown", "red", "green", "blue", "yellow")
"""The policemen from the head of the first night on, clockwise."""


def hunt(table: NightTable, teller: Any = None, circle: int = 84) -> None:
    """Night one up to Jack's first move, with a murder at once."""
    table.lay_out(teller or table.entrusting)
    if isinstance(teller, Sealer):
        teller.reveal("jack", "women-1")
    table.show()
    table.say("kill", circles=[circle])
    table.show()
    if isinstance(teller, Sealer):
        teller.reveal("brown", "patrols-1")
    assert table.show() == ["laid"] and table.public["phase"] == "escape"


def flee(table: NightTable, to: str, how: str = "walk", teller: Any = None, home: bool = False) -> None:
    table.say("moving", how=how, home=home)
    for circle in to.split():
        (teller or table.entrusting)("jack", "move", circle)
    assert table.public["phase"] in ("laying", "over")
    table.show()


def everybody_stays(table: NightTable) -> None:
    while table.public["phase"] == "police-move":
        table.say("stay")


def nobody_asks(table: NightTable) -> None:
    while table.public["phase"] == "police-act":
        table.say("stop", seat=table.public["expects"][0]["seat"])


def place_of(table: NightTable) -> int:
    """Where Jack is, by what the companion keeps."""
    held = table.table._entrusting.held(table.table._ledger.match, "jack")
    return int(jack_at(table.state, held or Held("jack"), table.state.rows).place or 0)


def to_the_circle(table: NightTable) -> None:
    """The first policeman goes to x085, from which 86 can be searched; the others stay."""
    assert table.police(brown="x085") == ["play"]
    everybody_stays(table)


# --- all four nights --------------------------------------------------------------------------------------------------


def play_on(table: NightTable, chance: random.Random, nights: int) -> None:
    """Play by chance, Jack towards his hideout, the police asking now and then, until the game or so many nights are over."""
    for _ in range(600):
        public = table.public
        phase, books = public["phase"], table.state.books
        if phase == "over" or books.night > nights:
            return
        if phase in _STEPS:
            _STEPS[phase](table, chance)
            continue
        raise AssertionError(f"nothing is known to be done in {phase}: {public['expects']}")
    raise AssertionError("the game does not end")


def _lay_women(table: NightTable, chance: random.Random) -> None:
    books = table.state.books
    red = [one for one in sorted(books.streets.red) if one not in books.all_scenes][: books.tonight.women]
    table.show(women=tuple((str(one), "down") for one in red))


def _tell(table: NightTable, chance: random.Random) -> None:
    seat = "jack" if table.own() and table.own()["tells"] else table.state.books.head
    tell = table.own(seat)["tells"][0]
    value = "50" if tell["purpose"] == "hideout" else chance.choice(tell["choices"])["value"]
    table.entrust(tell["purpose"], value, seat)


def _lay_patrols(table: NightTable, chance: random.Random) -> None:
    books = table.state.books
    spots = [spot for _, spot in books.police]
    spots += [spot for spot in sorted(books.streets.yellow) if spot not in spots][: 7 - len(spots)]
    table.show(patrols=tuple((spot, "down") for spot in sorted(spots)), police=())


def _scatter(table: NightTable, chance: random.Random) -> None:
    books = table.state.books
    for circle in books.wretched:
        open_to_her = wretched.targets(books, circle)
        books = wretched.moved(books, circle, open_to_her[0]) if open_to_her else books
    table.show(wretched=tuple(map(str, sorted(books.wretched))))


def _answer(table: NightTable, chance: random.Random) -> None:
    asked = table.public["expects"][0]
    answer = dict(chance.choice(asked["form"]))
    if answer["kind"] == "wait" and chance.random() < 0.5:
        answer = dict(asked["form"][-1])
    table.say(**answer)


def _flee(table: NightTable, chance: random.Random) -> None:
    books, place = table.state.books, place_of(table)
    walks = jack.walks(books, place)
    way = way_home(books, place, 50)
    home = walks and 50 in walks
    if home:
        table.say("moving", how="walk", home=True)
        table.entrust("move", "50")
    elif way in walks:
        table.say("moving", how="walk", home=False)
        table.entrust("move", str(way))
    elif jack.alleys(books, place):
        table.say("moving", how="alley", home=False)
        _tell(table, chance)
    elif walks:
        table.say("moving", how="walk", home=False)
        _tell(table, chance)
    elif jack.coaches(books, place):
        table.say("moving", how="coach", home=False)
        _tell(table, chance)
        _tell(table, chance)
    else:
        table.say("moving", how="trapped")


def way_home(books: Any, place: int, home: int) -> int:
    """The first circle on a shortest way home past the policemen as they stand."""
    first = {to: to for to in jack.walks(books, place)}
    edge = list(first)
    while edge and home not in first:
        fresh = {to: first[one] for one in edge for to in jack.walks(books, one) if to not in first and to != place}
        first |= fresh
        edge = list(fresh)
    return first.get(home, place)


def _ask(table: NightTable, chance: random.Random) -> None:
    asked = table.public["expects"][0]
    searches = [answer for answer in asked["form"] if answer["kind"] == "search"]
    answer = chance.choice(searches) if searches and chance.random() < 0.2 else asked["form"][-1]
    table.say(**answer, seat=asked["seat"])


_STEPS: dict[str, Any] = {
    "set-up": lambda table, chance: table.show(),
    "laying": lambda table, chance: table.show(),
    "women": _lay_women,
    "women-told": _tell,
    "head": _answer,
    "patrols": _lay_patrols,
    "patrols-told": _tell,
    "kill": _answer,
    "wretched": _scatter,
    "turn-up": _answer,
    "order": _tell,
    "escape": _flee,
    "police-move": lambda table, chance: table.say("stay"),
    "police-act": _ask,
}
