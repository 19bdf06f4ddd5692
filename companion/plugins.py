"""Games that other packages bring: which are installed, and where their files lie.

An installed distribution names its games under the entry points ``table_witness.games``, the game's id pointing to a package::

    [project.entry-points."table_witness.games"]
    my-game = "my_package.my_game"

A program or a test that brings a game without installing it calls :func:`companion.games.register`. Such a package has the form
of one under ``companion/games`` and carries its other files itself: ``game.py`` (its package exports ``GAME``), ``board.json``
(format ``board/1``, its ``id`` the game's), ``queries.py`` where it is asked at a prompt, and its sentences,
``locale/<language>/LC_MESSAGES/*.po``. Nothing of a package is imported here; it is imported once its game is loaded. A shipped
game's id cannot be taken.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from companion.errors import CompanionError, quoted

GROUP = "table_witness.games"
"""The group of entry points, game id to package."""

_registered: dict[str, tuple[str, Path]] = {}


@cache
def _installed() -> Mapping[str, tuple[str, Path | None]]:
    """Packages and their folders by game id, as the installed distributions name them. Of two that name one id the first in
    the path's order is taken, as Python does with modules; the folder of a package that is not there is None."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - it loads what reads mail, and is asked for seldom

    found: dict[str, tuple[str, Path | None]] = {}
    for entry in entry_points(group=GROUP):
        if entry.name not in found:
            found[entry.name] = (entry.value, _folder(entry.value))
    return MappingProxyType(found)


def _known() -> Mapping[str, tuple[str, Path | None]]:
    return {**_installed(), **_registered}


def packages() -> Mapping[str, str]:
    """Packages by game id: those that are installed, and those that were registered."""
    return {game_id: package for game_id, (package, _) in _known().items()}


def register(game_id: str, package: str) -> None:
    """Let a game be known by its id from now on; ``package`` is a dotted name that can be imported.

    Doing it again with the same package changes nothing. Raises CompanionError where there is no such package or another one
    has this id.
    """
    if packages().get(game_id, package) != package:
        raise CompanionError(f"the game {quoted(game_id)} is brought by {packages()[game_id]} already, not by {package}")
    place = _folder(package)
    if place is None:
        raise CompanionError(f"there is no package {quoted(package)} for the game {quoted(game_id)}")
    _registered[game_id] = (package, place)


def withdraw(game_id: str) -> None:
    """Let a registered game be unknown again; one that was not registered stays as it is."""
    _registered.pop(game_id, None)


def folder(game_id: str) -> Path | None:
    """Where the package of a game lies; None for a game that no other package brings, or whose package is gone."""
    return _known().get(game_id, ("", None))[1]


def _folder(package: str) -> Path | None:
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):  # a parent that is gone; a name that is none
        return None
    places = [] if spec is None else spec.submodule_search_locations or []
    return next((Path(place) for place in places), None)


def bringing(file: str) -> tuple[str, ...]:
    """Ids of the games whose packages hold this file, in alphabetical order."""
    return tuple(sorted(game for game, (_, place) in _known().items() if place is not None and (place / file).is_file()))


def files(pattern: str) -> tuple[Path, ...]:
    """The files of all such packages that a glob pattern, relative to a package, fits; sorted by game and name."""
    places = [place for _, (_, place) in sorted(_known().items()) if place is not None]
    return tuple(path for place in places for path in sorted(place.glob(pattern)))
