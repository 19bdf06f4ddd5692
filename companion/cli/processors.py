"""How many threads the numerical libraries take on a machine of many processors, where each would take one for every processor.

Three of them come with a pool of their own: numpy's OpenBLAS, OpenCV's OpenBLAS, OpenCV. On eight processors that were
twenty-one threads for one table, each with buffers of its own.
"""

import os

MOST_FOR_PICTURES = 4
"""2..8. A picture of 1080p is warped and searched as fast by four threads as by eight: they wait for the memory."""


def before_numpy() -> None:
    """Algebra gets one thread: the systems solved here have ten unknowns, and a second thread costs more than it saves. To be
    called before numpy is imported; whoever sets the variable otherwise is obeyed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def once_loaded() -> None:
    """Pictures get a few threads."""
    import cv2  # noqa: PLC0415 - commands without pictures start without it

    cv2.setNumThreads(min(cv2.getNumThreads(), MOST_FOR_PICTURES))
