"""``companion``, and ``python -m companion``.

Loading takes a second or two, longer on a small computer, and an interrupt can come meanwhile. Nothing has begun by then that
would have to be ended in order, so the process ends at once: an exception thrown into a module that is just being loaded may be
caught or turned into another one by it. Nothing heavy is imported before that is arranged.
"""

import os
import signal
import sys
import threading
from types import FrameType

INTERRUPTED = 130  # what a shell reports of a program that Ctrl-C ended


def main() -> int:
    """Run one command and return its exit status (see :func:`companion.cli.main`)."""
    signal.signal(signal.SIGINT, _end_at_once)
    try:
        from companion.cli import main as run  # noqa: PLC0415 - loaded while an interrupt ends quietly

        status = run(loaded=_as_usual)
    finally:
        signal.signal(signal.SIGINT, _end_at_once)  # everything is stored and closed; only the interpreter has to end
    _let_go(status)
    return status


def _let_go(status: int) -> None:
    """End the process at once where only daemon threads are left, at a picture for instance, that nobody waits for any longer:
    the interpreter would end them as they come back from native code, and C++ aborts the process then."""
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    if not others or not all(thread.daemon for thread in others):
        return
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            pass  # nobody reads it any longer
    os._exit(status)


def _as_usual() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_at_once(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
