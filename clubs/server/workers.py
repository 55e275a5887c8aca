"""granian, which loads the site before it starts its workers: `python -m clubs.server.workers` and granian's options.

On Linux a worker is a fork of this process and shares the memory of what was loaded, as long as neither writes there.
"""

from __future__ import annotations

import gc
import multiprocessing
import sys

from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse
from granian.cli import entrypoint


def load_site() -> None:
    """Load what pages are made from: the site, its addresses with their views, its templates."""
    import clubs.server.rsgi  # noqa: F401

    reverse("front")
    templates = settings.BASE_DIR / "templates"
    for file in templates.rglob("*.html"):
        get_template(file.relative_to(templates).as_posix())


def main() -> None:
    if sys.platform.startswith("linux"):
        # As granian does it by itself up to Python 3.13.
        multiprocessing.set_start_method("fork")
        load_site()
        gc.collect()
        gc.freeze()
    entrypoint()


if __name__ == "__main__":
    main()
