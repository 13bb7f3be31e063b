"""Every Python that people have: on each of them all that is needed comes as a wheel, and the wheel plays a game."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.tools import run
from tools import release, trixie

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = ("x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "aarch64-apple-darwin")
TRIED = (
    *("tests/devices/gpio/test_gpiod.py", "tests/devices/rc522/test_rc522.py", "tests/tools/test_install.py"),
    *("tests/devices/gpio/test_gpio_check.py", "tests/devices/rc522/test_check.py", "tests/devices/test_computer.py"),
    *("tests/doctor/test_installation.py", "tests/doctor/test_home.py"),
)
"""What is run on Debian 13: drivers with their real libraries, files. `make trixie` runs all that is fast."""


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_nothing_has_to_be_compiled(python: str, system: str) -> None:
    """Neither for the tests nor on a Pi."""
    where = ("--python-version", python, "--python-platform", system, "--python", sys.executable)
    extras = ("--extra", "test", "--extra", "all", "-c", "constraints.txt")
    words = ("pip", "compile", "--quiet", "--only-binary", ":all:", *where, *extras, "pyproject.toml")
    try:  # a wheel that was published once stays there: what uv has been told it need not ask again
        resolved = release.uv(*words, "--offline")
    except release.ReleaseError:
        resolved = release.uv(*words)
    assert "textual==" in resolved
    assert ("gpiod==" in resolved) == ("manylinux" in system)


def _found(version: str) -> str:
    """The interpreter of this version, also in pyenv's folder, where none is chosen; "" if this machine has none."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (shutil.which(f"python{version}"), *sorted(kept.glob(f"{version}.*/bin/python"))):
        if found and subprocess.run([found, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return str(found)
    return ""


@pytest.fixture(params=[version for version in PYTHONS if _found(version)])
def python(request: pytest.FixtureRequest) -> str:
    """Each version that this machine has."""
    return _found(request.param)


@pytest.mark.slow
def test_uv_installs_the_wheel_with_every_extra_and_it_plays(
    python: str, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_TOOL_DIR", str(tmp_path / "tools"))
    monkeypatch.setenv("UV_TOOL_BIN_DIR", str(tmp_path / "bin"))
    wheels = ("--no-build", "-c", "constraints.txt")
    release.uv("tool", "install", "--quiet", "--python", python, *wheels, f"companion-table[all] @ {wheel.as_uri()}")
    assert release.played(tmp_path / "bin" / "companion", tmp_path / "home").rstrip().endswith("wins.")
    paper = str(tmp_path / "lascaux.pdf")
    release.told(tmp_path / "bin" / "companion", tmp_path / "home", "print", "lascaux", "--out", paper)


@pytest.mark.slow
def test_uvx_runs_the_wheel_without_installing_it(python: str, wheel: Path, tmp_path: Path) -> None:
    """`uvx companion-table …`: the command that is named like the package."""
    words = ("--python", python, "-c", "constraints.txt", "--from", str(wheel), "companion-table", *release.GAME)
    assert release.uv("tool", "run", "--quiet", *words).rstrip().endswith("wins.")


@pytest.mark.slow
def test_pipx_installs_the_wheel_and_it_plays(
    python: str, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIPX_HOME", str(tmp_path / "pipx"))
    monkeypatch.setenv("PIPX_BIN_DIR", str(tmp_path / "bin"))
    run(sys.executable, "-m", "pipx", "install", "--quiet", "--python", python, wheel)
    assert release.played(tmp_path / "bin" / "companion", tmp_path / "home").rstrip().endswith("wins.")


# --- Debian 13 ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def debian_13(wheel: Path) -> Iterator[Path]:
    if os.geteuid():
        pytest.skip("only root can enter another system's folder: `sudo make trixie` does")
    try:
        with trixie.debian(wheel, "test") as root:
            yield root
    except trixie.CannotError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_on_debian_13_the_wheel_plays_the_game_that_this_checkout_plays(debian_13: Path, tmp_path: Path) -> None:
    told = trixie.inside(debian_13, "python", "-m", "companion", *release.GAME)
    assert told == release.played(Path(sys.executable).with_name("companion"), tmp_path / "home")


@pytest.mark.slow
def test_on_debian_13_udev_takes_the_rule_for_usb_lines(debian_13: Path) -> None:
    trixie.inside(debian_13, "udevadm", "verify", "hardware/pi/70-companion.rules")
    groups_of_a_pi = "--resolve-names=never"  # which Debian has not, before they are made
    trixie.inside(debian_13, "udevadm", "verify", groups_of_a_pi, "hardware/pi/70-companion-pi.rules")


@pytest.mark.slow
def test_on_debian_13_the_fast_tests_pass(debian_13: Path) -> None:
    fast = ("-q", "-m", "not slow", "--hypothesis-profile=few")  # as `make fast` runs them
    said = trixie.inside(debian_13, "python", "-m", "pytest", *fast, *TRIED)
    assert " passed" in said
    assert trixie.PYTHON in trixie.inside(debian_13, "python", "--version")
