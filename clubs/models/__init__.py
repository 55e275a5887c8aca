"""The models of the league, by noun."""

from clubs.models.user import User

__all__ = ["User"]
