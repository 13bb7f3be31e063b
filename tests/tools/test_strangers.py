"""What a stranger has: the wheel, pip and pytest, and nothing of this checkout. That does for a game or a reader."""

import shutil
from pathlib import Path

import pytest

from tools import release

pytestmark = pytest.mark.slow

GOPS = release.ROOT / "examples" / "gops"
ZAPAROO = release.ROOT / "examples" / "zaparoo_reader"


class Environment:
    """An environment of its own, with Companion's wheel in it."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        release.installed(wheel, folder)
        release.install(folder, "pytest")

    def install(self, *packages: str) -> None:
        release.install(self.folder, *packages)

    def __call__(self, command: str, *words: str) -> str:
        return release.told(self.folder / "bin" / command, self.home, *words)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("fresh"), wheel)


@pytest.fixture(scope="module")
def gops(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    (wheel,) = release.built(tmp_path_factory.mktemp("gops"), "--wheel", source=GOPS)
    environment.install(str(wheel))
    return environment


@pytest.mark.parametrize("kit", ["one", "full"])
def test_gops_is_installed_as_a_wheel_and_played(gops: Environment, kit: str) -> None:
    told = gops("companion", "demo", "gops", "--headless", "--seed", "1", "--kit", kit)
    assert told.rstrip().endswith(("wins.", "win."))


def test_gops_keeps_its_contract_and_its_own_tests_far_from_this_checkout(gops: Environment, tmp_path: Path) -> None:
    shutil.copytree(GOPS / "tests", tmp_path / "tests")
    told = gops("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "tests"))
    assert " passed in " in told
    assert "skipped" not in told


def test_a_reader_is_installed_as_a_wheel_and_keeps_its_contract_far_from_this_checkout(
    environment: Environment, tmp_path: Path
) -> None:
    (wheel,) = release.built(tmp_path, "--wheel", source=ZAPAROO)
    environment.install(str(wheel))
    shutil.copytree(ZAPAROO / "tests", tmp_path / "tests")
    told = environment("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "tests"))
    assert " passed in " in told
    assert "skipped" not in told
    environment("companion", "config", "--reader", "zaparoo", "--table", str(tmp_path / "table.toml"))
    assert 'kind = "zaparoo"' in environment("companion", "config", "--show", "--table", str(tmp_path / "table.toml"))


def test_a_new_game_installs_plays_adjudicates_and_keeps_its_contract_at_once(
    environment: Environment, tmp_path: Path
) -> None:
    folder = tmp_path / "companion-hen-party"
    environment("companion", "new-game", "hen-party", "--folder", str(folder))
    environment.install("-e", str(folder))
    assert environment("companion", "demo", "hen-party", "--headless").rstrip().endswith("wins.")
    transcript = folder / "tests" / "first.jsonl"
    legal = [line for line in transcript.read_text().splitlines() if '"count":4' not in line]
    transcript.write_text("\n".join(legal))
    assert "All actions were accepted" in environment("companion", "adjudicate", str(transcript))
    assert " passed in " in environment("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder))
