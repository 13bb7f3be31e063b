"""`companion config`: writes a `table.toml` to begin with, or shows the one in force."""

from pathlib import Path

from companion.boxes import home
from companion.config import NAME, Table, find_table
from companion.config.sample import table_text
from companion.config.table import FULL_TABLE, KIT_ONE_TABLE
from companion.errors import ConfigError, UsageError
from companion.storage import store
from companion.wording import plain

LENGTH = 500
"""A path is shown on one line, whatever it is."""
KITS = {"one": KIT_ONE_TABLE, "full": FULL_TABLE}


def write(named: Path | None, kit: str, *, force: bool) -> int:
    """A commented file, as the kit is wired in hardware/. Never over one that is there, unless forced."""
    path = named or home() / NAME
    _store(path, table_text(KITS[kit]), force=force)
    print(f"{plain(str(path), LENGTH)}: written, as {'kit one' if kit == 'one' else 'the full kit'} is wired.")
    print("Change it where your wiring differs; then `companion doctor` tries every device in it.")
    return 0


def show(named: Path | None) -> int:
    """What is in force, as TOML."""
    table = find_table(home(), named)
    path = named or home() / NAME
    if table == Table() and not path.exists():
        print(f"# There is no {plain(str(path), LENGTH)}: nothing is wired, and everything is told on the screen.")
        print("# `companion config` writes one.")
        return 0
    print(f"# In force, from {plain(str(path), LENGTH)} (kit: {table.kit})\n")
    print(table_text(table), end="")
    return 0


def _store(path: Path, text: str, *, force: bool) -> None:
    try:
        if path.exists() and not force:
            raise UsageError(f"{path} is there already; --show prints it, --force overwrites it")
        store(path, text)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot write this: {getattr(error, 'strerror', None) or error}") from None
