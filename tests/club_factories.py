"""Clubs to test in: members, nights and tables at which something was played."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from itertools import chain, count

import factory
from django.utils import timezone

from clubs.models import Club, Member, Night, Placing, Table
from rules import find_game
from scoresheets.access.scorekeepers import hashed
from scoresheets.opening.open_sheet import Opened, SetUp, Somebody, open_sheet
from tests.factories import PlayerFactory, Scorer, clear_hand, new_key, thrown_hand


class UserFactory(factory.django.DjangoModelFactory):
    """Somebody with an account."""

    class Meta:
        model = "clubs.User"

    username = factory.Sequence("user{}".format)
    email = factory.LazyAttribute(lambda user: f"{user.username}@example.org")


class ClubFactory(factory.django.DjangoModelFactory):
    """A club that everybody may look at, unless `visibility` says otherwise."""

    class Meta:
        model = "clubs.Club"

    name = factory.Sequence("Club {}".format)
    slug = factory.Sequence("club-{}".format)
    visibility = "public"


# Names that no test gives to anybody: whoever is made by the way is never called like somebody the test speaks of.
OTHER_NAMES = ("Abe", "Bea", "Cal", "Fay", "Hope", "Ira", "Jed", "Nell", "Otto", "Rae", "Tess", "Ula", "Wes", "Yve")


def other_name(club: Club) -> str:
    """The first of `OTHER_NAMES` that nobody of the club has; after them Player 1, Player 2 ..."""
    taken = set(club.members.values_list("name", flat=True))
    return next(name for name in chain(OTHER_NAMES, map("Player {}".format, count(1))) if name not in taken)


class MemberFactory(factory.django.DjangoModelFactory):
    """Somebody of a club: without an account, unless `user` is one."""

    class Meta:
        model = "clubs.Member"

    club = factory.SubFactory(ClubFactory)
    name = factory.LazyAttribute(lambda member: other_name(member.club))
    player = factory.SubFactory(PlayerFactory, name=factory.SelfAttribute("..name"))


class NightFactory(factory.django.DjangoModelFactory):
    """A night of a club, the first on the first of March."""

    class Meta:
        model = "clubs.Night"

    club = factory.SubFactory(ClubFactory)
    on = factory.Sequence(lambda n: datetime.date(2026, 3, 1) + datetime.timedelta(days=n))
    begun_at = factory.LazyFunction(timezone.now)


class TableFactory(factory.django.DjangoModelFactory):
    """A table of a night, without a sheet."""

    class Meta:
        model = "clubs.Table"

    night = factory.SubFactory(NightFactory)
    number = factory.Sequence(lambda n: n + 1)
    game = "dirty-dog"


class PhotoFactory(factory.django.DjangoModelFactory):
    """A photo of a night (`club=` and `night=` are needed) of a few dots."""

    class Meta:
        model = "clubs.Photo"

    caption = "The last hand"
    large = small = b"a picture"
    large_width = small_width = 4
    large_height = small_height = 3
    digest = factory.Sequence(lambda number: f"{number:064x}")


class TrophyFactory(factory.django.DjangoModelFactory):
    """A trophy for the winner, unless `goes` says otherwise."""

    class Meta:
        model = "clubs.Trophy"

    club = factory.SubFactory(ClubFactory)
    name = "The Cup"
    goes = "winner"
    added_at = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


def played(
    night: Night, members: Sequence[Member], *, game: str = "dirty-dog", hands: int | None = None, seed: object = 0,
    number: int | None = None, **more: object,
) -> Table:  # fmt: skip
    """A table of the night at which these members have played: to the end, or so many `hands`.

    The first of them deals first. Dirty Dog has four hands, and the first seat wins, the second loses (`clear_hand`);
    other games are played by dice. Each hand is one write. `more` is of its set-up.
    """
    count = night.tables.count()
    rules = find_game(game)
    plan = {"peak": 2} if rules.plan_choices(rules.made_for[0], {}) else {}
    setup = SetUp(
        game=game, players=[Somebody(member.name, member.player_id) for member in members], plan=plan,
        dealer_by=rules.first_dealer_by.word, **more,
    )  # fmt: skip
    browser = hashed("the phone")
    key = new_key()
    opening = open_sheet(
        setup, browser=browser, key=key, address=key, sure=True, candidates=[member.player_id for member in members]
    )
    assert isinstance(opening, Opened), opening
    table = Table.objects.create(night=night, number=number or count + 1, game=game, sheet=opening.sheet)
    scorer = Scorer(opening.sheet, opening.keeper)
    steps = clear_hand if game == "dirty-dog" else partial(thrown_hand, seed=seed)
    reading = scorer.reading
    while reading.sheet.open and (hands is None or reading.next_hand <= hands):
        reading = scorer.hand_at_once(steps)
    table.refresh_from_db()
    return table


class SeasonFactory(factory.django.DjangoModelFactory):
    """A season of the year 2026 by games won, unless `scheme` says otherwise."""

    class Meta:
        model = "clubs.Season"

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence("Season {}".format)
    begins = datetime.date(2026, 1, 1)
    ends = datetime.date(2026, 12, 31)
    scheme = "won"
    order = ["share"]


def scored(night: Night, ranking: Sequence[tuple[Member, int]], *, game: str = "dirty-dog", **more: object) -> Table:
    """A table of the past at which these people came to these scores: the best won, the worst lost."""
    table = Table.objects.create(
        night=night, number=night.tables.count() + 1, game=game, source=Table.Source.PAST, ended_at=timezone.now()
    )
    scores = [score for _, score in ranking]
    Placing.objects.bulk_create(
        Placing(
            table=table, member=member, score=score, place=1 + sum(other > score for other in scores),
            winner=score == max(scores) and scores.count(score) == 1,
            loser=score == min(scores) and scores.count(score) == 1, players=len(scores),
            **{"sharing": scores.count(score) - 1} | more,
        )
        for member, score in ranking
    )  # fmt: skip
    return table
