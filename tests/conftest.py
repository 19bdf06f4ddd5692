"""What holds for every test: a quick one that hangs fails (``timeout`` in ``pyproject.toml``), a slow one takes its time; no
property fails because the machine is busy with something else."""

import os
from collections import defaultdict
from pathlib import Path

from companion.cli import processors

# Tests run beside each other: none of them gains by a second thread, which costs a quarter of the processor's time.
processors.before_numpy()
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(0))
    items[:] = spread_out(items)


def spread_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Every room's files evenly over the whole run, the longest first: beside tests that wait for a browser there are then
    always some that use the processor, and no long file is begun last."""
    files: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[item.path].append(item)
    rooms: dict[Path, list[Path]] = defaultdict(list)
    for path in sorted(files, key=lambda path: (-path.stat().st_size, path)):
        rooms[path.parent].append(path)
    when = {path: (place + 0.5) / len(room) for room in rooms.values() for place, path in enumerate(room)}
    return [item for path in sorted(files, key=lambda path: (when[path], path)) for item in files[path]]
