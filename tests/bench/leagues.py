"""`python -m tests.bench.leagues hundred 100`: a club of that address, twenty members and so many games of the past."""

from __future__ import annotations

import datetime
import random
import sys

MEMBERS = 20
AT_A_TABLE = 6
GAMES_A_NIGHT = 4
LAST = datetime.date(2026, 6, 1)
#: So many games are saved at once.
A_PIECE = 1_000


def main(slug: str, games: int, *, members: int = MEMBERS, game: str = "dingo", every: int = 1) -> None:
    """Make the club, with a night `every` so many days."""
    import django

    django.setup()
    from django.utils import timezone

    from clubs.models import Club, Member, Night, Placing, Season, Table
    from clubs.standings.store import keep_standings
    from scoresheets.models import Player

    dice = random.Random(games)
    club = Club.objects.create(name=slug, slug=slug, visibility=Club.Visibility.PUBLIC)
    players = [Player.objects.create(name=f"Player {k}", created=timezone.now()) for k in range(members)]
    people = [Member.objects.create(club=club, player=player, name=player.name) for player in players]
    days = [LAST - datetime.timedelta(days=every * k) for k in range(-(-games // GAMES_A_NIGHT))]
    nights = Night.objects.bulk_create([Night(club=club, on=day, begun_at=timezone.now()) for day in days])
    tables = Table.objects.bulk_create(
        [
            Table(night=nights[k // GAMES_A_NIGHT], number=1 + k % GAMES_A_NIGHT, game=game,
                  source=Table.Source.PAST, ended_at=timezone.now())
            for k in range(games)
        ]
    )  # fmt: skip
    # In pieces: the site is open meanwhile, and nobody else writes as long as one of them is saved.
    for first in range(0, games, A_PIECE):
        Placing.objects.bulk_create(
            Placing(table=table, member=member, place=place, score=60 - 10 * place, winner=place == 1,
                    loser=place == AT_A_TABLE, players=AT_A_TABLE, hands=14, boxes=2, circles=2, bids=14, made=8)
            for table in tables[first : first + A_PIECE]
            for place, member in enumerate(dice.sample(people, AT_A_TABLE), 1)
        )  # fmt: skip
    Season.objects.create(club=club, name="Ever", begins=days[-1], ends=LAST, scheme="places", order=["won"], drops=2)
    keep_standings(club)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
