"""An ordinary pack of cards. An ace is the lowest card."""

from companion.gamekit.playing_cards import Pack

PACK = Pack("sirtommy", ace=1)
