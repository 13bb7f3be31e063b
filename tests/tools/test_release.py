"""What is published: the wheel alone, in an empty environment, plays the game that this checkout plays."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion import __version__
from tools import bill_of_materials, release


@pytest.mark.slow
def test_the_wheel_is_whole_and_plays_a_game_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    release.checked([wheel])
    assert release.missing(wheel) == []
    command = release.installed(wheel, tmp_path / "venv")
    told = release.played(command, tmp_path / "home")
    assert told == release.played(Path(sys.executable).with_name("companion"), tmp_path / "home")
    assert told.rstrip().endswith("wins.")


@pytest.mark.slow
def test_the_source_archive_alone_is_installed_and_plays(tmp_path: Path) -> None:
    (archive,) = release.built(tmp_path, "--sdist")
    release.checked([archive])
    command = release.installed(archive, tmp_path / "venv")
    assert release.played(command, tmp_path / "home").rstrip().endswith("wins.")


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release.installed(wheel, tmp_path_factory.mktemp("installed") / "venv")


WITHOUT_AN_ACCOUNT = """
import pwd, sys
from companion.cli import main
pwd.getpwuid = {}.__getitem__
sys.exit(main(sys.argv[1:]))
"""
"""As a user whom no file lists: in a container, say."""


def said(*words: str | Path, **environment: str) -> tuple[int, str]:
    """How a command ended that has no terminal, and what it said on stderr."""
    given = {"PATH": os.defpath, "LANGUAGE": "en"} | environment
    done = subprocess.run(words, env=given, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("verb", [("play",), ("games",), ("doctor",), ("demo", "lascaux", "--headless")])
def test_without_a_home_one_line_says_which_variable_names_a_folder(command: Path, verb: tuple[str, ...]) -> None:
    python = command.with_name("python")
    status, line = said(python, "-c", WITHOUT_AN_ACCOUNT, *verb)
    assert (status, line) == (
        2,
        "companion: this user has no home folder; set COMPANION_HOME to a folder for the evenings\n",
    )


@pytest.mark.slow
def test_without_a_terminal_one_line_says_what_needs_none(command: Path, tmp_path: Path) -> None:
    status, line = said(command, "play", HOME=str(tmp_path))
    assert (status, line.count("\n")) == (2, 1)
    assert line.startswith("companion: the screen needs a terminal; `companion demo --headless`")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="there is no folder here that not even root can write")
def test_in_a_home_that_cannot_be_written_one_line_names_the_folder(command: Path) -> None:
    for verb in (("config",), ("table", "lascaux")):
        status, line = said(command, *verb, HOME="/sys")
        assert (status, line.count("\n")) == (2, 1), line
        assert line.startswith("companion: /sys/.local/share/companion/")


@pytest.mark.slow
def test_what_is_not_in_a_wheel_is_named(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "forgotten.toml").touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert release.missing(wheel) == ["companion/forgotten.toml"]


@pytest.mark.slow
def test_two_builds_in_two_folders_at_two_times_give_the_same_bytes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(release.built_at()))
    names = subprocess.run(["git", "ls-files", "-z"], cwd=release.ROOT, capture_output=True, check=True).stdout
    kept = [name for name in names.decode().split("\0") if name and (release.ROOT / name).is_file()]
    for folder, mode, when in (("one", 0o600, 1_000_000_000), ("another/deeper", 0o664, 1_700_000_000)):
        for name in kept:
            copy = tmp_path / folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(release.ROOT / name, copy)
            copy.chmod(mode | (release.ROOT / name).stat().st_mode & 0o100)
            os.utime(copy, (when, when))
    built = []
    for number, source in enumerate((tmp_path / "one", tmp_path / "another/deeper")):
        (tmp_path / str(number)).mkdir()
        files = release.built(tmp_path / str(number), source=source)
        built.append({path.name: path.read_bytes() for path in files})
    assert len(built[0]) == 2
    assert [name for name in built[0] if built[0][name] != built[1].get(name)] == []


@pytest.mark.slow
def test_the_bill_of_materials_lists_every_library_and_the_gpl_allows_them(wheel: Path, tmp_path: Path) -> None:
    bill = json.loads(release.listed(wheel, tmp_path / "venv"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert (bill["metadata"]["component"]["name"], bill["metadata"]["component"]["version"]) == (
        "companion-table",
        __version__,
    )
    names = {each["name"] for each in bill["components"]}
    assert {"msgspec", "textual", "rich", "aiohttp", "segno", "reportlab", "pillow", "gpiod", "mfrc522"} <= names
    references = {each["bom-ref"] for each in (bill["metadata"]["component"], *bill["components"])}
    assert {each["ref"] for each in bill["dependencies"]} == references
    assert {each for line in bill["dependencies"] for each in line["dependsOn"]} <= references


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("License-Expression: MIT", "MIT"),
        ("Classifier: License :: OSI Approved :: ISC License (ISCL)", "ISC"),
        ("License: unlicense.org", "Unlicense"),
        ("License: see the web", "unknown"),
    ],
)
def test_a_licence_is_read_where_a_library_names_it(tmp_path: Path, said: str, known: str) -> None:
    folder = tmp_path / "thing-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: Thing\nVersion: 1.0\n{said}\n")
    assert bill_of_materials.components(tmp_path) == [bill_of_materials.Component("thing", "1.0", known)]


@pytest.mark.parametrize(
    ("licence", "is_allowed"),
    [
        ("MIT", True),
        ("Apache-2.0 AND MIT", True),
        ("LicenseRef-Proprietary OR BSD-3-Clause", True),
        ("GPL-2.0-only", False),
        ("MIT AND CC-BY-NC-4.0", False),
        ("unknown", False),
    ],
)
def test_a_library_that_the_gpl_does_not_allow_is_named(licence: str, is_allowed: bool) -> None:
    refused = bill_of_materials.forbidden([bill_of_materials.Component("thing", "1.0", licence)])
    assert refused == ([] if is_allowed else [f"thing 1.0 ({licence})"])


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


@pytest.mark.parametrize(
    ("newest", "how"),
    [
        ("0.1.0", "run towncrier build --version 0.2.0"),
        ("0.2.0", "put that into the entry 0.2.0 of CHANGELOG.md"),
    ],
)
def test_a_release_with_news_that_the_changelog_lacks_is_refused(tmp_path: Path, newest: str, how: str) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "late.fixed.md").write_text("Late answers count.\n")
    with pytest.raises(release.ReleaseError, match=re.escape(f"still has late.fixed.md: {how}")):
        release.version(package(tmp_path, f"## {newest}\n\nAll of it.\n"))


def test_a_changelog_that_lags_behind_is_reported(tmp_path: Path) -> None:
    with pytest.raises(release.ReleaseError, match=r"says 0\.2\.0, but CHANGELOG\.md begins with 0\.1\.0"):
        release.version(package(tmp_path, "## 0.1.0\n\nAll of it.\n"))
