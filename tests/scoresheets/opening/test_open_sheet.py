"""Opening a sheet: names, seats, the first dealer, the hands, house rules, and who may do it."""

import datetime
from typing import Any

import pytest
import time_machine

from clubs.models import CacheRow, User
from scoresheets.access.scorekeepers import hashed
from scoresheets.log.answers import Refused
from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Revision, Scorekeeper, Seat, Sheet
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, check_set_up, known_players, open_sheet
from tests.factories import PlayerFactory, new_key, opened, scorer, set_up
from tests.scoresheets.conftest import HUGE, Counts, told

PHONE, OTHER_PHONE = hashed("the phone"), hashed("another phone")

pytestmark = pytest.mark.django_db


def codes(wanted: SetUp) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.field) for problem in check_set_up(wanted).problems]


def refused(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


# What stands on a new sheet


def test_a_new_sheet_has_its_set_up_its_seats_and_its_scorekeeper() -> None:
    answer = open_sheet(
        set_up(("Ann", "Bo", "Cy", "Di"), first_dealer=2, dealer_by="champion", plan={"peak": 3}, title="Table 2",
               house_rules={"replan": True}, coming=["Joe"], club_name="The Club", quiet=True),
        browser=PHONE, key=new_key(), keeper_name=" Marge ",
    )  # fmt: skip
    assert isinstance(answer, Opened)
    sheet, keeper = answer.sheet, answer.keeper
    reading = read_sheet(sheet)
    assert reading.setup.seats == (1, 2, 3, 4)
    assert (reading.setup.first_dealer, reading.setup.dealer_choice) == (3, "champion")
    assert (reading.setup.plan, reading.setup.house_rules) == ({"peak": 3}, {"replan": True})
    assert reading.names == {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}
    assert (sheet.title, sheet.club_name, sheet.coming, sheet.quiet) == ("Table 2", "The Club", ["Joe"], True)
    assert (sheet.version, sheet.begun, sheet.finished_at) == (1, False, None)
    assert (keeper.name, keeper.browser, keeper.user) == ("Marge", PHONE, None)
    assert reading.sheet.open is not None
    assert (reading.sheet.open.hand.dealer, reading.sheet.open.hand.cards) == (3, 1)


def test_its_addresses_cannot_be_guessed() -> None:
    sheets = [opened(4).sheet for _ in range(20)]
    told_once = {sheet.code for sheet in sheets} | {sheet.watch for sheet in sheets}
    assert len(told_once) == 40
    assert all(len(token) == 22 for token in told_once)


def test_the_same_tap_opens_one_sheet() -> None:
    key = new_key()
    first = open_sheet(set_up(), browser=PHONE, key=key)
    again = open_sheet(set_up(), browser=PHONE, key=key)
    assert isinstance(first, Opened)
    assert isinstance(again, Opened)
    assert (again.sheet, again.keeper, again.again) == (first.sheet, first.keeper, True)
    assert Player.objects.count() == 4
    other = open_sheet(set_up(), browser=OTHER_PHONE, key=key)
    assert isinstance(other, Opened)
    assert other.sheet != first.sheet


@pytest.mark.parametrize("key", ["", "short", None, 5, "\x00" * 20])
def test_a_post_without_a_key_opens_nothing(key: object) -> None:
    assert refused(open_sheet(set_up(), browser=PHONE, key=key)) == "bad-key"
    assert refused(open_sheet(set_up(), browser="", key=new_key())) == "bad-key"
    assert not Sheet.objects.exists()


# Names


def test_names_are_stripped_and_blanks_in_them_are_one() -> None:
    sheet = opened((" Ann ", "Bo\tB.", "Cy\u3000C", "Di\n")).sheet
    assert list(read_sheet(sheet).names.values()) == ["Ann", "Bo B.", "Cy C", "Di"]


@pytest.mark.parametrize(
    "name",
    ["Дмитрий", "محمد", "דָּוִד", "山田", "Zoë", "👩‍👩‍👧‍👦", "<b>Bo</b>", "O'Neil", "&amp;", "x" * 40, "'; --",
     "{{ x }}", "\u202eoB", "Bo\u200f"],
    ids=told,
)  # fmt: skip
def test_names_in_any_script_are_text(name: str) -> None:
    sheet = opened((name, "Flo", "Gus", "Hal")).sheet
    assert read_sheet(sheet).names[1] == name
    assert Player.objects.filter(name=name).exists()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "no-name"), ("  \t ", "no-name"), ("\u200b", "no-name"), ("\u200d\ufe0f", "no-name"),
        ("x" * 41, "too-long"),
        ("x" * 1_000_000, "too-long"), (" " * 1_000_000, "too-long"), ("B\x00o", "unreadable-text"),
        ("B\x1bo", "unreadable-text"),
        ("B\ud800", "unreadable-text"), ("B\ufffe", "unreadable-text"), ("B\uffff", "unreadable-text"),
        ("B\U0001ffff", "unreadable-text"), ("B\ufdd0", "unreadable-text"),
        ("\x85\x7f", "unreadable-text"), (None, "not-text"), (7, "not-text"),
        (["Bo"], "not-text"),
    ],
    ids=told,
)  # fmt: skip
def test_what_is_no_name_is_refused_with_its_place(name: object, code: str) -> None:
    wanted = set_up(("Ann", name, "Cy", "Di"))
    assert codes(wanted) == [(code, "player-2")]
    assert refused(open_sheet(wanted, browser=PHONE, key=new_key())) == code
    assert not Sheet.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("second", ["Ann", "ANN", " ann "])
def test_a_second_ann_is_asked_for_an_initial(second: str) -> None:
    assert codes(set_up(("Ann", "Bo", second, "Di"))) == [("duplicate-player", "player-3")]


def test_names_that_look_alike_are_the_same_however_they_were_typed() -> None:
    assert codes(set_up(("Zo\u00eb", "Bo", "Zoe\u0308", "Di"))) == [("duplicate-player", "player-3")]
    assert codes(set_up(("Straße", "Bo", "STRASSE", "Di"))) == [("duplicate-player", "player-3")]


def test_who_is_still_coming_needs_a_name_of_their_own_too() -> None:
    assert codes(set_up(4, coming=["ann"])) == [("duplicate-player", "coming-1")]
    assert codes(set_up(4, coming=["Joe", "\x00"])) == [("unreadable-text", "coming-2")]


# What the game says


@pytest.mark.parametrize(("players", "code"), [((), "bad-players"), (("Ann",), "bad-players")])
def test_too_few_are_refused(players: tuple[str, ...], code: str) -> None:
    assert (code, "players") in codes(set_up(players, plan={}))


def test_too_many_are_refused() -> None:
    assert ("bad-players", "players") in codes(set_up([f"P{k}" for k in range(26)], plan={}))


def test_eleven_are_warned_and_may_insist() -> None:
    wanted = set_up([f"P{k}" for k in range(11)], plan={})
    answer = open_sheet(wanted, browser=PHONE, key=new_key())
    assert isinstance(answer, Refused)
    assert answer.unwise
    assert "two tables are better" in answer.problems[0].message
    assert isinstance(open_sheet(wanted, browser=PHONE, key=new_key(), sure=True), Opened)


@pytest.mark.parametrize(
    "wrong",
    [
        {"plan": {"peak": 13}}, {"plan": {"peak": 0}}, {"plan": {"peak": "8"}}, {"plan": {"peak": True}},
        {"plan": {"peak": HUGE}},
        {"plan": {"peak": None}}, {"plan": {"hands": 0}}, {"plan": {"hands": HUGE}}, {"plan": {"hands": 8, "peak": 4}},
        {"plan": {"peak": 3, "extra_rounds": -1}}, {"plan": {"peak": 3, "extra_rounds": HUGE}}, {"plan": {"up": 3}},
        {"house_rules": {"replan": 1}}, {"house_rules": {"replan": "yes"}}, {"house_rules": {"nonsense": True}},
        {"house_rules": {"bottom_buddies_gap": 51}}, {"house_rules": {"bottom_buddies_gap": HUGE}},
        {"house_rules": {"tie_break_cards": 13}},
        {"house_rules": {"\x00": True}}, {"house_rules": {7: True}}, {"house_rules": {"replan": [True]}},
        {"first_dealer": 4}, {"first_dealer": -1}, {"first_dealer": "0"}, {"first_dealer": True},
        {"first_dealer": HUGE},
        {"first_dealer": None}, {"dealer_by": "dice"}, {"dealer_by": None}, {"dealer_by": "\x00"}, {"game": "poker"},
        {"game": None},
        {"game": "\x00"}, {"title": "x" * 81}, {"title": "\x00"}, {"title": None}, {"club_name": "\ud800"},
    ],
    ids=told,
)  # fmt: skip
def test_what_cannot_be_played_is_refused_and_nothing_is_written(wrong: dict[str, object]) -> None:
    answer = open_sheet(set_up(4, **wrong), browser=PHONE, key=new_key(), sure=True)
    assert isinstance(answer, Refused)
    assert not answer.unwise
    assert not Sheet.objects.exists()
    assert not Revision.objects.exists()


def test_every_problem_is_told_at_once() -> None:
    told_at_once = codes(set_up(("Ann", "Ann", "", "Di"), first_dealer=9, plan={"peak": 99}))
    assert told_at_once == [
        ("duplicate-player", "player-2"),
        ("no-name", "player-3"),
        ("bad-first-dealer", "first_dealer"),
        ("bad-peak", "peak"),
    ]


@pytest.mark.parametrize("plan", [{}, {"peak": 8}, {"peak": 3, "extra_rounds": 1}, {"hands": 7}])
def test_every_way_to_say_the_hands_opens_a_table(plan: dict[str, int]) -> None:
    reading = read_sheet(opened(6, plan=plan).sheet)
    assert len(reading.table.schedule) >= 6


# Who is known


def test_chips_are_of_this_phone_alone_the_latest_first() -> None:
    with time_machine.travel(datetime.datetime(2026, 11, 1, 20, tzinfo=datetime.UTC)):
        scorer(("Ann", "Bo", "Cy", "Di"), browser=PHONE).bid(2, 0)
    with time_machine.travel(datetime.datetime(2026, 11, 8, 20, tzinfo=datetime.UTC)):
        opened(("Ed", "Flo", "Gus", "Hal"), browser=PHONE)
        opened(("Stranger", "Other", "Third", "Fourth"), browser=OTHER_PHONE)
    assert [player.name for player in known_players(PHONE)] == ["Ed", "Flo", "Gus", "Hal", "Ann", "Bo", "Cy", "Di"]
    assert known_players("") == []
    assert known_players(hashed("a third")) == []


def test_chips_are_of_the_account_too() -> None:
    user = User.objects.create_user("ann")
    answer = open_sheet(set_up(), browser=OTHER_PHONE, key=new_key(), user=user)
    assert isinstance(answer, Opened)
    assert [player.name for player in known_players(PHONE, user)] == ["Ann", "Bo", "Cy", "Di"]


def test_a_revoked_phone_knows_nobody_any_more() -> None:
    answer = opened(4, browser=PHONE)
    Scorekeeper.objects.filter(pk=answer.keeper.pk).update(revoked_at=answer.keeper.created)
    assert known_players(PHONE) == []


def test_a_pick_seats_the_same_player_and_a_typed_name_a_new_one() -> None:
    first = opened(("Ann", "Bo", "Cy", "Di"), browser=PHONE)
    ann, bo, *_ = known_players(PHONE)
    picked = [Somebody("Ann", ann.pk), Somebody("Bo B.", bo.pk), Somebody("Cy"), Somebody("Di")]
    answer = open_sheet(SetUp("dirty-dog", picked), browser=PHONE, key=new_key())
    assert isinstance(answer, Opened)
    players = list(Seat.objects.filter(sheet=answer.sheet).order_by("number").values_list("player", flat=True))
    before = list(Seat.objects.filter(sheet=first.sheet).order_by("number").values_list("player", flat=True))
    assert players[:2] == before[:2]
    assert not set(players[2:]) & set(before)
    assert read_sheet(answer.sheet).names[2] == "Bo B."
    assert Player.objects.get(pk=bo.pk).name == "Bo"


def test_a_stranger_cannot_be_picked() -> None:
    stranger = PlayerFactory(name="Stranger")
    people = [Somebody("Ann", stranger.pk), Somebody("Bo"), Somebody("Cy", HUGE), Somebody("Di", True)]
    answer = open_sheet(SetUp("dirty-dog", people), browser=PHONE, key=new_key())
    assert isinstance(answer, Opened)
    assert not stranger.seats.exists()


def test_one_player_is_not_seated_twice() -> None:
    opened(("Ann", "Bo", "Cy", "Di"), browser=PHONE)
    ann = known_players(PHONE)[0]
    people = [Somebody("Ann", ann.pk), Somebody("Ann B.", ann.pk), Somebody("Cy"), Somebody("Di")]
    answer = open_sheet(SetUp("dirty-dog", people), browser=PHONE, key=new_key())
    assert isinstance(answer, Opened)
    assert Seat.objects.filter(sheet=answer.sheet, player=ann).count() == 1
    assert Seat.objects.filter(sheet=answer.sheet).values("player").distinct().count() == 4


# Who may


def test_opening_without_an_account_can_be_switched_off(settings: Any) -> None:
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    assert refused(open_sheet(set_up(), browser=PHONE, key=new_key())) == "sign-in-first"
    user = User.objects.create_user("ann")
    answer = open_sheet(set_up(), browser=PHONE, key=new_key(), user=user)
    assert isinstance(answer, Opened)
    assert answer.keeper.user == user


def test_so_many_an_hour_from_one_address(settings: Any) -> None:
    settings.OPEN_SHEETS_PER_HOUR = 2

    def opening(address: str, user: User | None = None) -> object:
        return open_sheet(set_up(), browser=hashed(new_key()), key=new_key(), address=address, user=user)

    with time_machine.travel(datetime.datetime(2026, 11, 20, 20, tzinfo=datetime.UTC), tick=False) as clock:
        assert isinstance(opening("192.0.2.1"), Opened)
        assert isinstance(opening("192.0.2.1"), Opened)
        assert refused(opening("192.0.2.1")) == "too-many-sheets"
        assert isinstance(opening("192.0.2.2"), Opened)
        assert isinstance(opening("192.0.2.1", User.objects.create_user("ann")), Opened)
        clock.shift(datetime.timedelta(hours=1, seconds=1))
        assert isinstance(opening("192.0.2.1"), Opened)


def test_sheets_opened_before_the_clock_was_set_back_keep_nobody_out(settings: Any) -> None:
    settings.OPEN_SHEETS_PER_HOUR = 1

    def opening() -> object:
        return open_sheet(set_up(), browser=hashed(new_key()), key=new_key(), address="192.0.2.1")

    with time_machine.travel(datetime.datetime(2026, 11, 20, 23, tzinfo=datetime.UTC), tick=False) as clock:
        assert isinstance(opening(), Opened)
        clock.shift(datetime.timedelta(hours=-3))
        assert isinstance(opening(), Opened)
        assert refused(opening()) == "too-many-sheets"


def test_the_same_tap_is_answered_though_there_are_too_many_by_now(settings: Any) -> None:
    settings.OPEN_SHEETS_PER_HOUR = 1
    key = new_key()
    assert isinstance(open_sheet(set_up(), browser=PHONE, key=key, address="192.0.2.1"), Opened)
    again = open_sheet(set_up(), browser=PHONE, key=key, address="192.0.2.1")
    assert isinstance(again, Opened)


def test_an_address_is_not_kept() -> None:
    assert isinstance(open_sheet(set_up(), browser=PHONE, key=new_key(), address="192.0.2.77"), Opened)
    assert "192.0.2" not in str([*Sheet.objects.values(), *CacheRow.objects.values()])
    assert CacheRow.objects.filter(cache_key__contains="open_sheet").count() == 1


def test_sheet_that_was_not_opened_is_not_counted(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.OPEN_SHEETS_PER_HOUR = 1

    def fail(*args: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr("scoresheets.opening.open_sheet.lay_out", fail)
        with pytest.raises(RuntimeError):
            open_sheet(set_up(), browser=PHONE, key=new_key(), address="192.0.2.1")
    assert isinstance(open_sheet(set_up(), browser=PHONE, key=new_key(), address="192.0.2.1"), Opened)


def test_the_account_and_not_the_address_is_counted_for_members() -> None:
    answer = open_sheet(
        set_up(), browser=PHONE, key=new_key(), address="192.0.2.1", user=User.objects.create_user("ann")
    )
    assert isinstance(answer, Opened)
    assert not CacheRow.objects.exists()


# What it costs


@pytest.mark.parametrize("players", [4, 10])
def test_opening_asks_the_same_whatever_the_number_of_players(statements: Counts, players: int) -> None:
    scorer(players, browser=PHONE)
    known = known_players(PHONE)
    people = [Somebody(player.name, player.pk) for player in known]
    with statements(most=19):
        assert isinstance(open_sheet(SetUp("dirty-dog", people), browser=PHONE, key=new_key()), Opened)


def test_knowing_somebody_is_one_question(statements: Counts) -> None:
    for _ in range(3):
        opened(6, browser=PHONE)
    with statements(exactly=1):
        assert len(known_players(PHONE)) == 18
