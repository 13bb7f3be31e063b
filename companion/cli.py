"""The command line: reads it, imports the module of its verb, and runs that."""

import errno
import sys
from importlib import import_module
from io import TextIOWrapper

from companion import __version__
from companion.errors import CompanionError
from companion.verbs import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from types import ModuleType

_OUTPUT = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)
"""The errors of a standard output that cannot be written."""
KIOSK = "--kiosk"
MESSAGE_LENGTH = 1000
"""How many letters of a message are printed: it may quote what was typed."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command line. An error that the user can fix is one line on stderr, with exit status 2."""
    words = sys.argv[1:] if arguments is None else arguments
    _print_everything()
    if words == ["--version"]:  # scripts ask this; importing the parser would double the time
        print(f"companion {__version__}")
        return 0
    try:
        said = read(words or ["--help"])  # inside the try: importing the verb takes long enough for a Ctrl-C
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
            sys.stdout = None  # else Python tries again at exit
            return 74
        return _crashed(error, words)


def _print_everything() -> None:
    """A letter that this terminal does not have is a question mark, and ends nothing. Files and pipes get UTF-8."""
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, TextIOWrapper) and not output.encoding.lower().startswith("utf"):
            output.reconfigure(encoding=None if output.isatty() else "utf-8", errors="replace")


def _say(problem: str, words: list[str]) -> None:
    """Print on stderr. A kiosk's terminal closes with its program, so there the system's log keeps it, too."""
    from companion.verbs.parser import for_terminal

    print(for_terminal(problem), file=sys.stderr)
    if KIOSK in words:
        import syslog

        syslog.openlog("companion-kiosk")
        syslog.syslog(syslog.LOG_ERR, problem)


def _crashed(error: Exception, words: list[str]) -> int:
    """Report a mistake of ours, or of a game's author: what happened, where the log is and what to do. Values are left
    out, because they may be secret."""
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
    """Report sentences that named a missing fact, and whose they are. They were shown without it."""
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
    """Parse a command line. Exits with two lines if that fails: what is wrong, and where help is."""
    from companion.verbs.parser import Parser

    whole = Parser(
        prog="companion",
        description="A referee for real board-game tables.",
        epilog="`companion play` opens the start screen: Enter begins a game. `companion VERB --help` says more.",
    )
    whole.add_argument("--version", action="version", version=f"companion {__version__}", help="print the version")
    verbs = whole.add_subparsers(dest="verb", metavar="VERB", required=True)
    said = next((word for word in words if not word.startswith("-")), None)
    for verb in words[:1] if words[0] in VERBS else VERBS:  # only `--help` needs all of them
        if verb == said:  # only its module is imported
            module = _verb(verb)
            parser = verbs.add_parser(verb, help=VERBS[verb], description=VERBS[verb], examples=module.EXAMPLES)
            module.arguments(parser)
        else:
            verbs.add_parser(verb, help=VERBS[verb])
    typed: Namespace = whole.parse_args(words)
    return typed


def parser_of(verb: str) -> "ArgumentParser":
    """The options of one verb, for man pages and completions."""
    from companion.verbs.parser import Parser

    parser = Parser(prog=f"companion {verb}", description=VERBS[verb], examples=examples_of(verb))
    _verb(verb).arguments(parser)
    return parser


def examples_of(verb: str) -> tuple[str, ...]:
    """Command lines that its help shows."""
    examples: tuple[str, ...] = _verb(verb).EXAMPLES
    return examples


def _verb(name: str) -> "ModuleType":
    """The module of a verb, imported only when the verb is used."""
    return import_module(f"companion.verbs.{name.replace('-', '_')}")


def _harmless(message: str) -> str:
    from companion.language.wording import plain

    return plain(message, MESSAGE_LENGTH)
