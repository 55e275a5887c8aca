"""Connections that PostgreSQL has ended, because it was restarted say, are replaced before anybody notices."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

pytestmark = [
    pytest.mark.databases_differ,
    pytest.mark.thorough,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has no server that ends connections"),
]

#: Waits until they are gone, at most five seconds for each.
ENDED = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = %s"


def end_all_connections() -> None:
    import psycopg

    connection.close()
    given = connection.settings_dict
    where = {"host": given["HOST"], "port": given["PORT"], "user": given["USER"], "dbname": "postgres"}
    with psycopg.connect(**where) as other:
        assert all(ended for (ended,) in other.execute(ENDED, [given["NAME"]]))


def at_once(times: int, ask: Callable[[], int]) -> list[int]:
    """What so many threads are told, each of them with a connection of its own: the pool has eight for them."""
    connection.close()
    all_have_one = Barrier(times)

    def asked() -> int:
        status = ask()
        all_have_one.wait(10)
        connection.close()
        return status

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(lambda _: asked(), range(times)))


@pytest.mark.parametrize("times", [1, 8])
def test_connections_that_the_database_has_ended_are_replaced(client: Client, times: int) -> None:
    """The pool holds eight after a busy minute: by itself it would need longer than anybody waits."""
    assert at_once(times, lambda: Client().get("/healthz").status_code) == [200] * times
    end_all_connections()
    response = client.get("/healthz")
    assert (response.status_code, response.json()["database"]) == (200, "ok")


def test_crowd_after_a_restart_is_answered(client: Client) -> None:
    """Eight at once find eight ended connections."""
    assert at_once(8, lambda: Client().get("/healthz").status_code) == [200] * 8
    end_all_connections()
    assert at_once(8, lambda: Client().get("/healthz").status_code) == [200] * 8
