"""What somebody does in public: one act, as JSON and as a sentence. What an act hides goes beside it (:class:`Hidden`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.letters_from_whitechapel.names import ALLEY, COACH, FAKE, WALK

DRAW_HEAD, LAY_WOMEN, LAY_PATROLS, VICTIMS, MURDER, WAIT, SCATTER, TURN_UP, UNMASK = (
    "head", "women", "patrols", "victims", "kill", "wait", "wretched", "turn-up", "reveal",
)  # fmt: skip
TRAPPED, MOVE, SEARCH, STOP, ARREST = "trapped", "move", "search", "stop", "arrest"
FINISH = "finish"
"""A policeman is done and nothing on the board tells how: he stopped, searched in vain, or arrested in vain."""
JACKS_MOVES = (WALK, COACH, ALLEY)


@dataclass(frozen=True, slots=True)
class Act:
    """``kind`` and what goes with it:

    ========================  ===================================================================
    head                      ``by``: the head of tonight's investigation
    women, victims, kill      ``circles``; of women all that lie now, the step is over when it is all of them
    patrols                   ``crossings`` where tokens lie now, likewise
    wait, trapped             nothing
    wretched                  ``moves``: (from, to) in the order made; ``yes`` False: not all yet. Pawns look alike: where
                              the board does not tell who went where there are no moves but the ``circles`` where they stand
    turn-up                   ``crossing`` and ``token``: a colour, or fake
    reveal                    ``police``: (colour, crossing) of all five
    walk, coach, alley        ``yes``: whether Jack announces that he is home
    move                      ``by``, ``crossing``: a policeman and where he ends
    search, arrest            ``by``, ``circles`` (one; none where the board does not tell), ``yes``: the answer
    stop, finish              ``by``
    ========================  ===================================================================
    """

    kind: str
    by: str | None = None
    circles: tuple[int, ...] = ()
    crossings: tuple[str, ...] = ()
    moves: tuple[tuple[int, int], ...] = ()
    police: tuple[tuple[str, str], ...] = ()
    crossing: str | None = None
    token: str | None = None
    yes: bool | None = None

    @property
    def circle(self) -> int:
        """The one circle of a search or an arrest."""
        return self.circles[0]

    def to_json(self) -> dict[str, Any]:
        """``act`` and what goes with it; without what it does not have."""
        data: dict[str, Any] = {"act": self.kind}
        if self.by:
            data["by"] = self.by
        if self.kind in (SEARCH, ARREST) and self.circles:
            data["circle"] = self.circle
        elif self.circles:
            data["circles"] = list(self.circles)
        if self.crossings:
            data["crossings"] = list(self.crossings)
        if self.kind == SCATTER and not self.circles:
            data["moves"] = [list(move) for move in self.moves]
        if self.police:
            data["police"] = dict(self.police)
        if self.crossing:
            data["crossing"] = self.crossing
        if self.token:
            data["token"] = self.token
        if self.yes is not None:
            data[{SEARCH: "clue", ARREST: "arrested", SCATTER: "complete"}.get(self.kind, "home")] = self.yes
        return data

    @property
    def text(self) -> str:
        """The act as a sentence."""
        return _SAID[self.kind](self)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What an act hides: the circles that a move of Jack's writes, the scenes in their true order, which women are marked, what
    the patrol tokens are, and the hideout as it is chosen with the first night's women."""

    circles: tuple[int, ...] = ()
    women: Mapping[int, str] = field(default_factory=dict)
    patrols: Mapping[str, str] = field(default_factory=dict)
    hideout: int | None = None


def _numbers(circles: tuple[int, ...]) -> str:
    return " and ".join(map(str, circles))


def _at(circles: tuple[int, ...]) -> str:
    return f" at {circles[0]}" if circles else ""


def _scatter(act: Act) -> str:
    if act.circles:
        return f"the Wretched move; they stand on {', '.join(map(str, act.circles))}"
    moves = ", ".join(f"{origin} to {to}" for origin, to in act.moves)
    return f"the Wretched move: {moves}" if moves else "no Wretched can move"


_SAID: Mapping[str, Callable[[Act], str]] = {
    DRAW_HEAD: lambda act: f"{act.by} is the head of tonight's investigation",
    LAY_WOMEN: lambda act: f"Jack lays the women's tokens on {', '.join(map(str, act.circles))}",
    LAY_PATROLS: lambda act: f"the head of the investigation lays the patrol tokens on {', '.join(act.crossings)}",
    VICTIMS: lambda act: f"Jack turns up the women: the Wretched stand on {', '.join(map(str, act.circles))}",
    MURDER: lambda act: f"Jack kills on {_numbers(act.circles)}",
    WAIT: lambda act: "Jack waits",
    SCATTER: _scatter,
    TURN_UP: lambda act: (
        f"Jack turns up the patrol token on {act.crossing}: {act.token}"
        + (", which leaves the board" if act.token == FAKE else "")
    ),
    UNMASK: lambda act: f"the patrols are turned up: {', '.join(f'{colour} on {spot}' for colour, spot in act.police)}",
    WALK: lambda act: "Jack walks" + (" and is home" if act.yes else ""),
    COACH: lambda act: "Jack takes a coach" + (" and is home" if act.yes else ""),
    ALLEY: lambda act: "Jack goes by an alley" + (" and is home" if act.yes else ""),
    TRAPPED: lambda act: "Jack is trapped",
    MOVE: lambda act: f"{act.by} moves to {act.crossing}",
    SEARCH: lambda act: f"{act.by} searches {act.circle}: {'a clue' if act.yes else 'nothing'}",
    STOP: lambda act: f"{act.by} is done",
    ARREST: lambda act: f"{act.by} arrests{_at(act.circles)}: {'Jack is caught' if act.yes else 'not there'}",
    FINISH: lambda act: f"{act.by} is done; whether he searched or arrested in vain the board does not tell",
}
