"""A real PostgreSQL for tests, on a socket in a folder of its own."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.places import IN_MEMORY

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
USER = "nobody"
"""PostgreSQL refuses to run as root."""
START_S = 30.0


class Postgres:
    def __init__(self) -> None:
        if not PROGRAMS and not os.environ.get("COMPANION_NO_SKIP"):
            pytest.skip("PostgreSQL is not installed")
        self._programs = PROGRAMS[-1].parent
        self.folder = Path(tempfile.mkdtemp(prefix="cmp-pg-", dir=IN_MEMORY if IN_MEMORY.exists() else None))
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER, "nogroup")
        self._data = self.folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        made = self._as_user("initdb", "-D", self._data, "-U", "hall", "-A", "trust", "--no-sync", "--no-instructions")
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.start()

    def _as_user(self, program: str, *words: object) -> Sequence[str]:
        as_user = ("setpriv", f"--reuid={USER}", "--regid=nogroup", "--clear-groups") if os.geteuid() == 0 else ()
        return [*as_user, str(self._programs / program), *map(str, words)]

    def start(self) -> None:
        """A killed server needs a moment to let go of its folder."""
        settings = ("-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB")
        until = time.monotonic() + START_S
        while True:
            self._process = subprocess.Popen(
                self._as_user("postgres", "-D", self._data, "-k", self.folder, *settings),
                cwd=self.folder,
                stderr=subprocess.DEVNULL,
            )
            while self._process.poll() is None:
                if self._is_ready():
                    return
                assert time.monotonic() < until, "PostgreSQL does not start"
                time.sleep(0.02)
            assert time.monotonic() < until, "PostgreSQL does not start"
            time.sleep(0.1)

    def _is_ready(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    @property
    def url(self) -> str:
        return f"postgresql://hall@/postgres?host={self.folder}"

    def clear(self) -> None:
        """As if it were new."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS hall_log, hall_settings")

    def kill(self) -> None:
        """As a power cut would: the server and all its children."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        self._process.send_signal(signal.SIGKILL)
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(START_S)
        shutil.rmtree(self.folder, ignore_errors=True)
