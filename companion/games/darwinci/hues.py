"""What stands for whom and for what, on screens and on paper: stones by player, jewellery by kind.

Hues are those of Okabe and Ito, which colour-blind people can tell apart. Stones are filled shapes, jewellery is not.
"""

STONES = "●■▲◆►"
STONE_HUES = ("#e69f00", "#56b4e9", "#00b888", "#f0e442", "#cc79a7")
JEWELS = "▼∩◊√□"
"""By the place of a kind in the box."""
BONE = "#f3ead3"
