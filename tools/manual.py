"""Man pages and shell completions, made from the command line's own help: python tools/manual.py FOLDER

It needs nothing but the program itself, so `make install` runs it with the Python of the installed one.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import __version__
from companion.cli import parser_of
from companion.verbs import VERBS

MAN, BASH = "man/man1", "bash-completion/completions"
ZSH, FISH = "zsh/vendor-completions", "fish/vendor_completions.d"


def write(folder: Path) -> list[Path]:
    """Everything, below a folder like /usr/share."""
    parsers = {verb: parser_of(verb) for verb in VERBS}
    texts = {f"{MAN}/companion.1": _whole(), f"{BASH}/companion": _bash(parsers)}
    texts |= {f"{ZSH}/_companion": _zsh(parsers), f"{FISH}/companion.fish": _fish(parsers)}
    texts |= {f"{MAN}/companion-{verb}.1": _page(verb, parser) for verb, parser in parsers.items()}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


# --- Man pages ------------------------------------------------------------------------------------------------


def _escaped(text: str) -> str:
    """For troff: a backslash, a hyphen that may be typed, and a line that would begin with a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def _head(name: str, what: str) -> str:
    return f'.TH {name.upper()} 1 "" "companion {__version__}" "Companion"\n.SH NAME\n{name} \\- {_escaped(what)}\n'


def _whole() -> str:
    verbs = "".join(f".TP\n.BR companion\\-{_escaped(verb)} (1)\n{_escaped(what)}\n" for verb, what in VERBS.items())
    return (
        _head("companion", "a referee for real board-game tables")
        + ".SH SYNOPSIS\n.B companion\n.I VERB\n[options]\n.SH DESCRIPTION\nCompanion reads tagged pieces, adjudicates,"
        + " keeps secrets and explains its rulings.\n.B companion play\nopens the start screen.\n.SH COMMANDS\n"
        + verbs
        + ".SH ENVIRONMENT\n.TP\n.B COMPANION_HOME\nthe folder for evenings, boxes and table.toml (default:"
        + " ~/.local/share/companion)\n"
    )


def _page(verb: str, parser: argparse.ArgumentParser) -> str:
    usage = re.sub(r"\s+", " ", parser.format_usage().removeprefix("usage: ")).strip()
    lines = [_head(f"companion-{verb}", VERBS[verb]), f".SH SYNOPSIS\n{_escaped(usage)}\n.SH OPTIONS\n"]
    for action in _shown(parser):
        names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        words = parser._get_formatter()._expand_help(action) if action.help else ""
        lines.append(f".TP\n.B {_escaped(names)}\n{_escaped(words)}\n")
    return "".join((*lines, ".SH SEE ALSO\n.BR companion (1)\n"))


def _shown(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    yield from (action for action in parser._actions if action.help is not argparse.SUPPRESS)


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in _shown(parser) for name in action.option_strings if name.startswith("--")]


def _choices(parser: argparse.ArgumentParser) -> list[str]:
    """What may be typed without dashes, where there is a list of it."""
    return [str(each) for action in _shown(parser) if not action.option_strings for each in action.choices or ()]


# --- Completions ----------------------------------------------------------------------------------------------


def _bash(parsers: dict[str, Any]) -> str:
    cases = "".join(
        f'        {verb}) words="{" ".join((*_choices(parser), *_options(parser)))}" ;;\n'
        for verb, parser in parsers.items()
    )
    return f"""\
# bash completion for companion
_companion() {{
    local words current=${{COMP_WORDS[COMP_CWORD]}}
    case ${{COMP_WORDS[1]}} in
{cases}    esac
    if [ "$COMP_CWORD" -eq 1 ]; then words="{" ".join(VERBS)} --help --version"; fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _companion companion
"""


def _zsh(parsers: dict[str, Any]) -> str:
    verbs = " ".join(f"'{verb}:{what.replace(chr(39), '’').replace(':', ' ')}'" for verb, what in VERBS.items())
    cases = "".join(
        f"    {verb}) compadd -- {' '.join((*_choices(parser), *_options(parser)))}; _files ;;\n"
        for verb, parser in parsers.items()
    )
    return f"""\
#compdef companion
if (( CURRENT == 2 )); then
  local -a verbs=({verbs})
  _describe verb verbs
else
  case $words[2] in
{cases}  esac
fi
"""


def _fish(parsers: dict[str, Any]) -> str:
    lines = []
    for verb, what in VERBS.items():
        said = what.replace("'", "\\'")
        lines.append(f"complete -c companion -n __fish_use_subcommand -a {verb} -d '{said}'")
        seen = f"complete -c companion -n '__fish_seen_subcommand_from {verb}' -l"
        lines += [f"{seen} {option[2:]}" for option in _options(parsers[verb])]
    return "\n".join((*lines, ""))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
