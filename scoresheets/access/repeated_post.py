"""What was posted, on a page that refuses it for now and offers to send it again."""

from __future__ import annotations

from django.http import HttpRequest

TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of the field, not what is in it


def repeated_post(request: HttpRequest) -> dict[str, object]:
    """Where the same post is sent again, and its fields: the same key is among them, so it counts once.

    `again` of `problem.html`.
    """
    fields = [(name, value) for name, values in request.POST.lists() for value in values if name != TOKEN]
    return {"to": request.get_full_path(), "fields": fields}
