"""The sealed end: when a game is over its record is signed with this machine's own key, without being asked.

The seal lies beside the record and covers it up to the last event; what comes after the end (a commitment that is opened,
a camera that is unplugged) is signed anew, so that ``companion verify`` holds the whole record to it.
"""

import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion import atomic
from companion.errors import BadInput, InvalidRecord, StorageTrouble
from companion.host import private
from companion.host.ledger import Ledger
from companion.record.events import Event
from companion.record.seal import SEED_BYTES, known_as, seal, signer_of
from companion.referee.decide import on_notice

KEY_FORMAT = "signing-key/1"
SEALED = "The game's record is signed by {signer}."
NOT_SEALED = "The game's record is not signed: {reason}"


class Sealer:
    """Signs one record with the key kept at ``key`` (made when it is not there) into the file ``to``."""

    def __init__(self, key: Path, to: Path) -> None:
        self._key, self._to, self._covers = key, to, 0

    def finish(self, ledger: Ledger) -> None:
        """Sign the record once its game is over, and again when something was added after that; says so, once.

        Raises RecordTrouble when the disk refuses the record itself; a key or a seal that cannot be kept is said instead.
        """
        match = ledger.match
        if not match.over or match.number == self._covers:
            return
        try:
            _say_once(ledger, "record-sealed", SEALED, {"signer": self.signer()})
            self.seal(ledger.events())
        except InvalidRecord:
            raise
        except BadInput as error:
            _say_once(
                ledger,
                "record-not-sealed",
                NOT_SEALED,
                {"reason": error.said if isinstance(error, StorageTrouble) else str(error)},
            )
        self._covers = ledger.match.number

    def signer(self) -> str:
        """The words by which the key is known. Raises BadInput when there is none and none can be made."""
        return known_as(signer_of(seed_at(self._key)))

    def seal(self, events: Sequence[Event]) -> dict[str, Any]:
        """Sign the record as it is now; returns the seal. Raises BadInput when it cannot be made or kept."""
        made = seal(events, seed_at(self._key))
        keep(made, self._to)
        return made


def _say_once(ledger: Ledger, code: str, text: str, params: dict[str, Any]) -> None:
    if not any(event.kind == "notice" and event.data["code"] == code for event in ledger.events()):
        ledger.write(on_notice(code, text, params))


def keep(made: dict[str, Any], to: Path) -> None:
    """Write a seal, whole or not at all. Raises BadInput."""
    try:
        atomic.write(to, json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    except OSError as error:
        raise StorageTrouble(f"cannot be written ({error.strerror})", to) from error


def seed_at(path: Path) -> bytes:
    """This key's secret; a new one, readable by its owner alone, when there is none. Raises BadInput."""
    if path.exists():  # whole, as it is written
        return _seed_at(path)
    with private.made_once(path):
        return _seed_at(path)


def _seed_at(path: Path) -> bytes:
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
        raise StorageTrouble(f"the key cannot be kept there ({error.strerror})", path) from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: is no signing key") from error
    return seed
