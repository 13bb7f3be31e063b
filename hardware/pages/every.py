"""All pages, by their path; prose is wrapped at 120 characters."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hardware.pages import full_kit, kit_one, laptop, ordering
from hardware.pages.sources import HARDWARE

WIDTH = 120
_VERBATIM = re.compile(r"\s*(\||#|<|!\[)| {4}")
_LIST_ITEM = re.compile(r"\s*(?:(?:-|\d+\.) )?")
_UNBROKEN = re.compile(r"(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+")
"""A word, with code and links in one piece."""


def wrapped(page: Callable[[], str]) -> str:
    return "\n".join(part for line in page().split("\n") for part in _wrap(line))


def _wrap(line: str) -> list[str]:
    """Tables, headings, pictures and code stay as they are."""
    if len(line) <= WIDTH or _VERBATIM.match(line):
        return [line]
    lead = _LIST_ITEM.match(line)[0]  # type: ignore[index]  # it matches every line
    first, *words = _UNBROKEN.findall(line[len(lead) :])
    lines = [lead + first]
    for word in words:
        if len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(" " * len(lead) + word)
    return lines


BUILD = HARDWARE / "build"
PAGES: dict[Path, Callable[[], str]] = {
    BUILD / "laptop.md": partial(wrapped, laptop.page),
    BUILD / "kit-one.md": partial(wrapped, kit_one.page),
    BUILD / "full-kit.md": partial(wrapped, full_kit.page),
    HARDWARE / "boards" / "README.md": partial(wrapped, ordering.page),
}
