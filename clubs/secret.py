"""The secret this site signs its cookies with."""

import os
import secrets
from pathlib import Path


def standing_secret(path: Path) -> str:
    """The secret kept in the file at `path`; made there, readable by its owner only, when there is none.

    Two processes that start at the same moment read the same secret: it is written whole to a file
    beside it and linked into place, and only the first link succeeds.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first, and its secret is the one that stands
        finally:
            draft.unlink()
    return path.read_text().strip()
