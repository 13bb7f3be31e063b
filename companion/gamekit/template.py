"""Writes the folder of a new game: one that installs, plays and keeps its contract at once."""

import keyword
import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

from companion.errors import GameError, UsageError
from companion.files import store
from companion.gamekit import discovery

FILES = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "{module}/__init__.py": "init.py.txt",
    "{module}/rules.py": "{like}/rules.py.txt",
    "{module}/sentences.py": "{like}/sentences.py.txt",
    "{module}/py.typed": "",
    "tests/test_contract.py": "test_contract.py.txt",
    "tests/first.jsonl": "{like}/first.jsonl.txt",
}
"""What is written, and the template in `starter/` that it is made of."""
SMALLEST = "counters"
LIKE = {
    "bidding": "secret bids, revealed together",
    "trick": "cards are dealt, suit is followed",
    "tiles": "a market that is filled, tiles to take, points by colour",
}
"""Games to begin with, besides the smallest one."""


def write_game(name: str, folder: Path, like: str = SMALLEST) -> list[Path]:
    """Write the files of a game of this name into a new folder, like one of `LIKE`. Raises UsageError, GameError.

    An installed module of the same name would hide the game's own, or be hidden by it."""
    check_name(name)
    if folder.exists():
        raise UsageError(f"{folder} is there already: name another folder, or move it away")
    module, title = name.replace("-", "_"), discovery.title_of(name)
    if find_spec(module) is not None:
        raise UsageError(f"a module {module!r} is installed here, and would be imported instead: choose another name")
    said = {"name": name, "module": module, "title": title, "class": title.replace(" ", "")}
    said["rulings"] = _filled(f"{like}/rulings.md.txt", said)
    written: list[Path] = []
    try:
        for target, template in FILES.items():
            path = folder / target.format(module=module)
            store(path, _filled(template.format(like=like), said) if template else "")
            written.append(path)
    except OSError as error:
        raise GameError(f"{folder}: cannot write the new game: {error.strerror}") from None
    return written


def check_name(name: str) -> None:
    """Raises UsageError for a name that no game can have, or that is taken."""
    module = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(
            f"{name!r} is no name for a game: lower-case letters and digits, perhaps with hyphens, like 'hen-party'"
        )
    if name in discovery.names():
        raise UsageError(f"there is a game {name!r} already; Companion knows {', '.join(discovery.names())}")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module in ("companion", "tests"):
        raise UsageError(f"{module!r} means something else to Python: choose another name")


def _filled(template: str, said: dict[str, str]) -> str:
    text = files("companion.gamekit").joinpath("starter", *template.split("/")).read_text(encoding="utf-8")
    return Template(text).substitute(said)
