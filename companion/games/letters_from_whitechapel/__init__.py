"""Letters from Whitechapel: Jack flees in secret through numbered circles, five policemen follow along the crossings.

The rules work on a position (:mod:`.position`), what everybody sees; secrets (:mod:`.secret`) come beside it and never leave.
At a prompt they are asked what may be done, what Jack must answer, where he may be, which public act changed one position into
another (:mod:`.queries`). At a table (:mod:`.game`) pieces lie on a board (:mod:`.table`), nights are folded from events
(:mod:`.progress`) and what comes next follows (:mod:`.procedure`). ``board.json`` holds the graph.
"""

from companion.games.letters_from_whitechapel.game import GAME

__all__ = ["GAME"]
