"""The secret is made once, also when two start at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clubs.site.secret_key import standing_secret


def test_who_starts_at_the_same_moment_reads_the_same_secret(tmp_path: Path) -> None:
    for turn in range(20):
        path = tmp_path / str(turn) / "secret"
        with ThreadPoolExecutor(8) as pool:
            read = set(pool.map(standing_secret, [path] * 8))
        assert len(read) == 1
        assert [file.name for file in path.parent.iterdir()] == ["secret"]
