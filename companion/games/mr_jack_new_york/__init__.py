"""Mr. Jack in New York: a city that is built and torn down while eight people move through it, one of them Jack."""

from companion.games.mr_jack_new_york.game import GAME, MrJackNewYork
from companion.games.mr_jack_new_york.position import Position

__all__ = ["GAME", "MrJackNewYork", "Position"]
