"""Shuffled labels: which of the two equal answer buttons means what, drawn anew for every call and told to Jack alone.

An opponent who sees which hand moves, or hears which button clicks, learns nothing, because for this call the meaning was
drawn. The draw follows from a secret and the call's number, so the page and the box agree without a word, and a game
that is taken up again goes on with the same draw. The secret must stay where Jack's identity stays.
"""

import hmac
from dataclasses import dataclass

from companion.devices.box import ANSWERS, Button
from companion.errors import BadInput


@dataclass(frozen=True, slots=True)
class Labels:
    """What the left (SEEN's) and the right (UNSEEN's) answer button mean now."""

    swapped: bool = False

    def means_seen(self, button: Button) -> bool:
        """Whether pressing this answer button says "seen". Raises BadInput for another button."""
        if button not in ANSWERS:
            raise BadInput(f"button {button} answers no call; only {' and '.join(sorted(ANSWERS))} do")
        return (button is Button.SEEN) is not self.swapped

    def told(self) -> dict[str, str]:
        """For Jack's eyes only: meaning by place."""
        return {"left": "unseen", "right": "seen"} if self.swapped else {"left": "seen", "right": "unseen"}


PLAIN = Labels()


def labels_for(secret: bytes, call: int) -> Labels:
    """The draw for one call (its number in the game). ``secret``: at least 16 random bytes. Raises BadInput."""
    if len(secret) < 16:
        raise BadInput(f"the secret of shuffled labels has {len(secret)} bytes; at least 16 are needed")
    return Labels(bool(hmac.digest(secret, b"labels %d" % call, "sha256")[0] & 1))
