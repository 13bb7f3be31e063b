"""The shape and the hue of each prey, by what it is worth: an enrolled box may have any animals. Black text on all."""

LOOKS = {1: ("○", "#cfcfcf"), 2: ("▲", "#f0e442"), 3: ("◆", "#56b4e9"), 4: ("■", "#e69f00"), 5: ("●", "#e0764f")}
