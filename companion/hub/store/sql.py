"""The store over SQL: its statements, written once for both databases."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion import bounded
from companion.errors import BadInput
from companion.hub.model import HallMatch, Ruling, Trouble
from companion.hub.store import schema
from companion.hub.store.engine import Cursor, Duplicate, Engine, Row
from companion.hub.store.port import MOST_REFUSED, Accepted, Enrolled, KeptState, Refused, RuledAlready, WrittenMeanwhile
from companion.record.events import Event


class SqlStore:
    """See :class:`~companion.hub.store.port.Store`."""

    def __init__(self, engine: Engine) -> None:
        """Raises BadInput for a database of a newer companion, StoreTrouble when it cannot be reached."""
        self._engine = engine
        try:
            self._migrate()
        except BaseException:
            engine.close()
            raise

    def _migrate(self) -> None:
        with self._engine.reading() as cursor:
            if self._engine.has_table(cursor, "meta") and self._version(cursor) == schema.VERSION:
                return
        with self._engine.writing() as cursor:
            if not self._engine.has_table(cursor, "meta"):
                cursor.run("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
                cursor.run("INSERT INTO meta (key, value) VALUES (?, ?)", ("schema", "0"))
            version = self._version(cursor)
            if version > schema.VERSION:
                said = f"was written by a newer companion (schema {version}; this one knows {schema.VERSION}); update this one"
                raise BadInput(f"{self._engine.name}: {said}")
            for step in schema.STEPS[version:]:
                for statement in step:
                    cursor.run(statement.format_map(self._engine.words))
            cursor.run("UPDATE meta SET value = ? WHERE key = ?", (str(schema.VERSION), "schema"))

    def _version(self, cursor: Cursor) -> int:
        rows = cursor.run("SELECT value FROM meta WHERE key = ?", ("schema",))
        if not rows or not str(rows[0][0]).isdecimal():
            raise BadInput(f"{self._engine.name}: is no database of a hall (its schema has no number)")
        return int(rows[0][0])

    # --- tables -------------------------------------------------------------------------------------------------

    def tables(self) -> tuple[Enrolled, ...]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            return tuple(Enrolled(*row) for row in cursor.run("SELECT id, name, digest, added FROM tables ORDER BY id"))

    def enrol(self, one: Enrolled) -> None:
        """See :class:`Store`."""
        with self._engine.writing() as cursor:
            cursor.run(
                """INSERT INTO tables (id, name, digest, added) VALUES (?, ?, ?, ?)
                   ON CONFLICT (id) DO UPDATE SET name = excluded.name, digest = excluded.digest""",
                (one.table, one.name, one.digest, one.added),
            )

    # --- events -------------------------------------------------------------------------------------------------

    def matches(self) -> tuple[HallMatch, ...]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            rows = cursor.run(
                """SELECT table_id, match, game, label, began, last, number, head, outcome, whole FROM matches
                   ORDER BY began DESC, table_id, match"""
            )
        return tuple(_match(row) for row in rows)

    def events(self, table: str, match: str, after: int, most: int) -> tuple[Event, ...]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            rows = cursor.run(
                """SELECT number, at, kind, data, digest FROM events WHERE table_id = ? AND match = ? AND number > ?
                   ORDER BY number LIMIT ?""",
                (table, match, after, most),
            )
        return tuple(Event.stored(row[0], row[1], row[2], json.loads(row[3]), row[4]) for row in rows)

    def write(self, accepted: Sequence[Accepted], refused: Sequence[Refused], troubles: dict[str, tuple[Trouble, ...]]) -> None:
        """See :class:`Store`."""
        try:
            with self._engine.writing() as cursor:
                for one in accepted:
                    _put_match(cursor, one.match)
                cursor.run_many(
                    "INSERT INTO events (table_id, match, number, digest, at, kind, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [_event_row(one.match, event) for one in accepted for event in one.events],
                )
                for kept in refused:
                    _put_refused(cursor, kept)
                for table, all_of_it in troubles.items():
                    cursor.run("DELETE FROM troubles WHERE table_id = ?", (table,))
                    cursor.run_many(
                        "INSERT INTO troubles (table_id, code, body) VALUES (?, ?, ?)",
                        [(table, trouble.code, _text(trouble.to_json())) for trouble in all_of_it],
                    )
        except Duplicate as error:
            raise WrittenMeanwhile from error

    def troubles(self) -> dict[str, tuple[Trouble, ...]]:
        """See :class:`Store`."""
        found: dict[str, tuple[Trouble, ...]] = {}
        with self._engine.reading() as cursor:
            for table, body in cursor.run("SELECT table_id, body FROM troubles ORDER BY table_id, code"):
                found[table] = (*found.get(table, ()), Trouble.from_json(bounded.parsed(body)))
        return found

    def refused(self, table: str) -> tuple[Refused, ...]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            rows = cursor.run(
                """SELECT table_id, match, number, digest, body, why, at FROM refused WHERE table_id = ?
                   ORDER BY at, match, number, digest""",
                (table,),
            )
        return tuple(Refused(*row) for row in rows)

    # --- states and rulings -------------------------------------------------------------------------------------

    def keep_states(self, states: Sequence[KeptState]) -> None:
        """See :class:`Store`."""
        with self._engine.writing() as cursor:
            cursor.run_many(
                """INSERT INTO states (table_id, body, heard) VALUES (?, ?, ?)
                   ON CONFLICT (table_id) DO UPDATE SET body = excluded.body, heard = excluded.heard""",
                [(one.table, one.body, one.heard) for one in states],
            )

    def states(self) -> tuple[KeptState, ...]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            return tuple(KeptState(*row) for row in cursor.run("SELECT table_id, body, heard FROM states ORDER BY table_id"))

    def add_ruling(self, ruling: Ruling) -> None:
        """See :class:`Store`."""
        try:
            with self._engine.writing() as cursor:
                cursor.run(
                    f"INSERT INTO rulings ({_RULING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        ruling.ruling, ruling.table, ruling.match, ruling.arbiter, _text(ruling.answer), ruling.about,
                        ruling.state, ruling.reason, ruling.at,
                    ),
                )  # fmt: skip
        except Duplicate as error:
            same = [one for one in self.rulings(ruling.table) if (one.match, one.about) == (ruling.match, ruling.about)]
            raise RuledAlready(next((one for one in same if one.state in ("sent", "taken")), ruling)) from error

    def settle_ruling(self, ruling: str, table: str, state: str, reason: str) -> Ruling | None:
        """See :class:`Store`."""
        with self._engine.writing() as cursor:
            rows = cursor.run(f"SELECT {_RULING} FROM rulings WHERE id = ? AND table_id = ?", (ruling, table))
            if not rows:
                return None
            found = _ruling(rows[0])
            if found.state != "sent":
                return found
            cursor.run("UPDATE rulings SET state = ?, reason = ? WHERE id = ?", (state, reason, ruling))
        return replace(found, state=state, reason=reason)

    def rulings(self, table: str, *, open_only: bool = False) -> tuple[Ruling, ...]:
        """See :class:`Store`."""
        which, order = (" AND state = 'sent'", "ASC") if open_only else ("", "DESC")
        with self._engine.reading() as cursor:
            rows = cursor.run(
                f"SELECT {_RULING} FROM rulings WHERE table_id = ?{which} ORDER BY at {order}, id {order}", (table,)
            )
        return tuple(_ruling(row) for row in rows)

    # --- the whole ----------------------------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            names = ("tables", "matches", "events", "rulings")
            return {name: int(cursor.run(f"SELECT count(*) FROM {name}")[0][0]) for name in names}

    def dump(self) -> dict[str, list[list[Any]]]:
        """See :class:`Store`."""
        with self._engine.reading() as cursor:
            return {name: [list(row) for row in cursor.run(f"SELECT * FROM {name}")] for name in schema.ROWS}

    def load(self, rows: dict[str, list[list[Any]]]) -> None:
        """See :class:`Store`."""
        with self._engine.writing() as cursor:
            if any(cursor.run(f"SELECT 1 FROM {name} LIMIT 1") for name in schema.ROWS):
                raise BadInput(f"{self._engine.name}: is not empty; restore into a new database")
            for name, columns in schema.ROWS.items():
                marks = ", ".join("?" * columns)
                cursor.run_many(f"INSERT INTO {name} VALUES ({marks})", rows.get(name, []))

    def close(self) -> None:
        """See :class:`Store`."""
        self._engine.close()


_RULING = "id, table_id, match, arbiter, answer, about, state, reason, at"


def _match(row: Row) -> HallMatch:
    table, match, game, label, began, last, number, head, outcome, whole = row
    told = None if outcome is None else bounded.parsed(outcome)
    return HallMatch(table, match, game, label, began, last, number, head, told, bool(whole))


def _ruling(row: Row) -> Ruling:
    return Ruling(row[0], row[1], row[2], row[3], bounded.parsed(row[4]), *row[5:9])


def _put_match(cursor: Cursor, match: HallMatch) -> None:
    cursor.run(
        """INSERT INTO matches (table_id, match, game, label, began, last, number, head, outcome, whole)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (table_id, match) DO UPDATE SET last = excluded.last, number = excluded.number, head = excluded.head,
             outcome = excluded.outcome, whole = excluded.whole""",
        (
            match.table, match.match, match.game, match.label, match.began, match.last, match.number, match.head,
            None if match.outcome is None else _text(match.outcome), int(match.whole),
        ),
    )  # fmt: skip


def _put_refused(cursor: Cursor, kept: Refused) -> None:
    if cursor.run("SELECT count(*) FROM refused WHERE table_id = ?", (kept.table,))[0][0] >= MOST_REFUSED:
        return
    cursor.run(
        """INSERT INTO refused (table_id, match, number, digest, body, why, at) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (table_id, match, number, digest) DO NOTHING""",
        (kept.table, kept.match, kept.number, kept.digest, kept.body, kept.why, kept.at),
    )


def _event_row(match: HallMatch, event: Event) -> tuple[Any, ...]:
    return (match.table, match.match, event.number, event.digest, event.at, event.kind, _text(event.data))


def _text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
