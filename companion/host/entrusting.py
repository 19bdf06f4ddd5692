"""What seats entrusted, at work: it binds them by commitments on record, answers questions, and opens itself when it is due."""

import secrets as randomness
from collections.abc import Mapping
from typing import Any

from companion.errors import BadInput
from companion.games.seats import ENTRUSTED, Held, Secret, Told, key_of
from companion.games.values import Role
from companion.host.secrets import Kept, Secrets
from companion.record.commitment import NONCE_BYTES, Link, commit, opens
from companion.referee import answers
from companion.referee.match import Draft, Match

Json = Mapping[str, Any]


class Entrusting:
    """The secrets of the running match, between the file that keeps them and the record that only knows their commitments."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def bind(self, match: Match, answer: Json) -> list[Draft]:
        """Keep what a seat entrusts, and return the event that binds it. Raises BadInput, and keeps nothing, when it told it
        before or it cannot be that; a record that then refuses the event leaves the match without this secret."""
        seat, purpose = answers.concerned(match, answer)
        value, nonce = answer.get(key_of(purpose, match.game.purposes)), randomness.token_bytes(NONCE_BYTES)
        link = answers.next_link(match, seat, purpose)
        held = self.held(match, seat) or Held(seat)
        drafts = answers.entrusted(match, seat, purpose, value, held, commit(match.id, str(value), nonce, link))
        number = 1 if link is None else link.number
        self._secrets.keep(match.id, Kept(Secret(seat, purpose.name, number, str(value)), nonce.hex()), alone=link is None)
        return drafts

    def held(self, match: Match, seat: Role) -> Held | None:
        """What a seat entrusted, as far as the record binds it to that; None where nothing of it is known here."""
        kept = [one.secret for one in self._good(match) if one.secret.seat == seat]
        return Held.of(seat, kept) if kept else None

    def lost(self, match: Match) -> bool:
        """Whether something was entrusted in this match that nothing here opens."""
        return len(self._good(match)) < sum(told.mode == ENTRUSTED for told in match.told)

    def drafts(self, match: Match) -> list[Draft]:
        """What the secrets answer now: a question, an opening that is due, every opening after the end.

        Raises BadInput when no answer to a question that always has one is possible: then somebody erred."""
        if match.over:
            return self._openings(match, None)
        due = match.opening
        if due is not None and (opened := self._openings(match, (due.seat, due.purpose))):
            return opened
        question = match.asked
        if question is None or question.purpose is None or not match.row(question.seat, question.purpose):
            return []
        held = self.held(match, question.seat)
        if held is None or self._missing(match, question.seat, question.purpose):
            return []
        nonce = next(one.nonce for one in self._good(match) if one.secret.seat == question.seat)
        try:
            return answers.by_secret(match, held, nonce)
        except BadInput as error:
            # Why it was refused would tell the secret, so nobody hears it.
            if question.certain:
                raise BadInput(match.game.no_answer) from error
            return []  # the question stays open until what raised it is taken back

    def _openings(self, match: Match, only: tuple[Role, str] | None) -> list[Draft]:
        """The openings of what is entrusted and not open yet; ``only``: of one seat and purpose."""
        drafts: list[Draft] = []
        for seat, name in dict.fromkeys((told.seat, told.purpose) for told in match.told):
            if only not in (None, (seat, name)) or match.opened_by(seat, name) or self._missing(match, seat, name):
                continue
            kept = [one for one in self._good(match) if (one.secret.seat, one.secret.purpose) == (seat, name)]
            purpose = next(one for one in match.game.purposes if one.name == name)
            drafts += answers.opened(match, seat, purpose, [(one.secret.value, one.nonce or None) for one in kept])
        return drafts

    def _missing(self, match: Match, seat: Role, purpose: str) -> bool:
        """Whether not every secret of a seat and purpose was entrusted and is known here."""
        known = {one.secret.number for one in self._good(match) if (one.secret.seat, one.secret.purpose) == (seat, purpose)}
        return known != {told.number for told in match.row(seat, purpose)}

    def _good(self, match: Match) -> tuple[Kept, ...]:
        """What is kept here and is what the record binds to: a file of secrets that was exchanged or changed answers nothing.
        Records of before there were commitments bind to nothing."""
        told = {(one.seat, one.purpose, one.number): one for one in match.told if one.mode == ENTRUSTED}
        if not told:
            return ()
        sole = match.sole
        kept = self._secrets.of_game(match.id, None if sole is None else (str(sole.seat), sole.name))
        return tuple(one for one in kept if _bound(match, told.get(_place(one.secret)), one))


def _place(secret: Secret) -> tuple[Role, str, int]:
    return secret.seat, secret.purpose, secret.number


def _bound(match: Match, told: Told | None, kept: Kept) -> bool:
    """Whether the record binds the seat to this very secret."""
    if told is None or told.commitment is None:
        return told is not None
    link = None
    if match.sole is None:
        row = match.row(told.seat, told.purpose)
        before = row[told.number - 2].commitment if told.number > 1 else ""
        link = Link(told.seat, told.purpose, told.number, before or "")
    return opens(told.commitment, match.id, kept.secret.value, kept.nonce, link)
