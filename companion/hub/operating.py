"""What whoever operates the hub asks for: ``GET /healthz`` and ``GET /metrics`` (Prometheus), for anybody who reaches the hub.
Neither tells a name, a credential or an event."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from flask import Blueprint, Response, jsonify

from companion.hub.figures import Figures


class Operated(Protocol):
    """What is asked of the hall."""

    @property
    def figures(self) -> Figures: ...
    @property
    def alive(self) -> bool: ...
    @property
    def store_up(self) -> bool: ...
    def gauges(self) -> dict[str, float]: ...


def blueprint(hall: Operated, broker: Callable[[], str]) -> Blueprint:
    """Both addresses. ``broker``: why the broker is not reached, empty while it is or where there is none."""
    operating = Blueprint("hall_operating", __name__)

    @operating.get("/healthz")
    def healthz() -> Response:
        """200 while tables' events are taken in and kept, else 503 and what is wrong."""
        parts: Mapping[str, str] = {
            "intake": "" if hall.alive else "no messages are taken in",
            "database": "" if hall.store_up else "the database refused the last write",
            "broker": broker(),
        }
        well = not any(parts.values())
        response = jsonify({"ok": well, **{name: said or "ok" for name, said in parts.items()}})
        response.status_code = 200 if well else 503
        return response

    @operating.get("/metrics")
    def metrics() -> Response:
        text = hall.figures.text({**hall.gauges(), "resident_bytes": resident_bytes()})
        return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")

    return operating


def resident_bytes() -> float:
    """Memory of this process in bytes; 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:")), 0.0)
