"""``companion sign``: the end of a game, signed with this machine's own key."""

import argparse
import json
import secrets
from pathlib import Path
from typing import Any

from companion.cli.run import data_folder
from companion.errors import BadInput
from companion.host import private
from companion.record.log import Record
from companion.record.seal import SEED_BYTES, known_as, seal

KEY_FORMAT = "signing-key/1"


def add(commands: Any) -> None:
    """Add ``sign``."""
    sign = commands.add_parser("sign", help="sign a finished record with this machine's key; 'verify' checks it")
    sign.add_argument("record", type=Path, help="the record's file")
    sign.add_argument(
        "--key", type=Path, metavar="FILE", help="the key's file; made when it is not there (default: this machine's)"
    )
    sign.add_argument("--output", type=Path, metavar="FILE", help="where the seal goes (default: RECORD.seal)")
    sign.set_defaults(run=_sign)


def _sign(options: argparse.Namespace) -> int:
    with Record.read(options.record) as record:
        made = seal(record.events(), _seed(options.key or data_folder() / "signing-key"))
    output = options.output or options.record.with_name(f"{options.record.name}.seal")
    try:
        output.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output}: cannot be written ({error.strerror})") from error
    print(f"{output}: {made['events']} events signed; signer {known_as(made['signer'])}")
    return 0


def _seed(path: Path) -> bytes:
    """This key's secret; a new one, readable by its owner alone, when there is none."""
    try:
        if path.exists():
            held = private.read(path)
            seed = bytes.fromhex(held["seed"]) if held["format"] == KEY_FORMAT else b""
            if len(seed) != SEED_BYTES:
                raise ValueError(KEY_FORMAT)
            return seed
        path.parent.mkdir(parents=True, exist_ok=True)
        seed = secrets.token_bytes(SEED_BYTES)
        private.write(path, {"format": KEY_FORMAT, "seed": seed.hex()})
    except OSError as error:
        raise BadInput(f"{path}: the key cannot be kept there ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: is no signing key") from error
    return seed
