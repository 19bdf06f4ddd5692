"""A table's credential: random words that are shown once and kept only as their digest."""

import base64
import hashlib
import hmac
import secrets

SECRET_BYTES = 24
_SALT_BYTES = 12  # Mosquitto before 2.0.15 reads no other length
_ITERATIONS = 101  # what mosquitto_passwd uses; the secret is random, so nothing can be guessed however fast one tries


def new_secret() -> str:
    """A new credential."""
    return secrets.token_urlsafe(SECRET_BYTES)


def digest(secret: str) -> str:
    """What is kept of it, hex. The secret has 192 random bits: a plain hash of it cannot be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fits(secret: str, kept: str) -> bool:
    """Whether this is the credential of which ``kept`` is the digest; never for one that was taken back."""
    return bool(kept) and hmac.compare_digest(digest(secret), kept)


def mosquitto_hash(secret: str, salt: bytes | None = None) -> str:
    """The credential as Mosquitto's password file has it (PBKDF2 with SHA-512)."""
    salt = salt if salt is not None else secrets.token_bytes(_SALT_BYTES)
    made = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, _ITERATIONS)
    return f"$7${_ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"
