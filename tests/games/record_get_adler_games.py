"""Writes the recorded games of Get Adler! (``recorded_get_adler``): the first game of chance that proves each thing, as its
roles and acts. Run it with ``python tests/games/record_get_adler_games.py``."""

import json
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from get_adler_games import Step, game_of_chance, played

from companion.games.get_adler.confronting import totals
from companion.games.get_adler.names import ARREST, BOMB, DISGUISE, QUESTION, VILLAINS
from companion.games.get_adler.state import State

FOLDER = Path(__file__).parent / "recorded_get_adler"
Proof = Callable[[list[Step]], bool]


def some(holds: Callable[[Step], bool]) -> Proof:
    """A game with a step for which something holds."""
    return lambda steps: any(map(holds, steps))


def _stage(step: Step) -> str | None:
    fight = step.after.table.confrontation
    return None if fight is None else fight.stage


def _matched_by_another(step: Step) -> bool:
    fight = step.before.table.confrontation
    return step.act.act == "match" and fight is not None and step.act.seat not in fight.joined


def _shot(step: Step, villain: bool) -> bool:
    before, after = step.before.table, step.after.table
    died = [seat for seat in before.living() if not after.seats[seat].alive]
    return step.act.act in ("shoot", "hold") and any(bool(before.villainous(seat)) == villain for seat in died)


def _equal(step: Step) -> bool:
    villain, hero = totals(step.before.table) if step.before.table.confrontation is not None else (0, 1)
    return step.act.act == "hold" and villain == hero > 0 and _stage(step) == "away"


def _ended(winner: str, act: str) -> Proof:
    return lambda steps: steps[-1].act.act == act and steps[-1].after.table.over == winner


def _accused_each_other(step: Step) -> bool:
    pending, roles = step.before.table.pending, step.before.secret.roles
    if step.act.act != "verdict" or pending is None or pending.target is None or roles is None:
        return False
    return roles[pending.by] in VILLAINS and roles[pending.target] in VILLAINS


PROOFS: Mapping[str, Proof] = {
    "an-early-arrest-is-only-discarded": some(
        lambda step: step.act.act == "discard" and step.act.card == ARREST and step.before.table.hour < 4
    ),
    "a-false-arrest-costs-both-a-turn": some(lambda step: step.act.act == "verdict" and step.act.answer == "no"),
    "another-hero-goes-after-an-escape": some(_matched_by_another),
    "nobody-goes-after-an-escape": some(lambda step: step.act.act == "unmatched"),
    "a-disguise-gets-the-villain-away": some(lambda step: step.act.card == DISGUISE and _stage(step) == "away"),
    "a-bomb-costs-every-hero-a-turn": some(lambda step: step.act.card == BOMB and _stage(step) == "bomb"),
    "a-hero-is-shot-and-the-hand-goes-on": some(lambda step: _shot(step, villain=False)),
    "a-villain-is-shot": some(lambda step: _shot(step, villain=True)),
    "a-shoot-out-ends-equal": some(_equal),
    "a-villain-without-a-response-is-arrested": some(lambda step: step.act.act == "arrested"),
    "the-last-villain-is-arrested-and-the-heroes-win": _ended("heroes", "arrested"),
    "a-villain-comes-through-with-a-document": _ended("villains", "show"),
    "a-villain-comes-through-without-one": _ended("heroes", "show"),
    "the-deck-is-used-up": some(
        lambda step: step.act.act == "draw" and not step.before.table.deck and bool(step.before.table.discard)
    ),
    "collins-passes-a-card": some(lambda step: step.act.act == "pass"),
    "a-question-after-the-reveal-is-once-more": some(
        lambda step: step.act.act == "play" and step.act.card == QUESTION and step.before.table.revealed
    ),
    "gold-takes-two-and-shows-himself": some(lambda step: step.act.count == 2),
    "one-villain-accuses-the-other": some(_accused_each_other),
    "the-document-of-one-service": lambda steps: steps[0].before.table.expert and steps[-1].act.act == "show",
}


def written(name: str, start: State, steps: list[Step]) -> dict[str, object]:
    """A game as it is kept: the position it begins with (its roles and traits too), its acts, how it ends."""
    return {
        "proves": name.replace("-", " "),
        "start": {**start.to_json(), "secret": start.secret.to_json()},
        "acts": [step.act.notation() for step in steps],
        "over": steps[-1].after.table.over,
        "hour": steps[-1].after.table.hour,
        "alive": [seat.alive for seat in steps[-1].after.table.seats],
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    left, used = dict(PROOFS), set[int]()
    for number in range(20_000):
        if not left:
            return
        start = game_of_chance(number)
        steps = list(played(start, random.Random(number)))
        for name, holds in left.items():
            if number not in used and holds(steps):
                text = json.dumps(written(name, start, steps), indent=1, ensure_ascii=False)
                (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
                used.add(number)
                del left[name]
                break
    raise SystemExit(f"not found: {', '.join(left)}")


if __name__ == "__main__":
    main()
