"""Base models: rows with a `uid` for club files, and rows that results follow from."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, TypeVar

from django.db import models, transaction
from django.dispatch import Signal

from scoresheets.models.sheet import new_token

#: For many rows what `pre_save` and `post_save` are for one: `rows` are a query set, or new ones a list.
pre_bulk_save, post_bulk_save = Signal(), Signal()


class Portable(models.Model):
    """A row that keeps its name wherever the club goes: `uid` is the same in its file and on the next site."""

    uid = models.CharField(max_length=22, unique=True, default=new_token, editable=False)

    class Meta:
        abstract = True


class ResultSource(models.Model):
    """A row that results follow from (`clubs.queue.sources`): as soon as one of `result_fields` changes, they may."""

    result_fields: ClassVar[tuple[str, ...]]

    class Meta:
        abstract = True

    @classmethod
    def results_in(cls, fields: Collection[str] | None) -> set[str]:
        """Which of these fields results follow from; None: of all."""
        return {name for name in cls.result_fields if fields is None or name in fields or f"{name}_id" in fields}


S = TypeVar("S", bound=ResultSource)


class ResultSourceQuerySet(models.QuerySet[S]):
    """Where many rows are written at once Django sends no signal: so this does. `bulk_update` comes here as well.

    Only `_base_manager` writes without a signal, for the file of a club, which is counted as a whole.
    """

    def update(self, **values: Any) -> int:
        if not self.model.results_in(values):
            return super().update(**values)
        with transaction.atomic(using=self.db, savepoint=False):
            # They are written by their ids: whatever comes to fit in between is neither written nor announced.
            pks = list(self.values_list("pk", flat=True))
            rows = self.model._base_manager.filter(pk__in=pks)
            pre_bulk_save.send(self.model, rows=rows.all(), created=False, update_fields=values)
            updated = super(ResultSourceQuerySet, self.filter(pk__in=pks)).update(**values)
            post_bulk_save.send(self.model, rows=rows.all(), created=False, update_fields=values)
        return updated

    def bulk_create(self, objs: Iterable[S], *more: Any, **options: Any) -> list[S]:
        with transaction.atomic(using=self.db, savepoint=False):
            made = super().bulk_create(objs, *more, **options)
            post_bulk_save.send(self.model, rows=made, created=True, update_fields=None)
        return made
