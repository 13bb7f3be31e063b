"""The parser of the command line: its help in whole words with examples, its errors in two lines with a suggestion."""

import re
import sys
from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter, Namespace
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import Any, NoReturn

from companion.errors import or_rather
from companion.language.wording import plain

MESSAGE_LENGTH = 1000
"""How many letters of a message are printed: it quotes what was typed."""
CHOICES = re.compile(r"argument (.+?): invalid choice: '?(.*?)'? \(choose from (.*)\)$", re.DOTALL)
VALUES = {"int": "a whole number", "float": "a number", "_day": "a day such as 2026-11-18"}


class WholeWords(HelpFormatter):
    """Breaks lines between words, never behind a hyphen."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(text, width, break_long_words=False, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return whole_words(text, width)


def whole_words(text: str, width: int) -> str:
    """Broken between words. What goes on in the next line is indented a little more than what it belongs to."""
    lines = []
    for line in text.splitlines():
        start = " " * (len(line) - len(line.lstrip()))
        goes_on = f"{start}    " if start else ""
        lines.append(
            fill(
                line.strip(),
                width,
                initial_indent=start,
                subsequent_indent=goes_on,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
    return "\n".join(lines)


def for_terminal(text: str) -> str:
    """What goes to standard error: a terminal would break lines within words."""
    return whole_words(text, get_terminal_size().columns) if sys.stderr.isatty() else text


class HelpOption(Action):
    """-h, --help: the parser may have more to say about what was typed before it."""

    def __init__(self, option_strings: Sequence[str], dest: str = SUPPRESS, **more: Any) -> None:
        super().__init__(option_strings, dest=SUPPRESS, default=SUPPRESS, nargs=0, **more)

    def __call__(self, parser: ArgumentParser, namespace: Namespace, *_: object) -> None:
        assert isinstance(parser, Parser)
        more = parser.more_help(namespace) if parser.more_help else ""
        parser.epilog = "\n\n".join(part for part in (parser.epilog, more) if part)
        parser.print_help()
        parser.exit()


class Parser(ArgumentParser):
    """`examples` are command lines that work as they are, shown below the help."""

    more_help: Callable[[Namespace], str] | None = None
    """What else helps with what was typed so far."""

    def __init__(self, *, examples: Sequence[str] = (), **how: Any) -> None:
        about: str = how.pop("description", None) or ""
        listed = ["example:" if len(examples) == 1 else "examples:", *(f"  {line}" for line in examples)]
        super().__init__(
            **how,
            description=about and f"{about[0].upper()}{about[1:].removesuffix('.')}.",
            formatter_class=WholeWords,
            add_help=False,
        )
        self.epilog = self.epilog or ("\n".join(listed) if examples else None)
        self.add_argument("-h", "--help", action=HelpOption, help="show this help")

    def format_help(self) -> str:
        """With a short usage: the options are listed below it."""
        named = [action for action in self._actions if not action.option_strings and action.help != SUPPRESS]
        words = [str(action.metavar or action.dest) + (" …" if action.nargs == "+" else "") for action in named]
        given = [word if action.required else f"[{word}]" for word, action in zip(words, named, strict=True)]
        self.usage = " ".join(["%(prog)s", *given, "[options]"])
        return super().format_help()

    def parse_args(self, words: Any = None, namespace: Any = None) -> Any:
        """As argparse's, but the verb itself reports what it does not know: it can say what is alike."""
        said, unknown = self.parse_known_args(words, namespace)
        if unknown:
            self._innermost(said)._refuse(unknown[0])
        return said

    def _innermost(self, said: Namespace) -> "Parser":
        """The parser of the verb that was typed, or of its action."""
        parser = self
        for dest in ("verb", "action"):
            for action in parser._actions:
                if action.dest == dest and isinstance(action.choices, dict):
                    parser = action.choices[getattr(said, dest)]
        return parser

    def _refuse(self, word: str) -> NoReturn:
        name = word.partition("=")[0]
        if not name.startswith("-"):
            self.error(f"{name!r} is one word too many")
        known = [option for action in self._actions if action.help != SUPPRESS for option in action.option_strings]
        self.error(f"there is no option {name}{or_rather(name, known)}")

    def error(self, message: str) -> NoReturn:
        """What is wrong, and where help is: a line each."""
        said = f"{self.prog}: {plain(_reworded(message), MESSAGE_LENGTH)}"
        self.exit(2, for_terminal(f"{said}\n`{self.prog} --help` shows what you can type.") + "\n")


def _reworded(message: str) -> str:
    """A message of argparse, in our words."""
    if found := CHOICES.match(message):
        where, word, choices = found[1], found[2], re.findall(r"[^\s',]+", found[3])
        if where in ("VERB", "ACTION"):
            return f"there is no {where.lower()} {word!r}{or_rather(word, choices)}"
        return f"{where}: {word!r} is not one of {', '.join(choices)}{or_rather(word, choices)}"
    if found := re.match(r"argument (.+?): invalid (\w+) value: (.*)$", message, re.DOTALL):
        return f"{found[1]}: {found[3]} is not {VALUES.get(found[2], found[2])}"
    if found := re.match(r"argument (.+?): expected (?:one|at least one|\d+) arguments?$", message):
        return f"{found[1]} needs a value"
    if found := re.match(r"the following arguments are required: (.*)$", message):
        return f"{found[1]} is not given"
    if found := re.match(r"argument (.+?): not allowed with argument (.*)$", message):
        return f"{found[1]} and {found[2]} exclude each other"
    return message.removeprefix("argument ")


def answer_to(question: str) -> str:
    """What is typed; "" for Ctrl-D."""
    try:
        return input(question)
    except EOFError:
        print()
        return ""
