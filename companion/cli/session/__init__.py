"""What ``run`` and ``demo`` share. A package of its own so that the other commands start without it."""
