"""`python -m tests.bench.kept_games 10000`: a club with so many games and their sheets, of which one was played.

The others are copies of it, each in a night of its own, with all that was written and all that follows from it.
"""

from __future__ import annotations

import sys

MEMBERS = 4


def main(games: int) -> None:
    import django

    django.setup()
    from django.core.management.color import no_style
    from django.db import connection

    from clubs.models import Night, Placing, Table
    from clubs.projections import worker
    from scoresheets.models import Entry, FinalPlacing, HandFact, HandMark, Revision, Scorekeeper, Seat, Sheet
    from tests.bench.others import copy_rows
    from tests.club_factories import MemberFactory, NightFactory, SeasonFactory, played
    from tests.factories import Scorer

    night = NightFactory()
    members = MemberFactory.create_batch(MEMBERS, club=night.club)
    sheet = played(night, members, hands=0).sheet
    assert sheet
    scorer = Scorer(sheet, sheet.scorekeepers.get())
    while scorer.reading.sheet.open:
        scorer.clear_hand()
    SeasonFactory(club=night.club)
    worker.catch_up()
    models = (
        Night, Sheet, Seat, Scorekeeper, Revision, Entry, FinalPlacing, HandFact, HandMark, Table, Placing,
    )  # fmt: skip
    copy_rows(models, games - 1)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


if __name__ == "__main__":
    main(int(sys.argv[1]))
