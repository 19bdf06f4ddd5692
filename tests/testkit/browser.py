"""The browser that draws pages in the tests, and pictures for the tools that make the bundled tables."""

from pathlib import Path

_SHELL, _WHOLE = Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")
CHROMIUM = _SHELL if _SHELL.exists() or not _WHOLE.exists() else _WHOLE
"""Debian's Chromium without windows where it is installed: the same engine, and a quarter less processor time, for no window
around a page is drawn."""
