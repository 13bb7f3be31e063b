"""The report names the packages that the tests barely cover."""

from pathlib import Path

import pytest

from tools.package_coverage import CHECKOUT, Covered, package_of, report, within


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("companion/games/sioux/rules/hunt.py", "companion/games/sioux"),
        ("companion/screen/widgets/button_bar.py", "companion/screen"),
        ("companion/games/__init__.py", "companion/games"),
        ("companion/cli.py", "companion/cli.py"),
    ],
)
def test_a_game_is_a_package_of_its_own(path: str, package: str) -> None:
    assert package_of(path) == package


@pytest.mark.parametrize(
    ("checkout", "path", "name"),
    [
        ("/home/anna/companion", "/home/anna/companion/companion/home/tag_packs.py", "companion/home/tag_packs.py"),
        ("/companion/companion", "/companion/companion/companion/cli.py", "companion/cli.py"),
        ("/srv/table", "/srv/table/companion/games/sioux/rules/hunt.py", "companion/games/sioux/rules/hunt.py"),
        ("/home/anna/companion", "/home/anna/companion/tools/package_coverage.py", None),
    ],
)
def test_a_checkout_may_be_called_companion(checkout: str, path: str, name: str | None) -> None:
    assert within(path, Path(checkout)) == name


def test_a_file_of_this_checkout_is_found() -> None:
    assert within(str(CHECKOUT / "companion" / "cli.py")) == "companion/cli.py"


def test_a_package_below_the_bound_is_reported_with_the_file_that_lowers_it_most() -> None:
    lines, kept = report(
        {
            "companion/home/tag_packs.py": Covered(100, 100),
            "companion/screen/app.py": Covered(50, 10),
            "companion/screen/evening_flow.py": Covered(50, 50),
        }
    )
    assert not kept
    assert [line.split() for line in lines[:2]] == [
        ["60.0%", "100", "companion/screen", "BELOW", "90%"],
        ["20.0%", "of", "companion/screen/app.py"],
    ]
    assert lines[-1].split() == ["80.0%", "200", "in", "total"]


def test_packages_that_reach_the_bound_are_only_listed() -> None:
    lines, kept = report({"companion/home/tag_packs.py": Covered(10, 9), "companion/home/box_files.py": Covered(0, 0)})
    assert kept
    assert [line.split()[-1] for line in lines] == ["companion/home", "total"]
