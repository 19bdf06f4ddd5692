"""Which of some places of the board a finger is held on: the picture without the board's print, the shape, the time.

Nothing here knows a game. ``raster`` tells what lies over the board from shade and print, in board millimetres; ``shape`` finds
the one finger in that and the place below its tip; ``holding`` says when it was held there for long enough.
"""

from companion.vision.pointing.holding import Held, Holding, HoldingSettings, held
from companion.vision.pointing.raster import BoardRaster, RasterSettings
from companion.vision.pointing.shape import Places, PointerLook, ShapeSettings, pointer

__all__ = [
    "BoardRaster", "Held", "Holding", "HoldingSettings", "Places", "PointerLook", "RasterSettings", "ShapeSettings", "held",
    "pointer",
]  # fmt: skip
