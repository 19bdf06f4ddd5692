"""One definition for both ends: what is generated from it is up to date."""

import subprocess
import sys
from pathlib import Path

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"


def test_constants_of_both_ends_and_the_document_follow_from_the_definition() -> None:
    done = subprocess.run([sys.executable, FIRMWARE / "generate.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_changed_definition_is_noticed(tmp_path: Path) -> None:
    for name in ("generate.py", "protocol.toml", "PROTOCOL.md"):
        (tmp_path / "firmware" / "source").mkdir(parents=True, exist_ok=True)
        (tmp_path / "companion" / "devices" / "boxes").mkdir(parents=True, exist_ok=True)
        (tmp_path / "firmware" / name).write_text((FIRMWARE / name).read_text(encoding="utf-8"), encoding="utf-8")
    program = tmp_path / "firmware" / "generate.py"
    assert subprocess.run([sys.executable, program], check=False).returncode == 0
    definition = tmp_path / "firmware" / "protocol.toml"
    definition.write_text(definition.read_text(encoding="utf-8").replace("window = 4", "window = 5"), encoding="utf-8")
    done = subprocess.run([sys.executable, program, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "protocol.h" in done.stderr and "wire_constants.py" in done.stderr and "PROTOCOL.md" in done.stderr
