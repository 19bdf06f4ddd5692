"""Letters from Whitechapel: Jack flees in secret through numbered circles, five policemen follow along the crossings.

The package is asked without a table (:mod:`.queries`): what may be done in a position, what Jack must answer, where he may be,
which public act changed one position into another. A position (:mod:`.position`) is what everybody sees; secrets
(:mod:`.secret`) come beside it and never leave. ``board.json`` holds the board.
"""
