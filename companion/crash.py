"""What a crash report says: the kind of error, and where it happened. Never a value.

Python's own tracebacks quote the text of an error, and Textual's the local variables. Either may be a player's secret
choice, and would be visible on a terminal or in a log. So a report names kinds of errors, files, lines and functions,
and nothing else.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

STATUS = 70
"""Exit status of a process that failed because of a bug (EX_SOFTWARE)."""
FRAMES = 30
"""How many frames are reported from each end: an endless recursion has a thousand."""
ERRORS = 10
"""One may be caused by another, and a group has several."""

_HOUSE = Path(__file__).parents[1]


def account(error: BaseException) -> str:
    """Everything known about an error except values: one line for each error, and one for each frame."""
    return "\n".join(_lines(error))


def headline(error: BaseException) -> str:
    """KeyError in companion/messages/client.py, line 88"""
    return f"{_kind(error)}{_where(error)}"


class GameFault(NamedTuple):
    """An error in a third-party game."""

    package: str
    where: str
    """ZeroDivisionError in hen/rules.py, line 45"""


def fault_of(error: BaseException, packages: Mapping[str, str]) -> GameFault | None:
    """The package of the game that failed, by its top-level modules; None if the error is ours.

    A game calls the kit and libraries, so the innermost frame may be theirs. The game that called them still counts as
    the one that failed.
    """
    for each in _family(error):
        for place in reversed(_places(each.__traceback__)):
            top = place.module.partition(".")[0]
            if top in packages:
                return GameFault(packages[top], f"{_kind(each)} in {_within(top, place.file)}, line {place.line}")
    return None


class _Place(NamedTuple):
    file: str
    line: int
    function: str
    module: str


def _lines(error: BaseException) -> Iterator[str]:
    for number, each in enumerate(_family(error)):
        yield f"{'' if number == 0 else 'with '}{headline(each)}"
        places = [f"  {_short(place.file)}:{place.line} {place.function}" for place in _places(each.__traceback__)]
        yield from places if len(places) <= 2 * FRAMES else [*places[:FRAMES], "  …", *places[-FRAMES:]]


def _family(error: BaseException) -> list[BaseException]:
    """The error, its causes, and what had happened before."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting and len(found) < ERRORS:
        each = waiting.pop(0)
        if each not in found:
            found.append(each)
            parts = each.exceptions if isinstance(each, BaseExceptionGroup) else ()
            inner = getattr(each, "error", None)  # of a worker of Textual's
            related = (*parts, inner, each.__cause__, each.__context__)
            waiting += [other for other in related if isinstance(other, BaseException)]
    return found


def _kind(error: BaseException) -> str:
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _where(error: BaseException) -> str:
    """The innermost frame in our code, else the innermost one."""
    places = _places(error.__traceback__)
    ours = [place for place in places if Path(place.file).is_relative_to(_HOUSE / "companion")]
    innermost = (ours or places)[-1:]
    return "".join(f" in {_short(place.file)}, line {place.line}" for place in innermost)


def _places(trace: TracebackType | None) -> list[_Place]:
    places = []
    while trace is not None:
        frame, code = trace.tb_frame, trace.tb_frame.f_code
        places.append(_Place(code.co_filename, trace.tb_lineno, code.co_qualname, str(frame.f_globals.get("__name__"))))
        trace = trace.tb_next
    return places


def _short(file: str) -> str:
    """companion/messages/client.py; textual/app.py"""
    path = Path(file)
    parts = path.parts
    if path.is_relative_to(_HOUSE) and "site-packages" not in parts:
        return path.relative_to(_HOUSE).as_posix()
    return "/".join(parts[parts.index("site-packages") + 1 :] if "site-packages" in parts else parts[-4:])


def _within(top: str, file: str) -> str:
    """hen/rules.py, wherever the package is installed"""
    parts = Path(file).parts
    return "/".join(parts[len(parts) - 1 - parts[::-1].index(top) :] if top in parts else parts[-1:])


def tell(error: BaseException) -> None:
    """To standard error, which is a log if there is no terminal."""
    sys.stderr.write(account(error) + "\n")
