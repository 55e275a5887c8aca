"""An organiser plans a play-off from the roll call: each number with one tap, then its groups are drawn and opened."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from clubs.models import Attendance, Club, KeptApart, Member, Night, PlayOff, Stage, Standing, Table
from clubs.play_offs.plan import Planned
from clubs.views.play_offs.plan import CANNOT_BE, CLOSED, IS_THERE, TOO_FEW
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, TrophyFactory, UserFactory
from tests.clubs.evenings import SEVEN, THURSDAY, called, calls, drawn, night_page, organiser_of, people, press

OTHER_HANDS = "By Rule 14 every table plays the same number of hands."

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]


def plan_page(client: Client, night: Night) -> Any:
    return client.get(night_page(night, "play-off/plan")).context


def tap(client: Client, night: Night, **what: Any) -> Any:
    """A button on the page of the plan, as it stands."""
    saw = plan_page(client, night)["drawing"].mark
    return client.post(night_page(night, "play-off/plan"), {"saw": saw, **what})


def step(client: Client, night: Night, key: str, *, up: bool) -> Any:
    """A tap on the plus or the minus of a number."""
    stepper = next(one for one in plan_page(client, night)["steppers"] if one.key == key)
    return tap(client, night, plan=stepper.more if up else stepper.less)


def says(client: Client, night: Night) -> list[str]:
    """Every sentence that stands beside a number."""
    return [sentence for stepper in plan_page(client, night)["steppers"] for sentence in stepper.says]


def kept(night: Night) -> dict[str, Any]:
    night.refresh_from_db()
    found: dict[str, Any] = night.drawn.get("play_off", {})
    return found


# What is proposed


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (12, "12 players: two groups of 6, top three each, finals of 6 and 6, done about "),
        (13, "13 players: 7 and 6, top three each, finals of 6 and 7, done about "),
        (24, "24 players: three groups of 8, top three and bottom three, finals of 9 and 9, done about "),
    ],
)
def test_it_is_proposed_as_a_sentence_with_its_end(club: Club, night: Night, count: int, says: str) -> None:
    called(night, people(club, count))
    client = organiser_of(club)
    page = plan_page(client, night)
    assert page["says"].startswith(says)
    if count == 24:
        assert page["says"].endswith("; the other six are done and may open a table just for fun")
        assert any("another round" in other.says for other in page["others"])
    # Looking keeps nothing.
    assert kept(night) == {}


def test_its_end_is_said_by_the_clock_of_the_club_to_five_minutes(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    page = plan_page(client, night)
    minutes = page["hours"].minutes
    done = SEVEN + datetime.timedelta(minutes=minutes)
    shown = datetime.datetime.combine(THURSDAY, datetime.time.fromisoformat(page["hours"].at), datetime.UTC)
    assert (shown.minute % 5, abs(shown - done) <= datetime.timedelta(minutes=2.5)) == (0, True)
    Club.objects.filter(pk=club.pk).update(time_zone="Europe/Berlin")
    hour_later = plan_page(client, night)["hours"].at
    assert hour_later == (shown + datetime.timedelta(hours=1)).strftime("%H:%M")
    # A night that begins later is done later.
    Club.objects.filter(pk=club.pk).update(time_zone="UTC")
    Night.objects.filter(pk=night.pk).update(begins=datetime.time(20))
    assert plan_page(client, night)["hours"].at == (shown + datetime.timedelta(hours=1)).strftime("%H:%M")


def test_roll_call_leads_to_it_where_more_than_ten_are_here(club: Club, night: Night) -> None:
    members = people(club, 13)
    client = organiser_of(club)
    ten = client.get(night_page(night, "roll-call"))
    assert ten.context["tally"]["instead"] == ""
    answered = client.post(night_page(night, "roll-call"), calls(members) | {"do": "play-off"})
    assert (answered.status_code, answered["Location"]) == (303, night_page(night, "play-off/plan"))
    roll = client.get(night_page(night, "roll-call"))
    assert roll.context["tally"]["instead"].startswith("13 players: 7 and 6, top three each, finals of 6 and 7")
    one_tap = client.post(f"{night_page(night, 'roll-call')}{members[0].pk}/", {f"call-{members[0].pk}": "not"})
    assert "12 players: two groups of 6" in one_tap.content.decode()
    assert "A play-off?" in client.get(night_page(night, "draw")).content.decode()
    assert "A play-off?" in client.get(night.get_absolute_url()).content.decode()


def test_what_is_planned_already_is_what_the_roll_call_says(club: Club, night: Night) -> None:
    members = people(club, 13)
    called(night, members)
    client = organiser_of(club)
    step(client, night, "places", up=False)
    assert "top two each" in client.get(night_page(night, "roll-call")).context["tally"]["instead"]
    Attendance.objects.filter(member=members[0]).update(says="not")
    assert "12 players: two groups of 6, top" in client.get(night_page(night, "roll-call")).context["tally"]["instead"]


def test_ten_people_are_one_table_and_no_play_off_is_proposed(club: Club, night: Night) -> None:
    called(night, people(club, 10))
    client = organiser_of(club)
    assert client.get(night_page(night, "roll-call")).context["tally"]["instead"] == ""
    assert "A play-off?" not in client.get(night_page(night, "draw")).content.decode()


def test_too_few_are_told_so_and_nothing_can_be_planned(club: Club, night: Night) -> None:
    called(night, people(club, 5))
    client = organiser_of(club)
    page = client.get(night_page(night, "play-off/plan"))
    assert "A play-off is for more people" in page.content.decode()
    refused = tap(client, night, do="draw")
    assert (refused.status_code, refused.context["wrong"]) == (422, TOO_FEW)
    assert TOO_FEW in refused.content.decode()
    assert kept(night) == {}


# One tap each


def test_every_number_is_changed_with_one_tap_and_kept_with_the_night(club: Club, night: Night) -> None:
    called(night, people(club, 24))
    client = organiser_of(club)
    before = plan_page(client, night)["planned"].plan
    assert step(client, night, "places", up=False).status_code == 303
    assert kept(night)["places"] == before.places - 1
    assert step(client, night, "losers_count", up=False).status_code == 303
    assert kept(night)["losers_count"] == before.losers_count - 1
    assert step(client, night, "hands", up=True).status_code == 303
    assert kept(night)["hands"] == before.hands * 2 == 16
    finals = kept(night)["final_hands"]
    assert step(client, night, "final_hands", up=True).status_code == 303
    assert kept(night)["final_hands"] > finals
    assert step(client, night, "groups", up=True).status_code == 303
    assert kept(night)["sizes"] == [6, 6, 6, 6]
    assert [len(table.people) for table in drawn(client, night).tables] == [6, 6, 6, 6]


def test_the_other_sensible_plan_is_one_tap_away(club: Club, night: Night) -> None:
    called(night, people(club, 24))
    client = organiser_of(club)
    other = next(one for one in plan_page(client, night)["others"] if "another round" in one.says)
    assert tap(client, night, plan=other.text).status_code == 303
    page = plan_page(client, night)
    assert page["planned"].plan == other.plan
    assert any("another round" in problem.message for stepper in page["steppers"] for problem in stepper.problems)


def test_house_rules_of_a_play_off_are_chosen_by_a_tap_and_taken_back_by_another(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    for rule in ("carry_over", "cut_by_high_card"):
        for chosen in (True, False, True):
            assert tap(client, night, **{rule: int(chosen)}).status_code == 303
            assert kept(night)[rule] is chosen


def test_finals_play_as_many_hands_as_the_groups_unless_another_number_was_chosen(club: Club, night: Night) -> None:
    called(night, people(club, 14))
    client = organiser_of(club)
    plan = plan_page(client, night)["planned"].plan
    assert (plan.hands, plan.final_hands) == (14, 14)
    step(client, night, "hands", up=False)
    assert kept(night)["hands"] == kept(night)["final_hands"] == 7
    step(client, night, "hands", up=True)
    assert not any(OTHER_HANDS in text for text in says(client, night))
    step(client, night, "final_hands", up=True)
    chosen = kept(night)["final_hands"]
    assert chosen > kept(night)["hands"] == 14
    assert f"The groups play 14. {OTHER_HANDS}" in says(client, night)
    step(client, night, "places", up=False)
    assert kept(night)["final_hands"] == chosen


def test_it_is_said_before_it_is_agreed_where_the_deal_does_not_come_out_even(club: Club, night: Night) -> None:
    called(night, people(club, 14))
    shown = " ".join(says(organiser_of(club), night))
    for size in (8, 6):
        assert f"14 hands for {size} players: the deal does not come out even (Rule 4)." in shown


def test_a_final_of_one_is_refused_with_a_suggestion_beside_the_number(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    for _ in range(2):
        step(client, night, "places", up=True)
    before = kept(night)
    refused = step(client, night, "places", up=True)
    assert refused.status_code == 422
    (stepper,) = [one for one in refused.context["steppers"] if one.refused]
    assert (stepper.key, stepper.value) == ("places", "five")
    assert "let four of each group go through" in stepper.refused
    assert kept(night) == before
    assert escape(stepper.refused) in refused.content.decode()


def test_a_short_final_is_said_and_allowed(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    for _ in range(2):
        assert step(client, night, "places", up=True).status_code == 303
    said = [problem.message for one in plan_page(client, night)["steppers"] for problem in one.problems]
    assert [sentence.replace("’", "'") for sentence in said] == ["A losers' final of three is a short one."]


def test_it_is_said_where_the_deal_cannot_come_out_even(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    hands = next(one for one in plan_page(client, night)["steppers"] if one.key == "hands")
    assert hands.value == "12"
    assert [("Rule 4" in sentence, sentence[:9]) for sentence in hands.says] == [
        (True, "7 players"), (False, "6 players"),
    ]  # fmt: skip


NONSENSE = (
    "", "2.3", "2.0.x.12.12", "2.7.x.12.12", "1.3.x.12.12", "2.3.9.12.12", "2.3.x.0.12", "2.3.x.12.0", "2.3.x.999.12",
    "x.x.x.x.x", "-2.3.x.12.12", "9" * 90, f"2.3.x.12.{'9' * 5000}",
)  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_what_no_button_says_is_refused(club: Club, night: Night, nonsense: str) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    refused = tap(client, night, plan=nonsense)
    assert (refused.status_code, CANNOT_BE in refused.content.decode()) == (422, True)
    assert tap(client, night, mixed="by-moonlight").status_code == 422
    assert tap(client, night, game="whist").status_code == 422
    assert kept(night) == {}


def test_a_tap_that_is_sent_twice_does_no_harm(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    page = plan_page(client, night)
    more = next(one.more for one in page["steppers"] if one.key == "places")
    posted = {"saw": page["drawing"].mark, "plan": more}
    answers = [client.post(night_page(night, "play-off/plan"), posted).status_code for _ in range(2)]
    assert (answers, kept(night)["places"]) == ([303, 303], 4)


def test_who_changes_what_they_have_not_seen_is_told_so(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    old = plan_page(client, night)["drawing"].mark
    tap(client, night, carry_over=1)
    refused = client.post(night_page(night, "play-off/plan"), {"saw": old, "plan": "2.2.x.12.12"})
    assert refused.status_code == 409
    assert "has changed since this page was shown" in refused.content.decode()
    assert kept(night)["places"] == 3


def test_nothing_is_planned_on_a_closed_night_nor_a_second_play_off(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    press_open(client, night)
    refused = tap(client, night, carry_over=1)
    assert (refused.status_code, IS_THERE in refused.content.decode()) == (409, True)
    PlayOff.objects.update(called_off_at=SEVEN)
    for shut in ({"closed_at": SEVEN}, {"closed_at": None, "archived_at": SEVEN}):
        Night.objects.update(**shut)
        refused = tap(client, night, carry_over=1)
        assert (refused.status_code, CLOSED in refused.content.decode()) == (409, True)
    assert kept(night) == {}


@pytest.mark.parametrize("role", ["member", "scorekeeper"])
def test_organisers_alone_plan_it(club: Club, night: Night, role: str) -> None:
    client, user = Client(), UserFactory()
    MemberFactory(club=club, user=user, role=role)
    client.force_login(user)
    assert client.get(night_page(night, "play-off/plan")).status_code == 403
    assert Client().post(night_page(night, "play-off/plan")).status_code == 403
    elsewhere = organiser_of(ClubFactory(slug="others"))
    assert elsewhere.get(f"/clubs/others/nights/{night.pk}/play-off/plan/").status_code == 404


# The groups


def press_open(client: Client, night: Night, **more: Any) -> Any:
    """Plan it as it is proposed, and open the groups as they were drawn."""
    tap(client, night, do="draw")
    return press(client, night, "open", **more)


def test_from_the_plan_to_opened_groups_it_is_two_taps(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    TrophyFactory(club=club, name="The Cup")
    client = organiser_of(club)
    step(client, night, "places", up=False)
    tap(client, night, cut_by_high_card=1)
    answered = tap(client, night, do="draw")
    assert (answered.status_code, answered["Location"]) == (303, night_page(night, "draw"))
    page = client.get(night_page(night, "draw"))
    shown = page.content.decode()
    assert page.context["says"].startswith("13 players: 7 and 6, top two each, finals of 4 and 9")
    assert "Open 2 groups" in shown
    assert "Which table plays for" not in shown
    saw = page.context["drawing"].mark
    posts = [client.post(night_page(night, "draw"), {"saw": saw, "do": "open"}) for _ in range(2)]
    assert [(post.status_code, post["Location"]) for post in posts] == [(303, night_page(night, "codes"))] * 2
    made = PlayOff.objects.get()
    assert (made.places, made.losers_count, made.cut_by_high_card, made.carry_over) == (2, None, True, False)
    assert (made.mixed, made.final_hands, made.night) == ("random", 12, night)
    stage = Stage.objects.get()
    assert [(table.label, table.chairs.count(), table.plan, table.stage) for table in night.tables.all()] == [
        ("Group 1", 7, {"hands": 12}, stage), ("Group 2", 6, {"hands": 12}, stage),
    ]  # fmt: skip
    night.refresh_from_db()
    assert (night.trophies, night.drawn) == ("play-off", {})
    assert [sheet.stakes[:8] for sheet in Sheet.objects.order_by("table__number")] == ["Group 1:", "Group 2:"]


def test_groups_opened_too_early_are_taken_back_and_planned_anew(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    press_open(client, night)
    client.post(night_page(night, "codes"), {"do": "take-back"})
    assert not PlayOff.objects.standing().exists()
    assert plan_page(client, night)["says"].startswith("13 players: 7 and 6")
    assert press_open(client, night).status_code == 303
    assert PlayOff.objects.standing().get().stages.get().tables.count() == 2


def test_people_are_moved_by_hand_into_groups_of_any_size(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    tap(client, night, do="draw")
    first = drawn(client, night).tables[0].people
    press(client, night, "bring-1", who=first[:2])
    page = client.get(night_page(night, "draw"))
    assert page.context["says"].startswith("13 players: 5 and 8, top three each, finals of 6 and 7")
    # The numbers can be changed, and everybody stays where they were moved.
    assert step(client, night, "places", up=False).status_code == 303
    assert [len(table.people) for table in drawn(client, night).tables] == [5, 8]
    assert press(client, night, "open").status_code == 303
    assert (PlayOff.objects.get().mixed, [table.chairs.count() for table in Table.objects.all()]) == ("hand", [5, 8])


def test_groups_that_cannot_be_are_not_opened(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    tap(client, night, do="draw")
    second = drawn(client, night).tables[1].people
    # Of a group of two three cannot go through.
    press(client, night, "bring-0", who=second[2:])
    assert press(client, night, "open").status_code == 422
    press(client, night, "bring-0", who=second)
    assert press(client, night, "open").status_code == 422
    assert not PlayOff.objects.exists()
    assert not Sheet.objects.exists()


def test_made_by_hand_everybody_waits_without_a_group(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    assert tap(client, night, mixed="hand").status_code == 303
    found = drawn(client, night)
    assert ([table.people for table in found.tables], len(found.outside)) == ([[], []], 13)
    assert press(client, night, "open").status_code == 422
    everybody = [line.member.pk for line in found.outside]
    press(client, night, "bring-0", who=everybody[:6])
    press(client, night, "bring-1", who=everybody[6:])
    assert press(client, night, "open").status_code == 303
    assert PlayOff.objects.get().mixed == "hand"


def test_mixed_by_standing_the_strongest_are_spread_and_pairs_kept_apart_stay_apart(club: Club, night: Night) -> None:
    members = people(club, 12)
    for place, member in enumerate(members, 1):
        Standing.objects.create(club=club, member=member, place=place, games=1, points=100 - place)
    KeptApart.objects.create(club=club, one=members[0], other=members[3])
    called(night, members)
    client = organiser_of(club)
    assert tap(client, night, mixed="standing").status_code == 303
    for _ in range(4):
        groups = [
            {members.index(Member.objects.get(pk=pk)) for pk in table.people} for table in drawn(client, night).tables
        ]
        assert all(len(group & {0, 1}) == 1 for group in groups)
        assert all(len(group & {10, 11}) == 1 for group in groups)
        assert not any({0, 3} <= group for group in groups)
        press(client, night, "again")
    # The pair is never named.
    page = client.get(night_page(night, "draw")).content.decode()
    assert "kept apart" not in page
    assert "keep apart" not in page


def test_who_comes_or_goes_changes_the_groups_and_as_little_of_the_plan_as_can_be(club: Club, night: Night) -> None:
    members = people(club, 13)
    called(night, members)
    client = organiser_of(club)
    tap(client, night, carry_over=1)
    Attendance.objects.filter(member=members[0]).update(says="not")
    found = drawn(client, night)
    assert ([len(table.people) for table in found.tables], found.play_off.carry_over) == ([6, 6], True)
    called(night, people_more(club, 10))
    found = drawn(client, night)
    assert [len(table.people) for table in found.tables] == [8, 7, 7]
    coming = Attendance.objects.filter(night=night).values_list("pk", flat=True)
    Attendance.objects.filter(pk__in=list(coming)[:18]).update(says="not")
    found = drawn(client, night)
    assert (found.play_off, [len(table.people) for table in found.tables]) == (None, [5])


def people_more(club: Club, count: int) -> list[Member]:
    return [MemberFactory(club=club, name=f"Q{number:02}") for number in range(count)]


def test_plain_tables_are_one_tap_away_and_so_is_the_way_back(club: Club, night: Night) -> None:
    TrophyFactory(club=club)
    called(night, people(club, 13))
    client = organiser_of(club)
    tap(client, night, do="draw")
    assert tap(client, night, do="plain").status_code == 303
    assert (drawn(client, night).play_off, kept(night)) == (None, {})
    tap(client, night, do="draw")
    press(client, night, "plain")
    found = drawn(client, night)
    assert (found.play_off, [len(table.people) for table in found.tables]) == (None, [7, 6])
    led = press(client, night, "open", follows="play-off")
    assert (led.status_code, led["Location"]) == (303, night_page(night, "play-off/plan"))
    assert not Table.objects.exists()


def test_who_leaves_before_the_end_is_said(club: Club, night: Night) -> None:
    members = people(club, 13)
    called(night, members)
    Attendance.objects.filter(member=members[2]).update(leaves=datetime.time(20, 30))
    Attendance.objects.filter(member=members[3]).update(leaves=datetime.time(1))
    client = organiser_of(club)
    page = plan_page(client, night)
    assert [line.member for line in page["leaving"]] == [members[2]]
    tap(client, night, do="draw")
    assert "leaves at 20:30" in client.get(night_page(night, "draw")).content.decode()


def test_other_games_are_offered_where_a_play_off_of_them_makes_sense(club: Club, night: Night) -> None:
    called(night, people(club, 16))
    client = organiser_of(club)
    games = [game.slug for game in plan_page(client, night)["games"]]
    assert "dingo" in games
    assert "hotdog" not in games
    assert tap(client, night, game="dingo").status_code == 303
    page = plan_page(client, night)
    assert page["planned"].plan.sizes == (4, 4, 4, 4)
    assert [stepper.key for stepper in page["steppers"]] == ["groups", "places"]
    tap(client, night, do="draw")
    assert press(client, night, "open").status_code == 303
    assert (Table.objects.count(), PlayOff.objects.get().game, Stage.objects.get().hands) == (4, "dingo", 0)


def test_other_games_have_no_blind_hands_and_one_final_and_are_asked_about_neither(club: Club, night: Night) -> None:
    called(night, people(club, 16))
    client = organiser_of(club)
    tap(client, night, carry_over="1")
    tap(client, night, cut_by_high_card="1")
    assert tap(client, night, game="dingo").status_code == 303
    page = client.get(night_page(night, "play-off/plan")).content.decode()
    assert "blind hand" not in page
    assert "The finals begin" not in page
    assert "winners’ final" not in page
    assert "a final of 4" in page
    assert (kept(night)["carry_over"], kept(night)["cut_by_high_card"]) == (False, False)
    assert tap(client, night, carry_over="1").status_code == 422
    assert tap(client, night, cut_by_high_card="1").status_code == 422


def test_page_of_the_plan_loads_in_as_many_queries_for_forty_as_for_twelve(
    club: Club, night: Night, django_assert_max_num_queries: Any
) -> None:
    called(night, people(club, 40))
    client = organiser_of(club)
    with django_assert_max_num_queries(22):
        client.get(night_page(night, "play-off/plan"))
    tap(client, night, do="draw")
    with django_assert_max_num_queries(24):
        client.get(night_page(night, "draw"))


def test_plan_is_read_as_it_was_kept(club: Club, night: Night) -> None:
    called(night, people(club, 24))
    planned = plan_page(organiser_of(club), night)["planned"]
    assert Planned.read(planned.as_kept()) == planned
    assert Planned.read({}) is None
    assert Planned.read({"game": "whist"}) is None


@pytest.mark.thorough
def test_a_group_that_was_made_too_small_by_hand_shows_a_way_down(club: Club, night: Night) -> None:
    called(night, people(club, 13))
    client = organiser_of(club)
    tap(client, night, do="draw")
    second = drawn(client, night).tables[1].people
    # Of a group of two three cannot go through.
    press(client, night, "bring-0", who=second[2:])
    page = client.get(night_page(night, "play-off/plan"))
    assert page.status_code == 200
    assert "From 1 to 2 of each group can go through." in page.content.decode()
    (places,) = [one for one in page.context["steppers"] if one.key == "places"]
    assert (places.more, page.context["planned"].is_refused) == ("", True)
    # What no button says is not kept because of that.
    for nonsense in ("2.0.0.12.12", "2.9.x.12.12", "2.2.1.12.12"):
        assert tap(client, night, plan=nonsense).status_code == 422
    # Another number is changed with a tap all the same.
    assert step(client, night, "hands", up=True).status_code == 303
    assert step(client, night, "places", up=False).status_code == 303
    assert (kept(night)["places"], plan_page(client, night)["planned"].is_refused) == (2, False)
