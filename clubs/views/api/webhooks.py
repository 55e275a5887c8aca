"""The page "Webhooks" of an organiser."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, Visit, enter
from clubs.models import Webhook
from clubs.models.event import LONGEST_ADDRESS
from clubs.outbox.channels import NotDelivered
from clubs.outbox.http_post import look_up
from clubs.site.error_views import too_often
from clubs.webhooks import webhooks as commands
from scoresheets.access.scorekeepers import SECRET
from scoresheets.models.sheet import new_token

#: What stands over each, and what is said of it.
ABOUT = {
    Webhook.Form.DISCORD: (
        "Discord", "In Discord: Edit channel, Integrations, Webhooks, New webhook, Copy webhook URL. Paste it here."
    ),
    Webhook.Form.SIGNED: (
        "Another program", "Every message is signed with a secret, by which the program can tell who sent it."
    ),
}  # fmt: skip


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: both addresses and what became of what was sent. POST: `do` is save, remove, secret or test, of `form`;
    or read: what was given up is known.
    """
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return webhooks_page(request, visit)
    form, do = request.POST.get("form", ""), request.POST.get("do", "")
    if do == "read":
        commands.mark_read(visit.club)
    elif form not in Webhook.Form.values:
        return webhooks_page(request, visit, status=422)
    elif do == "save":
        if not ratelimit.consume(request, action="name_webhook"):
            return too_often(request)
        url = request.POST.get("url", "").strip()
        try:
            look_up(url)
        except NotDelivered as problem:
            wrong = {form: str(problem)}
            return webhooks_page(request, visit, wrong=wrong, typed={form: url[:LONGEST_ADDRESS]}, status=422)
        commands.name_webhook(visit.club, form, url, by=visit.member)
    elif do == "remove":
        commands.remove_webhook(visit.club, form, by=visit.member)
    elif do == "secret":
        commands.change_secret(visit.club, form, by=visit.member)
    elif do == "test" and (webhook := commands.webhooks_of(visit.club).get(form)):
        key = request.POST.get("key", "")
        if SECRET.fullmatch(key):
            if not ratelimit.consume(request, action="test_webhook"):
                return too_often(request)
            commands.send_test(webhook, key)
    return HttpResponseRedirect(f"{reverse('webhooks', args=[slug])}#{form}", status=303)


def webhooks_page(
    request: HttpRequest, visit: Visit, *, wrong: dict[str, str] | None = None, typed: dict[str, str] | None = None,
    status: int = 200,
) -> TemplateResponse:  # fmt: skip
    """The page; `wrong` says of a form why its address, which was `typed`, is not taken."""
    named, wrong, typed = commands.webhooks_of(visit.club), wrong or {}, typed or {}
    waiting = commands.count_waiting(visit.club)
    forms = [
        {
            "form": form.value, "name": name, "about": about, "webhook": webhook, "wrong": wrong.get(form.value, ""),
            "waiting": waiting.get(form.value, 0),
            "url": typed.get(form.value) or (webhook.url if webhook else ""),
        }
        for form, (name, about) in ABOUT.items()
        for webhook in (named.get(form.value),)
    ]  # fmt: skip
    context = {
        "visit": visit, "club": visit.club, "here": "organise", "forms": forms, "key": new_token(),
        "most": LONGEST_ADDRESS, "latest": commands.latest_of(visit.club),
        "given_up": commands.count_unread(visit.club),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/api/webhooks.html", context, status=status)
