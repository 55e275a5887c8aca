"""The accounts of the site, for its owner."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_tables2 import RequestConfig

from clubs.access.visit import require_owner
from clubs.erasure.account import belongings_of
from clubs.models import User
from clubs.owner.accounts import accounts
from clubs.owner.backup_first import BACKED_UP, about_backup, status_of
from clubs.owner.closing import OF_AN_ACCOUNT, press
from clubs.owner.tables import A_PAGE, AccountTable
from clubs.site.backups import BackupProblem

LONGEST_TEXT = 80


@never_cache
@require_safe
def owner_accounts(request: HttpRequest) -> HttpResponse:
    """All accounts, or those with `?text=` in their address."""
    require_owner(request)
    text = request.GET.get("text", "").strip()[:LONGEST_TEXT]
    table = AccountTable(accounts(text))
    RequestConfig(request, paginate={"per_page": A_PAGE}).configure(table)
    return TemplateResponse(request, "clubs/owner/accounts.html", {"table": table, "text": text})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def owner_account(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: an account and its clubs. POST: close it, or open it again, as the button `do` says; an owner's stays."""
    me = require_owner(request)
    account = get_object_or_404(User, pk=pk)
    problem: BackupProblem | None = None
    if request.method == "POST":
        do, has_backup = request.POST.get("do", ""), bool(request.POST.get(BACKED_UP))
        try:
            if not account.is_superuser:
                press(OF_AN_ACCOUNT, do, account, has_backup=has_backup)
            return HttpResponseRedirect(request.path, status=303)
        except BackupProblem as no_backup:
            problem = no_backup
    context = {"account": account, "belongings": belongings_of(account), "is_me": account == me}
    context |= about_backup(problem)
    return TemplateResponse(request, "clubs/owner/account.html", context, status=status_of(problem))
