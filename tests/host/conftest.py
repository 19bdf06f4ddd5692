"""Hands over a table are scripted in the referee's tests; the host's tests use the same ones."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "referee"))
