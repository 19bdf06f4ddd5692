"""The languages of the companion: their tags (BCP 47), what they call themselves, and how one is chosen."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

SOURCE = "en"
"""The language the sentences are written in; its catalogue is the sentences themselves."""

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "en": "English",
        "es": "Español",
        "it": "Italiano",
        "ja": "日本語",
        "zh-Hans": "简体中文",
        "zh-Hant": "繁體中文",
    }
)
"""Tag to the language's own name, in the order of menus."""

# Regions that write Chinese in traditional characters, and old tags that browsers still send.
_TRADITIONAL = frozenset({"tw", "hk", "mo", "hant"})
_LISTS: Mapping[str, str] = MappingProxyType({"ja": "、", "zh-Hans": "、", "zh-Hant": "、"})
_DECIMAL_COMMA = frozenset({"es", "it"})


def folder(language: str) -> str:
    """The name of a language's folder of catalogues (gettext writes an underscore)."""
    return language.replace("-", "_")


def separator(language: str) -> str:
    """What stands between the items of a list."""
    return _LISTS.get(language, ", ")


def decimal_sign(language: str) -> str:
    """What stands before the decimals of a number (CLDR)."""
    return "," if language in _DECIMAL_COMMA else "."


def pause(language: str) -> str:
    """What stands between two halves of a sentence."""
    return "；" if language in _LISTS else "; "


def joint(language: str) -> str:
    """What stands between two sentences."""
    return "" if language in _LISTS else " "


def known(tag: str | None) -> str | None:
    """The language of ours that a tag asks for (``zh-TW``, ``pt``, ``es_MX``), None when we do not speak it."""
    parts = (tag or "").strip().lower().replace("_", "-").split("-")
    if parts[0] == "zh":
        return "zh-Hant" if _TRADITIONAL.intersection(parts) and "hans" not in parts else "zh-Hans"
    return parts[0] if parts[0] in LANGUAGES else None


def choose(wishes: Iterable[str | None]) -> str:
    """The first language of these wishes that we speak; English when there is none."""
    return next((language for wish in wishes if (language := known(wish)) is not None), SOURCE)
