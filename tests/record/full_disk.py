"""Run as a program: fill the disk under a record, then go on. Says what was met, one JSON line.

python full_disk.py RECORD [LIMIT]: with a limit no file may grow beyond so many bytes; otherwise the disk is really full.
"""

import contextlib
import json
import resource
import sys
from pathlib import Path

from companion.record.log import Record, RecordTrouble


def main(path: Path, limit: int | None) -> None:
    ballast = path.with_name("ballast")
    with Record.open(path) as record:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        stored, said = 0, ""
        try:
            while stored < 2000:
                record.append("notice", {"filling": "x" * 3000}, 1.0)
                stored += 1
                if not limit and stored == 5:
                    with contextlib.suppress(OSError), ballast.open("wb") as file:
                        file.write(bytes(2**30))
        except RecordTrouble as error:
            said = str(error)
        held = len(record.events())
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        ballast.unlink(missing_ok=True)
        after = record.append("notice", {"filling": "x" * 30_000}, 2.0).number
    print(json.dumps({"stored": stored, "said": said, "held": held, "after": after}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
