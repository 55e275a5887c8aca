"""Members of a club: the list, and the settings of one member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.visit import Role, SignInFirst, Visit, account_of, enter, is_signed_in
from clubs.erasure import member as erasure_member
from clubs.erasure.member import without_result
from clubs.joining import join_requests
from clubs.members import badges, merge, personal_links, privacy, roles
from clubs.members.data_export import held_about
from clubs.members.listing import Roster, roster_of
from clubs.members.people import claim_code, records_of, rename
from clubs.models import Member
from clubs.views.members.personal import webcal
from rules.core.problems import Problem
from scoresheets.access.qr import qr_code
from scoresheets.log.text import clean_name, clean_text, without_address
from scoresheets.models.sheet import LONGEST_NAME

#: The answers of an organiser to a join request, and to a guest who claims to be a member.
ANSWERS = ("let-in", "turn-away", "is-same", "is-not")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: everybody. POST, of an organiser: an answer to a join request."""
    if request.method != "POST":
        return members_page(request, enter(request, slug))
    visit = enter(request, slug, Role.ORGANISER)
    do = request.POST.get("do", "")
    if do not in ANSWERS:
        return again(visit)
    problems = answer(visit, do, request.POST.get("member", ""))
    return members_page(request, visit, problems=problems, status=409) if problems else again(visit)


def again(visit: Visit, *, there: Sequence[Member] = ()) -> HttpResponseRedirect:
    """The list; it says who was on it already."""
    query = f"?there={'.'.join(str(member.pk) for member in there)}" if there else ""
    return HttpResponseRedirect(reverse("members", args=[visit.club.slug]) + query, status=303)


def answer(visit: Visit, do: str, pk: str) -> list[str]:
    """What an organiser says to who waits or claims; what stands against it."""
    member = one_of(visit, pk)
    if do == "let-in":
        return join_requests.let_in(member, by=visit.member)
    if do == "turn-away":
        join_requests.turn_away(member, by=visit.member)
    elif do == "is-same" and member.says_is:
        return join_requests.let_in_as(member, member.says_is, by=visit.member)
    elif do == "is-not":
        join_requests.is_not(member, by=visit.member)
    return []


def one_of(visit: Visit, pk: str) -> Member:
    """The record of the club with that id. Raises `Http404`."""
    if not (pk.isascii() and pk.isdecimal() and len(pk) < 10):
        raise Http404
    return get_object_or_404(visit.club.members.select_related("says_is", "same_as"), pk=int(pk))


def members_page(
    request: HttpRequest, visit: Visit, *, status: int = 200, problems: list[str] | None = None
) -> TemplateResponse:
    roster = roster_of(visit.club, organises=visit.organises)
    there = set(request.GET.get("there", "").split(".")) if visit.organises else set()
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "members",
        "roster": roster,
        "there": [row.member for row in (*roster.members, *roster.guests) if str(row.member.pk) in there],
        "added": last_added(roster) if visit.organises else [],
        "problems": problems or [],
        "waits": visit.member is None and join_requests.still_waits(request, visit.club, account_of(request)),
        # Whoever asked again would be there twice.
        "belongs": any(row.member.pk == visit.me for row in roster.members),
    }
    return TemplateResponse(request, "clubs/members/members.html", context, status=status)


def last_added(roster: Roster) -> list[Member]:
    """Who was added by the last pasted list, as long as all of it can be undone."""
    members = [row.member for row in roster.members if row.member.added_with]
    if not members:
        return []
    latest = max(members, key=lambda member: (member.joined_at, member.pk)).added_with
    return erasure_member.undoable([member for member in members if member.added_with == latest])


# One of them


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def member_settings(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What is settled about somebody: by themselves, once they have signed in, or by an organiser."""
    visit, member = settled(request, slug, pk)
    if member.same_as_id:
        if request.method == "POST" and request.POST.get("do") == "apart" and visit.organises:
            person = member.main_record
            merge.unmerge(member, by=visit.member)
            return to_settings(person)
        return to_settings(member.main_record)
    if member.erased_at:
        if request.method == "POST" or not visit.organises:
            raise PermissionDenied
        return settings_page(request, visit, member)
    if request.method != "POST":
        return settings_page(request, visit, member)
    wrong = settle(request, visit, member)
    if wrong:
        return settings_page(request, visit, member, wrong=wrong, status=409 if "leave" in wrong else 422)
    return to_settings(member) if visit.organises or not member.left_at else HttpResponseRedirect("/", status=303)


def settled(request: HttpRequest, slug: str, pk: int) -> tuple[Visit, Member]:
    """The visit, and about whom it is. Raises what `enter` raises, for who is neither this person nor an organiser."""
    visit = enter(request, slug)
    member = get_object_or_404(visit.club.members.select_related("same_as"), pk=pk)
    if not visit.organises and (visit.member is None or visit.member != member.main_record):
        if not is_signed_in(request):
            raise SignInFirst
        raise PermissionDenied
    return visit, member


def to_settings(member: Member) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("member_settings", args=[member.club.slug, member.pk]), status=303)


def settle(request: HttpRequest, visit: Visit, member: Member) -> dict[str, str]:
    """Do what the button says; what is wrong, by field."""
    do, by = request.POST.get("do", ""), visit.member
    if do == "call":
        return rename_member(request, visit, member)
    if do == "badge":
        return choose_badge(request, visit, member)
    if do == "hide":
        privacy.hide_name(member, by=by)
    elif do == "show":
        privacy.show_name(member, by=by)
    elif do in ("new-link", "revoke-link"):
        change_link(visit, member, do)
    elif do == "leave":
        under = clean_text(without_address(request.POST.get("under", "")), LONGEST_NAME)
        if isinstance(under, Problem):
            return {"under": under.message}
        problems = roles.leave_club(member, under, by=by)
        member.refresh_from_db()
        return {"leave": problems} if problems else {}
    elif not visit.organises:
        raise PermissionDenied
    elif do == "role":
        role = request.POST.get("role", "")
        if role not in Role.values:
            return {"role": "That is not one of the choices here."}
        problems = roles.set_role(member, role, by=by)
        return {"role": problems} if problems else {}
    elif do == "back":
        roles.come_back(member, by=by)
    return {}


def change_link(visit: Visit, member: Member, do: str) -> None:
    """A new personal link, or none any more; only for who belongs to the club."""
    if do == "revoke-link":
        personal_links.revoke_link(member, by=visit.member)
    elif member.left_at is None and member.approved_at is not None:
        personal_links.make_link(member, by=visit.member)


@dataclass(frozen=True)
class ShownLink:
    """The personal link of somebody; without its address for organisers, where they made it themselves."""

    address: str = ""
    qr: str = ""
    calendar: str = ""


def link_shown(request: HttpRequest, visit: Visit, member: Member) -> ShownLink | None:
    """What is shown of the personal link; None: they have none. Two queries."""
    link = personal_links.link_of(member)
    if link is None:
        return None
    made_own = link.made_by is not None and link.made_by.identity == member.identity
    token = personal_links.token_of(link)
    if not token or (made_own and visit.member != member):
        return ShownLink()
    address = request.build_absolute_uri(reverse("my_nights", args=[token]))
    return ShownLink(address, qr_code(address), webcal(request, token))


def rename_member(request: HttpRequest, visit: Visit, member: Member) -> dict[str, str]:
    """A nickname, and of an organiser the name."""
    wrong: dict[str, str] = {}
    nickname = clean_text(without_address(request.POST.get("nickname", "")), LONGEST_NAME)
    name = clean_name(request.POST.get("name", member.name)) if visit.organises else member.name
    for field, cleaned in (("nickname", nickname), ("name", name)):
        if isinstance(cleaned, Problem):
            wrong[field] = cleaned.message
    if isinstance(name, str) and isinstance(nickname, str):
        rename(member, name=name, nickname=nickname, by=visit.member)
    return wrong


def choose_badge(request: HttpRequest, visit: Visit, member: Member) -> dict[str, str]:
    """The colour and the initial that were chosen; what is wrong, by field."""
    colour, initial = request.POST.get("colour", ""), badges.read_initial(request.POST.get("initial", ""))
    wrong = {"initial": initial.message} if isinstance(initial, Problem) else {}
    if colour not in {str(choice.value) for choice in badges.colours_for(member)}:
        wrong["colour"] = "Choose one of the colours."
    if not wrong and isinstance(initial, str):
        badges.choose_badge(member, colour=int(colour), initial=initial, by=visit.member)
    return wrong


def settings_page(
    request: HttpRequest, visit: Visit, member: Member, *, wrong: dict[str, str] | None = None, status: int = 200
) -> TemplateResponse:
    records = records_of(member)
    typed = request.POST if wrong else {}
    code = claim_code(member) if member.role == Role.GUEST and visit.organises else ""
    path = f"{reverse('claim', args=[visit.club.slug])}?code={code}"
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "members",
        "member": member,
        "is_own": visit.member == member,
        "records": records[1:],
        "role": merge.role_of(records),
        "roles": Role.choices,
        "has_result": not without_result([member]),
        "signs_in": any(record.user_id for record in records),
        "has_link": member.approved_at is not None and member.left_at is None and not visit.club.is_evening,
        "link": link_shown(request, visit, member),
        "colours": badges.colours_for(member),
        "code": code,
        "qr": qr_code(request.build_absolute_uri(path)) if code else "",
        "wrong": wrong or {},
        "kept": {
            "name": typed.get("name", member.name),
            "nickname": typed.get("nickname", member.nickname),
            "initial": typed.get("initial", member.initial),
            "under": typed.get("under", member.shown_as or member.called),
        },
    }
    return TemplateResponse(request, "clubs/members/member_settings.html", context, status=status)


@never_cache
@require_safe
def held_about_member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything the club holds about somebody, as a file for themselves; an organiser may hand it to them."""
    visit, member = settled(request, slug, pk)
    content = held_about(member, request.build_absolute_uri, is_own=visit.member == member)
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="about-me-{member.club.slug}.json"'
    return response
