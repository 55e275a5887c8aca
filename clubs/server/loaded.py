"""The site as a WSGI application, and the threads of a process that serves it.

No thread runs yet, and nothing is connected: a process may load it and fork (`clubs.server.workers`).
"""

from __future__ import annotations

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubs.settings")

site = get_wsgi_application()

# Only now: what it stands on wants the models to be there.
from clubs.outbox import worker as outbox_worker  # noqa: E402
from clubs.projections import worker  # noqa: E402
from clubs.server.daily_jobs import start_daily_jobs  # noqa: E402
from clubs.server.watchdog import Application, Watchdog  # noqa: E402
from clubs.site.middleware import letters_that_are_none  # noqa: E402
from clubs.site.proxies import TrustedProxies, behind_proxies  # noqa: E402

watchdog = Watchdog(letters_that_are_none(site), settings.LONGEST_REQUEST, lambda: os._exit(1))
application: Application = watchdog

if settings.TRUSTED_PROXIES:
    application = behind_proxies(watchdog, TrustedProxies(settings.TRUSTED_PROXIES))

# What was loaded lives as long as the process: the garbage collector need not walk through it, which takes a tenth of a
# second, again and again in the middle of a page.
gc.collect()
gc.freeze()


def start_threads() -> None:
    """This process serves the site from now on."""
    worker.start()
    outbox_worker.start()
    start_daily_jobs()
    watchdog.start()
