"""Mr. Jack (London): one lamp-lit district, eight investigators, one of them Jack."""

from companion.games.mr_jack_london.game import GAME, MrJackLondon
from companion.games.mr_jack_london.position import Position

__all__ = ["GAME", "MrJackLondon", "Position"]
