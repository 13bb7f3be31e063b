"""Where the tests spend their time, by folder and by test: `pytest -p tools.spent`, with or without `-n 2`.

Processor time stands beside the time on the clock: a test that waits costs a worker, one that computes the machine.
The time of child processes counts for the test that waited for their end.
"""

import os
import time
from collections import defaultdict
from collections.abc import Generator
from typing import Any

import pytest

LONGEST = int(os.environ.get("LONGEST", "25"))
DEPTH = 3
"""How many names make a folder: tests/games/sioux."""

_spent: dict[str, tuple[float, float]] = {}


def _processor_s() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """From before the set-up to after the last teardown, fixtures of the module included."""
    began_s, used_s = time.perf_counter(), _processor_s()
    item.stash[_BEGAN] = (began_s, used_s)
    return (yield)


_BEGAN = pytest.StashKey[tuple[float, float]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "teardown":
        began_s, used_s = item.stash[_BEGAN]
        report.user_properties.append(("spent", (time.perf_counter() - began_s, _processor_s() - used_s)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Runs where the report is made and, with workers, again where it is collected: only the latter prints."""
    for name, value in report.user_properties:
        if name == "spent" and report.when == "teardown" and isinstance(value, list | tuple):
            _spent[report.nodeid] = (float(value[0]), float(value[1]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    folders: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for test, (wall_s, processor_s) in _spent.items():
        total = folders[_folder(test)]
        total[0] += wall_s
        total[1] += processor_s
        total[2] += 1
    write = terminalreporter.write_line
    terminalreporter.section("where the time went: seconds on the clock, of the processor, tests")
    for folder, (wall_s, processor_s, tests) in sorted(folders.items(), key=lambda row: -row[1][1]):
        write(f"{wall_s:8.1f} {processor_s:8.1f} {tests:6.0f}  {folder}")
    whole = [sum(part) for part in zip(*_spent.values(), strict=True)] if _spent else [0.0, 0.0]
    write(f"{whole[0]:8.1f} {whole[1]:8.1f} {len(_spent):6}  all of it")
    terminalreporter.section(f"the {LONGEST} longest")
    for test, (wall_s, processor_s) in sorted(_spent.items(), key=lambda row: -max(row[1]))[:LONGEST]:
        write(f"{wall_s:8.1f} {processor_s:8.1f}  {test}")


def _folder(test: str) -> str:
    parts = test.partition("::")[0].split("/")
    return "/".join(parts[:DEPTH])
