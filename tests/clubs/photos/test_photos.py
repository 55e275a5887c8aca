"""Photos of a night and of a handover: who adds, sees and deletes them, and what is left in the file."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from PIL import Image

from clubs.models import Award, Club, Member, Night, Photo, Trophy
from clubs.photos import photos
from clubs.photos.photos import LARGE, MOST_OF_A_NIGHT, SMALL
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, PhotoFactory, TrophyFactory
from tests.clubs.visitors import account, text

pytestmark = pytest.mark.django_db

WHERE_IT_WAS_TAKEN = {1: "N", 2: (48.0, 12.0, 34.5), 3: "E", 4: (16.0, 22.0, 1.25)}
ORIENTATION, GPS, MAKE = 0x0112, 0x8825, 0x010F


def jpeg(width: int = 60, height: int = 40, colour: str = "red", *, turned: int = 1) -> bytes:
    """A photo as a phone makes it: with the place, the phone, and which way up it was held."""
    picture, file = Image.new("RGB", (width, height), colour), io.BytesIO()
    exif = picture.getexif()
    exif[ORIENTATION], exif[MAKE] = turned, "Phone of Ann"
    exif.get_ifd(GPS).update(WHERE_IT_WAS_TAKEN)
    picture.save(file, "JPEG", exif=exif, comment=b"at home")
    return file.getvalue()


def sent(content: bytes, name: str = "IMG_1.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "image/jpeg")


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", visibility="link")


@pytest.fixture
def night(club: Club) -> Night:
    return NightFactory(club=club)


@pytest.fixture
def ann(club: Club) -> tuple[Client, Member]:
    return account(club, name="Ann")


def add(client: Client, night: Night, content: bytes | None = None, **more: object) -> object:
    address = reverse("add_night_photo", args=[night.club.slug, night.pk])
    return client.post(address, {"photo": sent(content or jpeg()), **more})


def picture_of(client: Client, photo: Photo, size: str = "large") -> bytes:
    answer = client.get(reverse("photo_picture", args=[photo.club.slug, photo.key, size]))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"].startswith("private")
    return answer.content


# Adding


def test_a_member_adds_a_photo_and_everybody_who_sees_the_night_sees_it(night: Night, ann: tuple[Client, Member]):
    client, member = ann
    answer = add(client, night, caption="The last hand")
    assert answer.status_code == 303
    assert answer["Location"] == f"{night.get_absolute_url()}#photos"
    photo = Photo.objects.get()
    assert (photo.by, photo.caption, photo.night) == (member, "The last hand", night)
    page = text(client.get(night.get_absolute_url()))
    assert photo.get_absolute_url() in page
    assert 'alt="The last hand"' in page
    own = text(client.get(photo.get_absolute_url()))
    assert "Added by <bdi>Ann</bdi>" in own
    assert reverse("photo_picture", args=["trumps", photo.key, "large"]) in own


def test_nothing_of_where_and_when_it_was_taken_is_left(night: Night, ann: tuple[Client, Member]):
    content = jpeg()
    assert Image.open(io.BytesIO(content)).getexif().get_ifd(GPS)[2] == WHERE_IT_WAS_TAKEN[2]
    add(ann[0], night, content)
    photo = Photo.objects.get()
    for size in ("large", "small"):
        served = picture_of(ann[0], photo, size)
        with Image.open(io.BytesIO(served)) as picture:
            assert dict(picture.getexif()) == {}
            assert not {"exif", "xmp", "icc_profile", "comment"} & picture.info.keys()
        for chunk in (b"EXIF", b"XMP ", b"ICCP", b"Phone of Ann", b"at home"):
            assert chunk not in served


@pytest.mark.parametrize(("turned", "size"), [(1, (60, 40)), (6, (40, 60)), (8, (40, 60)), (3, (60, 40))])
def test_it_stands_upright_however_the_phone_was_held(
    night: Night, ann: tuple[Client, Member], turned: int, size: tuple[int, int]
):
    add(ann[0], night, jpeg(turned=turned))
    photo = Photo.objects.get()
    with Image.open(io.BytesIO(picture_of(ann[0], photo))) as picture:
        assert picture.size == size == (photo.large_width, photo.large_height)


def test_it_is_kept_in_two_sizes_and_no_larger(night: Night, ann: tuple[Client, Member]):
    add(ann[0], night, jpeg(3000, 1500))
    photo = Photo.objects.get()
    assert (photo.large_width, photo.large_height) == (LARGE, LARGE // 2)
    assert (photo.small_width, photo.small_height) == (SMALL, SMALL // 2)
    with Image.open(io.BytesIO(picture_of(ann[0], photo, "small"))) as picture:
        assert picture.size == (SMALL, SMALL // 2)


@pytest.mark.parametrize("content", [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"ftypheic", jpeg()[:200]])
def test_what_is_no_picture_is_refused_with_a_sentence(night: Night, ann: tuple[Client, Member], content: bytes):
    address = reverse("add_night_photo", args=[night.club.slug, night.pk])
    answer = ann[0].post(address, {"photo": sent(content, "photo.heic")})
    assert answer.status_code == 422
    assert "Use a JPEG, PNG, WebP or GIF." in text(answer) or "Choose a photo first." in text(answer)
    assert not Photo.objects.exists()


def test_no_photo_and_a_caption_that_is_too_long_are_refused(night: Night, ann: tuple[Client, Member]):
    address = reverse("add_night_photo", args=[night.club.slug, night.pk])
    assert "Choose a photo first." in text(ann[0].post(address, {"caption": "Nothing"}))
    assert add(ann[0], night, caption="x" * 121).status_code == 422
    assert not Photo.objects.exists()


def test_the_same_photo_is_added_once(night: Night, ann: tuple[Client, Member]):
    assert add(ann[0], night).status_code == add(ann[0], night).status_code == 303
    assert Photo.objects.count() == 1


def test_a_night_has_room_for_twenty_and_a_club_for_a_thousand(
    night: Night, ann: tuple[Client, Member], monkeypatch: pytest.MonkeyPatch
):
    PhotoFactory.create_batch(MOST_OF_A_NIGHT, club=night.club, night=night)
    answer = add(ann[0], night)
    assert answer.status_code == 422
    assert "This night has 20 photos" in text(answer)
    other = NightFactory(club=night.club)
    monkeypatch.setattr(photos, "MOST_OF_A_CLUB", MOST_OF_A_NIGHT)
    assert "there is room for no more" in text(add(ann[0], other))
    assert Photo.objects.count() == MOST_OF_A_NIGHT


def test_before_a_night_begins_and_in_an_archived_club_there_are_none(night: Night, ann: tuple[Client, Member]):
    planned = NightFactory(club=night.club, begun_at=None)
    assert add(ann[0], planned).status_code == 404
    assert "Photos" not in text(ann[0].get(planned.get_absolute_url()))
    Club.objects.update(archived_at=night.club.created)
    assert add(ann[0], night).status_code == 403
    assert "Add a photo" not in text(ann[0].get(night.get_absolute_url()))


# Who may


def test_only_members_add_and_only_they_see_the_form(night: Night, ann: tuple[Client, Member]):
    Club.objects.update(visibility="public")
    watcher, (guest, _) = Client(), account(night.club, role="guest")
    assert "Add a photo" in text(ann[0].get(night.get_absolute_url()))
    for other in (watcher, guest):
        page = text(other.get(night.get_absolute_url()))
        assert "No photos yet." in page
        assert "Add a photo" not in page
        assert add(other, night).status_code in (302, 403)
    assert not Photo.objects.exists()


def test_a_members_club_shows_photos_to_members_alone(night: Night, ann: tuple[Client, Member]):
    photo = PhotoFactory(club=night.club, night=night)
    addresses = [photo.get_absolute_url(), reverse("photo_picture", args=["trumps", photo.key, "small"])]
    Club.objects.update(visibility="public")
    assert [Client().get(address).status_code for address in addresses] == [200, 200]
    Club.objects.update(visibility="members")
    assert [Client().get(address).status_code for address in addresses] == [403, 403]
    assert photo.caption not in text(Client().get(addresses[0]))
    assert [ann[0].get(address).status_code for address in addresses] == [200, 200]


def test_a_photo_of_another_club_or_of_a_night_that_was_put_away_is_not_there(night: Night, ann: tuple[Client, Member]):
    other = NightFactory()
    theirs, ours = PhotoFactory(club=other.club, night=other), PhotoFactory(club=night.club, night=night)
    assert ann[0].get(reverse("photo", args=["trumps", theirs.key])).status_code == 404
    assert ann[0].get(ours.get_absolute_url()).status_code == 200
    night.archived_at = night.created
    night.save()
    assert ann[0].get(ours.get_absolute_url()).status_code == 404
    assert ann[0].get(reverse("photo_picture", args=["trumps", ours.key, "large"])).status_code == 404


def test_who_added_it_and_organisers_delete_it(night: Night, ann: tuple[Client, Member]):
    bo, organiser = account(night.club, name="Bo"), account(night.club, role="organiser")
    for (client, _), status in ((bo, 403), (ann, 303), (organiser, 303)):
        photo = PhotoFactory(club=night.club, night=night, by=ann[1])
        shows = "Delete this photo" in text(client.get(photo.get_absolute_url()))
        answer = client.post(reverse("remove_photo", args=["trumps", photo.key]))
        assert answer.status_code == status
        assert shows == (status == 303) != Photo.objects.filter(pk=photo.pk).exists()


def test_one_leads_to_the_next(night: Night, ann: tuple[Client, Member]):
    first, second, third = PhotoFactory.create_batch(3, club=night.club, night=night)
    page = text(ann[0].get(second.get_absolute_url()))
    assert "2 of 3" in page
    assert f'href="{first.get_absolute_url()}" rel="prev"' in " ".join(page.split()).replace('" rel', '" rel')
    assert third.get_absolute_url() in page


# Handing over


@pytest.fixture
def award(night: Night) -> Award:
    trophy: Trophy = TrophyFactory(club=night.club)
    bo = MemberFactory(club=night.club, name="Bo")
    return Award.objects.create(
        trophy=trophy, member=bo, on=night.on, source="typed", confirmed_at=night.created, handed_at=night.created
    )


def test_an_organiser_adds_one_photo_of_the_handover(award: Award, ann: tuple[Client, Member]):
    organiser, _ = account(award.trophy.club, role="organiser")
    address = reverse("add_handover_photo", args=["trumps", award.pk])
    assert ann[0].post(address, {"photo": sent(jpeg())}).status_code == 403
    page = text(organiser.get(award.trophy.get_absolute_url()))
    assert "Add a photo of the handover" in page
    assert organiser.post(address, {"photo": sent(jpeg())}).status_code == 303
    page = text(organiser.get(award.trophy.get_absolute_url()))
    assert "Handed over to <bdi>Bo</bdi>" in page
    assert "Add a photo of the handover" not in page
    second = organiser.post(address, {"photo": sent(jpeg(colour="blue"))})
    assert second.status_code == 422
    assert "There is a photo of this handover already." in text(second)
    assert text(ann[0].get(Photo.objects.get().get_absolute_url())).count("Delete this photo") == 0


def test_what_was_not_handed_over_has_no_photo(award: Award):
    organiser, _ = account(award.trophy.club, role="organiser")
    Award.objects.update(handed_at=None)
    address = reverse("add_handover_photo", args=["trumps", award.pk])
    assert organiser.post(address, {"photo": sent(jpeg())}).status_code == 404
    assert "Add a photo of the handover" not in text(organiser.get(award.trophy.get_absolute_url()))


# What it costs


def test_the_night_costs_one_query_more_however_many_photos_there_are(night: Night, ann: tuple[Client, Member]):
    counts = []
    for more in (0, 1, 10):
        PhotoFactory.create_batch(more, club=night.club, night=night, by=ann[1])
        ann[0].get(night.get_absolute_url())
        with CaptureQueriesContext(connection) as asked:
            ann[0].get(night.get_absolute_url())
        counts.append(len(asked))
        assert sum('FROM "clubs_photo"' in query["sql"] for query in asked) == 1
    assert len(set(counts)) == 1


def test_a_photo_and_its_page_are_cheap(night: Night, ann: tuple[Client, Member]):
    photo = PhotoFactory.create_batch(10, club=night.club, night=night, by=ann[1])[4]
    for address, most in (
        (photo.get_absolute_url(), 7), (reverse("photo_picture", args=["trumps", photo.key, "small"]), 5)
    ):  # fmt: skip
        ann[0].get(address)
        with CaptureQueriesContext(connection) as asked:
            ann[0].get(address)
        assert len(asked) <= most
