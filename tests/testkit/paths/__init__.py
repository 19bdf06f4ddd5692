"""Hide and seek: one seat walks in secret from circle to circle, two others seek with pawns on the squares between."""

from testkit.paths.game import GAME

__all__ = ["GAME"]
