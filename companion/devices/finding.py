"""What a check has found. A check ends in time, even if the device hangs."""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, Self, TypeAlias

from msgspec import Struct

from companion.errors import CompanionError
from companion.language.wording import counted, plain

Health: TypeAlias = Literal["ok", "check", "problem"]
SIGNS: dict[Health, str] = {"ok": "ok", "check": "check", "problem": "PROBLEM"}
"""What a line begins with."""

LIMIT_S = 8.0
"""Longer than every device needs to say that it does not answer."""
LENGTH = 500
"""Devices and drivers are quoted, so a text may be endless."""


class Finding(Struct, frozen=True):
    """One thing that was looked at. All but ok comes with what to do."""

    subject: str
    verdict: Health
    words: str
    advice: str = ""

    @classmethod
    def ok(cls, subject: str, words: str) -> Self:
        return cls(subject, "ok", words)

    @classmethod
    def check(cls, subject: str, words: str, advice: str) -> Self:
        """It may be as it should be, but only a person can tell."""
        return cls(subject, "check", words, advice)

    @classmethod
    def problem(cls, subject: str, words: str, advice: str) -> Self:
        return cls(subject, "problem", words, advice)


class Check(Struct, frozen=True):
    subject: str
    look: Callable[[], Iterable[Finding]]
    """May take its time, and may raise CompanionError."""
    limit_s: float = LIMIT_S


def told(finding: Finding) -> str:
    """A line, and what to do on a second one."""
    line = f"{SIGNS[finding.verdict]:<8}  {plain(finding.subject, LENGTH)}: {plain(finding.words, LENGTH)}"
    return f"{line}\n{'':<8}  → {plain(finding.advice, LENGTH)}" if finding.advice else line


def lying(tags: int) -> str:
    """What is said of tags that happen to be on a reader."""
    return f"; {counted(tags, 'tag', 'tags')} on it" if tags else ""


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
            found.append(Finding.problem(check.subject, str(error), "fix this first, then run the doctor again"))
        except Exception as error:  # a library that does not expect such a device: no reason to stop
            found.append(
                Finding.problem(check.subject, _in_a_line(error), "this error is new to the doctor; please report it")
            )

    thread = threading.Thread(target=look, name=f"doctor: {check.subject}", daemon=True)
    thread.start()
    thread.join(check.limit_s)
    if thread.is_alive():
        advice = "check the kernel messages (dmesg) and at the wires; switch the table off and on"
        return [Hung.problem(check.subject, f"did not answer within {check.limit_s:g} s", advice)]
    return found


def _in_a_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
