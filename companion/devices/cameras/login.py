"""Logging in to a camera as it asks: HTTP Digest (RFC 7616: SHA-256 or MD5, qop=auth; RFC 2069: without qop), or Basic.

The standard library's Digest handler belongs to ``urllib.request``'s openers, knows no SHA-256 before Python 3.14, counts every
request as the first of its nonce and takes one challenge of several; RTSP speaks the same scheme as well.
"""

import base64
import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit
from urllib.request import parse_http_list

from companion.errors import DeviceError

_HASHES: Mapping[str, str] = {"SHA-256": "sha256", "MD5": "md5"}  # the better one first
_ESCAPED = re.compile(r'(["\\])')


@dataclass(frozen=True, slots=True)
class _Challenge:
    """What a camera asked for: ``scheme`` in small letters, its parameters with names in small letters."""

    scheme: str
    params: Mapping[str, str]

    @property
    def algorithm(self) -> str:
        """The hash without ``-sess``."""
        return self.params.get("algorithm", "MD5").upper().removesuffix("-SESS")

    @property
    def offers_auth(self) -> bool:
        """Whether it can be answered for a request without its body."""
        qop = self.params.get("qop", "")
        return not qop or "auth" in (one.strip().lower() for one in qop.split(","))


class Login:
    """A user and a password for one camera, and what it asked for last. Used by a single thread."""

    def __init__(self, user: str, password: str, nonce: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self._user, self._password, self._nonce = user, password, nonce
        self._challenge: _Challenge | None = None
        self._answered = 0  # requests answered with this challenge's nonce

    def __repr__(self) -> str:
        return "Login(…)"  # never the password, wherever this is printed

    def header(self, method: str, target: str) -> str | None:
        """The value of ``Authorization`` for a request; None until the camera asked: a password is given only as it is asked
        for, so that one who asks for a digest never gets it in clear."""
        challenge = self._challenge
        if challenge is None:
            return None
        self._answered += 1
        if challenge.scheme == "basic":
            return "Basic " + base64.b64encode(f"{self._user}:{self._password}".encode()).decode()
        return self._digest(challenge, method, target)

    def challenged(self, asked: Iterable[str]) -> None:
        """Take in the ``WWW-Authenticate`` headers of a refusal (401), after which the request is worth sending again.

        Raises DeviceError, the end of a sentence, when it is not: the login is wrong, or asked for in a way that is not known.
        """
        found = [one for line in asked for one in _challenges(line)] or [_Challenge("basic", {})]
        usable = [one for one in found if _usable(one)]
        if not usable:
            ways = ", ".join(dict.fromkeys(_named(one) for one in found))
            raise DeviceError(
                f"asks for a login by {ways}, which is not known here; Digest with SHA-256 or MD5, and Basic, are"
            )
        best = min(usable, key=_rank)
        # A nonce runs out after some time or some requests, and not every camera says "stale" then. Only a fresh one that was
        # answered once, and is refused without that word, tells that user or password are wrong.
        stale = best.params.get("stale", "").lower() == "true"
        again = best.scheme == "digest" and (stale or self._answered > 1)
        if self._challenge is not None and not again:
            self._challenge, self._answered = None, 0
            raise DeviceError("refuses this user and password")
        self._challenge, self._answered = best, 0

    def _digest(self, challenge: _Challenge, method: str, target: str) -> str:
        given = challenge.params
        realm, nonce, qop = given.get("realm", ""), given.get("nonce", ""), "auth" if given.get("qop") else ""
        client, count = self._nonce(), f"{self._answered:08x}"

        def hashed(*parts: str) -> str:
            return hashlib.new(_HASHES[challenge.algorithm], ":".join(parts).encode(), usedforsecurity=False).hexdigest()

        who = hashed(self._user, realm, self._password)
        if given.get("algorithm", "").upper().endswith("-SESS"):
            who = hashed(who, nonce, client)
        what = hashed(method, target)
        response = hashed(who, nonce, count, client, qop, what) if qop else hashed(who, nonce, what)
        hidden = given.get("userhash", "").lower() == "true"
        fields = [
            self._name(hashed(self._user, realm) if hidden else self._user), f'realm="{_quoted(realm)}"',
            f'nonce="{_quoted(nonce)}"', f'uri="{_quoted(target)}"', f'response="{response}"',
        ]  # fmt: skip
        fields += [f"algorithm={given['algorithm']}"] if "algorithm" in given else []
        fields += [f'opaque="{_quoted(given["opaque"])}"'] if "opaque" in given else []
        fields += [f"qop={qop}", f"nc={count}", f'cnonce="{client}"'] if qop else []
        fields += ["userhash=true"] if hidden else []
        return "Digest " + ", ".join(fields)

    @staticmethod
    def _name(user: str) -> str:
        return f'username="{_quoted(user)}"' if user.isascii() else f"username*=UTF-8''{quote(user, safe='')}"


def login_of(address: str) -> tuple[str, Login | None]:
    """The address without ``user:password@``, and the login that stood in it."""
    url = urlsplit(address)
    if url.username is None:
        return address, None
    bare = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
    return bare, Login(unquote(url.username), unquote(url.password or ""))


def _challenges(line: str) -> list[_Challenge]:
    """The challenges of one header: several may stand in one line, parted by the same commas as their parameters."""
    found: list[tuple[str, dict[str, str]]] = []
    for item in parse_http_list(" ".join(line.split())):
        head, _, rest = item.partition(" ")
        if "=" not in head and not rest.lstrip().startswith("="):
            found.append((head.lower(), {}))
            item = rest  # noqa: PLW2901 - the scheme stands before its first parameter
        name, equals, value = item.partition("=")
        if equals and found:
            value = value.strip()
            found[-1][1][name.strip().lower()] = value[1:-1] if value[:1] == '"' and value[-1:] == '"' else value
    return [_Challenge(scheme, params) for scheme, params in found]


def _usable(one: _Challenge) -> bool:
    if one.scheme == "basic":
        return True
    return one.scheme == "digest" and one.algorithm in _HASHES and one.offers_auth and "nonce" in one.params


def _rank(one: _Challenge) -> int:
    return len(_HASHES) if one.scheme == "basic" else list(_HASHES).index(one.algorithm)


def _named(one: _Challenge) -> str:
    if one.scheme != "digest":
        return one.scheme.capitalize()[:20]
    return f"Digest with {one.algorithm[:20]}" if one.algorithm not in _HASHES else "Digest with qop=auth-int"


def _quoted(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", text)
