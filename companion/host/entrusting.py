"""What Jack entrusted, at work: it binds him by a commitment on record, answers the calls, and opens itself after the end."""

import secrets as randomness
from typing import Any

from companion.errors import BadInput
from companion.host.secrets import Secrets
from companion.record.commitment import NONCE_BYTES, commit, opens
from companion.referee import answers
from companion.referee.match import Draft, Match

ENTRUSTED = "entrusted"
SECRET_LOST = (
    "What Jack entrusted is not here any more. He answers each call himself, or the arbiter lets him tell anew who he is."
)
NO_CALL = "what Jack entrusted cannot answer this call, so somebody erred: ask the arbiter"


class Entrusting:
    """The secret of the running match, between the file that keeps it and the record that only knows its commitment."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def bind(self, match: Match, character: Any) -> list[Draft]:
        """Keep who Jack is, and return the event that binds him to it. Raises BadInput, and keeps nothing, when he has told it
        before or cannot be that character; a record that then refuses the event leaves the match without a secret."""
        nonce = randomness.token_bytes(NONCE_BYTES)
        drafts = answers.entrusted(match, character, commit(match.id, str(character), nonce))
        self._secrets.entrust(match.id, str(character), nonce.hex())
        return drafts

    def lost(self, match: Match) -> bool:
        """Whether Jack entrusted himself in this match and nothing here opens what the record binds him to."""
        return match.secret == ENTRUSTED and self._held(match) is None

    def drafts(self, match: Match) -> list[Draft]:
        """What the secret answers now: the call, who Jack is when that ends the game, and the opening after the end.

        Raises BadInput when no answer to the call is possible: then somebody erred."""
        held = self._held(match)
        if held is None:
            return []
        jack, nonce = held
        if match.over:
            return [] if match.opened else answers.opened(match, jack, nonce)
        question = match.asked
        if question is None or question.purpose is None:
            return []
        try:
            return answers.by_secret(match, jack, nonce)
        except BadInput as error:
            # Why it was refused would tell who Jack is, so nobody hears it.
            if question.certain:
                raise BadInput(NO_CALL) from error
            return []  # an escape by somebody else: the question stays open until the play is taken back

    def _held(self, match: Match) -> tuple[str, str | None] | None:
        """Who Jack is and what opens his commitment, if he entrusted it and it is what the record binds him to: a file of
        secrets that was exchanged or changed makes no calls. Records of before there was a commitment bind to nothing."""
        if match.secret != ENTRUSTED:
            return None
        jack, nonce = self._secrets.character(match.id), self._secrets.nonce(match.id)
        if jack is None or (match.commitment is not None and not opens(match.commitment, match.id, jack, nonce or "")):
            return None
        return jack, nonce
