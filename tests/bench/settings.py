"""The settings of the site as `make run` installs it, with the bare views beside its own."""

import sys

from clubs.settings import *  # noqa: F403
from clubs.settings import BASE_DIR, TEMPLATES

# `make run` installs no driver of PostgreSQL, which takes memory.
sys.modules["psycopg"] = None
ROOT_URLCONF = "tests.bench.bare"
TEMPLATES = [TEMPLATES[0] | {"DIRS": [*TEMPLATES[0]["DIRS"], BASE_DIR / "tests" / "bench" / "templates"]}]
