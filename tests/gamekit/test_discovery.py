"""Games of strangers: found, or listed with the reason why they cannot be played; never in the way of others."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.gamekit import discovery
from tests import moles
from tests.ours import GAMES
from tests.strangers import announce

GOOD = {"name": "good", "api": 1, "rules": "good.rules:GAME"}
Package = Callable[..., Path]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    """Puts a package on the path that says this about itself."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name: str, source: str) -> Path:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
        announce(tmp_path, name, name, package=name)
        discovery.found.cache_clear()
        return tmp_path / name

    yield write
    discovery.found.cache_clear()
    for module in [module for module in sys.modules if (tmp_path / module.partition(".")[0]).exists()]:
        del sys.modules[module]


def reason(name: str) -> str:
    """Why the game of this package cannot be played."""
    (found,) = [each for each in discovery.unusable() if each.name == name]
    assert found.package == name
    return found.reason


def test_the_four_games_are_found_in_the_order_of_lists() -> None:
    assert GAMES == ("lascaux", "sioux", "darwinci", "carnuta")
    assert [game.name for game in discovery.playable()][:4] == list(GAMES)


def test_a_strangers_game_is_found_like_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moles.install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    discovery.found.cache_clear()
    try:
        assert discovery.find("moles").name == "moles"
        assert discovery.names()[-1] == "moles"
        assert discovery.title("moles") == "Moles"
    finally:
        discovery.found.cache_clear()


def test_a_package_that_cannot_be_imported_is_listed_with_its_reason(package: Package) -> None:
    package("broken", "import there_is_no_such_module")
    assert "there_is_no_such_module" in reason("broken")
    assert "install it again, or remove it" in reason("broken")


def test_a_package_that_does_anything_at_all_when_it_is_imported_disturbs_nothing(package: Package) -> None:
    package("rude", "raise RuntimeError('no!')")
    package("leaving", "raise SystemExit(3)")
    assert "no!" in reason("rude")
    assert "SystemExit" in reason("leaving")
    assert [game.name for game in discovery.playable()][:4] == list(GAMES)


@pytest.mark.parametrize(("api", "advice"), [(2, "bring Companion up to date"), (0, "ask its author")])
def test_a_package_that_speaks_another_api_number_is_listed_with_what_to_do(
    package: Package, api: int, advice: str
) -> None:
    package("good", f"MANIFEST = {GOOD | {'api': api}}")
    assert f"api {api}" in reason("good")
    assert advice in reason("good")


def test_a_name_that_is_taken_stays_with_who_has_it(package: Package) -> None:
    package("other", f"MANIFEST = {GOOD | {'name': 'lascaux'}}")
    assert "taken by companion-table" in reason("other")
    assert discovery.found().packages["lascaux"] == "companion-table"


@pytest.mark.parametrize("manifest", ["{}", "None", "'gops'", str(GOOD | {"colour": "red"}), "{'name': 1, 'api': 1}"])
def test_a_manifest_that_cannot_be_read_is_listed(package: Package, manifest: str) -> None:
    package("odd", f"MANIFEST = {manifest}")
    assert "docs/add-a-game.md" in reason("odd")


@pytest.mark.parametrize("name", ["Good Game", "", "../boxes", "größe", "-"])
def test_a_name_is_made_of_letters_digits_and_hyphens(package: Package, name: str) -> None:
    package("odd", f"MANIFEST = {GOOD | {'name': name}}")
    assert "letters, digits and hyphens" in reason("odd")


def test_rules_that_cannot_be_loaded_are_listed_with_their_reason(package: Package) -> None:
    package("good", f"MANIFEST = {GOOD}")
    assert "good" not in discovery.names()
    assert "good.rules:GAME cannot be imported (ModuleNotFoundError" in reason("good")
    assert [game.name for game in discovery.playable()][:4] == list(GAMES)
    with pytest.raises(UsageError, match=r"good is installed, but good\.rules:GAME cannot be imported"):
        discovery.find("good")


def test_what_is_not_a_game_is_not_taken_for_one(package: Package) -> None:
    folder = package("good", f"MANIFEST = {GOOD}")
    (folder / "rules.py").write_text("GAME = 'good'")
    assert "not the Game of that name" in reason("good")


def test_an_unknown_game_is_told_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="there is no game 'chess'; Companion knows lascaux, sioux"):
        discovery.find("chess")


def test_asking_for_a_game_whose_package_is_broken_tells_why(package: Package) -> None:
    package("broken", "import there_is_no_such_module")
    with pytest.raises(UsageError, match=r"broken is installed, but .*there_is_no_such_module"):
        discovery.find("broken")
