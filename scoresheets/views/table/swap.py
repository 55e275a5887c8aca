"""Two seats that were swapped since some hand: which seats, what was swapped, since when, and the preview."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rules.core.problems import Problem
from scoresheets.corrections.swap import NUMBERS, SEATS, WHICH_TWO, Swap, correct_swap, swap_change
from scoresheets.log.answers import Done, Refused
from scoresheets.log.append import Change
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models.sheet import new_token
from scoresheets.results.consequences import full_impact
from scoresheets.results.impact import Impact, previewed
from scoresheets.views.public.corrected import came_from, led_back
from scoresheets.views.public.lookup import may_write

NUMBER = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class SwapForm:
    """What was tapped, on a sheet as it stands."""

    reading: SheetReading
    data: QueryDict

    @cached_property
    def people(self) -> list[tuple[int, str]]:
        """Everybody who has played a hand, in the order they sat last."""
        seats = [*self.reading.sheet.table.seats, *self.reading.sheet.table.gone]
        names = self.reading.names
        return [(seat, names[seat]) for seat in seats]

    @cached_property
    def ticked(self) -> list[int]:
        return [int(text) for text in self.data.getlist("swap") if NUMBER.fullmatch(text)]

    @property
    def what(self) -> str:
        return SEATS if self.data.get("what") == SEATS else NUMBERS

    @cached_property
    def hands(self) -> list[int]:
        """The scored hands."""
        return [row.hand.number for row in self.reading.sheet.rows]

    @property
    def since(self) -> int:
        return self.number("since", self.hands[0] if self.hands else 1)

    @property
    def until(self) -> int:
        return self.number("until", self.hands[-1] if self.hands else 1)

    def number(self, field: str, usual: int) -> int:
        text = self.data.get(field, "")
        return int(text) if NUMBER.fullmatch(text) else usual

    @property
    def swap(self) -> Swap | None:
        """What is meant; None until two are ticked."""
        if len(self.ticked) != 2:
            return None
        first, second = self.ticked
        return Swap(self.what, first, second, self.since, self.until)

    @cached_property
    def change(self) -> Change | Problem:
        return swap_change(self.reading, self.swap) if self.swap and self.swap.is_sound else WHICH_TWO

    @property
    def problem(self) -> Problem | None:
        """Why it cannot be put right like that; None also as long as nobody was ticked."""
        return self.change if isinstance(self.change, Problem) and len(self.ticked) > 1 else None

    @cached_property
    def moves(self) -> Impact | None:
        """What it moves."""
        if isinstance(self.change, Problem):
            return None
        return full_impact(self.reading, previewed(self.reading, self.change))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def swapped(request: HttpRequest, code: str) -> HttpResponse:
    """GET: which two? POST: what it moves, and once that was shown, put it right."""
    sheet, keeper = may_write(request, code)
    data = request.POST if request.method == "POST" else request.GET
    form = SwapForm(read_sheet(sheet), data)
    if request.method != "POST" or not data.get("seen") or form.swap is None:
        early = request.method == "POST" and form.moves is None and form.problem is None
        return swapped_page(request, form, [WHICH_TWO] if early else [])
    answer = correct_swap(sheet, form.swap, digest=data["seen"], key=data.get("key", ""), by=keeper)
    if isinstance(answer, Done):
        return HttpResponseRedirect(led_back(request, code, version=answer.version), status=303)
    fresh = SwapForm(answer.reading or form.reading, data)
    problems = answer.problems if isinstance(answer, Refused) else ()
    new_problems = [problem for problem in problems if problem != fresh.problem]
    return swapped_page(request, fresh, new_problems, status=409 if fresh.moves else 422)


@never_cache
@require_safe
def swapped_look(request: HttpRequest, code: str) -> HttpResponse:
    """What was tapped so far moves: the part of the page that changes with every tap."""
    sheet, _ = may_write(request, code)
    return TemplateResponse(
        request, "scoresheets/corrections/swap_preview.html", {"form": SwapForm(read_sheet(sheet), request.GET)}
    )


def swapped_page(
    request: HttpRequest, form: SwapForm, problems: Sequence[Problem] = (), *, status: int = 200
) -> TemplateResponse:
    """The page, with what stands against what was sent."""
    record = form.reading.record
    context = {
        "sheet": record, "form": form, "problems": problems, "key": new_token(),
        "came_from": came_from(request), "back": led_back(request, record.code),
    }  # fmt: skip
    return TemplateResponse(request, "scoresheets/corrections/swap.html", context, status=status)
