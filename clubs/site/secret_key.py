"""Secrets of the site that are made once and kept in a file, such as the key with which it signs cookies."""

import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path


def new_secret() -> str:
    return secrets.token_urlsafe(50)


def standing_secret(path: Path, make: Callable[[], str] = new_secret) -> str:
    """The secret kept in the file at `path`; made there by `make`, readable by its owner only, when there is none.

    Two processes that start at the same moment read the same secret: it is written whole to a file
    beside it and linked into place, and only the first link succeeds.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w") as file:
            file.write(make())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first, and its secret is the one that stands
        finally:
            Path(draft).unlink()
    return path.read_text().strip()
