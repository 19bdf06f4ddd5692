"""Run as a program: play a game of chance on one record for ever, saying each event once it was announced. To be killed.

python killed_table.py RECORD SEED
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "referee"))

from random_game import step
from scripted_table import GAME, Hands

from companion.host.ledger import Ledger
from companion.record.events import Event
from companion.record.log import Record


def announce(event: Event) -> None:
    print(event.number, event.digest, flush=True)


def main(path: str, seed: int) -> None:
    with Record.open(path) as record:
        ledger = Ledger(GAME, record, lambda: 1000.0)
        print("resumed", ledger.match.number, flush=True)
        ledger.subscribe(announce)
        ledger.open_match("first-2006", None)
        hands, chance = Hands(match=ledger.match), random.Random(seed)

        def write(drafts: list) -> list[str]:
            ledger.write(drafts)
            table = hands.match.table
            hands.match = ledger.match
            if table is not None:
                ledger.look(table)
                hands.match = ledger.match
            return [draft.kind for draft in drafts]

        hands.write = write  # type: ignore[method-assign]
        hands.lay(ledger.match.expected or ledger.match.position)
        while step(hands, chance, slips=0.2):
            pass
        print("over", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
