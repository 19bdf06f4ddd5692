"""The result of analysing one frame: motion, occlusion, the last observation, and a reading where one has settled."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from companion.vision.observation import Observation
from companion.vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the view that is not a piece: ``text`` is an English template, ``params`` its words.

    Codes: ``camera-moved``, ``registered-again``, ``board-lost``, ``board-back``, ``picture-unusable``, ``partial-view``,
    ``whole-view``, ``board-slid``, ``cards-in-view``, ``point-at-one``, ``never-rests``.
    """

    code: str
    text: str
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class FrameAnalysis:
    """``moving``: something moves over the board. ``occluded``: something that is not a piece lies over it. ``observation``:
    the last look. ``settled``: a new settled reading, only on the frame it settled on. ``steady``: nothing differs from the
    last settled reading, so that is what lies there now. ``lost``: why the board is out of sight, once that was told; empty
    while it is seen. ``pointed``: the place that a finger was held on for long enough, only on the frame it was; ``stayed``:
    that was told before, and the finger has stayed there for as long again; ``pointing``: the place that it is held on so
    far."""

    moving: bool = False
    occluded: bool = False
    observation: Observation | None = None
    settled: Reading | None = None
    notices: tuple[Notice, ...] = ()
    steady: bool = False
    lost: str = ""
    pointed: str = ""
    stayed: bool = False
    pointing: str = ""
