"""The image: it follows from the source, fits its limits, and is the one kept prebuilt."""

import re
import subprocess
from pathlib import Path

import pytest
from emulated_box import FIRMWARE

FLASH_LIMIT, RAM_LIMIT = 12 * 1024, 1024


@pytest.fixture(scope="module")
def built(tools: Path) -> Path:
    into = tools / "build"
    subprocess.run(["make", "-s", "-C", FIRMWARE, f"BUILD={into}", "all"], check=True)
    return into


def test_the_prebuilt_images_follow_from_the_source(built: Path) -> None:
    done = subprocess.run(
        ["make", "-s", "-C", FIRMWARE, f"BUILD={built}", "check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("chip", ["atmega328p", "atmega32u4"])
def test_it_fits(built: Path, chip: str) -> None:
    done = subprocess.run(["avr-size", "-A", built / f"box-{chip}.elf"], capture_output=True, text=True, check=True)
    sizes = {name: int(size) for name, size in re.findall(r"^(\.\w+)\s+(\d+)", done.stdout, re.MULTILINE)}
    flash = sizes[".text"] + sizes.get(".data", 0)
    ram = sizes.get(".data", 0) + sizes.get(".bss", 0) + sizes.get(".noinit", 0)
    print(f"{chip}: flash {flash} bytes, RAM {ram} bytes before the stack")
    assert flash <= FLASH_LIMIT and ram <= RAM_LIMIT - 128


def test_nothing_in_it_allocates_or_waits(built: Path) -> None:
    done = subprocess.run(["avr-nm", built / "box-atmega328p.elf"], capture_output=True, text=True, check=True)
    assert not re.search(r"\b(malloc|calloc|realloc|free|_delay\w*)\b", done.stdout)
    source = "".join(path.read_text() for path in (FIRMWARE / "source").glob("*.[ch]"))
    assert not re.search(r"_delay_|malloc|loop_until|eeprom_busy_wait|eeprom_(write|update)", source)


def test_another_name_for_the_folder_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    subprocess.run(["make", "-s", "-C", FIRMWARE, f"BUILD={tmp_path / 'elsewhere'}", "all"], check=True)
    for chip in ("atmega328p", "atmega32u4"):
        name = f"box-{chip}.hex"
        assert (tmp_path / "elsewhere" / name).read_bytes() == (built / name).read_bytes()
