"""The browsers on which somebody is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models

if TYPE_CHECKING:
    from clubs.accounts.sessions import SessionStore


class BrowserSession(AbstractBaseSession):
    """A session of Django that knows whose it is, so that an account can be signed out everywhere."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="browser_sessions"
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionStore]:
        from clubs.accounts.sessions import SessionStore

        return SessionStore
