"""The words of a table: the game's, and those its scorekeepers add."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from rules import all_games
from rules.core.problems import Problem
from scoresheets.models import GlossaryTerm, Scorekeeper
from scoresheets.wording.glossary import MOST_WORDS, add_word, anchor, glossary, own_words, withdraw_word
from tests.factories import ScorekeeperFactory, hashed, scorer

pytestmark = pytest.mark.django_db

SECRET = "a" * 22


@pytest.fixture
def p():
    """A sheet that the browser of `keeper` may write on."""
    return scorer(browser=hashed(SECRET))


@pytest.fixture
def keeper(client: Client) -> Client:
    client.cookies["pencil"] = SECRET
    return client


def codes(answer) -> list[str]:
    assert isinstance(answer, tuple), answer
    return [problem.code for problem in answer]


# The page


@pytest.mark.parametrize("where", ["sheet", "watch", "game"])
def test_every_word_of_the_game_stands_under_its_anchor(client, p, where):
    address = {"sheet": f"/sheets/{p.sheet.code}/words/", "watch": f"/watch/{p.sheet.watch}/words/"}
    html = client.get(address.get(where, "/words/dirty-dog/")).content.decode()
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    for word in p.reading.game.words:
        assert anchor(word) in ids
        assert word.meaning in html.replace("&#x27;", "'")


def test_call_outs_are_anchored_by_their_slug():
    for game in all_games():
        for word in game.words:
            assert not word.call or anchor(word) == word.call
        anchors = [anchor(word) for word in game.words]
        assert len(anchors) == len(set(anchors))


def test_watchers_are_given_no_form_no_cookie_and_no_way_to_the_scorekeepers_pages(client, p):
    response = client.get(f"/watch/{p.sheet.watch}/words/")
    main = response.content.decode().split("<main")[1].split("</main>")[0]
    assert "<form" not in main
    assert p.sheet.code not in main
    assert response.cookies == {}


def test_who_may_not_write_is_given_no_form(client, p):
    html = client.get(f"/sheets/{p.sheet.code}/words/").content.decode()
    assert "Add a word" not in html


# Adding and taking away


def test_added_word_is_shown_to_scorekeeper_and_watchers_and_on_their_other_sheets(keeper, p):
    other = scorer(browser=hashed(SECRET))
    stranger = scorer(browser=hashed("b" * 22))
    answer = keeper.post(f"/sheets/{p.sheet.code}/words/add/", {"term": "The Wobble", "meaning": "Bidding twice."})
    word = GlossaryTerm.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/sheets/{p.sheet.code}/words/#own-{word.pk}")
    for path in [f"sheets/{p.sheet.code}", f"watch/{p.sheet.watch}", f"watch/{other.sheet.watch}"]:
        assert "The Wobble" in Client().get(f"/{path}/words/").content.decode()
    assert "The Wobble" not in Client().get(f"/watch/{stranger.sheet.watch}/words/").content.decode()
    assert "The Wobble" not in Client().get("/words/dirty-dog/").content.decode()


def test_own_meaning_of_a_word_of_the_game_stands_with_that_word(p):
    add_word("  dirt   BAG ", "Who leads trump too early.", by=p.by)
    told = glossary(p.reading.game, own_words(p.sheet))
    assert told.own == ()
    assert [(word.term, [own.meaning for own in word.added]) for word in told.at_the_table if word.added] == [
        ("Dirt Bag", ["Who leads trump too early."])
    ]


def test_same_word_with_the_same_meaning_again_is_agreed_with(p):
    first = add_word("Wobble", "Bidding twice.", by=p.by)
    assert add_word("WOBBLE", "Bidding  twice. ", by=p.by) == first
    assert GlossaryTerm.objects.count() == 1


def test_same_word_with_another_meaning_is_refused_until_it_is_taken_away(p):
    first = add_word("Wobble", "Bidding twice.", by=p.by)
    assert codes(add_word("Wobble", "Bidding thrice.", by=p.by)) == ["word-stands"]
    assert withdraw_word(first.pk, by=p.by) is None
    assert add_word("Wobble", "Bidding thrice.", by=p.by).meaning == "Bidding thrice."
    assert GlossaryTerm.objects.count() == 2, "taken away, not deleted"


@pytest.mark.parametrize(
    ("term", "meaning", "wrong"),
    [
        ("", "Something.", ["no-name"]),
        ("\u200d", "Something.", ["no-name"]),
        ("Wobble", " ", ["no-meaning"]),
        ("", "", ["no-name", "no-meaning"]),
        ("x" * 41, "Something.", ["too-long"]),
        ("Wobble", "x" * 201, ["too-long"]),
        ("Wob\x00ble", "Something.", ["unreadable-text"]),
        (7, None, ["not-text", "not-text"]),
    ],
)
def test_what_is_no_word_is_refused(p, term, meaning, wrong):
    assert codes(add_word(term, meaning, by=p.by)) == wrong
    assert GlossaryTerm.objects.count() == 0


def test_there_is_an_end_to_own_words(p):
    for number in range(MOST_WORDS):
        assert isinstance(add_word(f"Word {number}", "One more.", by=p.by), GlossaryTerm)
    assert codes(add_word("Another", "One too many.", by=p.by)) == ["too-many-words"]
    withdraw_word(GlossaryTerm.objects.order_by("pk")[0].pk, by=p.by)
    assert isinstance(add_word("Another", "Room again.", by=p.by), GlossaryTerm)


def test_refused_word_is_given_back_with_what_is_wrong(keeper, p):
    response = keeper.post(f"/sheets/{p.sheet.code}/words/add/", {"term": "Wobble <i>", "meaning": ""})
    html = response.content.decode()
    assert response.status_code == 422
    assert 'value="Wobble &lt;i&gt;"' in html
    assert "Say what it means." in html
    assert GlossaryTerm.objects.count() == 0


@pytest.mark.parametrize("post", [{}, {"term": "x" * 100_000, "meaning": "\x07"}, {"term": ["a", "b"]}])
def test_broken_posts_are_refused(keeper, p, post):
    assert keeper.post(f"/sheets/{p.sheet.code}/words/add/", post).status_code == 422


def test_who_may_not_write_on_the_sheet_cannot_add_or_take_away(client, p):
    word = add_word("Wobble", "Bidding twice.", by=p.by)
    for path in ["add", f"{word.pk}/withdraw"]:
        path = f"/sheets/{p.sheet.code}/words/{path}/"
        assert client.post(path, {"term": "a", "meaning": "b"}).status_code == 403
        assert client.get(path).status_code == 405
    assert GlossaryTerm.objects.standing().count() == 1


def test_scorekeeper_takes_their_own_word_away_once_or_twice(keeper, p):
    word = add_word("Wobble", "Bidding twice.", by=p.by)
    for _ in range(2):
        answer = keeper.post(f"/sheets/{p.sheet.code}/words/{word.pk}/withdraw/")
        assert (answer.status_code, answer["Location"]) == (303, f"/sheets/{p.sheet.code}/words/#own")
    assert own_words(p.sheet) == []


def test_word_of_another_scorekeeper_is_shown_but_not_taken_away(keeper, p):
    second = ScorekeeperFactory(sheet=p.sheet)
    word = add_word("Wobble", "Bidding twice.", by=second)
    html = keeper.get(f"/sheets/{p.sheet.code}/words/").content.decode()
    assert "Wobble" in html
    assert ">Remove<" not in html
    assert keeper.post(f"/sheets/{p.sheet.code}/words/{word.pk}/withdraw/").status_code == 404
    assert keeper.post(f"/sheets/{p.sheet.code}/words/{10**30}/withdraw/").status_code == 404
    assert GlossaryTerm.objects.standing().count() == 1


def test_words_go_with_a_scorekeeper_who_is_revoked(p):
    second = ScorekeeperFactory(sheet=p.sheet)
    add_word("Wobble", "Bidding twice.", by=second)
    second.revoked_at = timezone.now()
    second.save()
    assert own_words(p.sheet) == []


def test_scorekeeper_by_account_alone_has_words_too(p):
    user = get_user_model().objects.create_user("marge")
    by = Scorekeeper.objects.create(sheet=p.sheet, user=user, browser="", created=timezone.now())
    word = add_word("Wobble", "Bidding twice.", by=by)
    assert own_words(p.sheet) == [word]
    assert word.belongs_to(by)
    assert not word.belongs_to(p.by)
    assert isinstance(withdraw_word(word.pk, by=p.by), Problem)
    assert withdraw_word(word.pk, by=by) is None


def test_database_holds_one_standing_word_of_a_kind_for_each_browser(p):
    word = add_word("Wobble", "Bidding twice.", by=p.by)
    with pytest.raises(IntegrityError):
        GlossaryTerm.objects.create(
            term="wobble", folded=word.folded, meaning="x", browser=word.browser, added_at=word.added_at
        )


def test_words_in_any_script_and_with_markup_are_text(keeper, p):
    for term in ["<script>x</script>", "ضربة", "🃏 joker", "'\"&"]:
        assert isinstance(add_word(term, f"{term}!", by=p.by), GlossaryTerm)
    html = keeper.get(f"/sheets/{p.sheet.code}/words/").content.decode()
    assert "<script>x" not in html
    assert "&lt;script&gt;x&lt;/script&gt;" in html
    assert "ضربة" in html
    assert "🃏 joker" in html


def test_words_page_takes_two_queries_however_many_words(keeper, p, django_assert_num_queries):
    for number in range(5):
        add_word(f"Word {number}", "One more.", by=p.by)
    with django_assert_num_queries(2):
        keeper.get(f"/sheets/{p.sheet.code}/words/")
    with django_assert_num_queries(2):
        Client().get(f"/watch/{p.sheet.watch}/words/")
    with django_assert_num_queries(0):
        Client().get("/words/dirty-dog/")


# One word, for a panel


def test_one_word_is_told_alone_with_what_the_table_adds(client, p):
    add_word("Door Knob", "Or who <b>opens</b> badly.", by=p.by)
    html = client.get(f"/watch/{p.sheet.watch}/words/?only=door-knob").content.decode()
    assert "Set in at least three of your last four hands." in html
    assert "Or who &lt;b&gt;opens&lt;/b&gt; badly." in html
    assert "<html" not in html
    assert "Spooning" not in html


def test_one_word_can_be_told_wherever_the_words_are(client, p):
    for path in ["words/dirty-dog", f"sheets/{p.sheet.code}/words", f"watch/{p.sheet.watch}/words"]:
        assert client.get(f"/{path}/?only=sbr").status_code == 200
        for unknown in ["", "x" * 5000, "own-1"]:
            assert client.get(f"/{path}/", {"only": unknown}).status_code == 404


def test_field_is_called_invalid_where_it_is(keeper, p):
    for term, is_wrong in (("x" * 200, True), ("Wobble", False)):
        answer = keeper.post(f"/sheets/{p.sheet.code}/words/add/", {"term": term, "meaning": "", "key": "k" * 22})
        assert answer.status_code == 422
        (field,) = re.findall(r'<input id="term"[^>]*>', answer.content.decode())
        assert ('aria-invalid="true"' in field) == is_wrong


def test_who_watches_is_told_who_can_add_a_note(client, keeper, p):
    told = "The scorekeeper can add a note to the hand."
    assert told in client.get(f"/watch/{p.sheet.watch}/words/").content.decode()
    kept = keeper.get(f"/sheets/{p.sheet.code}/words/").content.decode()
    assert told not in kept
    assert "add a note to the hand</a>, and say below what your table means by it." in kept
