"""A push service on this machine, which browsers here may name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clubs.notices import push
from tests.clubs.notices.hearing import PushService, push_service


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    monkeypatch.setattr(push, "OWN_NETWORK", True)
    with push_service() as service:
        yield service
