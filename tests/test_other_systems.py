"""Other systems than Unix: no module of ours needs what only a Unix has before it is used."""

import subprocess
import sys

import pytest

UNIX_ONLY = (
    *("fcntl", "termios", "resource", "pwd", "grp", "tty", "pty", "syslog", "posix", "readline", "curses"),
    *("crypt", "spwd", "nis"),
)
"""https://docs.python.org/3/library/unix.html and the modules that rest on those."""
HIDDEN = f"""
import builtins, importlib, pkgutil, sys
usual = builtins.__import__

def without_unix(name, globals=None, locals=None, fromlist=(), level=0):
    ours = (globals or {{}}).get("__name__", "").split(".")[0] == "companion"
    if ours and not level and name.split(".")[0] in {UNIX_ONLY!r}:
        raise ImportError(f"{{globals['__name__']}} imports {{name}}")
    return usual(name, globals, locals, fromlist, level)

builtins.__import__ = without_unix
"""
"""Libraries bring their own ways for other systems; only what we import ourselves is hidden."""


def hidden(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN + code, *words], capture_output=True, text=True, check=False)


def test_every_module_can_be_imported_without_what_only_a_unix_has() -> None:
    code = """
import companion
for module in pkgutil.walk_packages(companion.__path__, "companion."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as missing:
            if missing.name not in ("RPi", "spidev", "smartcard", "gpiod"):  # of a Pi, or compiled
                raise
        print(module.name)
"""
    done = hidden(code)
    assert done.returncode == 0, done.stderr.splitlines()[-1]
    assert done.stdout.count("\n") > 200


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return hidden("from companion.cli import main; sys.exit(main(sys.argv[1:]))", *words)


@pytest.mark.parametrize("words", [("--help",), ("play", "--help"), ("doctor", "--help")])
def test_help_needs_nothing_that_only_a_unix_has(words: tuple[str, ...]) -> None:
    done = command(*words)
    assert done.returncode == 0, done.stderr.splitlines()[-1]


def test_where_files_cannot_be_locked_a_line_says_what_to_do() -> None:
    done = command("demo", "lascaux", "--headless", "--seed", "1")
    assert done.returncode == 2
    assert "on Windows, install Companion in WSL" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_module_that_needs_a_unix_at_once_would_be_noticed() -> None:
    done = hidden("exec(compile('import fcntl', '', 'exec'), {'__name__': 'companion.files'})")
    assert "companion.files imports fcntl" in done.stderr
