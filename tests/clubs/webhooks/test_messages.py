"""What happens on a night is announced once, and told as the pages of the club tell it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from clubs.members.privacy import hide_name
from clubs.models import Club, Delivery, Event, Member, Night, PlayOff, Table, Webhook
from clubs.outbox.channels import NotDelivered
from clubs.outbox.deliver import expand_events
from clubs.projections.worker import catch_up
from clubs.webhooks.channel import request_of
from clubs.webhooks.messages import LOOK_AGAIN, discord_form, message_of, signed_form
from scoresheets.models import Sheet
from scoresheets.models.sheet import new_token
from scoresheets.pad import help_call
from tests.club_factories import played
from tests.clubs.evenings import SEVEN
from tests.clubs.night_played import an_evening, scorer_of
from tests.clubs.play_offs.evening import at_the_finals, drawn_groups
from tests.factories import sure_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def on_the_evening() -> Iterator[None]:
    """The clock goes on from seven on the day of the night: what ended some days ago is no news."""
    with time_machine.travel(SEVEN):
        yield


def kinds(club: Club) -> list[str]:
    return list(Event.objects.filter(club=club).values_list("kind", flat=True))


def newest() -> Event:
    return Event.objects.select_related("club", "night", "table__sheet").latest("pk")


def test_tables_that_are_drawn_are_told_with_who_sits_where() -> None:
    evening = drawn_groups([4, 3], places=1).open()
    event = newest()
    assert kinds(evening.club) == ["drawn"]
    message = message_of(event)
    names = [chair.member.shown for chair in evening.groups[0].chairs.order_by("place")]
    assert message.title == f"{evening.night}: the tables are drawn"
    assert f"Dirty Dog: {', '.join(names[:-1])} and {names[-1]}" in message.text.split("\n")[0]
    assert [len(table["players"]) for table in message.data["tables"]] == [4, 3]
    assert message.path == evening.night.get_absolute_url()


def test_table_that_has_ended_is_told_once_and_with_every_total(night: Night, four: list[Member]) -> None:
    table = played(night, four)
    assert kinds(night.club) == ["result"]
    message = message_of(newest())
    assert message.title == "Table 1: Ann wins with 26 points."
    assert "Ann 26" in message.text
    assert [row["name"] for row in message.data["players"]] == ["Ann", "Cy", "Di", "Bo"]
    assert message.path == f"/watch/{table.sheet.watch}/"  # type: ignore[union-attr]


def test_ordinary_hand_announces_nothing(night: Night, four: list[Member]) -> None:
    played(night, four, hands=2)
    assert not Event.objects.exists()


def test_game_that_is_opened_again_and_ends_again_is_not_told_twice(night: Night, four: list[Member]) -> None:
    table = played(night, four)
    scorer = scorer_of(table)
    sure_of(scorer.undo())
    scorer.clear_game()
    assert kinds(night.club) == ["result"]


def test_game_that_was_opened_again_and_ends_otherwise_is_corrected(night: Night, four: list[Member]) -> None:
    table = played(night, four, hands=3)
    scorer = scorer_of(table)
    scorer.clear_hand()
    sure_of(scorer.undo())
    scorer.any_hand("otherwise")
    scorer.clear_game()
    assert kinds(night.club) == ["result", "corrected"]


def test_result_waits_while_the_game_is_open_again(night: Night, four: list[Member]) -> None:
    table = played(night, four)
    sure_of(scorer_of(table).undo())
    with pytest.raises(NotDelivered) as open_again:
        message_of(newest())
    assert (open_again.value.for_good, open_again.value.wait) == (False, LOOK_AGAIN)
    scorer_of(table).clear_game()
    assert kinds(night.club) == ["result"]
    assert message_of(newest()).title == "Table 1: Ann wins with 26 points."


def test_result_of_a_table_that_is_open_again_and_taken_away_is_over(night: Night, four: list[Member]) -> None:
    table = played(night, four)
    sure_of(scorer_of(table).undo())
    Table.objects.filter(pk=table.pk).update(withdrawn_at=table.created)
    with pytest.raises(NotDelivered) as gone:
        message_of(newest())
    assert gone.value.is_over


def test_names_that_are_hidden_by_then_are_not_sent(night: Night, four: list[Member]) -> None:
    played(night, four)
    hide_name(four[0], by=None)
    event = newest()
    for form in (signed_form, discord_form):
        assert "Ann" not in json.dumps(form(event, message_of(event)))


def test_call_is_told_once_as_long_as_the_table_calls(night: Night, four: list[Member]) -> None:
    evening = an_evening()
    table = evening.table(hands=1)
    sheet = table.sheet
    assert sheet
    sheet.home = evening.page
    sheet.save()
    help_call.ask(sheet)
    help_call.ask(sheet)
    assert kinds(evening.club) == ["called"]
    message = message_of(newest())
    assert message.title == f"{table} calls the organiser"
    help_call.answer(sheet)
    help_call.ask(sheet)
    assert kinds(evening.club) == ["called", "called"]


def test_table_that_was_taken_away_calls_nobody() -> None:
    evening = an_evening()
    table = evening.table(hands=1)
    Table.objects.filter(pk=table.pk).update(withdrawn_at=timezone.now())
    assert table.sheet
    Sheet.objects.filter(pk=table.sheet_id).update(home=evening.page)
    table.sheet.refresh_from_db()
    help_call.ask(table.sheet)
    assert kinds(evening.club) == []


def test_last_hand_is_told_once_a_tap() -> None:
    evening = an_evening()
    evening.table(hands=1)
    organiser, key = evening.organiser(), new_token()
    for _ in range(2):
        organiser.post(evening.url("announce_last", evening.night.pk), {"key": key, "do": ""})
    assert kinds(evening.club) == ["last-hand"]
    assert message_of(newest()).text == "All tables stop after the hand they are in."


def test_play_off_tells_its_finals_and_who_has_won() -> None:
    evening = at_the_finals()
    assert kinds(evening.club)[-1] == "finals"
    evening.finish_finals()
    catch_up()
    assert kinds(evening.club).count("decided") == 1
    event = Event.objects.select_related("club", "night", "table__sheet").get(kind="decided")
    message = message_of(event)
    assert "wins the play-off with 40" in message.title
    assert len(message.data["winners"]) == len(message.data["losers"]) == 1
    catch_up()
    assert kinds(evening.club).count("decided") == 1


def test_decision_waits_while_the_play_off_is_open_again_and_is_over_when_it_is_called_off() -> None:
    evening = at_the_finals()
    evening.finish_finals()
    catch_up()
    event = Event.objects.select_related("club", "night", "table__sheet").get(kind="decided")
    decided_at = PlayOff.objects.get().decided_at
    PlayOff.objects.update(decided_at=None)
    with pytest.raises(NotDelivered) as open_again:
        message_of(event)
    assert (open_again.value.for_good, open_again.value.wait) == (False, LOOK_AGAIN)
    PlayOff.objects.update(decided_at=decided_at)
    assert "wins the play-off" in message_of(event).title
    PlayOff.objects.update(decided_at=None, called_off_at=decided_at)
    with pytest.raises(NotDelivered) as called_off:
        message_of(event)
    assert called_off.value.is_over


def test_table_that_was_taken_back_is_not_told(night: Night, four: list[Member]) -> None:
    table = played(night, four)
    table.withdrawn_at = table.created
    table.save()
    with pytest.raises(NotDelivered):
        message_of(newest())


def test_marks_in_a_name_do_nothing_in_discord(night: Night, four: list[Member]) -> None:
    night.title = "**Big** @everyone [night](https://x.example)"
    night.save()
    event = Event.objects.create(club=night.club, kind="last-hand", night=night, key="1")
    form = discord_form(event, message_of(event))
    (embed,) = form["embeds"]
    assert embed["title"].startswith(r"\*\*Big\*\* \@everyone \[night\]\(https\://x.example\)")
    assert form["allowed_mentions"] == {"parse": []}


def test_long_night_fits_into_discords_limits(night: Night) -> None:
    night.title = "*" * 80
    night.save()
    club = night.club
    club.name = "_" * 60
    event = Event.objects.create(club=club, kind="last-hand", night=night, key="1")
    (embed,) = discord_form(event, message_of(event))["embeds"]
    assert len(embed["title"]) <= 256
    assert len(embed["author"]["name"]) <= 256


@pytest.mark.parametrize(("visibility", "has_key"), [("public", False), ("link", True), ("members", True)])
def test_link_opens_for_who_may_see_it(night: Night, visibility: str, *, has_key: bool) -> None:
    club = night.club
    club.visibility = visibility
    event = Event.objects.create(club=club, kind="last-hand", night=night, key="1")
    url = signed_form(event, message_of(event))["url"]
    assert url.startswith("http")
    assert url.endswith(f"?key={club.key}") is has_key


def test_webhook_hears_only_of_what_came_after_it(night: Night, four: list[Member]) -> None:
    played(night, four)
    Webhook.objects.create(club=night.club, form="signed", url="https://9.9.9.9/", secret="s")
    expand_events()
    assert not Delivery.objects.exists()
    played(night, four)
    expand_events()
    delivery = Delivery.objects.select_related("webhook", "event__club", "event__night", "event__table__sheet").get()
    body, headers = request_of(delivery.webhook, delivery)  # type: ignore[arg-type]
    assert json.loads(body)["table"]["number"] == 2
    assert headers["X-Event"] == "result"


def test_notices_of_members_go_to_no_webhook(night: Night) -> None:
    Webhook.objects.create(club=night.club, form="signed", url="https://9.9.9.9/", secret="s")
    for kind in ("planned", "tomorrow", "trophies", "corrected"):
        Event.objects.create(club=night.club, kind=kind, night=night, key=kind)
    expand_events()
    assert not Delivery.objects.filter(channel="webhook").exists()


def test_messages_cost_a_fixed_number_of_queries(django_assert_max_num_queries: Any) -> None:
    drawn_groups([6] * 8, places=1).open()
    event = newest()
    with django_assert_max_num_queries(1):
        message_of(event)
