"""The load script itself, small and without a watch in its hand: everybody is answered, and rightly."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.bench import report, starts
from tests.bench.crowd import gather, gather_for_long
from tests.bench.lines import Answer, Line, get, post
from tests.bench.live_site import LiveSite
from tests.bench.report import Measured
from tests.bench.tables import HANDS, open_tables


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    with LiveSite(tmp_path_factory.mktemp("crowd"), settings="tests.bench.settings") as opened:
        yield opened


@pytest.mark.thorough
@pytest.mark.sqlite
def test_crowd_follows_tables_that_play_and_nobody_hears_of_an_error(site: LiveSite) -> None:
    tables = open_tables(site, 2, 4)
    heard = gather(site, tables, 30, 3, kept=tables, poll=0.2, post=0.7)
    assert heard.wrong == []
    assert len(heard.polls) > 100
    assert len(heard.posts) >= 4
    # Everybody is told of the sheet at first, and of some of the posts.
    assert 30 < heard.changed < len(heard.polls)


@pytest.mark.thorough
@pytest.mark.sqlite
def test_crowd_that_stays_for_long_follows_table_after_table(site: LiveSite) -> None:
    looks = gather_for_long(
        site, 6, watchers=20, places=2, players=3, first_hand=HANDS, poll=0.3, post=0.3, every=2.5
    )  # fmt: skip
    heard = [look.heard for look in looks]
    assert [heard.wrong for heard in heard] == [[], [], [], []]
    # A game is four posts, and after it somebody plays and looks on still.
    assert sum(len(heard.posts) for heard in heard) > 2 * 4
    assert min(heard.changed for heard in heard[1:]) >= 20
    assert all(len(look.workers) == 2 and 0 < look.workers[0] < look.site for look in looks)
    assert re.fullmatch(r" +0 s: [\d.]+ and [\d.]+ MiB, the site [\d.]+; 0 posts .* 0 errors", str(looks[0]))


def test_memory_of_a_site_says_nothing_of_what_else_has_mapped_its_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site = LiveSite(tmp_path)
    folders = [tmp_path / number for number in ("1", "2")]
    for folder, anonymous, mapped in zip(folders, (50, 70), (26, 14), strict=True):
        folder.mkdir()
        (folder / "status").write_text(f"Name:\tpython\nVmRSS:\t{900 * 1024} kB\nRssFile:\t{mapped * 1024} kB\n")
        rollup = f"Rss: {900 * 1024} kB\nPss: {(anonymous + 2) * 1024} kB\nPss_Anon: {anonymous * 1024} kB\n"
        (folder / "smaps_rollup").write_text(f"5555-7fff ---p [rollup]\n{rollup}")
    monkeypatch.setattr(site, "process", SimpleNamespace(pid=1))
    monkeypatch.setattr(starts, "processes", {1: folders}.get)
    monkeypatch.setattr(starts, "workers_of", lambda of: folders[1:] if of is site else [])
    assert starts.memory_of_site(site) == 50 + 70 + 26
    assert starts.memory_of_workers(site) == [72]


@pytest.mark.thorough
@pytest.mark.sqlite
def test_bare_views_write_one_row_and_know_what_is_new(site: LiveSite) -> None:
    (table,) = open_tables(site, 1, 4)
    line = Line(site.port)
    said = line.ask(post("/bare/insert/", {"name": "Ann"}))
    assert said.status == 200
    assert 1500 < int(re.search(rb"content-length: ([0-9]+)", get_plain(line).head)[1]) < 2500
    fresh = line.ask(get(f"/bare/page/{table.watch}/"))
    assert fresh.status == 200
    assert b'etag: "1"' in fresh.head
    assert line.ask(get(f"/bare/page/{table.watch}/", If_None_Match='"1"')).status == 304
    line.close()


def get_plain(line: Line) -> Answer:
    return line.ask(post("/bare/insert/", {"name": "Ann"}).replace(b"Accept-Encoding: gzip, deflate\r\n", b""))


def test_table_of_figures_says_what_was_missed_and_stands_between_its_marks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"# Before\n\n{report.BEGIN}\nold\n{report.END}\n\nAfter.\n")
    monkeypatch.setattr(report, "README", readme)
    kept, missed = Measured("A post", 2.0, at_most=2.5), Measured("Throughput", 0.31, at_least=0.4, told="of it")
    for _ in range(2):
        report.save([kept, missed])
    text = readme.read_text()
    assert text.startswith("# Before\n")
    assert text.endswith(f"{report.END}\n\nAfter.\n")
    assert "old" not in text
    assert "| A post | 2.00 | at most 2.5 |  |" in text
    assert "| Throughput | 0.31 **missed** | at least 0.40 | of it |" in text
    assert "Python 3." in text


def test_readme_has_room_for_the_table(project: Path) -> None:
    text = (project / "README.md").read_text()
    assert text.count(report.BEGIN) == text.count(report.END) == 1
