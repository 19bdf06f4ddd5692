"""Where the networks and weights that the wheel brings lie."""

from pathlib import Path

import companion

PLAIN = Path(companion.__file__).parent / "vision" / "plain"
"""Those of the plain reader."""
WEIGHTS = PLAIN / "weights.json"
