"""An ESPHome board with a reader, over MQTT: [[reader]] with kind = "esphome" in table.toml.

This class is all that Companion asks of a kind of reader. `driver.py` reads what the board publishes; `simulated.py` is
such a board.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Self

from msgspec import Meta

from companion.devices.reader_settings import ReaderPace, ReaderSettings, SimulatedReader
from companion.devices.tag_field import TagField
from companion.devices.wired_part import Claim, Mistake
from companion.stations import at

LEAST_S, MOST_S = 0.5, 30.0
"""How long an absence may have to last."""


class EsphomeSettings(ReaderSettings, frozen=True, kw_only=True):
    kind: ClassVar[str] = "esphome"
    title: ClassVar[str] = "an ESPHome board with a reader, over MQTT"
    # A look waits for news by itself. The driver has waited for `gone_s` before it misses a tag.
    pace: ClassVar[ReaderPace] = ReaderPace(look_s=0.0, misses=2, missing_ms=50)
    sees_several: ClassVar[bool] = False
    libraries: ClassVar[tuple[str, ...]] = ("paho.mqtt.client",)

    topic: Annotated[str, Meta(min_length=1), Meta(description='the topic_prefix of the board, as in "pads/anna"')]
    broker: Annotated[str, Meta(min_length=1), Meta(description='the address of the broker, as in "192.0.2.7"')] = (
        "127.0.0.1"
    )
    port: Annotated[int, Meta(ge=1, le=65535), Meta(description="the port of the broker, as in 1883")] = 1883
    user: Annotated[str, Meta(description="the user name at the broker in quotes")] = ""
    password: Annotated[str, Meta(description="the password at the broker in quotes")] = ""
    gone_s: Annotated[float, Meta(description="seconds, as in 2.0")] = 2.0
    """ESPHome says "removed" whenever one look fails. A tag is gone if it has not come back for so long."""

    @classmethod
    def example(cls) -> Self:
        return cls(topic="pads/centre")

    def mistakes(self) -> Iterator[Mistake]:
        if set(self.topic) & set("+#\0") or self.topic != self.topic.strip("/"):
            yield Mistake(("topic",), 'topic: expected a topic without + and #, as in "pads/anna"')
        if not LEAST_S <= self.gone_s <= MOST_S:
            yield Mistake(("gone_s",), f"gone_s: expected {LEAST_S} to {MOST_S:g}: at least four update_intervals")

    def claims(self) -> Iterator[Claim]:
        yield from ReaderSettings.claims(self)
        refusal = "{user} (line {line}) has this topic already; give each board a topic_prefix of its own"
        place = self.broker, self.port, self.topic
        yield Claim("topic", place, ("topic",), f"the reader of {at(self.station)}", refusal)

    def comments(self) -> Mapping[str, str]:
        return {"topic": "topic_prefix in the board's YAML", "gone_s": "at least four times its update_interval"}

    def opener(self) -> Callable[[], TagField]:
        from esphome_reader.driver import EsphomeField  # noqa: PLC0415 - needs paho-mqtt

        return lambda: EsphomeField(self)

    @classmethod
    def simulated(cls, folder: Path) -> SimulatedReader:
        from esphome_reader.simulated import SimulatedEsphome  # noqa: PLC0415 - for demos and tests

        return SimulatedEsphome(folder)

    @classmethod
    def simulation_needs(cls) -> str:
        found = shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")
        return "" if found else "needs mosquitto: `sudo apt install mosquitto`"
