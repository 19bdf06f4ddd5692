"""Swiss pairings by the program bbpPairings (Dutch system), when it is installed: its input is written, its output read.

The program is asked as ``bbpPairings --dutch INPUT -p OUTPUT``; the output is the number of pairs and then a pair a line, the
first seat first, 0 for the bye that it allocates. It keeps the two seats even by itself, as it keeps the colours of chess.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.errors import BadInput
from companion.hub.event import trf
from companion.hub.event.folding import byes_of
from companion.hub.event.model import MOST_PLAYERS, PAIRING, Tournament

NAMES = ("bbpPairings", "bbpPairings.exe", "bbppairings")
PATIENCE_S = 60.0
"""2..600: how long the program may take; 999 players take it some seconds."""
_NO_PAIRING = 1
Pairs = tuple[list[tuple[int, int]], dict[int, str]]


def program() -> str | None:
    """Where the program lies; None where it is not installed."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def swiss(state: Tournament, *, at: str | None = None) -> Pairs:
    """The next round: pairs with the first seat first, and byes. Raises BadInput when the program is not there, refuses, or
    answers with what is no pairing of these players."""
    found = at or program()
    if found is None:
        raise BadInput("bbpPairings is not installed; pair by round robin or by hand, or put the program on the search path")
    playing = [player.number for player in state.players.values() if player.plays(state.next_round)]
    if len(playing) < 2:
        raise BadInput("two players at least are needed for a round")
    if state.next_round > state.plan.rounds:
        raise BadInput(f"{state.plan.rounds} rounds are planned; plan more before another one is paired")
    with tempfile.TemporaryDirectory(prefix="pairing-") as folder:
        told, answer = Path(folder) / "event.trf", Path(folder) / "pairs.txt"
        told.write_text(trf.written(state, for_pairing=True), encoding="utf-8")
        try:
            done = subprocess.run(
                [found, "--dutch", str(told), "-p", str(answer)],
                check=False, capture_output=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL,
            )  # fmt: skip
            text = answer.read_bytes()[: 64 * 1024].decode("ascii") if done.returncode == 0 else ""
        except subprocess.TimeoutExpired as error:
            raise BadInput(f"bbpPairings gave no answer within {PATIENCE_S:g} seconds") from error
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "its answer is no plain text"
            raise BadInput(f"bbpPairings could not be used ({why})") from error
    if done.returncode == _NO_PAIRING:
        raise BadInput("no Swiss pairing is left for these players; pair this round by hand")
    if done.returncode != 0:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
        raise BadInput(f"bbpPairings refused ({said or f'exit status {done.returncode}'})")
    return _with_byes(pairs_of(text, playing), byes_of(state, state.next_round))


def pairs_of(text: str, playing: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs in the program's output; 0 is nobody. Raises BadInput where they are not every one of ``playing`` once."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    numbers = [word for line in lines for word in line]
    if not lines or len(lines[0]) != 1 or not all(word.isascii() and word.isdigit() and len(word) < 6 for word in numbers):
        raise BadInput("the answer of bbpPairings is not a list of pairs")
    count, rows = int(lines[0][0]), lines[1:]
    if count != len(rows) or count > MOST_PLAYERS or any(len(row) != 2 for row in rows):
        raise BadInput(f"bbpPairings promised {count} pairs and gave {len(rows)} lines")
    pairs = [(int(first), int(second)) for first, second in rows]
    named = [number for pair in pairs for number in pair if number]
    if sorted(named) != sorted(playing) or sum(0 in pair for pair in pairs) > 1:
        raise BadInput("bbpPairings did not pair everybody who plays exactly once")
    return pairs


def _with_byes(pairs: list[tuple[int, int]], asked: Mapping[int, str]) -> Pairs:
    byes = dict(asked)
    for first, second in pairs:
        if not (first and second):
            byes[first or second] = PAIRING
    return [pair for pair in pairs if all(pair)], byes
