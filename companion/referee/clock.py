"""The players' clocks, folded from the record: every event says how long it came after the one before it, and so who was
thinking until then. Its date is only a label: the wall clock may be set in the middle of a game. Records of older companions
have no such durations; there the dates tell them.

Nobody starts or stops them during play: they run for whoever has the pick, and stand still while anything is flagged,
doubted, put right, answered, cleaned up or adjourned. ``delay`` seconds of each pick are free, ``increment`` seconds are
added after it. Time below nought is overtime; what it costs is the arbiter's word.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from companion.errors import BadInput, quoted
from companion.games.game import Role
from companion.record.events import Event

Json = Mapping[str, Any]
MOST_S = 24 * 3600.0
ELAPSED = "elapsed"
"""In an event's data, while clocks are set: seconds since the event before it, by a clock that nobody sets."""
START, HOLD, GO, SET, AWAY = "start", "hold", "go", "set", "away"


@dataclass(frozen=True)
class GameClock:
    """Seconds left by role as of ``since`` (the date of the last event), and for whom time runs from then on.

    ``free`` is what is left of this pick's delay. ``held``: stopped by somebody's word. ``fallen``: roles whose time ran out.
    """

    left: Mapping[str, float]
    increment: float
    delay: float
    since: float
    running: str | None = None
    free: float = 0.0
    held: bool = False
    fallen: tuple[str, ...] = ()

    def at(self, now: float) -> "GameClock":
        """The same clock at a later moment; a moment before ``since`` changes nothing."""
        return self.after(now - self.since, max(now, self.since))

    def after(self, seconds: float, since: float) -> "GameClock":
        """The same clock so many seconds later (below nought: none), at a moment that is called ``since``."""
        spent = max(0.0, seconds)
        if self.running is None or spent == 0.0:
            return replace(self, since=since)
        charged = max(0.0, spent - self.free)
        left = {**self.left, self.running: round(self.left[self.running] - charged, 3)}
        return replace(self, left=left, since=since, free=round(max(0.0, self.free - spent), 3))

    def to_json(self) -> dict[str, Any]:
        return {
            "left": dict(self.left), "running": self.running, "since": self.since, "free": self.free,
            "increment": self.increment, "delay": self.delay, "held": self.held, "fallen": list(self.fallen),
        }  # fmt: skip


class Picked(Protocol):
    """One pick of the running turn, as far as clocks care."""

    @property
    def mover(self) -> Role:
        """Who made it."""


class Timed(Protocol):
    """What clocks ask of a game: who picks, what was picked, and whether anything has to be put right first."""

    @property
    def clock(self) -> GameClock | None:
        """The clocks, None while none are set."""

    @property
    def mover(self) -> Role | None:
        """Whose pick it is; None when nobody picks now."""

    @property
    def seats(self) -> tuple[Role, ...]:
        """Who plays."""

    @property
    def picks(self) -> Sequence[Picked]:
        """The picks made in the running turn."""

    @property
    def flag(self) -> Json | None:
        """What is flagged."""

    @property
    def doubt(self) -> Json | None:
        """What is doubted."""

    @property
    def adjourned(self) -> bool:
        """Whether the game is adjourned."""

    @property
    def restoring(self) -> bool:
        """Whether the table is being put back."""


def runs_for(match: Timed) -> str | None:
    """Whose time it is: whoever picks, unless something has to be put right first."""
    troubled = match.flag or match.doubt or match.adjourned or match.restoring
    return None if troubled else match.mover


def follow(before: Timed, after: Timed, event: Event, *, fresh: bool = False) -> GameClock | None:
    """The clock after an event that turned one match into the other. ``fresh``: the event begins a step of the game's own."""
    data, clock = event.data, before.clock
    if event.kind == "clock" and data["action"] == START:
        budgets = {role: float(seconds) for role, seconds in data["budgets"].items()}
        clock = GameClock(budgets, float(data["increment"]), float(data["delay"]), event.at)
    if clock is None:
        return None
    if data.get("action") == AWAY and event.kind == "clock":
        clock = replace(clock, since=event.at)
    elif ELAPSED in data:
        clock = clock.after(float(data[ELAPSED]), event.at)
    else:
        clock = clock.at(event.at)
    if event.kind == "clock":
        clock = _told(clock, data)
    if event.kind == "time-over":
        clock = replace(clock, fallen=(*clock.fallen, data["role"]))
    gained = len(after.picks) - len(before.picks)
    # Where an arbiter takes the game back to is another moment of it: its picks were not made now, and clocks stay.
    picked = event.kind in ("play", "undo") or (event.kind == "ruling" and data["action"] == "allow")
    if picked and abs(gained) == 1:
        last = (after if gained > 0 else before).picks[-1].mover
        clock = replace(clock, left={**clock.left, last: round(clock.left[last] + gained * clock.increment, 3)})
    if gained or fresh:
        clock = replace(clock, free=clock.delay)
    return replace(clock, running=None if clock.held else runs_for(after))


def _told(clock: GameClock, data: Json) -> GameClock:
    action = data["action"]
    if action in (HOLD, GO):
        return replace(clock, held=action == HOLD)
    if action == SET:
        fallen = tuple(role for role in clock.fallen if role != data["role"])
        return replace(clock, left={**clock.left, data["role"]: float(data["seconds"])}, fallen=fallen)
    return replace(clock, free=clock.delay) if action == START else clock


def ran_out(match: Timed, now: float) -> str | None:
    """The role whose time has just run out and who was not told so yet."""
    clock = match.clock
    if clock is None or clock.running is None or clock.running in clock.fallen:
        return None
    return clock.running if clock.at(now).left[clock.running] <= 0 else None


def clock_data(match: Timed, answer: Json) -> dict[str, Any]:
    """What is said about the clocks, checked. Raises BadInput.

    ``start`` with ``seconds`` for both or ``budgets`` by role, ``increment`` and ``delay``; ``hold`` and ``go``;
    ``set`` a role's ``seconds``. All but the first start are rulings and need a ``reason``.
    """
    action, reason = answer.get("action"), answer.get("reason")
    if action not in (START, HOLD, GO, SET):
        raise BadInput(f"the clocks cannot {quoted(action)}; there are: {START}, {HOLD}, {GO}, {SET}")
    if action != START and match.clock is None:
        raise BadInput("no clocks are set in this game")
    if match.clock is not None and (not isinstance(reason, str) or not reason.strip()):
        raise BadInput("a word about running clocks needs a reason")
    said = {"action": action, "reason": reason} if match.clock is not None else {"action": action}
    roles = sorted(match.seats)
    if action == SET:
        if answer.get("role") not in roles:
            raise BadInput(f"a clock is one of {', '.join(roles)}, not {quoted(answer.get('role'))}")
        return {**said, "role": answer["role"], "seconds": _seconds(answer, "seconds", least=0)}
    if action != START:
        return said
    told = answer.get("budgets")
    budgets = told if isinstance(told, Mapping) else dict.fromkeys(roles, answer.get("seconds"))
    if sorted(map(str, budgets)) != roles:
        raise BadInput(f"clocks are set for {' and '.join(roles)}")
    return {
        **said, "budgets": {role: _seconds(budgets, role, least=1) for role in roles},
        "increment": _seconds(answer, "increment", least=0, usual=0), "delay": _seconds(answer, "delay", least=0, usual=0),
    }  # fmt: skip


def _seconds(answer: Json, key: str, *, least: float, usual: float | None = None) -> float:
    value = answer.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= MOST_S:
        raise BadInput(f"{key}: seconds from {least:g} to {MOST_S:g} are allowed, not {quoted(value)}")
    return float(value)
