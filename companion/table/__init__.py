"""What hands do at any table: signals, tags and pieces, what is where, and what a signal means. Pure.

Imported by: the packages above it; a screen only for signals and effects.
"""
