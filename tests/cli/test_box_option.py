"""``--box``: what it means, and a press of a box arriving in the record of a running companion."""

import json
import signal
import subprocess
import sys
import urllib.request

import pytest

from companion.cli import main
from companion.cli.session.box_options import choose
from companion.demo import TABLE
from companion.devices.boxes.adapters import BoardPorts
from companion.devices.boxes.serial_line import SerialPorts
from companion.devices.boxes.simulator import SimulatedPorts
from companion.errors import BadInput

COMPANION = [sys.executable, "-m", "companion"]


def test_what_the_option_means():
    assert isinstance(choose(None).source, BoardPorts)
    assert isinstance(choose(["auto"]).source, BoardPorts)
    assert choose(None, "none").source is None and choose(["none"]).source is None
    named = choose(["/dev/nowhere-a", "/dev/nowhere-b"])
    assert isinstance(named.source, SerialPorts) and not named.simulated
    simulated = choose(["simulated"])
    assert isinstance(simulated.source, SimulatedPorts) and simulated.simulated and simulated.source.ports() == ["simulated"]


@pytest.mark.parametrize(
    ("words", "text"), [(["auto", "/dev/x"], "stand alone"), (["none", "none"], "stand alone"), ([""], "name a port")]
)
def test_words_that_do_not_go_together(words, text):
    with pytest.raises(BadInput, match=text):
        choose(words)


def test_bad_words_are_one_line(tmp_path, capsys):
    assert main(["run", str(TABLE), "--box", "auto", "--box", "none", "--record", str(tmp_path / "game.sqlite")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def events_of(process):
    """The events a running companion prints, until it ends."""
    for line in process.stdout:
        yield json.loads(line)


def notice(process, code):
    """The next notice of that code."""
    return next(event["data"] for event in events_of(process) if event["kind"] == "notice" and event["data"]["code"] == code)


def ended(process):
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=60)[1]


def test_a_box_on_a_named_port_is_heard_by_a_running_companion(tmp_path):
    link = tmp_path / "box"
    pretend = subprocess.Popen(
        [*COMPANION, "box", "simulate", "--name", str(link)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert pretend.stdout.readline().startswith("simulated box on ")
    run = [*COMPANION, "run", str(TABLE), "--box", str(link), "--record", str(tmp_path / "game.sqlite"), "--json"]
    process = subprocess.Popen([*run, "--port", "0", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert notice(process, "box-found")["params"]["port"] == str(link)
        pretend.stdin.write("press arbiter\n")
        assert notice(process, "arbiter")["text"] == "The arbiter is called."
        pretend.stdin.write("press answer-a\n")
        assert notice(process, "box-press-refused")["params"]["reason"] == "nothing is asked now"
    finally:
        errors = ended(process)
        pretend.communicate("quit\n", timeout=30)
    assert process.returncode == 0 and "Traceback" not in errors


def test_the_demo_shows_its_simulated_box_and_lets_the_page_press_it():
    process = subprocess.Popen(
        [*COMPANION, "demo", "--box", "simulated", "--port", "0", "--no-browser", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        said = []
        for line in process.stderr:
            said.append(line)
            if line.startswith("page:"):
                break
        address = said[-1].split()[1]
        box = notice(process, "box-found")["params"]
        assert box["simulated"] is True
        headers = {"X-Table-Witness": "1", "Content-Type": "application/json"}
        body = json.dumps({"button": "arbiter", "box": box["box"]}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{address}api/boxes/press", body, headers), timeout=20) as reply:
            assert json.load(reply) == {"taken": True}
        assert notice(process, "arbiter")["params"] == {}
        with urllib.request.urlopen(f"{address}api/boxes", timeout=20) as reply:
            (shown,) = json.load(reply)["boxes"]
        assert shown["simulated"] is True and shown["state"] == "linked"
    finally:
        ended(process)
    assert [line for line in said if line.startswith("SIMULATED: the button box")]
