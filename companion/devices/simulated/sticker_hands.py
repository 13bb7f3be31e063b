"""Hands at a simulated reader: they lay stickers into its field and lift them, by number."""

from companion.devices.simulated.shared_field import SimulatedField
from companion.devices.simulated.tags import Flicker, Stickers

TRAITS: dict[str, tuple[float, Flicker | None]] = {"weak": (0.7, None), "flicker": (1.0, Flicker(80, 60))}
"""How likely a tag's answer arrives, and how its power comes and goes. Source: none, what hands and metal do."""
WELL: tuple[float, Flicker | None] = (1.0, None)
"""Every answer arrives. Source: none, ours."""


class StickerHands:
    """Base of the simulated readers that have a field of simulated tags."""

    def __init__(self, field: SimulatedField) -> None:
        self.field = field
        self._stickers = Stickers()
        self._trait = WELL

    def lay(self, uid: str) -> None:
        sticker = self._stickers[uid]
        sticker.reliability, sticker.flicker = self._trait
        self.field.place(sticker)

    def lift(self, uid: str) -> None:
        self.field.lift(self._stickers[uid])

    def weaken(self, trait: str) -> None:
        """From now on tags answer badly, one of TRAITS; or well again, for any other word."""
        self._trait = TRAITS.get(trait, WELL)
        for tag in self.field.tags:
            tag.reliability, tag.flicker = self._trait
