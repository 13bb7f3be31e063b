"""Homes, databases and a browser for halls. Tests that take `place` run on SQLite and on a real PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hall.halls import RunningHall
from tests.hall.postgres import Postgres
from tests.web.conftest import in_browser

__all__ = ["in_browser"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    running = Postgres()
    yield running
    running.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "hall" / "hall.sqlite")
    server: Postgres = request.getfixturevalue("postgres")
    server.clear()
    return server.url


@pytest.fixture
def run_hall() -> Iterator[Callable[..., RunningHall]]:
    """Starts halls that are closed at the end."""
    running: list[RunningHall] = []

    def start(*words: object, **more: object) -> RunningHall:
        running.append(RunningHall(*words, **more))  # type: ignore[arg-type]
        return running[-1]

    yield start
    for each in running:
        each.close()


@pytest.fixture
def hall(place: str, run_hall: Callable[..., RunningHall]) -> RunningHall:
    return run_hall(place)
