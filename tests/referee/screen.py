"""A screen for tests: speaks to a referee over its socket, one line at a time, and remembers what it saw."""

import socket
import time
from pathlib import Path
from typing import Any

import msgspec

from companion.gamekit.snapshot import Snapshot
from companion.messages.protocol import PROTOCOL, FromReferee, FromScreen, ScreenHello

_decoder: msgspec.json.Decoder[FromReferee] = msgspec.json.Decoder(FromReferee)


class FakeScreen:
    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._unread = b""
        self.gone = False
        """The referee has gone."""
        self.say(ScreenHello(PROTOCOL))

    def say(self, message: FromScreen) -> None:
        self.send_raw(msgspec.json.encode(message) + b"\n")

    def send_raw(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError:
            self.gone = True

    def hear(self, within_s: float = 10.0) -> FromReferee | None:
        """The next message; None when none came in time, or when the referee has gone (a torn line is none)."""
        deadline = time.monotonic() + within_s
        while b"\n" not in self._unread:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            try:
                data = self._socket.recv(1 << 20)
            except TimeoutError:
                return None
            except OSError:
                data = b""
            if not data:
                self.gone = True
                return None
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return _decoder.decode(line)

    def snapshot(self) -> Snapshot:
        while not isinstance(message := self.hear(), Snapshot):
            assert message is not None, "the referee has gone"
        return message

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> "FakeScreen":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
