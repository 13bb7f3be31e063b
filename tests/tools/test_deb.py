"""The Debian package: what is in it, and a Debian 12 and 13 with nothing of ours but that file."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.troubles import PACKAGED
from companion.verbs import VERBS
from tools import deb, manual, release, trixie
from tools.install.layout import DEBIAN, LOCAL, PARTS, SOURCES

PACKAGES = ("python3", "adduser", "debconf", "tzdata", "procps")
SHOWN = "timeout 15 script -qc 'stty cols 100 rows 30; companion play' /dev/null </dev/null || :"


def test_every_file_of_hardware_pi_is_in_the_one_list() -> None:
    assert {part.source for part in PARTS} == {path.name for path in (release.ROOT / SOURCES).iterdir()}
    assert DEBIAN.program == PACKAGED


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.source)
def test_no_file_of_the_package_names_a_place_of_make_install(part) -> None:
    text = part.text(DEBIAN, release.ROOT / SOURCES)
    for place in (LOCAL.program, "/usr/local"):
        assert place not in text
    assert part.place(DEBIAN).startswith("/usr/")


def test_every_verb_has_a_man_page_and_every_option_is_completed(tmp_path: Path) -> None:
    manual.write(tmp_path)
    bash = (tmp_path / "bash-completion/completions/companion").read_text()
    for verb in VERBS:
        page = (tmp_path / f"man/man1/companion-{verb}.1").read_text()
        assert page.startswith(f".TH COMPANION-{verb.upper()} 1")
        assert f"        {verb}) words=" in bash
    assert "\\-\\-kiosk" in (tmp_path / "man/man1/companion-play.1").read_text()
    assert "--kiosk" in bash
    source = f". {tmp_path}/bash-completion/completions/companion; COMP_WORDS=(companion pl); COMP_CWORD=1; "
    completed = f'{source}_companion; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run(["bash", "-c", completed], capture_output=True, text=True, check=True)
    assert done.stdout == "play\n"


@pytest.fixture(scope="module")
def package(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg-deb")
    return deb.built(tmp_path_factory.mktemp("deb"), "amd64", wheel)


@pytest.mark.slow
def test_lintian_finds_no_error(package: Path) -> None:
    if shutil.which("lintian") is None:
        pytest.skip("there is no lintian (Debian: lintian)")
    said = subprocess.run(["lintian", str(package)], capture_output=True, text=True, check=False).stdout
    assert [line for line in said.splitlines() if line.startswith("E:")] == []


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def debian(request: pytest.FixtureRequest, package: Path) -> Iterator[Path]:
    """A Debian into which the package has been copied, and nothing else of ours."""
    if os.geteuid():
        pytest.skip("only root can enter another system's folder")
    try:
        kept = trixie.archive(PACKAGES, request.param)
    except trixie.CannotError as error:
        pytest.skip(str(error))
    with tempfile.TemporaryDirectory(prefix="companion-", ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        trixie.unpack(kept, root)
        (root / "src").mkdir()
        shutil.copy(package, root / "src")
        yield root


@pytest.mark.slow
def test_one_command_installs_it_the_start_screen_is_seen_and_a_purge_keeps_the_evenings(
    debian: Path, package: Path
) -> None:
    trixie.inside(debian, "apt-get", "install", "-y", "--no-install-recommends", f"./{package.name}")
    assert trixie.inside(debian, "companion", *release.GAME).rstrip().endswith("wins.")
    assert "installed as a Debian package" in trixie.inside(debian, "companion", "update")
    assert "Play Lascaux against Ben and Cleo" in trixie.inside(debian, "sh", "-c", SHOWN)
    assert "companion" in trixie.inside(debian, "id", "-Gn", "companion").split()
    evening = debian / "var/lib/companion/.local/share/companion/evenings/kept.journal"
    evening.parent.mkdir(parents=True)
    evening.touch()
    trixie.inside(debian, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "purge", "-y", deb.PACKAGE)
    assert evening.exists()
    assert not (debian / DEBIAN.program[1:]).exists()
    assert not (debian / DEBIAN.command[1:]).is_symlink()
