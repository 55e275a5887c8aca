"""The sessions of browsers that are signed in."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

#: The key of a session under which it says since when somebody is signed in: a day.
SINCE = "since"


class BrowserSession(AbstractBaseSession):
    """A session of Django that knows whose it is, so that an account can be signed out everywhere."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="browser_sessions"
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's sessions in the database, each with its user."""

    #: The key it is just getting another one for.
    former: str | None = None

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def create_model_instance(self, data: Mapping[str, Any]) -> BrowserSession:
        row: BrowserSession = super().create_model_instance(data)  # type: ignore[assignment,arg-type]
        user = str(data.get(SESSION_KEY, ""))
        row.user_id = int(user) if user.isdecimal() else None
        row.expire_date = min(row.expire_date, latest_end(data.get(SINCE)))
        return row

    def cycle_key(self) -> None:
        """The same session under another key, as after a new password; with the browser that shows its notices."""
        self.former = self.session_key
        super().cycle_key()

    def delete(self, session_key: str | None = None) -> None:
        """Django deletes the former row of a session that has another key by now."""
        former, self.former = self.former, None
        if former and former == session_key:
            BrowserSession(session_key=former).push_subscriptions.update(session=self.session_key)
        super().delete(session_key)


def latest_end(since: object) -> datetime.datetime:
    """When a session ends however often it is used: some time after the day since when somebody is signed in."""
    begin = timezone.make_aware(datetime.datetime.fromisoformat(since)) if isinstance(since, str) else timezone.now()
    return begin + datetime.timedelta(seconds=settings.SIGNED_IN_AT_MOST)
