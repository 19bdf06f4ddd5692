"""What is read and what is heard differ: the ear gets at most two sentences, no addresses, and like things said as one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

MOST_SENTENCES = 2
"""Of one announcement: a listener with full hands keeps no more in mind."""
_ADDRESS = re.compile(
    r"(?<![a-z0-9+.-])[a-z0-9+.-]++://\S+?(?=[.,;:]?(?:\s|$))|(?<![\w/])(?:/[^\s/:;,]+){2,}|\b[A-Z]:\\\S+", re.IGNORECASE
)  # each word is tried once, from its beginning: the time is linear in an endless one
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def for_the_ear(text: str, camera: str) -> str:
    """The first two sentences of a text; addresses and paths in it become ``camera`` (what it is called at the beginning of a
    sentence, in that language)."""
    if "/" in text or "\\" in text:
        text = _ADDRESS.sub(lambda found: camera if found.start() == 0 else camera[:1].lower() + camera[1:], text)
    return text[: _cut(text)].rstrip()


def merge_repeats(items: Sequence[Json]) -> list[Json]:
    """Items (``text`` with ``params``), those that say the same of several things as one, in the place of the first.

    Two items can be merged when they have the same template and differ in one word of it; the word becomes a list.
    """
    merged: list[dict[str, Any]] = []
    for item in items:
        for earlier in merged:
            key = _differs_in(earlier, item)
            if key is not None:
                earlier["params"] = {**earlier["params"], key: f"{earlier['params'][key]}, {item['params'][key]}"}
                earlier["by"] = key
                break
        else:
            merged.append({"text": item["text"], "params": dict(item["params"])})
    return list(merged)


def _differs_in(earlier: Json, item: Json) -> str | None:
    """The one parameter in which two items of the same template differ; None when they cannot be merged."""
    if earlier["text"] != item["text"] or earlier["params"].keys() != item["params"].keys():
        return None
    differing: list[str] = [key for key, value in item["params"].items() if earlier["params"][key] != value]
    if len(differing) != 1 or earlier.get("by", differing[0]) != differing[0]:
        return None
    return differing[0]


def _cut(text: str) -> int:
    """Where the second sentence of a text ends."""
    ends = [found.start() for found in _SENTENCE_END.finditer(text)]
    return ends[MOST_SENTENCES - 1] if len(ends) >= MOST_SENTENCES else len(text)
