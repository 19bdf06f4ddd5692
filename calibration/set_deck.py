"""The deck of unmodified cards that a table set brings: what it looks like lies in a table profile beside the pictures."""

from companion.calibration.profile import TableProfile
from companion.errors import BadInput
from companion.vision.cards.reader import CardReader
from companion.vision.table_sets.table_set import TableSet


def set_profile(table: TableSet) -> TableProfile | None:
    """The profile of a set's deck; None where the set has none. Raises BadInput for one that cannot be used."""
    if table.deck is None:
        return None
    profile = TableProfile.load(table.folder / table.deck)
    profile.check(table.board)
    return profile


def deck_reader(table: TableSet) -> CardReader:
    """Who reads the cards of a set. Raises BadInput where it brings no deck."""
    profile = set_profile(table)
    if profile is None or profile.cards is None:
        raise BadInput(f"{table.folder}: knows no deck of cards")
    return CardReader(table.board, table.pieces, profile.cards, table.lens)
