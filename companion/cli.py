"""The command line: finds the verb that was said, and lets it do its work."""

import errno
import sys
from importlib import import_module

from companion import __version__
from companion.errors import CompanionError
from companion.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from types import ModuleType
    from typing import NoReturn

_OUTPUT = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)
"""What writing to the standard output fails with."""
KIOSK = "--kiosk"
MESSAGE_LENGTH = 1000
"""A message may quote what it was given, and that may be endless."""


def main(arguments: list[str] | None = None) -> int:
    """Carry out a command line. Errors that a person can mend are one line on stderr, and exit status 2."""
    words = sys.argv[1:] if arguments is None else arguments
    if words == ["--version"]:  # a script's question: answered in half the time that the parser takes to import
        print(f"companion {__version__}")
        return 0
    try:
        said = read(words or ["--help"])  # imports the verb, which takes long enough for a Ctrl-C
        status: int = _verb(said.verb).run(said)
        sys.stdout.flush()
        _tell_misfits(words)
        return status
    except CompanionError as error:
        _say(f"companion: {_harmless(str(error))}", words)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `companion games | head`
        sys.stderr.close()
        return 141
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _OUTPUT:
            print(f"companion: the output cannot be written: {error.strerror}", file=sys.stderr)
            sys.stdout = None  # else Python tries once more while it ends
            return 74
        return _crashed(error, words)


def _say(problem: str, words: list[str]) -> None:
    """On stderr. A kiosk's terminal ends with its program, and perhaps nobody was there: the system's log keeps it."""
    print(problem, file=sys.stderr)
    if KIOSK in words:
        import syslog

        syslog.openlog("companion-kiosk")
        syslog.syslog(syslog.LOG_ERR, problem)


def _crashed(error: Exception, words: list[str]) -> int:
    """A mistake of ours, or in somebody's game: what happened, where the log is and what to do. No value is told: it
    may be a secret."""
    from companion.crash import STATUS, account, fault_of, headline
    from companion.gamekit.discovery import strangers
    from companion.home.crash_log import note
    from companion.home.paths import crashes_path

    kept = note(account(error))
    fault = fault_of(error, strangers())
    what = (
        f"this is a mistake in the game of {fault.package}, not yours: {fault.where}"
        if fault
        else f"this is a mistake in Companion itself, not yours: {headline(error)}"
    )
    where = f"it is written down in {crashes_path()}" if kept else f"it cannot be written down\n{account(error)}"
    kept_evening = "Nothing that was accepted is lost: `companion resume` goes on. "
    _say(
        f"companion: {_harmless(what)}. {kept_evening if words[:1] != ['demo'] else ''}"
        f"Please {'tell its author' if fault else 'report it'}; {_harmless(where) if kept else where}",
        words,
    )
    return STATUS


def _tell_misfits(words: list[str]) -> None:
    """Sentences that named a fact which was not there: whose they are. People have read the rest of them."""
    wording = sys.modules.get("companion.language.wording")
    if wording is None or not wording.MISFITS:
        return
    from companion.gamekit.discovery import author_of
    from companion.home.crash_log import note

    for misfit in wording.MISFITS.values():
        package = author_of(misfit.sentence)
        whose = f"the game of {package}, not yours: {misfit}. Please tell its author"
        ours = f"Companion itself, not yours: {misfit}. Please report it"
        said = f"this is a mistake in {whose if package else ours}"
        note(said)
        _say(f"companion: {_harmless(said)}", words)


def read(words: list[str]) -> "Namespace":
    """What a command line says. Leaves, with the usage, if that makes no sense."""
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> "NoReturn":
            super().error(_harmless(message))

    whole = Parser(
        prog="companion",
        description="A referee for real board-game tables.",
        epilog="`companion play` opens the start screen: Enter begins a game. `companion VERB --help` says more.",
    )
    whole.add_argument("--version", action="version", version=f"companion {__version__}")
    verbs = whole.add_subparsers(dest="verb", metavar="VERB", required=True)
    said = next((word for word in words if not word.startswith("-")), None)
    for verb in words[:1] if words[0] in VERBS else VERBS:  # each takes its time, and only `--help` tells of them all
        parser = verbs.add_parser(verb, help=VERBS[verb])
        if verb == said:  # nobody else is asked
            _verb(verb).arguments(parser)
    return whole.parse_args(words)


def _verb(name: str) -> "ModuleType":
    """The module of a verb is imported when the verb is said, and what it needs with it."""
    return import_module(f"companion.verbs.{name.replace('-', '_')}")


def _harmless(message: str) -> str:
    from companion.language.wording import plain

    return plain(message, MESSAGE_LENGTH)
