"""The trophies of a club: the register, one trophy, and the commands of organisers for them."""

from __future__ import annotations

import re

from django.db import transaction
from django.db.models import Prefetch, Q, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow
from clubs.access.visit import A_YEAR, Role, Visit, enter
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.members.people import locked
from clubs.models import Award, Dispute, Photo, Table, Trophy
from clubs.models.trophy import DRAWINGS
from clubs.photos.pictures import MOST_BYTES
from clubs.site.middleware import takes_up_to
from clubs.trophies import awards
from clubs.trophies.awards import alone_with
from clubs.trophies.decide import look_at_tables, look_at_trophy
from clubs.trophies.forms import GivenForm, TrophyForm
from clubs.trophies.holders import lineage_of
from clubs.trophies.past_holders import MOST_TEXT, add_holders, members_by_name, read_lines
from clubs.trophies.register import bringing, defences, holdings, holdings_with_questions, next_night
from clubs.trophies.season import season_ends
from scoresheets.link_previews.image import image_response

#: The picture, and the rest of what is typed with it.
MOST_OF_A_POST = MOST_BYTES + 64 * 1024
#: So many of those who have won a trophy are listed at once; the others with a tap.
MOST_SHOWN = 100
WHOLE = re.compile("[0-9]{1,9}", re.ASCII)
#: Where something was tapped on the control page of a night.
FROM_A_NIGHT = re.compile("(night|play-off)-([0-9]{1,9})", re.ASCII)
#: What an organiser can do with an award, by the last word of the address.
DEEDS = {
    "confirm": awards.confirm,
    "undo": awards.undo,
    "put-back": awards.put_back,
    "hand-over": awards.hand_over,
    "not-handed-over": awards.not_handed_over,
}


@require_safe
@vary_on_cookie
def trophies(request: HttpRequest, slug: str) -> TemplateResponse:
    """The register: every trophy, who holds it, in whose hands it is, and what the next night means for it."""
    return register(request, enter(request, slug))


def register(request: HttpRequest, visit: Visit, *, problem: str = "", status: int = 200) -> TemplateResponse:
    """The page of the register, with what could not be done."""
    club = visit.club
    held = holdings_with_questions(club)
    night = next_night(club, club.today())
    away = Trophy.objects.filter(club=club, archived_at__isnull=False).defer("picture") if visit.organises else []
    context = {
        "visit": visit, "club": club, "here": "trophies", "holdings": held, "night": night, "away": away,
        "bringing": bringing(night, held) if night else [], "defences": defences(night, held) if night else [],
        "problem": problem, "from": "trophies",
    }  # fmt: skip
    return TemplateResponse(request, "clubs/trophies/list.html", context, status=status)


@require_safe
@vary_on_cookie
def trophy(request: HttpRequest, slug: str, pk: int) -> TemplateResponse:
    """One trophy: its holder, and the whole line of those who held it."""
    visit = enter(request, slug)
    return page_of(request, visit, trophy_of(visit, pk))


def page_of(
    request: HttpRequest, visit: Visit, trophy: Trophy, *, problem: str = "", status: int = 200
) -> TemplateResponse:
    """The page of a trophy, with what could not be done."""
    holding = next((entry for entry in holdings_with_questions(visit.club) if entry.trophy == trophy), None)
    # What a correction has moved comes back by asking again.
    by_hand = Q(undone=True) | Q(confirmed_at__isnull=False, source=Award.Source.TYPED)
    gone = Award.objects.filter(by_hand, set_aside_at__isnull=False)
    answered = Dispute.objects.filter(award__trophy=trophy, answer__in=("keep", "move"))
    line, picture = lineage_of(trophy), reverse("trophy_preview", args=[visit.club.slug, trophy.pk])
    won = line.newest_first if "all" in request.GET else line.newest_first[:MOST_SHOWN]
    photos = Prefetch("photo", Photo.objects.without_pictures())
    prefetch_related_objects([award for award, _ in won], "table__sheet", photos)
    handed = next((award for award, _ in won if award.handed_at), None)
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "trophy": trophy, "line": line, "won": won,
        "more": len(line.awards) - len(won), "holding": holding, "problem": problem, "from": "trophy",
        "mends": visit.organises and "mend" in request.GET, "handed": handed,
        "link_preview": tags_of(request, visit.club, previews.of_trophy(trophy, holding), picture),
    }  # fmt: skip
    if visit.organises:
        context["gone"] = gone.filter(trophy=trophy).select_related("member__same_as").order_by("-set_aside_at")
        context["answered"] = answered.select_related(
            "member__same_as", "award__member__same_as", "answered_by"
        ).order_by("-answered_at")
    return TemplateResponse(request, "clubs/trophies/trophy.html", context, status=status)


@require_safe
def trophy_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The picture that a chat shows with the link."""
    visit = enter(request, slug)
    trophy = trophy_of(visit, pk)
    holding = next((entry for entry in holdings(visit.club) if entry.trophy == trophy), None)
    return image_response(request, previews.of_trophy(trophy, holding))


def trophy_of(visit: Visit, pk: int) -> Trophy:
    """A trophy of this club, archived or not. Raises `Http404`."""
    trophy = get_object_or_404(visit.club.trophies.defer("picture"), pk=pk)
    trophy.club = visit.club
    return trophy


@require_safe
def trophy_picture(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """The picture of a trophy. Another picture has another address."""
    visit = enter(request, slug)
    trophy = visit.club.trophies.filter(pk=pk, picture_key=key).exclude(picture_key="").first()
    if trophy is None or trophy.picture is None:
        raise Http404
    response = HttpResponse(bytes(trophy.picture), content_type="image/webp")
    response["Cache-Control"] = f"private, max-age={A_YEAR}, immutable"
    return response


# What organisers do


@takes_up_to(MOST_OF_A_POST)
@require_http_methods(["GET", "HEAD", "POST"])
def new_trophy(request: HttpRequest, slug: str) -> HttpResponse:
    """A thing is added to the register."""
    visit = enter(request, slug, Role.ORGANISER)
    return write_trophy(request, visit, Trophy(club=visit.club))


@takes_up_to(MOST_OF_A_POST)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_trophy(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Its name, its picture, to whom it goes."""
    visit = enter(request, slug, Role.ORGANISER)
    return write_trophy(request, visit, trophy_of(visit, pk))


def write_trophy(request: HttpRequest, visit: Visit, trophy: Trophy) -> HttpResponse:
    """The form of a trophy: shown, or written."""
    is_new = trophy.pk is None
    form = TrophyForm.posted(request) if request.method == "POST" else TrophyForm() if is_new else TrophyForm.of(trophy)
    if request.method == "POST" and not form.problems:
        with transaction.atomic():
            locked(visit.club)
            if is_new and (same := form.twin(visit.club)):
                return HttpResponseRedirect(same.get_absolute_url(), status=303)
            form.write(trophy)
            look_at_trophy(trophy)
            says = f"Added {trophy} to the trophies." if is_new else f"Changed the description of {trophy}."
            write_down(visit.club, says, by=visit.member)
        return HttpResponseRedirect(trophy.get_absolute_url(), status=303)
    drawings = [(name, shows, f"clubs/drawings/{name}.svg") for name, shows in DRAWINGS.items()]
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "form": form, "trophy": None if is_new else trophy,
        "goes": Trophy.Goes.choices, "drawings": drawings,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/trophies/form.html", context, status=422 if form.problems else 200)


@require_POST
def archive_trophy(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """It is taken off the register with everything that is known of it, or (`back`) put there again."""
    visit = enter(request, slug, Role.ORGANISER)
    trophy = trophy_of(visit, pk)
    back = bool(request.POST.get("back"))
    with alone_with(trophy):
        trophy.refresh_from_db(fields=["archived_at"])
        if (trophy.archived_at is None) is not back:
            trophy.archived_at = None if back else timezone.now()
            trophy.save(update_fields=["archived_at"])
            says = f"Brought {trophy} back." if back else f"Archived {trophy}."
            write_down(visit.club, says, by=visit.member)
    return HttpResponseRedirect(trophy.get_absolute_url(), status=303)


@require_http_methods(["GET", "HEAD", "POST"])
def give_trophy(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Somebody has won it, as an organiser types it."""
    visit = enter(request, slug, Role.ORGANISER)
    trophy = trophy_of(visit, pk)
    form = GivenForm.posted(request, visit.club) if request.method == "POST" else given_form(request, visit)
    if form.holder is not None:
        add_holders(trophy, [form.holder], by=visit.member, why=form.why, handed=form.handed)
        return HttpResponseRedirect(trophy.get_absolute_url(), status=303)
    people = visit.club.members.current()
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "trophy": trophy, "form": form,
        "people": sorted({name for member in people for name in (member.nickname or member.name,)}),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/trophies/give.html", context, status=422 if form.problems else 200)


def given_form(request: HttpRequest, visit: Visit) -> GivenForm:
    """The form, filled in where it is for an end of a season: `season`, `end` and `member` say which."""
    names = [request.GET.get(name, "") for name in ("season", "end", "member")]
    if WHOLE.fullmatch(names[0]) and (season := visit.club.seasons.filter(pk=int(names[0])).first()):
        season.club = visit.club
        ends = [end for end in season_ends(season) if [end.end, str(end.member.pk)] == names[1:]]
        if ends:
            return GivenForm.of_a_season(ends[0])
    return GivenForm.today(visit.club)


@require_http_methods(["GET", "HEAD", "POST"])
def type_holders(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Who held it before the site, a line each: first a look at how they are read, then they are written."""
    visit = enter(request, slug, Role.ORGANISER)
    trophy = trophy_of(visit, pk)
    typed = request.POST.get("lines", "")[:MOST_TEXT]
    read, bad = read_lines(typed, members_by_name(visit.club), visit.club.today())
    is_post = request.method == "POST"
    if is_post and request.POST.get("sure") and read and not bad:
        add_holders(trophy, read, by=visit.member)
        return HttpResponseRedirect(trophy.get_absolute_url(), status=303)
    empty = is_post and not read and not bad
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "trophy": trophy, "typed": typed, "bad": bad,
        "read": sorted(read, key=lambda holder: holder.on), "empty": empty,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/trophies/past_holders.html", context, status=422 if bad or empty else 200)


@require_POST
def change_award(request: HttpRequest, slug: str, pk: int, deed: str) -> HttpResponse:
    """An award is confirmed, handed over, taken back, or put back."""
    visit = enter(request, slug, Role.ORGANISER)
    won = get_object_or_404(Award.objects.select_related("member__same_as", "table"), pk=pk, trophy__club=visit.club)
    won.trophy = trophy_of(visit, won.trophy_id)
    if deed not in DEEDS:
        raise Http404
    try:
        with transaction.atomic():
            DEEDS[deed](won, by=visit.member)
            if deed == "put-back":
                # Its sheet may say something else by now.
                look_at_tables(Table.objects.filter(awards=won))
    except NotNow as problem:
        return as_it_stands(request, visit, won.trophy, str(problem))
    return way_on(request, won.trophy)


@require_POST
def answer_dispute(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A question about an award is answered, `keep` or `move`, or (`again`) is open again."""
    visit = enter(request, slug, Role.ORGANISER)
    disputes = Dispute.objects.select_related("award__trophy__club", "award__member__same_as", "member__same_as")
    dispute = get_object_or_404(disputes, pk=pk, award__trophy__club=visit.club)
    choice = request.POST.get("answer", "")
    if choice not in ("keep", "move", "again"):
        return as_it_stands(
            request, visit, dispute.award.trophy, "Choose whether the award stays or is withdrawn.", status=422
        )
    try:
        if choice == "again":
            awards.ask_again(dispute, by=visit.member)
        else:
            awards.answer(dispute, choice, by=visit.member)
    except NotNow as problem:
        return as_it_stands(request, visit, dispute.award.trophy, str(problem))
    return way_on(request, dispute.award.trophy)


def way_on(request: HttpRequest, trophy: Trophy) -> HttpResponse:
    """Back to where it was tapped."""
    night = FROM_A_NIGHT.fullmatch(request.POST.get("from", ""))
    if night and (there := trophy.club.nights.filter(pk=int(night[2])).first()):
        page = "control" if night[1] == "night" else "play_off"
        return HttpResponseRedirect(reverse(page, args=[trophy.club.slug, there.pk]) + "#awards", status=303)
    if request.POST.get("from") == "trophies":
        return HttpResponseRedirect(reverse("trophies", args=[trophy.club.slug]), status=303)
    return HttpResponseRedirect(trophy.get_absolute_url(), status=303)


def as_it_stands(
    request: HttpRequest, visit: Visit, trophy: Trophy, problem: str, *, status: int = 409
) -> HttpResponse:
    """The page where it was tapped, as it is now."""
    if request.POST.get("from", "trophy") != "trophy":
        return register(request, visit, problem=problem, status=status)
    return page_of(request, visit, trophy, problem=problem, status=status)
