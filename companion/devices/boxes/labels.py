"""Shuffled labels: which of the two equal answer buttons means what, drawn anew for every question and told to its seat alone.

An opponent who sees which hand moves, or hears which button clicks, learns nothing, because for this question the meaning was
drawn. The draw follows from a secret and the question's number, so the page and the box agree without a word, and a game
that is taken up again goes on with the same draw. The secret must stay where the secrets of the game stay.
"""

import hmac
from dataclasses import dataclass

from companion.devices.boxes.box import ANSWERS, Button
from companion.errors import BadInput


@dataclass(frozen=True, slots=True)
class Labels:
    """Which answer of the open question the left (A) and the right (B) answer button mean now."""

    swapped: bool = False

    def index(self, button: Button) -> int:
        """The answer that pressing this button gives: 0 the first, 1 the second. Raises BadInput for another button."""
        if button not in ANSWERS:
            raise BadInput(f"button {button} answers no question; only {' and '.join(ANSWERS)} do")
        return ANSWERS.index(button) ^ self.swapped

    def told(self) -> dict[str, int]:
        """For the eyes of whoever is asked only: the index of the answer, by place."""
        return {"left": self.index(Button.ANSWER_A), "right": self.index(Button.ANSWER_B)}


PLAIN = Labels()


def labels_for(secret: bytes, question: int) -> Labels:
    """The draw for a question, by the number of the event that asked it. ``secret``: 16 random bytes or more. Raises
    BadInput."""
    if len(secret) < 16:
        raise BadInput(f"the secret of shuffled labels has {len(secret)} bytes; at least 16 are needed")
    return Labels(bool(hmac.digest(secret, b"labels %d" % question, "sha256")[0] & 1))
