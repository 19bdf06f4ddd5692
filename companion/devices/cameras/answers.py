"""What a camera answers instead of pictures, as the end of a sentence."""

from collections.abc import Mapping
from types import MappingProxyType

USUAL: Mapping[int, str] = MappingProxyType(
    {
        400: "Bad Request",
        401: "Unauthorized",
        403: "Forbidden",
        404: "Not Found",
        405: "Method Not Allowed",
        406: "Not Acceptable",
        408: "Request Timeout",
        410: "Gone",
        429: "Too Many Requests",
        453: "Not Enough Bandwidth",
        454: "Session Not Found",
        461: "Unsupported Transport",
        500: "Internal Server Error",
        501: "Not Implemented",
        502: "Bad Gateway",
        503: "Service Unavailable",
        504: "Gateway Timeout",
    }
)
"""What the usual numbers mean, over HTTP and RTSP. Whatever a camera writes there, these are told in the reader's language."""


def answered(status: int, words: str) -> str:
    """An answer by its number and what that means; the camera's own ``words`` where the number is none of the usual."""
    why = USUAL.get(status, words.strip())
    return f"answers {status} {why}" if why else f"answers {status}"
