"""Big letters made of half blocks, three rows high, readable from across the table."""

import unicodedata
from functools import lru_cache

# Five pixel rows per letter; the row above them is free for the dots of umlauts.
_GLYPHS = """
A .#. #.# ### #.# #.#
B ##. #.# ##. #.# ##.
C .## #.. #.. #.. .##
D ##. #.# #.# #.# ##.
E ### #.. ##. #.. ###
F ### #.. ##. #.. #..
G .### #... #.## #..# .###
H #.# #.# ### #.# #.#
I # # # # #
J ..# ..# ..# #.# .#.
K #..# #.#. ##.. #.#. #..#
L #.. #.. #.. #.. ###
M #...# ##.## #.#.# #...# #...#
N #..# ##.# #.## #..# #..#
O .##. #..# #..# #..# .##.
P ##. #.# ##. #.. #..
Q .##. #..# #..# #.#. .#.#
R ##. #.# ##. #.# #.#
S .## #.. .#. ..# ##.
T ### .#. .#. .#. .#.
U #..# #..# #..# #..# .##.
V #.# #.# #.# #.# .#.
W #...# #...# #.#.# ##.## #...#
X #.# #.# .#. #.# #.#
Y #.# #.# .#. .#. .#.
Z ### ..# .#. #.. ###
0 .#. #.# #.# #.# .#.
1 .# ## .# .# .#
2 ##. ..# .#. #.. ###
3 ##. ..# .#. ..# ##.
4 #.# #.# ### ..# ..#
5 ### #.. ##. ..# ##.
6 .## #.. ##. #.# .#.
7 ### ..# .#. .#. .#.
8 .#. #.# .#. #.# .#.
9 .#. #.# .## ..# ##.
: . # . # .
. . . . . #
, .. .. .. .# #.
! # # # . #
? ##. ..# .#. ... .#.
- ... ... ### ... ...
+ ... .#. ### .#. ...
& .#.. #.#. .#.. #.#. .#.#
' # # . . .
"""
_BLOCKS = {("#", "#"): "█", ("#", "."): "▀", (".", "#"): "▄", (".", "."): " "}


def _read(line: str) -> tuple[str, tuple[str, ...]]:
    letter, *rows = line.split(" ")
    return letter, ("." * len(rows[0]), *rows)


_LETTERS = dict(_read(line) for line in _GLYPHS.strip().splitlines())
_LETTERS[" "] = ("..",) * 6
for _base in "AOU":
    _plain = _LETTERS[_base]
    _LETTERS[unicodedata.normalize("NFC", _base + "\u0308")] = ("#." + "." * (len(_plain[0]) - 3) + "#", *_plain[1:])


@lru_cache(64)
def big(text: str) -> tuple[str, str, str] | None:
    """The text in big letters, three rows; None if a letter is missing."""
    letters = [_letter(char) for char in unicodedata.normalize("NFC", text.upper())]
    if not text or None in letters:
        return None
    rows = [".".join(letter[y] for letter in letters if letter) for y in range(6)]
    top, middle, bottom = ("".join(_BLOCKS[pair] for pair in zip(rows[y], rows[y + 1], strict=True)) for y in (0, 2, 4))
    return top, middle, bottom


@lru_cache(64)
def huge(text: str) -> tuple[str, ...] | None:
    """Twice as large, six rows, for a screen on the wall."""
    letters = [_letter(char) for char in unicodedata.normalize("NFC", text.upper())]
    if not text or None in letters:
        return None
    rows = [".".join(letter[y] for letter in letters if letter) for y in range(6)]
    return tuple("".join("██" if pixel == "#" else "  " for pixel in row) for row in rows)


def _letter(char: str) -> tuple[str, ...] | None:
    """The letter itself, or the letter without its accent."""
    return _LETTERS.get(char) or _LETTERS.get(unicodedata.normalize("NFD", char)[0])
