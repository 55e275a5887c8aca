"""Is the site well?"""

import datetime
import time

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs import __version__
from clubs.models import Scrap

#: Seconds for which a write that succeeded is believed: whoever asks again and again causes none.
BELIEVED = 5.0


class WriteProbe:
    """Whether the database takes a write: asked of it again only after a while."""

    def __init__(self) -> None:
        self.succeeded_at = 0.0

    def write(self) -> None:
        """Write one row. Raises the database's error where nothing can be written: a full disk, a lost right."""
        if self.succeeded_at and time.monotonic() - self.succeeded_at < BELIEVED:
            return
        now = timezone.now()
        row = Scrap(cache_key="health", value="", expires=now + datetime.timedelta(days=1))
        Scrap.objects.bulk_create([row], update_conflicts=True, unique_fields=["cache_key"], update_fields=["expires"])
        self.succeeded_at = time.monotonic()


probe = WriteProbe()


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """For whoever watches over the machine: 200 when the database can be read and written, 503 when it cannot."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return JsonResponse({"database": "unreachable", "version": __version__}, status=503)
    try:
        probe.write()
    except Error:
        return JsonResponse({"database": "not writable", "version": __version__}, status=503)
    return JsonResponse({"database": "ok", "version": __version__})
