"""The rules page and the glossary: of a sheet, of a watched sheet, and of a game alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from rules import UnknownGame, find_game
from rules.core.fields import Value
from rules.core.formats import FixedHands
from rules.core.game import Game
from rules.core.numbers import signed
from rules.core.problems import Problem
from rules.core.table import Hand
from rules.core.texts import Example
from scoresheets.log.state import SheetReading
from scoresheets.models import GlossaryTerm, Scorekeeper, Sheet
from scoresheets.models.glossary import LONGEST_MEANING
from scoresheets.models.sheet import LONGEST_NAME
from scoresheets.opening.game_cards import by_size
from scoresheets.sheet.outsiders import read_for
from scoresheets.views.public.lookup import may_write, sheet_of, watched_sheet
from scoresheets.wording.glossary import Glossary, glossary, own_words
from scoresheets.wording.glossary import add_word as add_own_word
from scoresheets.wording.glossary import withdraw_word as withdraw_own_word
from scoresheets.wording.options import house_rules_in_words


def game_of(slug: str) -> Game:
    try:
        return find_game(slug)
    except UnknownGame:
        raise Http404 from None


# The rules


@require_safe
def rules_page(request: HttpRequest, code: str) -> TemplateResponse:
    """All rules by number, the house rules of this sheet, and the numbers of the hand that is played."""
    sheet, keeper = sheet_of(request, code)
    return TemplateResponse(
        request, "scoresheets/help/rules.html", at_a_table(sheet, keeper) | of_a_sheet(read_for(sheet, keeper))
    )


@require_safe
def watch_rules(request: HttpRequest, watch: str) -> TemplateResponse:
    """The same for who watches."""
    sheet = watched_sheet(request, watch)
    return TemplateResponse(
        request, "scoresheets/help/rules.html", beside_the_table(sheet) | of_a_sheet(read_for(sheet, None))
    )


@require_safe
def game_rules(request: HttpRequest, slug: str) -> TemplateResponse:
    """The rules of a game for everyone, with the house rules a table may choose."""
    game = game_of(slug)
    others = [other for other in by_size() if other.slug != slug]
    more = rules_of(game, {}) | {"other_games": others}
    return TemplateResponse(request, "scoresheets/help/rules.html", at_no_table(game) | more)


def rules_of(game: Game, chosen: Mapping[str, Value]) -> dict[str, object]:
    """The rules by number, each with the house rules that change it, and a hand scored by those that were `chosen`."""
    house_rules = house_rules_in_words(game, chosen)
    by_key = {rule.key: rule for rule in house_rules}
    return {
        "game": game,
        "rules": [(rule, [by_key[key] for key in rule.house if key in by_key]) for rule in game.rules_text],
        "house_rules": house_rules,
        "example": game.example and worked(game, game.example, chosen),
    }


def worked(game: Game, example: Example, chosen: Mapping[str, Value]) -> dict[str, object]:
    """The example as the game scores it: what everybody gets and why, and what each bid or card is worth in it."""
    seats = range(1, len(example.players) + 1)
    table = game.open_table(seats, seats[-1], {}, chosen)
    dealt = game.deal(table)
    hand = replace(dealt, cards=example.cards or dealt.cards, steps=example.steps)
    points = game.score(table, hand).points
    return {
        "story": example.story,
        "scores": [
            (name, signed(points[seat]), game.why(table, hand, seat).rpartition(": ")[0])
            for seat, name in zip(seats, example.players, strict=True)
        ],
        "worth": game.worth(table, hand),
    }


def of_a_sheet(reading: SheetReading) -> dict[str, object]:
    """What the rules page says about one sheet."""
    game, sheet = reading.game, reading.sheet
    context = rules_of(game, reading.setup.house_rules) | {"chosen": True}
    hand = sheet.open.hand if sheet.open else sheet.settlement.hand if sheet.settlement else None
    if hand is None or reading.withheld:
        return context
    numbers = [
        (number.label, number.value or reading.names.get(number.seat or 0, ""))
        for number in game.hand_numbers(sheet.table, hand)
    ]
    return context | {
        "hand_title": hand_title(reading, hand),
        "numbers": numbers,
        "worth": game.worth(sheet.table, hand),
    }


def hand_title(reading: SheetReading, hand: Hand) -> str:
    """Which hand it is: "Hand 7 of 18"."""
    if hand.prefix:
        return "This blind hand"
    match reading.game.format(reading.sheet.table):
        case FixedHands(hands):
            return f"Hand {hand.number} of {hands}"
    return f"Hand {hand.number}"


# The words


@require_safe
def words(request: HttpRequest, code: str) -> TemplateResponse:
    """The words of the game and the table's own; who may write on the sheet may add some. `?only=`: one word alone."""
    sheet, keeper = sheet_of(request, code)
    if "only" in request.GET:
        return term_page(request, glossary(game_of(sheet.game), own_words(sheet)), at_a_table(sheet, keeper))
    return words_at_a_table(request, sheet, keeper, {"term": request.GET.get("term", "")[:LONGEST_NAME]})


@require_safe
def watch_words(request: HttpRequest, watch: str) -> TemplateResponse:
    """The same for who watches."""
    sheet = watched_sheet(request, watch)
    game = game_of(sheet.game)
    words = glossary(game, own_words(sheet))
    if "only" in request.GET:
        return term_page(request, words, beside_the_table(sheet))
    more = {"game": game, "glossary": words}
    return TemplateResponse(request, "scoresheets/help/glossary.html", beside_the_table(sheet) | more)


@require_safe
def game_words(request: HttpRequest, slug: str) -> TemplateResponse:
    """The words of a game for everyone."""
    game = game_of(slug)
    words = glossary(game)
    if "only" in request.GET:
        return term_page(request, words, at_no_table(game))
    return TemplateResponse(
        request, "scoresheets/help/glossary.html", at_no_table(game) | {"game": game, "glossary": words}
    )


def term_page(request: HttpRequest, words: Glossary, place: Mapping[str, object]) -> TemplateResponse:
    """The word under the anchor `?only=` for a panel over the page; 404 where the game has no such word."""
    word = words.word(request.GET["only"])
    if word is None:
        raise Http404
    return TemplateResponse(request, "scoresheets/help/term.html", {"word": word, "words_url": place["words_url"]})


@require_POST
def add_word(request: HttpRequest, code: str) -> TemplateResponse | HttpResponseRedirect:
    """Add a word of the table's own."""
    sheet, keeper = may_write(request, code)
    term, meaning = request.POST.get("term", ""), request.POST.get("meaning", "")
    answer = add_own_word(term, meaning, by=keeper)
    if isinstance(answer, GlossaryTerm):
        return HttpResponseRedirect(reverse("words", args=[code]) + f"#own-{answer.pk}", status=303)
    kept = {"term": term[:1000], "meaning": meaning[:1000]}
    return words_at_a_table(request, sheet, keeper, kept, answer, status=422)


@require_POST
def withdraw_word(request: HttpRequest, code: str, word: int) -> HttpResponseRedirect:
    """Take a word of one's own away."""
    _, keeper = may_write(request, code)
    if withdraw_own_word(word, by=keeper):
        raise Http404
    return HttpResponseRedirect(reverse("words", args=[code]) + "#own", status=303)


def words_at_a_table(
    request: HttpRequest, sheet: Sheet, keeper: Scorekeeper | None, kept: Mapping[str, str],
    problems: tuple[Problem, ...] = (), *, status: int = 200,
) -> TemplateResponse:  # fmt: skip
    """The words page of a sheet, with what was typed and what is wrong with it."""
    game, own = game_of(sheet.game), own_words(sheet)
    more = {
        "game": game,
        "glossary": glossary(game, own),
        "mine": {word.pk for word in own if word.belongs_to(keeper)},
        "kept": kept,
        "wrong": {problem.field: problem.message for problem in problems},
        "longest_term": LONGEST_NAME,
        "longest_meaning": LONGEST_MEANING,
    }
    return TemplateResponse(request, "scoresheets/help/glossary.html", at_a_table(sheet, keeper) | more, status=status)


# Where the page stands


def at_a_table(sheet: Sheet, keeper: Scorekeeper | None) -> dict[str, object]:
    return {
        "sheet": sheet,
        "keeper": keeper,
        "rules_url": reverse("rules_page", args=[sheet.code]),
        "words_url": reverse("words", args=[sheet.code]),
    }


def beside_the_table(sheet: Sheet) -> dict[str, object]:
    return {
        "sheet": sheet,
        "watching": True,
        "rules_url": reverse("watch_rules", args=[sheet.watch]),
        "words_url": reverse("watch_words", args=[sheet.watch]),
    }


def at_no_table(game: Game) -> dict[str, object]:
    return {
        "rules_url": reverse("game_rules", args=[game.slug]),
        "words_url": reverse("game_words", args=[game.slug]),
    }
