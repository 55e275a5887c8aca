"""Photos of nights and of handovers: adding one, deleting one, and what a page shows of them."""

from __future__ import annotations

import hashlib

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from clubs.access.audit_log import write_down
from clubs.access.visit import Role, Visit
from clubs.members.people import locked
from clubs.models import Award, Member, Night, Photo
from clubs.photos.pictures import in_sizes
from rules.core.problems import Problem
from scoresheets.log.text import clean_text

#: The longer side in pixels: on its page, and in lists.
LARGE, SMALL = 1600, 480
LONGEST_CAPTION = 120
MOST_OF_A_NIGHT = 20
MOST_OF_A_CLUB = 1000
NO_PHOTO = Problem("no-photo", "Choose a photo first.", "photo")
NIGHT_FULL = Problem(
    "night-full", f"This night has {MOST_OF_A_NIGHT} photos, and there is room for no more. Delete one first.", "photo"
)
CLUB_FULL = Problem(
    "club-full", f"The club has {MOST_OF_A_CLUB} photos, and there is room for no more. Delete some first.", "photo"
)
HAS_ONE = Problem("has-one", "There is a photo of this handover already. Delete it first.", "photo")


def add_photo(of: Night | Award, file: UploadedFile | None, caption: str, *, visit: Visit) -> Photo | Problem:
    """Add a photo of a night or of the handover of a trophy; what stands against it. The same photo is added once."""
    text = clean_text(caption, LONGEST_CAPTION)
    if isinstance(text, Problem):
        return text
    if file is None:
        return NO_PHOTO
    pictures = in_sizes(file, (LARGE, SMALL))
    if isinstance(pictures, Problem):
        return pictures
    large, small = pictures
    photo = Photo(
        club=visit.club, by=visit.member, caption=text, large=large.content, small=small.content,
        large_width=large.width, large_height=large.height, small_width=small.width, small_height=small.height,
        digest=hashlib.sha256(large.content).hexdigest(),
    )  # fmt: skip
    with transaction.atomic():
        locked(visit.club)
        if isinstance(of, Night):
            photo.night = of
        else:
            photo.award = of
        if twin := twin_of(photo):
            return twin
        if problem := no_room(photo):
            return problem
        photo.save()
        write_down(visit.club, f"Added a photo of {subject_of(photo)}.", by=visit.member)
    return photo


def twin_of(photo: Photo) -> Photo | None:
    """The same photo of the same: it was sent twice."""
    return Photo.objects.filter(night=photo.night, award=photo.award, digest=photo.digest).first()


def no_room(photo: Photo) -> Problem | None:
    """Why no more can be added; None: there is room."""
    if photo.award and Photo.objects.filter(award=photo.award).exists():
        return HAS_ONE
    if photo.night and photo.night.photos.count() >= MOST_OF_A_NIGHT:
        return NIGHT_FULL
    return CLUB_FULL if photo.club.photos.count() >= MOST_OF_A_CLUB else None


def subject_of(photo: Photo) -> str:
    """What it is a photo of, in words: "Thursday", "the handover of The Cup"."""
    return f"the handover of {photo.award.trophy}" if photo.award else str(photo.night)


def may_delete(photo: Photo, visit: Visit) -> bool:
    """Whoever added it may, and every organiser."""
    return visit.organises or is_by(photo, visit.member)


def is_by(photo: Photo, member: Member | None) -> bool:
    """Whether this member added it."""
    return photo.by is not None and member is not None and photo.by.main_record == member


def delete_photo(photo: Photo, *, visit: Visit) -> None:
    """Delete it for good, with its pictures."""
    with transaction.atomic():
        photo.delete()
        write_down(visit.club, f"Deleted a photo of {subject_of(photo)}.", by=visit.member)


def may_add(visit: Visit) -> bool:
    """Members of the club may, while it is not archived; nobody at an evening without a club."""
    return visit.may(Role.MEMBER) and not visit.club.is_evening and not visit.club.archived_at
