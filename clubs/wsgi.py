"""The site as a standard WSGI application. `make run` serves it through `clubs.server.rsgi`.

Another server must read bodies before it calls the site, and must leave out headers with underscores in their names.
"""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubs.settings")

site = get_wsgi_application()

# Only now: what it stands on wants the models to be there.
from clubs.projections import worker  # noqa: E402
from clubs.server.daily_jobs import start_daily_jobs  # noqa: E402
from clubs.server.watchdog import with_watchdog  # noqa: E402
from clubs.site.middleware import letters_that_are_none  # noqa: E402
from clubs.site.proxies import TrustedProxies, behind_proxies  # noqa: E402

# What was loaded lives as long as the process: the garbage collector need not walk through it, which takes a tenth of a
# second, again and again in the middle of a page.
gc.collect()
gc.freeze()

worker.start()
start_daily_jobs()

application = with_watchdog(letters_that_are_none(site), settings.LONGEST_REQUEST)

if settings.TRUSTED_PROXIES:
    application = behind_proxies(application, TrustedProxies(settings.TRUSTED_PROXIES))
