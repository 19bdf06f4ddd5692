"""A hall tried out before its evening: many tables play a recorded game, and what arrives is compared."""
