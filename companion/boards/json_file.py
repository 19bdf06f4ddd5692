"""Files that hold one JSON object: board files, table sets, lenses, profiles."""

from pathlib import Path
from typing import Any

from companion import bounded
from companion.errors import BadInput, quoted


def without_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys are all different; a second ``"turn"`` would otherwise silently win. Raises ValueError."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{quoted(key)} is there twice in one object")
        found[key] = value
    return found


def read_object(path: Path, wanted: str, most: int = bounded.BOUNDS.table) -> dict[str, Any]:
    """The JSON object in a file of at most ``most`` bytes. Raises BadInput, which says that the file ``wanted``, as in "is not
    a lens", and why."""
    try:
        data = bounded.read_json(path, most, without_duplicate_keys)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: {wanted} (not text in UTF-8, at byte {error.start + 1})") from error
    except ValueError as error:
        raise BadInput(f"{path}: {wanted} (not JSON: {error})") from error
    if not isinstance(data, dict):
        raise BadInput(f"{path}: {wanted} (holds no JSON object)")
    return data
