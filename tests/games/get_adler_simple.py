"""A second, deliberately simple engine of Get Adler!: everything open, lists that are changed in place, rule by rule as in
the rule book. It shares nothing with ``companion.games.get_adler`` but the numbers of cards and the names of the roles.

Chance is told to it: ``do(act, shuffled, took)`` gets the new deck of a reshuffle and the cards that were drawn blind."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from companion.games.get_adler.names import ROLES, VEHICLES

BAD = ("adler", "collins")
RESPONSES = (*VEHICLES, "disguise", "bomb", "gun")
DEFAULTS = {
    "gunfight": "alternate", "same-vehicle": "free", "who-matches": "any-hero", "reveal-all": "all", "early-arrest": "discard",
    "lost-turn": "own-next", "lost-turns": "add", "villain-arrest": "bluff", "villain-accuses-villain": "reveal-only",
    "accuse-either": "accused", "must-respond": "must", "fellow-helps": "no", "refill": "before-discard", "loot": "blind",
    "dead-hand": "face-up", "collins-pass": "once", "sharpe-zero": "needs-gun", "abilities-hidden": "any-time",
}  # fmt: skip
Act = dict[str, Any]


class Simple:
    """One game. ``roles``, ``hands`` and ``deck`` (top first) as they were dealt."""

    def __init__(
        self, roles: Iterable[str], hands: Iterable[Iterable[str]], deck: Iterable[str], *,
        start: int = 0, advanced: bool = False, wanted: str | None = None, rules: dict[str, str] | None = None,
        traits: Any = None,
    ) -> None:  # fmt: skip
        self.roles, self.hands, self.deck = list(roles), [list(hand) for hand in hands], list(deck)
        self.n = len(self.roles)
        self.advanced, self.wanted, self.traits = advanced, wanted, traits
        self.rules = {**DEFAULTS, **(rules or {})}
        self.start = self.seat = start
        self.hour, self.step, self.over = 1, "draw", None
        self.alive, self.skips, self.since = [True] * self.n, [0] * self.n, [0] * self.n
        self.cleared, self.claimed = [False] * self.n, [None] * self.n
        self.up = self.passed = False
        self.pile: list[str] = []
        self.removed: list[str] = []
        self.log: list[tuple[int, int, int, Any, Any, str]] = []
        self.target = self.taken = 0
        self.question: tuple[Any, Any] = (None, None)
        self.told: list[int] = []
        self.fight: dict[str, Any] | None = None
        self.second: int | None = None

    # --- who is who -----------------------------------------------------------------------------------------------

    def bad(self, seat: int) -> bool:
        return self.roles[seat] in BAD

    def villains(self) -> list[int]:
        return [seat for seat in range(self.n) if self.alive[seat] and self.bad(seat)]

    def heroes(self) -> list[int]:
        return [seat for seat in range(self.n) if self.alive[seat] and not self.bad(seat)]

    def has(self, role: str, seat: int) -> bool:
        return self.advanced and self.roles[seat] == role and (self.rules["reveal-all"] == "all" or self.claimed[seat] == role)

    # --- what is legal --------------------------------------------------------------------------------------------

    def legal(self) -> list[Act]:  # noqa: PLR0911, PLR0912 (one case a step)
        seat, step = self.seat, self.step
        if step == "confrontation":
            return getattr(self, f"_legal_{self.fight['stage']}")()
        if step == "draw":
            return [{"act": "draw", "seat": seat}]
        if step == "play":
            return self._legal_play()
        if step == "answer":
            true = "yes"
            if self.traits and self.question[0]:
                true = "yes" if self.traits[self.roles[self.target]][self.question[0]] == self.question[1] else "no"
            free = self.bad(self.target) or not self.traits or not self.question[0]
            return [{"act": "answer", "seat": self.target, "answer": a} for a in ("yes", "no") if free or a == true]
        if step == "look":
            return [{"act": "look", "seat": seat}]
        if step == "take":
            two = self.advanced and self.roles[seat] == "gold" and len(self.hands[self.target]) > 1
            two = two and (self.up or self.rules["abilities-hidden"] == "any-time")
            return [{"act": "take", "seat": seat, "count": count} for count in ((1, 2) if two else (1,))]
        if step == "give" and self.taken == 2:
            pairs = {tuple(sorted(pair)) for pair in combinations(self.hands[seat], 2)}
            return [{"act": "give", "seat": seat, "cards": pair} for pair in pairs]
        if step == "give":
            return [{"act": "give", "seat": seat, "card": card} for card in set(self.hands[seat])]
        if step == "verdict":
            return [{"act": "verdict", "seat": self.target, "answer": "yes" if self.bad(self.target) else "no"}]
        if step == "reveal" or (step == "show" and not self.up):
            return [{"act": "reveal"}]
        if step == "return":
            return [{"act": "return", "seat": self.target, "card": card} for card in set(self.hands[self.target])]
        if step == "show":
            order = [(self.start + k) % self.n for k in range(self.n)]
            who = next(s for s in order if s in self.villains() and s not in self.told)
            return [{"act": "show", "seat": who, "answer": "yes" if self._document(who) else "no"}]
        if step == "refill":
            return self._legal_refill()
        return []

    def _document(self, seat: int) -> bool:
        if self.wanted:
            return f"document-{self.wanted}" in self.hands[seat]
        return "document" in self.hands[seat]

    def _legal_play(self) -> list[Act]:
        seat, found = self.seat, []
        others = [s for s in range(self.n) if s != seat and self.alive[s]]
        for card in set(self.hands[seat]):
            if card == "question" and self.up:
                found.append({"act": "play", "seat": seat, "card": card})
                continue
            if card != "arrest" or self.hour > 3 or self.rules["early-arrest"] == "discard":
                found.append({"act": "discard", "seat": seat, "card": card})
            for other in others:
                act = {"act": "play", "seat": seat, "card": card, "target": other}
                if card == "question" and not self.traits:
                    found.append(act)
                elif card == "question":
                    for trait in ("hat", "hair", "eyes", "coat"):
                        colours = {self.traits[role][trait] for role in ROLES[: self.n]}
                        found += [{**act, "trait": trait, "colour": colour} for colour in colours]
                elif (
                    card == "magnifier"
                    or (card == "binoculars" and self.hands[other])
                    or (card == "arrest" and self.hour > 3 and self._may_arrest(seat, other))
                ):
                    found.append(act)
        if self.rules["early-arrest"] == "forbidden" and self.hour < 4 and set(self.hands[seat]) == {"arrest"}:
            found.append({"act": "keep", "seat": seat})
        elif self.up and self.roles[seat] == "collins" and len(self.villains()) == 2 and not self.passed:
            found += [{"act": "pass", "seat": seat, "card": card} for card in set(self.hands[seat])]
        return found

    def _may_arrest(self, seat: int, other: int) -> bool:
        if self.up:
            return not self.bad(seat) and self.bad(other)
        return self.rules["villain-arrest"] == "bluff" or not self.bad(seat)

    def _responses(self, seat: int) -> set[str]:
        used = {card for who, card in self.fight["row"] if self.bad(who)} if self.rules["same-vehicle"] == "once" else set()
        return {card for card in self.hands[seat] if card in RESPONSES and not (card in used and card in VEHICLES)}

    def _legal_respond(self) -> list[Act]:
        villain = self.fight["villain"]
        found = [{"act": "respond", "seat": villain, "card": card} for card in self._responses(villain)]
        if not found or self.rules["must-respond"] == "may":
            found.append({"act": "arrested", "seat": villain})
        if self.rules["fellow-helps"] == "yes":
            for fellow in self.villains():
                if fellow != villain:
                    cards = self._responses(fellow) - {"gun"}
                    found += [{"act": "respond", "seat": fellow, "card": card} for card in cards]
        return found

    def _legal_match(self) -> list[Act]:
        who = [self.fight["pursuer"]] if self.rules["who-matches"] == "pursuer-only" else self.heroes()
        card = self.fight["vehicle"]
        return [{"act": "unmatched"}, *({"act": "match", "seat": s, "card": card} for s in who if card in self.hands[s])]

    def _legal_shoot(self) -> list[Act]:
        fight = self.fight
        claims = [act for act in self._claims() if self.rules["gunfight"] == "sealed" or fight["to"] == fight["pursuer"]]
        if self.rules["gunfight"] == "sealed":
            v, h = (self.hands[fight[who]].count("gun") for who in ("villain", "pursuer"))
            return claims + [
                {"act": "shoot", "shots": (fight["shots"][0] + a, fight["shots"][1] + b)}
                for a in range(v + 1)
                for b in range(h + 1)
            ]
        found = [*claims, {"act": "hold", "seat": fight["to"]}]
        if "gun" in self.hands[fight["to"]]:
            found.append({"act": "shoot", "seat": fight["to"], "card": "gun"})
        return found

    def _claimable(self) -> list[int]:
        """Heroes who could, as far as the others know, turn up a role against the last card."""
        card = self.fight["row"][-1][1]
        role = {"disguise": "townsend", "bomb": "tarasov", "gun": "sharpe"}.get(card)
        if not self.advanced or self.rules["reveal-all"] == "all" or role not in self.roles:
            return []
        if any(self.claimed[s] == role for s in range(self.n)):
            return []
        who = self.heroes() if card == "bomb" else [self.fight["pursuer"]]
        return [s for s in who if not self.claimed[s]]

    def _claims(self) -> list[Act]:
        role = {"disguise": "townsend", "bomb": "tarasov", "gun": "sharpe"}.get(self.fight["row"][-1][1])
        return [{"act": "claim", "seat": s, "answer": "yes"} for s in self._claimable() if self.roles[s] == role]

    def _legal_claim(self) -> list[Act]:
        return [*self._claims(), {"act": "claim", "answer": "no"}]

    def _refiller(self) -> int | None:
        fight = self.fight
        for seat in [(fight["by"] + k) % self.n for k in range(self.n)]:
            if seat in fight["joined"] and self.alive[seat] and len(self.hands[seat]) < 7:
                return seat if self.deck or self.pile or self._loot(seat) is not None else None
        return None

    def _loot(self, seat: int) -> int | None:
        fight = self.fight
        if fight["how"] != "death" or seat not in (fight["villain"], fight["pursuer"]):
            return None
        other = fight["pursuer"] if seat == fight["villain"] else fight["villain"]
        return other if not self.alive[other] and self.hands[other] else None

    def _legal_refill(self) -> list[Act]:
        seat = self._refiller()
        dead = self._loot(seat)
        if dead is None or self.rules["loot"] == "blind":
            return [{"act": "refill", "seat": seat}]
        count = min(7 - len(self.hands[seat]), len(self.hands[dead]))
        return [
            {"act": "refill", "seat": seat, "cards": c}
            for c in {tuple(sorted(c)) for c in combinations(self.hands[dead], count)}
        ]

    # --- what it does ---------------------------------------------------------------------------------------------

    def do(self, act: Act, shuffled: list[str], took: list[str]) -> None:
        """Do a legal act. ``shuffled``: the deck after a reshuffle that it brought about, before cards were drawn off it."""
        self.shuffled, self.took = shuffled, took
        getattr(self, f"_do_{act['act']}")(act)

    def _draw(self, seat: int) -> None:
        if not self.deck and self.pile:
            assert sorted(self.shuffled) == sorted(self.pile)
            self.deck, self.pile = list(self.shuffled), []
        if self.deck:
            self.hands[seat].append(self.deck.pop(0))

    def _next(self, seat: int) -> None:
        """The turn goes on from this seat."""
        self.passed, self.told = False, []
        self.step = "draw"
        while True:
            seat = (seat + 1) % self.n
            if seat == self.start:
                if self.hour == 7:
                    self.seat, self.step = (seat - 1) % self.n, "show"
                    return
                self.hour += 1
            if not self.alive[seat]:
                continue
            if self.skips[seat] and self.hour > self.since[seat]:
                self.skips[seat] -= 1
                continue
            self.seat = seat
            return

    def _lose(self, seat: int) -> None:
        if self.rules["lost-turn"] == "next-round" and not self.skips[seat]:
            self.since[seat] = self.hour
        self.skips[seat] = 1 if self.rules["lost-turns"] == "merge" else self.skips[seat] + 1

    def _do_draw(self, act: Act) -> None:
        self._draw(self.seat)
        self.step = "play"
        if self.rules["collins-pass"] == "every-draw":
            self.passed = False

    def _do_discard(self, act: Act) -> None:
        self.hands[self.seat].remove(act["card"])
        self.pile.append(act["card"])
        self._next(self.seat)

    def _do_keep(self, act: Act) -> None:
        self._next(self.seat)

    def _do_play(self, act: Act) -> None:
        card = act["card"]
        self.hands[self.seat].remove(card)
        self.target = act.get("target", 0)
        if card == "arrest":
            if self.up:
                self._confront(self.seat, self.target)
            else:
                self.step = "verdict"
            return
        self.pile.append(card)
        self.question = (act.get("trait"), act.get("colour"))
        self.step = {"question": "draw" if self.up else "answer", "magnifier": "look", "binoculars": "take"}[card]

    def _do_answer(self, act: Act) -> None:
        self.log.append((self.hour, self.seat, self.target, *self.question, act["answer"]))
        self._next(self.seat)

    def _do_look(self, act: Act) -> None:
        self._next(self.seat)

    def _do_take(self, act: Act) -> None:
        for card in self.took:
            self.hands[self.target].remove(card)
            self.hands[self.seat].append(card)
        self.taken = act["count"]
        if self.taken == 2:
            self.claimed[self.seat] = "gold"
        self.step = "give"

    def _do_give(self, act: Act) -> None:
        for card in act.get("cards") or [act["card"]]:
            self.hands[self.seat].remove(card)
            self.hands[self.target].append(card)
        self._next(self.seat)

    def _do_verdict(self, act: Act) -> None:
        if act["answer"] == "yes":
            self.step = "reveal"
            return
        self.pile.append("arrest")
        self.cleared[self.target] = True
        self._lose(self.seat)
        self._lose(self.target)
        self._next(self.seat)

    def _do_reveal(self, act: Act) -> None:
        self.up = True
        if self.step == "show":
            return
        if self.bad(self.seat) and self.rules["villain-accuses-villain"] == "reveal-only":
            self.pile.append("arrest")
            self._next(self.seat)
            return
        others = [s for s in self.villains() if s not in (self.target, self.seat)]
        self._confront(self.seat, self.target)
        if others and self.rules["accuse-either"] == "both":
            self.second = others[0]

    def _do_pass(self, act: Act) -> None:
        self.target = next(s for s in self.villains() if s != self.seat)
        self.hands[self.seat].remove(act["card"])
        self.hands[self.target].append(act["card"])
        self.step, self.passed = "return", True

    def _do_return(self, act: Act) -> None:
        self.hands[self.target].remove(act["card"])
        self.hands[self.seat].append(act["card"])
        self.step = "play"

    def _do_show(self, act: Act) -> None:
        self.told.append(act["seat"])
        if act["answer"] == "yes":
            self.step, self.over = "over", "villains"
        elif all(seat in self.told for seat in self.villains()):
            self.step, self.over = "over", "heroes"

    # --- confrontations -------------------------------------------------------------------------------------------

    def _confront(self, by: int, villain: int) -> None:
        self.fight = {
            "by": by, "villain": villain, "pursuer": by, "joined": [by, villain], "row": [(by, "arrest")], "stage": "respond",
            "to": None, "vehicle": None, "shots": [0, 0], "held": False, "how": None,
        }  # fmt: skip
        self.step = "confrontation"

    def _lay(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.fight["row"].append((seat, card))
        if seat not in self.fight["joined"]:
            self.fight["joined"].append(seat)

    def _do_respond(self, act: Act) -> None:
        fight, card = self.fight, act["card"]
        self._lay(act["seat"], card)
        if card in VEHICLES:
            fight.update(stage="match", vehicle=card)
        elif card == "gun":
            fight.update(stage="shoot", shots=[1, 0], to=fight["pursuer"], held=False)
        elif self.has("townsend" if card == "disguise" else "tarasov", fight["pursuer"]):
            pass
        elif self._claimable():
            fight["stage"] = "claim"
        else:
            self._works(card)

    def _works(self, card: str) -> None:
        if card == "bomb":
            for hero in self.heroes():
                if not self.has("tarasov", hero):
                    self._lose(hero)
        self._end("bomb" if card == "bomb" else "away")

    def _do_claim(self, act: Act) -> None:
        fight, card = self.fight, self.fight["row"][-1][1]
        if act["answer"] == "yes":
            self.claimed[act["seat"]] = self.roles[act["seat"]]
        if fight["stage"] == "shoot":
            return
        if act["answer"] == "yes" and act["seat"] == fight["pursuer"]:
            fight["stage"] = "respond"
        else:
            self._works(card)

    def _do_match(self, act: Act) -> None:
        self._lay(act["seat"], act["card"])
        self.fight.update(pursuer=act["seat"], stage="respond", vehicle=None)

    def _do_unmatched(self, act: Act) -> None:
        self._end("away")

    def _do_arrested(self, act: Act) -> None:
        self.alive[self.fight["villain"]] = False
        self._end("arrested")

    def _scores(self) -> tuple[int, int]:
        v, h = self.fight["shots"]
        sharpe = self.has("sharpe", self.fight["pursuer"]) and (h > 0 or self.rules["sharpe-zero"] == "always")
        return v, h + sharpe

    def _die(self, seat: int) -> None:
        self.alive[seat] = False
        self._end("death")

    def _do_shoot(self, act: Act) -> None:
        fight = self.fight
        villain, hero = fight["villain"], fight["pursuer"]
        if self.rules["gunfight"] == "sealed":
            for _ in range(act["shots"][0] - fight["shots"][0]):
                self._lay(villain, "gun")
            for _ in range(act["shots"][1] - fight["shots"][1]):
                self._lay(hero, "gun")
            fight["shots"] = list(act["shots"])
            v, h = self._scores()
            if v == h:
                self._end("away")
            else:
                self._die(villain if v < h else hero)
            return
        self._lay(act["seat"], "gun")
        fight["shots"][0 if act["seat"] == villain else 1] += 1
        fight.update(to=hero if act["seat"] == villain else villain, held=False)

    def _do_hold(self, act: Act) -> None:
        fight = self.fight
        v, h = self._scores()
        lead = (v - h) * (1 if act["seat"] == fight["villain"] else -1)
        if lead < 0:
            self._die(act["seat"])
        elif lead == 0 and (fight["held"] or (self.rules["gunfight"] == "villain-last" and act["seat"] == fight["villain"])):
            self._end("away")
        else:
            fight.update(held=True, to=fight["pursuer"] if act["seat"] == fight["villain"] else fight["villain"])

    def _end(self, how: str) -> None:
        fight = self.fight
        fight["how"] = how
        if not self.villains() or not self.heroes():
            self.step, self.over = "over", "heroes" if not self.villains() else "villains"
            return
        if self.second is not None and self.alive[self.second] and self.alive[fight["by"]]:
            fight["joined"].append(self.second)
            fight.update(villain=self.second, pursuer=fight["by"], stage="respond", shots=[0, 0], held=False, vehicle=None)
            self.second = None
            return
        self.second = None
        self.step = "refill"
        if self.rules["refill"] == "after-discard":
            self._row_away()
        self._refilled()

    def _row_away(self) -> None:
        self.pile[:0] = [card for _, card in self.fight["row"]]
        self.fight["row"] = []

    def _do_refill(self, act: Act) -> None:
        seat = act["seat"]
        dead = self._loot(seat)
        if dead is not None:
            cards = list(act.get("cards") or self.took)
            assert len(cards) == min(7 - len(self.hands[seat]), len(self.hands[dead]))
            for card in cards:
                self.hands[dead].remove(card)
                self.hands[seat].append(card)
        while len(self.hands[seat]) < 7 and (self.deck or self.pile):
            self._draw(seat)
        self._refilled()

    def _refilled(self) -> None:
        if self._refiller() is not None:
            return
        self._row_away()
        for seat in range(self.n):
            if not self.alive[seat]:
                if self.rules["dead-hand"] == "removed":
                    self.removed += sorted(self.hands[seat])
                else:
                    self.pile[:0] = sorted(self.hands[seat])
                self.hands[seat] = []
        by = self.fight["by"]
        self.fight = None
        self._next(by)

    # --- what lies on the table -----------------------------------------------------------------------------------

    def table(self) -> dict[str, Any]:
        """The public part, as far as both engines have it."""
        everybody = self.rules["reveal-all"] == "all"
        role = [self.roles[s] if self.up and (everybody or self.bad(s)) else None for s in range(self.n)]
        return {
            "hour": self.hour, "seat": self.seat, "step": self.step, "over": self.over, "revealed": self.up, "role": role,
            "hands": [len(hand) for hand in self.hands], "alive": list(self.alive), "skips": list(self.skips),
            "cleared": list(self.cleared), "shown": list(self.claimed), "deck": len(self.deck),
            "pile": list(self.pile), "row": [tuple(entry) for entry in self.fight["row"]] if self.fight else [],
            "answers": list(self.log), "passed": self.passed,
        }  # fmt: skip
