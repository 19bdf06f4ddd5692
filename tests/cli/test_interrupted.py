"""Ctrl-C at any moment ends without a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends a signal")
# Stands where a large library is loaded. Some turn an interrupt into an ImportError, some catch it and go on.
LOADING = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
except KeyboardInterrupt:
    raise {error}
"""
PROGRAM = [sys.executable, str(Path(sys.executable).with_name("companion"))]


@pytest.mark.parametrize("command", [[sys.executable, "-m", "companion"], PROGRAM], ids=["module", "program"])
@pytest.mark.parametrize("error", ["KeyboardInterrupt", "ImportError('numpy.core.multiarray failed to import')"])
@pytest.mark.parametrize("library", ["argparse", "cv2"])
def test_an_interrupt_while_loading_is_quiet(tmp_path, command, error, library):
    if not Path(command[1]).exists() and command is PROGRAM:
        pytest.skip("the program is not installed beside this Python")
    (tmp_path / f"{library}.py").write_text(LOADING.format(error=error), encoding="utf-8")
    done = subprocess.run(
        [*command, "read", "x.jpg"], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupt_while_a_command_runs_is_quiet(tmp_path):
    """Reads from a pipe that nothing is written to."""
    command, own = [*PROGRAM[:1], "-m", "companion", "witness", "-"], {"PYTHONPATH": str(Path(__file__).parents[2])}
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, env={**os.environ, **own}, **pipes) as child:
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(2.5)
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == 130
        assert child.stderr.read() == ""


BUSY = """
import sys, threading, time
import cv2, numpy
import companion.cli
from companion.__main__ import main

def run(loaded):
    image, sift = numpy.random.default_rng(1).integers(0, 255, (300, 300), numpy.uint8), cv2.SIFT_create()
    work = lambda: [sift.detectAndCompute(image, None) for _ in range(9999)]
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.2)
    print("told")
    return 1

companion.cli.main = run
sys.exit(main())
"""


def test_a_thread_that_is_still_at_a_picture_does_not_abort_the_end():
    """A reading outlived the five seconds that are waited for it; C++ ended the process with "terminate called"."""
    own = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", BUSY], capture_output=True, text=True, timeout=60, check=False, env=own)
    assert (done.returncode, done.stdout, done.stderr) == (1, "told\n", "")
