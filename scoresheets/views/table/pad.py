"""The pad: the page on which a game is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoresheets.access.scorekeepers import browser_secret, keep_browser_secret
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Revision, Sheet
from scoresheets.models.log import LONGEST_ASK
from scoresheets.models.sheet import new_token
from scoresheets.pad import help_call
from scoresheets.pad.bidding_pad import BiddingPad, turned_cards
from scoresheets.pad.build import pad_of, page_of
from scoresheets.pad.news import news_of, overruled_notice, scorekeeper_notice
from scoresheets.pad.prompt_pad import PromptPad
from scoresheets.pad.state import Notice, PadPage, PadState, PageData, PollAnswer, PromptState, as_json
from scoresheets.pad.tally import Tally
from scoresheets.pad.undo_chain import with_whole_way
from scoresheets.results.consequences import before_stopping
from scoresheets.sheet.game_blocks import template_of
from scoresheets.sheet.table import RunningSheet
from scoresheets.views.public.corrected import correction_shown, led_on
from scoresheets.views.public.lookup import may_write, sheet_of
from scoresheets.wording.markup import as_text, in_parts

#: Panels that can be open where there is no script.
PANELS = ("more", "trump", "aloud", "retype-")
LINKS = (
    "enter",
    "undo",
    "retype",
    "misdeal",
    "stop",
    "play_on",
    "quiet",
    "ask_for_organiser",
    "pad",
    "sheet",
    "words",
    "rules_page",
    "note",
    "links",
    "read_back",
    "arrive",
    "history",
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def pad(request: HttpRequest, code: str) -> HttpResponse:
    """What is written down next. A post writes nothing: it is a − or + where there is no script."""
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        return HttpResponseRedirect(reverse("sheet", args=[code]))
    reading = read_sheet(sheet)
    moment = pad_of(reading)
    if moment.go:
        return HttpResponseRedirect(led_on(request, moment.go), status=303 if request.method == "POST" else 302)
    opened = request.GET.get("open", "")[:20]
    more: dict[str, Any] = {"open": opened if opened.startswith(PANELS) else "", "by": request.GET.get("by", "")}
    if isinstance(moment, PromptState):
        more["again"] = request.GET.get("again", "")[:LONGEST_ASK]
    elif request.method == "POST":
        more["counted"] = counted(BiddingPad(moment, PadPage()), request)
    active = scorekeeper_notice(last_writes(sheet), keeper)
    if active:
        more["bar"] = {"says": active["says"], "href": reverse("links", args=[code]), "label": "Look"}
    if changed := correction_shown(request, reading):
        more["bar"] = {"says": changed, "href": reverse("pad", args=[code]), "label": "OK"}
    response = pad_page(request, reading, moment, active=active, changed=changed, **more)
    if secret := browser_secret(request):
        keep_browser_secret(request, response, secret)
    return response


def pad_page(
    request: HttpRequest, reading: SheetReading, moment: PadState, *, status: int = 200,
    conflict: Mapping[str, Any] | None = None, active: Notice | None = None,
    changed: SafeString | None = None, **face: Any,
) -> TemplateResponse:  # fmt: skip
    """The page for the sheet as it was read. `changed` is what was corrected just now, in a sentence."""
    page, sheet = page_of(reading), reading.record
    data = page_data(reading, moment, page, active, changed)
    if moment.loose:
        face = {"bar": {"says": moment.loose, "href": page["urls"]["left_over"], "label": "Look"}} | face
    context = {
        "sheet": sheet,
        "title": title_of(moment),
        "reading": reading,
        "pad": moment,
        "game": reading.game,
        "face": face_of(moment, page, **({"key": new_token()} | face)),
        "at": at(moment.when),
        "urls": {name: reverse(name, args=[sheet.code]) for name in LINKS} | {"change": page["urls"]["change"]},
        "watch": reverse("watch", args=[sheet.watch]),
        "running": RunningSheet(reading, reverse("sheet", args=[sheet.code]), is_beside_pad=True),
        "conflict": conflict,
        "turned_cards": turned_cards(),
        "called": data["called"],
        "before_stopping": before_stopping(reading),
        "data": data,
    }
    return TemplateResponse(request, template_of(reading.game), context, status=status)


def page_data(
    reading: SheetReading, moment: PadState, page: PadPage, active: Notice | None = None,
    changed: SafeString | None = None,
) -> PageData:  # fmt: skip
    """What is in the page for the scripts."""
    return PageData(
        pad=as_json(moment), page=page, scorekeeper=active, overruled=None, called=help_call.call_of(reading.record),
        changed={"says": as_text(changed), "parts": in_parts(changed)} if changed else None,
    )  # fmt: skip


def face_of(moment: PadState, page: PadPage, **more: Any) -> BiddingPad | PromptPad:
    """The pad as it is drawn."""
    return PromptPad(moment, page, **more) if isinstance(moment, PromptState) else BiddingPad(moment, page, **more)


def title_of(moment: PadState) -> str:
    """What the browser calls the page."""
    if moment.prefix:
        return f"Blind hand {moment.blind}" if moment.blind > 1 else "Blind hand"
    of = f" of {moment.planned}" if moment.planned else ""
    return f"Hand {moment.hands[0].number}{of}"


def counted(face: BiddingPad, request: HttpRequest) -> Tally | None:
    """The tricks as the form has them, with the one that was just moved. None: it has none that fit."""
    if face.bidder is not None:
        return None
    try:
        counts = {seat: min(int(request.POST[f"f-tricks-{seat}"][:4]), face.cards) for seat in face.tally.counts}
    except (KeyError, ValueError):
        return None
    if min(counts.values()) < 0:
        return None
    typed = {seat for seat, count in counts.items() if count != face.tally.counts[seat]}
    touched = {seat for seat in counts if str(seat) in request.POST.getlist("touched")}
    tally = Tally(face.cards, face.tally.bids, counts, frozenset(typed | touched))
    for verb, by in (("fewer", -1), ("more", 1)):
        if request.POST.get(verb, "") in map(str, counts):
            tally = tally.moved(int(request.POST[verb]), by)
    return tally


def at(when: str | None) -> str:
    """The time on the wall, such as 20:41."""
    moment = parse_datetime(when) if when else None
    return timezone.localtime(moment).strftime("%H:%M") if moment else ""


@never_cache
@require_safe
def state(request: HttpRequest, code: str) -> HttpResponse:
    """Whether the sheet has moved on since version `?v=`: 204, or the pad as it is now and who wrote last.

    So it answers also where the table has called for the organiser, or does no more, since the mark `?called=`.

    It has the whole way back over the scored hands, which neither the page nor the answer to a post has.
    """
    # A pad that stood open for long gets a fresh token with it, also with a refusal.
    get_token(request)
    sheet, keeper = may_write(request, code)
    if request.GET.get("v") == sheet.edition and not help_call.is_news(sheet, request.GET.get("called", "")):
        return HttpResponse(status=204)
    reading = read_sheet(sheet)
    moment = with_whole_way(pad_of(reading), reading)
    writes = last_writes(sheet)
    news = news_of(reading, writes[0]) if writes[0].keeper_id != keeper.pk else SafeString()
    return JsonResponse(PollAnswer(
        version=sheet.version, edition=sheet.edition, at=at(moment.when), pad=as_json(moment),
        news=as_text(news), in_parts=in_parts(news) if news else None, scorekeeper=scorekeeper_notice(writes, keeper),
        overruled=overruled_notice(reading, keeper), called=help_call.call_of(sheet),
    ))  # fmt: skip


def last_writes(sheet: Sheet) -> list[Revision]:
    """The last write of the sheet, and the last by which somebody took over who still may write."""
    took = Q(verb=Revision.Verb.TAKE_OVER, keeper__revoked_at__isnull=True)
    writes = Revision.objects.filter(Q(version=sheet.version) | took, sheet=sheet).select_related("keeper", "undoes")
    return list(writes.order_by("-version")[:2])
