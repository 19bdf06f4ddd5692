"""Run as a program: play a game of chance on one record for ever, saying each event once it was announced. To be killed.

Pictures are kept and the end is signed, as at a table: what an event refers to must be on the disk before it is announced.

python killed_table.py RECORD SEED
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "referee"))

import numpy as np
from random_game import step
from scripted_table import GAME, Hands

from companion.host.ledger import Ledger
from companion.host.picture_store import PictureStore
from companion.host.sealing import Sealer
from companion.record.events import Event
from companion.record.log import Record
from companion.record.pictures import folder_of
from companion.record.seal import seal_of


def announce(event: Event) -> None:
    print(event.number, event.digest, flush=True)


def main(path: str, seed: int) -> None:
    begun = time.monotonic()
    with Record.open(path) as record:
        ledger = Ledger(GAME, record, lambda: 1000.0)
        print("resumed", ledger.match.number, time.monotonic() - begun, flush=True)
        ledger.subscribe(announce)
        ledger.open_match("first-2006", None)
        picture_store, sealer = PictureStore(folder_of(record.path)), Sealer(record.path.with_name("key"), seal_of(record.path))
        picture_store.resume(ledger.events())
        ledger.illustrate = lambda draft: picture_store.illustrate(draft, lambda notice: None)
        sealer.finish(ledger)
        hands, chance = Hands(match=ledger.match), random.Random(seed)

        def write(drafts: list) -> list[str]:
            picture_store.look(np.random.default_rng(ledger.match.number).integers(0, 255, (54, 96, 3), np.uint8))
            ledger.write(drafts)
            sealer.finish(ledger)
            table = hands.match.table
            hands.match = ledger.match
            if table is not None:
                ledger.look(table)
                hands.match = ledger.match
            return [draft.kind for draft in drafts]

        hands.write = write  # type: ignore[method-assign]
        hands.lay(ledger.match.expected or ledger.match.position)
        hands.see()  # as a table does: what still follows from the record comes first
        while step(hands, chance, slips=0.2):
            pass
        print("over", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
