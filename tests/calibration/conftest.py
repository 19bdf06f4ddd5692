"""The made-up copies live with the vision tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
