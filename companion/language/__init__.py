"""How facts become words, words become sentences, and sentences find their translation.

Imported by: all packages above it.
"""
