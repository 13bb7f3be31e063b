"""The hues of ingredients and of the two faces, on screens and on paper.

Hues follow the printed cards where they are known, in the tones of Okabe and Ito; dark ones have white letters.
"""

HUES = {
    "honey": "#e69f00",
    "clover": "#2bb58c",
    "flower": "#ee7733",
    "egg": "#56b4e9",
    "mushroom": "#d9b382",
    "skull": "#bbbbbb",
    "berry": "#cc79a7",
    "moth": "#303030",
    "salt": "#f7f7f2",
}
FACES = {"sun": "#f0e442", "moon": "#0072b2"}
DARK = ("moth", "moon")
"""What has white letters."""
