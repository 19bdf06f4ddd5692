"""On a machine of many processors the numerical libraries take a few threads, not one for every processor each."""

import subprocess
import sys

import pytest

SCRIPT = """
import os, threading
os.environ.pop("OPENBLAS_NUM_THREADS", None)
os.sched_setaffinity(0, range(os.cpu_count()))
from companion.cli import processors
processors.before_numpy()
import numpy, cv2
cv2.setNumThreads(16)
processors.once_loaded()
numpy.linalg.lstsq(numpy.eye(300), numpy.eye(300), rcond=None)
print(cv2.getNumThreads(), len(os.listdir("/proc/self/task")), os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_numerical_libraries_take_a_few_threads() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
    pictures, threads, algebra = done.stdout.split()
    assert int(pictures) <= 4
    assert (int(threads), algebra) == (1, "1"), "no pool for algebra"


def test_the_command_line_says_so_before_numpy_is_loaded() -> None:
    code = "import sys, companion.cli; print('numpy' in sys.modules or 'cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
