"""Where several elements of a page are at one and the same moment: what stands above them may still grow meanwhile, and asked
for one after the other they are compared across that."""

from typing import Any

_BOXES = """selectors => selectors.map(selector => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { x, y, width, height };
})"""


def boxes(page: Any, *selectors: str) -> list[dict[str, float]]:
    """The box of each selector's first element (CSS pixels from the corner of the window), in the order asked for."""
    page.wait_for_selector(selectors[0])
    return page.evaluate(_BOXES, list(selectors))  # type: ignore[no-any-return]
