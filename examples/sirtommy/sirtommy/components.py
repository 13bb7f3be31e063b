"""An ordinary pack of cards. An ace is the lowest card."""

from companion.gamekit.playing_cards import CardPack

PACK = CardPack("sirtommy", ace=1)
