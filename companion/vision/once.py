"""What is found out about something once, a picture or a taught piece, for every later stage that asks the same of it."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

Kept = TypeVar("Kept")
Thing = TypeVar("Thing")


class FoundOnce:
    """Something that never changes, with what was found out about it. It is kept as long as the object itself."""

    def once(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """What ``make`` gives; asked again by the same key, the same again."""
        if key not in self._found:
            self._found[key] = make()
        found: Kept = self._found[key]
        return found

    def latest(self, key: Hashable, of: Hashable, make: Callable[[], Kept]) -> Kept:
        """The same of this together with something else (``of``): of the last such alone, the one before is let go of."""
        kept = self._found.get(key)
        if kept is None or kept[0] != of:
            kept = self._found[key] = of, make()
        found: Kept = kept[1]
        return found

    @cached_property
    def _found(self) -> dict[Hashable, Any]:
        return {}


class FoundAbout(Generic[Thing]):
    """What somebody finds out about things that are not its own; about each it is kept as long as both are there."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Thing, dict[Hashable, Any]] = WeakKeyDictionary()

    def once(self, thing: Thing, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """What ``make`` gives; asked again by the same key about the same thing, the same again."""
        about = self._found.setdefault(thing, {})
        if key not in about:
            about[key] = make()
        found: Kept = about[key]
        return found

    def replace(self, thing: Thing, key: Hashable, found: object) -> None:
        """From now on give this instead."""
        self._found.setdefault(thing, {})[key] = found
