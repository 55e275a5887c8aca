"""Adding members from a pasted list. A preview shows them first."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, Visit, enter
from clubs.erasure.member import undo_added
from clubs.members.pasted_names import (
    LONGEST_LINE,
    MOST_LINES,
    PastedLine,
    compare,
    names_to_add,
    read_list,
    split_names,
)
from clubs.members.people import add_members as add_these
from clubs.views.members.members import again, members_page
from scoresheets.access.scorekeepers import SECRET
from scoresheets.log.text import same_name, without_address
from scoresheets.models.sheet import new_token

NOBODY = "Type at least one name."
TOO_MANY = f"At most {MOST_LINES} people at once."
TOO_LATE = "You cannot undo this list any more: somebody on it has a result or an account, or has already been removed."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def add_members(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the field for a list. POST: how it is read; with `do` it is saved, edited again, or undone."""
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return list_page(request, visit)
    do, typed = request.POST.get("do", ""), request.POST.get("names", "")
    if do == "undo":
        if undo_added(visit.club, request.POST.get("list", ""), by=visit.member):
            return again(visit)
        return members_page(request, visit, problems=[TOO_LATE], status=409)
    if do == "edit":
        return list_page(request, visit, typed=typed)
    lines = edited_lines(request) if do == "save" else read_list(typed)
    if not any(split_names(line.names) for line in lines):
        return list_page(request, visit, typed=typed, problem=NOBODY)
    if len(lines) > MOST_LINES or sum(len(split_names(line.names)) for line in lines) > MOST_LINES:
        return list_page(request, visit, typed=typed, problem=TOO_MANY)
    compare(lines, {same_name(member.name): member for member in visit.club.members.current()})
    uid = request.POST.get("list", "")
    if do != "save" or any(line.problem for line in lines) or not SECRET.fullmatch(uid):
        return preview(request, visit, lines, typed, status=422 if do == "save" else 200)
    added = add_these(visit.club, names_to_add(lines), uid=uid, by=visit.member)
    return again(visit, there=added.there)


def edited_lines(request: HttpRequest) -> list[PastedLine]:
    """The lines of the preview, as they were edited."""
    numbers = [name.removeprefix("line-") for name in request.POST if name.startswith("line-")]
    lines = []
    for number in sorted(int(text) for text in numbers if text.isdecimal() and len(text) < 4):
        text = request.POST.get(f"said-{number}", "")[:LONGEST_LINE]
        lines.append(PastedLine(number, text, request.POST[f"line-{number}"][:LONGEST_LINE]))
    return lines


def list_page(request: HttpRequest, visit: Visit, *, typed: str = "", problem: str = "") -> HttpResponse:
    """The field for the list."""
    context = {"visit": visit, "club": visit.club, "here": "members", "typed": typed, "problem": problem}
    return TemplateResponse(request, "clubs/members/add.html", context, status=422 if problem else 200)


def preview(
    request: HttpRequest, visit: Visit, lines: list[PastedLine], typed: str, *, status: int = 200
) -> HttpResponse:
    """Each line as it was read."""
    without = "\n".join(without_address(line) for line in typed.splitlines())
    people = sum(len(split_names(line.names)) for line in lines if not line.note and not line.problem)
    context = {
        "visit": visit, "club": visit.club, "here": "members", "lines": lines, "typed": without, "people": people,
        "list": new_token(), "wrong": [line for line in lines if line.problem],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/members/pasted_names.html", context, status=status)
