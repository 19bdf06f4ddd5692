"""Which taught face a card's picture shows, how surely, and whether it shows any of them at all.

A picture of a card is compared with each taught one cell by cell in Lab, after a fit of the light. The likeliest few are laid
over the picture closely (turn, size, shift) and compared again by finer cells. What is nearest need not be it: the cells in
sight must also be as taught.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.boards import Point
from companion.vision.cards.drawing import HALF, agreement, beside, glare, odd_spot
from companion.vision.cards.fitting import Hypotheses, fitted
from companion.vision.cards.likelihood import Laid, laid, likelihood, nats_of
from companion.vision.cards.match import Match, judged
from companion.vision.cards.print_search import ViewBox, poses_by_print, print_of
from companion.vision.cards.relight import lit
from companion.vision.cards.settings import LikenessSettings
from companion.vision.cards.sight import Sight
from companion.vision.cards.template import COARSE, COMMON, GROUND, SEEN, Template
from companion.vision.cards.view import CELL, HEIGHT, WIDTH, CardPose, Floats, MatGrid, Packed, cells
from companion.vision.frame import Mask

_BARE = 0.987
"""0.98..0.995: the mean probability of cells that they are as on the bare mat; 0.99 and more in 41 of 41 places from which a
card was taken, 0.98 and less in 31 where one lay, by dusk and under glare."""
_LEAST_FACES = 5
"""Of how many faces there is something that all have in common."""
_PARTLY = 0.95
"""The share in sight of a card below which every other face is asked for at its very place."""
_MOST_RIVALS = 3
"""How many of them are fitted closely there: one a little astray seems less likely than it is."""
_OPEN, _EVERY = 0.5, 3
"""The share of a canonical pixel that must be in sight for it to be asked what is drawn there; of how many pixels one is asked
for the light."""
_CLEAR = 0.2
"""0.15..0.3 of a card that must be in sight and clear of glare to be asked by itself what is drawn there."""
_FAR_BEHIND = 150.0
"""100..200 nats by which a hypothesis that was fitted somewhat may be less likely and still be worth a closer fit."""
_MOST_OF_FACE = 2
"""How many hypotheses of one face are fitted closely."""
_ONE_PLACE_MM, _ONE_TURN_DEG = 9.0, 10.0
"""How far apart two poses are of one place."""
_MOST_PLACES, _MOST_OF_PLACE, _LESS_LIKELY = 4, 2, 0.5
"""How many places, and poses of each, are worth a close look, and how likely they must be beside the likeliest: of cards upon
each other the upmost is asked first."""


class FaceBank:
    """The taught faces of one deck. ``size_mm``: width and height of a card."""

    def __init__(
        self, pictures: Sequence[tuple[int, Floats]], size_mm: Point, settings: LikenessSettings | None = None
    ) -> None:
        self.settings = settings or LikenessSettings()
        self.size_mm = size_mm
        self._templates = tuple(Template.of(face, patch, self.settings) for face, patch in pictures)
        self.faces = tuple(dict.fromkeys(face for face, _ in pictures))
        """The numbers of the faces that were taught."""
        self._prints = tuple(print_of(one.half) for one in self._templates)
        self._common: tuple[Template, ...] = ()
        if len(self.faces) >= _LEAST_FACES:
            # What all faces have in common, pixel by pixel.
            middle = np.median(np.stack([patch for _, patch in pictures]), axis=0)
            self._common = (Template.of(COMMON, np.asarray(middle, np.float32), self.settings),)
        blank = np.empty((0, HEIGHT // COARSE, WIDTH // COARSE, 3), np.float32)
        self._coarse: Floats = np.stack([one.coarse for one in self._templates]) if self._templates else blank
        self._coarse_noise: Floats = np.stack([one.coarse_noise for one in self._templates]) if self._templates else blank

    def leads(self) -> Floats:
        """By how many nats each taught picture (row) would be told from each other one (column), seen as it was taught."""
        every, noise = (np.stack(parts) for parts in zip(*((one.fine, one.fine_noise) for one in self._templates), strict=True))
        whole = np.ones(every.shape[1:3], np.float32)
        nats = [likelihood(one.fine, every, noise, whole, self.settings).nats for one in self._templates]
        return np.asarray([own[number] - own for number, own in enumerate(nats)], np.float32)

    def match(
        self, grid: MatGrid, view: Floats, poses: Sequence[CardPose], hidden: Mask | None = None,
        prior: Mapping[int, float] | None = None, bare: Sequence[Floats | Packed] = (),
    ) -> Match | None:  # fmt: skip
        """What the card shows that lies at one of ``poses``; ``hidden``: view pixels that something else covers. ``prior``: log
        probability of each face; ``bare``: views of the mat without any card, of which none must be likelier. None where
        nothing was taught, or nothing of it is in sight."""
        sight, prior = Sight(grid, view, self.size_mm, hidden), prior or {}
        likely = self._likely(sight, poses, prior)
        close = laid(sight, fitted(sight, likely, self.settings.steps, self._worth(sight, prior)), self.settings)
        found = judged(close, sight, prior, self.faces, self.settings)
        if found is None:
            return None
        if found.visible < _PARTLY:
            # At a rough look at a part another face may have seemed far less likely than it is.
            others = [*(one for one in self._templates if one.face != found.face), *self._common]
            there = laid(sight, [(one, pose) for one in others for pose in _ways_round([found.pose])], self.settings)
            rivals = [(one.template, one.pose) for one in sorted(there, key=lambda one: -one.nats)[:_MOST_RIVALS]]
            close += [*there, *laid(sight, fitted(sight, rivals, self.settings.steps), self.settings)]
            found = judged(close, sight, prior, self.faces, self.settings) or found
        shown = max((one for one in close if one.template.face == found.face), key=lambda one: one.nats)
        detail, spot = _drawn(sight, shown)
        found = replace(found, detail=detail, spot=spot)
        grounds = laid(sight, self._grounds(grid, bare, shown.pose), self.settings)
        return replace(found, over_bare=shown.nats - max((one.nats for one in grounds), default=-np.inf))

    def places(
        self, grid: MatGrid, view: Floats, poses: Sequence[CardPose], hidden: Mask | None = None
    ) -> list[list[CardPose]]:
        """The poses at which a taught face is likely at a rough look, by places, the likeliest place first."""
        if not poses or not self._templates:
            return []
        rough = self._roughly(Sight(grid, view, self.size_mm, hidden), _ways_round(poses))
        nats = rough.max(axis=1).reshape(-1, 2).max(axis=1)
        found: list[list[CardPose]] = []
        for number in np.argsort(-nats):
            pose = poses[int(number)]
            if found and nats[number] < _LESS_LIKELY * float(nats.max()):
                break
            near_by = next((group for group in found if pose.about(group[0], _ONE_PLACE_MM, _ONE_TURN_DEG)), None)
            if near_by is None:
                found.append([pose])
            elif len(near_by) < _MOST_OF_PLACE:
                near_by.append(pose)
        return found[:_MOST_PLACES]

    def places_by_print(
        self, grid: MatGrid, view: Floats, box: ViewBox, hidden: Mask | None = None
    ) -> list[tuple[int, CardPose]]:
        """The faces, and poses of them, at which what is drawn finely on one lies in a part of a view, the most alike first."""
        found = poses_by_print(self._prints, Sight(grid, view, self.size_mm, hidden), box)
        return [(self._templates[number].face, pose) for number, pose in found]

    def refitted(self, grid: MatGrid, view: Floats, pose: CardPose, face: int) -> CardPose:
        """Where a card lies closely that is known to show a face about a pose, whichever way round it lies."""
        likely = self._of(face, pose)
        if not likely:
            return pose
        sight = Sight(grid, view, self.size_mm)
        return max(laid(sight, fitted(sight, likely, self.settings.steps), self.settings), key=lambda one: one.nats).pose

    def likelier_by(self, grid: MatGrid, view: Floats, face: int, pose: CardPose, other: CardPose) -> float:
        """By how many nats a card that shows a face is likelier to lie at one pose than at another."""
        sight = Sight(grid, view, self.size_mm)
        nats = [[one.nats for one in laid(sight, self._of(face, at), self.settings)] for at in (pose, other)]
        return max(nats[0]) - max(nats[1]) if nats[0] else 0.0

    def shifted(self, grid: MatGrid, before: Floats, now: Floats, pose: CardPose) -> CardPose:
        """Where that lies in a view now which lay at a pose in another one, whatever it shows."""
        template = Template.of(SEEN, grid.cut(before, pose, self.size_mm), self.settings)
        ((_, found),) = fitted(Sight(grid, now, self.size_mm), [(template, pose)], self.settings.steps)
        return found

    def agreement(self, grid: MatGrid, view: Floats, pose: CardPose, face: int, within: Mask) -> float:
        """How much a part of a card (``within``, view pixels) is as taught, 0..1; 1 where next to nothing of it lies there."""
        part = Sight(grid, view, self.size_mm, ~within).open_cells(pose)
        if not part.any():
            return 1.0
        whole = laid(Sight(grid, view, self.size_mm), self._of(face, pose), self.settings)
        return max((float(one.as_taught[part].mean()) for one in whole), default=0.0)

    def drawn_as(self, grid: MatGrid, view: Floats, pose: CardPose, face: int, hidden: Mask | None = None) -> float | None:
        """How well what is drawn finely where a card lies agrees with a face's drawing (a correlation), what is washed out
        apart; None where too little is drawn, or in sight, to tell."""
        sight = Sight(grid, view, self.size_mm, hidden)
        own = laid(sight, self._of(face, pose), self.settings)
        found = [detail for one in own if (detail := _drawn(sight, one)[0]) is not None]
        return max(found, default=None)

    def bare_shows(
        self, grid: MatGrid, view: Floats, pose: CardPose, face: int, bare: Sequence[Floats | Packed],
        hidden: Mask | None = None,
    ) -> bool:  # fmt: skip
        """Whether the mat without any card (one of some views of it) shows where a card with a face lay: it is likelier, nearly
        all of what is in sight is as there, and no sign is drawn that is not."""
        sight = Sight(grid, view, self.size_mm, hidden)
        seen = sight.open_cells(pose)
        if not seen.any():
            return False
        least = max((one.nats for one in laid(sight, self._of(face, pose), self.settings)), default=-np.inf)
        grounds = laid(sight, self._grounds(grid, bare, pose), self.settings)
        likely = (one for one in grounds if one.nats > least and float(one.as_taught[seen].mean()) >= _BARE)
        return any(odd_spot(*_light(sight, one)) <= self.settings.spot for one in likely)

    def is_bare(self, grid: MatGrid, view: Floats, pose: CardPose, bare: Sequence[Floats | Packed]) -> bool:
        """Whether nearly all is as on the mat without any card (one of some views of it) where one might lie."""
        grounds = laid(Sight(grid, view, self.size_mm), self._grounds(grid, bare, pose), self.settings)
        return any(float(one.as_taught.mean()) >= _BARE for one in grounds)

    def _of(self, face: int, pose: CardPose) -> list[tuple[Template, CardPose]]:
        """The taught pictures of a face, each at a pose."""
        return [(template, pose) for template in self._templates if template.face == face]

    def _grounds(self, grid: MatGrid, bare: Sequence[Floats | Packed], pose: CardPose) -> list[tuple[Template, CardPose]]:
        """The bare mat where a card lies, as each of some views of it has that."""
        return [(Template.of(GROUND, grid.cut(one, pose, self.size_mm), self.settings), pose) for one in bare]

    def _likely(self, sight: Sight, poses: Sequence[CardPose], prior: Mapping[int, float]) -> list[tuple[Template, CardPose]]:
        """The faces and poses that are worth a close look, the likeliest first."""
        tries = _ways_round(poses)
        entries = [
            (float(nats) + prior.get(template.face, 0.0), template, pose)
            for nats_of, pose in zip(self._roughly(sight, tries), tries, strict=True)
            for nats, template in zip(nats_of, self._templates, strict=True)
        ]
        entries.sort(key=lambda entry: -entry[0])
        likely: list[tuple[Template, CardPose]] = []
        done: dict[int, int] = {}
        for nats, template, pose in entries:
            if len(likely) >= self.settings.shortlist or (len(likely) > 1 and nats < entries[0][0] - self.settings.ahead):
                break
            if done.get(template.face, 0) < _MOST_OF_FACE:
                done[template.face] = done.get(template.face, 0) + 1
                likely.append((template, pose))
        return likely

    def _worth(self, sight: Sight, prior: Mapping[int, float]) -> Callable[[Hypotheses], list[bool]]:
        """Which of some hypotheses that were fitted somewhat may be the likeliest, or near enough to it to be its rival."""

        def worth(likely: Hypotheses) -> list[bool]:
            nats = [
                found + prior.get(template.face, 0.0)
                for found, (template, _) in zip(nats_of(sight, likely, self.settings), likely, strict=True)
            ]
            return [one >= max(nats) - _FAR_BEHIND for one in nats]

        return worth

    def _roughly(self, sight: Sight, poses: Sequence[CardPose]) -> Floats:
        """Log likelihood of each template (column) at each pose (row) by coarse cells."""
        rows, many = len(poses), len(self._templates)
        if not rows or not many:
            return np.empty((rows, many), np.float32)
        own = np.stack([cells(sight.cut(pose), COARSE) for pose in poses])
        seen = np.stack([sight.in_sight(pose, COARSE) for pose in poses])
        found = likelihood(
            own.repeat(many, axis=0), np.tile(self._coarse, (rows, 1, 1, 1)), np.tile(self._coarse_noise, (rows, 1, 1, 1)),
            seen.repeat(many, axis=0), self.settings,
        )  # fmt: skip
        return np.asarray(found.nats.reshape(rows, many), np.float32)


def _ways_round(poses: Sequence[CardPose]) -> list[CardPose]:
    """Each pose both ways round."""
    return [pose.turned(turn) for pose in poses for turn in (0.0, 180.0)]


def _drawn(sight: Sight, shown: Laid) -> tuple[float | None, float]:
    """How well the fine drawing of a card agrees with the taught one where it is in sight and not washed out, None where it
    cannot be told, or is drawn too finely; and by how much the spot that differs most is darker. Where enough is clear of
    glare that alone is asked, and what shows there tells the light: a glare's edge is drawn nowhere."""
    template = shown.template
    seen, relit, open_ = _light(sight, shown)
    washed = shown.washed.repeat(CELL, 0).repeat(CELL, 1)
    asked = open_ & ~washed
    if (washed & open_).any():
        veiled = glare(seen, relit, open_, washed)
        clear = open_ & ~beside(veiled)
        if clear.mean() >= _CLEAR:
            in_sight = np.asarray(sight.in_sight(shown.pose, 1) * ~veiled, np.float32)
            asked, relit = clear, _relit(shown, seen, in_sight)
    spot = odd_spot(seen, relit, open_, washed)
    if not template.traced:
        return None, spot
    return agreement(cells(seen, HALF)[..., 0], template.half[..., 0], asked[::HALF, ::HALF]), spot


def _light(sight: Sight, shown: Laid) -> tuple[Floats, Floats, Mask]:
    """What is seen where a template lies (canonical), the template in that light, and what of it is in sight."""
    seen, in_sight = sight.cut(shown.pose), sight.in_sight(shown.pose, 1)
    return seen, _relit(shown, seen, in_sight), np.asarray(in_sight > _OPEN, np.bool_)


def _relit(shown: Laid, seen: Floats, weight: Floats) -> Floats:
    """A template in the light of what is ``seen`` where it lies (canonical), each pixel counting by its ``weight``."""
    return np.asarray(lit(shown.template.patch[None], seen, weight, 3, every=_EVERY)[0][0], np.float32)
