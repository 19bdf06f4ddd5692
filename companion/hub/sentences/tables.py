"""What is said of a table on the wall beside its own words, each one sentence to be translated. Pure."""

from collections.abc import Mapping
from types import MappingProxyType

OFFLINE = "Nothing is heard of this table: what stands here is how it was then."
UNSEEN: Mapping[str, str] = MappingProxyType(
    {
        "lost": "The camera is lost.",
        "silent": "The camera gives no picture.",
        "frozen": "The camera's picture stands still.",
        "out-of-sight": "The board is out of sight.",
        "disk": "The record cannot be written.",
    }
)
"""By the state of a table's own line (:mod:`companion.host.status`)."""
