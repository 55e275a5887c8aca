"""Pairs of members that an organiser keeps apart. No page or paper that others see shows them."""

from __future__ import annotations

from clubs.models import Club, KeptApart, Member


def pairs_apart(club: Club) -> set[frozenset[int]]:
    """The pairs as ids of the members that count. One query."""
    rows = KeptApart.objects.filter(club=club).values_list("one", "one__same_as", "other", "other__same_as")
    pairs = {frozenset((same_one or first, same_other or second)) for first, same_one, second, same_other in rows}
    return {pair for pair in pairs if len(pair) == 2}


def keep_apart(club: Club, first: Member, second: Member) -> None:
    """From now on no draw seats them together, if there is any way round it. Twice is as good as once."""
    first, second = sorted((first.main_record, second.main_record), key=lambda member: member.pk)
    if first != second and frozenset((first.pk, second.pk)) not in pairs_apart(club):
        KeptApart.objects.create(club=club, one=first, other=second)
