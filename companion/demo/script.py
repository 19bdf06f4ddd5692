"""The demo's script: which picture of a bundled table is shown when, where hands go in between, what its players say.

A game's table lies in the folder of its name: ``demo.json`` says how it is played, ``table`` is a table set.
Nothing here says what is on the table: that is for the companion to find out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion import bounded, games
from companion.errors import BadInput, quoted, stopped_by

HERE = Path(__file__).parent
_SCRIPT = "demo.json"
TABLE = HERE / games.DEFAULT / "table"
"""The usual game's table."""
Pixel = tuple[float, float]
Size = tuple[int, int]
_USUAL_SIZE: Size = (1920, 1080)
_OUT = 220.0
"""How far beyond the picture's edge the fingers are when an arm is wholly out of it, pixels of the arm's own picture."""
_ASIDE = 120.0
"""How far aside of the place they visit first they come in, likewise."""


@dataclass(frozen=True, slots=True)
class ArmReach:
    """One arm's way: ``times[i]`` (seconds since the reach began) at ``places[i]``; ``over_top`` when it comes from the top."""

    over_top: bool
    times: tuple[float, ...]
    places: tuple[Pixel, ...]

    def at(self, time: float) -> Pixel | None:
        """Where the fingers are, with soft starts and stops; None before and after."""
        if not self.times[0] <= time < self.times[-1]:
            return None
        index = max(i for i, moment in enumerate(self.times) if moment <= time)
        (x0, y0), (x1, y1) = self.places[index], self.places[index + 1]
        part = (time - self.times[index]) / max(1e-9, self.times[index + 1] - self.times[index])
        eased = part * part * (3 - 2 * part)
        return x0 + (x1 - x0) * eased, y0 + (y1 - y0) * eased


@dataclass(frozen=True, slots=True)
class ScriptChange:
    """From ``time`` on (seconds since the scene began) the surroundings of ``place`` show the scene's own picture."""

    time: float
    place: Pixel


@dataclass(frozen=True, slots=True)
class ScriptAnswer:
    """What one of the recorded players says: from ``time`` on (seconds of the script), as soon as it can be taken."""

    time: float
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScriptScene:
    """One picture: ``action`` seconds of hands or of a knock, then ``rest`` seconds of quiet, in which ``answers`` are given.

    An interlude shows its picture and gives the one before back to the next scene.
    """

    picture: str
    begin: float
    action: float
    rest: float
    reaches: tuple[ArmReach, ...] = ()
    changes: tuple[ScriptChange, ...] = ()
    answers: tuple[ScriptAnswer, ...] = ()
    knock: bool = False
    interlude: bool = False

    @property
    def end(self) -> float:
        return self.begin + self.action + self.rest


@dataclass(frozen=True, slots=True)
class Script:
    """The whole demo. ``told`` is the answer by which the players tell a secret beforehand (empty: none), ``grab`` the
    fingers' place in the arm's picture, ``arm_scale`` how much larger than there it is drawn, ``radius`` how far around a touch
    things change (pixels), ``size`` that of the pictures, ``table`` their folder."""

    rate: float
    told: Mapping[str, Any]
    grab: Pixel
    radius: float
    scenes: tuple[ScriptScene, ...]
    table: Path = TABLE
    size: Size = _USUAL_SIZE
    arm_scale: float = 1.0

    @property
    def answers(self) -> tuple[ScriptAnswer, ...]:
        """What the players say, in order."""
        return tuple(answer for scene in self.scenes for answer in scene.answers)

    @property
    def length(self) -> float:
        """Seconds from the first picture to the end of the last."""
        return self.scenes[-1].end

    def scene_at(self, time: float) -> int:
        """The number of the scene at a time; the last one for ever."""
        return next((i for i, scene in enumerate(self.scenes) if time < scene.end), len(self.scenes) - 1)


def bundled() -> tuple[str, ...]:
    """The games of which a table is bundled."""
    return tuple(sorted(path.parent.name for path in HERE.glob(f"*/{_SCRIPT}")))


def table_of(game: str) -> Path:
    """The folder of a game's bundled table. Raises BadInput when there is none."""
    if game not in bundled():
        raise BadInput(f"there is no bundled table of {quoted(game)}; there are: {', '.join(bundled())}")
    return HERE / game / "table"


def load_script(path: Path | None = None, game: str = games.DEFAULT) -> Script:
    """The script from its file, or a game's own. Raises BadInput when it cannot be read."""
    path = path or table_of(game).parent / _SCRIPT
    try:
        data = bounded.read_json(path, bounded.BOUNDS.table)
        arm = {"scale": 1.0, **data["arm"]}
        width, height = data.get("size", _USUAL_SIZE)
        scenes: list[ScriptScene] = []
        for raw in data["scenes"]:
            begin = scenes[-1].end if scenes else 0.0
            scenes.append(_scene(raw, begin, arm, height))
        return Script(
            data["rate"], dict(data.get("told", {})), tuple(arm["grab"]), arm["reach"], tuple(scenes), path.parent / "table",
            (width, height), arm["scale"],
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise BadInput(f"demo script {path.name}: {stopped_by(error)}") from error


def table_set(game: str = games.DEFAULT) -> dict[str, Any]:
    """A bundled table's own facts: lens, markers, and what is on it in each picture (for tests; the demo uses the lens)."""
    data: dict[str, Any] = bounded.read_json(table_of(game) / "table.json", bounded.BOUNDS.table)
    return data


def _scene(raw: dict[str, Any], begin: float, arm: dict[str, Any], height: int) -> ScriptScene:
    touches = [(float(x), float(y)) for x, y in raw.get("touch", [])]
    reaches: list[ArmReach] = []
    changes: list[ScriptChange] = []
    time = 0.0
    for over_top, places in _by_arm(touches, height):
        way, moments = [_outside(places[0], over_top, height, arm["scale"])], [time]
        for place in [*places, _outside(places[-1], over_top, height, arm["scale"])]:
            time += max(0.25, math.dist(way[-1], place) / arm["speed"])
            way.append(place)
            moments.append(time)
            if place in places:
                changes.append(ScriptChange(time + arm["dwell"] / 2, place))
                time += arm["dwell"]
                way.append(place)
                moments.append(time)
        reaches.append(ArmReach(over_top, tuple(moments), tuple(way)))
    knock = "knock" in raw
    action = raw.get("knock", time)
    says = tuple(ScriptAnswer(begin + action + said["after"], dict(said["answer"])) for said in raw.get("says", ()))
    return ScriptScene(
        raw["picture"], begin, action, raw["rest"], tuple(reaches), tuple(changes), says, knock, raw.get("interlude", False)
    )


def _by_arm(touches: list[Pixel], height: int) -> list[tuple[bool, list[Pixel]]]:
    """Consecutive touches by the same arm: the players sit at the bottom and at the top of the picture."""
    groups: list[tuple[bool, list[Pixel]]] = []
    for place in touches:
        over_top = place[1] < height / 2
        if groups and groups[-1][0] == over_top:
            groups[-1][1].append(place)
        else:
            groups.append((over_top, [place]))
    return groups


def _outside(place: Pixel, over_top: bool, height: int, scale: float) -> Pixel:
    aside, out = _ASIDE * scale, _OUT * scale
    return (place[0] + aside, -out) if over_top else (place[0] - aside, height + out)
