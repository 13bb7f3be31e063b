"""`python -m tools.field_tables`: writes the tables of all fields of a manifest, of a `Game` and of what a face is made
of into docs/add-a-game.md, from the docstrings beneath the fields."""

from pathlib import Path

from companion.gamekit import Game
from companion.gamekit.field_table import in_markdown
from companion.gamekit.manifest import Manifest
from companion.gamekit.screen import Choice, Command, Headline, Menu

PAGE = Path(__file__).parents[1] / "docs" / "add-a-game.md"
KINDS = (Manifest, Game, Choice, Menu, Command, Headline)
END = "<!-- fields: end -->"


def with_tables(page: str) -> str:
    """The page with its tables as they should be. Raises ValueError where there is no place for one."""
    for kind in KINDS:
        begin = f"<!-- fields of {kind.__name__}: begin (written by tools.field_tables) -->"
        before, following = page.split(begin)
        _, after = following.split(END, 1)
        page = f"{before}{begin}\n\n{in_markdown(kind)}\n\n{END}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
