"""A short session, counted: neither a picture nor an event nor an exchange of the table leaves anything behind that adds up.

``tests/cli/test_soak.py`` does the same for hours, with everything, in a process of its own.
"""

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scripted_table import reading_of

from companion import games
from companion.demo import TABLE
from companion.host.table import Table, TableSettings
from companion.record.log import Record
from companion.vision.frame import Frame
from companion.vision.marked.reader import MarkedReader
from companion.vision.pictures.files import load_picture
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.frame_analysis import FrameAnalysis
from companion.vision.watching.watcher import Watcher


def growth(step: Callable[[int], None], warm: int, count: int) -> float:
    """Bytes that stay of each of ``count`` steps, once ``warm`` of them have filled what is kept on purpose. The last of those
    are traced already: what is only exchanged from then on (the latest picture) must count before as well as after."""
    for number in range(warm // 2):
        step(number)
    tracemalloc.start()
    try:
        for number in range(warm // 2, warm):
            step(number)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(warm, warm + count):
            step(number)
        gc.collect()
        return (tracemalloc.get_traced_memory()[0] - before) / count
    finally:
        tracemalloc.stop()


def test_pictures_that_were_looked_at_are_let_go_of() -> None:
    """A picture has 6 MB: one in a thousand that stayed would be six kilobytes each."""
    table = load_table_set(TABLE)
    watcher = Watcher(MarkedReader(table.board, table.pieces, table.lens), table.board)
    pictures = [load_picture(table.folder / table.files[index]).image for index in (1, 2)]
    rng = np.random.default_rng(1)

    def look(number: int) -> None:
        image = pictures[number // 12 % 2].copy()
        image[::7, ::7] ^= rng.integers(0, 3, image[::7, ::7].shape, np.uint8)
        watcher.see(Frame(image, number / 15, "made"))

    assert growth(look, 40, 48) < 150_000, "less than one picture in forty"


class Still:
    name, simulated, waits, feed = "still", True, False, None

    def frames(self) -> list[Frame]:
        return []

    def close(self) -> None:
        """Nothing is open."""

    def see(self, frame: Frame) -> FrameAnalysis:
        return FrameAnalysis(settled=reading_of(START, frame.captured_at), steady=True)


START = games.load().start().to_json()


def test_readings_that_change_nothing_leave_nothing(tmp_path: Path) -> None:
    game, vision, image = games.load(), Still(), np.zeros((90, 160, 3), np.uint8)
    with Record.open(tmp_path / "game.sqlite") as record:
        table = Table(game, record, vision, vision, settings=TableSettings(ponder_s=0.001), clock=lambda: 1000.0)  # type: ignore[arg-type]
        table.answer({"kind": "entrust", "character": game.characters[0]})

        def look(number: int) -> None:
            table.look_at(Frame(image.copy(), number / 10, "still"))
            table.snapshot()

        assert growth(look, 40, 80) < 500
        table.stop()


def test_an_event_costs_its_record_and_little_more(tmp_path: Path) -> None:
    game, vision = games.load(), Still()
    with Record.open(tmp_path / "game.sqlite") as record:
        table = Table(game, record, vision, vision, clock=lambda: 1000.0)  # type: ignore[arg-type]
        from companion.devices.cameras.port import SourceNotice  # noqa: PLC0415

        def tell(number: int) -> None:
            table.tell(SourceNotice("source-back", "{source} is back.", {"source": f"camera {number}"}))
            table.snapshot()

        assert growth(tell, 40, 100) < 4_000, "what is recorded is kept as well: about two kilobytes an event"
        table.stop()
