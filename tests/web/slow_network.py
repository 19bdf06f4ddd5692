"""A network on which what is sent waits."""

from collections.abc import Callable
from typing import Any


def held(page: Any, address: str) -> Callable[[], None]:
    """What goes to an address waits from now on until the returned function is called; then it goes, the last one first."""
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        waiting.append(route)

    def let_go() -> None:
        page.route(address, lambda route: route.continue_())
        for one in reversed(waiting):
            one.continue_()

    page.route(address, hold)
    return let_go
