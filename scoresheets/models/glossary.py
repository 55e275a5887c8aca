"""Terms that scorekeepers have added to the glossary."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from scoresheets.models.access import Scorekeeper
from scoresheets.models.sheet import LONGEST_NAME, Sheet

LONGEST_MEANING = 200


class GlossaryTermQuerySet(models.QuerySet["GlossaryTerm"]):
    def standing(self) -> GlossaryTermQuerySet:
        return self.filter(withdrawn_at__isnull=True)

    def of_keeper(self, keeper: Scorekeeper) -> GlossaryTermQuerySet:
        """The words of the same browser or, where the scorekeeper writes by their account alone, of the account."""
        if keeper.browser:
            return self.filter(browser=keeper.browser)
        return self.filter(browser="", user=keeper.user_id) if keeper.user_id else self.none()

    def told_at(self, sheet: Sheet) -> GlossaryTermQuerySet:
        """The words of everybody who may write on the sheet."""
        keepers = Scorekeeper.objects.filter(sheet=sheet, revoked_at__isnull=True)
        browsers = keepers.exclude(browser="").values("browser")
        users = keepers.filter(user__isnull=False).values("user")
        return self.filter(models.Q(browser__in=browsers) | models.Q(user__in=users))


class GlossaryTerm(models.Model):
    """A term and what it means at the tables of one scorekeeper.

    It belongs to a browser (`browser` as on `Scorekeeper`), to an account, or to both. Rows are added and
    withdrawn, never changed. `folded` is the term as far as nobody at a table could tell it from another.
    """

    term = models.CharField(max_length=LONGEST_NAME)
    folded = models.CharField(max_length=4 * LONGEST_NAME, editable=False)
    meaning = models.CharField(max_length=LONGEST_MEANING)
    browser = models.CharField(max_length=64, blank=True, db_index=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="glossary_terms"
    )
    added_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = GlossaryTermQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["browser", "folded"],
                condition=models.Q(withdrawn_at__isnull=True) & ~models.Q(browser=""),
                name="one_own_word_a_browser",
            ),
            models.UniqueConstraint(
                fields=["user", "folded"],
                condition=models.Q(withdrawn_at__isnull=True, browser=""),
                name="one_own_word_an_account",
            ),
        ]

    def __str__(self) -> str:
        return self.term

    def belongs_to(self, keeper: Scorekeeper | None) -> bool:
        """Whether this scorekeeper added it, on whatever sheet."""
        if keeper is None:
            return False
        return self.browser == keeper.browser if self.browser else self.user_id == keeper.user_id
