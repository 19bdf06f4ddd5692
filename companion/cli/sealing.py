"""``companion sign``: a record signed by hand; a game that ends on this machine is signed without being asked."""

import argparse
import json
from pathlib import Path
from typing import Any

from companion.cli.run import KEY_FILE, data_folder
from companion.cli.writing import keep_apart
from companion.errors import BadInput
from companion.host.sealing import keep, seed_at
from companion.record.log import Record
from companion.record.seal import known_as, seal, seal_of


def add(commands: Any) -> None:
    """Add ``sign``."""
    sign = commands.add_parser("sign", help="sign a finished record with this machine's key; 'verify' checks it")
    sign.add_argument("record", type=Path, help="the record's file")
    sign.add_argument(
        "--key", type=Path, metavar="FILE", help="the key's file; made when it is not there (default: this machine's)"
    )
    sign.add_argument("--output", type=Path, metavar="FILE", help="where the seal goes (default: RECORD.seal)")
    sign.add_argument("--json", action="store_true", help="print JSON")
    sign.set_defaults(run=_sign)


def _sign(options: argparse.Namespace) -> int:
    key = options.key or data_folder() / KEY_FILE
    keep_apart(options.output, options.record, key)
    with Record.read(options.record) as record:
        events = record.events()
    if not events or events[0].kind != "match-opened":
        raise BadInput(f"{options.record}: there is no game in this record to be signed")
    made = seal(events, seed_at(key))
    output = options.output or seal_of(options.record)
    keep(made, output)
    signer = known_as(made["signer"])
    if options.json:
        print(json.dumps({"seal": str(output), "events": made["events"], "signer": signer}, ensure_ascii=False))
    else:
        print(f"{output}: {made['events']} events signed; signer {signer}")
    return 0
