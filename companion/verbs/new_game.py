"""`companion new-game`: writes the folder of a new game that plays at once, for your own rules."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.gamekit import discovery
from companion.gamekit.template import write_game
from companion.language.wording import plain

LENGTH = 500


EXAMPLES = ("companion new-game hen-party",)


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="what the game is called in commands: lower-case letters, digits and hyphens")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where it is written (default: ./companion-NAME)")


def run(said: Namespace) -> int:
    folder: Path = said.folder or Path(f"companion-{said.name}")
    write_game(said.name, folder)
    where = plain(str(folder), LENGTH)
    print(f"{where}: written. {discovery.title_of(said.name)} plays already:\n")
    print(f"    pip install -e '{where}[test]'")
    print(f"    companion demo {said.name}")
    print(f"    pytest {where}")
    print(f"\nThen put your own rules into {where}/{said.name.replace('-', '_')}/rules.py; docs/add-a-game.md goes on.")
    return 0
