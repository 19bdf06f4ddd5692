"""When a finger was held on one place for long enough: a pure fold over what the pictures show."""

from dataclasses import dataclass, replace

import numpy as np

from companion.vision.pointing.shape import PointerLook


@dataclass(frozen=True, slots=True)
class HoldingSettings:
    """Tunables.

    hold_s
        0.8..1.5 s on one place, and as long again for it to have stayed there.
    looks
        4..10 pictures at least that show it there in this time.
    still_mm
        3..6 mm that the tip may be from where it was so far: it is told to 2 or 3, and hands shake.
    follow
        0.1..0.5 of the way to a new look's tip that this goes.
    lapse_s
        0.1..0.3 s in which the finger may not be made out.
    clear_s
        0.2..0.5 s without any finger before one counts: what lies there when the question is asked does not answer it.
    unclear_s
        1..3 s that a hand points unclearly before that is said.
    """

    hold_s: float = 1.0
    looks: int = 5
    still_mm: float = 4.5
    follow: float = 0.25
    lapse_s: float = 0.25
    clear_s: float = 0.25
    unclear_s: float = 1.6


@dataclass(frozen=True, slots=True)
class Holding:
    """What is known between two pictures, times in seconds of the source's clock. ``asked``: the places it is about. ``clear``:
    no finger was there for long enough, so the next one counts; ``clear_since``: since when there is none. ``place`` is pointed
    at ``since`` then, last seen there at ``at`` in ``looks`` pictures, with the tip around ``tip_mm``; ``told``: that was told.
    ``unclear_since``: since when a hand points at nothing surely; ``hinted``: that was said."""

    asked: tuple[str, ...] = ()
    clear: bool = False
    clear_since: float | None = None
    place: str = ""
    since: float = 0.0
    at: float = 0.0
    looks: int = 0
    tip_mm: tuple[float, float] = (0.0, 0.0)
    told: bool = False
    unclear_since: float | None = None
    hinted: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """``place``: what is pointed at by now, empty while nothing is. ``stayed``: it was told before, and the finger has stayed
    there since. ``hint``: it should be said how to point."""

    place: str = ""
    stayed: bool = False
    hint: bool = False


def held(
    state: Holding, asked: tuple[str, ...], look: PointerLook, at: float, settings: HoldingSettings
) -> tuple[Holding, Held]:
    """The state after one picture, taken ``at`` (s), and what is to be told of it. ``asked``: the places in question; others
    than before begin anew, and a finger that is there already has to go first."""
    if asked != state.asked:
        state = Holding(asked)
    if look.found in ("nothing", "elsewhere"):
        return _away(state, look, at, settings), Held()
    state = replace(state, clear_since=None)
    if look.found == "unclear":
        return _unclear(state, at, settings)
    return _on_place(state, look, at, settings) if state.clear else (state, Held())


def _on_place(state: Holding, look: PointerLook, at: float, settings: HoldingSettings) -> tuple[Holding, Held]:
    """A finger on an asked place."""
    assert look.tip_mm is not None
    off = float(np.hypot(look.tip_mm[0] - state.tip_mm[0], look.tip_mm[1] - state.tip_mm[1]))
    same, lately = state.place == look.place, at - state.at <= settings.lapse_s
    if same and lately and off > settings.still_mm:
        return state, Held()  # one outline that was told otherwise; a finger that moves stays there
    if not (same and lately):
        fresh = replace(state, place=look.place, since=at, at=at, looks=1, tip_mm=look.tip_mm, told=False, unclear_since=None)
        return fresh, Held()
    x, y = (was + settings.follow * (now - was) for was, now in zip(state.tip_mm, look.tip_mm, strict=True))
    state = replace(state, at=at, looks=state.looks + 1, tip_mm=(x, y), unclear_since=None)
    if at - state.since < settings.hold_s or state.looks < settings.looks:
        return state, Held()
    if not state.told:
        return replace(state, since=at, looks=0, told=True), Held(look.place)
    return replace(Holding(state.asked), hinted=state.hinted), Held(look.place, stayed=True)


def _away(state: Holding, look: PointerLook, at: float, settings: HoldingSettings) -> Holding:
    """No finger over the asked places."""
    since = at if state.clear_since is None else state.clear_since
    gone = replace(state, clear_since=since, clear=state.clear or at - since >= settings.clear_s, unclear_since=None)
    return gone if at - gone.at <= settings.lapse_s else replace(gone, place="", looks=0, told=False)


def _unclear(state: Holding, at: float, settings: HoldingSettings) -> tuple[Holding, Held]:
    """A hand near the asked places that points at none of them surely."""
    since = at if state.unclear_since is None else state.unclear_since
    state = replace(state, unclear_since=since)
    if at - state.at > settings.lapse_s:
        state = replace(state, place="", looks=0, told=False)
    if state.hinted or not state.clear or at - since < settings.unclear_s:
        return state, Held()
    return replace(state, hinted=True), Held(hint=True)
