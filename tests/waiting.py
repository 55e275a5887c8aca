"""How tests wait: until what is expected has come, for up to a minute."""

import time
from collections.abc import Callable

#: Seconds after which what is expected will never come, also on a busy machine.
LIMIT = 60
#: Seconds between two looks.
LOOK = 0.05


def until(
    holds: Callable[[], object],
    what: object = "",
    *,
    limit: float = LIMIT,
    meanwhile: Callable[[], object] | None = None,
) -> None:
    """Wait until it holds, and call `meanwhile` between two looks; `what` is said of what never came."""
    end = time.monotonic() + limit
    while not holds():
        assert time.monotonic() < end, f"It never holds. {what}"
        meanwhile() if meanwhile else time.sleep(LOOK)
