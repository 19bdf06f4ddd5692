"""Reading a deck of unmodified cards in zones: each face taught once, each card read when it lands and followed while it
lies."""
