"""A sheet made of a sheet file: what it comes to, what is refused, and that it is written once."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from rules.core.files.results import result_document
from rules.core.files.sheet_file import Refused, score_document
from scoresheets.commands import enter
from scoresheets.files.sheet_file import MOST_BYTES, FileRefused, Wrong, open_from_file, sheet_file_of
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Entry, FinalPlacing, Player, Revision, Sheet
from scoresheets.opening.open_sheet import Opened
from scoresheets.pad.bidding_pad import BiddingPad
from scoresheets.pad.build import pad_of, page_of
from scoresheets.views.public.download import MOST_SHOWN, import_page
from tests.factories import new_key, scorer, sure_of
from tests.rules.examples import examples_of, games_with_examples
from tests.scoresheets.laid import document, hand
from tests.scoresheets.people import arrive

pytestmark = pytest.mark.django_db

SHEETS = Path(__file__).parents[2] / "sheets"
GAMES = {
    file.stem: json.loads(file.read_text("utf-8"))["document"] for file in sorted((SHEETS / "games").glob("*.json"))
}
#: Those of sheets: a play-off is no sheet.
EXAMPLES = {game.slug: [case["document"] for case in examples_of(game)] for game in games_with_examples()}
HAND = hand("Bo Cy Di Ann", "0000", "1000")


def brought(said: object, key: str = "", browser: str = "a browser") -> Opened | FileRefused:
    """What becomes of a file, or of its bytes."""
    content = said if isinstance(said, bytes) else json.dumps(said).encode()
    return open_from_file(content, browser=browser, key=key or new_key(), address=new_key())


def kept(said: object) -> SheetReading:
    """The sheet made of the file."""
    opened = brought(said)
    assert isinstance(opened, Opened), opened
    return read_sheet(Sheet.objects.get(pk=opened.sheet.pk))


def answer_to(said: dict[str, object]) -> dict[str, object]:
    """What the command line says to the file."""
    try:
        return score_document(json.dumps(said))
    except Refused as refused:
        return refused.document()


def comes_to(reading: SheetReading) -> dict[str, object]:
    """The result document of a sheet on the site."""
    numbers = [row.hand.number for row in reading.sheet.rows]
    return result_document(reading.sheet, reading.names, {number: reading.names_at(number) for number in numbers})


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("said", GAMES.values(), ids=GAMES.keys())
def test_golden_game_comes_to_what_the_command_line_says_and_is_written_out_the_same(said):
    reading = kept(said)
    assert comes_to(reading) == score_document(json.dumps(said))
    out = sheet_file_of(reading)
    assert sheet_file_of(kept(out)) == out
    assert {key: out[key] for key in said if key in out} | {"hands": out["hands"]} == {**said, "hands": out["hands"]}
    assert score_document(json.dumps(out)) == score_document(json.dumps(said))


@pytest.mark.thorough
@pytest.mark.parametrize("examples", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_worked_examples_come_to_what_the_command_line_says_or_are_refused_like_there(examples):
    refused = 0
    for said in examples:
        wanted = answer_to(said)
        if "problems" in wanted:
            found = brought(said)
            assert isinstance(found, FileRefused)
            assert [one.code for one in found.wrong] == [problem["code"] for problem in wanted["problems"]]
            refused += 1
            continue
        reading = kept(said)
        assert comes_to(reading) == wanted
        out = sheet_file_of(reading)
        assert sheet_file_of(kept(out)) == out
    assert Sheet.objects.count() == 2 * (len(examples) - refused)


SAID = {
    "a substitute, and one for the substitute": document(
        hands=[HAND, {"substitute": "Gus", "for": "Cy"}, {"substitute": "Ida", "for": "Gus"},
               {"void": True}, hand("Ida Di Ann Bo", "1000", "1100")], plan={"hands": 4}),
    "one who takes over again": document(
        hands=[{"substitute": "Gus", "for": "Cy"}, hand("Bo Gus Di Ann", "0000", "1000"),
               {"substitute": "Cy", "for": "Ann"}], plan={"hands": 4}),
    "who comes, goes and comes back": document(
        hands=[HAND, {"arrives": "Ed", "left_of": "Ann"}, {"leaves": "Bo"}, {"arrives": "Bo"}], plan={"hands": 4}),
    "another order": document(hands=[HAND, {"reseated": ["Di", "Bo", "Ann", "Cy"]}], plan={"hands": 4}),
    "hands kept elsewhere": document(
        hands=[{"carried": {"hands": 3, "totals": {"Ann": 3, "Bo": -4, "Cy": 0, "Di": 12}, "last_dealer": "Cy"}}],
        plan={"hands": 8}),
    "The Rule, missed, a turned ace and an open hand": document(
        hands=[hand("Bo Cy Di Ann", "1000", "1000", rule_missed=True, turned="AS"),
               hand("Cy Di", "10", trump="H")], plan={"hands": 4}),
    "notes, club, table and day": document(
        hands=[HAND | {"note": "It rained."}], plan={"hands": 4}, club="The Pack", table="Two", played_on="2019-03-02",
        notes="A long evening."),
    "nothing but names": document(plan={"hands": 4}),
    "eleven events before one hand": document(
        hands=[{"substitute": f"P{n}", "for": f"P{n - 1}" if n else "Cy"} for n in range(11)], plan={"hands": 4}),
}  # fmt: skip


@pytest.mark.parametrize("said", SAID.values(), ids=SAID.keys())
def test_what_happened_at_a_table_comes_in_and_goes_out_the_same(said):
    out = sheet_file_of(kept(said))
    day = {"played_on": out["played_on"], "first_dealer": "Ann"}
    assert out == {**day, **said}
    assert score_document(json.dumps(out)) == comes_to(kept(said))


def test_file_of_a_running_sheet_goes_on_where_it_was():
    p = scorer(4, title="Two", house_rules={"leaver_may_win": True})
    p.clear_hand()
    sure_of(enter.note(p.sheet, 1, tag="Dirt Bag", seat=3, text="again", key=new_key(), by=p.by))
    sure_of(enter.misdeal(p.sheet, 2, 1, key=new_key(), by=p.by))
    sure_of(p.bid(3, 1))
    reading = kept(sheet_file_of(p.reading))
    assert sheet_file_of(reading) == sheet_file_of(p.reading)
    assert reading.sheet.open.hand.steps == {"bid-3": {"bid": 1}}
    assert reading.record.begun
    assert reading.record.finished_at is None


def test_of_a_file_the_pad_takes_back_what_was_played_last():
    p = scorer(4)
    p.clear_hand()
    sure_of(enter.misdeal(p.sheet, 2, 1, key=new_key(), by=p.by))
    sure_of(arrive(p, "Joe"))
    sure_of(p.bid(3, 0))
    reading = kept(sheet_file_of(p.reading))
    for back, gone in (
        ({"version": 2, "name": "Cy", "what": "0"}, (2, "bid-3")),
        ({"version": 2, "says": ["", "Joe", " joins"]}, (2, "arrive-2")),
        ({"version": 2, "what": "the misdeal"}, (2, "misdeal-1")),
    ):
        assert BiddingPad(pad_of(reading), page_of(reading)).back == back
        before, by = reading, reading.record.scorekeepers.get()
        reading = sure_of(enter.undo(before.record, 2, key=new_key(), by=by)).reading
        assert before.entries.keys() - reading.entries.keys() == {gone}


def test_of_a_file_nothing_is_taken_back_that_has_lost_its_place():
    p = scorer(4)
    for _ in range(3):
        p.any_hand()
    record = kept(sheet_file_of(p.reading)).record
    Entry.objects.filter(sheet=record, hand=2, ask="tricks").update(withdrawn_by=record.revisions.first())
    before = read_sheet(record)
    after = sure_of(enter.undo(record, 2, key=new_key(), by=record.scorekeepers.get())).reading
    assert before.entries.keys() - after.entries.keys() == {(2, "bid-2")}
    assert (3, "tricks") in after.sheet.unread


def test_finished_game_is_published_with_players_of_its_own():
    reading = kept(GAMES["dirty_dog-level_at_both_ends"])
    assert reading.record.finished_at is not None
    assert FinalPlacing.objects.filter(sheet=reading.record).count() == 6
    assert Player.objects.count() == 6


def test_everything_in_the_file_is_one_write_beside_the_opening():
    reading = kept(GAMES["dirty_dog-comings_and_goings"])
    assert list(Revision.objects.order_by("version").values_list("verb", flat=True)) == ["open", "paper"]
    assert Entry.objects.filter(sheet=reading.record).count() > 100


def test_same_key_finds_the_same_sheet_and_with_another_file_none():
    key = new_key()
    first, again = brought(GAMES["dirty_dog-stopped_early"], key), brought(GAMES["dirty_dog-stopped_early"], key)
    assert isinstance(first, Opened)
    assert isinstance(again, Opened)
    assert (first.sheet, again.again) == (again.sheet, True)
    other = brought(GAMES["dirty_dog-whole_deck"], key)
    assert isinstance(other, FileRefused)
    assert other.code == "key-used"
    assert Sheet.objects.count() == 1


def test_all_problems_are_said_with_hand_player_and_field():
    found = brought(document(hands=[hand("Bo Cy Di Ann", "9000", "1100"), HAND], plan={"hands": 4}))
    assert isinstance(found, FileRefused)
    said = [(one.where, one.code) for one in found.wrong]
    assert ("Hand 1, Bo, bids", "bid-out-of-range") in said
    assert ("Hand 1, tricks", "tricks-sum") in said
    assert ("Hand 2, Bo, bids", "wrong-players") in said or len(said) > 2
    assert not Sheet.objects.exists()


@pytest.mark.parametrize(
    ("said", "where"),
    [
        (document("A\x07b Bo Cy Di") | {"plan": {"hands": 4}}, 'The name "A\\u0007b"'),
        (document(plan={"hands": 4}, table="x" * 81), "Table"),
        (document(plan={"hands": 4}, notes="x" * 20_001), "The notes"),
        (document(hands=[HAND | {"note": "x" * 20_001}], plan={"hands": 4}), "The note on hand 1"),
    ],
    ids=["a bell in a name", "a long title", "long notes", "a long note"],
)
def test_text_that_cannot_be_kept_is_refused_with_its_place(said, where):
    found = brought(said)
    assert isinstance(found, FileRefused)
    assert [one.where for one in found.wrong] == [where]
    assert not Sheet.objects.exists()


def test_character_that_is_none_is_left_out_of_a_note():
    reading = kept(document(hands=[HAND | {"note": "a\x00b"}], plan={"hands": 4}))
    assert [note.note for note in reading.notes] == ["a b"]


def test_taking_back_on_a_sheet_from_a_file_opens_its_last_hand_again():
    opened = brought(SAID["a substitute, and one for the substitute"])
    before = read_sheet(opened.sheet)
    for _ in range(7):
        sheet = Sheet.objects.get(pk=opened.sheet.pk)
        taken = enter.undo(sheet, 2, key=new_key(), by=opened.keeper)
        sure_of(taken)
    reading = read_sheet(Sheet.objects.get(pk=opened.sheet.pk))
    assert len(before.sheet.rows) - len(reading.sheet.rows) == 1
    assert reading.names[3] == "Gus"
    assert reading.sheet.open.hand.number == 2


# The page


def sent(client, content: bytes, **more: object):
    file = SimpleUploadedFile("sheet.json", content, content_type="application/json")
    return client.post("/import/", {"file": file, "key": new_key(), **more})


def test_page_opens_the_sheet_and_this_browser_may_write_on_it(client):
    assert client.get("/import/").status_code == 200
    response = sent(client, json.dumps(GAMES["dirty_dog-level_at_both_ends"]).encode())
    sheet = Sheet.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/sheets/{sheet.code}/")
    assert sheet.scorekeepers.count() == 1
    assert "Download this sheet" in client.get(response["Location"]).content.decode()


@pytest.mark.parametrize(
    ("content", "status", "sentence"),
    [
        (b"no json", 422, "The sheet file cannot be read"),
        (b"\xff", 422, "not UTF-8"),
        (b"", 422, "The sheet file cannot be read"),
        (b"[" * 100, 422, "Nested deeper"),
        (b" " * (MOST_BYTES + 1), 413, "larger than 240 kB"),
        (json.dumps(document("Ann Ann")).encode(), 422, "That name sits at the table twice."),
    ],
    ids=["no JSON", "no text", "nothing", "nested", "too large", "twice the same"],
)  # fmt: skip
def test_page_says_what_is_wrong_and_opens_nothing(client, content, status, sentence):
    response = sent(client, content)
    assert response.status_code == status
    assert sentence in response.content.decode()
    assert not Sheet.objects.exists()


def test_page_without_a_file_or_a_key_says_so(client):
    assert client.post("/import/", {"key": new_key()}).status_code == 422
    assert client.post("/import/", {"file": "no file"}).status_code == 422
    assert sent(client, json.dumps(GAMES["dirty_dog-stopped_early"]).encode(), key="short").status_code == 422


@pytest.mark.parametrize(("wrong", "more"), [(1, None), (MOST_SHOWN, None), (MOST_SHOWN + 7, "And 7 more.")])
def test_so_many_problems_are_shown_and_the_others_counted(wrong, more):
    problems = [Wrong(f"hands.{number}", "That is no hand.", "bad-document") for number in range(wrong)]
    request = RequestFactory().get("/import/")
    page = import_page(request, problems, status=422).render().content.decode()
    assert page.count("That is no hand.") == min(wrong, MOST_SHOWN)
    assert re.findall(r"And -?\d+ more\.", page) == ([more] if more else [])


def test_names_in_a_problem_are_text_and_nothing_else(client):
    response = sent(client, json.dumps(document("<script>x</script> <script>x</script>")).encode())
    assert "<script>x" not in response.content.decode()


def test_who_opens_very_many_must_wait(client, settings):
    settings.OPEN_SHEETS_PER_HOUR = 1
    said = json.dumps(document(plan={"hands": 4}, played_on="1999-01-01")).encode()
    assert sent(client, said).status_code == 303
    refused = sent(client, said)
    assert (refused.status_code, refused["Retry-After"]) == (429, "600")


def test_site_for_members_opens_none_without_an_account(client, settings):
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    assert client.get("/import/").status_code == 403
    assert sent(client, b"{}").status_code == 403
