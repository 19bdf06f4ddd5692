"""Button boxes: what the rest of the program uses."""

from companion.devices.boxes.answers import KEYS, TABLE, Asking, PressMeaning, answer, interpret
from companion.devices.boxes.box import (
    ANSWERS,
    PATTERNS,
    BoxNotice,
    Button,
    ButtonPort,
    PortBusy,
    PortForbidden,
    PortSource,
    Press,
    SignalPattern,
)
from companion.devices.boxes.labels import Labels, labels_for
from companion.devices.boxes.manager import Boxes, BoxSettings

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
    "Labels",
    "PortBusy",
    "PortForbidden",
    "PortSource",
    "Press",
    "PressMeaning",
    "SignalPattern",
    "answer",
    "interpret",
    "labels_for",
]
