"""Tables in a home automation: messages by which Home Assistant finds them on the broker (MQTT discovery). Pure.

What it shows comes from the table's own kept state and from the broker's word whether it is there; the hub only introduces.
Its user needs to read ``table-witness/+/up/state``, ``table-witness/+/up/online`` and ``homeassistant/#``.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion import __version__
from companion.hub import wire
from companion.hub.transport.mqtt import ROOT

_SENSORS: tuple[tuple[str, str, str, str], ...] = (
    ("phase", "Phase", "{{ value_json.snapshot.phase }}", "mdi:cards-playing-outline"),
    ("turn", "Turn", "{{ value_json.snapshot.turn | default('') }}", "mdi:counter"),
    ("mover", "Whose turn", "{{ value_json.snapshot.mover | default('', true) }}", "mdi:account-arrow-right"),
)


def discovery(tables: Iterable[tuple[str, str]]) -> dict[str, bytes]:
    """By topic, what introduces each table (id, name): what to show of it, and whether it calls for the arbiter."""
    found: dict[str, bytes] = {}
    for table, name in tables:
        up = f"{ROOT}/{table}/up"
        device = {
            "identifiers": [f"table-witness-{table}"], "name": name, "manufacturer": "Table Witness", "sw_version": __version__
        }  # fmt: skip
        shared = {
            "device": device, "state_topic": f"{up}/{wire.STATE}", "availability_topic": f"{up}/{wire.ONLINE}",
            "payload_available": "1", "payload_not_available": "0",
        }  # fmt: skip
        for key, title, template, icon in _SENSORS:
            found |= _one("sensor", table, key, {**shared, "name": title, "value_template": template, "icon": icon})
        flagged = {
            **shared, "name": "Needs the arbiter", "device_class": "problem",
            "value_template": "{{ 'ON' if value_json.snapshot.flag else 'OFF' }}",
        }  # fmt: skip
        found |= _one("binary_sensor", table, "flag", flagged)
    return found


def _one(kind: str, table: str, key: str, config: Mapping[str, Any]) -> dict[str, bytes]:
    whole = {
        **config,
        "unique_id": f"table-witness-{table}-{key}",
        "object_id": f"table_witness_{table.replace('-', '_')}_{key}",
    }
    return {f"homeassistant/{kind}/table-witness-{table}/{key}/config": wire.encode(whole)}
