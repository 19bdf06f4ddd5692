"""Button boxes: what the rest of the program uses."""

from companion.devices.box import (
    ANSWERS,
    PATTERNS,
    BoxNotice,
    Button,
    ButtonPort,
    Pattern,
    PortBusy,
    PortForbidden,
    PortSource,
    Press,
)
from companion.devices.box_answers import KEYS, TABLE, Asking, Heard, answer, hear
from companion.devices.box_labels import Labels, labels_for
from companion.devices.box_manager import Boxes, BoxSettings

__all__ = [
    "ANSWERS",
    "KEYS",
    "PATTERNS",
    "TABLE",
    "Asking",
    "BoxNotice",
    "BoxSettings",
    "Boxes",
    "Button",
    "ButtonPort",
    "Heard",
    "Labels",
    "Pattern",
    "PortBusy",
    "PortForbidden",
    "PortSource",
    "Press",
    "answer",
    "hear",
    "labels_for",
]
