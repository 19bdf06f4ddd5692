"""Writes the whole games under ``recorded_whitechapel/``; run by hand when a story is added.

``python tests/games/record_whitechapel_games.py [NAME]…``
"""

import json
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from testkit.night_players import flee, hunt, nobody_asks, place_of, play_on, way_home
from testkit.night_record import RecordedNight
from testkit.night_table import Sealer

from companion.games.letters_from_whitechapel import jack
from companion.games.letters_from_whitechapel import police as rules

FOLDER = Path(__file__).parent / "recorded_whitechapel"


@dataclass(frozen=True)
class Story:
    """A game, what it proves, its house rules, and how it is played."""

    name: str
    proves: str
    play: Callable[[RecordedNight], None]
    house_rules: dict[str, str] = field(default_factory=dict)


def police(table: RecordedNight, **to: str) -> None:
    """One round of the policemen: those that are named move, the others stay."""
    while table.public["phase"] == "police-move":
        colour = table.public["movers"][len(table.state.books.moved)]
        if colour in to and dict(table.state.books.police)[colour] != to[colour]:
            assert "play" in table.police(**{colour: to[colour]}), table.faults
        else:
            table.say("stay", seat=colour)


def ask(table: RecordedNight, kind: str, colour: str, circle: int) -> list[str]:
    """A policeman searches or arrests once those before him are done; a clue is laid."""
    while table.public["expects"][0]["seat"] != colour:
        table.say("stop", seat=table.public["expects"][0]["seat"])
    kinds = table.say(kind, seat=colour, circle=circle)
    if table.public["phase"] == "laying":
        table.show()
    return kinds


def round_of(table: RecordedNight, to: str, how: str = "walk", **moves: str) -> None:
    """Jack goes, the policemen move; nobody asks anything."""
    flee(table, to, how)
    police(table, **moves)
    nobody_asks(table)


# --- the stories ------------------------------------------------------------------------------------------------------


def arrested(table: RecordedNight) -> None:
    hunt(table)
    flee(table, "86")
    police(table, brown="x085", red="x119")
    ask(table, "search", "brown", 68)
    ask(table, "search", "brown", 86)
    nobody_asks(table)
    flee(table, "102", "alley")
    police(table, red="x138")
    ask(table, "arrest", "brown", 68)
    ask(table, "arrest", "red", 102)


def trapped(table: RecordedNight) -> None:
    """Two policemen come near the two crossings of circle 84 while Jack goes to and fro, and close both when he is there."""
    hunt(table)
    streets = table.state.books.streets
    doors = dict(zip(("blue", "green"), sorted(streets.doors[84]), strict=True))
    for _ in range(12):
        place = place_of(table)
        walks = jack.walks(table.state.books, place)
        if not walks:
            break
        flee(table, str(84 if 84 in walks else walks[0]))
        stand = dict(table.state.books.police)
        at_once = place_of(table) == 84 and all(streets.distance(stand[one], door) <= 2 for one, door in doors.items())
        police(table, **{one: door if at_once else nearer(table, one, door) for one, door in doors.items()})
        nobody_asks(table)
    table.say("moving", how="trapped")


def nearer(table: RecordedNight, colour: str, goal: str) -> str:
    """The move that brings a policeman nearest to a crossing without reaching it."""
    streets = table.state.books.streets
    reach = [to for to in rules.moves(table.state.books, colour) if to != goal]
    return min(reach, key=lambda to: (streets.distance(to, goal), to))


def run_out(table: RecordedNight) -> None:
    hunt(table)
    to_and_fro(table, 14)
    table.refuses("a coach takes two spaces of the track, and one is left", "moving", how="coach", home=False)
    flee(table, "85" if place_of(table) == 86 else "86")
    police(table)
    nobody_asks(table)


def to_and_fro(table: RecordedNight, spaces: int) -> None:
    """Jack walks between two circles for so many spaces of the track."""
    for _ in range(spaces):
        round_of(table, "86" if place_of(table) in (84, 85) else "85")


def four_nights(table: RecordedNight) -> None:
    play_on(table, random.Random(4), 4)


def by_an_alley(table: RecordedNight) -> None:
    hunt(table)
    table.refuses("only a walk ends at home", "moving", how="alley", home=True)
    round_of(table, "86")
    table.say("moving", how="alley", home=False)
    table.refuses("cannot be it, by the rules", "entrust", seat="jack", purpose="move", value="120")
    table.entrust("move", "53")
    table.show()
    police(table, brown="x066")
    ask(table, "search", "brown", 54)
    ask(table, "search", "brown", 53)
    nobody_asks(table)
    flee(table, "52")
    police(table, brown="x066", blue="x050")
    ask(table, "arrest", "blue", 52)


def by_coach(table: RecordedNight) -> None:
    hunt(table)
    flee(table, "86 68", "coach")
    police(table, brown="x085")
    ask(table, "search", "brown", 86)
    nobody_asks(table)
    flee(table, "55")
    police(table, brown="x058")
    ask(table, "arrest", "brown", 55)


def waits(table: RecordedNight, crossing: str) -> None:
    """Jack waits, the Wretched move, one patrol token is turned up."""
    table.say("wait")
    table.show()
    if table.public["phase"] == "wretched":
        table.show(wretched=("2", "20", "28", "65", "84"))
        table.show(wretched=("2", "20", "28", "63", "85"))
    table.say("turn-up", crossing=crossing)
    table.show()


def false_patrol(table: RecordedNight) -> None:
    table.lay_out(table.entrusting)
    table.show()
    waits(table, "x156")
    table.say("kill", circles=[85])
    table.show()
    table.show()
    flee(table, "86")
    police(table, brown="x085")
    ask(table, "arrest", "brown", 86)


def true_patrol(table: RecordedNight) -> None:
    table.lay_out(table.entrusting)
    table.show()
    waits(table, "x042")
    table.refuses("that cannot be said now", "turn-up", crossing="x042")
    table.say("kill", circles=[63])
    table.show()
    table.show()
    flee(table, "64")
    police(table, blue="x068")
    ask(table, "search", "blue", 66)
    ask(table, "search", "blue", 64)
    nobody_asks(table)
    flee(table, "49")
    police(table, blue="x061")
    ask(table, "arrest", "blue", 49)


def clue_at_home(table: RecordedNight) -> None:
    table.lay_out(table.entrusting, hideout="86")
    table.show()
    table.say("kill", circles=[84])
    table.show()
    table.show()
    flee(table, "86")
    police(table, brown="x085")
    ask(table, "search", "brown", 86)
    assert 86 in table.public["hideouts"], "he went there, and may live there"
    nobody_asks(table)
    flee(table, "85")
    police(table, red="x119")
    ask(table, "arrest", "red", 85)


def taken_back(table: RecordedNight) -> None:
    hunt(table)
    flee(table, "86")
    table.police(brown="x071")
    table.refuses("somebody else's turn", "undo")
    rewind = next(one["number"] for one in table.public["take_back"] if one["pick"] == 0)
    table.say("rule", action="take-back", to=rewind, reason="he had not let go")
    table.show()
    police(table, brown="x085")
    table.say("undo")
    table.show()
    police(table, yellow="x062")
    ask(table, "arrest", "brown", 86)


def corrected(table: RecordedNight) -> None:
    hunt(table)
    flee(table, "86")
    table.police(brown="x091")
    table.say("correct", subject="police-brown", place="x085")
    police(table)
    ask(table, "arrest", "brown", 86)


def sealed(table: RecordedNight) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    flee(table, "86", teller=sealer)
    police(table, brown="x085")
    for circle in (68, 86):
        table.say("search", seat="brown", circle=circle)
        table.say("say", yes=circle == 86)
    table.show()
    nobody_asks(table)
    flee(table, "85", teller=sealer)
    police(table, red="x119")
    table.say("stop", seat="brown")
    table.say("arrest", seat="red", circle=85)
    table.say("say", yes=True)
    sealer.reveal("jack", "move")
    sealer.reveal("jack", "hideout")


def sealed_and_false(table: RecordedNight) -> None:
    sealer = Sealer(table)
    hunt(table, sealer)
    flee(table, "86", teller=sealer)
    police(table, brown="x085", red="x119")
    table.say("search", seat="brown", circle=86)
    table.say("say", yes=False)
    nobody_asks(table)
    flee(table, "120", teller=sealer)
    police(table, green="x128")
    while table.public["expects"][0]["seat"] != "green":
        table.say("stop", seat=table.public["expects"][0]["seat"])
    table.say("arrest", seat="green", circle=120)
    table.say("say", yes=True)
    sealer.reveal("jack", "move")
    sealer.reveal("jack", "hideout")


def careless(table: RecordedNight) -> None:
    table.show()
    table.show(women=(("3", "down"), ("22", "down")))
    table.show(women=(("3", "down"), ("x001", "down")))
    table.show(women=(("3", "marked"), ("21", "down")))
    table.show(women=())
    table.lay_out(table.entrusting)
    table.show()
    table.say("wait")
    table.show()
    table.show(wretched=("2", "20", "28", "65", "118"))
    table.show(wretched=("3", "21", "27", "65", "x090"))
    table.show(wretched=("2", "20", "28", "63", "85"))
    table.say("turn-up", crossing="x181")
    table.show()
    table.say("kill", circles=[85])
    table.show(pawn=7)
    table.show()
    table.show()
    flee_wrong(table)
    for to in ({"brown": "x001"}, {"brown": "27"}, {"green": "x128"}, {"brown": "x058", "red": "x058"}):
        table.police(**to)
    table.police()
    police(table, brown="x085")
    table.refuses("Brown policeman cannot search 120 from 68 & 86; within reach are 68, 86", "search", seat="brown", circle=120)
    table.refuses("another policeman's turn", "search", seat="red", circle=126)
    table.say("search", seat="brown", circle=68)
    table.refuses("Brown policeman has searched 68 already", "search", seat="brown", circle=68)
    table.refuses("Brown policeman has searched, and so arrests nobody in this turn", "arrest", seat="brown", circle=86)
    table.say("search", seat="brown", circle=86)
    table.show(clues=("87",))
    table.show(clues=("86", "87"))
    table.show()
    table.show(clues=())
    table.show()
    nobody_asks(table)
    flee(table, "85")
    table.police(brown="x098")
    table.police(red="x098")
    table.police()
    police(table, red="x119")
    table.refuses(
        "Brown policeman cannot arrest at 120 from 85 & 86; within reach are 85, 86", "arrest", seat="brown", circle=120
    )
    ask(table, "arrest", "red", 85)


def flee_wrong(table: RecordedNight) -> None:
    """Jack goes to 86; the pawn on the track is moved by two spaces first."""
    table.say("moving", how="walk", home=False)
    table.entrust("move", "86")
    table.show(pawn=(table.goal.laid.pawn or 0) + 1)
    table.show()


def must_say(table: RecordedNight) -> None:
    hunt(table, circle=65)
    while 50 not in jack.walks(table.state.books, place_of(table)):
        round_of(table, str(way_home(table.state.books, place_of(table), 50)))
    table.say("moving", how="walk", home=False)
    table.refuses("cannot be it, by the rules", "entrust", seat="jack", purpose="move", value="50")
    flee(table, "50", home=True)
    play_on(table, random.Random(11), 4)


STORIES = (
    Story("arrested-on-the-first-night", "A clue leads to Jack, and the second arrest is at the right circle.", arrested),
    Story(
        "trapped-by-two", "Two policemen stand on both ways out: without a walk Jack is trapped.", trapped, {"trapped": "walk"}
    ),
    Story("track-runs-out", "Jack is not home on the last space; a coach is refused with one space left.", run_out),
    Story(
        "home-on-the-fourth-night",
        "Four nights, five dead, two of them in the third night: Jack chooses from which he flees, and the police move first.",
        four_nights,
    ),
    Story("through-an-alley", "An alley leads through a block past the police, and nowhere else.", by_an_alley),
    Story("by-coach", "A coach takes two spaces and two circles; the circle it passed holds a clue.", by_coach),
    Story("false-patrol-turned-up", "After a wait a fake patrol token is turned up and leaves the board.", false_patrol),
    Story(
        "patrol-turned-up-twice-refused",
        "After a wait a true one is turned up and stays; nothing more is turned up.",
        true_patrol,
    ),
    Story(
        "clue-at-the-hideout",
        "Jack passes his hideout without a word: a clue is there, and it may still be his home.",
        clue_at_home,
    ),
    Story("taken-back", "A move that was passed on is the arbiter's to take back, the last one the player's own.", taken_back),
    Story("misread-and-corrected", "A policeman that was misread is put right by hand and his move told anew.", corrected),
    Story("sealed-and-true", "Jack keeps his paper, answers himself, and all of it opens truly.", sealed),
    Story("sealed-and-false", "A false answer and a jump are found when the row is opened.", sealed_and_false),
    Story(
        "careless-hands",
        "What hands do wrong in one night is flagged with the way back; Jack is caught all the same.",
        careless,
    ),
    Story("home-must-be-said", "Under the house rule a walk home has to be announced.", must_say, {"arrival": "must"}),
)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for story in STORIES:
        if names and story.name not in names:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            table = RecordedNight(Path(scratch), story.house_rules or None)
            story.play(table)
            record = table.told(story.name, story.proves)
            table.close()
        text = json.dumps(record, indent=1, ensure_ascii=False)
        (FOLDER / f"{story.name}.json").write_text(text + "\n", encoding="utf-8")
        print(story.name, "written", record["result"], record["found"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
