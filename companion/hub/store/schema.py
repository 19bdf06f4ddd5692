"""The store's schema as numbered steps, each applied once, in order; the same words for both databases as far as they agree.

A step is never changed once a companion was released with it: what comes later is a step of its own.
"""

from collections.abc import Mapping
from types import MappingProxyType

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tables (
             id TEXT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, added {real} NOT NULL)""",
        """CREATE TABLE matches (
             table_id TEXT NOT NULL, match TEXT NOT NULL, game TEXT NOT NULL, label TEXT NOT NULL, began {real} NOT NULL,
             last {real} NOT NULL, number INTEGER NOT NULL, head TEXT NOT NULL, outcome TEXT, whole INTEGER NOT NULL,
             PRIMARY KEY (table_id, match))""",
        """CREATE TABLE events (
             table_id TEXT NOT NULL, match TEXT NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL, at {real} NOT NULL,
             kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (table_id, match, number))""",
        "{never_changed}",
        """CREATE TABLE refused (
             table_id TEXT NOT NULL, match TEXT NOT NULL, number {big} NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL,
             why TEXT NOT NULL, at {real} NOT NULL, PRIMARY KEY (table_id, match, number, digest))""",
        """CREATE TABLE troubles (
             table_id TEXT NOT NULL, code TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (table_id, code))""",
        """CREATE TABLE rulings (
             id TEXT PRIMARY KEY, table_id TEXT NOT NULL, match TEXT NOT NULL, arbiter TEXT NOT NULL, answer TEXT NOT NULL,
             about {big} NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, at {real} NOT NULL)""",
    ),
    (
        # About one event of a match one ruling stands; one that the table refused makes room for another.
        """CREATE UNIQUE INDEX one_ruling_about_an_event ON rulings (table_id, match, about)
             WHERE about > 0 AND state IN ('sent', 'taken')""",
        "CREATE INDEX rulings_of_a_table ON rulings (table_id, at)",
        "CREATE TABLE states (table_id TEXT PRIMARY KEY, body TEXT NOT NULL, heard {real} NOT NULL)",
    ),
)
VERSION = len(STEPS)
ROWS: Mapping[str, int] = MappingProxyType(
    {"tables": 4, "matches": 10, "events": 7, "refused": 7, "troubles": 3, "rulings": 9, "states": 3}
)
"""Every table that is backed up, with the number of its columns."""
