"""Pages of a list: `?page=`, the count, and the way to the next page in the body and in the header `Link`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest

from clubs.api.callers import NotAnswered
from rules.core.problems import Problem

BAD_PAGE = Problem("bad-page", "The page is a whole number from 1 on.")


@dataclass(frozen=True)
class Paged:
    """One page of a list, and the whole addresses of the pages round it, by their relation (RFC 8288)."""

    page: Page[Any]
    links: dict[str, str]

    def document(self, key: str, rows: Sequence[object]) -> dict[str, object]:
        """The page with its `rows` at `key`."""
        paginator = self.page.paginator
        return {
            "count": paginator.count, "page": self.page.number, "pages": paginator.num_pages,
            "next": self.links.get("next"), key: list(rows),
        }  # fmt: skip

    @property
    def header(self) -> str:
        return ", ".join(f'<{address}>; rel="{relation}"' for relation, address in self.links.items())


def paged(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], most: int) -> Paged:
    """The page that is asked for, of `most` rows. Two queries for a query set.

    Raises `NotAnswered` for what is no number, and `Http404` behind the last page.
    """
    asked = request.GET.get("page", "1")
    if not (asked.isascii() and asked.isdecimal() and 0 < len(asked) < 10 and int(asked)):
        raise NotAnswered(400, BAD_PAGE)
    paginator = Paginator(rows, most)
    if int(asked) > paginator.num_pages:
        raise Http404
    page = paginator.page(int(asked))
    return Paged(page, links_of(page, address_of(request)))


def links_of(page: Page[Any], address: Callable[[int], str]) -> dict[str, str]:
    links = {"first": address(1), "last": address(page.paginator.num_pages)}
    if page.has_previous():
        links["prev"] = address(page.number - 1)
    if page.has_next():
        links["next"] = address(page.number + 1)
    return links


def address_of(request: HttpRequest) -> Callable[[int], str]:
    """The whole address of another page: what else was asked stays, but a key is told to nobody again."""

    def address(number: int) -> str:
        query = request.GET.copy()
        query.pop("key", None)
        query["page"] = str(number)
        return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")

    return address
