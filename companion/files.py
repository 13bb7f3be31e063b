"""The one way to write a file, the one way to read it, and the one way to change it.

A file is written atomically: a power cut leaves no half files and no empty ones, and a name that existed when `store`
returned exists afterwards. Only regular files of a limited size are read. To read a file and write it again, use
`changing`, or another process's change could be lost. A process that needs no files gives them up: `confine`.
"""

import ctypes
import errno
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from companion.errors import CompanionError


def _python() -> tuple[str, ...]:
    with suppress(OSError):
        if sys.path[0] in ("", str(Path.cwd())):  # python -m companion
            return (sys.executable,)
    return (sys.executable, "-P")


PYTHON = _python()
"""How we start a process of our own. It finds its modules where we do: a file called random.py in the folder in which
somebody starts `companion` is none of them."""
LOG_BYTES = 1024 * 1024
"""A longer log is cut when it is next opened."""

# --- Writing --------------------------------------------------------------------------------------------------


PRIVATE = 0o600
"""The mode of a file that only its owner may read: it holds a password or a key."""


def store(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write a file, and make the folders that it needs. Raises OSError."""
    make_folder(path.parent)
    store_all({path: content}, mode)


def is_private(path: Path) -> bool:
    """Whether others can neither read nor write it; a file that does not exist is private."""
    try:
        return not path.stat().st_mode & 0o077
    except OSError:
        return True


def keep_from_others(path: Path) -> None:
    """Let only its owner read it, if possible: not every file system has owners."""
    if not is_private(path):
        with suppress(OSError):
            path.chmod(PRIVATE)


def store_all(contents: Mapping[Path, str | bytes], mode: int = 0o666) -> None:
    """Write several files into folders that are there: all of them, or none if one cannot be written. Raises OSError.

    Each is written under another name first, and is on the disk, before any of them takes its place."""
    drafts = {path: path.with_name(f".{path.name}.{os.getpid()}.new") for path in contents}
    try:
        for path, content in contents.items():
            _write(drafts[path], content.encode() if isinstance(content, str) else content, mode)
        for path, draft in drafts.items():
            draft.replace(path)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()
    for folder in dict.fromkeys(path.parent for path in contents):
        sync_folder(folder)


def _write(draft: Path, content: bytes, mode: int) -> None:
    """A new file. Anything of that name is removed first, be it a pipe or a link to somewhere else."""
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def move(path: Path, target: Path) -> None:
    """Rename a file, replacing any file of that name. Raises OSError."""
    path.replace(target)
    for folder in dict.fromkeys((target.parent, path.parent)):
        sync_folder(folder)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """With all missing parents. Each is on the disk before anything is put into it. Raises OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode if each == folder else 0o777, exist_ok=True)
        sync_folder(each.parent)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{folder} is no folder")


def sync_folder(folder: Path) -> None:
    """A new name is on the disk when its folder is. Raises OSError; UnfitError where the file system cannot do it."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno in _NOT_KNOWN:
            raise UnfitError(error.errno, f"{NO_FOLDER_SYNC}: {ELSEWHERE}") from None
        raise
    finally:
        os.close(descriptor)


# --- Changing -------------------------------------------------------------------------------------------------

LOCK = ".lock"
"""In each folder whose files are changed: empty, and never deleted."""
LOCK_S = 20.0
"""How long another process may take to change a file. It takes milliseconds."""
LOOK_S = 0.005
NO_FOLDER_SYNC = "this file system cannot flush a folder, so a power cut could take a new file away"
NO_UNIX = "this system cannot lock files as Unix does; on Windows, install Companion in WSL"
NO_LOCKS = "this file system has no locks, so two Companions could write over each other's changes"
ELSEWHERE = (
    "keep Companion's files on a disk of this computer (ext4, btrfs, xfs or f2fs), and name that folder with "
    "COMPANION_HOME"
)
_NOT_KNOWN = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOLCK, errno.EBADF})
"""Errors of a file system that does not support an operation."""


class UnfitError(OSError):
    """A file system lacks what is needed to keep a promise. Its `strerror` says what to do."""


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Lock the owner's files in this folder against other writers: read, decide and write inside.

    It is a lock of the system's, so it ends with its process. It cannot be taken twice. Raises OSError: TimeoutError if
    another process keeps it, UnfitError if there are no locks. Then nothing was changed, and nothing may be reported as
    saved.
    """
    make_folder(folder)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    try:
        until = time.monotonic() + LOCK_S
        while not lock(descriptor):
            if time.monotonic() > until:
                words = f"another Companion has been changing the files in {folder} for {LOCK_S:g} s; try again"
                raise TimeoutError(errno.ETIMEDOUT, words)
            time.sleep(LOOK_S)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def held(path: Path) -> Iterator[bool]:
    """Hold the lock of this file while inside: an empty file that stays; the kernel releases the lock when the process
    dies. Yields False if another process holds it. Raises OSError, UnfitError."""
    make_folder(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, PRIVATE)
    try:
        yield lock(descriptor)
    finally:
        os.close(descriptor)


def lock(descriptor: int) -> bool:
    """Lock a file until it is closed. Returns False if another process has it. Raises OSError, UnfitError."""
    try:
        import fcntl
    except ImportError:
        raise UnfitError(errno.ENOSYS, NO_UNIX) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NOT_KNOWN:
            raise UnfitError(error.errno, f"{NO_LOCKS}: {ELSEWHERE}") from None
        raise
    return True


@contextmanager
def appended(path: Path) -> Iterator[BinaryIO]:
    """Open a file to append to it, such as a log; it is created if missing. A pipe is refused, because it would wait
    for a reader. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK, 0o666)
    try:
        _check_is_file(descriptor)
        with os.fdopen(descriptor, "ab", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


@contextmanager
def opened_log(path: Path) -> Iterator[BinaryIO]:
    """The same for the log of a process, with a limit: only the end of a long one stays. Raises OSError."""
    with suppress(FileNotFoundError):
        if path.stat().st_size > LOG_BYTES:
            store_all({path: load_end(path, LOG_BYTES // 4)})
    with appended(path) as file:
        yield file


# --- Reading --------------------------------------------------------------------------------------------------


class TooLongError(OSError):
    """A file is longer than allowed."""


def load(path: Path, limit: int) -> bytes:
    """The content of a file, if it has at most `limit` bytes. Only regular files are read: a pipe or a device could
    block. Raises OSError, TooLongError, and ValueError for an impossible name."""
    with _opened(path) as file:
        too_long = os.fstat(file.fileno()).st_size > limit
        data = b"" if too_long else file.read(limit + 1)
    if too_long or len(data) > limit:
        raise TooLongError(errno.EFBIG, f"it has more than {limit} bytes")
    return data


def load_lines(path: Path, limit: int) -> Iterator[bytes]:
    """The same, line by line, each with its line end: only one line is in memory at a time. Raises like `load`, before
    the first line if the file is too long, later if it has grown in the meantime."""
    with _opened(path) as file:
        if os.fstat(file.fileno()).st_size > limit:
            raise TooLongError(errno.EFBIG, f"it has more than {limit} bytes")
        read = 0
        for line in file:
            read += len(line)
            if read > limit:
                raise TooLongError(errno.EFBIG, f"it has more than {limit} bytes")
            yield line


@contextmanager
def _opened(path: Path) -> Iterator[BufferedReader]:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        _check_is_file(descriptor)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(descriptor)


def _check_is_file(descriptor: int) -> None:
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "this is a pipe or a device, not a file")


def load_start(path: Path, count: int) -> bytes:
    """The first bytes of a file, fewer if it is shorter. Raises OSError."""
    with _opened(path) as file:
        return file.read(count)


def load_end(path: Path, count: int) -> bytes:
    """The last bytes of a file, that many at most. Raises as `load` does."""
    with _opened(path) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - count))
        return file.read(count)


def load_text(path: Path, limit: int, what: str, error: type[CompanionError]) -> str:
    """The text of a file. `what` names such a file ("box"), `error` is raised if it cannot be read. A missing file
    raises FileNotFoundError, because for some that is no error."""
    try:
        return load(path, limit).decode()
    except FileNotFoundError:
        raise
    except TooLongError:
        raise error(f"{path}: this is too long for a {what}; one has at most {limit // 1024} KiB") from None
    except OSError as problem:
        raise error(f"{path}: cannot read this {what}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise error(f"{path}: this {what} is not UTF-8 text") from None
    except ValueError:
        raise error(f"there is no file {str(path)!r}") from None


# --- Giving up files ------------------------------------------------------------------------------------------

NO_NEW_PRIVILEGES, DUMPABLE = 38, 4
"""linux/prctl.h: PR_SET_NO_NEW_PRIVS, PR_SET_DUMPABLE"""
GIVEN_UP = ("RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_CORE")
"""Files may not grow, no thread and no process may be added, and no core dump shows a hand."""


def confine(*, opens_files: bool = True) -> None:
    """From now on this process writes no file, starts no process and leaves no memory behind. Without `opens_files` it
    opens none either, nor a socket: all that reaches it comes over what is open already."""
    import resource

    os.chdir("/")
    for limit in GIVEN_UP if opens_files else (*GIVEN_UP, "RLIMIT_NOFILE"):
        with suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, limit), (0, 0))
    with suppress(OSError, AttributeError):  # another C library than Linux has
        prctl = ctypes.CDLL(None).prctl
        prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        prctl(DUMPABLE, 0, 0, 0, 0)  # other programs of the same user cannot read its memory
