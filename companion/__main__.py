"""``companion``, and ``python -m companion``.

Loading takes a second or two, longer on a small computer, and an interrupt can come meanwhile. Nothing has begun by then that
would have to be ended in order, so the process ends at once: an exception thrown into a module that is just being loaded may be
caught or turned into another one by it. Nothing heavy is imported before that is arranged.
"""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130  # what a shell reports of a program that Ctrl-C ended


def main() -> int:
    """Run one command and return its exit status (see :func:`companion.cli.main`)."""
    signal.signal(signal.SIGINT, _end_at_once)
    try:
        from companion.cli import main as run  # noqa: PLC0415 - loaded while an interrupt ends quietly

        return run(loaded=_as_usual)
    finally:
        signal.signal(signal.SIGINT, _end_at_once)  # everything is stored and closed; only the interpreter has to end


def _as_usual() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_at_once(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
