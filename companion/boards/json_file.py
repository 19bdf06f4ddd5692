"""Files that hold one JSON object: board files, table sets, lenses, profiles."""

import json
from pathlib import Path
from typing import Any

from companion.errors import BadInput


def read_object(path: Path, wanted: str) -> dict[str, Any]:
    """The JSON object in a file. Raises BadInput, which says that the file ``wanted``, as in "is not a lens", and why."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except RecursionError as error:
        raise BadInput(f"{path}: {wanted} (not JSON: nested too deeply)") from error
    except ValueError as error:
        raise BadInput(f"{path}: {wanted} (not JSON: {error})") from error
    if not isinstance(data, dict):
        raise BadInput(f"{path}: {wanted} (holds no JSON object)")
    return data
