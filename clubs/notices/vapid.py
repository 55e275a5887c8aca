"""The VAPID keys of the site: with the private one it signs what it sends to push services, the public one it gives to
browsers, which take notices from nobody else (RFC 8292).
"""

from __future__ import annotations

import time
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from clubs.outbox.addresses import site_address
from clubs.site.secret_key import standing_secret

#: The file in VAR with the private key: 32 bytes in base64url. Where it is lost, another is made, and every browser
#: takes notices again as soon as its owner opens their page of choices (`static/js/pages/notices.js`).
FILE = "vapid"
#: Seconds for which a signature is good; push services take a day at most.
GOOD_FOR = 12 * 3600


def new_private_key() -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return str(b64urlencode(number.to_bytes(32, "big")))


def make_keys() -> None:
    """Make them at the first start of the site, so that all its processes have the same."""
    standing_secret(settings.VAR / FILE, new_private_key)


@cache
def keys() -> Vapid02:
    """Those of the site; they are read once."""
    return Vapid02.from_raw(standing_secret(settings.VAR / FILE, new_private_key).encode())


def public_key() -> str:
    """The public key as a browser takes it, when it subscribes: 65 bytes in base64url."""
    point = keys().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return str(b64urlencode(point))


def authorization(endpoint: str) -> str:
    """The header by which the push service of that endpoint knows who sends."""
    service = urlsplit(endpoint)
    claims = {
        "aud": f"{service.scheme}://{service.netloc}", "exp": int(time.time()) + GOOD_FOR, "sub": contact(),
    }  # fmt: skip
    return str(keys().sign(claims)["Authorization"])


def contact() -> str:
    """Whom a push service writes to that is not content with what the site sends: its email address, else its own."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    if site_address().startswith("https://") and address.endswith("@localhost"):
        return site_address()
    return f"mailto:{address}"
