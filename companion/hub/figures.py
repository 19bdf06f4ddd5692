"""What the hub counts of itself, in Prometheus' text format (version 0.0.4). Counts are of this process."""

import threading
from collections.abc import Mapping

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
_HELP = {
    "events_committed_total": "Events written to the database.",
    "events_doubled_total": "Events that had been committed before and came again.",
    "events_refused_total": "Events that did not fit the chain and were kept apart.",
    "messages_total": "Messages of tables.",
    "messages_unreadable_total": "Messages that could not be read.",
    "messages_foreign_total": "Messages in the name of a table that is not enrolled.",
    "store_refusals_total": "Times the database refused.",
    "rulings_total": "Rulings that were sent.",
    "tables": "Enrolled tables.",
    "tables_online": "Tables that are heard.",
    "resident_bytes": "Memory of this process.",
    "store_up": "Whether the database took the last write (1) or refused it (0).",
}


class Histogram:
    """Seconds, counted by the bounds they lie under."""

    def __init__(self) -> None:
        self._counts, self._sum, self._all = [0] * len(_BOUNDS), 0.0, 0
        self._lock = threading.Lock()

    def saw(self, seconds: float) -> None:
        """Count one."""
        with self._lock:
            self._all += 1
            self._sum += seconds
            for at, bound in enumerate(_BOUNDS):
                if seconds <= bound:
                    self._counts[at] += 1

    def lines(self, name: str) -> list[str]:
        """As Prometheus reads them."""
        with self._lock:
            counts, total, seconds = list(self._counts), self._all, self._sum
        buckets = [f'{name}_bucket{{le="{bound}"}} {count}' for bound, count in zip(_BOUNDS, counts, strict=True)]
        return [*buckets, f'{name}_bucket{{le="+Inf"}} {total}', f"{name}_sum {seconds:.6f}", f"{name}_count {total}"]


class Figures:
    """Counters and gauges by name. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, float] = {name: 0 for name in _HELP if name.endswith("_total")}
        self.commit = Histogram()
        """From a message's arrival to its being on the disk."""
        self.lag = Histogram()
        """From an event's date, by the table's clock, to its being on the disk; of events that are not caught up on."""

    def add(self, name: str, count: float = 1) -> None:
        """Count more of something."""
        with self._lock:
            self._values[name] += count

    def value(self, name: str) -> float:
        """What was counted so far."""
        with self._lock:
            return self._values[name]

    def text(self, gauges: Mapping[str, float]) -> str:
        """Everything, with what stands now."""
        with self._lock:
            values = {**self._values, **gauges}
        lines = []
        for name, value in values.items():
            full = f"table_witness_hub_{name}"
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# HELP {full} {_HELP[name]}", f"# TYPE {full} {kind}", f"{full} {value:g}"]
        for name, told, histogram in (
            ("commit_seconds", "From a message's arrival to its being on the disk.", self.commit),
            ("event_lag_seconds", "From an event's date to its being on the disk.", self.lag),
        ):
            full = f"table_witness_hub_{name}"
            lines += [f"# HELP {full} {told}", f"# TYPE {full} histogram", *histogram.lines(full)]
        return "\n".join(lines) + "\n"
