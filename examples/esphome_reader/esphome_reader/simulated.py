"""A board as ESPHome makes it, on a real Mosquitto: for `companion demo --drivers esphome`, and for tests."""

import contextlib
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Self

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.errors import DeviceError
from esphome_reader import EsphomeSettings
from esphome_reader.driver import STATUS, TAG

HERE = "127.0.0.1"
TOPIC = "pads/simulated"
UPDATE_S = 0.05
"""`update_interval`: how often the board looks. Its source: none, assumed; README.md recommends 250 ms."""
START_S = 10.0
GONE_S = 0.5


class SimulatedEsphome:
    fault_names = ("unplug", "plug", "flapping", "garbled", "broker", "hung")
    unseen_faults = ("hung",)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = _free_port()
        self._tags: list[str] = []
        self._faults: set[str] = set()
        self._lock = threading.RLock()
        self._broker: subprocess.Popen[bytes] | None = None
        self._board: mqtt.Client | None = None
        self._said = ""
        self._turn = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated ESPHome", daemon=True)

    @property
    def settings(self) -> EsphomeSettings:
        return EsphomeSettings(topic=TOPIC, port=self._port, gone_s=GONE_S)

    def __enter__(self) -> Self:
        """Raises DeviceError."""
        self._start_broker()
        self._plug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._unplug()
        self._stop_broker()

    # --- Hands ------------------------------------------------------------------------------------------------

    def lay(self, uid: str) -> None:
        with self._lock:
            if uid not in self._tags:
                self._tags.append(uid)
            self._look()

    def lift(self, uid: str) -> None:
        with self._lock:
            self._tags = [each for each in self._tags if each != uid]

    def spoil(self, fault: str) -> None:
        with self._lock:
            if fault == "unplug":
                self._unplug()
            elif fault == "plug":
                self._plug()
            elif fault == "broker":
                self._stop_broker()
            else:
                self._faults.add(fault)

    def mend(self) -> None:
        with self._lock:
            self._faults.clear()
            if self._broker is None or self._broker.poll() is not None:
                self._unplug()
                self._start_broker()
            self._plug()
            self._look()

    # --- The board --------------------------------------------------------------------------------------------

    def _plug(self) -> None:
        """It boots: it is online, and says what is on its reader."""
        with self._lock:
            if self._board is not None:
                return
            board = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
            board.will_set(f"{TOPIC}/{STATUS}", "offline", qos=1, retain=True)
            board.connect(HERE, self._port, keepalive=2)
            board.loop_start()
            self._board, self._said = board, ""
            self._publish(TAG, self._wanted())
            self._publish(STATUS, "online")

    def _unplug(self) -> None:
        """Without power: it says nothing more, and the broker publishes its last will."""
        with self._lock:
            board, self._board = self._board, None
            if board is not None:
                board.loop_stop()
                with contextlib.suppress(OSError):
                    if (line := board.socket()) is not None:
                        line.close()

    def _publish(self, name: str, words: str) -> None:
        if self._board is not None and "hung" not in self._faults:
            self._board.publish(f"{TOPIC}/{name}", words, qos=1, retain=True)

    def _wanted(self) -> str:
        """One tag at a time: the one that came first. A flapping board loses it at every other look."""
        if not self._tags or ("flapping" in self._faults and self._turn):
            return "none"
        number = "-".join(self._tags[0][place : place + 2] for place in range(0, len(self._tags[0]), 2))
        return f"{number[:5]}?" if "garbled" in self._faults else number

    def _look(self) -> None:
        self._turn = not self._turn
        if (words := self._wanted()) != self._said:
            self._said = words
            self._publish(TAG, words)

    def _run(self) -> None:
        while not self._stop.wait(UPDATE_S):
            with self._lock:
                self._look()

    # --- The broker -------------------------------------------------------------------------------------------

    def _start_broker(self) -> None:
        program = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
        if program is None:
            raise DeviceError(f"a simulated ESPHome board {EsphomeSettings.simulation_needs()}")
        configuration = self._folder / "mosquitto.conf"
        configuration.write_text(f"listener {self._port} {HERE}\nallow_anonymous true\npersistence false\n")
        self._broker = subprocess.Popen(
            [program, "-c", str(configuration)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection((HERE, self._port), 1.0):
                return
            time.sleep(0.01)
        raise DeviceError("the broker of a simulated ESPHome board does not start")

    def _stop_broker(self) -> None:
        if self._broker is not None:
            self._broker.kill()
            self._broker.wait()
            self._broker = None


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind((HERE, 0))
        port: int = tried.getsockname()[1]
        return port
