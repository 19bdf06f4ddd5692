"""What the hub logs, one JSON object a line: for a journal or whatever collects logs. No credential is ever logged."""

import json
import logging
import sys
import time


class JsonLines(logging.Formatter):
    """``time`` (UTC, RFC 3339), ``level``, ``where``, ``message``, and ``error`` with a traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "where": record.name.removeprefix("companion."),
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def to_stderr() -> None:
    """Log lines of JSON to the standard error output."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
