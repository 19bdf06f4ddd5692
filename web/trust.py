"""How a device comes to trust the page over HTTPS: the certificate to install, and what to compare before doing so."""

from typing import Any, Protocol

from flask import Blueprint, Response, render_template, request

from companion.web.guard import HEADER
from companion.web.problems import Problem
from companion.web.qr_codes import qr_code
from companion.web.reach import Reach


class TrustPort(Protocol):
    """Whom devices are asked to trust. Nothing of it is secret."""

    @property
    def certificate(self) -> bytes:
        """The certificate to install, DER."""

    @property
    def fingerprint(self) -> str:
        """Its SHA-256 as devices show it."""

    @property
    def words(self) -> str:
        """The beginning of the same as words."""

    @property
    def name(self) -> str:
        """The name under which devices list it."""


def blueprint(authority: TrustPort | None, reach: Reach) -> Blueprint:
    """The page that explains, and the certificate. Both are for anybody, and come over plain HTTP as well: a device that
    does not trust us yet has no other way."""
    routes = Blueprint("trust", __name__)

    @routes.get("/trust")
    def page() -> str:
        told = trust_json(authority, reach) if authority is not None else None
        return render_template(
            "trust.html", header=HEADER, trust=told, name=authority.name if authority else "",
            secure=reach.secure("/camera"), arrived=request.is_secure,
        )  # fmt: skip

    @routes.get("/trust/table-witness.crt")
    def certificate() -> Response:
        if authority is None:
            raise Problem(404, "no-https", "this table is not served over HTTPS", "Start the companion with --https.")
        # The type by which phones offer to install what they load.
        response = Response(authority.certificate, mimetype="application/x-x509-ca-cert")
        response.headers["Content-Disposition"] = 'attachment; filename="table-witness.crt"'
        return response

    return routes


def trust_json(authority: TrustPort, reach: Reach) -> dict[str, Any]:
    """Where a device begins, as link and code, and what it compares."""
    link = reach.plain("/trust") or reach.link("/trust")
    return {"link": link, "qr": qr_code(link), "words": authority.words, "fingerprint": authority.fingerprint}
