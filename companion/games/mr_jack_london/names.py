"""The words of Mr. Jack (London): characters in their fixed order, how far they go, what they can do and when."""

from collections.abc import Mapping
from types import MappingProxyType

ID = "mr-jack-london"

HOLMES, WATSON, SMITH, LESTRADE = "holmes", "watson", "smith", "lestrade"
STEALTHY, GOODLEY, GULL, BERT = "stealthy", "goodley", "gull", "bert"
CHARACTERS = (HOLMES, WATSON, SMITH, LESTRADE, STEALTHY, GOODLEY, GULL, BERT)
INDEX: Mapping[str, int] = MappingProxyType({character: number for number, character in enumerate(CHARACTERS)})

NAMES: Mapping[str, str] = MappingProxyType({character: character.capitalize() for character in CHARACTERS})

STEPS: Mapping[str, int] = MappingProxyType({character: 4 if character == STEALTHY else 3 for character in CHARACTERS})
WHISTLE_POINTS = 3

BLANK = "blank"
LAMP_TILES: tuple[int | str, ...] = (1, 2, 3, 4, BLANK, BLANK)
LAST_LAMP_TURN = 4

ABILITY: Mapping[str, str] = MappingProxyType(
    {
        HOLMES: "draw_alibi",
        WATSON: "aim_lantern",
        SMITH: "move_gaslight",
        LESTRADE: "move_cordon",
        STEALTHY: "cross_obstacles",
        GOODLEY: "whistle",
        GULL: "swap",
        BERT: "move_manhole_cover",
    }
)
