"""The page that erases a member, or deletes one who never played."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Visit
from clubs.accounts.again import sign_in_again
from clubs.erasure import member as erasure_member
from clubs.members.roles import LAST, is_last_organiser
from clubs.models import Member
from clubs.views.members.members import settled, to_settings
from scoresheets.log.text import same_name

TYPE_THE_NAME = "Type the name exactly as it stands here."
HAS_PLAYED = "A result has come in since, so this member can no longer be deleted. Reload the page."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def erase_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: what would be gone, and what stays. POST: it is done, once the name was typed. There is no way back."""
    visit, member = settled(request, slug, pk)
    if member.same_as_id or member.erased_at:
        return to_settings(member.main_record)
    is_own = visit.member == member
    again = sign_in_again(request) if is_own else None
    if again is not None:
        return again
    deletes = bool(erasure_member.without_result([member]))
    if request.method != "POST":
        return erase_page(request, visit, member, deletes=deletes)
    typed = request.POST.get("typed", "")[:200]
    if same_name(" ".join(typed.split())) != same_name(member.name):
        return erase_page(request, visit, member, deletes=deletes, wrong=TYPE_THE_NAME, status=422)
    if deletes:
        gone = erasure_member.delete_members([member], by=None if is_own else visit.member)
        problem = "" if gone else LAST if is_last_organiser(member) else HAS_PLAYED
    else:
        problem = erasure_member.erase_member(member, by=visit.member)
    if problem:
        return erase_page(request, visit, member, deletes=deletes, wrong=problem, status=409)
    goes_to = reverse("clubs") if is_own else reverse("members", args=[slug])
    return HttpResponseRedirect(goes_to, status=303)


def erase_page(
    request: HttpRequest, visit: Visit, member: Member, *, deletes: bool, wrong: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "visit": visit, "club": visit.club, "here": "members", "member": member, "deletes": deletes,
        "is_own": visit.member == member, "wrong": wrong, "typed": request.POST.get("typed", "")[:200],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/members/erase.html", context, status=status)
