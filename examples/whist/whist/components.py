"""An ordinary pack of cards, and who plays with whom."""

from companion.gamekit import partners
from companion.gamekit.playing_cards import CardPack

PACK = CardPack("whist")
PLAYERS = 4
TEAMS = partners(PLAYERS)
"""W1 Partners sit opposite each other."""
