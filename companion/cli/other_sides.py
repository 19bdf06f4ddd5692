"""The sides that a start position does not show, learnt from a table set's own picture of them.

Teaching anew is the business of :mod:`calibration`, which stands above the reading of pictures: the commands join both.
"""

from typing import TYPE_CHECKING

from companion.vision.frame import Frame
from companion.vision.table_sets.table_set import TableSet

if TYPE_CHECKING:
    from companion.vision.plain.reader import Teaching


def learn_other_sides(teaching: "Teaching", frame: Frame, table: TableSet) -> "Teaching":
    """What a plain set teaches together with its picture of kind ``other-sides``.

    Raises BadInput when the game has no other sides, or the picture shows none of them.
    """
    from companion.calibration.repeated_enrolment import learn_sides  # noqa: PLC0415 - the plain mode is loaded only where it is used

    return learn_sides(teaching, frame, table.board, table.pieces).teaching
