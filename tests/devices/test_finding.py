"""Checks end, whatever happens in them."""

import threading
from collections.abc import Iterable

from companion.devices.finding import Check, Finding, Hung
from companion.errors import DeviceError
from tests.devices.computer import found


def raising(error: Exception) -> Check:
    def look() -> Iterable[Finding]:
        yield Finding.ok("lamp", "lit")
        raise error

    return Check("reader", look)


def test_checks_are_made_one_after_the_other() -> None:
    checks = [Check(name, lambda name=name: [Finding.ok(name, "fine")]) for name in "abc"]  # type: ignore[misc]
    assert [finding.subject for finding in found(*checks)] == ["a", "b", "c"]


def test_a_check_that_hangs_is_left_behind_and_the_next_is_made() -> None:
    release = threading.Event()
    hung, fine = found(
        Check("reader", lambda: [Finding.ok("reader", str(release.wait()))], limit_s=0.05),
        Check("lamp", lambda: [Finding.ok("lamp", "lit")]),
    )
    release.set()
    assert isinstance(hung, Hung)
    assert (hung.verdict, hung.words) == ("problem", "did not answer within 0.05 s")
    assert fine == Finding.ok("lamp", "lit")


def test_an_error_that_a_person_can_mend_is_told_as_it_is() -> None:
    lit, failed = found(raising(DeviceError("the wire is loose")))
    assert lit.verdict == "ok"
    assert (failed.verdict, failed.words) == ("problem", "the wire is loose")


def test_an_unexpected_error_is_reported_too_in_one_line() -> None:
    _, failed = found(raising(ZeroDivisionError("by\nzero")))
    assert (failed.verdict, failed.words) == ("problem", "ZeroDivisionError: by zero")
    assert failed.advice
