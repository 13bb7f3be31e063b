"""What is published: the wheel alone, in an empty environment, plays the game that this checkout plays."""

import re
import sys
from pathlib import Path

import pytest

from companion import __version__
from tools import release


@pytest.mark.slow
def test_the_wheel_is_whole_and_plays_a_game_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    release.checked([wheel])
    assert release.missing(wheel) == []
    command = release.installed(wheel, tmp_path / "venv")
    told = release.played(command, tmp_path / "home")
    assert told == release.played(Path(sys.executable).with_name("companion"), tmp_path / "home")
    assert told.rstrip().endswith("wins.")


@pytest.mark.slow
def test_what_is_not_in_a_wheel_is_named(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "forgotten.toml").touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert release.missing(wheel) == ["companion/forgotten.toml"]


def test_the_changelog_tells_of_this_version_and_perhaps_of_what_comes_after_it() -> None:
    heads = re.findall(r"^## (\S+)", (release.ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert next(head for head in heads if head != release.UNRELEASED) == __version__
    assert release.UNRELEASED not in heads[1:]


def package(folder: Path, changelog: str) -> Path:
    (folder / "companion").mkdir()
    (folder / "companion" / "__init__.py").write_text('__version__ = "0.2.0"\n')
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}")
    return folder


def test_the_version_is_the_changelog_s_first(tmp_path: Path) -> None:
    assert release.version(package(tmp_path, "## 0.2.0\n\nMore.\n\n## 0.1.0\n\nAll of it.\n")) == "0.2.0"


def test_what_is_not_released_yet_cannot_be_published(tmp_path: Path) -> None:
    with pytest.raises(release.ReleaseError, match="begins with Unreleased: give it the new version"):
        release.version(package(tmp_path, "## Unreleased\n\nMore.\n\n## 0.2.0\n\nAll of it.\n"))


def test_a_changelog_that_lags_behind_is_told(tmp_path: Path) -> None:
    with pytest.raises(release.ReleaseError, match=r"says 0\.2\.0, but CHANGELOG\.md begins with 0\.1\.0"):
        release.version(package(tmp_path, "## 0.1.0\n\nAll of it.\n"))
