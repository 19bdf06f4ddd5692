"""What holds for every test: a quick one that hangs fails (``timeout`` in ``pyproject.toml``), a slow one takes its time; no
property fails because the machine is busy with something else."""

import os

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
