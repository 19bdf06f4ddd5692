"""How a board file says that ground and pieces are drawn, and what the page says: ``drawing``, ``labels`` and ``page``.

``colours`` are pairs (by night, by day) under names of their own; ``symbols`` are lists of shapes in millimetres around the
point 0, 0; ``ground`` goes by kind of cell or decor, ``pieces`` by group and side, ``around`` is what lies between the cells.
Colours end up in a style sheet, so nothing but a plain colour passes here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from companion.errors import quoted

Json = Mapping[str, Any]
PATTERNS = ("stones", "roofs", "trees", "water")
"""What a page can fill a cell, or the ground between the cells, with."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_FORMS = ("path", "circle", "rect", "ellipse")
_NUMBERS = {"circle": 3, "rect": 5, "ellipse": 4}


def drawing_faults(drawing: Any) -> list[str]:
    """What is wrong in a board file's ``drawing``, in words; empty where there is none, as without the section."""
    if not isinstance(drawing, Mapping):
        return ["drawing is not an object"]
    faults = [fault for name, pair in _part(drawing, "colours") for fault in _colour_faults(name, pair)]
    faults += [fault for name, shapes in _part(drawing, "symbols") for fault in _symbol_faults(name, shapes)]
    symbols = {name for name, _ in _part(drawing, "symbols")}
    for where, look in _looks(drawing):
        for key in ("symbol", "along"):
            if look.get(key) is not None and look[key] not in symbols:
                faults.append(f"drawing: {where} names the symbol {quoted(look[key])}, which is not there")
        if look.get("pattern") is not None and look["pattern"] not in PATTERNS:
            faults.append(f"drawing: {where} has the pattern {quoted(look['pattern'])}; there are: {', '.join(PATTERNS)}")
    return faults


def label_faults(labels: Any) -> list[str]:
    """What is wrong in a board file's ``labels``: what a page calls the things of the game, English texts by key."""
    if isinstance(labels, Mapping) and all(isinstance(text, str) for text in labels.values()):
        return []
    return ["labels is not an object of texts"]


SYMBOLS = ("eye", "eye-shut", "hand", "tick", "warning", "move")
LOOKS = ("light", "dark")
EVENTS = ("asks", "answers", "begins")
"""What an event of the game's own kinds means to a page: a question is asked, one is answered, a round begins."""


def page_faults(page: Any) -> list[str]:
    """What is wrong in a board file's ``page``, in words; empty where there is none, as without the section.

    ``answers`` says how answers to the game's questions look, ``answered`` which key of the snapshot holds what the last one
    came to, ``events`` what the game's own kinds of events mean, ``people`` where the snapshot says who is still possible and
    in which state each is, ``maps`` which keys hold the spots where something is possible, ``secret`` whose secret is written
    without seat and purpose, under which key, and how a prompt asks for it, ``settable`` the groups of which an arbiter may set
    pieces elsewhere, and the zones in which he may set cards, where not all of them can be.
    """
    if not isinstance(page, Mapping):
        return ["page is not an object"]
    answers, people, secret = page.get("answers", []), page.get("people", {}), page.get("secret", {})
    if not isinstance(answers, list) or not all(isinstance(one, Mapping) for one in answers):
        return ["page: answers is not a list of objects"]
    if not all(isinstance(one, Mapping) for one in (people, secret, page.get("answered", {}), page.get("events", {}))):
        return ["page: answered, events, people and secret are objects"]
    faults = _map_faults(page.get("maps", []))
    faults += _settable_faults(page.get("settable", []))
    for number, one in enumerate(answers, start=1):
        if not isinstance(one.get("answer"), Mapping) or not isinstance(one["answer"].get("kind"), str):
            faults.append(f"page: answer {number} does not say which answer it is")
    looks = people.get("looks", {})
    if not isinstance(looks, Mapping) or not all(isinstance(one, Mapping) for one in looks.values()):
        return [*faults, "page: the looks of people are not objects by state"]
    for look in (*answers, *looks.values()):
        for key, known in (("symbol", SYMBOLS), ("look", LOOKS)):
            if look.get(key) is not None and look[key] not in known:
                faults.append(f"page: the {key} {quoted(look[key])} is not known; there are: {', '.join(known)}")
    for kind, meaning in page.get("events", {}).items():
        if meaning not in EVENTS:
            faults.append(f"page: events of kind {quoted(kind)} mean {quoted(meaning)}; there are: {', '.join(EVENTS)}")
    for part, needed in (
        (people, ("left", "states")),
        (secret, ("seat", "key", "ask", "keep")),
        (page.get("answered", {}), ("in",)),
    ):
        faults += [
            f"page: {quoted(key)} is missing where it is needed"
            for key in needed
            if part and not isinstance(part.get(key), str)
        ]
    return faults


def _settable_faults(settable: Any) -> list[str]:
    fine = isinstance(settable, list) and all(isinstance(one, str) for one in settable)
    return [] if fine else ["page: settable is not a list of groups and zones"]


def _map_faults(maps: Any) -> list[str]:
    """What is wrong with ``maps``: the snapshot's key, the kinds of cells that it speaks of, and the key of its label."""
    if not isinstance(maps, list) or not all(isinstance(one, Mapping) for one in maps):
        return ["page: maps is not a list of objects"]
    return [
        f"page: map {number} needs 'in' and 'label', two texts, and 'of', a list of kinds of cells"
        for number, one in enumerate(maps, start=1)
        if not (isinstance(one.get("in"), str) and isinstance(one.get("label"), str) and isinstance(one.get("of"), list))
    ]


def _part(drawing: Json, key: str) -> list[tuple[str, Any]]:
    part = drawing.get(key, {})
    return list(part.items()) if isinstance(part, Mapping) else []


def _colour_faults(name: str, pair: Any) -> Iterator[str]:
    if not _NAME.fullmatch(name):
        yield f"drawing: colour {quoted(name)} has a name that is not small letters, digits and hyphens"
    plain = isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) and _COLOUR.fullmatch(one) for one in pair)
    if not plain:
        yield f"drawing: colour {quoted(name)} is not two colours as '#rrggbb', by night and by day"


def _symbol_faults(name: str, shapes: Any) -> Iterator[str]:
    if not isinstance(shapes, list):
        yield f"drawing: symbol {quoted(name)} is not a list of shapes"
        return
    for number, shape in enumerate(shapes, 1):
        forms = [form for form in _FORMS if isinstance(shape, Mapping) and form in shape]
        if len(forms) != 1:
            yield f"drawing: symbol {quoted(name)}, shape {number}: is not one of {', '.join(_FORMS)}"
        elif forms[0] == "path":
            if not isinstance(shape["path"], str):
                yield f"drawing: symbol {quoted(name)}, shape {number}: path is not a text"
        elif not _numbers(shape[forms[0]], _NUMBERS[forms[0]]):
            yield f"drawing: symbol {quoted(name)}, shape {number}: {forms[0]} is not {_NUMBERS[forms[0]]} numbers"


def _numbers(value: Any, count: int) -> bool:
    if not isinstance(value, list) or len(value) != count:
        return False
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)


def _looks(drawing: Json) -> Iterator[tuple[str, Json]]:
    """Everything that may name a symbol or a pattern, with where it stands."""
    around = drawing.get("around", {})
    if isinstance(around, Mapping):
        yield "around", around
    for kind, look in _part(drawing, "ground"):
        if isinstance(look, Mapping):
            yield f"ground {quoted(kind)}", look
    for group, look in _part(drawing, "pieces"):
        if not isinstance(look, Mapping):
            continue
        yield f"pieces {quoted(group)}", look
        for face, side in _part(look, "faces"):
            if isinstance(side, Mapping):
                yield f"pieces {quoted(group)}, side {quoted(face)}", side
