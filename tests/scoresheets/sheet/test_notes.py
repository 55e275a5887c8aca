"""Saying something about a hand: never asked for, never counted."""

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from scoresheets.sheet.notes import said_of_hands
from tests.factories import hashed, new_key, scorer, sure_of

pytestmark = pytest.mark.django_db

SECRET = "a" * 22


@pytest.fixture
def p():
    """A sheet with one hand scored, on which the browser of `keeper` may write."""
    marge = scorer(browser=hashed(SECRET))
    marge.any_hand()
    return marge


@pytest.fixture
def keeper(client: Client) -> Client:
    client.cookies["pencil"] = SECRET
    return client


def say(client: Client, p, **fields):
    post = {"key": new_key(), "hand": "1", "tag": "", "seat": "", "note": "", **fields}
    return client.post(f"/sheets/{p.sheet.code}/note/", post)


def test_form_offers_the_words_of_the_table_and_everybody_at_it(keeper, p):
    html = keeper.get(f"/sheets/{p.sheet.code}/note/?hand=1").content.decode()
    assert "A note on hand 1" in " ".join(re.sub("<[^>]+>", " ", html).split())
    for word in ("Kobayashi Maru", "Dirt Bag", "Ann", "Di", "The table"):
        assert word in html


def test_form_asks_about_the_hand_at_the_table_when_none_is_named(keeper, p):
    assert 'name="hand" value="2"' in keeper.get(f"/sheets/{p.sheet.code}/note/").content.decode()
    p.any_game()
    assert 'name="hand" value="4"' in keeper.get(f"/sheets/{p.sheet.code}/note/").content.decode()


@pytest.mark.parametrize("hand", ["3", "99999", "-1", "x", "1" * 5000])
def test_hand_that_was_not_dealt_cannot_be_spoken_of(keeper, p, hand):
    looked = keeper.get(f"/sheets/{p.sheet.code}/note/", {"hand": hand})
    assert looked.status_code == (404 if hand in ("3", "99999") else 200)
    assert say(keeper, p, hand=hand, note="x").status_code == 422
    assert p.reading.notes == ()


def test_what_is_said_stands_on_the_sheet_and_counts_for_nothing(keeper, p):
    before, version = p.reading, p.reading.version
    answer = say(keeper, p, tag="Dirt Bag", seat="2", note="again!")
    assert (answer.status_code, answer["Location"]) == (303, f"/sheets/{p.sheet.code}/note/?hand=1")
    after = p.reading
    assert [(said.tag, said.about, said.text, said.anchor) for said in said_of_hands(after)[1]] == [
        ("Dirt Bag", "Bo", "again!", "dirt-bag")
    ]
    assert after.sheet.totals == before.sheet.totals
    assert after.version == version + 1
    assert "again!" in keeper.get(answer["Location"]).content.decode()


def test_same_tap_twice_says_it_once(keeper, p):
    key = new_key()
    for _ in range(2):
        assert say(keeper, p, key=key, note="Once.").status_code == 303
    assert len(p.reading.notes) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"tag": "Not a tag"},
        {"tag": "Rascal", "seat": "9"},
        {"tag": "Rascal", "seat": "me"},
        {"tag": "Rascal", "seat": "-1"},
        {"tag": "Rascal", "key": "short"},
        {"note": "x" * 201},
        {"note": "\x00"},
        {"hand": "", "note": "x"},
    ],
    ids=str,
)
def test_what_says_nothing_or_fits_nowhere_is_refused_and_given_back(keeper, p, fields):
    response = say(keeper, p, **fields)
    assert response.status_code == 422
    assert 'class="problem"' in response.content.decode()
    assert p.reading.notes == ()


def test_refused_note_keeps_what_was_chosen_and_can_be_sent_again(keeper, p):
    html = say(keeper, p, tag="Rascal", seat="3", note="<b>" + "x" * 250).content.decode()
    assert re.search(r'value="Rascal"\s+checked', html)
    assert re.search(r'value="3"\s+checked', html)
    assert "&lt;b&gt;xxx" in html
    key = re.search(r'name="key" value="([^"]+)"', html)[1]
    assert say(keeper, p, key=key, tag="Rascal", seat="3", note="short").status_code == 303


def test_note_can_be_taken_back_even_after_more_hands_and_only_once(keeper, p):
    say(keeper, p, note="First.")
    say(keeper, p, note="Second.")
    p.any_hand()
    path = f"/sheets/{p.sheet.code}/note/1/1/withdraw/"
    answer = keeper.post(path, {"key": new_key()})
    assert (answer.status_code, answer["Location"]) == (303, f"/sheets/{p.sheet.code}/note/?hand=1")
    version = p.reading.version
    assert keeper.post(path, {"key": new_key()}).status_code == 303
    assert [note.note for note in p.reading.notes] == ["Second."]
    assert p.reading.version == version


def test_taking_back_without_a_key_is_refused(keeper, p):
    say(keeper, p, note="First.")
    assert keeper.post(f"/sheets/{p.sheet.code}/note/1/1/withdraw/").status_code == 422
    assert len(p.reading.notes) == 1


def test_who_may_not_write_can_say_nothing_and_take_nothing_back(client, keeper, p):
    say(keeper, p, note="First.")
    stranger = Client()
    assert stranger.get(f"/sheets/{p.sheet.code}/note/").status_code == 403
    assert say(stranger, p, note="x").status_code == 403
    assert stranger.post(f"/sheets/{p.sheet.code}/note/1/1/withdraw/", {"key": new_key()}).status_code == 403
    assert len(p.reading.notes) == 1


def test_note_is_text_in_any_script(keeper, p):
    for text in ["<img src=x>", "مرحبا", "🃏"]:
        assert say(keeper, p, note=text).status_code == 303
    html = keeper.get(f"/sheets/{p.sheet.code}/note/?hand=1").content.decode()
    assert "<img src=x>" not in html
    assert "&lt;img src=x&gt;" in html
    assert "مرحبا" in html


def test_row_of_the_sheet_shows_what_was_said_with_a_way_to_the_word(keeper, p):
    say(keeper, p, tag="Kobayashi Maru")
    say(keeper, p, seat="1", note="<i>")
    html = render_to_string(
        "scoresheets/sheet/notes.html", {"notes": said_of_hands(p.reading)[1], "words_url": "/words/dirty-dog/"}
    )
    assert '<a href="/words/dirty-dog/#kobayashi-maru">Kobayashi Maru</a>' in html
    assert "&lt;i&gt;" in html
    assert render_to_string("scoresheets/sheet/notes.html", {"notes": None}).strip() == ""


def test_note_form_takes_three_queries(keeper, p, django_assert_num_queries):
    for number in range(4):
        say(keeper, p, note=f"Note {number}")
    with django_assert_num_queries(3):
        keeper.get(f"/sheets/{p.sheet.code}/note/?hand=1")


def test_note_is_written_in_at_most_ten_statements(keeper, p, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):  # ten, and BEGIN with COMMIT
        assert say(keeper, p, tag="Rascal").status_code == 303
    sure_of(p.undo())
