"""Snapshots and events as a person reads them: every sentence in them put into one language.

Machine values (codes, ids, templates, reasons as ``because`` holds them) stay; what is read by people is told anew:
``message`` beside every ``text`` with ``params``, the texts of questions and choices, doubts of the camera, names of the
game, and ``why`` beside ``because``.
"""

from collections.abc import Mapping
from typing import Any

from companion.announce.translator import Translator

Json = Mapping[str, Any]


def localise(data: Json, translator: Translator) -> dict[str, Any]:
    """A snapshot or an event's JSON in a translator's language."""
    return dict(_localise(data, translator))


def _localise(value: Any, translator: Translator) -> Any:
    if isinstance(value, list | tuple):
        return [_localise(item, translator) for item in value]
    if not isinstance(value, Mapping):
        return value
    anew = {key: _localise(item, translator) for key, item in value.items()}
    text, plays = value.get("text"), value.get("plays")
    if isinstance(text, str) and text:
        if isinstance(value.get("params"), Mapping):
            anew["message"] = translator.say(text, value["params"])
        elif isinstance(plays, list) and plays and all("text" in play for play in plays):
            anew["text"] = translator.together(translator.say(play["text"], play.get("params", {})) for play in plays)
        else:
            anew["text"] = translator.text(text)
    for key, tell in _LINES.items():
        if key in value:
            anew |= tell(value[key], translator)
    return anew


def _unknown(reasons: Any, translator: Translator) -> dict[str, Any]:
    if not isinstance(reasons, Mapping):
        return {}
    return {"unknown": {subject: translator.text(reason) for subject, reason in reasons.items()}}


def _problems(lines: Any, translator: Translator) -> dict[str, Any]:
    return {"problems": [translator.text(line) for line in lines]} if isinstance(lines, list | tuple) else {}


def _trouble(line: Any, translator: Translator) -> dict[str, Any]:
    return {"trouble": translator.text(line)} if isinstance(line, str) else {}


def _because(reasons: Any, translator: Translator) -> dict[str, Any]:
    if not isinstance(reasons, Mapping):
        return {}
    return {"why": {character: [translator.text(reason) for reason in given] for character, given in reasons.items()}}


def _label(line: Any, translator: Translator) -> dict[str, Any]:
    return {"label": translator.text(line)} if isinstance(line, str) else {}


def _labels(lines: Any, translator: Translator) -> dict[str, Any]:
    """What is written on the buttons of a question's answers."""
    return {"labels": [translator.text(line) for line in lines]} if isinstance(lines, list | tuple) else {}


_LINES = {
    "unknown": _unknown, "problems": _problems, "trouble": _trouble, "because": _because, "label": _label, "labels": _labels,
}  # fmt: skip
