"""The Pi's own buttons, lamps and buzzer: driver, two ways to the pins, doctor check and simulated pins."""
