"""Awards of trophies: won, confirmed, handed over, withdrawn.

Rows are only added, confirmed or withdrawn, so every step can be undone. What an organiser does gets an entry in the
audit log. Every command here is idempotent.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.outdated import NotNow
from clubs.models import Award, Dispute, Member, Table, Trophy


@contextmanager
def alone_with(trophy: Trophy) -> Iterator[None]:
    """A transaction in which nobody else changes who holds the trophy."""
    with transaction.atomic():
        Trophy.objects.select_for_update().filter(pk=trophy.pk).values_list("pk").first()
        yield


def award(
    trophy: Trophy, member: Member | None, *, on: datetime.date, source: str, table: Table | None = None, why: str = "",
    name: str = "", by: Member | None = None, confirmed: bool | None = None,
) -> Award:  # fmt: skip
    """Somebody has won the trophy: a `member`, or somebody called `name` who is none. Once for each table.

    It waits for an organiser, or is confirmed at once if the club prefers that or `confirmed` says so (then `by` is
    who confirmed it). The trophy stays where it is until it is handed over.
    """
    sure = trophy.club.awards_at_once if confirmed is None else confirmed
    won = Award(
        trophy=trophy, member=member, name="" if member else name, on=on, source=source, table=table, why=why,
        confirmed_at=timezone.now() if sure else None, confirmed_by=by if sure else None,
    )  # fmt: skip
    with alone_with(trophy):
        if table is not None and (standing := Award.objects.standing().filter(trophy=trophy, table=table).first()):
            if standing.person == won.person:
                return standing
            lay_aside(standing)
        won.save()
        return won


def confirm(award: Award, *, by: Member | None) -> None:
    """An organiser says yes to it. Raises `NotNow` where it was set aside since."""
    with alone_with(award.trophy):
        award.refresh_from_db()
        if award.set_aside_at is not None:
            raise NotNow
        if award.confirmed_at is None:
            award.confirmed_at, award.confirmed_by = timezone.now(), by
            award.save(update_fields=["confirmed_at", "confirmed_by"])
            write_down(award.trophy.club, f"Confirmed {award_text(award)}.", by=by)


def hand_over(award: Award, *, by: Member | None) -> None:
    """Who won it has it in their hands now. Raises `NotNow` where they have not won it any more."""
    with alone_with(award.trophy):
        award.refresh_from_db()
        if award.set_aside_at is not None or award.confirmed_at is None:
            raise NotNow
        latest = Award.objects.was_handed().filter(trophy=award.trophy).order_by("-handed_at", "-pk").first()
        if latest is None or latest.person != award.person:
            award.handed_at = timezone.now()
            award.save(update_fields=["handed_at"])
            write_down(award.trophy.club, f"{award.trophy} was handed over to {award.shown}.", by=by)


def not_handed_over(award: Award, *, by: Member | None) -> None:
    """Undo a handover that was ticked by mistake."""
    with alone_with(award.trophy):
        award.refresh_from_db()
        if award.handed_at is not None:
            award.handed_at = None
            award.save(update_fields=["handed_at"])
            write_down(award.trophy.club, f"{award.trophy} was not handed over to {award.shown} after all.", by=by)


def undo(award: Award, *, by: Member | None) -> None:
    """An organiser takes the award back: it does not count, and its sheet does not bring it up again."""
    with alone_with(award.trophy):
        award.refresh_from_db()
        if award.set_aside_at is None:
            award.undone = True
            lay_aside(award)
            write_down(award.trophy.club, f"Took back {award_text(award)}.", by=by)


def put_back(award: Award, *, by: Member | None) -> None:
    """The award counts again. Raises `NotNow` where somebody else has won it at that table meanwhile."""
    with alone_with(award.trophy):
        award.refresh_from_db()
        if award.set_aside_at is None:
            return
        others = Award.objects.standing().filter(trophy=award.trophy, table=award.table)
        if award.table is not None and (other := others.first()):
            raise NotNow(f"{other.shown} has won it there. Take that back first.")
        award.undone, award.set_aside_at = False, None
        award.save(update_fields=["undone", "set_aside_at"])
        write_down(award.trophy.club, f"Put back {award_text(award)}.", by=by)


def lay_aside(award: Award) -> None:
    """The award does not count any more. Questions about it are answered by that."""
    award.set_aside_at = timezone.now()
    award.save(update_fields=["set_aside_at", "undone"])
    award.disputes.filter(answered_at__isnull=True).update(
        answered_at=award.set_aside_at, answer=Dispute.Answer.GONE, answered_by=None
    )


def award_text(award: Award) -> str:
    """The award, in words for the audit log."""
    return f"that {award.shown} won {award.trophy} ({award.day})"


# Questions that a correction raises


def raise_dispute(award: Award, says: str, *, member: Member | None, name: str = "", version: int = 0) -> None:
    """Ask whether a confirmed award stays: its sheet names another `member` now, or (None) somebody called `name`, or
    ("") nobody. `says` is the sentence that says so, with {} in the place of the name.

    The same question is not asked twice, nor again where the organisers said that it stays.
    """
    new = Dispute(award=award, says=says, member=member, name=name, version=version)
    latest = award.disputes.select_related("member__same_as").order_by("-pk").first()
    is_known = latest is not None and latest.answer != Dispute.Answer.GONE and latest.person == new.person
    if latest and is_known and (new.person or latest.says == says):
        return
    drop_disputes(award)
    new.save()


def drop_disputes(award: Award) -> None:
    """What was asked is no question any more: the sheet says something else."""
    award.disputes.filter(answered_at__isnull=True).update(answered_at=timezone.now(), answer=Dispute.Answer.GONE)


def answer(dispute: Dispute, choice: str, *, by: Member | None) -> None:
    """An organiser answers: the award stays (`keep`), or goes to the player the sheet names now (`move`), if anybody.

    Raises `NotNow` where it was answered otherwise, or is no question any more.
    """
    won = dispute.award
    with alone_with(won.trophy):
        dispute.refresh_from_db()
        won.refresh_from_db()
        if dispute.answered_at is not None:
            if dispute.answer == choice:
                return
            raise NotNow
        club = won.trophy.club
        if choice == Dispute.Answer.KEEP:
            write_down(club, f"{dispute.sentence} {won.trophy} stays with {won.shown}.", by=by)
        elif not dispute.person:
            lay_aside(won)
            write_down(club, f"{dispute.sentence} Took back {award_text(won)}.", by=by)
        else:
            lay_aside(won)
            Award.objects.create(
                trophy=won.trophy, member=dispute.member, name=dispute.name, on=won.on, source=won.source,
                table=won.table, why=f"as the {won.source} was corrected", confirmed_at=timezone.now(),
                confirmed_by=by, instead_of=won,
            )  # fmt: skip
            write_down(club, f"{dispute.sentence} {won.trophy} goes from {won.shown} to {dispute.named}.", by=by)
        dispute.answered_at, dispute.answer, dispute.answered_by = timezone.now(), choice, by
        dispute.save(update_fields=["answered_at", "answer", "answered_by"])


def ask_again(dispute: Dispute, *, by: Member | None) -> None:
    """The way back of an answer: what it did is undone, and the question is open again.

    Raises `NotNow` where something else has come of the award since.
    """
    won = dispute.award
    with alone_with(won.trophy):
        dispute.refresh_from_db()
        won.refresh_from_db()
        if dispute.answered_at is None:
            return
        moved = Award.objects.standing().filter(trophy=won.trophy, instead_of=won).first()
        if dispute.answer == Dispute.Answer.MOVE and dispute.person and moved is None:
            raise NotNow
        is_moved = dispute.answer == Dispute.Answer.MOVE
        if dispute.answer == Dispute.Answer.GONE or (won.set_aside_at is None) is is_moved:
            raise NotNow
        if moved is not None:
            lay_aside(moved)
        elif is_moved and Award.objects.standing().filter(trophy=won.trophy, table=won.table).exists():
            raise NotNow
        if is_moved:
            won.set_aside_at = None
            won.save(update_fields=["set_aside_at"])
        dispute.answered_at, dispute.answer, dispute.answered_by = None, "", None
        dispute.save(update_fields=["answered_at", "answer", "answered_by"])
        write_down(won.trophy.club, f"Asks again who has won {won.trophy} ({won.day}).", by=by)
