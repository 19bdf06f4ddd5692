"""A commitment to a secret word: shown before the game, opened after it, checkable by anybody in between and later.

The commitment is SHA-256 over a domain word, the game's id, 32 random bytes and the secret, each preceded by its length
so that no two different tuples give the same bytes. It hides (32 unknown random bytes) and binds (a second opening
would be a collision).
"""

import hashlib
import hmac

from companion.errors import BadInput

DOMAIN = "table-witness/secret/1"
NONCE_BYTES = 32


def commit(game_id: str, secret: str, nonce: bytes) -> str:
    """Hex commitment to ``secret`` in the game of that id. ``nonce`` is 32 random bytes, kept until the opening."""
    if len(nonce) != NONCE_BYTES:
        raise BadInput(f"the random part of a commitment has {NONCE_BYTES} bytes, not {len(nonce)}")
    digest = hashlib.sha256()
    for part in (DOMAIN.encode(), game_id.encode(), nonce, secret.encode()):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()


def opens(commitment: str, game_id: str, secret: str, nonce_hex: str) -> bool:
    """Whether this opening is the one that was committed to."""
    try:
        nonce = bytes.fromhex(nonce_hex)
    except ValueError:
        return False
    return len(nonce) == NONCE_BYTES and hmac.compare_digest(commit(game_id, secret, nonce), commitment.lower())


def parse_commitment(text: str) -> str:
    """A commitment as typed or scanned. Raises BadInput."""
    cleaned = text.strip().lower()
    if len(cleaned) != 64 or set(cleaned) - set("0123456789abcdef"):
        raise BadInput(f"a commitment is 64 hexadecimal digits, not {text!r}")
    return cleaned
