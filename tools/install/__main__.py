"""The command line of the installer."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from tools.install.machine import InstallError, Machine
from tools.install.steps import Step, steps, undone

CHECKOUT = Path(__file__).parents[2]
OLDEST = (3, 11)
DONE = "Done. `companion doctor` looks at everything; after the first time, start the computer again."
GONE = "Done. Evenings, boxes and table.toml are still there, in .local/share/companion."


def arguments() -> ArgumentParser:
    parser = ArgumentParser("make install", description="A table that begins by itself.")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument("--uninstall", action="store_true", help="take it back; evenings and table.toml stay")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--screen", action="store_true", help="show the table when the computer starts, also on no Pi")
    shown.add_argument("--no-screen", action="store_true", help="install the program only; nothing begins by itself")
    parser.add_argument("--user", default="", help="whose table it is (default: you)")
    parser.add_argument("--root", type=Path, default=Path("/"), help="another system's files; runs no command")
    return parser


def main(words: list[str] | None = None) -> int:
    said = arguments().parse_args(words)
    machine = Machine(said.root, said.user, dry=said.dry_run)
    try:
        _check(machine)
        return _go(machine, _plan(machine, said), GONE if said.uninstall else DONE)
    except InstallError as error:
        print(f"companion: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ncompanion: not finished; `make install` again goes on", file=sys.stderr)
        return 130


def _plan(machine: Machine, said: Namespace) -> Iterable[Step]:
    if said.uninstall:
        return undone(machine)
    return steps(machine, str(CHECKOUT), screen=said.screen or (bool(machine.model) and not said.no_screen))


def _check(machine: Machine) -> None:
    if sys.version_info < OLDEST:
        raise InstallError("Python is older than 3.11: bring the system up to date (Bookworm or later)")
    if not machine.has("/usr/bin/apt-get"):
        raise InstallError("there is no apt here: on other systems `make play` plays, and pipx installs the program")
    if machine.user == "root":
        raise InstallError("whose table is it? Run it as that user, or name them with --user")
    if not machine.knows_user():
        raise InstallError(f"there is no user {machine.user} here: --user names one who can log in")
    if machine.file_system() in ("overlay", "tmpfs"):
        raise InstallError(
            "this card is kept from being written: what is installed now is gone with the power. Switch the overlay "
            "off (`sudo raspi-config`, Performance Options), start again, install, and switch it on again"
        )


def _go(machine: Machine, plan: Iterable[Step], last_words: str) -> int:
    """First list everything, then do it."""
    machine.say(f"{machine.model or 'This computer'}, {machine.system}, for {machine.user}:")
    todo = list(plan)
    for step in todo:
        machine.say(f"  {'ok  ' if step.is_done else 'to do'}  {step.says}")
    if machine.dry:
        machine.say("Nothing was done: this was --dry-run.")
        return 0
    for step in todo:
        if not step.is_done:
            machine.say(f"→ {step.says}")
            step.do()
    machine.say(last_words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
