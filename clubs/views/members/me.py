""" "This is me" on a phone, one's own page, and claims of guests."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.next_page import next_of
from clubs.access.visit import NotShown, Visit, account_of, club_at, cookie_of, enter, is_shown, visit_to
from clubs.joining import claims
from clubs.members.listing import roster_of
from clubs.members.people import read_code
from clubs.models import Club, Member, Placing
from clubs.notices.this_browser import forget_others, note_who_uses_it
from clubs.site.error_views import too_often
from clubs.views.members.members import one_of
from scoresheets.access.throttle import NoSuchSheet


@never_cache
@require_safe
def my_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Who has signed in finds what is settled about them; everybody else says who uses this phone."""
    visit = enter(request, slug)
    if visit.member:
        return HttpResponseRedirect(reverse("member_settings", args=[slug, visit.member.pk]))
    roster = roster_of(visit.club, organises=visit.organises)
    me = visit.club.members.current().filter(pk=visit.marked).first() if visit.marked else None
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "members",
        "me": me,
        "members": [row.member for row in roster.members if not row.member.hidden],
        "guests": [row.member for row in roster.guests if not row.member.hidden],
        "next": next_of(request, ""),
    }
    return TemplateResponse(request, "clubs/members/my_page.html", context)


@never_cache
@require_POST
def this_is_me(request: HttpRequest, slug: str) -> HttpResponseBase:
    """This phone is used by the `member` (0: nobody in particular) from now on. It gives no right."""
    visit = enter(request, slug)
    pk = request.POST.get("member", "0")
    marked = 0 if pk == "0" else one_of(visit, pk).identity
    response = HttpResponseRedirect(next_of(request, reverse("my_page", args=[slug])), status=303)
    note_who_uses_it(request, response, visit.club, key=cookie_of(request, visit.club)[0], marked=marked)
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, slug: str) -> HttpResponseBase:
    """GET: type the code of a guest. POST: what they have played; with `do=mine`: it is mine."""
    visit = came_with(request, slug)
    if request.method != "POST":
        return claim_page(request, visit, code=read_code(request.GET.get("code", "")[:100]))
    if not ratelimit.consume(request, action="claim", dry_run=True):
        return too_often(request)
    code = request.POST.get("code", "")[:100]
    guest = claims.find_guest(visit.club, code)
    if guest is None:
        ratelimit.consume(request, action="claim")
        return claim_page(request, visit, code=code, wrong=claims.WRONG, status=422)
    if request.POST.get("do") != "mine":
        return claim_page(request, visit, code=code, guest=guest)
    return claimed(request, visit, guest, code)


def came_with(request: HttpRequest, slug: str) -> Visit:
    """The visit of whom the club is shown to, or who has the code of a guest. Raises `NoSuchSheet` for wrong ones,
    whether or not there is a club: nobody learns that by a code.
    """
    code = (request.POST if request.method == "POST" else request.GET).get("code", "")[:100]
    club, marked = club_at(request, slug)
    visit = visit_to(request, club, marked)
    if not is_shown(visit):
        if not code:
            raise NotShown
        if club.archived_at is not None or claims.find_guest(club, code) is None:
            raise NoSuchSheet(claims.WRONG)
    return visit


def claimed(request: HttpRequest, visit: Visit, guest: Member, code: str) -> HttpResponseBase:
    """The results belong to who claims them: at once to somebody signed in, else to whoever uses this phone."""
    club, user = visit.club, account_of(request)
    if visit.member:
        problems = claims.claim_for(guest, visit.member, by=visit.member) if guest.main_record != visit.member else []
        if problems:
            return claim_page(request, visit, code=code, guest=guest, wrong=" ".join(problems), status=409)
        return HttpResponseRedirect(reverse("member_settings", args=[club.slug, visit.member.pk]), status=303)
    if user is not None:
        wrong = claims.claim_by_account(guest, user)
        if wrong:
            return claim_page(request, visit, code=code, guest=guest, wrong=wrong, status=409)
        forget_others(request, user)
        return HttpResponseRedirect(reverse("my_page", args=[club.slug]), status=303)
    if club.visibility == Club.Visibility.MEMBERS:
        return claim_page(request, visit, code=code, guest=guest, status=403)
    me = club.members.current().filter(pk=visit.marked).exclude(pk=guest.identity).first() if visit.marked else None
    if me is not None and guest.same_as_id is None:
        claims.says_he_is(guest, me)
        return claim_page(request, visit, code=code, guest=guest, answered_as=me)
    response = HttpResponseRedirect(reverse("my_page", args=[club.slug]), status=303)
    # Who has the code of a guest came in as a guest: they are shown the club as by its link.
    note_who_uses_it(request, response, club, key=club.key, marked=guest.identity)
    return response


def club_needs_account(visit: Visit) -> bool:
    """Whether they have to sign in before anything can be theirs."""
    return visit.club.visibility == Club.Visibility.MEMBERS and not visit.account


def claim_page(
    request: HttpRequest, visit: Visit, *, code: str, guest: Member | None = None, wrong: str = "",
    answered_as: Member | None = None, status: int = 200,
) -> TemplateResponse:  # fmt: skip
    marked = visit.club.members.current().filter(pk=visit.marked).first() if visit.marked else None
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "members",
        "code": code,
        "guest": guest,
        "games": Placing.objects.filter(member=guest).select_related("table__night") if guest else [],
        "wrong": wrong,
        "claimed": answered_as,
        "marked": marked if guest is None or marked != guest.main_record else None,
        "sign_in": club_needs_account(visit),
    }
    return TemplateResponse(request, "clubs/members/claim.html", context, status=status)
