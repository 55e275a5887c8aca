"""The demo: two sheets of every game to look at, and away with them again."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import TestCase, override_settings

from clubs.demo import sheets as demo
from clubs.owner.closing import close_sheet, open_sheet_again
from rules import all_games
from scoresheets.access.scorekeepers import find_link, hashed, join_by_link
from scoresheets.log.state import read_sheet
from scoresheets.models import Player, ShareLink, Sheet
from scoresheets.opening.sweep import sweep
from tests.factories import scorer

pytestmark = pytest.mark.django_db


def said(*arguments):
    """What the command says."""
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue().strip()


def reading_of(script):
    return read_sheet(demo.demo_sheets(script).get())


def told(sheet):
    """Everything a sheet of the rules says, without who it is about in the database."""
    rows = [(dict(row.points), dict(row.totals), row.boxed, row.circled) for row in sheet.rows]
    return rows, sheet.winner, sheet.loser, sheet.placings, sheet.waiting


@pytest.mark.thorough
def test_demo_is_loaded_once_and_removed_without_a_trace():
    assert said() == "Loaded 12 demo sheets and the demo club."
    assert said() == "Loaded no demo sheet."
    assert demo.demo_sheets().count() == 12
    demo.links()
    assert said("--remove") == "Removed 12 demo sheets and the demo club."
    assert (Sheet.objects.count(), Player.objects.count(), ShareLink.objects.count()) == (0, 0, 0)
    assert said("--remove") == "Removed no demo sheet."


@pytest.mark.thorough
def test_quiet_command_says_nothing():
    assert said("--verbosity=0") == ""


def test_demo_is_the_same_every_time():
    demo.load()
    first = [told(reading_of(script).sheet) for script in demo.scripts()]
    demo.remove()
    demo.load()
    assert [told(reading_of(script).sheet) for script in demo.scripts()] == first


def test_other_sheets_and_players_stay_when_the_demo_goes():
    mine = scorer(["Ann", "Gus", "Zoe"], title="Demo: a running game")
    demo.load()
    demo.remove()
    assert list(Sheet.objects.all()) == [mine.sheet]
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Ann", "Gus", "Zoe"]


def test_no_browser_can_open_a_sheet_that_passes_for_the_demo():
    scorer(6, browser=hashed(demo.THE_DEMO))
    assert not demo.demo_sheets().exists()
    assert len(hashed("any secret")) != len(demo.THE_DEMO), "a browser is known by a hash, which this is not"


def test_demo_is_loaded_where_strangers_may_not_open_sheets(settings):
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    assert demo.load() == 12


class TestLoaded(TestCase):
    """What is to be seen when it is loaded, which takes its time and is done once."""

    @classmethod
    def setUpTestData(cls):
        demo.load()

    def test_finished_sheet_was_level_at_both_ends(self):
        reading = reading_of(demo.script("finished"))
        sheet = reading.sheet
        assert sheet.finished
        assert reading.record.finished_at is not None
        assert len(sheet.rows) == 18
        assert len(sheet.boxed) > 1
        assert len(sheet.circled) > 1
        assert sheet.settlement.ties
        assert sheet.settlement.draws
        assert sheet.winner in sheet.boxed
        assert sheet.loser in sheet.circled

    def test_running_sheet_stands_in_the_middle_of_the_bidding_of_hand_7(self):
        sheet = reading_of(demo.script("running")).sheet
        assert (len(sheet.rows), sheet.open.hand.number, sheet.open.missing.name) == (6, 7, "bid-5")
        bids = [name for name in sheet.open.hand.steps if name.startswith("bid-")]
        assert 0 < len(bids) < 6
        assert len(sheet.coming()) == 12

    def test_every_game_has_a_finished_and_a_running_sheet_of_its_own_people(self):
        for game in all_games():
            own = [script for script in demo.scripts() if script.game == game.slug]
            assert len(own) == 2, f"Write fixtures/demo/{game.module}-finished.json and {game.module}-running.json"
            finished, running = map(reading_of, own)
            assert finished.sheet.finished, game
            assert finished.sheet.winner, game
            assert finished.record.finished_at is not None, game
            assert running.sheet.open, game
            assert running.sheet.rows, game
            assert "running" in running.record.title
        people = Player.objects.filter(seats__sheet__in=demo.demo_sheets())
        assert people.count() == people.distinct().count() == len({player.name for player in people})

    def test_running_sheets_wait_in_the_middle_of_a_hand(self):
        waiting = {
            script.game: (r.sheet.open.hand.number, len(r.sheet.open.hand.steps), len(r.sheet.table.legs))
            for script in demo.scripts()
            if script.is_running and (r := reading_of(script))
        }
        expected = {
            "dirty-dog": (7, 4, 0), "dingo": (3, 6, 0), "dirty-deals": (10, 0, 2), "bird-dog": (5, 2, 0),
            "hotdog": (6, 2, 1),
        }  # fmt: skip
        assert waiting.items() >= expected.items()

    def test_other_games_are_led_to_as_well(self):
        found = demo.links_of_others()
        others = {script.game for script in demo.scripts()} - {demo.script("running").game}
        assert sorted(name for name, _, _ in found) == [game.name for game in all_games() if game.slug in others]
        assert found == demo.links_of_others()
        assert len({keep for _, keep, _ in found}) == len(others)
        for _, keep, watch in found:
            assert self.client.get(keep).status_code == 200
            assert self.client.get(watch).status_code == 200

    def test_nothing_on_a_demo_sheet_is_unread_and_something_is_said_about_a_hand(self):
        for script in demo.scripts():
            assert reading_of(script).sheet.unread == ()
            notes = [note.tag or note.note for note in reading_of(script).notes]
            assert notes == ([script.says.get("tag") or script.says["text"]] if script.says else [])

    @override_settings(BLANK_SHEETS_STAY_HOURS=0)
    def test_demo_is_not_swept(self):
        assert sweep() == 0
        assert demo.demo_sheets().count() == 12

    def test_links_open_the_running_sheet_and_stay_the_same(self):
        found = demo.links()
        assert found == demo.links()
        assert ShareLink.objects.count() == 1
        assert self.client.get(found["watch"]).status_code == 200
        assert self.client.get(found["keep"]).status_code == 200
        token = found["keep"].strip("/").split("/")[-1]
        keeper = join_by_link(token, hashed("a phone"))
        assert keeper.sheet == demo.demo_sheets(demo.script("running")).get()
        assert token not in str(list(ShareLink.objects.values())), "only its hash is kept"

    def test_sheet_that_the_owner_closed_and_opened_again_gets_a_new_link_each_time(self):
        sheet = demo.demo_sheets(demo.script("running")).get()
        found = [demo.links()["keep"]]
        for _ in range(2):
            close_sheet(sheet)
            open_sheet_again(sheet)
            found.append(demo.links()["keep"])
            assert demo.links()["keep"] == found[-1]
            assert self.client.get(found[-1]).status_code == 200
            assert self.client.get(found[-2]).status_code == 404
        assert len(set(found)) == 3

    def test_new_secret_of_the_site_ends_the_old_link(self):
        old = demo.keeper_token()
        demo.links()
        with self.settings(SECRET_KEY="another" * 9):
            new = demo.keeper_token()
            assert new != old
            demo.links()
        assert find_link(old) is None
        assert find_link(new)


def test_there_is_nothing_to_lead_to_where_there_is_no_demo():
    assert demo.links() == {}
    assert demo.links_of_others() == []
