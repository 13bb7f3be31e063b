"""What is published: the wheel alone, in an empty environment, plays the game that this checkout plays."""

import re
import shutil
import subprocess
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


def test_the_changelog_begins_with_this_version() -> None:
    heads = re.findall(r"^## (\S+)", (release.ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == __version__


def test_news_fragments_become_an_entry_of_the_changelog(tmp_path: Path) -> None:
    """With the project's own settings: kinds in order, above what was released before."""
    shutil.copy(release.ROOT / "pyproject.toml", tmp_path)
    package(tmp_path, "<!-- released: begin -->\n## 0.1.0\n\nAll of it.\n")
    (tmp_path / "news").mkdir()
    for name, text in {"late.fixed": "Late answers count.", "deer.added": "No deer.", "README": "Not news."}.items():
        (tmp_path / "news" / f"{name}.md").write_text(f"{text}\n")
    words = ["build", "--yes", "--version", "0.2.0", "--date", "2026-12-01"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([sys.executable, "-m", "towncrier", *words], cwd=tmp_path, check=True, capture_output=True)
    told = (tmp_path / "CHANGELOG.md").read_text()
    lines = [line for line in told.splitlines() if line and not line.startswith(("# ", "<"))]
    assert lines == [
        *("## 0.2.0 (2026-12-01)", "### Added", "- No deer.", "### Fixed", "- Late answers count."),
        *("## 0.1.0", "All of it."),
    ]
    assert [path.name for path in (tmp_path / "news").iterdir()] == ["README.md"]
    assert release.version(tmp_path) == "0.2.0"


def package(folder: Path, changelog: str) -> Path:
    (folder / "companion").mkdir()
    (folder / "companion" / "__init__.py").write_text('__version__ = "0.2.0"\n')
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog}")
    return folder


def test_the_version_is_the_changelog_s_first(tmp_path: Path) -> None:
    assert release.version(package(tmp_path, "## 0.2.0\n\nMore.\n\n## 0.1.0\n\nAll of it.\n")) == "0.2.0"


def test_a_release_with_news_that_the_changelog_lacks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "late.fixed.md").write_text("Late answers count.\n")
    with pytest.raises(release.ReleaseError, match=r"still has late\.fixed\.md: run towncrier build --version 0\.2\.0"):
        release.version(package(tmp_path, "## 0.2.0\n\nAll of it.\n"))


def test_a_changelog_that_lags_behind_is_reported(tmp_path: Path) -> None:
    with pytest.raises(release.ReleaseError, match=r"says 0\.2\.0, but CHANGELOG\.md begins with 0\.1\.0"):
        release.version(package(tmp_path, "## 0.1.0\n\nAll of it.\n"))
