"""The words of Mr. Jack in New York: characters in their fixed order, tiles and their supply, what each can do."""

from collections.abc import Mapping
from types import MappingProxyType

ID = "mr-jack-new-york"

BEACH, CLOUD_RIDER, LATIMER, GRANT = "beach", "cloud_rider", "latimer", "grant"
CALLAHAN, EASTMAN, TUMBLETY, SMITH = "callahan", "eastman", "tumblety", "smith"
CHARACTERS = (BEACH, CLOUD_RIDER, LATIMER, GRANT, CALLAHAN, EASTMAN, TUMBLETY, SMITH)
INDEX: Mapping[str, int] = MappingProxyType({character: number for number, character in enumerate(CHARACTERS)})
NAMES: Mapping[str, str] = MappingProxyType({name: name.replace("_", " ").title() for name in CHARACTERS})

STEPS = 3

SUBWAY, LAMP, BUILDING, PARK = "subway", "lamp", "building", "park"
TILES = (SUBWAY, LAMP, BUILDING, PARK)
SUPPLY: Mapping[str, int] = MappingProxyType({SUBWAY: 7, LAMP: 6, BUILDING: 4})
ALL_TILES = sum(SUPPLY.values())

INFORMANT = "informant"
TALKATIVE, SILENT = "talkative", "silent"
INFORMANT_SIDES = (TALKATIVE, SILENT)

BARRICADES, STEAMBOATS = 2, 2

BUILDS: Mapping[str, str] = MappingProxyType({BEACH: SUBWAY, CLOUD_RIDER: BUILDING, LATIMER: LAMP})
ABILITY: Mapping[str, str] = MappingProxyType(
    {
        BEACH: "build_subway",
        CLOUD_RIDER: "build_building",
        LATIMER: "build_lamp",
        GRANT: "make_park",
        CALLAHAN: "move_barricade",
        EASTMAN: "move_another",
        TUMBLETY: "swap_others",
        SMITH: "move_steamboat",
    }
)
MANDATORY = frozenset((*BUILDS, GRANT, CALLAHAN, SMITH))
"""Whoever must use the ability, before or after moving, when there is any way to."""
