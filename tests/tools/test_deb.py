"""The Debian package: what is in it, and where. `make fresh-debian` builds and installs it."""

import re
import subprocess
from pathlib import Path

import pytest

from companion.troubles import PACKAGED
from companion.verbs import VERBS
from tools import deb, fresh_debian, manual, release
from tools.install.layout import DEBIAN, LOCAL, PARTS, SOURCES
from tools.install.steps import ALWAYS, FOR_A_PANEL, GROUPS, OF_A_PI, ON_A_PI

SCRIPTS = {"config": deb.CONFIG, "postinst": deb.POSTINST, "prerm": deb.PRERM, "postrm": deb.POSTRM}


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


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_the_package_can_be_read_by_a_shell_and_stops_at_the_first_error(name: str) -> None:
    lines = SCRIPTS[name].splitlines()
    assert lines[0] == "#!/bin/sh"
    assert "set -e" in lines[:4]
    subprocess.run(["sh", "-n"], input=SCRIPTS[name], text=True, check=True)


def test_the_package_and_make_install_use_the_same_groups_and_debian_packages() -> None:
    assert re.findall(r"for group in (.+); do", deb.POSTINST) == [" ".join(OF_A_PI), " ".join(GROUPS)]
    needed = {*ALWAYS, *ON_A_PI, *FOR_A_PANEL} - {"python3-venv"}  # which makes what the package brings
    assert needed <= set(deb.RECOMMENDS)


def test_the_package_has_the_libraries_of_every_python_that_it_depends_on() -> None:
    oldest, below = re.findall(r"python3 \((?:>=|<<) 3\.(\d+)\)", deb.CONTROL)
    assert tuple(f"3.{minor}" for minor in range(int(oldest), int(below))) == deb.PYTHONS
    assert {python for _, python in fresh_debian.SUITES.values()} <= set(deb.PYTHONS)


def test_a_purge_removes_evenings_only_after_the_answer_yes() -> None:
    default, removing = deb.POSTRM.index("forget=false"), deb.POSTRM.index("rm -rf")
    assert default < deb.POSTRM.index('if [ "$forget" = true ]') < removing
    assert deb.POSTRM.count("rm -rf") == 1
    assert "Default: false" in deb.TEMPLATES


def test_what_was_seen_on_a_fresh_debian_takes_the_place_of_what_was_seen_before() -> None:
    page = fresh_debian.PAGE.read_text(encoding="utf-8")
    block = fresh_debian.block([fresh_debian.Row("`uvx`", "Debian 13", "start screen after 0.4 s", 3.2)])
    new = fresh_debian.written(page, block)
    assert "| `uvx` | Debian 13 | start screen after 0.4 s | 3 s |" in new
    assert fresh_debian.written(new, block) == new
    assert new.partition(fresh_debian.BEGIN)[0] == page.partition(fresh_debian.BEGIN)[0]
    assert new.partition(fresh_debian.END)[2] == page.partition(fresh_debian.END)[2]
