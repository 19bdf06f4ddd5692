"""Where the packages lie: ``web/`` and ``calibration/`` stand beside ``companion/`` here, and are installed inside it.

Everything else about the distribution is in ``pyproject.toml``. The packages are found here because its finder cannot join
folders that lie apart, and a list written by hand would miss the next package without a word.
"""

from setuptools import find_packages, setup

APART = {"companion.web": "web", "companion.calibration": "calibration"}

NOT_SHIPPED = ["companion.calibration.training"]
"""Needed to make what is shipped, and never to play."""

setup(
    packages=sorted({*find_packages(include=["companion", "companion.*"], exclude=NOT_SHIPPED), *APART}),
    package_dir=APART,
)
