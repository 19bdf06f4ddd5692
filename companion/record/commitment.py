"""A commitment to a secret word: shown before the game, opened after it, checkable by anybody in between and later.

The commitment is SHA-256 over a domain word, the game's id, 32 random bytes and the secret, each preceded by its length
so that no two different tuples give the same bytes. In a game with several secrets their place (:class:`Link`) comes between
id and random bytes, the commitment before it included: a row of secrets is a chain. It hides (32 unknown random bytes) and
binds (a second opening would be a collision).
"""

import hashlib
import hmac
from dataclasses import dataclass

from companion.errors import BadInput, quoted

DOMAIN = "table-witness/secret/1"
ROW_DOMAIN = "table-witness/secret-row/1"
NONCE_BYTES = 32


@dataclass(frozen=True, slots=True)
class Link:
    """Where a secret stands in a game with several: whose it is, which kind, its number from 1, and the commitment before it in
    its row (hexadecimal digits; empty for the first), so that none can be left out or exchanged later."""

    seat: str
    purpose: str
    number: int
    previous: str = ""


def commit(game_id: str, secret: str, nonce: bytes, link: Link | None = None) -> str:
    """Hex commitment to ``secret`` in the game of that id. ``nonce`` is 32 random bytes, kept until the opening; ``link`` is
    None in a game with one secret only. Raises BadInput for a nonce of another length, and for words that are no UTF-8 text."""
    if len(nonce) != NONCE_BYTES:
        raise BadInput(f"the random part of a commitment has {NONCE_BYTES} bytes, not {len(nonce)}")
    words: tuple[str, ...] = (DOMAIN, game_id)
    if link is not None:
        words = (ROW_DOMAIN, game_id, link.seat, link.purpose, str(link.number), link.previous)
    digest = hashlib.sha256()
    try:
        parts = (*(word.encode() for word in words), nonce, secret.encode())
    except UnicodeEncodeError as error:  # half a surrogate pair, which JSON can spell
        raise BadInput("a secret is text, and half a letter is none") from error
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()


def opens(commitment: str, game_id: str, secret: str, nonce_hex: str, link: Link | None = None) -> bool:
    """Whether this opening is the one that was committed to."""
    try:
        nonce = bytes.fromhex(nonce_hex)
    except ValueError:
        return False
    if len(nonce) != NONCE_BYTES:
        return False
    try:
        return hmac.compare_digest(commit(game_id, secret, nonce, link), commitment.lower())
    except (BadInput, TypeError):  # words that are no text open nothing
        return False


def parse_commitment(text: str) -> str:
    """A commitment as typed or scanned. Raises BadInput."""
    cleaned = text.strip().lower()
    if len(cleaned) != 64 or set(cleaned) - set("0123456789abcdef"):
        raise BadInput(f"a commitment is 64 hexadecimal digits, not {quoted(text)}")
    return cleaned
