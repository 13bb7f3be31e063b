"""The signs of all screens, phones and paper: each has one meaning, and this is the only place that writes them down.

docs/design.md shows the table to people; tests/gamekit/test_sign_table.py compares the two, finds each sign in the
kiosk's font, and finds no sign of it anywhere else in the code or in the catalogues. Frames, bars and bones are
drawings, and so not in it; neither are the marks of plain text (… – ×).
"""

# --- At every table -------------------------------------------------------------------------------------------

TURN = "►"
"""The table waits for this player, or for this row."""
DONE = "√"
"""Done: has chosen, is connected, is complete."""
QUESTION = "?"
"""A question is open, or a piece is not known."""
WRONG = "!"
"""Refused, lost, impossible."""
LEADS = "»"
"""Leads, wins, is the best."""
STARTS = "⌂"
"""Starts the round or the game."""
SIMULATED = "○"
"""A simulated player, where several people play."""
FACE_DOWN = "▒"
"""Lies there face down: a card, a tile, a marker."""
NOTHING = "·"
"""None, empty, free."""
REMOVE = "−"
"""Minus: takes away."""
UP, RIGHT, DOWN, LEFT = "↑→↓←"
"""In this direction: an arrow key, the order of turns, to whom something goes, where a bone is open."""

# --- Colours --------------------------------------------------------------------------------------------------

SHAPES = "●■▲◆▬+"
"""The shapes that stand for colours: of players, or of handprints. No shape means anything else."""

# --- One game's own -------------------------------------------------------------------------------------------

STONE = "•"
"""Lascaux: a stone."""
JEWELS = "▼∩◊ƒ□"
"""Darwinci: kinds of jewellery, by their place in the box."""
JOINS = "∞"
"""Darwinci: two bones that join."""
SUN, MOON = "☼", ")"
"""Carnuta: the faces of a rune."""
FLIP = "↕"
"""Carnuta: turn a rune over."""
LOCK = "#"
"""Carnuta: a padlock."""
BONUS = "*"
"""Carnuta: a field that brings a bonus ingredient."""
MARKER = "@"
"""Carnuta: where the marker is on its track."""
