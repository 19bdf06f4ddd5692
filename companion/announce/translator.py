"""Puts templates, words and finished English lines into one language. Everything that a person reads goes through here."""

import logging
import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from companion.announce import catalogue
from companion.announce.catalogue import Catalogue
from companion.announce.languages import SOURCE, decimal_sign, joint, pause, separator
from companion.announce.patterns import LISTS, MADE_OF_WORDS, PATTERNS, PLURALS, TO_DO

Json = Mapping[str, Any]
_LOG = logging.getLogger(__name__)
LONGEST = 400
"""Characters beyond which a line is no single sentence, and matching it would only cost time: it is divided at semicolons."""
LONGEST_LIST = 6000
"""The same for a list of sentences: about as many as a position of all pieces can have faults."""


@dataclass(frozen=True)
class Translator:
    """One language. Unknown words stay as they are; a translation with a slip in it gives way to English."""

    words: Catalogue

    @property
    def language(self) -> str:
        """The language's tag."""
        return self.words.language

    def say(self, template: str, params: Json = MappingProxyType({})) -> str:
        """A sentence: the template in this language, filled with its words, these translated as well."""
        return self._filled(template, {key: self.word(value) for key, value in params.items()}, params)

    def text(self, line: str) -> str:
        """A text of the catalogue, or a finished line taken apart and told anew; as it is when it is neither."""
        listed = next((template for template in LISTS if line.startswith(template.removesuffix(_WHY))), None)
        if listed and len(line) <= LONGEST_LIST:
            return self._sentences(listed, line)
        if len(line) > LONGEST:
            return (self._listed(line, _MARK) if len(line) <= LONGEST_LIST else None) or line
        return self.words.get(line) or self._retold(line) or self._listed(line, _MARK, ", ") or line

    def word(self, value: Any) -> Any:
        """A word put into a sentence: a name, a place, a number, a list of them, or a line of its own."""
        if isinstance(value, float) or (isinstance(value, str) and _DECIMALS.fullmatch(value)):
            return str(value).replace(".", decimal_sign(self.language))
        return self.text(value) if isinstance(value, str) else value

    def listed(self, items: Iterable[str]) -> str:
        """Items one after the other."""
        return separator(self.language).join(items)

    def together(self, sentences: Iterable[str]) -> str:
        """Whole sentences one after the other, each once."""
        return joint(self.language).join(dict.fromkeys(sentence for sentence in sentences if sentence))

    def _filled(self, template: str, words: Json, raw: Json) -> str:
        try:
            return self._template(template, raw).format(**words)
        except (KeyError, IndexError, ValueError, AttributeError, TypeError):
            # A translation that misspells a placeholder must not silence the referee.
            return _as_far_as_possible(template, words)

    def _template(self, template: str, params: Json) -> str:
        if template not in PLURALS:
            return self.words.get(template) or template
        singular, counted = PLURALS[template]
        count = str(params.get(counted, ""))
        return self.words.number(singular, template, int(count) if count.isdecimal() else 0)

    def _retold(self, line: str) -> str | None:
        """The line by the pattern that fits it with the most letters of its own."""
        for template, longest, pattern in _in_question(line):
            # A search for a plain string takes a tenth of the time of a match.
            found = pattern.fullmatch(line) if longest in line else None
            if found is None:
                continue
            words = {name: self.word(value) for name, value in found.groupdict().items()}
            if template in MADE_OF_WORDS and not self._knows(found.groupdict()):
                continue
            return self._filled(template, words, found.groupdict())
        return None

    def _sentences(self, template: str, line: str) -> str:
        """A list of faults behind what was refused: each sentence by itself, for any of them would fit the whole line."""
        rest = line.removeprefix(template.removesuffix(_WHY))
        parts = _NEXT_SENTENCE.split(rest)
        each = (self.text(f"{part}.").rstrip(".。") for part in parts) if template == TO_DO else map(self.text, parts)
        return self._filled(template, {"why": pause(self.language).join(each)}, {})

    def _knows(self, words: Mapping[str, str]) -> bool:
        """Whether every word is a name of ours or a place; and at least one is a name."""
        named = [word for word in words.values() if self._known(word)]
        return bool(named) and all(word in named or _PLACE.fullmatch(word) for word in words.values())

    def _known(self, word: str) -> bool:
        return self.words.get(word) is not None

    def _listed(self, line: str, *marks: str) -> str | None:
        """A list of things known one by one, or several lines in a row, divided by the first of the marks that helps. What a
        program may choose from stays as it is."""
        if _CHOICE in line:
            return None
        for mark in marks:
            parts, between = line.split(mark), pause(self.language) if mark == _MARK else separator(self.language)
            told = [self.text(part) for part in parts] if len(parts) > 1 else parts
            if told != parts:
                return between.join(told)
        return None


_DOMAINS = ("said", "names")
_WHY = "{why}"
_MARK = "; "
"""Stands between the sentences of a row."""
_CHOICE = "; there are: "
_NEXT_SENTENCE = re.compile(rf"; (?!{_CHOICE[2:]})")
_DECIMALS = re.compile(r"-?\d+\.\d+")
_PLACE = re.compile(r"[A-Za-z]{0,2}-?\d{1,2}|[NESW]{1,2}|\d+")


def _as_far_as_possible(template: str, words: Json) -> str:
    """A template filled with the words there are; one that names others, or is none, is logged and told as it stands."""
    try:
        return template.format(**words)
    except (KeyError, IndexError, ValueError, AttributeError, TypeError):
        _LOG.exception("the sentence %r cannot be filled with %s", template, ", ".join(sorted(map(str, words))) or "nothing")
        return re.sub(r"\{(\w+)\}", lambda found: str(words.get(found[1], "…")), template)


_Pattern = tuple[str, str, re.Pattern[str]]
"""A template, the longest part of it that no word is put into, and what it looks like when filled."""


@cache
def _patterns() -> tuple[_Pattern, ...]:
    """Those with the most letters of their own first."""

    def letters(template: str) -> int:
        return len(re.sub(r"\{\w+\}", "", template))

    def longest(template: str) -> str:
        return max((literal for literal, *_ in string.Formatter().parse(template)), key=len)

    return tuple((one, longest(one), _shape(one)) for one in sorted(PATTERNS, key=letters, reverse=True))


def _in_question(line: str) -> list[_Pattern]:
    """The patterns whose longest part may be in a line, in their order: hardly any of several hundred."""
    patterns, (always, by_trigram) = _patterns(), _index()
    numbers = set(always)
    for trigram in _trigrams(line):
        numbers.update(by_trigram.get(trigram, ()))
    return [patterns[number] for number in sorted(numbers)]


@cache
def _index() -> tuple[tuple[int, ...], Mapping[str, tuple[int, ...]]]:
    """The numbers of the patterns whose longest part has less than three letters; and of the others by the one trigram in it
    that is in the fewest of them."""
    parts = [longest for _, longest, _ in _patterns()]
    held = Counter(trigram for part in parts for trigram in _trigrams(part))
    found: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        if trigrams := _trigrams(part):
            found.setdefault(min(trigrams, key=lambda one: (held[one], one)), []).append(number)
    always = tuple(number for number, part in enumerate(parts) if not _trigrams(part))
    return always, {trigram: tuple(numbers) for trigram, numbers in found.items()}


def _trigrams(text: str) -> set[str]:
    return {text[first : first + 3] for first in range(len(text) - 2)}


def _shape(template: str) -> re.Pattern[str]:
    parts = []
    for literal, name, _, _ in string.Formatter().parse(template):
        parts.append(re.escape(literal))
        if name is not None:
            parts.append(f"(?P<{name}>.+?)")
    return re.compile("".join(parts))


def translator(language: str = SOURCE) -> Translator:
    """The translator of one of our languages."""
    return Translator(catalogue.load(language, _DOMAINS))
