"""One JSON value in, one out: a file, or one object a line on standard input, each line answered by one line."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion import bounded
from companion.boards.json_file import without_duplicate_keys
from companion.bounded import BOUNDS
from companion.cli import DONE
from companion.errors import BadInput, CompanionError

Answer = Mapping[str, Any]


@contextmanager
def prefix_source(source: str) -> Iterator[None]:
    """Puts the source's name in front of what is wrong with it."""
    try:
        yield
    except BadInput as error:
        if not source or str(error).startswith(source):
            raise
        raise BadInput(f"{source}: {str(error).removeprefix('position: ')}") from error


def read_json(name: str) -> Any:
    try:
        return _decode(bounded.read_text(Path(name), BOUNDS.position))
    except OSError as error:
        raise BadInput(f"{name}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: is not text in UTF-8 (byte {error.start + 1})") from error
    except ValueError as error:
        raise BadInput(f"{name}: {error}") from error


def _decode(text: str) -> Any:
    try:
        return bounded.parsed(text.removeprefix(bounded.BYTE_ORDER_MARK), without_duplicate_keys)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at line {error.lineno} column {error.colno}") from error


def _lines() -> Iterator[str | None]:
    """The lines of standard input; None for one that is too long."""
    if sys.stdin is None:
        raise BadInput("standard input is closed: nothing can be read from it")
    for raw in bounded.lines(sys.stdin.buffer, BOUNDS.position):
        yield None if raw is None else raw.decode("utf-8", errors="replace").strip()


def stream(answer: Callable[[Any], Answer]) -> int:
    """Answer each line of standard input with one line; a bad one with ``{"error": …}``."""
    for line in _lines():
        if line is None:
            print_json({"error": f"a line of more than {bounded.size_words(BOUNDS.position)}, which is the most that is read"})
            continue
        if not line:
            continue
        try:
            print_json(answer(_decode(line)))
        except (CompanionError, ValueError) as error:
            print_json({"error": str(error)})
        except Exception as error:  # a fault of ours spoils its own line, not those after it
            print_json({"error": f"the companion erred ({type(error).__name__}: {error})"})
    return DONE


def print_json(answer: Answer) -> None:
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()
