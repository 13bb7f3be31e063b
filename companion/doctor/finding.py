"""What a check has found, and checks that end whatever happens to the device."""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from companion.errors import CompanionError

Verdict: TypeAlias = Literal["well", "doubtful", "wrong"]

LIMIT_S = 8.0
"""Longer than every device needs to say that it does not answer."""


class Finding(Struct, frozen=True):
    """One thing that was looked at. Whatever is not well comes with what to do."""

    subject: str
    verdict: Verdict
    words: str
    advice: str = ""


class Check(Struct, frozen=True):
    subject: str
    look: Callable[[], Iterable[Finding]]
    """May take its time, and may raise CompanionError."""
    limit_s: float = LIMIT_S


def well(subject: str, words: str) -> Finding:
    return Finding(subject, "well", words)


def doubtful(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject, "doubtful", words, advice)


def wrong(subject: str, words: str, advice: str) -> Finding:
    return Finding(subject, "wrong", words, advice)


def lying(tags: int) -> str:
    """What is said of tags that happen to lie on a reader."""
    return f"; {tags} {'tag lies' if tags == 1 else 'tags lie'} there" if tags else ""


class Hung(Finding, frozen=True):
    """A check that has not come back. Its thread is still there, and cannot be ended."""


def findings(checks: Iterable[Check]) -> Iterator[Finding]:
    """What the checks find, one after the other. One that takes too long is left behind."""
    for check in checks:
        yield from _within(check)


def _within(check: Check) -> list[Finding]:
    found: list[Finding] = []

    def look() -> None:
        try:
            found.extend(check.look())
        except CompanionError as error:
            found.append(wrong(check.subject, str(error), "mend this first, then ask the doctor again"))
        except Exception as error:  # a library that does not expect such a device: no reason to stop
            found.append(wrong(check.subject, _in_a_line(error), "this is not known to the doctor; please report it"))

    thread = threading.Thread(target=look, name=f"doctor: {check.subject}", daemon=True)
    thread.start()
    thread.join(check.limit_s)
    if thread.is_alive():
        advice = "look at the kernel's messages (dmesg) and at the wires; switch the table off and on"
        return [Hung(check.subject, "wrong", f"does not come back within {check.limit_s:g} s", advice)]
    return found


def _in_a_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
