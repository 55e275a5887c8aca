"""The page of a play-off, which everybody follows from the first hand to the way home."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.members.privacy import hide_name
from clubs.models import Night, Ruling
from clubs.play_off_rounds.rulings import rule
from clubs.play_off_rounds.stages import abandon
from clubs.trophies.awards import award
from scoresheets.log.state import SET_UP
from tests.club_factories import ClubFactory, TrophyFactory
from tests.clubs.night_played import page
from tests.clubs.play_offs.evening import (
    FIRST,
    LOSERS,
    SECOND,
    WINNERS,
    PlayOffEvening,
    play_off,
    reading_of,
    scorer_of,
)
from tests.clubs.play_offs.test_corrections import drawn, keep, put_right
from tests.factories import new_key
from tests.scoresheets.plain import Page

pytestmark = pytest.mark.django_db


def look(evening: PlayOffEvening, client: Client | None = None) -> Page:
    return page((client or Client()).get(evening.url("play_off")))


def html_of(evening: PlayOffEvening, client: Client | None = None) -> str:
    return (client or Client()).get(evening.url("play_off")).content.decode()


def news_of(html: str) -> str:
    return html.split('id="play-off"')[1].split('hx-get="')[1].split('"')[0]


def next_thing(evening: PlayOffEvening) -> str | None:
    """What the one big button of an organiser says."""
    found = re.search(r'id="next-thing".*?<span>(.*?)</span>', html_of(evening, evening.organiser()), re.S)
    return found[1] if found else None


def known_as(evening: PlayOffEvening, name: str) -> Client:
    """The phone of somebody who has said who they are."""
    client = Client()
    client.cookies[COOKIE.format(evening.club.pk)] = f"{evening.club.key}.{evening.members[name].pk}"
    return client


# The groups


def test_groups_that_have_not_begun_are_lists_of_names_and_nobody_is_ahead(evening):
    text = look(evening).text
    assert "2 groups, not begun" in text
    assert "The first three of each group go to the winners’ table, all others to the losers’ table." in text
    assert "Group 1 not begun Ann 0 Bo 0 Cy 0" in text
    assert "above" not in text
    assert "tied" not in text
    assert next_thing(evening) == "Show the codes of the tables"


def test_the_line_is_drawn_into_the_running_standing_with_who_is_above_and_behind_by_how_much(evening):
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    text = look(evening).text
    assert (
        "Group 1 Hand 3 of 4 1 Bo 8 above 12 2 Flo 3 above 7 3 Ann 1 above 5 Three to the winners’ table "
        "4 Cy 1 behind 4 5 Di 2 behind 3 6 Gus 4 behind 1 7 Ed 9 behind −4"
    ) in text
    assert next_thing(evening) is None


def test_who_is_equal_across_the_line_while_hands_are_played_is_told_so(evening):
    evening.play(evening.groups[0], [5, 12, 5, 3, -4, 7, 1], hands=2)
    html = html_of(evening)
    text = Page(html).text
    assert "3 Ann tied 5 Three to the winners’ table 3 Cy tied 5" in text
    assert "through-a-tie" in html
    # Nothing is to be settled before the last hand.
    assert "one of them goes through" not in text
    assert 'class="problem' not in html


def test_a_tie_for_the_last_place_stands_in_red_with_its_people_and_what_settles_it(evening):
    evening.finish(evening.groups[0], FIRST)
    evening.finish(evening.groups[1], [5, 3, 3, 3, -4, 7])
    html = html_of(evening)
    text = Page(html).text
    assert (
        "Ivy, Joe and Kit are tied at 3, and one of them goes through. "
        "A blind hand settles it: the whole table plays, and only they count."
    ) in text
    assert 'class="problem tie"' in html
    assert "Group 2 Blind hand" in text
    assert next_thing(evening) == "Group 2: play the blind hand"
    evening.blind(evening.groups[1], made=["Kit"])
    text = look(evening).text
    assert "are tied" not in text
    assert "3 Kit blind hand +5" in text
    assert "Group 2, blind hand: " in text
    assert next_thing(evening) == "Draw the finals"


def test_two_lines_are_drawn_where_only_the_last_go_to_the_losers_table():
    evening = play_off([8, 8], places=2, losers_count=3)
    evening.play(evening.groups[0], [20, 15, 12, 9, 6, 3, 0, -3], hands=2)
    text = look(evening).text
    assert "The first two of each group go to the winners’ table, the last three to the losers’ table." in text
    assert "2 Bo 3 above 15 Two to the winners’ table 3 Cy 3 behind 12" in text
    assert "5 Ed 9 behind 6 Below it: to the losers’ table 6 Flo 3 behind 3" in text
    evening.finish(evening.groups[1], [20, 15, 12, 9, 6, 6, 0, -3])
    assert "Mo and Ned are tied at 6, and one of them goes to the losers’ table." in look(evening).text


def test_high_card_is_drawn_where_that_was_agreed():
    evening = play_off([6, 5], places=3, cut_by_high_card=True)
    evening.finish(evening.groups[1], [5, 3, 2, 2, -4])
    assert "They draw a card each, and the highest goes through." in look(evening).text


def test_who_is_certain_is_told_so_while_others_are_still_tied(evening):
    evening.finish(evening.groups[0], [21, 15, 9, 9, 4, 1, -3])
    assert "You go to the winners’ table." in Page(html_of(evening, known_as(evening, "Ann"))).text
    assert "You are tied across the line." in Page(html_of(evening, known_as(evening, "Di"))).text
    text = Page(html_of(evening, known_as(evening, "Ed"))).text
    assert "You go to the losers’ table." in text
    assert "behind" not in text
    assert "3 Di tied 9 5 Ed 4 6 Flo 1" in text


def test_the_phone_of_a_player_says_where_they_stand_and_lights_their_row(evening):
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    html = html_of(evening, known_as(evening, "Cy"))
    assert "You are 4th in Group 1, 1 behind the line." in Page(html).text
    lit = re.findall(r'<li data-row="[^"]+" class="mine [^"]*">.*?<bdi>(.*?)</bdi>', html, re.S)
    assert lit == ["Cy"]
    # What was rendered for them is shown to nobody else.
    assert 'class="mine ' not in html_of(evening)
    assert "You are" not in look(evening).text
    assert "You play in Group 2." in look(evening, known_as(evening, "Joe")).text


def test_a_row_is_lit_in_the_news_too(evening):
    client = known_as(evening, "Cy")
    news = news_of(html_of(evening, client))
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    assert 'class="mine ' in client.get(news).content.decode()


def test_when_it_is_done_is_told(evening):
    at = timezone.now() - datetime.timedelta(minutes=20)
    with time_machine.travel(at, tick=False) as clock:
        for table in evening.groups:
            for _ in range(3):
                clock.shift(datetime.timedelta(minutes=3))
                scorer_of(table).clear_hand()
    assert re.search(r"done about \d\d:\d\d", look(evening).text)


# The finals


def test_both_races_are_shown_and_who_would_take_what_if_it_ended_now(finals):
    text = look(finals).text
    assert "The finals, not begun" in text
    assert "If it ended now" not in text
    finals.play(finals.final(), WINNERS | {"Flo": -2, "Mo": -1}, hands=3)
    # One of them has no hand yet: nothing can be said of both.
    assert "If it ended now" not in look(finals).text
    finals.play(finals.final("losers"), LOSERS, hands=2)
    text = look(finals).text
    assert "If it ended now The winner’s trophy Ann 21, in the box The loser’s trophy Cy −5, in the circle" in text
    assert "Winners’ table Hand 4 of 4 1 Ann 21, in the box 2 Ivy 12" in text
    assert "7 Cy −5, in the circle" in text


def test_the_crossing_rule_is_explained_when_it_bites(finals):
    finals.play(finals.final(), WINNERS, hands=3)
    finals.play(finals.final("losers"), LOSERS, hands=2)
    text = look(finals).text
    assert (
        "Flo, lowest of the winners’ table with −7, is below Cy’s −5: "
        "so the loser’s trophy would cross over to the winners’ table."
    ) in text
    assert "The loser’s trophy Flo −7, in the circle" in text
    assert "6 Flo −7, in the circle" in text


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("lowest", "says"),
    [
        (-5, "are tied at −5: the loser’s trophy would stay at the losers’ table."),
        (-4, "Flo, lowest of the winners’ table with −4, is 1 above Cy’s −5. Below it, and"),
        (2, None),
    ],
)
def test_it_is_explained_too_where_both_are_equal_or_one_hand_from_it(finals, lowest, says):
    # The next hand at the winners' table has two cards.
    finals.play(finals.final(), WINNERS | {"Flo": lowest, "Mo": 5}, hands=2)
    finals.play(finals.final("losers"), LOSERS, hands=2)
    text = look(finals).text
    if says:
        assert says in text
        assert "The loser’s trophy Cy −5" in text
    else:
        assert "lowest of the winners’ table" not in text


def test_who_is_equal_is_told_what_would_part_them(finals):
    finals.play(finals.final(), WINNERS | {"Ivy": 21, "Flo": 0}, hands=3)
    finals.play(finals.final("losers"), LOSERS | {"Joe": -5}, hands=2)
    text = look(finals).text
    assert re.search(r"(Ann and Ivy|Ivy and Ann), tied at 21: a blind hand would separate them", text)
    assert re.search(r"(Cy and Joe|Joe and Cy), tied at −5: they would draw cards for it", text)


def test_the_finished_page_is_the_record_of_the_evening(finals):
    finals.finish(finals.final(), WINNERS)
    finals.finish(finals.final("losers"), LOSERS)
    text = look(finals).text
    assert "It is over." in text
    assert "Ann wins. Flo, lowest of the winners’ table with −7 and below Cy’s −5, loses." in text
    assert "How it ended The winner’s trophy Ann 21" in text
    assert "is below Cy’s −5: so the loser’s trophy crosses over to the winners’ table." in text
    assert "Group 1 settled 1 Bo 12" in text
    assert "If it ended now" not in text
    watched = set(look(finals).links.values())
    tables = [*finals.groups, finals.final(), finals.final("losers")]
    assert {reverse("watch", args=[table.sheet.watch]) for table in tables} <= watched


def test_ones_own_place_of_the_whole_evening_is_lit(finals):
    finals.finish(finals.final(), WINNERS)
    finals.finish(finals.final("losers"), LOSERS)
    places = html_of(finals, known_as(finals, "Ivy")).split('id="places"')[1].split("</ol>")[0]
    assert re.findall(r'class="mine .*?<bdi>(.*?)</bdi>', places, re.S) == ["Ivy"]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("what", [{"for_fun": True}, {"trophies": "nothing"}])
def test_how_it_ended_is_told_otherwise_once_the_night_is_for_something_else(finals, what):
    TrophyFactory(club=finals.club, name="The Cup")
    finals.finish(finals.final(), WINNERS)
    finals.finish(finals.final("losers"), LOSERS)
    assert "Ann takes The Cup." in look(finals).text
    Night.objects.filter(pk=finals.night.pk).update(**what)
    text = look(finals).text
    assert "Ann wins." in text
    assert "How it ended The winner Ann 21, in the box The loser Flo −7, in the circle" in text


def test_all_tied_at_both_tables(finals):
    finals.finish(finals.final(), dict.fromkeys(WINNERS, 3))
    finals.finish(finals.final("losers"), dict.fromkeys(LOSERS, 3))
    text = look(finals).text
    assert "tied at 3" in text
    assert "It is over" not in text


def test_cards_for_the_losers_trophy_are_the_next_thing_where_several_are_lowest(finals):
    finals.finish(finals.final(), WINNERS | {"Flo": 1})
    finals.finish(finals.final("losers"), LOSERS | {"Joe": -5})
    assert re.search(r"(Cy and Joe|Joe and Cy), tied at −5: they draw cards for it", look(finals).text)
    assert next_thing(finals) == "Record the cards drawn"


def test_one_final_alone_where_there_is_no_losers_table():
    evening = play_off([6, 5], places=3, losers_count=0)
    evening.finish(evening.groups[0], FIRST[:6])
    evening.finish(evening.groups[1], SECOND[:5])
    assert next_thing(evening) == "Draw the final"
    evening.open_next()
    final = evening.final()
    names = evening.names_at(final)
    assert "You play in the final." in look(evening, known_as(evening, names[1])).text
    evening.finish(final, dict(zip(names, [9, 8, 7, 6, 5, 4], strict=True)))
    text = look(evening).text
    assert f"The winner’s trophy {names[0]} 9" in text
    assert f"The loser’s trophy {names[5]} 4" in text
    mail = page(evening.organiser().get(evening.url("control"))).text
    assert f"Final: {names[0]} wins with 9; {names[5]} takes the circle with 4" in mail
    assert "losers’ table" not in text


def test_where_everybody_goes_through_there_is_one_final():
    evening = play_off([5, 5], places=5)
    text = look(evening).text
    assert "Everybody goes to the final." in text
    assert "losers’ table" not in text
    for table in evening.groups:
        evening.finish(table, [5, 4, 3, 2, 1])
    assert next_thing(evening) == "Draw the final"
    evening.open_next()
    assert "The final, not begun" in look(evening).text
    evening.finish(evening.final(), [9, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    assert "The final is to be settled." in look(evening).text


def test_a_final_of_two_is_followed_like_any_other():
    evening = play_off([5, 5], places=1)
    evening.finish(evening.groups[0], [5, 4, 3, 2, 1])
    evening.finish(evening.groups[1], [5, 4, 3, 2, 1])
    evening.open_next()
    evening.play(evening.final(), {"Ann": 4, "Flo": 9}, hands=2)
    evening.play(
        evening.final("losers"), dict(zip(evening.names_at(evening.final("losers")), range(8), strict=True)), hands=2
    )
    assert "Winners’ table Hand 3 of 4 1 Flo 9, in the box 2 Ann 4" in look(evening).text


def test_another_round_is_shown_above_the_groups_it_comes_from():
    evening = play_off([8, 8, 8], places=4)
    group = "The first four of each group go to the winners’ second round, all others to the losers’ second round."
    assert group in look(evening).text
    for table in evening.groups[:2]:
        evening.finish(table, [8, 7, 6, 5, 4, 3, 2, 1])
    evening.play(evening.groups[2], [8, 7, 6, 5, 4, 3, 2, 1], hands=3)
    text = look(evening, known_as(evening, "Ann")).text
    assert "You go to the winners’ second round." in text
    assert "4 Tom 1 above 5 Four to the winners’ second round 5 Una 1 behind 4" in text
    evening.rest(evening.groups[2])
    assert next_thing(evening) == "Draw the next round"
    assert "The next round is to be drawn." in look(evening).text
    evening.open_next()
    html = html_of(evening)
    text = Page(html).text
    assert "Winners’ second round" in text
    assert "Losers’ second round" in text
    assert text.index("Winners’ second round") < text.index("Losers’ second round") < text.index("The groups")
    assert group in text
    assert "The three highest of each group go on to the winners’ table." in text
    assert "The three lowest of each group go on to the losers’ table; the others are safe." in text
    low = evening.tables("losers")[0]
    evening.play(low, dict(zip(evening.names_at(low), [6, 5, 4, 3, 2, 1], strict=False)), hands=2)
    assert "Above it: safe" in look(evening).text


def test_the_losers_final_is_followed_while_the_winners_play_another_round():
    evening = play_off([8, 8, 8], places=4, losers_count=3)
    for table in evening.groups:
        evening.finish(table, [80, 70, 60, 50, 40, 30, 20, 10])
    evening.open_next()
    final = evening.final("losers")
    lowest = evening.names_at(final)
    text = look(evening, known_as(evening, lowest[0])).text
    assert "You play at the losers’ table." in text
    assert "If it ended now" not in text
    evening.play(final, dict(zip(lowest, range(9), strict=True)), hands=3)
    assert "You are 9th of 9 at the losers’ table." in look(evening, known_as(evening, lowest[0])).text
    assert "You play in Winners’ group" in look(evening, known_as(evening, "Ann")).text


@pytest.mark.thorough
def test_awards_are_confirmed_handed_over_and_then_the_night_is_closed(finals):
    cup, jug = (TrophyFactory(club=finals.club, name=name) for name in ("The Cup", "The Jug"))
    # What another night has left open is not asked here.
    earlier = finals.night.on - datetime.timedelta(days=7)
    jug.archived_at = timezone.now()
    jug.save()
    award(jug, finals.members["Bo"], on=earlier, source="typed", confirmed=True)
    finals.finish(finals.final(), WINNERS)
    finals.finish(finals.final("losers"), LOSERS)
    client = finals.organiser()
    assert next_thing(finals) == "Confirm the awards"
    assert "Ann takes The Cup." in look(finals).text
    jug.archived_at = None
    jug.save()
    ours = cup.awards.get()
    answer = client.post(
        reverse("change_award", args=[finals.club.slug, ours.pk, "confirm"]), {"from": f"play-off-{finals.night.pk}"}
    )
    assert answer["Location"] == finals.url("play_off") + "#awards"
    assert next_thing(finals) == "Hand the trophies over"
    client.post(reverse("change_award", args=[finals.club.slug, ours.pk, "hand-over"]))
    assert next_thing(finals) == "Go and close the night"
    finals.night.closed_at = timezone.now()
    finals.night.save(update_fields=["closed_at"])
    assert next_thing(finals) is None


def test_who_goes_home_early_stands_apart(evening):
    group = evening.groups[0]
    evening.play(group, [5, 12, 4, 3, -4, 7, 1], hands=2)
    evening.leaves(group, "Bo")
    text = look(evening).text
    assert "Went home early, with no final to play: Bo with 12." in text
    assert "3 Cy 1 above 4 Three to the winners’ table 4 Di 1 behind 3" in text


def test_who_is_left_out_of_the_final_they_belong_at_is_not_sent_there(settled):
    assert "You go to the winners’ table." in look(settled, known_as(settled, "Flo")).text
    settled.open_next(leaving=["Flo"])
    assert "You went home early." in look(settled, known_as(settled, "Flo")).text


# What was decided by hand, and what was closed


def test_rulings_stand_there_with_reason_and_by_whom(evening):
    group = evening.groups[1]
    evening.finish(group, [5, 7, 3, 3, -4, 1])
    assert "Decided by hand" not in look(evening).text
    kit = next(seat for seat, name in reading_of(group).names.items() if name == "Kit")
    rule(
        group, [kit], edge="through", reason="Joe’s train goes", key=new_key(), keeper=scorer_of(group).by,
        by=evening.members["Ann"],
    )  # fmt: skip
    text = look(evening).text
    assert "Decided by hand Tie decided in Group 2. Kit goes through. “Joe’s train goes” Ann" in text
    assert "Group 2 settled 1 Ivy 7 2 Hal 5 3 Kit" in text


def test_a_correction_after_the_draw_is_told_to_everybody_and_asks_the_organiser():
    evening = drawn()
    assert "corrected" not in look(evening).text
    put_right(evening.groups[0], Cy=9)
    text = look(evening).text
    assert "A sheet was corrected. Cy and Bo change tables" in text or "A sheet was corrected. Bo and Cy" in text
    assert "Nothing moves by itself: an organiser decides." in text
    assert next_thing(evening) == "Decide what the correction changes"
    keep(evening)
    text = look(evening).text
    assert "A sheet was corrected" not in text
    assert "Kept as played." in text
    assert "“They have begun”" in text


def test_cards_that_were_drawn_are_told(settled):
    says = {str(settled.player("Cy")): "5", str(settled.player("Joe")): "T"}
    Ruling.objects.create(play_off=settled.play_off, kind="draw", says=says)
    assert "Cards drawn for the loser’s trophy. Cy 5, Joe 10." in look(settled).text


def test_a_final_that_was_drawn_anew_is_closed_and_linked(finals):
    old = finals.final()
    abandon(old.stage)
    text = look(finals)
    assert "Closed: they do not count" in text.text
    assert reverse("watch", args=[old.sheet.watch]) in text.links.values()
    assert next_thing(finals) == "Draw the winners’ table"


def test_called_off_it_says_so_and_leads_to_the_tables(evening):
    evening.play_off.called_off_at = timezone.now()
    evening.play_off.save()
    found = look(evening)
    assert "This play-off was called off" in found.text
    assert evening.night.get_absolute_url() in found.links.values()
    assert Client().get(evening.url("play_off_now")).headers["HX-Refresh"] == "true"


# All tables stop after the same hand


def say_stop(client: Client, evening: PlayOffEvening, hand: object, number: int = 1, **more: str):
    return client.post(evening.url("stop_stage"), {"round": number, "hand": hand, "key": new_key(), **more})


def test_all_groups_stop_after_the_same_hand(evening):
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    client = evening.organiser()
    html = html_of(evening, client)
    assert re.findall(r'<option value="(\d+)"', html) == ["3", "4"]
    answer = say_stop(client, evening, 3)
    assert (answer.status_code, answer["Location"]) == (303, evening.url("play_off"))
    assert [reading_of(table).last_hand for table in evening.groups] == [3, 3]
    assert "Announced: hand 3 is the last." in look(evening, client).text


def test_no_table_is_told_a_hand_that_another_has_scored(evening):
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    answer = say_stop(evening.organiser(), evening, 2)
    assert answer.status_code == 422
    assert "hand 3 is the first after which all can stop" in answer.content.decode()
    assert [reading_of(table).last_hand for table in evening.groups] == [None, None]


def test_hand_that_is_hidden_from_watchers_counts_as_scored(evening, monkeypatch):
    def without_hands(reading):
        return replace(reading, standing={SET_UP: reading.standing[SET_UP]}, known=None)

    monkeypatch.setattr("scoresheets.sheet.summary.for_outsiders", without_hands)
    evening.play(evening.groups[0], [5, 12, 4, 3, -4, 7, 1], hands=2)
    answer = say_stop(evening.organiser(), evening, 2)
    assert answer.status_code == 422
    assert [reading_of(table).last_hand for table in evening.groups] == [None, None]


def test_both_finals_stop_together(finals):
    client = finals.organiser()
    assert "Both finals stop after hand" in look(finals, client).text
    say_stop(client, finals, 3, number=2)
    assert [reading_of(table).last_hand for table in (finals.final(), finals.final("losers"))] == [3, 3]


def test_a_members_club_tells_nobody_else():
    evening = play_off([5, 5], places=2, club=ClubFactory(visibility="members"))
    for name in ("play_off", "play_off_now"):
        assert Client().get(evening.url(name)).status_code == 403
    assert evening.organiser("member").get(evening.url("play_off")).status_code == 200


def test_who_watches_a_table_of_a_club_by_link_is_told_where_its_link_is():
    evening = play_off([5, 5], places=2, club=ClubFactory(visibility="link"))
    sheet = evening.groups[0].sheet
    assert sheet.home == evening.url("play_off")
    answer = Client().get(f"{sheet.home}?from={sheet.watch}")
    assert answer.status_code == 403
    assert "Ask somebody in the club for the link" in answer.content.decode()


def test_only_its_own_club_has_its_page_and_no_night_that_was_put_away(evening):
    other = play_off([5, 5], places=2)
    assert Client().get(reverse("play_off", args=[evening.club.slug, other.night.pk])).status_code == 404
    other.night.archived_at = timezone.now()
    other.night.save()
    assert Client().get(other.url("play_off")).status_code == 404


def test_who_hides_their_name_is_hidden_here_at_once(evening):
    assert "Cy" in look(evening).text
    hide_name(evening.members["Cy"], by=None)
    assert "Cy" not in look(evening).text


def test_other_games_are_followed_with_one_line_to_the_final():
    evening = play_off([4, 4], places=2, losers_count=0, game="dirty-deals", hands=0)
    text = look(evening).text
    assert "Dirty Deals" in text
    assert "The first two of each group go to the final; the others are done." in text
    assert "Group 1 not begun Ann 0 Bo 0 Cy 0 Di 0" in text
