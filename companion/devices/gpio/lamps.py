"""What lamps and buzzers do: one small table. Pure: times in, levels out. A satellite's firmware shows the same.

No light and no cue flashes more than three times in a second: quicker flashes can harm people with epilepsy. A lamp
shows a cue between two dark gaps, so that it is seen on a lit lamp, too; then its light goes on as if nothing had
happened.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.table.effects import Cue, Pattern

FOR_EVER = 0
GAP_MS = 80
"""The dark before and after a cue."""


class Blink(Struct, frozen=True):
    """On and off, this many times; then dark."""

    on_ms: int
    off_ms: int
    repeats: int = FOR_EVER

    @property
    def lasts_ms(self) -> int | None:
        """From the first time on to the last time off; None: forever."""
        if self.repeats == FOR_EVER:
            return None
        return self.repeats * (self.on_ms + self.off_ms) - self.off_ms


# on_ms, off_ms, and how often
LIGHTS: Mapping[Pattern, Blink] = {
    "off": Blink(0, 1),  # dark
    "turn": Blink(1, 0),  # lit
    "done": Blink(50, 2950),  # a wink every three seconds
    "question": Blink(700, 700),  # calm, even blinking
    "lost": Blink(120, 380),  # hurried blinking, twice a second
}
CUES: Mapping[Cue, Blink] = {
    "accepted": Blink(60, 0, 1),  # one short
    "refused": Blink(120, 120, 3),  # three
    "turn": Blink(400, 0, 1),  # one long
}


def is_on(blink: Blink, ms: int) -> bool:
    """Whether it is on this many milliseconds after it began."""
    if ms < 0 or (blink.lasts_ms is not None and ms >= blink.lasts_ms):
        return False
    return ms % (blink.on_ms + blink.off_ms) < blink.on_ms


def changes_after(blink: Blink, ms: int) -> int | None:
    """When it next goes on or off, later than this; None: never again."""
    if ms < 0:
        return 0 if blink.on_ms else None
    if blink.lasts_ms is not None and ms >= blink.lasts_ms:
        return None
    if blink.repeats == FOR_EVER and not (blink.on_ms and blink.off_ms):
        return None
    begun, within = divmod(ms, blink.on_ms + blink.off_ms)
    period = begun * (blink.on_ms + blink.off_ms)
    return period + (blink.on_ms if within < blink.on_ms else blink.on_ms + blink.off_ms)


class Lamp(Struct, frozen=True):
    """One lamp: its light, and the newest cue while that lasts."""

    light: Pattern = "off"
    light_ms: int = 0
    """When the light began."""
    cue: Cue | None = None
    cue_ms: int = 0
    """When the cue began, with its dark gap."""

    def shows(self, light: Pattern, now_ms: int) -> "Lamp":
        """The same light again does not start over."""
        return self if light == self.light else replace(self, light=light, light_ms=now_ms)

    def cued(self, cue: Cue, now_ms: int) -> "Lamp":
        return replace(self, cue=cue, cue_ms=now_ms)

    def is_on(self, now_ms: int) -> bool:
        if (cue := self._cue_at(now_ms)) is not None:
            return is_on(cue, now_ms - self.cue_ms - GAP_MS)
        return is_on(LIGHTS[self.light], now_ms - self.light_ms)

    def changes_after(self, now_ms: int) -> int | None:
        """When to look again, later than this; None: not until it is told something else."""
        if (cue := self._cue_at(now_ms)) is not None:
            change = changes_after(cue, now_ms - self.cue_ms - GAP_MS)
            return self.cue_ms + GAP_MS + ((cue.lasts_ms or 0) + GAP_MS if change is None else change)
        change = changes_after(LIGHTS[self.light], now_ms - self.light_ms)
        return None if change is None else self.light_ms + change

    def _cue_at(self, now_ms: int) -> Blink | None:
        """The cue that is shown at this time, in one of its gaps or between."""
        cue = None if self.cue is None else CUES[self.cue]
        lasts_ms = 0 if cue is None else GAP_MS + (cue.lasts_ms or 0) + GAP_MS
        return cue if 0 <= now_ms - self.cue_ms < lasts_ms else None


class Buzzer(Struct, frozen=True):
    """An active buzzer: it sounds while its pin is high. It knows only the newest cue."""

    cue: Cue | None = None
    cue_ms: int = 0

    def is_on(self, now_ms: int) -> bool:
        return self.cue is not None and is_on(CUES[self.cue], now_ms - self.cue_ms)

    def changes_after(self, now_ms: int) -> int | None:
        change = None if self.cue is None else changes_after(CUES[self.cue], now_ms - self.cue_ms)
        return None if change is None else self.cue_ms + change
