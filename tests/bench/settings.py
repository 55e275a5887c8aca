"""The settings of the site, with the bare views beside its own."""

from clubs.settings import *  # noqa: F403
from clubs.settings import BASE_DIR, TEMPLATES

ROOT_URLCONF = "tests.bench.bare"
TEMPLATES = [TEMPLATES[0] | {"DIRS": [*TEMPLATES[0]["DIRS"], BASE_DIR / "tests" / "bench" / "templates"]}]
