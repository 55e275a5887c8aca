"""The page on which a hand is corrected, as a phone without a script has it, and what is left without a place."""

import re
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils.html import strip_tags

from rules.core.fields import SHEET
from scoresheets.models import Entry, Revision
from scoresheets.models.sheet import Sheet
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.scoresheets.corrections.test_correct import corrected, took
from tests.scoresheets.laid import SECRET, document, hand, laid_down
from tests.scoresheets.plain import Plain

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Plain:
    """Two hands are scored: in the first Bo took the one trick, in the second Cy took both. Hand 3 is open."""
    plain = Plain(4)
    plain.scorer.any_hand()
    plain.scorer.any_hand()
    return plain


def at(phone: Plain, part: object) -> str:
    return f"/sheets/{phone.code}/correct/{part}/"


def numbers(phone: Plain) -> dict[str, str]:
    return {name: value for _, name, value in phone.page.inputs if name.startswith("f:")}


def saws(phone: Plain) -> dict[str, str]:
    return {name: value for _, name, value in phone.page.inputs if name.startswith("saw:")}


def test_hand_opens_as_it_was_entered_and_says_what_is_open_meanwhile(phone: Plain) -> None:
    page = phone.look(at(phone, 1))
    assert "You are correcting hand 1 while hand 3 is open" in page.text
    assert numbers(phone)["f:bid-2:bid"] == "0"
    assert numbers(phone)["f:tricks:tricks-2"] == "1"
    assert "who took" not in page.text


def test_way_leads_from_the_number_over_its_reason_to_the_change(phone: Plain) -> None:
    why = phone.look(f"/sheets/{phone.code}/why/1/2/")
    assert why.links["Change"] == f"{at(phone, 1)}?seat=2&from=sheet"


def test_who_only_looks_is_offered_no_change_and_may_post_none(phone: Plain) -> None:
    guest = Client()
    assert "Change" not in guest.get(f"/sheets/{phone.code}/why/1/2/").content.decode()
    sheet = Sheet.objects.get(code=phone.code)
    assert "Change" not in phone.client.get(f"/watch/{sheet.watch}/why/1/2/").content.decode()
    assert guest.get(at(phone, 1)).status_code == 302
    assert guest.post(at(phone, 1), {"look": "1"}).status_code == 403
    assert guest.post(f"/sheets/{phone.code}/left-over/").status_code == 403


def test_it_is_asked_who_took_it_until_the_tricks_come_out(phone: Plain) -> None:
    phone.look(at(phone, 1))
    page = phone.tap("Bo took: one fewer")
    assert "One missing: who took it?" in page.text
    assert "was: took 1" in page.text
    refused = phone.tap("See what changes")
    assert phone.status == 422
    assert "The hand has 1 trick; these are too few." in refused.text
    assert "One missing: who took it?" in refused.text
    page = phone.tap("Cy took: one more")
    assert "missing" not in page.text
    assert Revision.objects.filter(verb="correct").count() == 0


def test_preview_names_everybody_touched_and_confirming_it_is_one_write(phone: Plain) -> None:
    phone.look(at(phone, 1))
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    page = phone.tap("See what changes")
    assert phone.status == 200
    for said in (
        "Hand 1: Bo took 0 instead of 1, Cy took 1 instead of 0.",
        "Hand 1: Bo −1 to +5, Cy +5 to −1.",
        "Totals now: Bo 10 instead of 4, Cy −3 instead of 3.",
        "In hand 1 Ann, Bo and Di share the box, and Cy no longer has it: 5 is the highest total after hand 1.",
        "From hand 2 on Ann, Bo and Di share the box: 10 is the highest total after hand 2.",
    ):
        assert said in page.text, page.text
    assert "typed wrong" in [value for _, name, value in page.inputs if name == "why"]
    version = phone.scorer.reading.version
    phone.tap("Confirm")
    assert phone.response.request["QUERY_STRING"] == f"open=1&changed={version + 1}"
    assert phone.scorer.reading.version == version + 1
    assert phone.scorer.reading.entries[1, "tricks"] == took(0, 0, 1, 0)


def test_confirm_that_is_sent_again_is_answered_like_the_first(phone: Plain) -> None:
    phone.look(at(phone, 1))
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    address, data = phone.body("Confirm")
    first, again = (phone.client.post(address, data) for _ in range(2))
    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"]) == (303, first["Location"])
    assert Revision.objects.filter(verb="correct").count() == 1


def test_back_from_the_preview_keeps_what_was_typed(phone: Plain) -> None:
    phone.look(at(phone, 1))
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    phone.tap("Back")
    assert numbers(phone)["f:tricks:tricks-3"] == "1"
    assert numbers(phone)["f:bid-3:bid"] == "0"


def test_nothing_different_is_said_so(phone: Plain) -> None:
    phone.look(at(phone, 1))
    page = phone.tap("See what changes")
    assert phone.status == 422
    assert "Nothing here differs from the sheet" in page.text


def test_preview_that_has_grown_old_is_shown_anew_before_anything_is_written(phone: Plain) -> None:
    phone.look(at(phone, 1))
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    phone.scorer.any_hand()
    page = phone.tap("Confirm")
    assert phone.status == 409
    assert "The sheet has changed since you looked." in page.text
    assert Revision.objects.filter(verb="correct").count() == 0
    phone.tap("Confirm")
    assert phone.scorer.reading.entries[1, "tricks"] == took(0, 0, 1, 0)


def test_two_phones_that_differ_are_shown_both_numbers(phone: Plain) -> None:
    phone.look(at(phone, 1))
    phone.tap("Bo took: one fewer")
    phone.tap("Cy took: one more")
    phone.tap("See what changes")
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet))
    sure_of(corrected(marge, {(1, "tricks"): took(0, 0, 0, 1)}))
    page = phone.tap("Confirm")
    assert phone.status == 409
    assert "Marge entered" in page.text
    assert numbers(phone)["f:tricks:tricks-3"] == "1"
    phone.tap("See what changes")
    phone.tap("Confirm")
    assert phone.scorer.reading.entries[1, "tricks"] == took(0, 0, 1, 0)


def test_bids_that_come_to_the_cards_are_no_dead_end(phone: Plain) -> None:
    phone.look(at(phone, 2))
    phone.tap("Cy bid: one more")
    phone.tap("Cy bid: one more")
    page = phone.tap("See what changes")
    assert phone.status == 422
    assert "The bids come to the 2 cards: The Rule does not allow that." in page.text
    assert "Deal hand 2 again" in page.text
    page = phone.tap("Leave it as it was played")
    assert "The Rule was missed" in page.text
    assert "Hand 2: Cy −2 to +7." in page.text
    phone.tap("Confirm")
    assert "Hand 2: The bids came to the cards; played as it was." in phone.page.text
    phone.look(at(phone, 2))
    refused = phone.client.post(at(phone, 2), {"has:f:rule-missed:missed": "1", "look": "1", **saws(phone)})
    assert refused.status_code == 422
    assert 'name="f:rule-missed:missed"' in refused.content.decode()
    sheet = Sheet.objects.get(code=phone.code)
    assert "played as it was" in phone.client.get(f"/watch/{sheet.watch}/").content.decode()


def test_other_bid_is_changed_in_the_same_step(phone: Plain) -> None:
    phone.look(at(phone, 2))
    for label in ("Cy bid: one more", "Cy bid: one more"):
        phone.tap(label)
    phone.tap("See what changes")
    phone.tap("Di bid: one more")
    assert "Hand 2: Cy −2 to +7, Di +5 to −1." in phone.tap("See what changes").text


def test_last_hand_is_dealt_again_and_an_earlier_one_is_not_offered_that(phone: Plain) -> None:
    phone.look(at(phone, 2))
    phone.tap("Cy bid: one more")
    phone.tap("Cy bid: one more")
    phone.tap("See what changes")
    phone.tap("Deal hand 2 again")
    assert phone.scorer.reading.next_hand == 2
    phone.look(at(phone, 1))
    phone.tap("Di bid: one more")
    page = phone.tap("See what changes")
    assert "Leave it as it was played" in page.text
    assert "Deal hand 1 again" not in page.text


def test_hand_before_is_changed_from_the_pad_where_nothing_is_written_of_the_open_one(phone: Plain) -> None:
    assert "Correct hand 2" in phone.look(at(phone, "open")).text


def test_open_hand_is_changed_from_the_pad(phone: Plain) -> None:
    order = phone.scorer.reading.sheet.open.hand.order
    phone.scorer.bids(dict.fromkeys(order, 0) | {order[-1]: 1})
    pad = phone.look(f"{phone.url('pad')}?open=more")
    assert pad.links["Change this hand"] == f"{at(phone, 'open')}?from=pad"
    page = phone.look(at(phone, "open"))
    assert "while hand" not in page.text
    name = phone.scorer.reading.names[order[0]]
    phone.tap(f"{name} bid: one more")
    page = phone.tap("See what changes")
    assert "Deal hand 3 again" in page.text
    phone.tap("Leave it as it was played")
    phone.tap("Confirm")
    assert phone.response.request["PATH_INFO"] == phone.url("pad")
    assert len(phone.scorer.reading.sheet.open.hand.steps) == 5


def test_before_anything_is_written_there_is_nothing_to_change(phone: Plain) -> None:
    fresh = scorer(4, browser=phone.scorer.by.browser)
    answer = phone.client.get(f"/sheets/{fresh.sheet.code}/correct/open/")
    assert answer["Location"] == f"/sheets/{fresh.sheet.code}/pad/"


@pytest.mark.parametrize("part", ["0", "9", "tie-1", "draw-1", "carried", "99999", "tie-0"])
def test_what_is_not_there_cannot_be_corrected(phone: Plain, part: str) -> None:
    assert phone.client.get(at(phone, part)).status_code == 404


def test_hand_that_was_gone_back_to_meanwhile_is_said_to_be_gone(phone: Plain) -> None:
    phone.look(at(phone, 2))
    phone.tap("Cy took: one fewer")
    address, data = phone.body("See what changes")
    for _ in range(5):
        sure_of(phone.scorer.undo())
    answer = phone.client.post(address, data)
    assert answer.status_code == 409
    assert "Nothing was changed" in answer.content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [("f:bid-3:bid", "x"), ("f:bid-3:bid", "9" * 400), ("f:bid-3:bid", "-1"), ("f:bid-3:bid", ""), ("why", "x" * 201)],
)
def test_what_is_no_number_is_refused_with_what_was_typed(phone: Plain, field: str, value: str) -> None:
    phone.look(at(phone, 1))
    address, data = phone.body("See what changes")
    data |= {"f:bid-2:bid": ["1"], "f:bid-4:bid": ["1"], field: [value]}
    if field == "why":
        phone.show(phone.client.post(address, data))
        address, data = phone.body("Confirm")
        data["why"] = [value]
    answer = phone.client.post(address, data)
    assert answer.status_code == 422
    assert Revision.objects.filter(verb="correct").count() == 0


@pytest.mark.databases_differ
@pytest.mark.thorough(but=4)
@pytest.mark.parametrize("what", ["look", "back", "as-played", "move", "confirm"])
@pytest.mark.parametrize("value", ["\x00", "\ud800", "9" * 5000, "-", "f:bid-3:bid:+1", "null", "[]", "٣"])
def test_no_post_breaks_the_page_or_writes_what_does_not_fit(phone: Plain, what: str, value: str) -> None:
    version = phone.scorer.reading.version
    sent = value.encode("utf-8", "surrogatepass")
    names = ("f:bid-3:bid", "f:trump:suit", "f:trump:turned", "saw:bid-3", "saw:tricks", "seen", "key", "why", what)
    body = b"&".join(name.encode() + b"=" + quote(sent).encode() for name in names)
    kind = "application/x-www-form-urlencoded"
    for address in (at(phone, 1), f"/sheets/{phone.code}/left-over/", f"/sheets/{phone.code}/deal-again/"):
        assert phone.client.post(address, body, content_type=kind).status_code < 500
    assert phone.scorer.reading.version == version


def test_same_field_twice_is_refused(phone: Plain) -> None:
    phone.look(at(phone, 1))
    address, data = phone.body("See what changes")
    assert phone.client.post(address, data | {"f:bid-3:bid": ["0", "1"]}).status_code == 422


def test_totals_brought_along_are_corrected(client: Client) -> None:
    carried = {"carried": {"hands": 1, "totals": {"Ann": 5, "Bo": 2, "Cy": -3, "Di": 1}, "last_dealer": "Ann"}}
    sheet = laid_down(document(hands=[carried], plan={"hands": 4}))
    client.cookies["pencil"] = SECRET
    page = client.get(f"/sheets/{sheet.code}/correct/carried/").content.decode()
    assert 'value="−3"' in page
    data = {"f:carried:total-3": "−13", "look": "1", "saw:carried": Entry.objects.get(ask="carried").pk}
    told = client.post(f"/sheets/{sheet.code}/correct/carried/", data).content.decode()
    assert "instead of −3" in told


def test_hand_that_would_not_count_any_more_is_said_before_anything_is_written(client: Client) -> None:
    carried = {"carried": {"hands": 1, "totals": {"Ann": 5, "Bo": 2, "Cy": -3, "Di": 1}, "last_dealer": "Ann"}}
    second = hand("Cy Di Ann Bo", "0001", "2000")
    sheet = laid_down(document(hands=[carried, second], plan={"hands": 4}))
    client.cookies["pencil"] = SECRET
    data = {"f:carried:hands": "2", "look": "1", "saw:carried": Entry.objects.get(ask="carried").pk}
    told = client.post(f"/sheets/{sheet.code}/correct/carried/", data).content.decode()
    assert "Hand 2 no longer counts: hands 1 and 2 were scored elsewhere." in told
    assert "This no longer fits on the sheet, but is kept:" in told
    assert "<bdi>Cy</bdi>’s bid 0 in hand 2" in told


def test_other_phone_hears_what_was_corrected(phone: Plain) -> None:
    marge = Scorer(phone.scorer.sheet, ScorekeeperFactory(sheet=phone.scorer.sheet))
    sure_of(corrected(marge, {(1, "bid-3"): {"bid": 1}, (1, "bid-4"): {"bid": 1}}))
    news = phone.client.get(f"{phone.url('state')}?v=1").json()["news"]
    assert news.startswith("Marge corrected ")
    assert "’s bid in hand 1: 1" in news


def test_cards_that_were_drawn_are_corrected(client: Client) -> None:
    first = hand("Bo Cy Di Ann", "1101", "0001")
    draws = [{"Bo": "2", "Cy": "K"}]
    sheet = laid_down(document(hands=[first], plan={"hands": 1}, tie_breaks=[], draws=draws))
    client.cookies["pencil"] = SECRET
    page = client.get(f"/sheets/{sheet.code}/correct/draw-1/").content.decode()
    assert "Bo drew" in page
    assert re.findall(r'name="f:draw-1:rank-2"\s+value="(\w)"', page) == list("AKQJT98765432"), (
        "as where they were drawn"
    )
    saw = Entry.objects.get(ask="draw-1").pk
    data = {"f:draw-1:rank-2": "9", "f:draw-1:rank-3": "4"}
    told = client.post(f"/sheets/{sheet.code}/correct/draw-1/", {**data, "saw:draw-1": saw, "look": "1"})
    assert "The loser is now <bdi>Cy</bdi> instead of <bdi>Bo</bdi>, by the lowest card." in told.content.decode()


def loosened(phone: Plain) -> None:
    """Hand 1 has lost its tricks, as a change of the set-up may do it: hand 2 has no place."""
    entry = phone.scorer.reading.standing[1, "tricks"]
    Entry.objects.filter(pk=entry.pk).update(withdrawn_by=entry.added_id)


def test_what_has_no_place_is_named_on_sheet_and_pad_and_gone_through(phone: Plain) -> None:
    loosened(phone)
    sheet = phone.look(f"/sheets/{phone.code}/")
    assert "5 things no longer fit on the sheet after a change: Ann’s bid 0 in hand 2" in sheet.text
    assert "5 things no longer fit on the sheet after a change." in phone.look().text
    left = phone.look(f"/sheets/{phone.code}/left-over/")
    assert "1 of 5" in left.text
    assert "It cannot be entered again" in left.text
    kept = phone.look(f"/sheets/{phone.code}/left-over/?at=2")
    assert "Bo’s bid 0 in hand 2" in kept.text
    page = phone.tap("Remove it")
    assert "2 of 4" in page.text
    assert (2, "bid-2") not in phone.scorer.reading.standing
    assert "That was all. 4 things no longer fit" in phone.look(f"/sheets/{phone.code}/left-over/?at=9").text


def test_what_is_counted_cannot_be_taken_off_that_way(phone: Plain) -> None:
    answer = phone.client.post(
        f"/sheets/{phone.code}/left-over/",
        {"hand": "1", "saw:tricks": phone.scorer.saw((1, "tricks")), "key": new_key(), "at": "1"},
    )
    assert answer.status_code == 422
    assert (1, "tricks") in phone.scorer.reading.standing


def test_everything_has_its_place_where_nothing_is_left(phone: Plain) -> None:
    assert "Everything on the sheet fits." in phone.look(f"/sheets/{phone.code}/left-over/").text


def test_opening_looking_and_writing_ask_the_database_little(phone: Plain, django_assert_num_queries) -> None:
    with django_assert_num_queries(3):
        phone.look(at(phone, 1))
    address, data = phone.body("See what changes")
    data |= {"f:tricks:tricks-2": ["0"], "f:tricks:tricks-3": ["1"]}
    with django_assert_num_queries(3):
        phone.show(phone.client.post(address, data))
    address, data = phone.body("Confirm")
    # Read twice, before the lock and under it, and a savepoint that only tests have.
    with django_assert_num_queries(13):
        assert phone.client.post(address, data).status_code == 303


def test_blind_hand_is_corrected_on_the_page() -> None:
    plain = Plain(4, plan={"hands": 1})
    plain.scorer.any_hand()
    plain.scorer.settle()
    plain.look(at(plain, "tie-1"))
    assert "You are correcting the blind hand of a game that is finished." in plain.page.text
    assert (SHEET, "tie-1-tricks") in plain.scorer.reading.entries


def test_what_has_no_place_is_counted_and_gone_through():
    one, many = [SimpleNamespace(words="hand 3")], [SimpleNamespace(words=f"hand {number}") for number in range(8)]
    said = strip_tags(render_to_string("scoresheets/corrections/orphan.html", {"left": one, "url": "/there/"}))
    assert "One thing no longer fits on the sheet after a change" in said
    assert "hand 3." in said
    assert "Go through it" in said
    said = strip_tags(render_to_string("scoresheets/corrections/orphan.html", {"left": many, "url": "/there/"}))
    assert "8 things no longer fit" in said
    assert "hand 5 …" in said
    assert "Go through them" in said


@pytest.mark.parametrize("key", ["consequences", "unread", "again"])
def test_only_what_a_change_moves_is_said(key):
    unread, again = "no longer fits on the sheet, but is kept", "This fits on the sheet again"
    parts = {"consequences": "<p>Bo is told.</p>", "unread": unread, "again": again}
    moves = {name: ["Bo is told."] if name == key else [] for name in parts}
    page = render_to_string("scoresheets/corrections/impact.html", {"moves": moves, "does": []})
    assert {name for name, text in parts.items() if text in page} == {key}
