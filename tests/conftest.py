"""What holds for every test: a quick one that hangs fails (``timeout`` in ``pyproject.toml``), a slow one takes its time."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(0))
