"""The page that corrects the set-up: a name, the first dealer, the number of hands, the title."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets.corrections.conflict import two_values
from scoresheets.corrections.setup import DIGEST, SetupPreview, correct_setup, preview_setup
from scoresheets.corrections.setup_form import SetupForm
from scoresheets.log.answers import Conflict, Done, Refused
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models.sheet import LONGEST_NAME, new_token
from scoresheets.opening.open_sheet import LONGEST_TITLE
from scoresheets.views.public.corrected import came_from, led_back
from scoresheets.views.public.lookup import may_write
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.markup import capital
from scoresheets.wording.options import house_rules_in_words


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest, code: str) -> HttpResponse:
    """The set-up to be put right. `do=look`: what that changes; `do=write`: write it; `do=back`: the form again."""
    sheet, keeper = may_write(request, code)
    reading = read_sheet(sheet)
    if request.method != "POST":
        return form_page(request, SetupForm(reading))
    form, do = SetupForm.of(reading, request.POST), request.POST.get("do", "look")
    if do == "back":
        return form_page(request, form)
    mended = form.mended()
    if form.wrong:
        return form_page(request, form, status=422)
    if form.is_asked:
        return form_page(request, form)
    if do != "write":
        return preview_page(request, form)
    seen = request.POST.get("seen", "")
    answer = correct_setup(
        sheet, mended, saw=form.saw, digest=seen if DIGEST.fullmatch(seen) else "", key=request.POST.get("key", ""),
        by=keeper,
    )  # fmt: skip
    if isinstance(answer, Done):
        address = led_back(request, code, version=answer.version)
        if answer.reading.sheet.unread:
            address = f"{reverse('left_over', args=[code])}?changed={answer.version}"
        return HttpResponseRedirect(address, status=303)
    fresh = SetupForm.of(answer.reading or read_sheet(sheet), request.POST)
    if isinstance(answer, Conflict):
        both = two_values(answer.reading, answer)
        return form_page(request, fresh, status=409, says=f"{capital(both.what)}: {both.sentence}. Which is right?")
    if answer.is_outdated:
        return preview_page(request, fresh, says=answer.problems[0].message)
    return refused(request, fresh, answer)


def preview_page(request: HttpRequest, form: SetupForm, *, says: str = "") -> TemplateResponse:
    """What it changes, and a button that writes it; or the form with what is wrong with it."""
    preview = preview_setup(form.reading, form.mended())
    if not isinstance(preview, SetupPreview):
        return refused(request, form, Refused(preview))
    context = {
        "sheet": form.reading.record,
        "form": form,
        "preview": preview,
        "does": [
            *EntryText(preview.after).change_text(preview.before, preview.change),
            *preview.moves.moved,
            *still(preview),
        ],
        "says": says,
        "key": new_token(),
        "back": led_back(request, form.reading.record.code),
    }
    return TemplateResponse(
        request, "scoresheets/corrections/set_up_preview.html", context, status=409 if says else 200
    )


def still(preview: SetupPreview) -> list[str]:
    """What everybody asks, where nothing of it moves: how many hands there are."""
    old, new = (reading.game.planned_hands(reading.sheet.table) for reading in (preview.before, preview.after))
    return [f"Still {new} hand{'' if new == 1 else 's'}."] if new and old == new and preview.moves.deals else []


def refused(request: HttpRequest, form: SetupForm, answer: Refused) -> TemplateResponse:
    """The form with what is wrong beside each field."""
    form.say(answer.problems)
    return form_page(request, form, status=422)


def form_page(request: HttpRequest, form: SetupForm, *, status: int = 200, says: str = "") -> TemplateResponse:
    """The form. After a conflict it starts again from what stands now, with what was typed in the fields."""
    if status == 409:
        form.posted = {name: value for name, value in form.posted.items() if not name.startswith(("was-", "saw-"))}
    reading: SheetReading = form.reading
    context = {
        "sheet": reading.record,
        "reading": reading,
        "form": form,
        "says": says or form.wrong.get("", "") or form.wrong.get("house_rules", ""),
        "house_rules": [rule for rule in house_rules_in_words(reading.game, reading.setup.house_rules) if rule.differs],
        "longest_name": LONGEST_NAME,
        "longest_title": LONGEST_TITLE,
        "came_from": came_from(request),
        "back": led_back(request, reading.record.code),
    }
    return TemplateResponse(request, "scoresheets/corrections/set_up.html", context, status=status)
