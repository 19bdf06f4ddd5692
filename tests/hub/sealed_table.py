"""A table as a program, for the tests: ``sealed_table.py FOLDER LINK`` reads a game's bundled night picture by picture, leaving
none out however slow the machine is, signs what it recorded with the key in FOLDER, and sends it to a hall by LINK."""

import sys
import time
from pathlib import Path

from companion import games
from companion.demo import DemoCamera, load_script, table_of
from companion.host.sealing import Sealer
from companion.host.secrets import Secrets
from companion.host.table import Table, TableSettings
from companion.hub.link import table_address
from companion.hub.transport.http_table import HttpTable
from companion.hub.uplink.uplink import Uplink
from companion.record.log import Record
from companion.record.seal import seal_of
from companion.vision.marked.reader import MarkedReader
from companion.vision.table_sets.table_set import load_table_set
from companion.vision.watching.watcher import Watcher

GAME = "letters-from-whitechapel"
KEY, RECORD = "signing-key", "evening.sqlite"
FRAMES_A_SECOND = 3
LONGEST_S = 1800.0


def main(folder: Path, link: str) -> int:
    """Returns 0 once the game is over and the hall has all of it."""
    facts = load_table_set(table_of(GAME))
    camera = DemoCamera(load_script(game=GAME), pace=None, rate=FRAMES_A_SECOND)
    with Record.open(folder / RECORD) as record:
        table = Table(
            games.load(GAME), record, camera, Watcher(MarkedReader(facts.board, facts.pieces, facts.lens), facts.board),
            Secrets.open(None), edition=facts.board.edition, settings=TableSettings(every_frame=True),
            sealer=Sealer(folder / KEY, seal_of(record.path)),
        )  # fmt: skip
        camera.seat_players(lambda answer: table.answer(dict(answer)))
        uplink = Uplink(table, HttpTable(table_address(link)), record.path)
        uplink.start()
        table.start()
        end = time.monotonic() + LONGEST_S
        while table.snapshot()["phase"] != "over" or not seal_of(record.path).exists():
            if time.monotonic() > end:
                return 1
            time.sleep(0.2)
        sys.stdin.read()  # until whoever started it has seen what it wanted to see
        uplink.close(60.0)
        table.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), sys.argv[2]))
