"""Is the site well?"""

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs import __version__


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """For whoever watches over the machine: 200 when the database answers, 503 when it does not."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return JsonResponse({"database": "unreachable", "version": __version__}, status=503)
    return JsonResponse({"database": "ok", "version": __version__})
