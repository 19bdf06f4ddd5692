"""Watch one table through two cameras: a watcher for each, one settled reading of both.

A camera that is not steady (something moves or lies over the board in its picture) counts as blind for that while, so a hand
that blocks one view hides nothing that the other shows. Doubts that neither camera had before, and contradictions, wait: a
hand goes, and one camera may settle on a move a little later than the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.boards import PieceSet
from companion.errors import CompanionError
from companion.vision.frame import Frame
from companion.vision.observation import Observation
from companion.vision.reading import Reading
from companion.vision.watching.frame_analysis import FrameAnalysis, Notice
from companion.vision.watching.merging import merge
from companion.vision.watching.watcher import Watcher


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Tunables of the joint watcher.

    patience_s
        0.5..4 s that new doubts wait: contradictions, or what only the camera knew that is blind now.
    stale_s
        1..5 s after which a camera that sends nothing counts as blind.
    echo_s
        1..5 s in which the other camera's word of a knock, or of a finger, is of the same one, told once.
    """

    patience_s: float = 1.5
    stale_s: float = 2.0
    echo_s: float = 3.0


KNOCKED = frozenset({"camera-moved", "registered-again"})
"""Codes of notices that one push of the board brings from both cameras; the others are about one view alone."""


@dataclass(frozen=True, slots=True)
class CameraView:
    """What one camera of a pair showed last. ``seen_at``: when, in seconds of the pair's clock; ``number``: its newest frame's;
    ``settled``: its own last settled reading; ``unusable``: why its reader refuses its pictures, empty where it does not.
    ``pointed``: the place that it last saw pointed at, ``pointed_at`` when; ``stayed``: the finger had stayed there. ``again``:
    zones in which the upmost card may have been laid once more, as it told since something was last said."""

    analysis: FrameAnalysis | None = None
    settled: Reading | None = None
    seen_at: float = -1e9
    number: int = -1
    unusable: str = ""
    pointed: str = ""
    stayed: bool = False
    pointed_at: float = -1e9
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairState:
    """What is known of a table seen through two cameras. ``said``: the last reading of both; ``doubt_since``: since when new
    doubts wait; ``pointed_at``, ``stayed_at``: when a finger was last told, and when that it stayed; ``told``: by a notice's
    code, or a zone in which a card may have been laid once more, which camera told it last, and when."""

    cameras: tuple[CameraView, CameraView] = (CameraView(), CameraView())
    said: Reading | None = None
    doubt_since: float | None = None
    pointed_at: float = -1e9
    stayed_at: float = -1e9
    told: Mapping[str, tuple[int, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WatchedPair:
    """What stays the same while a table is watched through two cameras. ``names``: the sources of their frames."""

    names: tuple[str, str]
    pieces: PieceSet
    settings: PairSettings = field(default_factory=PairSettings)


@dataclass(frozen=True, slots=True)
class SeenFrame:
    """One camera's new frame, and what its watcher made of it, or why its reader refuses it (None where it does not)."""

    camera: int
    number: int
    analysis: FrameAnalysis = field(default_factory=FrameAnalysis)
    refused: str | None = None


def pair_step(
    state: PairState, seen: Iterable[SeenFrame], main: int, now: float, pair: WatchedPair
) -> tuple[PairState, FrameAnalysis]:
    """The state after new frames of one camera or both at ``now`` seconds, and what both see. ``main``: the camera whose
    picture is shown."""
    notices: list[Notice] = []
    for one in seen:
        state, news = _taken(state, one, now, pair)
        notices += news
    mine, theirs = state.cameras[main], state.cameras[1 - main]
    if mine.analysis is None:
        return state, FrameAnalysis(notices=tuple(notices))
    other = theirs.analysis if now - theirs.seen_at <= pair.settings.stale_s else None
    state, settled = _together(state, now, pair)
    moving = mine.analysis.moving and (other is None or other.moving)
    occluded = mine.analysis.occluded and (other is None or other.occluded)
    observation = _look(mine.analysis.observation, other.observation if other is not None else None, pair.pieces)
    lost = _lost(state, now, pair)
    state, pointed, stayed = _pointed(state, now, pair)
    analysis = FrameAnalysis(moving, occluded, observation, settled, tuple(notices), lost=lost, pointed=pointed, stayed=stayed)
    return state, analysis


def _pointed(state: PairState, now: float, pair: WatchedPair) -> tuple[PairState, str, bool]:
    """What a finger is held on and whether it stayed there, as one camera told just now and the other does not see otherwise:
    where it sees one too it must tell the same."""
    mine, theirs = state.cameras
    fresh = [view for view in state.cameras if view.pointed and view.pointed_at == now]
    if not fresh:
        return state, "", False
    place, stayed = fresh[0].pointed, fresh[0].stayed
    if now - (state.stayed_at if stayed else state.pointed_at) <= pair.settings.echo_s:
        return state, "", False
    for view in (mine, theirs):
        seen = view.analysis.pointing if view.analysis is not None and now - view.seen_at <= pair.settings.stale_s else ""
        said = view.pointed if now - view.pointed_at <= pair.settings.echo_s else ""
        if {seen, said} - {"", place}:
            return state, "", False
    return replace(state, stayed_at=now) if stayed else replace(state, pointed_at=now), place, stayed


def _taken(state: PairState, seen: SeenFrame, now: float, pair: WatchedPair) -> tuple[PairState, list[Notice]]:
    """What one camera sees now. A picture that its reader refuses blinds it and not the other; the reason is told once."""
    before, analysis = state.cameras[seen.camera], seen.analysis
    unusable = before.unusable
    if seen.refused is not None:
        news = (Notice("picture-unusable", "{reason}", {"reason": seen.refused}),) if unusable != seen.refused else ()
        analysis, unusable = FrameAnalysis(notices=news), seen.refused
    elif analysis.settled is not None or analysis.steady:
        unusable = ""  # until then nothing may have been read: that says nothing of the picture
    settled, again = before.settled, before.again
    if analysis.settled is not None:
        alike = settled is not None and _claims(settled) == _claims(analysis.settled)
        again = tuple(dict.fromkeys((*(again if alike else ()), *analysis.settled.again)))
        settled = replace(analysis.settled, again=())
    view = replace(before, analysis=analysis, settled=settled, seen_at=now, number=seen.number, unusable=unusable, again=again)
    if analysis.pointed:
        view = replace(view, pointed=analysis.pointed, stayed=analysis.stayed, pointed_at=now)
    told, notices = dict(state.told), []
    for notice in analysis.notices:
        # A board that was knocked moves in both pictures; that is one knock.
        by, at = told.get(notice.code, (seen.camera, -1e9))
        if notice.code in KNOCKED and by != seen.camera and now - at <= pair.settings.echo_s:
            continue
        told[notice.code] = seen.camera, now
        notices.append(_naming(pair.names[seen.camera], notice))
    cameras = (view, state.cameras[1]) if seen.camera == 0 else (state.cameras[0], view)
    return replace(state, cameras=cameras, told=told), notices


def _together(state: PairState, now: float, pair: WatchedPair) -> tuple[PairState, Reading | None]:
    """What both see now, when it is something new and certain enough to be said."""
    live = [view for view in state.cameras if view.analysis is not None and now - view.seen_at <= pair.settings.stale_s]
    # What lies there now is what a camera settled on last while it is steady.
    steady = [view for view in live if view.settled is not None and view.analysis is not None and view.analysis.steady]
    seeing = [replace(view.settled, again=view.again) for view in steady if view.settled is not None]
    if not seeing:
        return state, None
    merged = merge(seeing[0], seeing[1], pair.pieces) if len(seeing) == 2 else seeing[0]
    said, since = state.said, None
    # The other camera may see that a card was laid, once it sees at all.
    early = bool(merged.again) and len(seeing) < len(live)
    if said is not None and (early or merged.unknown.keys() - said.unknown.keys()):
        since = now if state.doubt_since is None else state.doubt_since
        if now - since < pair.settings.patience_s:
            return replace(state, doubt_since=since), None
    state, again = _again(state, merged.again, now, pair)
    if said is not None and _claims(said) == _claims(merged) and not again:
        return replace(state, doubt_since=since), None
    news = replace(merged, settled=True, again=again)
    return replace(state, doubt_since=since, said=replace(news, again=())), news


def _again(state: PairState, zones: Sequence[str], now: float, pair: WatchedPair) -> tuple[PairState, tuple[str, ...]]:
    """Of zones in which a card may have been laid once more those that are news: a hand that both cameras see is one. What a
    steady camera told of them is done with."""
    told, news = dict(state.told), []
    for zone in zones:
        for camera in (number for number, view in enumerate(state.cameras) if zone in view.again):
            by, at = told.get(f"again:{zone}", (camera, -1e9))
            if now - at > pair.settings.echo_s or by == camera:
                news.append(zone)
                told[f"again:{zone}"] = (camera, now)
    cameras = tuple(
        replace(view, again=()) if view.analysis is not None and view.analysis.steady else view for view in state.cameras
    )
    return replace(state, cameras=(cameras[0], cameras[1]), told=told), tuple(dict.fromkeys(news))


def _lost(state: PairState, now: float, pair: WatchedPair) -> str:
    """Why neither camera sees the board; empty while one of them does."""
    blind: list[tuple[str, str]] = []
    for name, view in zip(pair.names, state.cameras, strict=True):
        if view.analysis is None or now - view.seen_at > pair.settings.stale_s:
            continue
        reason = view.analysis.lost or view.unusable
        if not reason:
            return ""
        blind.append((name, reason))
    if len(blind) < 2:
        return "".join(f"{name} does not see the board: {reason}" for name, reason in blind)
    (one, this), (other, that) = blind
    return f"{one} does not see the board: {this}; {other} does not see the board: {that}"


def _look(mine: Observation | None, theirs: Observation | None, pieces: PieceSet) -> Observation | None:
    """The look shown: the shown picture's own, with what both know."""
    if mine is None or theirs is None or theirs.registration is None or mine.registration is None:
        return mine
    reading = merge(mine.reading, theirs.reading, pieces)
    return replace(mine, reading=reading, occluded=mine.occluded & theirs.occluded, problems=reading.problems)


class PairWatcher:
    """Takes the frames of a pair of cameras: the first one's carry the other's newest in ``beside``. What both see is folded by
    :func:`pair_step`."""

    def __init__(
        self, first: Watcher, second: Watcher, pieces: PieceSet, names: tuple[str, str], settings: PairSettings | None = None
    ) -> None:
        """``names``: the sources by which the frames of the first and the second camera are told apart."""
        self._watchers = (first, second)
        self._pair = WatchedPair(names, pieces, settings or PairSettings())
        self._state = PairState()

    def ask(self, places: Sequence[str]) -> None:
        """Which spots of the board may be pointed at from now on; none where nobody is asked."""
        for watcher in self._watchers:
            watcher.ask(places)

    def see(self, frame: Frame) -> FrameAnalysis:
        """Take in one frame, with the other camera's if it carries a new one."""
        seen = [self._seen(one) for one in (frame, frame.beside) if one is not None and self._is_new(one)]
        self._state, analysis = pair_step(self._state, seen, self._camera(frame), frame.captured_at, self._pair)
        return analysis

    def _camera(self, frame: Frame) -> int:
        return 1 if frame.source == self._pair.names[1] else 0

    def _is_new(self, frame: Frame) -> bool:
        """False where the other camera was slower: its picture is the one already seen."""
        return frame.number != self._state.cameras[self._camera(frame)].number

    def _seen(self, frame: Frame) -> SeenFrame:
        camera = self._camera(frame)
        try:
            return SeenFrame(camera, frame.number, self._watchers[camera].see(frame))
        except CompanionError as error:
            return SeenFrame(camera, frame.number, refused=str(error))


def _naming(camera: str, notice: Notice) -> Notice:
    """The notice as one of two cameras says it."""
    return Notice(notice.code, "{source}: {said}", {"source": camera, "said": notice.text.format(**notice.params)})


def _claims(reading: Reading) -> tuple[object, ...]:
    return frozenset((s.piece, s.place, s.face, s.facing, s.rank) for s in reading.sightings), frozenset(reading.unknown)
