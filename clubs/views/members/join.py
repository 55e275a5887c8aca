"""Invitations and join requests."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import A_YEAR, RANKS, Role, Visit, account_of, cookie_of, enter, visit_to
from clubs.joining import invitations, join_requests
from clubs.models import Club, Invitation, Member
from clubs.notices.this_browser import forget_others, note_who_uses_it
from clubs.site.error_views import problem_page
from clubs.views.members.members import one_of
from rules.core.problems import Problem
from scoresheets.access.qr import qr_code
from scoresheets.access.scorekeepers import REFERRER_POLICY, SECRET
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.log.text import clean_name
from scoresheets.models.sheet import new_token

NEVER_WAS = "This invitation does not open a club. Ask the person who invited you for a new one."
GONE = "This invitation no longer works: it was used or withdrawn, or has run out. Ask for a new one."
#: Roles somebody can be invited for.
ROLES = (Role.MEMBER, Role.SCOREKEEPER, Role.ORGANISER)


# Those who invite


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the invitations that are open, and a form. POST: another one, and its page."""
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return invite_page(request, visit)
    role, asks = request.POST.get("role", Role.MEMBER), request.POST.get("at_once", "") == ""
    whom, lives, uid = request.POST.get("member", ""), request.POST.get("lives", "month"), request.POST.get("uid", "")
    member = one_of(visit, whom) if whom else None
    wrong = {}
    if role not in ROLES:
        wrong["role"] = "That is not one of the choices here."
    elif member is None and role != Role.MEMBER and not asks:
        wrong["role"] = invitations.NOBODY_AT_ONCE
    if lives not in invitations.LIVES:
        wrong["lives"] = "That is not one of the choices here."
    if not SECRET.fullmatch(uid):
        wrong["uid"] = "This page is out of date. Press the button again."
    if wrong:
        return invite_page(request, visit, wrong=wrong, status=422)
    made = invitations.make_invitation(
        visit.club, uid=uid, role=role, member=member, asks=asks, days=invitations.LIVES[lives], by=visit.member
    )
    return HttpResponseRedirect(reverse("invitation", args=[slug, made.pk]), status=303)


def invite_page(
    request: HttpRequest, visit: Visit, *, wrong: dict[str, str] | None = None, status: int = 200
) -> TemplateResponse:
    people = visit.club.members.current().filter(user__isnull=True, others__user__isnull=True).distinct()
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "standing": invitations.standing_invitations(visit.club),
        "people": sorted(people, key=lambda member: member.called.casefold()),
        "roles": [(role.value, role.label) for role in ROLES],
        "uid": new_token(),
        "kept": {name: request.POST.get(name, request.GET.get(name, "")) for name in ("member", "role", "lives")}
        | {"at_once": "at_once" in request.POST},
        "wrong": wrong or {},
    }
    return TemplateResponse(request, "clubs/members/invite.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: its QR code, to show and to print. POST: it is taken away."""
    visit = enter(request, slug, Role.ORGANISER)
    invitation = get_object_or_404(visit.club.invitations.select_related("member", "club"), pk=pk)
    if request.method == "POST":
        invitations.revoke_invitation(invitation, by=visit.member)
        return HttpResponseRedirect(reverse("invite", args=[slug]), status=303)
    token = invitations.token_of(invitation) if invitations.is_good(invitation) else ""
    address = request.build_absolute_uri(reverse("accept_invitation", args=[token])) if token else ""
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "invitation": invitation,
        "address": address,
        "qr": qr_code(address) if address else "",
        "good": invitations.is_good(invitation),
    }
    return TemplateResponse(request, "clubs/members/invitation.html", context)


# Those who come


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest, token: str) -> HttpResponseBase:
    """GET: into which club, and as whom; nothing is used up. POST: they come in, or wait."""
    invitation = invitations.find_invitation(token)
    if invitation is None:
        raise NoSuchSheet(NEVER_WAS)
    response = as_it_is_now(request, came_by(request, invitation))
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


def came_by(request: HttpRequest, invitation: Invitation) -> HttpResponseBase:
    club, visit = invitation.club, visit_to(request, invitation.club)
    mine = invitation.member is not None and visit.member is not None and invitation.member.main_record == visit.member
    if visit.member and (mine or invitation.member is None):
        return HttpResponseRedirect(club.get_absolute_url(), status=303)
    if not invitations.is_good(invitation):
        waits = join_requests.asked_before(club, user=account_of(request), secret=join_requests.waits_in(request, club))
        if waits is None or invitation.member is not None:
            return problem_page(request, 404, title="Invitation no longer works", sentence=GONE)
    if invitation.member is not None:
        return for_one(request, invitation, visit, invitation.member.main_record)
    return join_request(request, visit, invitation)


def for_one(request: HttpRequest, invitation: Invitation, visit: Visit, person: Member) -> HttpResponseBase:
    """An invitation by name: to have an account, or to be known to this phone alone."""
    club, user = invitation.club, account_of(request)
    by_phone = invitation.role == Role.MEMBER and club.visibility != Club.Visibility.MEMBERS
    wrong = ""
    if request.method == "POST" and user is not None:
        wrong = invitations.give_account(invitation, user)
        if not wrong:
            forget_others(request, user)
            return HttpResponseRedirect(reverse("my_page", args=[club.slug]), status=303)
    elif request.method == "POST" and by_phone:
        response = HttpResponseRedirect(club.get_absolute_url(), status=303)
        note_who_uses_it(request, response, club, key=club.key, marked=person.pk)
        return response
    role = Role(invitation.role)
    context = {
        "club": club, "person": person, "account": visit.account, "by_phone": by_phone,
        "wrong": wrong, "role": role.label if RANKS[role] > RANKS[Role.MEMBER] else "",
    }  # fmt: skip
    return TemplateResponse(request, "clubs/members/invited.html", context, status=409 if wrong else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponseBase:
    """A request to join without an invitation, from anybody who may see the club."""
    visit = enter(request, slug)
    if visit.member:
        response: HttpResponseBase = HttpResponseRedirect(reverse("my_page", args=[slug]), status=303)
    else:
        response = join_request(request, visit, None)
    return as_it_is_now(request, response)


def as_it_is_now(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """What a page that waits hears when it asks (htmx): nothing new, or that it is to load again."""
    if not request.headers.get("HX-Request"):
        return response
    context = response.context_data or {} if isinstance(response, TemplateResponse) else {}
    return HttpResponse(status=204) if context.get("waits") else HttpResponse(headers={"HX-Refresh": "true"})


def join_request(request: HttpRequest, visit: Visit, invitation: Invitation | None) -> HttpResponseBase:
    """A join request: a form for the name, then "you wait", then the club."""
    club, user = visit.club, account_of(request)
    secret = join_requests.waits_in(request, club)
    known = join_requests.asked_before(club, user=user, secret=secret)
    if known is None and request.method == "POST":
        return ask_to_join(request, visit, invitation)
    if known is not None and known.approved_at is not None and known.main_record.left_at is None:
        return come_in_now(request, club, known)
    return join_page(request, visit, invitation, known=known)


def ask_to_join(request: HttpRequest, visit: Visit, invitation: Invitation | None) -> HttpResponseBase:
    """Somebody has said who they are."""
    club, user = visit.club, account_of(request)
    needs = needs_account(club, invitation)
    typed, secret = request.POST.get("name", ""), request.POST.get("secret", "")
    name = clean_name(typed)
    if user is None and (needs or not SECRET.fullmatch(secret)):
        wrong = "Sign in first." if needs else "This page is out of date. Press the button again."
        return join_page(request, visit, invitation, typed=typed, wrong=wrong, status=422)
    if isinstance(name, Problem):
        return join_page(request, visit, invitation, typed=typed, wrong=name.message, status=422)
    at_once = invitation is not None and not invitation.asks
    role = invitation.role if invitation else Role.MEMBER
    answer = join_requests.ask_in(club, name, user=user, secret=secret, role=role, at_once=at_once)
    if answer.member is None:
        return join_page(request, visit, invitation, typed=typed, wrong=answer.why, status=409)
    response: HttpResponseBase
    if answer.member.approved_at is not None:
        return come_in_now(request, club, answer.member)
    response = HttpResponseRedirect(request.path, status=303)
    if user is None:
        response.set_cookie(
            join_requests.WAITS.format(club.pk), secret, max_age=A_YEAR, path="/", httponly=True, samesite="Lax",
            secure=request.is_secure(),
        )  # fmt: skip
    return response


def come_in_now(request: HttpRequest, club: Club, member: Member) -> HttpResponseBase:
    """They were let in: the club, remembered on their phone."""
    response = HttpResponseRedirect(club.get_absolute_url(), status=303)
    key = club.key if club.visibility == Club.Visibility.LINK else cookie_of(request, club)[0]
    note_who_uses_it(request, response, club, key=key, marked=member.identity)
    return response


def needs_account(club: Club, invitation: Invitation | None) -> bool:
    """Whether nobody can come in who does not sign in."""
    return club.visibility == Club.Visibility.MEMBERS or (invitation is not None and invitation.role != Role.MEMBER)


def join_page(
    request: HttpRequest, visit: Visit, invitation: Invitation | None, *, known: Member | None = None, typed: str = "",
    wrong: str = "", status: int = 200,
) -> TemplateResponse:  # fmt: skip
    context = {
        "club": visit.club,
        "account": visit.account,
        "needs_account": needs_account(visit.club, invitation),
        "waits": known is not None and known.left_at is None,
        "turned_away": known is not None and known.left_at is not None,
        "known": known,
        "typed": typed,
        "wrong": wrong,
        "secret": new_token(),
        "asks": invitation is None or invitation.asks,
    }
    return TemplateResponse(request, "clubs/members/join.html", context, status=status)
