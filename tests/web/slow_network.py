"""A network on which what is sent waits. Nothing here waits inside a route's handler: the test may end meanwhile, and the
handler then fails in the test that comes next."""

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


def delayed(page: Any, milliseconds: float) -> None:
    """Each answer comes so much later from now on. The browser itself waits."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    network = {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", network)
