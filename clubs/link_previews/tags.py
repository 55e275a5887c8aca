"""The tags of a preview in the head of a page of a club."""

from __future__ import annotations

from django.http import HttpRequest

from clubs.access.club_key import shared_address
from clubs.models import Club
from scoresheets.link_previews.preview import HeadTags, LinkPreview


def tags_of(request: HttpRequest, club: Club, preview: LinkPreview, picture: str) -> HeadTags:
    """The preview of the page that is asked for, with the path of its picture, as they are handed out."""
    path = preview.picture_at(picture)
    return HeadTags(
        preview, shared_address(request, club, request.path), shared_address(request, club, path), path
    )  # fmt: skip
