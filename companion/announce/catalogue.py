"""Reads the catalogues: one gettext file (.po) for each language and domain, read as it lies in the package.

Domains: ``said`` holds sentences of the core, ``names`` the words of the boards (people, pieces, places, sides), ``page``
what the page alone says. They are read when a language is first asked for. English needs none, but for names of ids.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from babel.core import Locale
from babel.messages.pofile import read_po
from babel.plural import PluralRule

from companion import plugins
from companion.announce.languages import folder

LOCALE = Path(__file__).parent / "locale"
DOMAINS = ("said", "names", "page")


@dataclass(frozen=True)
class Catalogue:
    """One language's texts by their English ones; ``plurals`` by the English singular, a form for each kind of number."""

    language: str
    texts: Mapping[str, str]
    plurals: Mapping[str, tuple[str, ...]]

    def get(self, text: str) -> str | None:
        """The translation, None when there is none: then the English text itself is said."""
        return self.texts.get(text)

    def number(self, singular: str, plural: str, count: int) -> str:
        """The form for a number, English where there is none."""
        forms = self.plurals.get(singular)
        if not forms:
            return singular if count == 1 else plural
        return forms[min(_form(self.language, count), len(forms) - 1)]


def path(language: str, domain: str) -> Path:
    """Where a catalogue lies."""
    return LOCALE / folder(language) / "LC_MESSAGES" / f"{domain}.po"


def load(language: str, domains: tuple[str, ...] = DOMAINS) -> Catalogue:
    """The catalogue of a language. Entries that are empty or marked fuzzy count as missing."""
    return _loaded(language, domains, plugins.files(f"locale/{folder(language)}/LC_MESSAGES/*.po"))


@cache
def _loaded(language: str, domains: tuple[str, ...], brought: tuple[Path, ...]) -> Catalogue:
    """``brought`` are catalogues of games that other packages bring; where both have a text, ours counts."""
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    for domain in domains:
        for place in (*(file for file in brought if file.stem == domain), path(language, domain)):
            if place.exists():
                _read(place, language, texts, plurals)
    return Catalogue(language, MappingProxyType(texts), MappingProxyType(plurals))


def _read(place: Path, language: str, texts: dict[str, str], plurals: dict[str, tuple[str, ...]]) -> None:
    with place.open("rb") as file:
        for message in read_po(file, locale=folder(language)):
            if not message.id or message.fuzzy or not message.string:
                continue
            if isinstance(message.id, tuple | list):
                plurals[message.id[0]] = tuple(message.string)
            else:
                texts[message.id] = str(message.string)


@cache
def _rule(language: str) -> PluralRule:
    return Locale.parse(folder(language)).plural_form


def _form(language: str, count: int) -> int:
    """The index of the form for a number; catalogues order them as CLDR does: one, (many,) other."""
    return 0 if _rule(language)(count) == "one" else 1
