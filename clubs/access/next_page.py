"""The page with which one goes on after a form, as the form or its address says."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

#: Characters of the address of a page to go on with.
LONGEST = 500


def next_of(request: HttpRequest, usual: str) -> str:
    """The page of this site to go on with: what `next` says, or the `usual` one."""
    then = request.POST.get("next", request.GET.get("next", ""))[: LONGEST + 1]
    fits = then.startswith("/") and url_has_allowed_host_and_scheme(then, {request.get_host()}, request.is_secure())
    return then if fits and len(then) <= LONGEST else usual


def next_here(request: HttpRequest) -> str:
    """What `next` says to come back here: the address that was asked for, or its page alone where that is too long."""
    addresses = (request.get_full_path(), request.path, "/")
    return next(address for address in addresses if len(address) <= LONGEST)
