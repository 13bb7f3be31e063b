"""Rooms that the tests barely cover are named."""

from pathlib import Path

import pytest

from tools.rooms import CHECKOUT, Walked, room_of, told, within


@pytest.mark.parametrize(
    ("path", "room"),
    [
        ("companion/games/sioux/rules/hunt.py", "companion/games/sioux"),
        ("companion/screen/widgets/button_bar.py", "companion/screen"),
        ("companion/games/__init__.py", "companion/games"),
        ("companion/cli.py", "companion/cli.py"),
    ],
)
def test_a_game_is_a_room_of_its_own(path: str, room: str) -> None:
    assert room_of(path) == room


@pytest.mark.parametrize(
    ("checkout", "path", "name"),
    [
        ("/home/anna/companion", "/home/anna/companion/companion/home/tag_packs.py", "companion/home/tag_packs.py"),
        ("/companion/companion", "/companion/companion/companion/cli.py", "companion/cli.py"),
        ("/srv/table", "/srv/table/companion/games/sioux/rules/hunt.py", "companion/games/sioux/rules/hunt.py"),
        ("/home/anna/companion", "/home/anna/companion/tools/rooms.py", None),
    ],
)
def test_a_checkout_may_be_called_like_the_house(checkout: str, path: str, name: str | None) -> None:
    assert within(path, Path(checkout)) == name


def test_a_file_of_this_checkout_is_found() -> None:
    assert within(str(CHECKOUT / "companion" / "cli.py")) == "companion/cli.py"


def test_a_room_below_the_bound_is_named_with_the_file_that_is_to_blame() -> None:
    lines, kept = told(
        {
            "companion/home/tag_packs.py": Walked(100, 100),
            "companion/screen/app.py": Walked(50, 10),
            "companion/screen/evening_flow.py": Walked(50, 50),
        }
    )
    assert not kept
    assert [line.split() for line in lines[:2]] == [
        ["60.0%", "100", "companion/screen", "BELOW", "90%"],
        ["20.0%", "of", "companion/screen/app.py"],
    ]
    assert lines[-1].split() == ["80.0%", "200", "all", "of", "it"]


def test_rooms_that_keep_the_bound_are_only_listed() -> None:
    lines, kept = told({"companion/home/tag_packs.py": Walked(10, 9), "companion/home/box_files.py": Walked(0, 0)})
    assert kept
    assert [line.split()[-1] for line in lines] == ["companion/home", "it"]
