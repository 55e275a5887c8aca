"""The site as a standard WSGI application, for granian and for any other server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubs.settings")

application = get_wsgi_application()
