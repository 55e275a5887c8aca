"""Permission to write on the sheets of a club: a Django backend, which `scoresheets` asks."""

from __future__ import annotations

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, Q

from clubs.models import Member
from scoresheets.models import Sheet

KEEP = "scoresheets.keep_sheet"
WATCH = "scoresheets.watch_sheet"
WHO_KEEPS = (Member.Role.SCOREKEEPER, Member.Role.ORGANISER)


class ClubBackend(BaseBackend):
    """Scorekeepers and organisers of a club write on the sheets at its tables; all who belong to it watch them."""

    def has_perm(self, user_obj: AbstractBaseUser | AnonymousUser, perm: str, obj: Model | None = None) -> bool:
        if perm not in (KEEP, WATCH) or not isinstance(obj, Sheet) or not user_obj.is_active:
            return False
        belongs = Member.objects.of_account(user_obj.pk).filter(
            club__nights__tables__sheet=obj, club__nights__tables__withdrawn_at__isnull=True
        )
        keeps = Q(role__in=WHO_KEEPS) | Q(same_as__role__in=WHO_KEEPS)
        return belongs.filter(keeps).exists() if perm == KEEP else belongs.exists()
