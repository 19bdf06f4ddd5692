"""QR codes of links, drawn as all codes of the companion are."""

from companion.host.qr_code import qr_code

__all__ = ["qr_code"]
