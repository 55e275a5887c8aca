"""Invitations for many people at once, from a pasted list: one link each, to copy, share or email."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, Visit, enter
from clubs.joining.invitations import invite_people, standing_invitations, token_of, with_account, without_account
from clubs.members.pasted_names import MOST_LINES, PastedLine, compare, names_to_add, read_list, split_names
from clubs.models import Club, Invitation
from clubs.views.members.add import NOBODY, TOO_MANY, edited_lines
from scoresheets.log.text import same_name, without_address
from scoresheets.models.sheet import new_token

#: Where the page shows the links.
LINKS = "#links"


@dataclass(frozen=True)
class Letter:
    """The invitation of one person as it is handed to them: a text with its address."""

    invitation: Invitation
    address: str

    @property
    def name(self) -> str:
        """What the person is called in the club."""
        return self.invitation.member.called if self.invitation.member else ""

    @property
    def text(self) -> str:
        return f"{self.name}, you are invited to {self.club.name}. Open this link: {self.address}"

    @property
    def club(self) -> Club:
        return self.invitation.club

    @property
    def mail(self) -> str:
        """What opens an email with the text in it."""
        return f"mailto:?subject={quote(f'Invitation to {self.club.name}')}&body={quote(self.text)}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invite_many(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the field for a list (`?everybody`: with all who have no account), and the links that are open. POST: how
    the list is read; with `do` it is saved, or edited again.
    """
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return many_page(request, visit, typed=everybody(visit.club) if "everybody" in request.GET else "")
    do, typed = request.POST.get("do", ""), request.POST.get("names", "")
    if do == "edit":
        return many_page(request, visit, typed=typed)
    lines = edited_lines(request) if do == "save" else read_list(typed)
    if not any(split_names(line.names) for line in lines):
        return many_page(request, visit, typed=typed, problem=NOBODY)
    if len(lines) > MOST_LINES or sum(len(split_names(line.names)) for line in lines) > MOST_LINES:
        return many_page(request, visit, typed=typed, problem=TOO_MANY)
    members = {same_name(member.name): member for member in with_account(visit.club)}
    compare(lines, members, because="has an account already")
    if do != "save" or any(line.problem for line in lines):
        return preview(request, visit, lines, typed, status=422 if do == "save" else 200)
    invite_people(visit.club, names_to_add(lines), by=visit.member)
    return HttpResponseRedirect(reverse("invite_many", args=[slug]) + LINKS, status=303)


def everybody(club: Club) -> str:
    """The names of all members without an account, one on each line."""
    return "\n".join(sorted((member.name for member in without_account(club)), key=str.casefold))


def many_page(request: HttpRequest, visit: Visit, *, typed: str = "", problem: str = "") -> HttpResponse:
    """The field for the list, and the links."""
    context = {
        "visit": visit, "club": visit.club, "here": "organise", "typed": typed, "problem": problem,
        "letters": letters_of(request, visit.club),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/members/invite_many.html", context, status=422 if problem else 200)


def letters_of(request: HttpRequest, club: Club) -> list[Letter]:
    """The open invitations for one person each that this site has made, by name. One query."""
    letters = []
    for invitation in standing_invitations(club):
        token = token_of(invitation) if invitation.member else ""
        if token:
            invitation.club = club
            address = request.build_absolute_uri(reverse("accept_invitation", args=[token]))
            letters.append(Letter(invitation, address))
    return sorted(letters, key=lambda letter: (letter.name.casefold(), letter.invitation.pk))


def preview(
    request: HttpRequest, visit: Visit, lines: list[PastedLine], typed: str, *, status: int = 200
) -> HttpResponse:
    """Each line as it was read."""
    context = {
        "visit": visit, "club": visit.club, "here": "organise", "lines": lines, "invites": True,
        "typed": "\n".join(without_address(line) for line in typed.splitlines()),
        "people": sum(len(split_names(line.names)) for line in lines if not line.note and not line.problem),
        "list": new_token(), "wrong": [line for line in lines if line.problem],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/members/pasted_names.html", context, status=status)
