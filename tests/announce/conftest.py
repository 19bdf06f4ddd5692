"""Hands over a table are scripted in the referee's tests; announcements are tested on what they lead to."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "referee"))
