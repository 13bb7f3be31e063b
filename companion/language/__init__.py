"""How facts become words, words become sentences, and sentences find their translation.

Who may enter: all rooms above it.
"""
