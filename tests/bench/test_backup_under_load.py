"""A backup that is made while everybody posts is the state of its moment, and the site goes on from it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.bench.ledger import Ledger
from tests.bench.lines import Line, get
from tests.bench.live_site import LiveSite
from tests.bench.phones import PHONES, Evening, data, text
from tests.bench.tables import open_tables


def ledger_of(site: LiveSite) -> Ledger:
    return json.loads(site.run("-m", "tests.bench.ledger"))


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(300)
def test_backup_under_load_restores_to_the_state_of_its_moment(tmp_path: Path) -> None:
    with LiveSite(tmp_path / "var") as site:
        told = Evening(site, open_tables(site, PHONES, 6), posts=100 * PHONES, last=10)
        told.begin()
        told.wait_for(PHONES * 10)
        before = {posted.key for posted, _ in told.acknowledged}
        backup = re.search(r"\S+\.sqlite3", site.run("manage.py", "backup"))
        assert backup
        # The first that waits may be on its way.
        after = {posted.key for phone in told.phones for posted in list(phone.waiting)[1:]}
        told.go_on()
        told.all_have_stopped()
        assert told.wrong == []
        assert before
        assert after

        site.run("manage.py", "restore", backup[0])
        restored = ledger_of(site)
        assert restored["sound"] == "ok"
        keys = {write[1] for sheet in restored["sheets"].values() for write in sheet["writes"]}
        assert before <= keys
        assert not after & keys
        for sheet in restored["sheets"].values():
            assert [write[0] for write in sheet["writes"]] == list(range(1, sheet["version"] + 1))
            assert all(len(write[4]) == 1 for write in sheet["writes"])

        # The open site has noticed, and what the backup does not know is written when it is sent again.
        line = Line(site.port)
        for phone in told.phones[:2]:
            table = phone.acknowledged[0][0].table
            sheet = restored["sheets"][table.code]
            rows = f"/watch/{table.watch}/rows/?v="
            # Who watched the same version before the restore is told what stands now; who has that is told nothing.
            told_anew = line.ask(get(f"{rows}{sheet['version']}"))
            assert told_anew.status == 200
            assert f'{rows}{sheet["edition"]}"' in text(told_anew)
            assert line.ask(get(f"{rows}{sheet['edition']}")).status == 204
            for posted, answer in phone.acknowledged:
                assert data(line.ask(posted.said))["wrote"] == answer["wrote"]
        line.close()
        now = ledger_of(site)["sheets"]
        assert [now[phone.acknowledged[0][0].table.code]["version"] for phone in told.phones[:2]] == [101, 101]
