"""The same examples in every run, however long they take: whether a change is good must not depend on the day.

`pytest --hypothesis-profile=explore` looks for new ones; `make fast` tries a few of the usual ones, and leaves out what
is slow.
"""

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from companion.language.screen_language import speak
from companion.language.wording import MISFITS
from tests.left_open import close_all
from tests.places import of_this_run

BUSY: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
"""A machine with other things to do is slow at thinking up examples, too."""
settings.register_profile("steady", derandomize=True, database=None, **BUSY)
settings.register_profile("explore", print_blob=True, **BUSY)
settings.register_profile("few", derandomize=True, database=None, max_examples=10, **BUSY)
settings.load_profile("steady")

SLOW = (
    "tests/screen/test_*.py",
    "tests/games/*/screen/test_*.py",
    "tests/devices/gpio/test_gpio_loss.py",
    "tests/devices/satellite/test_satellite.py",
    "tests/devices/satellite/test_satellite_ports.py",
    "tests/devices/test_reader.py",
    "tests/devices/test_reader_device.py",
    "tests/devices/pn532/test_pn532.py",
    "tests/devices/satellite/test_pads_on_a_bad_wire.py",
    "tests/firmware/test_*.py",
    "tests/gamekit/test_import_trials.py",
    "tests/games/test_contract.py",
    "tests/hardware/test_boxes.py",
    "tests/hardware/test_circuits.py",
    "tests/hardware/test_electrical.py",
    "tests/hall/test_director.py",
    "tests/hall/test_results.py",
    "tests/home/test_preferences.py",
    "tests/journal/test_damage.py",
    "tests/session/test_evening.py",
    "tests/session/test_transcript_export.py",
    "tests/journal/test_identity.py",
    "tests/paper/test_book.py",
    "tests/referee/test_link.py",
    "tests/session/test_snapshot_secrets.py",
    "tests/verbs/test_adjudicate.py",
    "tests/tools/test_mutants.py",
    "tests/verbs/test_*.py",
    "tests/web/test_browser.py",
    "tests/web/test_connection_limits.py",
    "tests/web/test_page.py",
    "tests/web/test_players.py",
    "tests/web/test_secrets.py",
    "tests/web/test_server_process.py",
)
"""Where tests drive an app, a daemon, a chip, the firmware or many journals: each takes its time, together minutes."""

TOGETHER = (
    ("tests/simulation/test_reader_rig.py",),  # waits for minutes and reckons for seconds
    ("tests/web/test_browser.py", "tests/web/test_page.py"),
    ("tests/tools/test_strangers.py", "tests/tools/test_release.py", "tests/tools/test_pythons.py"),
    ("tests/simulation/test_rig.py",),
    ("tests/devices/pcsc/test_pcsc.py",),
    ("tests/devices/pcsc/test_check.py",),
    ("tests/games/darwinci/test_simulated.py",),
    ("tests/firmware/test_emulator.py",),
    ("tests/paper/test_book.py",),
    ("tests/test_layout.py",),
    ("tests/language/test_locale.py",),
    ("tests/hardware/test_electrical.py",),
    ("tests/docs/test_site.py",),
    ("tests/hall/test_results.py",),
)
"""Files whose tests share something expensive: a wheel, whole games, a daemon, the source tree. One worker
runs all of a line, and they are begun before all others. (The groups of `--dist loadgroup` are lost with pytest 9.2 and
pytest-xdist 3.8.)"""
_SCOPES = {file: files[0] for files in TOGETHER for file in files}
_ORDER = {file: place for place, file in enumerate(_SCOPES)}

# Hundreds of processes are started here, and each would compile all that it imports: what is compiled is kept, even
# where the environment says otherwise.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Thousands of journals are written here, and each entry is flushed. Processes that we start use the same place.
OWN_PLACE = None if "TMPDIR" in os.environ else of_this_run()
if OWN_PLACE:
    os.environ["TMPDIR"] = tempfile.tempdir = str(OWN_PLACE)
    os.environ["XDG_CACHE_HOME"] = str(OWN_PLACE / "cache")  # the cache must not remember the games of tests


@pytest.fixture(autouse=True)
def nothing_is_left_open() -> Iterator[None]:
    yield
    close_all()
    speak("en")  # a language belongs to the process: the next test begins in English
    MISFITS.clear()  # so do sentences that lack a fact: the next test reports only its own


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    few = settings.get_current_profile_name() == "few"
    for item in items:
        if _is_slow(item.path):
            item.add_marker(pytest.mark.slow)
        if few:
            _try_few(item)
    items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[int, bool]:
    """What takes long comes first: in the end no worker waits for another."""
    return _ORDER.get(_file(item.nodeid), len(_ORDER)), item.get_closest_marker("slow") is None


def _try_few(item: pytest.Item) -> None:
    """Also where a property asks for more: what it says itself would count more than the profile."""
    test = getattr(item, "obj", None)
    own = getattr(test, "_hypothesis_internal_use_settings", None)
    if test is not None and own is not None and own.max_examples > settings.default.max_examples:
        test._hypothesis_internal_use_settings = settings(own, max_examples=settings.default.max_examples)


@cache
def _is_slow(path: Path) -> bool:
    return any(path.match(pattern) for pattern in SLOW)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """What failing tests have left stays until the next run, to be looked at."""
    if OWN_PLACE and not session.testsfailed:
        atexit.register(shutil.rmtree, OWN_PLACE, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if OWN_PLACE and any(terminalreporter.stats.get(how) for how in ("failed", "error")):
        terminalreporter.write_line(f"what they have left: {OWN_PLACE}")


def pytest_collection_finish() -> None:
    """All that has been imported and collected stays to the end: searching it for garbage would be wasted."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # an app is thousands of objects, and hardly any of them is garbage before its end


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Every test goes to the next worker that is free, but for those that belong together."""
    from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _SCOPES.get(_file(nodeid), nodeid)

    config.option.loadscopereorder = False
    return Together(config, log)
