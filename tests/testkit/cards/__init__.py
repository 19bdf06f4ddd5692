"""Hat parade: three or four seats lay cards, each with a hat of a secret colour, and find out who is who."""

from testkit.cards.game import GAME

__all__ = ["GAME"]
