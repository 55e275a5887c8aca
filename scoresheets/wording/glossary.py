"""The glossary of a table: terms of the game, and terms that its scorekeepers have added.

A scorekeeper may add terms. They are shown on every sheet that the same browser or account may write on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.texts import Word
from scoresheets.log.text import clean_name, clean_text, same_name
from scoresheets.models import GlossaryTerm, Scorekeeper, Sheet
from scoresheets.models.glossary import LONGEST_MEANING

#: Words of one scorekeeper that stand at a time, and that were ever added.
MOST_WORDS = 60
MOST_EVER = 600


@dataclass(frozen=True)
class GlossaryEntry:
    """A word of the game as a page shows it: its anchor, and what scorekeepers have added to it."""

    anchor: str
    term: str
    meaning: str
    added: tuple[GlossaryTerm, ...] = ()


@dataclass(frozen=True)
class Glossary:
    """The words by who says them: the sheet as a call-out, everybody, the table alone; and the table's own."""

    call_outs: tuple[GlossaryEntry, ...]
    table_talk: tuple[GlossaryEntry, ...]
    at_the_table: tuple[GlossaryEntry, ...]
    own: tuple[GlossaryTerm, ...] = ()

    def word(self, anchor: str) -> GlossaryEntry | None:
        """The word of the game that stands under the anchor."""
        return next(
            (word for word in (*self.call_outs, *self.table_talk, *self.at_the_table) if word.anchor == anchor), None
        )


def anchor(word: Word) -> str:
    """Where the word stands on its page: under the slug of its call-out, where it has one."""
    return word.call or slugify(word.term)


def glossary(game: Game, own: Iterable[GlossaryTerm] = ()) -> Glossary:
    """Everything there is to say at a table of the game. An own word for a term of the game stands with that term."""
    own = sorted(own, key=lambda word: (word.folded, word.pk))
    known = {same_name(word.term) for word in game.words}
    terms = {
        word: GlossaryEntry(
            anchor(word), word.term, word.meaning, tuple(o for o in own if o.folded == same_name(word.term))
        )
        for word in game.words
    }
    return Glossary(
        call_outs=tuple(terms[word] for word in terms if word.call),
        table_talk=tuple(terms[word] for word in terms if not word.call and word.term not in game.tags),
        at_the_table=tuple(terms[word] for word in terms if not word.call and word.term in game.tags),
        own=tuple(word for word in own if word.folded not in known),
    )


def own_words(sheet: Sheet) -> list[GlossaryTerm]:
    """What the scorekeepers of the sheet have added, in one query."""
    return list(GlossaryTerm.objects.standing().told_at(sheet))


def add_word(term: object, meaning: object, *, by: Scorekeeper) -> GlossaryTerm | tuple[Problem, ...]:
    """Add a word, or say what is wrong with it. The same word with the same meaning again is the one that stands.

    Codes: `no-name`, `no-meaning`, `word-stands`, `too-many-words`, and those of `clean_text`.
    """
    term = clean_name(term, field="term")
    meaning = clean_text(meaning, LONGEST_MEANING, field="meaning")
    if meaning == "":
        meaning = Problem("no-meaning", "Say what it means.", "meaning")
    if isinstance(term, Problem) or isinstance(meaning, Problem):
        return tuple(problem for problem in (term, meaning) if isinstance(problem, Problem))
    mine = GlossaryTerm.objects.of_keeper(by)
    standing = mine.standing().filter(folded=same_name(term)).first()
    if standing:
        return standing if standing.meaning == meaning else (word_stands(standing),)
    if mine.standing().count() >= MOST_WORDS or mine.count() >= MOST_EVER:
        return (Problem("too-many-words", "There is no room for more words here.", "term"),)
    try:
        with transaction.atomic():
            return GlossaryTerm.objects.create(
                term=term, folded=same_name(term), meaning=meaning, browser=by.browser, user_id=by.user_id,
                added_at=timezone.now(),
            )  # fmt: skip
    except IntegrityError:
        # The same tap twice at the same moment: the other one was first.
        standing = mine.standing().get(folded=same_name(term))
        return standing if standing.meaning == meaning else (word_stands(standing),)


def word_stands(word: GlossaryTerm) -> Problem:
    """Words are not written over: who wants another meaning takes the first one away."""
    return Problem("word-stands", f"“{word.term}” is there already. Remove it first.", "term")


def withdraw_word(pk: int, *, by: Scorekeeper) -> Problem | None:
    """Take a word of one's own away; or why not. A word that is away already is agreed with. Code: `no-such-word`."""
    word = GlossaryTerm.objects.of_keeper(by).filter(pk=pk).first()
    if word is None:
        return Problem("no-such-word", "That is not one of your own words.")
    GlossaryTerm.objects.standing().filter(pk=word.pk).update(withdrawn_at=timezone.now())
    return None
