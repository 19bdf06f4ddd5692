"""Table Witness: a referee's eye over a real deduction board game."""

__version__ = "0.1.0"
