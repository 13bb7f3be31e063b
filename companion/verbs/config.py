"""`companion config`: writes a `table.toml` to start from, or shows the one in use."""

from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path
from typing import get_args

from companion.config import NAME, ReaderSettings, TableSettings, find_table, kit_table
from companion.config.sample import table_text
from companion.devices import reader_kinds
from companion.devices.computer import System
from companion.errors import ConfigError, UsageError
from companion.files import PRIVATE, changing, store
from companion.home.paths import home
from companion.language.wording import plain
from companion.processes.reader_detection import found_table
from companion.stations import ReaderKit
from companion.verbs.arguments import add_table

LENGTH = 500
"""How many letters of a path are printed."""
HEADER_SPI = "spidev0.*"
"""The bus of kit one. A Pi 5 has other buses that are not on its header, such as spidev10.0."""


EXAMPLES = ("companion config --reader pn532", "companion config --show")


def arguments(parser: ArgumentParser) -> None:
    wired = parser.add_mutually_exclusive_group()
    kits = "as a Pi is wired: one reader, or pads too (default: the reader that is plugged in, else one)"
    wired.add_argument("--kit", choices=get_args(ReaderKit), help=kits)
    wired.add_argument("--found", action="store_true", help="write only what answers here")
    wired.add_argument("--reader", choices=reader_kinds.names(), help="one reader of this kind and nothing else")
    parser.add_argument("--root", type=Path, default=Path("/"), help=SUPPRESS)
    parser.add_argument("--force", action="store_true", help="overwrite the existing one")
    parser.add_argument("--show", action="store_true", help="write nothing, print the settings in use")
    add_table(parser)


def run(said: Namespace) -> int:
    """Raises UsageError, ConfigError."""
    if said.show:
        return show(said.table)
    if said.found:
        return write_found(said.table, System(said.root), force=said.force)
    table, words = _proposed(said)
    return write(said.table, table, words, force=said.force)


def _proposed(said: Namespace) -> tuple[TableSettings, str]:
    """A table, and the reason for it."""
    if said.reader:
        return TableSettings(readers=(_usual(said.reader),)), f"for one reader ({said.reader})"
    if said.kit:
        return kit_table(said.kit), f"as {'kit one' if said.kit == 'one' else 'the full kit'} is wired"
    system = System(said.root)
    found = None if system.is_pi and system.matching("/dev", HEADER_SPI) else reader_kinds.detected(said.root)
    if found is None:
        return kit_table("one"), "as kit one is wired"
    doubt = f", which may be {found.may_be}" if found.may_be else ""
    return TableSettings(readers=(found.settings,)), f"because {plain(found.name)} is plugged in{doubt}"


def _usual(name: str) -> ReaderSettings:
    """A reader of this kind, with all that may be left out."""
    kind = reader_kinds.find(name)
    if not isinstance(kind, type):
        raise UsageError(f"readers of kind {name!r} cannot be used here; `companion doctor` says why")
    return kind.example()


def write(named: Path | None, table: TableSettings, words: str, *, force: bool) -> int:
    """Write a commented file. An existing one is overwritten only if forced."""
    path = named or home() / NAME
    _store(path, table_text(table), force=force)
    print(f"{plain(str(path), LENGTH)}: written, {words}.")
    print("Change it where your wiring differs; then `companion doctor` tries every device in it.")
    return 0


def write_found(named: Path | None, system: System, *, force: bool) -> int:
    """Write the devices that answer. If none does, nothing is written: without a file everything is entered on the
    screen."""
    path = named or home() / NAME
    table = found_table(system)
    if table is None:
        print("Nothing answers: no reader on the Pi's bus or on USB, no satellite. `companion doctor` says why.")
        print("Once something is wired, ask again; or `companion config --kit one` writes the file all the same.")
        return 0
    _store(path, table_text(table), force=force)
    print(f"{plain(str(path), LENGTH)}: written, with {', '.join(table.stations)}.")
    return 0


def show(named: Path | None) -> int:
    """Print the settings in use, as TOML."""
    table = find_table(home(), named)
    path = named or home() / NAME
    if table == TableSettings() and not path.exists():
        print(f"# There is no {plain(str(path), LENGTH)}: nothing is wired, and everything is entered on the screen.")
        print("# `companion config` writes one.")
        return 0
    print(f"# In force, from {plain(str(path), LENGTH)} (kit: {table.kit})\n")
    print(table_text(table), end="")
    return 0


def _store(path: Path, text: str, *, force: bool) -> None:
    try:
        with changing(path.parent):
            if path.exists() and not force:
                raise UsageError(f"{path} is there already; --show prints it, --force overwrites it")
            store(path, text, PRIVATE)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot write this: {getattr(error, 'strerror', None) or error}") from None
