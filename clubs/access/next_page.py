"""The page with which one goes on after a form, as the form or its address says."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_of(request: HttpRequest, usual: str) -> str:
    """The page of this site to go on with: what `next` says, or the `usual` one."""
    then = request.POST.get("next", request.GET.get("next", ""))[:500]
    fits = then.startswith("/") and url_has_allowed_host_and_scheme(then, {request.get_host()}, request.is_secure())
    return then if fits else usual
