"""Hide and seek, a game that a package of its own brings: a secret path over a graph of small sites, and two seekers."""

from testkit.paths.game import GAME

__all__ = ["GAME"]
