"""The site as a standard WSGI application, for granian and for any other server."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubs.settings")

site = get_wsgi_application()

# Only now: what it stands on wants the models to be there.
from clubs.doorman import letters_that_are_none  # noqa: E402
from clubs.lookout import with_a_lookout  # noqa: E402

application = with_a_lookout(letters_that_are_none(site), settings.LONGEST_REQUEST)

if settings.TRUSTED_PROXIES:
    application = wrap_wsgi_with_proxy_headers(application, trusted_hosts=settings.TRUSTED_PROXIES)
