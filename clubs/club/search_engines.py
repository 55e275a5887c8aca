"""What search engines may list: pages of public clubs, and nothing else. People's own pages are not among them."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from clubs.models import Club

#: The pages of a public club that are listed, by the names of their addresses.
LISTED_PAGES = frozenset(
    ("club", "nights", "night", "standings", "standing", "trophies", "trophy", "records", "play_off")
)
#: The latest nights of a club, so many.
MOST_NIGHTS = 200


def is_listed(club: Club, page: str) -> bool:
    """Whether search engines may list that page (the name of its address) of the club."""
    is_open = club.archived_at is None and not club.is_evening
    return is_open and club.visibility == Club.Visibility.PUBLIC and page in LISTED_PAGES


def listed_paths() -> Iterator[str]:
    """The paths of all pages that may be listed. Two queries a club."""
    for club in Club.objects.real().open().filter(visibility=Club.Visibility.PUBLIC):
        yield from (reverse(name, args=[club.slug]) for name in ("club", "nights", "standings", "trophies", "records"))
        trophies = club.trophies.filter(archived_at__isnull=True).values_list("pk", flat=True)
        yield from (reverse("trophy", args=[club.slug, trophy]) for trophy in trophies)
        nights = club.nights.standing().filter(closed_at__isnull=False).values_list("pk", flat=True)
        yield from (reverse("night", args=[club.slug, night]) for night in nights[:MOST_NIGHTS])
