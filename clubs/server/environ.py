"""The environment of WSGI (PEP 3333) for a request of granian's own interface (RSGI)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from granian.rsgi import Scope

#: A header that may stand in a request twice is joined with commas; browsers split cookies over HTTP/2.
JOINED_BY = {"HTTP_COOKIE": "; "}


def environ_of(scope: Scope) -> dict[str, Any]:
    """The environment of WSGI (PEP 3333) for a request, without its body.

    A header with an underscore in its name is left out: there it could not be told from the one with a hyphen, which
    is how `X_Forwarded_For` would pass a proxy.
    """
    server, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        environ[key] = f"{environ[key]}{JOINED_BY.get(key, ',')}{value}" if key in environ else value
    if "HTTP_HOST" not in environ and scope.authority:
        environ["HTTP_HOST"] = scope.authority
    return environ
