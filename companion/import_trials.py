"""Whether a stranger's package can be imported: tried in a process of its own, and remembered until it changes.

An import may do anything: end the process, hang, crash in C, eat all memory. None of that may happen in ours. The child
imports what the package offers, a game or a kind of reader (`Rehearsal`), and says how that went through a pipe; what
it prints goes nowhere. Between us and the child is a supervisor: on Linux all processes that the package has started
and left running become its children, and it ends them. An outcome holds for a package as it is installed: its version,
its files by size and date, and what else is installed (a missing library may come, or go). A child that was too slow or
was killed says nothing about the package: it is tried again the next time.
"""

import ctypes
import faulthandler
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from companion import __version__
from companion.files import PYTHON, load, store

LIMIT_S = 20.0
"""How long all of a package may take. A small computer that has just been switched on is busy with other things."""
LOOK_S = 0.01
PARTING_S = 5.0
"""How long a supervisor may take to end what the package has started."""
MEMORY = 4 * 1024**3
"""Bytes of address space. Libraries ask for much more than they use."""
SIZE_LIMIT = 256 * 1024
"""Bytes of an outcome."""
MOST_FILES = 5000
"""So many files of a package are looked at."""
AGAIN = "install it again, or remove it; `companion doctor` tries it again"
_CHILD = (
    "import json, sys; path, said = json.loads(sys.argv[1]); sys.path[:] = path; sys.argv[:] = ['']; "
    "from companion.import_trials import try_out; try_out(*said)"
)
IN_TRIAL = "COMPANION_TRIES_A_PACKAGE"
"""Set in the environment of a child, and of whatever it starts."""
CHILD_SUBREAPER = 36
"""linux/prctl.h: PR_SET_CHILD_SUBREAPER"""
Rehearsal: TypeAlias = Callable[..., None]
"""Imports what is at this place, and calls `say` before each step (`at=`), with what the package says about itself
(`manifest=`) and with why it cannot be used (`problem=`, "" if it can). A function of ours."""
_PLACE = re.compile(r'File "(.*)", line (\d+) in ')


class TrialOutcome(Struct, frozen=True):
    """How an import went."""

    manifest: dict[str, Any] | None = None
    """What the package says about itself; None: it could not be said."""
    problem: str = ""
    """Why it cannot be used; "" if it can."""
    key: str = ""
    """What the package was like."""
    passing: bool = False
    """The process was too slow, or was killed. It may go better the next time."""


def outcomes(entries: Sequence[EntryPoint], rehearsal: str) -> list[TrialOutcome]:
    """One for each. `rehearsal`: where the function is that imports one. Those that are not known yet are tried side by
    side. A package that is being tried finds no other stranger's: it would try itself, and so on."""
    if IN_TRIAL in os.environ:
        return [TrialOutcome(problem="another package is being tried")] * len(entries)
    known = [_recalled(entry) for entry in entries]
    trials: dict[int, _Trial] = {}
    try:
        for place, entry in enumerate(entries):
            if known[place] is None:
                trials[place] = _Trial(entry, rehearsal)
        for place, trial in trials.items():
            known[place] = _kept(entries[place], trial.outcome())
    except OSError as error:  # no process can be started now
        problem = f"it cannot be tried: {error.strerror}; start Companion again later"
        return [outcome or TrialOutcome(problem=problem) for outcome in known]
    finally:
        for trial in trials.values():
            trial.end()
    return [outcome for outcome in known if outcome]


# --- Trying ---------------------------------------------------------------------------------------------------


class _Trial:
    """One supervisor and its child. In a session of their own: a Ctrl-C is for us."""

    def __init__(self, entry: EntryPoint, rehearsal: str) -> None:
        self._until = time.monotonic() + LIMIT_S
        self._heard, telling = os.pipe()
        words = json.dumps([sys.path, [rehearsal, entry.value, telling, self._until - LIMIT_S / 10, MEMORY]])
        try:
            self._child = subprocess.Popen(
                [*PYTHON, "-c", _CHILD, words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(telling,),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._heard)
            raise
        finally:
            os.close(telling)

    def outcome(self) -> TrialOutcome:
        status = self._ended()
        lines = self._said().splitlines()
        told = [found for found in map(_decoded, lines) if found]
        manifest = next((each["manifest"] for each in told if isinstance(each.get("manifest"), dict)), None)
        for each in told:
            if "problem" in each:
                return TrialOutcome(manifest, str(each["problem"]))
        at = next((str(each["at"]) for each in reversed(told) if "at" in each), "it")
        problem = f"{at} {_end(status)}{_place(lines, at)}: {AGAIN}"
        return TrialOutcome(manifest, problem, passing=status is None or status < 0)

    def _ended(self) -> int | None:
        """How it ended; None: it did not."""
        is_over = self._is_over(self._until)
        self._kill()
        return self._child.returncode if is_over else None

    def _is_over(self, until: float) -> bool:
        """Whether it ends by then. Its status is left to be asked for: until then its number stays its own, and
        `_kill` ends nothing else."""
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while not (is_over := os.waitid(os.P_PID, self._child.pid, look)) and time.monotonic() < until:
            time.sleep(LOOK_S)
        return is_over is not None

    def _said(self) -> str:
        """A child of the child may still have the pipe: what is in it by now is all."""
        os.set_blocking(self._heard, False)
        with suppress(BlockingIOError), os.fdopen(self._heard, "rb", closefd=False) as file:
            return (file.read(SIZE_LIMIT) or b"").decode(errors="replace")
        return ""

    def _kill(self) -> None:
        if self._child.returncode is None:
            os.kill(self._child.pid, signal.SIGTERM)  # the supervisor ends all others first
            self._is_over(time.monotonic() + PARTING_S)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()

    def end(self) -> None:
        """Idempotent."""
        self._kill()
        if self._heard >= 0:
            os.close(self._heard)
            self._heard = -1


def _decoded(line: str) -> dict[str, Any]:
    with suppress(ValueError):
        found = json.loads(line)
        return found if isinstance(found, dict) else {}
    return {}


def _end(status: int | None) -> str:
    if status is None:
        return f"is not imported within {LIMIT_S:g} seconds"
    if status < 0:
        return f"cannot be imported (it ends the process by {signal.Signals(-status).name})"
    return f"cannot be imported (it ends the process with status {status})"


def _place(lines: Sequence[str], at: str) -> str:
    """The line of the package that was at work, if Python had time to say so."""
    top = at.partition(":")[0].partition(".")[0]
    for file, number in (found.groups() for found in map(_PLACE.search, lines) if found):
        parts = Path(file).parts
        first = next((place for place in (top, f"{top}.py") if place in parts), "")
        if first:
            return f", in {'/'.join(parts[parts.index(first) :])}, line {number}"
    return ""


# --- The child ------------------------------------------------------------------------------------------------


def try_out(rehearsal: str, value: str, telling: int, late_s: float, memory: int) -> None:
    """Import what is at this place, and say through this descriptor how it went: a line of JSON before each step, and
    one at the end; and where it is `late_s`, by the monotonic clock. Whatever happens is the end of this process
    only."""
    os.environ[IN_TRIAL] = "1"
    _begin_supervision()
    os.set_blocking(telling, False)
    _bear_no_harm(telling, late_s, memory)

    def say(**words: Any) -> None:
        os.write(telling, json.dumps(words).encode() + b"\n")

    rehearse: Rehearsal = EntryPoint("", rehearsal, "").load()
    rehearse(value, say)
    os._exit(0)


def _begin_supervision() -> None:
    """Returns in a child. This process waits for its end, or for SIGTERM, ends all its descendants, and then ends in
    the same way as the child."""
    signals = {signal.SIGCHLD, signal.SIGTERM}
    with suppress(OSError, AttributeError):  # another C library than Linux has
        ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        child = os.fork()
    except OSError:  # no second process can be started now: then without supervision
        child = 0
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    look = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while signal.sigwait(signals) == signal.SIGCHLD and not os.waitid(os.P_PID, child, look):
        pass
    status = _end_children(child)
    if status < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # nothing else can be said about SIGKILL
            signal.signal(-status, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.kill(os.getpid(), -status)
    os._exit(status)


def _end_children(asked: int) -> int:
    """Kill all children of this process, and theirs, which become its own. How the one that was asked about ended."""
    status = 0
    with suppress(ChildProcessError):
        while True:
            for child in _children():
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(child, signal.SIGKILL)
            ended, how = os.waitpid(-1, 0)
            if ended == asked:
                status = os.waitstatus_to_exitcode(how)
    return status


def _children() -> Iterator[int]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            parent = path.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                yield int(path.parent.name)


def _bear_no_harm(telling: int, late_s: float, memory: int) -> None:
    """Crashes and hangs say where they are. A package that wants all memory fails, and before anything else does."""
    import resource

    faulthandler.enable(telling)
    faulthandler.dump_traceback_later(max(LOOK_S, late_s - time.monotonic()), file=telling)
    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OverflowError, OSError):
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
    with suppress(OSError):
        descriptor = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(descriptor, b"1000")
        os.close(descriptor)


# --- Remembering ----------------------------------------------------------------------------------------------


def forget() -> None:
    """All of them will be tried again."""
    with suppress(OSError, RuntimeError):
        for path in _folder().glob("*.json"):
            path.unlink(missing_ok=True)


def _recalled(entry: EntryPoint) -> TrialOutcome | None:
    """A note that cannot be read, or is of another version, is none."""
    with suppress(OSError, RuntimeError, ValueError):
        outcome = msgspec.json.decode(load(_note(entry), SIZE_LIMIT), type=TrialOutcome)
        if outcome.key == _key(entry, outcome.manifest):
            return outcome
    return None


def _kept(entry: EntryPoint, outcome: TrialOutcome) -> TrialOutcome:
    """Where nothing can be written, the package is tried again the next time."""
    if outcome.passing:
        return outcome
    outcome = msgspec.structs.replace(outcome, key=_key(entry, outcome.manifest))
    with suppress(OSError, RuntimeError):
        store(_note(entry), msgspec.json.encode(outcome))
    return outcome


def _folder() -> Path:
    """The user's cache: no evening needs it, and it may be deleted at any time. Raises RuntimeError without a home."""
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "companion" / "packages"


def _note(entry: EntryPoint) -> Path:
    names = f"{entry.dist.name if entry.dist else ''}\0{entry.name}\0{entry.value}"
    return _folder() / f"{hashlib.sha256(names.encode()).hexdigest()[:32]}.json"


def _key(entry: EntryPoint, manifest: Mapping[str, Any] | None) -> str:
    """What an outcome rests on: another key, and the package is tried again."""
    installed = (entry.dist.version, entry.dist.read_text("RECORD")) if entry.dist else ()
    wheres = [entry.value, *(str(where) for where in (manifest or {}).values() if ":" in str(where))]
    tops = sorted({where.partition(":")[0].partition(".")[0] for where in wheres})
    rests = (
        __version__,
        sys.version,
        entry.value,
        installed,
        list(_sites(entry)),
        [list(_files(top)) for top in tops],
    )
    return hashlib.sha256(repr(rests).encode()).hexdigest()


def _sites(entry: EntryPoint) -> Iterator[tuple[str, int]]:
    """The folders that packages are installed in change when one comes or goes."""
    places = [Path(each) for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    if entry.dist:
        places.append(Path(str(entry.dist.locate_file(""))))
    for place in places:
        with suppress(OSError):
            yield str(place), place.stat().st_mtime_ns


def _files(top: str) -> Iterator[tuple[str, int, int]]:
    """The files of a package with their sizes and dates: an editable one changes, and keeps its version."""
    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return
    if spec is None:
        return
    found = (path for place in spec.submodule_search_locations or () for path in sorted(Path(place).rglob("*")))
    sources = islice((path for path in found if "__pycache__" not in path.parts), MOST_FILES)
    for path in (*sources, *([Path(spec.origin)] if spec.origin else [])):
        with suppress(OSError):
            status = path.stat()
            yield str(path), status.st_size, status.st_mtime_ns
