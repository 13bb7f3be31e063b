"""What an ESPHome board publishes over MQTT: its sign of life, and the tag on its reader.

    <topic_prefix>/status             "online", or "offline" by the last will; retained (ESPHome's default)
    <topic_prefix>/sensor/tag/state   the tag's number with hyphens, or "none"; retained (the text sensor in README.md)

Source: ESPHome's documentation of its MQTT client component, and of PN532 and RC522 (`on_tag`, `on_tag_removed`).

Known quirks: `on_tag_removed` comes whenever one look fails. With a PN532 every other look may fail while the tag stays
(esphome/esphome#9875), so the board says "none" and the number in turn. An absence counts only after `gone_s` without
the tag. A board that hangs is online until the broker misses its pings. Nothing can be read from a tag's memory, or
written to it.
"""

import threading
import time
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.devices.iso14443 import UID_LENGTHS
from companion.devices.tag_field import Failed, Look, Pages, ReaderError, Uid, Written
from companion.stations import at
from companion.troubles import Trouble

if TYPE_CHECKING:
    from esphome_reader import EsphomeSettings

STATUS, TAG = "status", "sensor/tag/state"
NONE = (b"none", b"")
WAIT_S = 0.05
"""How long a look waits for news."""
CONNECT_S = 3.0
KEEPALIVE_S = 5
"""A broker that is gone is noticed after one and a half of these."""


class EsphomeTrouble(Trouble):
    """Of a board that is reached over a broker."""

    NO_BROKER = "the broker cannot be reached", "check that it runs, and its address and port in table.toml"
    REFUSED = "the broker does not let us in", "check user and password in table.toml"
    LOST = "the broker is gone", "check that it runs, and the network; Companion connects again"
    OFFLINE = (
        "the board is offline",
        "check its power and its Wi-Fi, and that its topic_prefix is the topic in table.toml",
    )
    NONSENSE = (
        "the board sends no number of a tag",
        "check its YAML: the text sensor `tag` gets the tag's number or none",
    )


def read_number(payload: bytes) -> Uid | None:
    """The number of a tag, as ESPHome writes it: 74-10-37-94. b"": no tag. None: neither."""
    if payload.strip().lower() in NONE:
        return b""
    try:
        uid = bytes.fromhex(payload.decode("ascii").strip().replace("-", "").replace(":", ""))
    except ValueError:
        return None
    return uid if len(uid) in UID_LENGTHS else None


class EsphomeField:
    """One board (`companion.devices.tag_field.TagField`). paho's thread brings messages; each call here is whole."""

    def __init__(self, settings: "EsphomeSettings", *, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises ReaderError."""
        self._settings, self._clock = settings, clock
        self._news = threading.Condition()
        self._client: mqtt.Client | None = None
        self.restart()

    def restart(self) -> None:
        self.close()
        with self._news:
            self._problem: Trouble | None = None
            self._is_subscribed = False
            self._status: bytes | None = None
            self._tag: Uid = b""
            """The tag that counts."""
            self._absent_s: float | None = None
            """Since when the board has said that there is none; None: it says that there is one."""
        client = self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        if self._settings.user:
            client.username_pw_set(self._settings.user, self._settings.password)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_subscribe, client.on_message = self._subscribed, self._heard
        client.connect_timeout = CONNECT_S
        try:
            client.connect(self._settings.broker, self._settings.port, KEEPALIVE_S)
        except (OSError, ValueError):
            self._client = None
            raise self._trouble(EsphomeTrouble.NO_BROKER) from None
        client.loop_start()
        self._wait(lambda: self._is_subscribed and self._status is not None, CONNECT_S)
        self._check()

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.on_disconnect = None
            client.disconnect()
            client.loop_stop()

    # --- In paho's thread -------------------------------------------------------------------------------------

    def _connected(self, client: mqtt.Client, _data: Any, _flags: Any, reason: Any, _more: Any = None) -> None:
        if reason.is_failure:
            self._fail(EsphomeTrouble.REFUSED)
        else:
            client.subscribe([(f"{self._settings.topic}/{name}", 1) for name in (TAG, STATUS)])

    def _disconnected(self, *_: Any) -> None:
        self._fail(EsphomeTrouble.LOST)

    def _fail(self, problem: Trouble) -> None:
        with self._news:
            self._problem = self._problem or problem
            self._news.notify_all()

    def _subscribed(self, *_: Any) -> None:
        with self._news:
            self._is_subscribed = True
            self._news.notify_all()

    def _heard(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        with self._news:
            if message.topic.endswith(f"/{STATUS}"):
                self._status = bytes(message.payload)
            else:
                self._take(read_number(bytes(message.payload)))
            self._news.notify_all()

    def _take(self, said: Uid | None) -> None:
        if said is None:
            self._problem = self._problem or EsphomeTrouble.NONSENSE
        elif said:
            self._tag, self._absent_s = said, None
        elif self._absent_s is None:
            self._absent_s = self._clock()

    # --- Tags -------------------------------------------------------------------------------------------------

    def look(self, known: Collection[Uid]) -> Look:
        """What the board has said, or says soon. Raises ReaderError."""
        self._wait(lambda: False, WAIT_S)
        self._check()
        with self._news:
            if self._absent_s is not None and self._clock() - self._absent_s >= self._settings.gone_s:
                self._tag = b""
            seen = (self._tag,) if self._tag else ()
            return Look(seen, tuple(uid for uid in known if uid not in seen))

    def inventory(self, known: Collection[Uid]) -> Look:
        """A board says by itself what is there; the broker has kept what it said last."""
        return self.look(known)

    def _wait(self, so: Callable[[], bool], within_s: float) -> None:
        """Until it is so, or there is a problem, or the time is over."""
        with self._news:
            self._news.wait_for(lambda: so() or self._problem is not None, within_s)

    def _check(self) -> None:
        """Raises ReaderError."""
        with self._news:
            problem, status = self._problem, self._status
        if problem is not None:
            raise self._trouble(problem)
        if self._client is None:
            raise self._trouble(EsphomeTrouble.LOST)
        if status != b"online":
            raise self._trouble(EsphomeTrouble.OFFLINE)

    def _trouble(self, problem: Trouble) -> ReaderError:
        return ReaderError(problem, f"The reader of {at(self._settings.station)}")

    # --- Memory -----------------------------------------------------------------------------------------------

    def read_page(self, uid: Uid, page: int) -> Pages | Failed:
        """There is no way to ask."""
        return Failed("refused")

    def write_page(self, uid: Uid, page: int, data: bytes) -> Written | Failed:
        return Failed("refused")
